"""Which games are played: cells of games between the same players, the seats they take and the seeds they get.

A game is named by its cell and its number there, and everything that happens in it follows from the schedule's seed and that
name, so that it does not matter where, when and in what order games are played.  Game ``n`` of a cell is deal ``n // seatings``
with seating ``n % seatings``: every deal is played with all seatings, and deal ``d`` is the same in every cell of one game,
which makes all comparisons paired.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from typing import Any

import icarus
from icarus.arena.errors import ArenaError
from icarus.arena.players import Player, read_player
from icarus.errors import IcarusError
from icarus.game import Game
from icarus.jit.randomness import mix
from icarus.loading import load
from icarus.trust import OWN, Trust

SEATS = ("rotate", "all", "one")
GAME = "game"  #: the kind of cell that plays; all others measure something (icarus.arena.measure)


@dataclass(frozen=True)
class Cell:
    """Games of the same players; ``seatings`` says for each seat of the game which of the players sits there."""

    name: str
    game: str
    players: tuple[str, ...]
    seatings: tuple[tuple[int, ...], ...]
    games: int
    kind: str = GAME
    #: so many deals, again and again, by players who draw other random numbers (ismcts-2012, section VII-B); 0: each deal once
    deals: int = 0
    #: numbers for a measurement
    settings: tuple[tuple[str, Any], ...] = ()
    #: what the highest reward counts for a player who shares it with another one: "win" (icarus-2014) or "draw" (rave-2016)
    equal_first: str = "win"
    #: the first decisions of a deal are random, and the same in all seatings: variety where all games begin alike
    opening: int = 0

    def seating(self, number: int) -> tuple[int, ...]:
        return self.seatings[number % len(self.seatings)]

    def deal(self, number: int) -> int:
        return self._turn(number)[1]

    def repetition(self, number: int) -> int:
        """How often its deal was played before, with this seating."""
        return self._turn(number)[0]

    def _turn(self, number: int) -> tuple[int, int]:
        """All deals once, then all of them again: however many games there are, as many deals as possible are among them."""
        played = number // len(self.seatings)
        return divmod(played, self.deals) if self.deals else (0, played)

    def identity(self) -> dict[str, Any]:
        """What must not change within one store; the number of games and how they are counted may."""
        return {
            "game": self.game,
            "players": list(self.players),
            "seatings": [list(s) for s in self.seatings],
            "kind": self.kind,
            "settings": dict(self.settings),
            **({"deals": self.deals} if self.deals else {}),
            **({"opening": self.opening} if self.opening else {}),
        }


@dataclass(frozen=True)
class Schedule:
    """All cells of a match, a tournament or an experiment, and the seed of everything."""

    cells: tuple[Cell, ...]
    seed: int = 0
    _by_name: dict[str, Cell] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._by_name.update({cell.name: cell for cell in self.cells})
        if len(self._by_name) != len(self.cells):
            raise ArenaError("two cells of a schedule have the same name")

    def cell(self, name: str) -> Cell:
        return self._by_name[name]

    @property
    def games(self) -> int:
        return sum(cell.games for cell in self.cells)

    def tasks(self) -> Iterator[tuple[str, int]]:
        """All games, round by round over the cells, so that every cell has its share whenever one stops."""
        rounds = math.ceil(max((cell.games / len(cell.seatings) for cell in self.cells), default=0))
        for deal in range(rounds):
            for cell in self.cells:
                first = deal * len(cell.seatings)
                for number in range(first, min(first + len(cell.seatings), cell.games)):
                    yield cell.name, number

    def seed_of(self, cell: Cell, number: int) -> int:
        """The seed of a game's deal and dice."""
        return int(mix(int(mix(self.seed & (2**63 - 1), 0x1CA205)), cell.deal(number))) & (2**63 - 1)

    def players_seed(self, cell: Cell, number: int) -> int:
        """The seed of what the players draw: the deal's, and another for every repetition of it."""
        return int(mix(self.seed_of(cell, number), 1 + cell.repetition(number))) & (2**63 - 1)

    def identity(self) -> str:
        """What two runs must share to be one experiment, as text."""
        cells = {cell.name: cell.identity() for cell in self.cells}
        return json.dumps({"seed": self.seed, "icarus": icarus.__version__, "cells": cells}, sort_keys=True)


# --- seats -----------------------------------------------------------------------------------------------------------


