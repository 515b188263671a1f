"""UCB(alpha) (Bubeck and Cesa-Bianchi 2012, section 2.2; named in section V-A5 of mcts-survey-2012).

The bound that Hoeffding's inequality gives for rewards in [0, 1], with the rate of exploration as its one parameter: regret grows
with the logarithm for every alpha above 2.  It is UCB1 with ``c = sqrt(alpha / 2)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Policy, require, tries


@compiled
def ucb_alpha(arms, values, p):
    c = math.sqrt(p.alpha / 2.0)
    for i in range(arms.size):
        n = arms.visits[i]
        log = logarithm(int(arms.available[i]))
        values[i] = arms.reward[i] / n + c * math.sqrt(log / n) if n > 0.0 else math.inf


@dataclass(frozen=True, repr=False)
class UCBAlpha(Policy):
    """``q / n + sqrt(alpha ln m / (2 n))``; ``alpha`` = 0.98 is UCB1 with c = 0.7."""

    alpha: float = 2.0

    grid = tries(alpha=(0.1, 0.3, 1.0, 2.0))

    function = staticmethod(ucb_alpha)
    untried_first = staticmethod(ucb_alpha)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + sqrt(alpha ln m / (2 n))"

    def __post_init__(self) -> None:
        require(self, "alpha", 0)
