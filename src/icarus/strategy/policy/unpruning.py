"""UCB1 among the moves that progressive unpruning admits so far (Chaslot et al. 2008; section V-E1 of mcts-survey-2012)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.native import compiled
from icarus.strategy.icarus import HEURISTIC, Policy, require


@compiled
def unpruning(reward, visits, available, extra, base, record, values, size, parameters):
    c, initial, a, b = parameters[0], parameters[1], parameters[2], parameters[3]
    admitted = initial if record[1] > 0.0 else float(size)
    bound = a * b
    while admitted < size and record[1] > bound:
        admitted += 1.0
        bound *= b
    everyone = admitted >= size
    for i in range(size):
        values[i] = 0.0 if everyone else -math.inf
    if not everyone:
        # the best one that is still out, again and again; equal ones in the order in which the game lists them
        for _ in range(int(admitted)):
            best = -1
            for i in range(size):
                if values[i] < 0.0 and (best < 0 or reward[i] > reward[best]):
                    best = i
            values[best] = 0.0
    for i in range(size):
        if values[i] == 0.0:
            n = base[size + i]
            values[i] = base[i] / n + c * math.sqrt(math.log(base[2 * size + i]) / n) if n > 0.0 else math.inf


@dataclass(frozen=True, repr=False)
class Unpruning(Policy):
    """UCB1 for the ``initial`` actions with the best heuristic values; the k-th one joins after ``a b**(k - initial)`` visits.

    ``initial`` = 5, ``a`` = 50 and ``b`` = 1.3 as in Chaslot et al. 2008.
    """

    c: float = 0.7
    initial: int = 5
    a: float = 50.0
    b: float = 1.3

    function = staticmethod(unpruning)
    kinds = HEURISTIC
    follows_baseline = True
    formula = "Q/N + c sqrt(ln M / N) for the admitted actions, else -inf"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "initial", 1, whole=True)
        require(self, "a", 0, above=True)
        require(self, "b", 1, above=True)
