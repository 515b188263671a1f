"""UCB-V (Audibert, Munos and Szepesvari 2009; section V-A5 of mcts-survey-2012): the bound follows the measured variance.

Bernstein's inequality in place of Hoeffding's: where the rewards of an arm vary little, few trials are enough to tell it apart.
Unlike UCB1-Tuned it comes with a proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Policy, require, tries
from icarus.strategy.statistic import Squares


@compiled
def ucb_v(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n > 0.0:
            mean = arms.reward[i] / n
            variance = max(arms.statistic[i] / n - mean * mean, 0.0)
            exploration = p.zeta * logarithm(int(arms.available[i]))
            values[i] = mean + math.sqrt(2.0 * variance * exploration / n) + 3.0 * p.c * exploration / n
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class UCBV(Policy):
    """``q / n + sqrt(2 V zeta ln m / n) + 3 c zeta ln m / n`` with the measured variance V.

    ``zeta`` = 1.2 and ``c`` = 1 as in the paper's analysis; a search of few iterations wants less (its section 6 does, too).
    """

    zeta: float = 1.2
    c: float = 1.0

    grid = tries(zeta=(0.3, 0.6, 1.2), c=(0.1, 0.3, 1.0))

    function = staticmethod(ucb_v)
    untried_first = staticmethod(ucb_v)
    statistics = (Squares(),)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + sqrt(2 V zeta ln m / n) + 3 c zeta ln m / n, V = s/n - (q/n)^2"

    def __post_init__(self) -> None:
        require(self, "zeta", 0)
        require(self, "c", 0)
