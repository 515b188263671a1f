"""UCB1 over sums (AMAF-4 and NAST-4 of icarus-2014; equation 7 of bandits-2013).

For captures that do not count availability: the number of trials is the sum of the visits of all actions that are legal now.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import EXPLORATION, Inlined, Policy, require, tries


@compiled
def ucb1_sum(arms, values, p):
    c, trials = p.c, 0.0
    for i in range(arms.size):
        trials += arms.visits[i]
    log = logarithm(int(trials))
    for i in range(arms.size):
        n = arms.visits[i]
        values[i] = arms.reward[i] / n + c * math.sqrt(log / n) if n > 0.0 else math.inf


@dataclass(frozen=True, repr=False)
class UCB1Sum(Policy):
    """``q / n + c sqrt(ln sum_b n(b) / n)``; ``c`` = 0.7 as in icarus-2014."""

    c: float = 0.7

    grid = tries(c=EXPLORATION)

    function = staticmethod(ucb1_sum)
    inlined = Inlined(w.INLINED_UCB1_SUM, of=ucb1_sum, when=lambda policy: policy.c > 0)
    formula = "q/n + c sqrt(ln sum_b n(b) / n)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
