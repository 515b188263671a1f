"""EXP3 for simultaneous decisions (equations 4-6 of ismcts-2012).

The best choice at a simultaneous decision is often mixed; UCB1 settles on a pure one, EXP3 does not.  Each arm keeps the sum of
its rewards, each divided by the probability with which the arm was chosen.  The number of trials is how often the decision was
met so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Policy
from icarus.strategy.statistic import Importance


@compiled
def exp3(arms, values, p):
    size, trials = arms.size, 0.0
    for i in range(arms.size):
        trials += arms.visits[i]
    gamma = 1.0
    if trials > 0.0:
        gamma = min(1.0, math.sqrt(size * math.log(size) / ((math.e - 1.0) * trials)))
    eta = gamma / size
    largest = arms.statistic[0]
    for i in range(1, size):
        largest = max(largest, arms.statistic[i])
    total = 0.0
    for i in range(arms.size):
        values[i] = math.exp((arms.statistic[i] - largest) * eta)
        total += values[i]
    for i in range(arms.size):
        values[i] = gamma / size + (1.0 - gamma) * values[i] / total


@dataclass(frozen=True, repr=False)
class EXP3(Policy):
    """``gamma/K + (1 - gamma) / sum_b exp((s(b) - s(a)) eta)``, without parameters: gamma and eta follow from the trials."""

    function = staticmethod(exp3)
    shape = w.DISTRIBUTION
    kinds = COUNTED
    statistics = (Importance(),)
    formula = "gamma/K + (1 - gamma) exp(eta s(a)) / sum_b exp(eta s(b))"
