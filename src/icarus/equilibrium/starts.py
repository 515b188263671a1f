"""Every start of a game with its exact probability: ``initial`` is run once for each sequence of random numbers that it asks for.

A game deals with ``random_below``; here each call branches into all of its answers.  So nothing is estimated, and a deal that is
rarer than another one counts less.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.jit.randomness import random_below, random_bits, random_unit, seeded
from icarus.python_game import PythonGame
from icarus.python_game.randomness import EngineRandom
from icarus.rehearsal import Twins

STARTS = 50_000  #: sequences of random numbers that are tried


class TooMany(Exception):
    """There are more starts than can be listed, or they cannot be listed at all."""


class _Script:
    """Answers to the questions for random numbers: those of the prefix, then always the first; ``asked`` are the bounds."""

    def __init__(self, prefix: list[int]) -> None:
        self.answers, self.asked = list(prefix), list[int]()
        self.beyond = False  #: something else than a number below a bound was asked for

    def below(self, bound: int) -> int:
        number = len(self.asked)
        self.asked.append(int(bound))
        if number == len(self.answers):
            self.answers.append(0)
        return self.answers[number]


class _ScriptedRandom(EngineRandom):
    """The same for a class, behind ``random.Random``: ``shuffle``, ``choice``, ``randrange`` and ``sample`` all ask here."""

    def __init__(self, script: _Script) -> None:
        super().__init__()
        self._script = script

    def _randbelow(self, n: int) -> int:
        return self._script.below(n)

    def _bits(self) -> int:
        self._script.beyond = True
        raise TooMany


#: of a game: it has more starts than so many
_MORE: weakref.WeakKeyDictionary[Game, int] = weakref.WeakKeyDictionary()


def every_start(game: Game, most: int = STARTS) -> list[tuple[Position, float]]:
    """All start positions with their probabilities; :class:`TooMany` if there are more, or the game draws anything but numbers
    below a bound."""
    if _is_always_the_same(game):
        return [(game.start(0), 1.0)]
    if most <= _MORE.get(game, 0):
        raise TooMany
    found: dict[object, tuple[Position, float]] = {}
    for number, (position, odds) in enumerate(_runs(game)):
        if number >= most:
            _MORE[game] = most
            raise TooMany
        key = _key(position)
        known, before = found.get(key, (position, 0.0))
        found[key] = known, before + odds
    return list(found.values())


def _is_always_the_same(game: Game) -> bool:
    """Does a start draw nothing?"""
    state, rng = game.start(0).state.copy(), seeded(0)
    state[: len(game.parameters)] = game.parameters
    before = int(rng[0])
    game.call("initial", state, rng)
    return int(rng[0]) == before


def _key(position: Position) -> object:
    game = position.game
    return game.fingerprint(position.state) if isinstance(game, PythonGame) else position.state.tobytes()


def _runs(game: Game) -> Iterator[tuple[Position, float]]:
    """The start of every sequence of answers, in order."""
    script = _Script([])

    def below(rng: Any, bound: Any) -> np.int64:
        return np.int64(script.below(bound))

    def never(rng: Any) -> Any:
        raise TooMany

    initial = Twins({random_below: below, random_bits: never, random_unit: never}).of(game.initial)
    assert game.start(0)  # a user's game is rehearsed here
    while True:
        position = _start_by_script(game, script) if isinstance(game, PythonGame) else _start(game, initial)
        odds = 1.0
        for bound in script.asked:
            odds /= bound
        yield position, odds
        answers = script.answers[: len(script.asked)]
        while answers and answers[-1] + 1 == script.asked[len(answers) - 1]:
            answers.pop()
        if not answers:
            return
        answers[-1] += 1
        script.__init__(answers)  # type: ignore[misc]


def _start(game: Game, initial: Any) -> Position:
    state = np.zeros(game.state_size, np.int64)
    state[: len(game.parameters)] = game.parameters
    try:
        with np.errstate(all="ignore"):
            initial(game.named(state), seeded(0))
    except NotImplementedError:  # machine code that has no twin in Python
        raise TooMany from None
    return Position(game, state)


def _start_by_script(game: PythonGame, script: _Script) -> Position:
    try:
        node = game.rules.start(_ScriptedRandom(script))
    except GameError:  # what a class raises is told as its mistake
        if script.beyond:
            raise TooMany from None
        raise
    position = game.start(0)
    game.positions.put(position.state, node)
    return Position(game, position.state)
