"""The engine's random numbers (xorshift64*) once more, in plain Python integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from icarus.jit.randomness import seeded

T = TypeVar("T")
WORD = 2**64 - 1


class Random:
    """A stream of random numbers; ``word`` is all that it remembers."""

    def __init__(self, word: int) -> None:
        self.word = word

    @classmethod
    def of(cls, seed: int, stream: int) -> Random:
        return cls(int(seeded(seed, stream=stream)[0]))

    def bits(self) -> int:
        x = self.word
        x ^= x >> 12
        x = (x ^ (x << 25)) & WORD
        x ^= x >> 27
        self.word = x
        return (x * 0x2545F4914F6CDD1D) & WORD

    def below(self, bound: int) -> int:
        """A random integer in ``0 .. bound - 1``."""
        return ((self.bits() >> 32) * bound) >> 32

    def unit(self) -> float:
        """A random float in [0, 1)."""
        return (self.bits() >> 11) / 2**53

    def one_of(self, choices: Sequence[T]) -> T:
        """Uniformly one of the choices; a single one needs no random number."""
        return choices[self.below(len(choices))] if len(choices) > 1 else choices[0]

    def by_weight(self, weights: Sequence[float]) -> int:
        """An index with probability proportional to its weight, from one random number."""
        total = 0.0
        for weight in weights:  # not sum(), which rounds differently from Python 3.12 on
            total += weight
        mark = self.unit() * total
        last = 0
        for i, weight in enumerate(weights):
            if weight > 0:
                last = i
                mark -= weight
                if mark < 0:
                    break
        return last

    def lend(self) -> np.ndarray:
        """The word as a game's functions want it; give it back with :meth:`take_back`."""
        return np.array([self.word], np.uint64)

    def take_back(self, lent: np.ndarray) -> None:
        self.word = int(lent[0])
