"""Uniformly random choice: the simulation policy of plain MCTS."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import words as w
from icarus.engine.native import compiled
from icarus.strategy.icarus import AVERAGES, REPLIES, Policy


@compiled
def uniform(reward, visits, available, extra, base, record, values, size, parameters):
    for i in range(size):
        values[i] = 1.0


@dataclass(frozen=True, repr=False)
class Uniform(Policy):
    """Every legal action with the same probability."""

    function = staticmethod(uniform)
    shape = w.DISTRIBUTION
    kinds = AVERAGES + REPLIES
    formula = "1 / |A|"
