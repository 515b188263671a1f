"""The papers' experiments as data: a short TOML file each, in ``experiments/``.

=============  ================================================================================================================
``layout``     ``against``: every player of a row against the row's opponent.  ``round-robin``: everybody against everybody, in
               both orders and against itself.  ``measure``: no games, a number per trial (icarus.arena.measure)
``rows``       the games (and sides) of the figure: ``game``, ``seats``; they may replace ``opponent`` and ``player``
``players``    the columns; ``player`` is the pattern in which ``{}`` is a column, so that "N" becomes ``[N]@5000``
``games``      games per cell in the paper
``figure``     bars, effects, heatmap, averages, curves, categories, table
``published``  the paper's own numbers, by ``row · column``
``data``       another experiment whose games this one only shows in another way
``claims``     what the paper says about the figure, as statements to check (icarus.arena.claims)
=============  ================================================================================================================
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import resources
from typing import Any

from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, outcome
from icarus.arena.players import Player, read_player
from icarus.arena.schedule import GAME, Cell, Schedule, checked, game_named, seatings
from icarus.arena.statistics import Tally

FOLDER = "experiments"
LAYOUTS = ("against", "round-robin", "measure")
FIGURES = ("bars", "effects", "heatmap", "averages", "curves", "categories", "table")


@dataclass(frozen=True)
class Column:
    """A player of a figure: how it is called there, and how it is written here; in a round robin it may differ by seat."""

    label: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A game, or a side of a game."""

    name: str
    game: str
    #: rotate, all, one, or the player of each seat
    seats: str | tuple[tuple[int, ...], ...]
    columns: tuple[Column, ...]
    opponents: tuple[str, ...]

    def seatings(self, layout: str) -> tuple[tuple[int, ...], ...]:
        """Who sits where (this is where the game is loaded first)."""
        seats = game_named(self.game).players
        if layout == "measure":
            return ((0,) * seats,)
        return ((0, 1),) if layout == "round-robin" else seatings(2, seats, self.seats)


