"""Progressive widening (Coulom 2007; section V-E1 of mcts-survey-2012): the k-th best move joins after ``a b**(k - 2)`` visits.

Progressive unpruning with another schedule: one move at first, by the game's heuristic.  Without a heuristic there is the policy
``Widening``.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination
from icarus.strategy.heuristic import Heuristic
from icarus.strategy.policy.unpruning import Unpruning


@dataclass(eq=False, repr=False)
class ProgressiveWidening(NamedCombination):
    """UCB1 among the moves that look best to the game's heuristic; ``a`` = 40 and ``b`` = 1.4 as in Coulom 2007."""

    a: float = 40.0
    b: float = 1.4
    c: float = 0.7

    grid = tries(a=(10.0, 40.0, 160.0), b=(1.2, 1.4, 2.0), c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "a", 0, above=True)
        require(self, "b", 1, above=True)
        require(self, "c", 0)
        policy = Unpruning(c=self.c, initial=1, a=self.a / self.b, b=self.b)
        self.define(Heuristic(policy=policy), Baseline(c=self.c), weight=1.0)
