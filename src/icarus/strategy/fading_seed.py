"""A seed that fades (section V-B8 of mcts-survey-2012): the game's heuristic is blended out as an action is visited."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import EXPLORATION, PRIOR_WEIGHTS, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination
from icarus.strategy.heuristic import Heuristic
from icarus.strategy.policy.fading_prior import FadingPrior


@dataclass(eq=False, repr=False)
class FadingSeed(NamedCombination):
    """UCB1, where the average of an action with N visits is mixed with the heuristic by ``max(0, (k - N) / k)``; 0 is UCT.

    A maxilinear combination in which the baseline has no say of its own: its records are what the policy reads.
    """

    k: float = 20.0
    c: float = 0.7

    grid = tries(k=PRIOR_WEIGHTS, c=EXPLORATION)

    def __post_init__(self) -> None:
        require(self, "k", 0)
        require(self, "c", 0)
        self.define(Heuristic(policy=FadingPrior(k=self.k, c=self.c)), Baseline(c=self.c), weight=1.0)
