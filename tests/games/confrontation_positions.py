"""Positions of the Confrontation for tests: set up by name, played by label; and what the sets of identities stand for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from icarus.game import ENVIRONMENT, Game, Position
from icarus.games.confrontation import confrontation
from icarus.games.confrontation.board import CAPACITY, FALLEN, PLACES, REGIONS
from icarus.games.confrontation.cast import CARDS, CHARACTERS
from icarus.games.confrontation.position import Situation

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
    state = position.named
    state.alive = 0
    state.places[:] = FALLEN
    for words in (state.occupied, state.crowded, state.full, state.here, state.who):
        words[:] = 0
    for text in f"{light}, {dark}".split(", "):
        who = next(name for name in CHARACTERS if text.startswith(name))
        square = region(text.removeprefix(who).strip())
        state.places[character(who)] = square
        state.here[square] |= 1 << character(who)
        state.alive |= 1 << character(who)
    for side in (LIGHT, DARK):
        everybody = int(state.alive) >> 9 * side & 511
        for place in range(PLACES):
            number = (int(state.here[place]) >> 9 * side & 511).bit_count()
            name = (*(r.removeprefix("The ") for r in REGIONS), "Tunnel")[place]
            given = [mask(names, side) for names in (sets or {}).get((side, name), [])] or [everybody] * number
            assert len(given) == number
            state.who[PLACES * side + place] = sum(s << 9 * i for i, s in enumerate(sorted(given, reverse=True)))
            if place < 16:
                state.occupied[side] |= (number >= 1) << place
                state.crowded[side] |= (number >= 2) << place
                state.full[side] |= bool(number >= CAPACITY[place]) << place
        state.used[side] = sum(1 << CARDS[side].index(card) for card in used[side].split(", ") if card)
    state.turn = turn
    return Position(position.game, position.state)


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
    where = int(position.named.places[character(who)])
    return "fallen" if where == FALLEN else "tunnel" if where == 16 else REGIONS[where].removeprefix("The ")


def phase(position: Position) -> int:
    return int(position.named.phase)


def winner(position: Position) -> int | None:
    """The player who has won, or None."""
    return position.rewards().index(1.0) if position.is_terminal else None


# --- what an opponent can conclude ------------------------------------------------------------------------------------

#: (character, place) for every living character of one side
Arrangement = frozenset[tuple[int, int]]


def pieces(state: Situation, side: int) -> list[tuple[int, int]]:
    """(place, set of characters in nine bits) for every piece of one side."""
    found = []
    for where in range(PLACES):
        sets = int(state.who[PLACES * side + where])
        while sets:
            found.append((where, sets & 511))
            sets >>= 9
    return found


def truth(state: Situation, side: int) -> Arrangement:
    return frozenset((c, int(state.places[c])) for c in range(9 * side, 9 * side + 9) if state.places[c] != FALLEN)


def arrangements(state: Situation, side: int) -> set[Arrangement]:
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
