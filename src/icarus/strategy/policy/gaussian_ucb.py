"""Gaussian UCB, UCB1-Normal (Auer, Cesa-Bianchi and Fischer 2002; section V-A5 of mcts-survey-2012).

For rewards that are distributed normally with unknown variance.  An arm that was tried fewer than ``8 ln m`` times comes first;
then the bound is four standard errors, times the root of the logarithm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Policy, require, tries
from icarus.strategy.statistic import Squares


@compiled
def gaussian_ucb(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        log = logarithm(int(arms.available[i]))
        if n < 1.0 or n < math.ceil(p.least * log):
            values[i] = math.inf
        else:
            mean = arms.reward[i] / n
            variance = max(arms.statistic[i] - n * mean * mean, 0.0) / (n - 1.0) if n > 1.0 else 0.25
            values[i] = mean + p.c * math.sqrt(variance * log / n)


@dataclass(frozen=True, repr=False)
class GaussianUCB(Policy):
    """``q / n + c sqrt(V ln m / n)`` with the sample variance V; ``c`` = 4, ``least`` = 8 as in Auer et al. 2002.

    Arms with fewer than ``least ln m`` visits come first.  The paper's logarithm is of m - 1.  One visit says nothing of a
    variance: it counts as 1/4, the largest that rewards in [0, 1] can have.
    """

    c: float = 4.0
    least: float = 8.0

    grid = tries(c=(0.5, 1.0, 2.0, 4.0), least=(2.0, 4.0, 8.0))

    function = staticmethod(gaussian_ucb)
    statistics = (Squares(),)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + c sqrt(V ln m / n), V = (s - n (q/n)^2) / (n - 1); inf for n < least ln m"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "least", 0)
