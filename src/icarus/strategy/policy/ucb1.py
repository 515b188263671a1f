"""UCB1 for subset-armed bandits (Base-4 of icarus-2014; equation 7 and section IV-B of ismcts-2012).

The number of trials of an arm is how often it was *available*, not how often its parent was visited.  An arm that was never tried has
infinite value, so untried arms come first, in random order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.strategy.icarus import COUNTED, Policy, require


@compiled
def ucb1(reward, visits, available, extra, base, record, values, size, parameters):
    c = parameters[0]
    trials = 0.0
    logarithm = 0.0
    for i in range(size):
        n = visits[i]
        if n > 0.0:
            if available[i] != trials:  # siblings were mostly available equally often: one logarithm serves them all
                trials = available[i]
                logarithm = math.log(trials)
            values[i] = reward[i] / n + c * math.sqrt(logarithm / n)
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class UCB1(Policy):
    """``q / n + c sqrt(ln m / n)`` with the availability count ``m``; ``c`` = 0.7 as in all five papers."""

    c: float = 0.7

    function = staticmethod(ucb1)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + c sqrt(ln m / n)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