@dataclass(frozen=True)
class Experiment:
    """One figure or table of a paper."""

    name: str
    title: str
    paper: str
    figure: str
    layout: str
    games: int
    rows: tuple[Row, ...]
    draws: str = "half"
    #: who shares the highest reward with another player has a "win" or a "draw"
    equal_first: str = "win"
    #: how often each deal is played with each seating
    repeats: int = 1
    data: str = ""
    measure: str = ""
    settings: tuple[tuple[str, Any], ...] = ()
    x_label: str = ""
    y_label: str = "games won"
    #: published numbers: "row · label" -> value
    published: dict[str, float] = field(default_factory=dict)
    claims: tuple[dict[str, Any], ...] = ()
    notes: str = ""
    #: the experiment whose published numbers are simulations per second, and the opponent's column there
    simulations: str = ""
    opponent_label: str = ""
    #: or simulations per second by the names of algorithms
    per_second: dict[str, float] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(column.label for row in self.rows for column in row.columns))

    def schedule(
        self, scale: float = 1.0, budget: float = 1.0, seed: int = 0, rows: Sequence[str] = (), *, as_published: bool = False
    ) -> Schedule:
        """All cells.  ``scale``: share of the games, ``budget``: share of iterations or seconds; rows left out get no games.

        ``as_published``: instead of seconds everybody gets the simulations that the paper's players did in them.
        """
        if not scale > 0 or not budget > 0:
            raise ArenaError(f"--scale {scale:g}, --budget {budget:g}: both must be above zero")
        names = [row.name for row in self.rows]
        for wanted in rows:
            if wanted not in names:
                raise ArenaError(f"{self.name} has no row {wanted!r}; its rows are {', '.join(names)}")
        cells = []
        for row in self.rows:
            wanted_here = not rows or row.name in rows
            seating = row.seatings(self.layout)
            for name, players in self._cells(row):
                given = self._as_published(row, name, players) if as_published else map(read_player, players)
                scaled = tuple(str(player.scaled(budget)) for player in given)
                chunk = len(seating)
                games = max(round(math.ceil(self.games / chunk) * scale), 1) * chunk if wanted_here else 0
                deals = math.ceil(self.games / (chunk * self.repeats)) if self.repeats > 1 else 0
                settings = (*self.settings, ("label", name.rpartition(" · ")[2])) if self.layout == "measure" else ()
                kind = self.measure if self.layout == "measure" else GAME
                cells.append(Cell(name, row.game, scaled, seating, games, kind, deals, settings, self.equal_first))
        return Schedule(tuple(cells), seed)

    def _as_published(self, row: Row, name: str, players: Sequence[str]) -> list[Player]:
        """Players with the paper's simulations per second (``simulations``, ``per_second``) times the seconds."""
        if not self.simulations and not self.per_second:
            raise ArenaError(f"{self.name}: its paper does not say how many simulations its players did in a second")
        rates = read_experiment(self.simulations).published if self.simulations else self.per_second
        found = []
        # in a measurement there is no opponent
        for label, player in zip((name.rpartition(" · ")[2], self.opponent_label), map(read_player, players), strict=False):
            if player.seconds is None:
                raise ArenaError(f"{self.name}: {player} has no clock")
            rate = rates[cell_name(row.name, label) if self.simulations else player.algorithm]
            found.append(replace(player, seconds=None, iterations=max(round(rate * player.seconds), 1)))
        return found

    def _cells(self, row: Row) -> list[tuple[str, tuple[str, ...]]]:
        if self.layout == "round-robin":
            return [
                (cell_name(row.name, a.label, b.label), (a.players[0], b.players[-1])) for a in row.columns for b in row.columns
            ]
        if self.layout == "measure":
            return [(cell_name(row.name, column.label), (column.players[0],)) for column in row.columns]
        return [
            (cell_name(row.name, column.label), (column.players[0], opponent))
            for column, opponent in zip(row.columns, row.opponents, strict=True)
        ]

    def check(self, rows: Sequence[str] = ()) -> None:
        """Refuse, before the first game, what cannot be played."""
        for row in self.rows:
            if not rows or row.name in rows:
                checked(row.game, [player for _, players in self._cells(row) for player in players])


def cell_name(*parts: str) -> str:
    return " · ".join(parts)


# --- results of an experiment ----------------------------------------------------------------------------------------


class Results:
    """The games of an experiment, counted."""

    def __init__(self, experiment: Experiment, schedule: Schedule, records: Sequence[GameRecord]) -> None:
        self.experiment, self.schedule = experiment, schedule
        self.records: dict[str, list[GameRecord]] = {cell.name: [] for cell in schedule.cells}
        for record in records:
            self.records[record.cell].append(record)

    def of_cell(self, name: str) -> list[GameRecord]:
        """The games of one cell."""
        return self.records.get(name, [])

    def tally(self, row: str, label: str, other: str | None = None, player: int = 0) -> Tally:
        """How a column fared in a row; in a round robin, as first (0) or second (1) player of the pair."""
        return self.cell_tally(cell_name(row, label) if other is None else cell_name(row, label, other), player)

    def cell_tally(self, name: str, player: int = 0) -> Tally:
        """How a player of a cell fared, by the cell's name."""
        scores = [outcome(self.schedule.cell(name), record, player) for record in self.of_cell(name)]
        return Tally(scores.count(1.0), scores.count(0.5), scores.count(0.0))

    def seat_total(self, row: str, label: str, seat: int) -> Tally:
        """In a round robin: a player in this seat against all others, itself left out."""
        others = [other for other in self.experiment.labels if other != label]
        pairs = [(label, other) if seat == 0 else (other, label) for other in others]
        return sum((self.tally(row, a, b, seat) for a, b in pairs), Tally())

    def total(self, row: str, label: str) -> Tally:
        """In a round robin: a player against all others, in both seats."""
        return self.seat_total(row, label, 0) + self.seat_total(row, label, 1)

    def with_factor(self, row: str, factor: str, present: bool) -> Tally:
        """All combinations of Table 1 that have (or lack) an enhancement, named by its letter."""
        return sum((self.tally(row, label) for label in self.experiment.labels if (factor in label) == present), Tally())

    def values(self, row: str, label: str, value: str) -> list[float]:
        """What a measurement found, trial by trial; NaN stands for a trial in which there was nothing to measure."""
        found = (dict(record.values)[value] for record in self.of_cell(cell_name(row, label)))
        return [number for number in found if not math.isnan(number)]

    @property
    def games(self) -> int:
        return sum(map(len, self.records.values()))

    def rows(self) -> list[str]:
        """The rows in which something was played."""
        return [
            row.name
            for row in self.experiment.rows
            if any(self.records[cell.name] for cell in self.schedule.cells if cell.name.startswith(f"{row.name} · "))
        ]


