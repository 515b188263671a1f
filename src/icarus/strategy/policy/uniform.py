"""Uniformly random choice: the simulation policy of plain MCTS."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import AVERAGES, REPLIES, Policy


@compiled
def uniform(arms, values, p):
    for i in range(arms.size):
        values[i] = 1.0


@dataclass(frozen=True, repr=False)
class Uniform(Policy):
    """Every legal action with the same probability."""

    function = staticmethod(uniform)
    shape = w.DISTRIBUTION
    kinds = AVERAGES + REPLIES
    formula = "1 / |A|"
