"""Actions and views as numbers of fixed number and size, for programs that learn.

A learner wants the same action to have the same number in every position, and wants few numbers.  Icarus's own are kept where
they are dense.  Elsewhere the actions that are met in some seeded random games get a number each, in ascending order; the few
that are met later share the last ``max_actions`` numbers, in ascending order among themselves.

A view (see icarus.game) is all that an observer knows.  Its parts are written one after the other as 64-bit words: a number
is itself, a text is its length and its bytes, a sequence inside another begins with its length.  Nothing is hashed, so equal
words mean equal views; where views differ in length, the rest is filled with ``NOTHING``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.game import ENVIRONMENT, Game, Position, step_randomly
from icarus.jit.randomness import seeded

NOTHING = -(2**63)  #: a word for what is not there
PLIES = 1500  #: plies of the random games in which actions and the sizes of views are met
MASK = 2**64 - 1

#: built-in games whose players' actions are 0 .. n - 1, and that n
DENSE: dict[str, Callable[[Game], int]] = {
    **dict.fromkeys(
        ("tic_tac_toe", "mnk", "phantom", "hex", "dark_hex", "oshi_zumo", "connect_four", "go", "nogo", "atarigo", "phantom_go"),
        lambda game: game.max_actions,
    ),
    **dict.fromkeys(
        ("kuhn_poker", "pgame", "matrix", "leftright", "left_move", "leftmost_path", "sailing", "lipschitz", "sum_of_switches"),
        lambda game: game.max_actions,
    ),
    **dict.fromkeys(("matching_pennies", "rock_paper_scissors"), lambda game: game.max_actions),
    **dict.fromkeys(("liars_dice", "goofspiel"), lambda game: game.max_actions + 1),
    **dict.fromkeys(("hearts", "hearts_round"), lambda game: 104),
    "oh_hell": lambda game: 52 + game.parameters[1] + 1,
    "battleship": lambda game: 3 * game.parameters[0] * game.parameters[1],
    "clobber": lambda game: 4 * game.parameters[0] * game.parameters[1],
    "domineering": lambda game: 2 * game.parameters[0] * game.parameters[1],
    "havannah": lambda game: (2 * game.parameters[0] - 1) ** 2,
    "mancala": lambda game: 14,
    "leduc_poker": lambda game: 3,
    "rock_sample": lambda game: game.max_actions,
    "othello": lambda game: 65,
    "backgammon": lambda game: 208,
    "figure3": lambda game: 8,
    "strategy_fusion": lambda game: 5,
}


class Actions:
    """Numbers 0 .. ``size - 1`` for the actions of a game's players."""

    def __init__(self, game: Game, met: Iterable[int]) -> None:
        source, dense = getattr(game, "source", None), DENSE.get(game.name.partition("(")[0])
        self.own: list[int] = []
        self._number: dict[int, int] = {}
        if source is not None:  # a game of OpenSpiel says how many there are
            self.size = int(source.first_outcome)
        elif dense is not None:
            self.size = dense(game)
        else:
            self.own = sorted(set(met))
            self._number = {action: number for number, action in enumerate(self.own)}
            self.size = len(self.own) + game.max_actions

    def numbered(self, legal: Iterable[int]) -> dict[int, int]:
        """The legal actions by their numbers."""
        if not self.own:
            return {action: action for action in legal}
        known, strange = {}, []
        for action in sorted(legal):
            number = self._number.get(action)
            if number is None:
                strange.append(action)
            else:
                known[number] = action
        return known | {len(self.own) + i: action for i, action in enumerate(strange)}


class Views:
    """Views of a game as arrays of ``size`` words, or of single bits."""

    def __init__(self, lengths: Iterable[int], bits: bool) -> None:
        known = set(lengths)
        # a view that varies may still grow beyond what was met
        self.words = max(known) if len(known) == 1 else 2 * max(known)
        self.bits = bits

    @property
    def shape(self) -> tuple[int]:
        return (self.words * 64 if self.bits else self.words,)

    def encode(self, position: Position, observer: int) -> npt.NDArray[Any]:
        words = list(words_of_view(position, observer))[: self.words]
        array = np.array(words + [NOTHING] * (self.words - len(words)), np.int64)
        return np.unpackbits(array.astype("<i8").view(np.uint8), bitorder="little").astype(np.int8) if self.bits else array


def explore(game: Game) -> tuple[set[int], set[int]]:
    """Actions of players, and lengths of views, in seeded random games."""
    actions: set[int] = set()
    lengths: set[int] = set()
    plies, seed = 0, 0
    while plies < PLIES:
        position, rng = game.start(seed), seeded(seed, stream=8)
        while not position.is_terminal:
            if position.player != ENVIRONMENT:
                actions.update(position.legal())
            lengths.add(sum(1 for _ in words_of_view(position, plies % game.players)))
            step_randomly(position, rng)
            plies += 1
        lengths.update(sum(1 for _ in words_of_view(position, i)) for i in range(game.players))
        seed += 1
    return actions, lengths


def words_of_view(position: Position, observer: int) -> Iterator[int]:
    """The words of what a player knows."""
    view = position.view(observer)
    if isinstance(view, bytes) and len(view) == position.state.nbytes:  # nothing is hidden: the state itself
        yield from position.state.tolist()
    else:
        yield from words_of(view)


def words_of(view: Any) -> Iterator[int]:
    """The words of a view."""
    for part in parts_of(view):
        yield from words(part)


def words(value: Any) -> Iterator[int]:
    if value is None:
        yield NOTHING
    elif isinstance(value, bool | int | np.integer):
        yield from whole_words(int(value))
    elif isinstance(value, float):
        yield int.from_bytes(struct.pack("<d", value), "little", signed=True)
    elif isinstance(value, str | bytes):
        text = value.encode() if isinstance(value, str) else value
        yield len(text)
        for start in range(0, len(text), 8):
            yield int.from_bytes(text[start : start + 8].ljust(8, b"\0"), "little", signed=True)
    else:
        parts = parts_of(value)
        yield len(parts)
        for part in parts:
            yield from words(part)


def whole_words(value: int) -> Iterator[int]:
    """A whole number: one word, or as many as it needs."""
    if -(2**63) < value < 2**63:
        yield value
        return
    yield NOTHING
    yield value.bit_length() // 64 + 1
    for i in range(value.bit_length() // 64 + 1):
        yield int.from_bytes((value >> 64 * i & MASK).to_bytes(8, "little"), "little", signed=True)


def parts_of(value: Any) -> list[Any]:
    """The parts of a view in a fixed order."""
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, Mapping):
        return sorted(value.items(), key=repr)
    if isinstance(value, AbstractSet):
        return sorted(value, key=repr)
    if isinstance(value, list | tuple):
        return list(value)
    return [value] if isinstance(value, str | bytes | bool | int | float | np.integer | None) else [repr(value)]
