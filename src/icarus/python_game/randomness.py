"""The engine's random numbers for games in plain Python: the same word and draws, behind the interface of ``random.Random``."""

from __future__ import annotations

import ctypes
import random
from array import array
from functools import cache
from typing import Any

from icarus.errors import GameError
from icarus.jit import JIT, Ints, Nothing, Random, address
from icarus.python_game.node_cache import AHEAD, fill


class EngineRandom(random.Random):
    """Random numbers that continue from one word of the engine: the same seed gives the same game, compiled or not."""

    def __init__(self, word: int = 1) -> None:
        super().__init__()
        self._word = array("Q", [word])
        #: the next draws, and the word after each of them
        self.draws, self.words = array("q", [0] * AHEAD), array("Q", [0] * AHEAD)

    def seed(self, a: Any = None, version: int = 2) -> None:
        if a is not None:
            raise GameError("the random numbers of a search cannot be seeded again inside a game; use them as they come")

    @property
    def word(self) -> int:
        """Where the random numbers are: the next draw follows from it."""
        return self._word[0]

    def at(self, word: int) -> EngineRandom:
        """Continue from this word."""
        self._word[0], self.gauss_next = word, None
        return self

    def random(self) -> float:
        return (self._bits() >> 11) * (1.0 / 9007199254740992.0)

    def getrandbits(self, k: int) -> int:
        value, have = 0, 0
        while have < k:
            value, have = value << 64 | self._bits(), have + 64
        return value >> (have - k)

    def _bits(self) -> int:
        """``random_bits`` without leaving Python."""
        x = self._word[0]
        x ^= x >> 12
        x = (x ^ x << 25) & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 27
        self._word[0] = x
        return (x * 0x2545F4914F6CDD1D) & 0xFFFFFFFFFFFFFFFF

    def upcoming(self) -> list[int]:
        """The next draws, 32 bits each, without moving on: ``draw * n >> 32`` is what the loop would choose below n."""
        word = self._word[0]
        if JIT:
            _fill()(*self.addresses())
        else:
            fill(self._word, self.draws, self.words)
        self._word[0] = word
        return self.draws.tolist()

    def skip(self, number: int) -> None:
        """Move on by some of the upcoming draws."""
        if number:
            self._word[0] = self.words[number - 1]

    def addresses(self) -> tuple[int, int, int]:
        """Where compiled code finds the word, the draws and the words after them."""
        return self._word.buffer_info()[0], self.draws.buffer_info()[0], self.words.buffer_info()[0]


@cache
def _fill() -> Any:
    plain = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    return plain(address(fill, Nothing(Random, Ints, Random)))
