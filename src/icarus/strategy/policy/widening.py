"""Progressive widening without a heuristic (Couetoux et al. 2011; Coulom 2007; section V-E1 of mcts-survey-2012).

A node tries a new action only while it has fewer than ``ceil(k n^alpha)`` of them after n visits, and looks at those that it has
otherwise.  New ones come in random order.  ``Baseline(outcomes=...)`` does the same to the environment's outcomes, which together
is double progressive widening.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, EXPLORATION, Policy, require, tries


@compiled
def widening(arms, values, p):
    trials, tried = 0.0, 0
    for i in range(arms.size):
        trials += arms.visits[i]
        tried += arms.visits[i] > 0.0
    admitted = math.ceil(p.k * (trials + 1.0) ** p.alpha)
    new = math.inf if tried == 0 or tried < admitted else -math.inf
    for i in range(arms.size):
        n = arms.visits[i]
        values[i] = arms.reward[i] / n + p.c * math.sqrt(logarithm(int(arms.available[i])) / n) if n > 0.0 else new


@dataclass(frozen=True, repr=False)
class Widening(Policy):
    """UCB1 among at most ``ceil(k n^alpha)`` actions after n visits; ``alpha`` = 1 is UCB1.

    ``k`` = 1 and ``alpha`` = 0.5 are usual; many actions want a larger k.
    """

    c: float = 0.7
    k: float = 1.0
    alpha: float = 0.5

    grid = tries(c=EXPLORATION, k=(0.5, 1.0, 2.0, 4.0), alpha=(0.25, 0.5, 0.75))

    function = staticmethod(widening)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + c sqrt(ln m / n); n = 0: inf while fewer than ceil(k N^alpha) are tried, else -inf"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "k", 0, above=True)
        require(self, "alpha", 0, 1)
