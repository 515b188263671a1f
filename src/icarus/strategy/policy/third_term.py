"""UCB1 with a third term, for games of one player (SP-MCTS; Schadd et al. 2008; section IV-D of mcts-survey-2012).

What counts for one player is the best sequence, not the average: an action whose results differ widely may hide a good one.  The
third term is the deviation of the rewards, and ``d`` makes it large where there are few of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, EXPLORATION, Policy, require, tries
from icarus.strategy.statistic import Squares


@compiled
def third_term(arms, values, p):
    untried = 0
    for i in range(arms.size):
        untried += arms.visits[i] == 0.0
    if untried > 0:  # an untried arm outweighs every other, whatever their values are
        for i in range(arms.size):
            values[i] = math.inf if arms.visits[i] == 0.0 else 0.0
        return
    for i in range(arms.size):
        n = arms.visits[i]
        mean = arms.reward[i] / n
        spread = max(arms.statistic[i] - n * mean * mean, 0.0)
        values[i] = mean + p.c * math.sqrt(logarithm(int(arms.available[i])) / n) + math.sqrt((spread + p.d) / n)


@dataclass(frozen=True, repr=False)
class ThirdTerm(Policy):
    """``q / n + c sqrt(ln m / n) + sqrt((s - n (q / n)^2 + d) / n)``, s the sum of squared rewards."""

    c: float = 0.5
    d: float = 0.01

    grid = tries(c=EXPLORATION, d=(0.01, 0.1, 1.0))

    function = staticmethod(third_term)
    statistics = (Squares(),)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + c sqrt(ln m / n) + sqrt((s - n (q/n)^2 + d) / n)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "d", 0)
