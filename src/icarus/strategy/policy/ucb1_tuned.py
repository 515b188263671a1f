"""UCB1-Tuned (Auer et al. 2002; section V-A1 of mcts-survey-2012).

The bound is as wide as the rewards seen so far warrant: the square root of the smaller of 1/4, the largest variance that
rewards in [0, 1] can have, and an upper bound of the measured variance.  Trials are availability, as in UCB1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import words as w
from icarus.engine.native import compiled
from icarus.strategy.icarus import COUNTED, Policy


@compiled
def ucb1_tuned(reward, visits, available, extra, base, record, values, size, parameters):
    trials = 0.0
    logarithm = 0.0
    for i in range(size):
        n = visits[i]
        if n > 0.0:
            if available[i] != trials:
                trials = available[i]
                logarithm = math.log(trials)
            mean = reward[i] / n
            variance = extra[i] / n - mean * mean + math.sqrt(2.0 * logarithm / n)
            values[i] = mean + math.sqrt(logarithm / n * min(0.25, variance))
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class UCB1Tuned(Policy):
    """``q / n + sqrt(ln m / n min(1/4, V))`` with ``V = s / n - (q / n)^2 + sqrt(2 ln m / n)``, s the sum of squared rewards."""

    function = staticmethod(ucb1_tuned)
    extra = w.NEEDS_SQUARES
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + sqrt(ln m / n min(1/4, s/n - (q/n)^2 + sqrt(2 ln m / n)))"
