"""UCB1 for subset-armed bandits (Base-4 of icarus-2014; equation 7 and section IV-B of ismcts-2012).

The number of trials of an arm is how often it was *available*, not how often its parent was visited.  An arm that was never
tried has infinite value, so untried arms come first, in random order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.engine.tables import logarithm
from icarus.strategy.icarus import COUNTED, Policy, require


@compiled
def ucb1(reward, visits, available, extra, base, record, values, size, parameters):
    c = parameters[0]
    trials = available[0]
    untried = 0
    uneven = 0
    for i in range(size):
        untried += visits[i] == 0.0
        uneven += available[i] != trials
    if untried > 0:  # an untried arm outweighs every other, whatever their values are
        for i in range(size):
            values[i] = math.inf if visits[i] == 0.0 else 0.0
    elif uneven == 0:  # siblings that were always available together: one logarithm serves them all
        log = logarithm(int(trials))
        for i in range(size):
            values[i] = reward[i] / visits[i] + c * math.sqrt(log / visits[i])
    else:
        for i in range(size):
            values[i] = reward[i] / visits[i] + c * math.sqrt(logarithm(int(available[i])) / visits[i])


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
