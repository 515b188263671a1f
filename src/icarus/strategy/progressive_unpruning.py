"""Progressive unpruning (Chaslot et al. 2008; section V-E1 of mcts-survey-2012): few moves at first, more with experience.

A node begins with the ``initial`` moves that look best to the game's heuristic.  One more is let in whenever its visits have
grown by the factor ``b``: the k-th after ``a b**(k - initial)`` visits.  In the end all moves are searched, so nothing is lost
but time.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination
from icarus.strategy.heuristic import Heuristic
from icarus.strategy.policy.unpruning import Unpruning


@dataclass(eq=False, repr=False)
class ProgressiveUnpruning(NamedCombination):
    """UCB1 among the moves admitted so far; ``initial`` = 5, ``a`` = 50 and ``b`` = 1.3 as in Chaslot et al. 2008.

    A maxilinear combination in which the baseline has no say of its own: its records are what the policy reads.
    """

    initial: int = 5
    a: float = 50.0
    b: float = 1.3
    c: float = 0.7

    grid = tries(initial=(2, 5, 10), a=(10.0, 50.0), b=(1.15, 1.3, 1.6), c=EXPLORATION)
    place = "tree"

    def __post_init__(self) -> None:
        require(self, "initial", 1, whole=True)
        require(self, "a", 0, above=True)
        require(self, "b", 1, above=True)
        require(self, "c", 0)
        policy = Unpruning(c=self.c, initial=self.initial, a=self.a, b=self.b)
        self.define(Heuristic(policy=policy), Baseline(c=self.c), weight=1.0)
