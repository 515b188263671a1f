"""UCB1 over sums (AMAF-4 and NAST-4 of icarus-2014; equation 7 of bandits-2013).

For captures that do not count availability: the number of trials is the sum of the visits of all actions that are legal now.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.engine.tables import logarithm
from icarus.strategy.icarus import Policy, require


@compiled
def ucb1_sum(reward, visits, available, extra, base, record, values, size, parameters):
    c = parameters[0]
    trials = 0.0
    for i in range(size):
        trials += visits[i]
    log = logarithm(int(trials))
    for i in range(size):
        n = visits[i]
        values[i] = reward[i] / n + c * math.sqrt(log / n) if n > 0.0 else math.inf


@dataclass(frozen=True, repr=False)
class UCB1Sum(Policy):
    """``q / n + c sqrt(ln sum_b n(b) / n)``; ``c`` = 0.7 as in icarus-2014."""

    c: float = 0.7

    function = staticmethod(ucb1_sum)
    formula = "q/n + c sqrt(ln sum_b n(b) / n)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
