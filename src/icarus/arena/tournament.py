"""Matches and tournaments: who won how often, with intervals."""

from __future__ import annotations

import html
import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from icarus.arena.errors import ArenaError
from icarus.arena.match import BEST_PLAYOUT, SCORE, GameRecord, outcome, replay
from icarus.arena.players import Player
from icarus.arena.runner import Run, run
from icarus.arena.schedule import Cell, Schedule, game_named, match_schedule, tournament_schedule
from icarus.arena.statistics import LEVEL, Difference, Tally, paired, settled
from icarus.arena.store import Store
from icarus.markup import html_table
from icarus.search.line import labels_of
from icarus.trust import OWN

COLUMNS = ("player", "games", "wins", "draws", "losses", "win rate", "95 % interval")
SCORED = ("player", "games", "mean score", "standard error", "best", "best playout")  #: where a game for one has a score


@dataclass(frozen=True)
class Standing:
    """One player's line of a table."""

    name: str
    tally: Tally
    draws: str = "half"
    #: of a game with a score: that of each game, the best playout's, and the moves of the best game and of that playout
    scores: tuple[float, ...] = ()
    best_playout: float = math.nan
    best_line: tuple[str, ...] = ()
    best_playout_line: tuple[str, ...] = ()

    @property
    def mean(self) -> float:
        """The mean score."""
        return statistics.mean(self.scores)

    @property
    def stderr(self) -> float:
        """The standard error of the mean score."""
        return statistics.stdev(self.scores) / len(self.scores) ** 0.5 if len(self.scores) > 1 else 0.0

    @property
    def cells(self) -> list[str]:
        """What a table says of it, column by column."""
        if self.scores:
            numbers = (self.mean, self.stderr, max(self.scores), self.best_playout)
            return [self.name, str(len(self.scores)), *(f"{number:.6g}" for number in numbers)]
        row = self.as_dict()
        counts = [str(row[key]) for key in ("games", "wins", "draws", "losses")]
        return [self.name, *counts, f"{100 * row['win_rate']:.1f} %", f"{100 * row['low']:.1f} – {100 * row['high']:.1f}"]

    def as_dict(self) -> dict[str, Any]:
        low, high = self.tally.interval(self.draws) if self.tally.games else (0.0, 1.0)
        return {
            "name": self.name,
            "games": self.tally.games,
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
            "win_rate": self.tally.rate(self.draws) if self.tally.games else 0.5,
            "low": low,
            "high": high,
            **(self._scored() if self.scores else {}),
        }

    def _scored(self) -> dict[str, Any]:
        return {
            "scores": list(self.scores),
            "mean": self.mean,
            "stderr": self.stderr,
            "score": max(self.scores),
            "best_playout": self.best_playout,
            "moves": list(self.best_line),
            "best_playout_moves": list(self.best_playout_line),
        }

    @property
    def lines(self) -> list[str]:
        """What stands below a table: the best game, and a playout if one was better."""
        if not self.best_line:
            return []
        found = [f"{self.name}: {max(self.scores):g} by {' '.join(self.best_line)}"]
        if self.best_playout_line != self.best_line:
            found.append(f"{self.name}, best playout: {self.best_playout:g} by {' '.join(self.best_playout_line)}")
        return found


@dataclass(frozen=True, repr=False)
class MatchResult:
    """What a match or a tournament found; ``run.records`` are its games."""

    game: str
    run: Run
    standings: list[Standing]
    #: for a match with a margin: better, worse, equal or undecided (the first player's)
    verdict: str = ""

    @property
    def title(self) -> str:
        return f"{self.game}, {len(self.run.records):,} games, seed {self.run.schedule.seed}"

    @property
    def columns(self) -> tuple[str, ...]:
        """What stands above the cells of the standings."""
        return SCORED if self.standings and self.standings[0].scores else COLUMNS

    def _repr_html_(self) -> str:
        table = html_table(self.title, self.columns, [standing.cells for standing in self.standings])
        said = [line for standing in self.standings for line in standing.lines]
        said += [f"{self.standings[0].name}: {self.verdict}"] if self.verdict else []
        return table + "".join(f"<p>{html.escape(line)}</p>" for line in said)

    def __repr__(self) -> str:
        place = self.columns.index("mean score" if self.columns is SCORED else "win rate")
        found = ", ".join(f"{standing.name} {standing.cells[place]}" for standing in self.standings)
        return f"<MatchResult {self.title}: {found}>"

    def as_dict(self) -> dict[str, Any]:
        players = [standing.as_dict() for standing in self.standings]
        return {"game": self.game, "seed": self.run.schedule.seed, "games": len(self.run.records), "players": players}

    def pairs(self, draws: str = "half") -> dict[tuple[str, str], Tally]:
        """In a tournament: how the first of two players fared against the second."""
        found = {}
        for cell in self.run.schedule.cells:
            records = [record for record in self.run.records if record.cell == cell.name]
            found[cell.players[0], cell.players[1]] = tally_of(cell, records, 0)
            found[cell.players[1], cell.players[0]] = tally_of(cell, records, 1)
        return found


