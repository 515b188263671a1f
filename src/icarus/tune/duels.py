"""Deals between a candidate and a reference, played by a crew and stored; and what names a run, so that no other resumes it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.crew import Crew
from icarus.arena.match import GameRecord, outcome
from icarus.arena.players import Player
from icarus.arena.schedule import Cell, Schedule, game_named, seatings
from icarus.arena.store import Store
from icarus.game import Game, play_randomly
from icarus.jit.randomness import mix, seeded
from icarus.testing import check_game
from icarus.testing.memory import fingerprint

CHECKED_GAMES = 20
SPEEDS = ("race", "confirm")  #: phases in which all play the same number of games


class Duels:
    """Plays and stores deals between a candidate and a reference; scores are the candidate's, one per deal."""

    def __init__(self, game: str, opponent: Player, opening: int, seed: int, store: Store | None, crew: Crew) -> None:
        self.game, self.opponent, self.opening, self.seed = game, opponent, opening, seed
        self.store, self.crew = store, crew
        self.seats = game_named(game).players
        self.seatings = seatings(2, self.seats) if self.seats > 1 else ((0,),)
        self.records: dict[tuple[str, int], GameRecord] = {}
        if store is not None:
            self.records = {(r.cell, r.number): r for r in store.records()}
        self.played = 0

    @property
    def per_deal(self) -> int:
        return len(self.seatings)

    def phase_seed(self, phase: str) -> int:
        return int(mix(self.seed & (2**63 - 1), sum(ord(c) << (7 * i) for i, c in enumerate(phase[:4])))) & (2**31 - 1)

    def cell(self, phase: str, player: Player) -> Cell:
        players = (str(player), str(self.opponent)) if self.seats > 1 else (str(player),)
        name = f"{phase} {self.game}: {' – '.join(players)}"  # a store may hold several games
        return Cell(name, self.game, players, self.seatings, 1, equal_first="draw", opening=self.opening)

    def play(self, phase: str, wanted: Sequence[tuple[Player, int]], each: Callable[[], None] | None = None) -> list[float]:
        """The scores of these players on these deals; what the store has is not played again."""
        asked = list(wanted)
        if self.seats == 1:  # alone, a player is compared with what the opponent makes of the same deal
            asked += [(self.opponent, deal) for deal in dict.fromkeys(deal for _, deal in wanted)]
        cells = {str(player): self.cell(phase, player) for player, _ in asked}
        schedule = Schedule(tuple(cells.values()), self.phase_seed(phase))
        tasks = [
            (cells[str(player)].name, deal * self.per_deal + seating)
            for player, deal in asked
            for seating in range(self.per_deal)
        ]
        missing = [task for task in dict.fromkeys(tasks) if task not in self.records]
        for record in self.crew.play(schedule, missing):
            self.records[record.cell, record.number] = record
            self.played += 1
            if self.store is not None:
                self.store.add([record])
            if each is not None:
                each()
        return [self._score(cells, phase, player, deal) for player, deal in wanted]

    def _score(self, cells: dict[str, Cell], phase: str, player: Player, deal: int) -> float:
        cell = cells[str(player)]
        records = [self.records[cell.name, deal * self.per_deal + seating] for seating in range(self.per_deal)]
        if self.seats > 1:
            return sum(outcome(cell, record, 0) for record in records) / len(records)
        mine = records[0].rewards[0]
        other = self.records[cells[str(self.opponent)].name, deal].rewards[0]
        return 1.0 if mine > other else 0.0 if mine < other else 0.5

    def seconds_of_a_deal(self, player: Player) -> float:
        """How long a deal of this player against itself takes, once everything is compiled; nothing of it is stored."""
        known = None if self.store is None else self.store.about().get("deal")
        if known is not None:
            return float(known)
        trial = Duels(self.game, player, self.opening, self.seed, None, self.crew)
        trial.play("warm", [(player, 0)])
        trial.play("warm", [(player, 1)])
        return float(np.median([record.elapsed for record in trial.records.values()])) * self.per_deal / self.crew.jobs

    def remember(self, took: float) -> None:
        """Note how long a deal took, so that a run that is continued plans as it did at first."""
        if self.store is not None:
            self.store.note("deal", repr(took))

    def speed(self, player: Player) -> float:
        """Iterations per second in the games of race and confirmation; the median, since a first game may have to compile."""
        found = [
            record.iterations[seat] / record.seconds[seat]
            for record in self.records.values()
            if record.game == self.game and record.cell.startswith(SPEEDS)
            for seat, name in enumerate(record.seats)
            if name == str(player) and record.seconds[seat] > 0
        ]
        return float(np.median(found)) if found else 0.0


def keeps_its_contract(game: Game) -> None:
    """A short look at the game (`icarus check` is the long one); whoever tunes a game with a bug tunes the bug."""
    check_game(game, games=CHECKED_GAMES, searches=False).raise_for_failures()


def begins_alike(game: Game) -> bool:
    """Do all games begin with the same position, and hide nothing?"""
    if game.hidden_information or game.stochastic:
        return False
    return len({fingerprint(game.start(seed)) for seed in range(8)}) == 1


def random_moves(game: Game, most: int) -> int:
    """So many moves at random begin a deal where all games would begin alike: a few, and no more than a fifth of a short game."""
    if not begins_alike(game):
        return 0
    rng = seeded(0, stream=16)
    lengths = [len(play_randomly(game.start(number), rng).history) for number in range(25)]
    return min(most, int(np.median(lengths)) // 5)


def identity_of(
    kind: str, games: str | Sequence[str], players: tuple[str, ...], settings: dict[str, Any], seed: int, opening: int = 0
) -> Schedule:
    """The identity of a run: what was asked for, of which game (a game in a file is what the file says)."""
    games = [games] if isinstance(games, str) else list(games)
    digests = [hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in map(_file_of, games) if file.is_file()]
    if digests:
        settings = {**settings, "file": digests[0] if len(digests) == 1 else digests}
    cell = Cell(kind, games[0], players, ((0,),), 0, kind=kind, settings=tuple(settings.items()), opening=opening)
    return Schedule((cell,), seed)


def _file_of(game: str) -> Path:
    return Path(re.sub(r"(?<=\.py):.*$", "", game))
