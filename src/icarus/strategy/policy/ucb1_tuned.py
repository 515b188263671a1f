"""UCB1-Tuned (Auer et al. 2002; section V-A1 of mcts-survey-2012).

The bound is as wide as the rewards seen so far warrant: the square root of the smaller of 1/4, the largest variance that
rewards in [0, 1] can have, and an upper bound of the measured variance.  Trials are availability, as in UCB1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import INVERSES, KNOWN, inverse_root, mean_of, root_of_logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Policy
from icarus.strategy.statistic import Squares

ROOT_OF_2 = math.sqrt(2.0)
MANY = 32  #: arms: from here on the processor divides and takes roots of several at a time, which is quicker than a table


@compiled
def ucb1_tuned(arms, values, p):
    """The usual arms in one pass: all tried, available together, and so few times that tables know the roots."""
    reward, visits, squares, available = arms.reward, arms.visits, arms.statistic, arms.available
    trials = available[0]
    if trials < KNOWN:
        root, usual = root_of_logarithm(int(trials)), True
        if arms.size >= MANY:
            for i in range(arms.size):
                usual &= (visits[i] != 0.0) & (available[i] == trials)
                share = 1.0 / max(visits[i], 1.0)
                values[i] = bound(reward[i] * share, squares[i] * share, root * math.sqrt(share))
        else:
            for i in range(arms.size):
                n = min(int(visits[i]), KNOWN - 1)
                usual &= (visits[i] != 0.0) & (visits[i] < KNOWN) & (available[i] == trials)
                share = INVERSES[2 * n]
                values[i] = bound(reward[i] * share, squares[i] * share, root * INVERSES[2 * n + 1])
        if usual:
            return
    in_general(arms, values)


@compiled
def in_general(arms, values):
    reward, visits, squares, available = arms.reward, arms.visits, arms.statistic, arms.available
    untried = 0
    for i in range(arms.size):
        untried += visits[i] == 0.0
    if untried > 0:  # an untried arm outweighs every other, whatever their values are
        for i in range(arms.size):
            values[i] = math.inf if visits[i] == 0.0 else 0.0
        return
    for i in range(arms.size):
        n = int(visits[i])
        width = root_of_logarithm(int(available[i])) * inverse_root(n)
        values[i] = bound(mean_of(reward[i], n), mean_of(squares[i], n), width)


@compiled
def bound(mean, mean_square, width):
    """``width``: sqrt(ln m / n)."""
    variance = mean_square - mean * mean + ROOT_OF_2 * width
    return mean + width * math.sqrt(min(0.25, max(0.0, variance)))


@dataclass(frozen=True, repr=False)
class UCB1Tuned(Policy):
    """``q / n + sqrt(ln m / n min(1/4, V))`` with ``V = s / n - (q / n)^2 + sqrt(2 ln m / n)``, s the sum of squared rewards."""

    function = staticmethod(ucb1_tuned)
    statistics = (Squares(),)
    kinds = COUNTED
    needs_availability = True
    untried_first = staticmethod(ucb1_tuned)
    formula = "q/n + sqrt(ln m / n min(1/4, s/n - (q/n)^2 + sqrt(2 ln m / n)))"
