"""EXP3 for simultaneous decisions (equations 4-6 of ismcts-2012).

The best choice at a simultaneous decision is often mixed; UCB1 settles on a pure one, EXP3 does not.  Each arm keeps the sum of
its rewards, each divided by the probability with which the arm was chosen.  The number of trials is how often the decision was
met so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import words as w
from icarus.engine.native import compiled
from icarus.strategy.icarus import COUNTED, Policy


@compiled
def exp3(reward, visits, available, extra, base, record, values, size, parameters):
    trials = 0.0
    for i in range(size):
        trials += visits[i]
    gamma = 1.0
    if trials > 0.0:
        gamma = min(1.0, math.sqrt(size * math.log(size) / ((math.e - 1.0) * trials)))
    eta = gamma / size
    largest = extra[0]
    for i in range(1, size):
        largest = max(largest, extra[i])
    total = 0.0
    for i in range(size):
        values[i] = math.exp((extra[i] - largest) * eta)
        total += values[i]
    for i in range(size):
        values[i] = gamma / size + (1.0 - gamma) * values[i] / total


@dataclass(frozen=True, repr=False)
class EXP3(Policy):
    """``gamma/K + (1 - gamma) / sum_b exp((s(b) - s(a)) eta)``, without parameters: gamma and eta follow from the trials."""

    function = staticmethod(exp3)
    shape = w.DISTRIBUTION
    kinds = COUNTED
    extra = w.NEEDS_IMPORTANCE
    formula = "gamma/K + (1 - gamma) exp(eta s(a)) / sum_b exp(eta s(b))"
