"""What a network is shown of a game, and which of its logits belongs to which action.

A game that has ``observation`` and ``action_index`` says both itself.  Otherwise an observation is the view of the player who
acts, word by word (icarus.encoding): each word is a number, or 64 bits where a game keeps bit sets; and an action's number is
itself where the game's actions are dense, or its place among those that seeded random games have met.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from icarus.encoding import DENSE, NOTHING, Actions, explore, words_of_view
from icarus.errors import GameError, IcarusError, first_line
from icarus.game import ENCODINGS, Game, Position, step_randomly
from icarus.jit import address, callback
from icarus.jit.randomness import seeded

LARGE = 1 << 20  #: a word that may be greater than this is a bit set
GLANCES = 300  #: plies of random games in which that is looked at

_KNOWN: weakref.WeakKeyDictionary[Game, Encoding] = weakref.WeakKeyDictionary()


def encoding_of(game: Game) -> Encoding:
    """The encoding of a game, found once."""
    if game not in _KNOWN:
        _KNOWN[game] = Encoding(game)
    return _KNOWN[game]


class Encoding:
    """``shape`` of an observation, ``actions``: the number of logits."""

    def __init__(self, game: Game) -> None:
        # not the game itself, which would keep its own encoding alive
        self.problem: str | None = None
        self._thunk: object = None
        explored: tuple[set[int], set[int]] | None = None
        if game.action_index is not None:
            self.actions, self.numbers = game.action_count, np.zeros(0, np.int64)
        else:
            if not _is_dense(game):
                explored = explore(game)
            numbering = Actions(game, explored[0] if explored else ())
            self.actions, self.numbers = numbering.size, np.array(numbering.own, np.int64)
        if game.observation is not None:
            self.shape = tuple(int(size) for size in game.observation_shape)
        else:
            lengths = (explored or explore(game))[1]
            self.words = max(lengths) if len(lengths) == 1 else 2 * max(lengths)
            self.bits = _has_bit_sets(game)
            self.shape = (64 * self.words if self.bits else self.words,)

    def addresses(self, game: Game) -> tuple[int, int]:
        """What the kernel calls for an observation and for the number of an action (0: none)."""
        index = address(game.action_index, game.signature("action_index"))
        if game.observation is not None:
            return address(game.observation, game.signature("observation")), index
        place, self._thunk = callback(self._observe(game), ENCODINGS["observation"])
        return place, index

    def _observe(self, game: Game) -> Callable[[int, int, int], None]:
        """The default observation, as a function over addresses."""
        size, twin = int(np.prod(self.shape)), game.start(0)

        def observe(state: int, observer: int, out: int) -> None:
            row = np.ctypeslib.as_array((ctypes.c_float * size).from_address(out))
            try:
                twin.state = np.ctypeslib.as_array((ctypes.c_int64 * game.state_size).from_address(state))
                row[:] = self.encode(words_of_view(twin, observer))
            except Exception as problem:
                told = str(problem) if isinstance(problem, IcarusError) else f"view() raised {first_line(problem)}"
                self.problem = self.problem or told
                row[:] = 0.0

        return observe

    def encode(self, view: Iterable[int]) -> npt.NDArray[np.float32]:
        """The default observation, from the words of a view."""
        words = list(view)[: self.words]
        array = np.array(words + [NOTHING] * (self.words - len(words)), np.int64)
        if self.bits:
            return np.unpackbits(array.astype("<i8").view(np.uint8), bitorder="little").astype(np.float32)
        return np.where(array == NOTHING, -1, array).astype(np.float32)

    def look(self, position: Position, observer: int) -> npt.NDArray[np.float32]:
        """What a network is shown of a position."""
        game = position.game
        if game.observation is None:
            return self.encode(words_of_view(position, observer)).reshape(self.shape)
        out = np.zeros(self.shape, np.float32)
        game.call("observation", position.state, observer, out.reshape(-1))
        return out

    def check(self, game: Game) -> None:
        """Say what the default observation could not do."""
        if self.problem is not None:
            problem, self.problem = self.problem, None
            raise GameError(f"{game.name}: {problem}")


def _is_dense(game: Game) -> bool:
    return game.name.partition("(")[0] in DENSE or getattr(game, "source", None) is not None


def _has_bit_sets(game: Game) -> bool:
    """Does any word of a view, in some random games, look like a set of bits?"""
    plies, seed = 0, 0
    while plies < GLANCES:
        position, rng = game.start(seed), seeded(seed, stream=8)
        while not position.is_terminal and plies < GLANCES:
            for word in words_of_view(position, plies % game.players):
                if word != NOTHING and abs(word) > LARGE:
                    return True
            step_randomly(position, rng)
            plies += 1
        seed += 1
    return False
