"""Selection by the maximum (sections IV-D and V-B7 of mcts-survey-2012): where one good line is all that counts.

In games of one player the best result below an action says more than the average of all.  ``share`` weighs the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, EXPLORATION, PARTS, Policy, require, tries
from icarus.strategy.statistic import Maximum


@compiled
def max_ucb(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n > 0.0:
            mean = arms.reward[i] / n
            explore = p.c * math.sqrt(logarithm(int(arms.available[i])) / n)
            values[i] = mean + p.share * (arms.statistic[i] - mean) + explore
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class MaxUCB(Policy):
    """``(1 - share) q / n + share max + c sqrt(ln m / n)``, max the largest reward so far; ``share`` = 0 is UCB1."""

    c: float = 0.7
    share: float = 0.5

    grid = tries(c=EXPLORATION, share=PARTS)

    function = staticmethod(max_ucb)
    untried_first = staticmethod(max_ucb)
    statistics = (Maximum(),)
    kinds = COUNTED
    needs_availability = True
    formula = "(1 - share) q/n + share max + c sqrt(ln m / n)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "share", 0, 1)
