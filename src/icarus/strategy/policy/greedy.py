"""Greedy choice: an action with the best average, whatever it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.jit import compiled
from icarus.strategy.base import Policy


@compiled
def greedy(arms, values, p):
    for i in range(arms.size):
        values[i] = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1.0


@dataclass(frozen=True, repr=False)
class Greedy(Policy):
    """The largest ``v = q / n``, or 1 for an action without visits: epsilon-greedy with epsilon = 0."""

    function = staticmethod(greedy)
    formula = "v = q/n or 1"
