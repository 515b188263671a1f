"""First play urgency (Gelly, Wang, Munos and Teytaud 2006; section V-B1 of mcts-survey-2012).

UCT tries every action once before it trusts any.  With a fixed value for what is untried, a good action is followed at once, and
the others wait until it disappoints: a tree of many actions becomes deep before it is wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, EXPLORATION, Policy, require, tries


@compiled
def first_play_urgency(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n > 0.0:
            values[i] = arms.reward[i] / n + p.c * math.sqrt(logarithm(int(arms.available[i])) / n)
        else:
            values[i] = p.urgency


@dataclass(frozen=True, repr=False)
class FirstPlayUrgency(Policy):
    """UCB1, where an action without visits is worth ``urgency`` (1.1 as in MoGo); infinity is UCB1."""

    c: float = 0.7
    urgency: float = 1.1

    grid = tries(c=EXPLORATION, urgency=(0.6, 0.8, 1.0, 1.1, 1.3))

    function = staticmethod(first_play_urgency)
    kinds = COUNTED
    needs_availability = True
    formula = "q/n + c sqrt(ln m / n), or urgency for n = 0"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "urgency", 0)