# --- reading ---------------------------------------------------------------------------------------------------------


def names() -> list[str]:
    """All experiments, in the order of their names."""
    folder = resources.files("icarus.arena") / FOLDER
    return sorted((file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")), key=_natural)


def _natural(name: str) -> tuple[str, int, str]:
    digits = "".join(character for character in name if character.isdigit())
    return name.rstrip("0123456789"), int(digits or 0), name


def read_experiment(name: str) -> Experiment:
    """The experiment of this name."""
    known = names()
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else "icarus reproduce --list shows them"
        raise ArenaError(f"there is no experiment {name!r}; {hint}")
    text = (resources.files("icarus.arena") / FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return build(name, tomllib.loads(text))


def build(name: str, source: dict[str, Any]) -> Experiment:
    """An experiment from what its file says."""
    source = dict(source)
    if "data" in source:
        base = read_experiment(source["data"])
        own: dict[str, Any] = {key: value for key, value in source.items() if key not in ("data", "claims")}
        claims = tuple(source.get("claims", ()))
        return replace(base, **own, name=name, data=base.data or base.name, claims=claims)
    shared: dict[str, Any] = {key: source.pop(key) for key in ("players", "player", "opponent") if key in source}
    rows = tuple(_row({**shared, **row}) for row in source.pop("rows"))
    source["claims"] = tuple(source.get("claims", ()))
    given: dict[str, Any] = source.get("settings", {})
    source["settings"] = tuple(sorted(given.items()))
    try:
        experiment = Experiment(name=name, rows=rows, **source)
    except TypeError as problem:
        raise ArenaError(f"the experiment {name}: {problem}") from None
    strangers = set(experiment.published) - {cell_name(row.name, column.label) for row in rows for column in row.columns}
    if strangers:
        raise ArenaError(f"the experiment {name} publishes numbers of {', '.join(sorted(strangers))}, which it does not have")
    if experiment.layout not in LAYOUTS or experiment.figure not in FIGURES:
        raise ArenaError(f"the experiment {name} has the layout {experiment.layout!r} and the figure {experiment.figure!r}")
    return experiment


def _row(source: dict[str, Any]) -> Row:
    pattern = source.get("player", "{}")
    columns = []
    for player in source["players"]:
        if isinstance(player, dict):
            given = player.get("players") or [player["player"]]
            columns.append(Column(str(player["name"]), tuple(str(p) for p in given)))
        else:
            columns.append(Column(str(player), (pattern.replace("{}", str(player)),)))
    given_seats = source.get("seats", "rotate")
    seats = given_seats if isinstance(given_seats, str) else tuple(tuple(int(i) for i in seating) for seating in given_seats)
    given_opponents = [player.get("opponent") if isinstance(player, dict) else None for player in source["players"]]
    opponents = tuple(
        str(given or source.get("opponent", "")).replace("{}", column.label)
        for given, column in zip(given_opponents, columns, strict=True)
    )
    return Row(str(source["name"]), str(source["game"]), seats, tuple(columns), opponents)
