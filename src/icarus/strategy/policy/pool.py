"""One of the best by AMAF, sometimes: what PoolRAVE plays in playouts (Hoock et al. 2010; section V-C8 of mcts-survey-2012)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.jit.randomness import random_unit
from icarus.strategy.base import Policy, require, tries


@compiled
def pool(arms, values, p):
    for i in range(arms.size):
        values[i] = 1.0
    if not random_unit(arms.rng) < p.p:
        return
    # the size actions with the best averages: the best that is still out, again and again
    wanted = int(min(p.size, float(arms.size)))
    for _ in range(wanted):
        best, largest = -1, -math.inf
        for i in range(arms.size):
            if values[i] == 1.0 and arms.visits[i] > 0.0:
                mean = arms.reward[i] / arms.visits[i]
                if mean > largest:
                    best, largest = i, mean
        if best < 0:
            break
        values[best] = 2.0
    chosen = 0
    for i in range(arms.size):
        chosen += values[i] == 2.0
    if chosen > 0:
        for i in range(arms.size):
            values[i] -= 1.0


@dataclass(frozen=True, repr=False)
class Pool(Policy):
    """With probability ``p`` one of the ``size`` legal actions that AMAF thinks most of, otherwise any."""

    size: int = 10
    p: float = 0.5

    grid = tries(size=(5, 10, 20), p=(0.25, 0.5, 0.75))

    function = staticmethod(pool)
    shape = w.DISTRIBUTION
    formula = "p U[the size largest q/n] + (1 - p) U[A]"

    def __post_init__(self) -> None:
        require(self, "size", 1, whole=True)
        require(self, "p", 0, 1)
