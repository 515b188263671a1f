"""UCB1-Tuned (Auer et al. 2002; section V-A1 of mcts-survey-2012).

The bound is as wide as the rewards seen so far warrant: the square root of the smaller of 1/4, the largest variance that
rewards in [0, 1] can have, and an upper bound of the measured variance.  Trials are availability, as in UCB1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Inlined, Policy
from icarus.strategy.statistic import Squares


@compiled
def ucb1_tuned(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n > 0.0:
            mean, log = arms.reward[i] / n, logarithm(int(arms.available[i]))
            variance = arms.statistic[i] / n - mean * mean + math.sqrt(2.0 * log / n)
            values[i] = mean + math.sqrt(log / n * min(0.25, max(0.0, variance)))
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class UCB1Tuned(Policy):
    """``q / n + sqrt(ln m / n min(1/4, V))`` with ``V = s / n - (q / n)^2 + sqrt(2 ln m / n)``, s the sum of squared rewards."""

    function = staticmethod(ucb1_tuned)
    statistics = (Squares(),)
    kinds = COUNTED
    needs_availability = True
    untried_first = staticmethod(ucb1_tuned)
    inlined = Inlined(w.INLINED_UCB1_TUNED, of=ucb1_tuned)
    formula = "q/n + sqrt(ln m / n min(1/4, s/n - (q/n)^2 + sqrt(2 ln m / n)))"
