"""Progressive history (Nijssen and Winands 2011; section V-B11 of mcts-survey-2012): bias by what the search has learned.

``Q / N + c sqrt(ln M / N) + w (q / n) / (N - Q + 1)``, where q / n is the action's average anywhere, as MAST keeps it.  Like
progressive bias it is a maxilinear combination with equal weights.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import EXPLORATION, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import NamedCombination
from icarus.strategy.mast import MAST
from icarus.strategy.policy.bias import HistoryBias


@dataclass(eq=False, repr=False)
class ProgressiveHistory(NamedCombination):
    """The baseline's UCB1 value plus the action's history score, divided by what the node has lost with it.

    ``keep`` = 0: the published form starts every turn with an empty table (section III-C of rave-variants-2016).
    """

    w: float = 3.0
    c: float = 0.7
    keep: float = 0.0

    grid = tries(w=(0.5, 1.0, 3.0, 10.0), c=EXPLORATION, keep=(0.0, 0.2, 1.0))
    place = "tree"

    def __post_init__(self) -> None:
        require(self, "w", 0)
        require(self, "c", 0)
        require(self, "keep", 0, 1)
        self.define(MAST(policy=HistoryBias(w=self.w), keep=self.keep), Baseline(c=self.c), weight=0.5)
