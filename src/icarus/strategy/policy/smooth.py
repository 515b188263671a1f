"""Smooth UCT's choice (Heinrich and Silver 2015): sometimes UCB1's, sometimes drawn from the average of all choices so far.

UCB1 alone does not settle on a mixed strategy where something is hidden; the average that it leaves behind stays exploitable.
Playing that average more and more makes everybody respond to average strategies, as in fictitious play.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, EXPLORATION, Policy, require, tries


@compiled
def smooth_ucb(arms, values, p):
    size, total, untried, best, largest = arms.size, 0.0, 0, 0, -math.inf
    for i in range(size):
        total += arms.visits[i]
        untried += arms.visits[i] == 0.0
    if untried > 0:
        for i in range(size):
            values[i] = 1.0 if arms.visits[i] == 0.0 else 0.0
        return
    for i in range(size):
        bound = arms.reward[i] / arms.visits[i] + p.c * math.sqrt(logarithm(int(arms.available[i])) / arms.visits[i])
        if bound > largest:
            largest = bound
            best = i
    greedy = max(p.gamma, p.eta / (1.0 + p.d * math.sqrt(total)))
    for i in range(size):
        values[i] = (1.0 - greedy) * arms.visits[i] / total + (greedy if i == best else 0.0)


@dataclass(frozen=True, repr=False)
class SmoothUCB(Policy):
    """UCB1 with probability ``max(gamma, eta / (1 + d sqrt(N)))``, else in proportion to the visits.

    ``gamma`` = 0.1, ``eta`` = 0.9, ``d`` = 0.001 as published for Leduc poker; ``c`` = 0.7 as the baseline's.
    """

    c: float = 0.7
    gamma: float = 0.1
    eta: float = 0.9
    d: float = 0.001

    grid = tries(c=EXPLORATION, gamma=(0.05, 0.1, 0.2), eta=(0.5, 0.7, 0.9), d=(0.0001, 0.001, 0.01))

    function = staticmethod(smooth_ucb)
    shape = w.DISTRIBUTION
    kinds = COUNTED
    needs_availability = True
    formula = "g [arg max UCB1] + (1 - g) n/N, g = max(gamma, eta / (1 + d sqrt(N)))"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "gamma", 0, 1)
        require(self, "eta", 0, 1)
        require(self, "d", 0)