def seatings(players: int, seats: int, how: str | Sequence[Sequence[int]] = "rotate") -> tuple[tuple[int, ...], ...]:
    """Who sits where, for each seating.

    ``rotate``: the players in the order given fill the seats again and again, from every starting point.  ``all``: every
    assignment in which all of them play (rave-2016).  ``one``: the first player in each seat in turn, the others in the rest
    (icarus-2014).  A list of assignments gives them outright.
    """
    if not isinstance(how, str):
        given = tuple(tuple(int(i) for i in seating) for seating in how)
        if not given or any(len(s) != seats or not all(0 <= i < players for i in s) for s in given):
            raise ArenaError(f"seats {[list(s) for s in given]} do not assign players 0 to {players - 1} to {seats} seats")
        return given
    if how not in SEATS:
        raise ArenaError(f"seats={how!r}: choose one of {', '.join(SEATS)}, or list the player of each seat, such as 0,1,1")
    if players > seats == 1:
        raise ArenaError("the game is for one, and has no pairs of players; `icarus match` lets each of them play alone")
    if players > seats:
        raise ArenaError(f"{players} players were given, but the game has {seats} seats; `icarus tournament` plays them in pairs")
    if players == 1 and seats > 1:
        raise ArenaError(f"one player was given, but the game has {seats} seats; give at least two")
    if how == "all":
        return tuple(a for a in product(range(players), repeat=seats) if len(set(a)) == players)
    if how == "one" and players > 1:
        others = [1 + i % (players - 1) for i in range(seats - 1)]
        return tuple((*others[:seat], 0, *others[seat:]) for seat in range(seats))
    found: list[tuple[int, ...]] = []
    for first in range(players):
        filled = [(first + i) % players for i in range(seats)]
        for shift in range(seats):
            seating = tuple(filled[(i - shift) % seats] for i in range(seats))
            if seating not in found:
                found.append(seating)
    return tuple(found)


def read_seats(text: str) -> str | list[list[int]]:
    """``rotate``, ``all``, ``one``, or seatings such as ``0,1,1`` (several with semicolons)."""
    if text in SEATS:
        return text
    try:
        return [[int(i) for i in part.split(",")] for part in text.split(";")]
    except ValueError:
        raise ArenaError(
            f"seats={text!r}: choose one of {', '.join(SEATS)}, or list the player of each seat, such as 0,1,1"
        ) from None


# --- schedules -------------------------------------------------------------------------------------------------------


@cache
def game_named(text: str, trust: Trust = OWN) -> Game:
    """The game of a cell, loaded once per process."""
    return load(text, trust)


def match_schedule(
    game: str,
    players: Sequence[str | Player],
    games: int,
    seed: int = 0,
    seats: str | Sequence[Sequence[int]] = "rotate",
    opening: int = 0,
) -> Schedule:
    """One cell, or one for each player of a game for one; every player is checked against the game."""
    _check_count(games)
    if opening < 0:
        raise ArenaError(f"--opening {opening}: a number of random moves, 0 or more")
    loaded, read = checked(game, players)
    if loaded.players == 1 and len(read) > 1:
        if len(set(read)) != len(read):
            raise ArenaError(f"{loaded.name} is for one, and a player was given twice")
        alone = seatings(1, 1, "rotate")
        return Schedule(tuple(Cell(name, game, (name,), alone, games, opening=opening) for name in read), seed)
    return Schedule((Cell("match", game, read, seatings(len(read), loaded.players, seats), games, opening=opening),), seed)


def tournament_schedule(
    game: str, players: Sequence[str | Player], games: int, seed: int = 0, seats: str | Sequence[Sequence[int]] = "rotate"
) -> Schedule:
    """A round robin: one cell for each pair of players, ``games`` games each."""
    _check_count(games)
    loaded, read = checked(game, players)
    if len(read) < 2:
        raise ArenaError("a tournament needs at least two players")
    if len(set(read)) != len(read):
        raise ArenaError("a player was given twice; in a tournament everybody plays everybody else")
    seating = seatings(2, loaded.players, seats)
    return Schedule(tuple(Cell(f"{a} – {b}", game, (a, b), seating, games) for a, b in combinations(read, 2)), seed)


def checked(game: str, players: Sequence[str | Player]) -> tuple[Game, tuple[str, ...]]:
    """The game and the players' names, all of which can play it."""
    loaded = game_named(game)
    if not players:
        raise ArenaError("no players were given; a player is written as mo[NRML]@5000, or random")
    read = [read_player(player) for player in players]
    for player in dict.fromkeys(read):
        try:
            player.check(loaded)
        except ArenaError:
            raise
        except IcarusError as problem:
            raise ArenaError(f"{player}: {problem}") from None
    return loaded, tuple(str(player) for player in read)


def _check_count(games: int) -> None:
    if games < 1:
        raise ArenaError(f"--games {games}: at least one game must be played")
