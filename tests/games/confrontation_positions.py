"""Positions of the Confrontation for tests: set up by name, played by label; and what the sets of identities stand for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from icarus.game import ENVIRONMENT, Game, Position
from icarus.games.confrontation import confrontation
from icarus.games.confrontation import position as layout
from icarus.games.confrontation.board import CAPACITY, FALLEN, PLACES, REGIONS
from icarus.games.confrontation.cast import CARDS, CHARACTERS

LIGHT, DARK = 0, 1
game = cache(confrontation)


def region(name: str) -> int:
    """The number of a region, "Shire" for short."""
    return next(i for i, full in enumerate((*REGIONS, "Tunnel")) if full.removeprefix("The ") == name)


def character(name: str) -> int:
    return CHARACTERS.index(name)


def mask(names: list[str], side: int) -> int:
    """A set of one side's characters, in nine bits."""
    return sum(1 << character(name) - 9 * side for name in names)


def arrange(
    light: str,
    dark: str,
    turn: int = DARK,
    *,
    used: tuple[str, str] = ("", ""),
    sets: dict[tuple[int, str], list[list[str]]] | None = None,
    rules: Game | None = None,
) -> Position:
    """A position with these characters, given as "Frodo Shire, Sam Shire"; whose turn it is; the used cards.

    The opponent knows nothing, or for some (side, region) the given sets of characters, one for each piece.
    """
    position = (rules or game()).start()
    state = position.state
    state[layout.ALIVE] = 0
    state[layout.PLACE : layout.PLACE + 18] = FALLEN
    for first, words in ((layout.OCCUPIED, 6), (layout.HERE, 17), (layout.WHO, 34)):
        state[first : first + words] = 0
    for text in f"{light}, {dark}".split(", "):
        who = next(name for name in CHARACTERS if text.startswith(name))
        square = region(text.removeprefix(who).strip())
        state[layout.PLACE + character(who)] = square
        state[layout.HERE + square] |= 1 << character(who)
        state[layout.ALIVE] |= 1 << character(who)
    for side in (LIGHT, DARK):
        everybody = int(state[layout.ALIVE]) >> 9 * side & 511
        for place in range(PLACES):
            number = (int(state[layout.HERE + place]) >> 9 * side & 511).bit_count()
            name = (*(r.removeprefix("The ") for r in REGIONS), "Tunnel")[place]
            given = [mask(names, side) for names in (sets or {}).get((side, name), [])] or [everybody] * number
            assert len(given) == number
            state[layout.WHO + PLACES * side + place] = sum(s << 9 * i for i, s in enumerate(sorted(given, reverse=True)))
            if place < 16:
                state[layout.OCCUPIED + side] |= (number >= 1) << place
                state[layout.CROWDED + side] |= (number >= 2) << place
                state[layout.FULL + side] |= bool(number >= CAPACITY[place]) << place
        state[layout.USED + side] = sum(1 << CARDS[side].index(card) for card in used[side].split(", ") if card)
    state[layout.TURN] = turn
    return Position(position.game, state)


def play(position: Position, *labels: str) -> Position:
    """Play these actions, in place; the environment's are played by themselves where there is only one."""
    for label in labels:
        forced(position)
        names = {position.format_action(action): action for action in position.legal()}
        assert label in names, f"{label!r} is not among {list(names)}"
        position.apply(names[label])
    return forced(position)


def forced(position: Position) -> Position:
    while not position.is_terminal and position.player == ENVIRONMENT and len(position.legal()) == 1:
        position.apply(position.legal()[0])
    return position


def options(position: Position) -> set[str]:
    """What whoever acts may do."""
    return {position.format_action(action) for action in position.legal()}


def place(position: Position, who: str) -> str:
    where = int(position.state[layout.PLACE + character(who)])
    return "fallen" if where == FALLEN else "tunnel" if where == 16 else REGIONS[where].removeprefix("The ")


def phase(position: Position) -> int:
    return int(position.state[layout.PHASE])


def winner(position: Position) -> int | None:
    """The player who has won, or None."""
    return position.rewards().index(1.0) if position.is_terminal else None


# --- what an opponent can conclude ------------------------------------------------------------------------------------

#: (character, place) for every living character of one side
Arrangement = frozenset[tuple[int, int]]


def pieces(state: np.ndarray, side: int) -> list[tuple[int, int]]:
    """(place, set of characters in nine bits) for every piece of one side."""
    found = []
    for where in range(PLACES):
        sets = int(state[layout.WHO + PLACES * side + where])
        while sets:
            found.append((where, sets & 511))
            sets >>= 9
    return found


def truth(state: np.ndarray, side: int) -> Arrangement:
    return frozenset(
        (c, int(state[layout.PLACE + c])) for c in range(9 * side, 9 * side + 9) if state[layout.PLACE + c] != FALLEN
    )


def arrangements(state: np.ndarray, side: int) -> set[Arrangement]:
    """All arrangements that agree with the sets: each piece is given a character of its set."""

    def complete(rest: list[tuple[int, int]], taken: int) -> Iterator[Arrangement]:
        if not rest:
            yield frozenset()
            return
        (where, choices), *others = rest
        for c in range(9):
            if (choices & ~taken) >> c & 1:
                for tail in complete(others, taken | 1 << c):
                    yield tail | {(c + 9 * side, where)}

    return set(complete(pieces(state, side), 0))