def match(
    game: str,
    players: Sequence[str | Player],
    games: int = 100,
    *,
    seed: int = 0,
    seats: str | Sequence[Sequence[int]] = "rotate",
    draws: str = "half",
    margin: float | None = None,
    opening: int = 0,
    jobs: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Run], None] | None = None,
    cluster: str | None = None,
) -> MatchResult:
    """Play a match.  With a ``margin`` it ends as soon as the first player is better or worse, or equal within that margin.

    ``opening``: so many random moves begin each deal, the same in all seatings.
    """
    schedule = match_schedule(game, players, games, seed, seats, opening)
    cell = schedule.cells[0]
    enough: Callable[[Run], bool] | None = None
    if margin is not None:
        if len(cell.players) != 2:
            raise ArenaError("a margin settles a question between two players")

        def enough(state: Run) -> bool:
            complete = len(state.records) % len(cell.seatings) == 0 and bool(state.records)
            return complete and settled(tally_of(cell, state.records, 0), margin, draws=draws) != "undecided"

    state = _run(schedule, folder, resume, jobs=jobs, progress=progress, enough=enough, cluster=cluster)
    standings = [
        standing_of(each, [record for record in state.records if record.cell == each.name], i, name, draws)
        for each in schedule.cells
        for i, name in enumerate(each.players)
    ]
    verdict = "" if margin is None else settled(standings[0].tally, margin, draws=draws)
    return MatchResult(game, state, standings, verdict)


def tournament(
    game: str,
    players: Sequence[str | Player],
    games: int = 100,
    *,
    seed: int = 0,
    seats: str | Sequence[Sequence[int]] = "rotate",
    draws: str = "half",
    jobs: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Run], None] | None = None,
    cluster: str | None = None,
) -> MatchResult:
    """Play a round robin; ``games`` are those of each pair."""
    schedule = tournament_schedule(game, players, games, seed, seats)
    state = _run(schedule, folder, resume, jobs=jobs, progress=progress, enough=None, cluster=cluster)
    names = list(dict.fromkeys(name for cell in schedule.cells for name in cell.players))
    totals = dict.fromkeys(names, Tally())
    for cell in schedule.cells:
        records = [record for record in state.records if record.cell == cell.name]
        for i, name in enumerate(cell.players):
            totals[name] += tally_of(cell, records, i)
    return MatchResult(game, state, [Standing(name, totals[name], draws) for name in names])


def _run(schedule: Schedule, folder: str | Path | None, resume: bool, **options: Any) -> Run:
    if folder is None:
        if resume:
            raise ArenaError("--resume needs the folder in which the games are (--store FOLDER)")
        return run(schedule, **options)
    with Store.open(folder, schedule, resume=resume) as store:
        return run(schedule, store=store, **options)


def standing_of(cell: Cell, records: list[GameRecord], player: int, name: str, draws: str) -> Standing:
    """The line of a player of a cell."""
    tally, noted = tally_of(cell, records, player), [dict(record.values) for record in records]
    if not records or len(records[0].rewards) != 1 or SCORE not in noted[0]:
        return Standing(name, tally, draws)
    scores = tuple(row[SCORE] for row in noted)
    line: list[str] = []
    best = max(range(len(records)), key=lambda i: scores[i])
    replay(records[best], lambda position, action: line.append(position.format_action(action)), OWN)
    playout = max(range(len(records)), key=lambda i: noted[i][BEST_PLAYOUT])
    found = noted[playout][BEST_PLAYOUT]
    start = game_named(records[playout].game).start(records[playout].seed)
    other = line if found == scores[best] else labels_of(start, records[playout].best_moves)
    return Standing(name, tally, draws, scores, found, tuple(line), tuple(other))


def tally_of(cell: Cell, records: Iterable[GameRecord], player: int) -> Tally:
    """Wins, draws and losses of a player of a cell."""
    scores = [outcome(cell, record, player) for record in records]
    return Tally(scores.count(1.0), scores.count(0.5), scores.count(0.0))


def paired_over_deals(
    first: tuple[Cell, Sequence[GameRecord]], second: tuple[Cell, Sequence[GameRecord]], player: int = 0,
    draws: str = "half", level: float = LEVEL,
) -> Difference:  # fmt: skip
    """The same player index of two cells, compared over the deals that both have played."""
    scores = []
    for cell, records in (first, second):
        by_number = {}
        for record in records:
            score = outcome(cell, record, player)
            by_number[record.number] = 0.0 if draws == "loss" and score == 0.5 else score
        scores.append(by_number)
    common = sorted(set(scores[0]) & set(scores[1]))
    return paired([scores[0][n] for n in common], [scores[1][n] for n in common], level)
