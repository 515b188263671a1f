"""Progressive bias (Chaslot et al. 2008; section V-B5 of mcts-survey-2012): UCB1 with a heuristic that fades.

``Q / N + c sqrt(ln M / N) + w H / (N + 1)``.  A sum of two values is a maxilinear combination with equal weights: the factor of
one half does not change which action is largest.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination, ThresholdWeight
from icarus.strategy.heuristic import Heuristic
from icarus.strategy.policy.bias import Bias


@dataclass(eq=False, repr=False)
class ProgressiveBias(NamedCombination):
    """The baseline's UCB1 value plus ``w H / (N + 1)``, H in [0, 1] from the game.

    ``threshold``: a heuristic that takes long is asked only at nodes with so many visits (Chaslot et al. 2008 wait for 30).
    """

    w: float = 1.0
    c: float = 0.7
    threshold: float = 0.0

    grid = tries(w=(0.3, 1.0, 3.0, 10.0), c=EXPLORATION, threshold=(0.0, 10.0, 100.0))
    place = "tree"

    def __post_init__(self) -> None:
        require(self, "w", 0)
        require(self, "c", 0)
        require(self, "threshold", 0)
        weight = ThresholdWeight(self.threshold) if self.threshold > 0 else 0.5
        self.define(Heuristic(policy=Bias(w=self.w)), Baseline(c=self.c), weight=weight)
