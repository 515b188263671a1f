"""Rapid action value estimation (equations 14 and 15 of icarus-2014; equations 2 and 3 of rave-variants-2016).

RAVE is not an enhancement of its own but a combination: AMAF and the baseline, weighed by ``sqrt(k / (3 n + k))`` of the visits
of the node, so that AMAF leads while a node is young and fades with experience.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.errors import StrategyError
from icarus.strategy.amaf import AMAF
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import Defined, RaveWeight
from icarus.strategy.icarus import require
from icarus.strategy.policy.cadia import Cadia

FORMULAS = ("maxilinear", "cadia")


@dataclass(eq=False, repr=False)
class RAVE(Defined):
    """``Maxilinear(AMAF(), Baseline(), weight=RaveWeight(k))``; AMAF weighs one half after ``k`` visits.

    ``formula="maxilinear"`` is icarus-2014's: two UCB1 values are mixed, AMAF's with its own exploration term (k = 250, c = 0.7).
    ``formula="cadia"`` is CadiaPlayer's: the averages are mixed and the baseline's exploration term is added
    (rave-variants-2016 with c = 0.2).
    """

    k: float = 250
    c: float = 0.7
    formula: str = "maxilinear"

    def __post_init__(self) -> None:
        self.define(*rave_parts(self, ref=0), weight=RaveWeight(self.k))


def rave_parts(owner: Defined, ref: float) -> tuple[AMAF, Baseline]:
    """AMAF and the baseline as RAVE, GRAVE and HRAVE mix them."""
    require(owner, "k", 0, above=True)
    require(owner, "c", 0)
    c, formula = owner.c, owner.formula  # type: ignore[attr-defined]
    if formula not in FORMULAS:
        raise StrategyError(f"{type(owner).__name__}: formula={formula!r} is unknown; it must be 'maxilinear' or 'cadia'")
    if formula == "maxilinear":
        return AMAF(c=c, ref=ref), Baseline(c=c)
    return AMAF(ref=ref, every_node=True, policy=Cadia(c=c)), Baseline(c=c)
