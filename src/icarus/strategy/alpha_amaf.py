"""alpha-AMAF, some-first, cutoff and permutation AMAF (Helmbold and Parker-Wood 2009; sections V-C1 to V-C4 of mcts-survey-2012).

The value of an action is ``alpha AMAF + (1 - alpha) Q``, with the baseline's exploration.  Some-first AMAF counts the first moves
of a simulation only; cutoff AMAF warms the tree up with AMAF and goes on without it.  Permutation AMAF also tells a playout to
nodes that its moves, or some of them, lead to in another order.  The survey asks for the same position in the end, which holds
where moves commute, as stones that are placed do; here it is taken for granted, since other orders are not played to the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.amaf import AMAF
from icarus.strategy.base import EXPLORATION, PARTS, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import CutoffWeight, NamedCombination
from icarus.strategy.policy.cadia import Cadia


@dataclass(eq=False, repr=False)
class AlphaAMAF(NamedCombination):
    """AMAF with the constant weight ``alpha``: 0 is UCT, 1 is AMAF alone."""

    alpha: float = 0.5
    c: float = 0.7

    grid = tries(alpha=PARTS, c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "alpha", 0, 1)
        require(self, "c", 0)
        self.define(AMAF(every_node=True, policy=Cadia(c=self.c)), Baseline(c=self.c), weight=float(self.alpha))


@dataclass(eq=False, repr=False)
class SomeFirstAMAF(NamedCombination):
    """alpha-AMAF that counts the moves of the tree and the first ``m`` of the simulation; infinity is alpha-AMAF."""

    m: float = 10
    alpha: float = 0.5
    c: float = 0.7

    grid = tries(m=(5, 10, 20, 40), alpha=PARTS, c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "m", 0)
        require(self, "alpha", 0, 1)
        require(self, "c", 0)
        amaf = AMAF(every_node=True, first=self.m, policy=Cadia(c=self.c))
        self.define(amaf, Baseline(c=self.c), weight=float(self.alpha))


@dataclass(eq=False, repr=False)
class CutoffAMAF(NamedCombination):
    """alpha-AMAF in the first ``k`` playouts of a search, then UCT; 0 is UCT."""

    k: float = 1000
    alpha: float = 1.0
    c: float = 0.7

    grid = tries(k=(100, 300, 1000, 3000), alpha=(0.5, 0.75, 1.0), c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "alpha", 0, 1)
        require(self, "c", 0)
        amaf = AMAF(every_node=True, policy=Cadia(c=self.c))
        self.define(amaf, Baseline(c=self.c), weight=CutoffWeight(k=self.k, weight=self.alpha))


@dataclass(eq=False, repr=False)
class PermutationAMAF(NamedCombination):
    """alpha-AMAF that also updates up to ``nodes`` nodes which permutations of a playout's moves reach; 0 is alpha-AMAF."""

    nodes: int = 64
    alpha: float = 0.5
    c: float = 0.7

    grid = tries(nodes=(16, 64), alpha=PARTS, c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "alpha", 0, 1)
        require(self, "c", 0)
        amaf = AMAF(every_node=True, permutations=self.nodes, policy=Cadia(c=self.c))
        self.define(amaf, Baseline(c=self.c), weight=float(self.alpha))
