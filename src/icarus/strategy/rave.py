"""Rapid action value estimation (equations 14 and 15 of icarus-2014; equations 2 and 3 of rave-variants-2016).

RAVE is not an enhancement of its own but a combination: AMAF and the baseline, weighed by ``sqrt(k / (3 n + k))`` of the visits
of the node, so that AMAF leads while a node is young and fades with experience.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.errors import StrategyError
from icarus.strategy.amaf import AMAF
from icarus.strategy.base import EQUIVALENCE, EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination, RaveWeight
from icarus.strategy.policy.cadia import Cadia
from icarus.strategy.policy.of_the_tree import OfTheTree

FORMULAS = ("maxilinear", "cadia")


@dataclass(eq=False, repr=False)
class RAVE(NamedCombination):
    """``Maxilinear(AMAF(), Baseline(), weight=RaveWeight(k))``; AMAF weighs one half after ``k`` visits.

    ``formula="maxilinear"`` is icarus-2014's: two UCB1 values are mixed, AMAF's with its own exploration term (k = 250, c = 0.7).
    ``formula="cadia"`` is CadiaPlayer's: the averages are mixed and the baseline's exploration term is added
    (rave-variants-2016 with c = 0.2).  ``decoupled``: where players choose at the same time, each chooses by this formula, as in
    rave-variants-2016, and not by EXP3.
    """

    k: float = 250
    c: float = 0.7
    formula: str = "maxilinear"
    decoupled: bool = False

    grid = tries(k=EQUIVALENCE, c=EXPLORATION)
    place = "tree"

    def __post_init__(self) -> None:
        self.define(*rave_parts(self, ref=0), weight=RaveWeight(self.k))


def rave_parts(owner: NamedCombination, ref: float) -> tuple[AMAF, Baseline]:
    """AMAF and the baseline as RAVE, GRAVE and HRAVE mix them."""
    require(owner, "k", 0, above=True)
    require(owner, "c", 0)
    c, formula, decoupled = owner.c, owner.formula, owner.decoupled  # type: ignore[attr-defined]
    simultaneous = OfTheTree() if decoupled else None
    if formula not in FORMULAS:
        raise StrategyError(f"{type(owner).__name__}: formula={formula!r} is unknown; it must be 'maxilinear' or 'cadia'")
    if formula == "maxilinear":
        return AMAF(c=c, ref=ref), Baseline(c=c, simultaneous=simultaneous)
    return AMAF(ref=ref, every_node=True, policy=Cadia(c=c)), Baseline(c=c, simultaneous=simultaneous)
