"""UCB1 among the moves that progressive unpruning admits so far (Chaslot et al. 2008; section V-E1 of mcts-survey-2012)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.jit import compiled
from icarus.strategy.base import EXPLORATION, HEURISTIC, Policy, require, tries


@compiled
def unpruning(arms, values, p):
    size = arms.size
    admitted = p.initial if arms.node.visits > 0.0 else float(size)
    bound = p.a * p.b
    while admitted < size and arms.node.visits > bound:
        admitted += 1.0
        bound *= p.b
    everyone = admitted >= size
    for i in range(arms.size):
        values[i] = 0.0 if everyone else -math.inf
    if not everyone:
        # the best one that is still out, again and again; equal ones in the order in which the game lists them
        for _ in range(int(admitted)):
            best = -1
            for i in range(arms.size):
                if values[i] < 0.0 and (best < 0 or arms.reward[i] > arms.reward[best]):
                    best = i
            values[best] = 0.0
    for i in range(arms.size):
        if values[i] == 0.0:
            n = arms.baseline_visits[i]
            values[i] = (
                arms.baseline_reward[i] / n + p.c * math.sqrt(math.log(arms.baseline_available[i]) / n) if n > 0.0 else math.inf
            )


@dataclass(frozen=True, repr=False)
class Unpruning(Policy):
    """UCB1 for the ``initial`` actions with the best heuristic values; the k-th one joins after ``a b**(k - initial)`` visits.

    ``initial`` = 5, ``a`` = 50 and ``b`` = 1.3 as in Chaslot et al. 2008.
    """

    c: float = 0.7
    initial: int = 5
    a: float = 50.0
    b: float = 1.3

    grid = tries(c=EXPLORATION, initial=(2, 5, 10), a=(10.0, 50.0), b=(1.15, 1.3, 1.6))

    function = staticmethod(unpruning)
    kinds = HEURISTIC
    follows_baseline = True
    formula = "Q/N + c sqrt(ln M / N) for the admitted actions, else -inf"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "initial", 1, whole=True)
        require(self, "a", 0, above=True)
        require(self, "b", 1, above=True)
