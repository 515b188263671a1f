"""Greedy choice: an action with the best average, whatever it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.strategy.icarus import Policy


@compiled
def greedy(reward, visits, available, extra, base, record, values, size, parameters):
    for i in range(size):
        values[i] = reward[i] / visits[i] if visits[i] > 0.0 else 1.0


@dataclass(frozen=True, repr=False)
class Greedy(Policy):
    """The largest ``v = q / n``, or 1 for an action without visits: epsilon-greedy with epsilon = 0."""

    function = staticmethod(greedy)
    formula = "v = q/n or 1"
