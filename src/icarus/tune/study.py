"""One tuning: a space is searched with games, the best are raced, and the winner is confirmed with fresh seeds.

==============  =================================================================================================================
search (60 %)   several independent runs of a searcher (ntbea.py); one evaluation is one deal in all seatings.  With ``cmaes``
                installed, a quarter of it refines the continuous parameters of the best point (refine.py)
race (20 %)     finalists, baseline and default play the same deals; who is worse than the leader by an interval that holds at
                any time is out
confirm (20 %)  the winner against the default with fresh deals; if the 95 % interval contains parity, the default is kept
==============  =================================================================================================================

Every game is stored when it is finished, and what is proposed next follows from the seed and the results alone: a run that was
killed is continued by replaying the stored games.  Shares are of time, or of a number of games (``--budget 2000games``), which
makes a run repeatable to the last game.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.crew import Crew
from icarus.arena.match import GameRecord, outcome
from icarus.arena.players import Player, read_player
from icarus.arena.schedule import Cell, Schedule, game_named, seatings
from icarus.arena.statistics import LEVEL, Interval, anytime_mean, games_needed, over_deals
from icarus.arena.store import Store
from icarus.jit.randomness import mix
from icarus.tune.errors import TuneError
from icarus.tune.ntbea import METHODS, NTBEA, Searcher, SequentialHalving, TupleModel
from icarus.tune.space import Point, Space, default_template, read_space

SHARES = {"search": 0.6, "race": 0.2, "confirm": 0.2}
REFINING = 0.25  #: of the search, where there is something continuous
RUNS = 4
FINALISTS = 5
LEAST_DEALS = 24  #: that a budget must pay for
CHECKED_GAMES = 20


@dataclass(frozen=True)
class Budget:
    """Seconds, or a number of games."""

    seconds: float | None = None
    games: int | None = None

    def __str__(self) -> str:
        return f"{self.games}games" if self.seconds is None else f"{self.seconds:g}s"

    @property
    def whole(self) -> float:
        return float(self.games or 0) if self.seconds is None else self.seconds


def read_budget(text: str) -> Budget:
    """``30m``, ``90s``, ``1.5h`` or ``2000games``."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*(s|m|h|games)\s*", text)
    value = float(match[1]) if match else 0.0
    if match is None or not value > 0 or (match[2] == "games" and value != int(value)):
        raise TuneError(f"--budget {text}: write 30m, 90s, 2h or 2000games")
    if match[2] == "games":
        return Budget(games=int(value))
    return Budget(seconds=value * {"s": 1, "m": 60, "h": 3600}[match[2]])


@dataclass
class Entry:
    """A player in the race: its scores by deal, and whether it is still in."""

    player: Player
    why: str
    scores: list[float] = field(default_factory=list)
    out: str = ""
    speed: float = 0.0

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores)) if self.scores else 0.5


@dataclass
class Tuning:
    """What a tuning found; ``winner`` is the best player of the space, ``evidence`` whether it beats the default."""

    game: str
    default: Player
    opponent: Player
    winner: Player
    score: float
    low: float
    high: float
    games: int
    evidence: bool
    total_games: int
    seed: int
    seconds: float
    space: Space
    race: list[Entry]
    effects: list[dict[str, Any]]
    replay: str
    #: games of a confirmation that would usually see a difference as large as the estimate; None where it is seen, or is none
    needed: int | None
    finished: bool = True
    folder: Path | None = None

    @property
    def recommended(self) -> Player:
        return self.winner if self.evidence else self.default

    @property
    def verdict(self) -> str:
        interval = f"{100 * self.score:.1f} % ({100 * self.low:.1f} – {100 * self.high:.1f})"
        if self.evidence:
            return f"{self.winner} beats the default {self.default}: {interval} in {self.games:,} fresh games"
        best = f"the best found, {self.winner}, scored {interval} in {self.games:,} games"
        return f"no evidence: keep the default {self.default}; {best}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "winner": str(self.winner),
            "score": self.score,
            "low": self.low,
            "high": self.high,
            "games": self.games,
            "evidence": self.evidence,
            "recommended": str(self.recommended),
            "default": str(self.default),
            "opponent": str(self.opponent),
            "total_games": self.total_games,
            "seed": self.seed,
            "space": self.space.text,
            "points": self.space.size,
            "finished": self.finished,
            "games_to_settle": self.needed,
            "replay": self.replay,
            "race": [
                {"player": str(e.player), "why": e.why, "deals": len(e.scores), "score": e.mean, "out": e.out, "speed": e.speed}
                for e in self.race
            ],
            "effects": self.effects,
        }


@dataclass(frozen=True)
class Step:
    """How far a tuning is, for the live table."""

    phase: str
    share: float
    games: int
    #: players and their scores, best first
    table: list[tuple[str, int, float, str]]


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

    def speed(self, phase: str, player: Player) -> float:
        """Iterations per second of a player in a phase; the opponent of all plays in every game of it."""
        name, met = self.cell(phase, player).name, player == self.opponent and self.seats > 1
        found = [
            (record.iterations[seat], record.seconds[seat])
            for record in self.records.values()
            if record.cell == name or (met and record.cell.startswith(f"{phase} {self.game}: "))
            for seat, index in enumerate(record.seating)
            if index == (1 if met else 0)
        ]
        seconds = sum(s for _, s in found)
        return sum(i for i, _ in found) / seconds if seconds else 0.0


class Ledger:
    """What has been spent in each phase: rounds with their seconds, kept in the store so that a continued run spends the rest."""

    def __init__(self, budget: Budget, store: Store | None) -> None:
        self.budget, self.store = budget, store
        self.rounds: dict[str, list[float]] = {}
        if store is not None:
            about = store.about()
            self.rounds = json.loads(about.get("rounds", "{}"))
        self._done: dict[str, int] = {}

    def spent(self, phase: str) -> float:
        return sum(self.rounds.get(phase, [])[: self._done.get(phase, 0)])

    def left(self, phase: str, share: float) -> float:
        """What is left of a phase's share, from 1 to 0 or below."""
        return 1 - self.spent(phase) / (share * self.budget.whole)

    def round(self, phase: str, seconds: float, games: int) -> None:
        """A round is over; if it was over before the run was continued, its cost is what it was then."""
        rounds, done = self.rounds.setdefault(phase, []), self._done.get(phase, 0)
        if done == len(rounds):
            rounds.append(seconds if self.budget.seconds is not None else games)
            if self.store is not None:
                self.store.note("rounds", json.dumps(self.rounds))
        self._done[phase] = done + 1


def default_player(at: Player) -> Player:
    """What plays where nobody has chosen: the game's usual algorithm, without enhancements."""
    return Player(strategy="-", iterations=at.iterations, seconds=at.seconds)


def read_at(text: str) -> Player:
    """A budget per decision: ``2000`` iterations or ``1s``."""
    from icarus.arena.errors import PlayerError

    try:
        player = read_player(f"uct@{text}")
    except PlayerError:
        raise TuneError(f"--at {text}: a number of iterations (2000) or a time (1s) for each decision") from None
    return Player(iterations=player.iterations, seconds=player.seconds)


def tune(
    game: str,
    *,
    budget: str | Budget,
    at: str,
    opponent: str | Player | None = None,
    space: str | None = None,
    seed: int = 0,
    method: str = "ntbea",
    runs: int = RUNS,
    opening: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    check: bool = True,
    progress: Callable[[Step], None] | None = None,
) -> Tuning:
    """Find the player of a space that is best at a game, and say whether it beats the default.  See the module's docstring.

    ``at``: the budget of a decision, ``2000`` or ``1s``.  ``opponent``: whom candidates play (default: the default player).
    ``space``: a template or a TOML file (icarus.tune.space).  ``opening``: random moves at the start of a deal (default: some
    where all games would begin alike).  ``check``: look first whether the game keeps its contract, or bugs are tuned.
    """
    budget = read_budget(budget) if isinstance(budget, str) else budget
    if method not in METHODS:
        raise TuneError(f"--method {method}: choose one of {', '.join(METHODS)}")
    if runs < 1:
        raise TuneError(f"--runs {runs}: at least one is needed")
    loaded, limits = game_named(game), read_at(at)
    default = default_player(limits)
    rival = default if opponent is None else read_player(opponent)
    rival.check(loaded)
    if check:
        from icarus.testing import check_game

        check_game(loaded, games=CHECKED_GAMES, searches=False).raise_for_failures()
    candidates = read_space(space or default_template(loaded), limits).serve(loaded)
    if opening is None:
        same_start = not (loaded.hidden_information or loaded.stochastic or _deals(loaded))
        opening = min(4, loaded.max_plies // 10) if same_start else 0
    if opening < 0:
        raise TuneError(f"--opening {opening}: a number of random moves, 0 or more")
    if resume and folder is None:
        raise TuneError("--resume needs the folder in which the games are (--folder FOLDER)")
    identity = _identity(game, rival, candidates, opening, seed, method, runs, budget)
    store = None if folder is None else Store.open(folder, identity, resume=resume)
    try:
        with Crew(jobs, cluster) as crew:
            duels = Duels(game, rival, opening, seed, store, crew)
            study = Study(duels, candidates, default, budget, method, runs, Ledger(budget, store), progress)
            return replace(study.run(), folder=None if folder is None else Path(folder))
    finally:
        if store is not None:
            store.close()


def _deals(game: Any) -> bool:
    """Do games begin differently, depending on their seeds?"""
    return len({game.start(seed).state.tobytes() for seed in range(8)}) > 1


def _identity(
    game: str, rival: Player, space: Space, opening: int, seed: int, method: str, runs: int, budget: Budget
) -> Schedule:
    """What two runs must share to be one: as a schedule with one cell, which is what a store asks for."""
    settings = {"space": space.text, "at": str(space.budget), "method": method, "runs": runs, "budget": str(budget)}
    return identity_of("tune", game, (str(rival),), settings, seed, opening)


def identity_of(
    kind: str, game: str, players: tuple[str, ...], settings: dict[str, Any], seed: int, opening: int = 0
) -> Schedule:
    """The identity of a run: what was asked for, of which game (a game in a file is what the file says)."""
    file = Path(re.sub(r"(?<=\.py):.*$", "", game))
    if file.is_file():
        settings = {**settings, "file": hashlib.sha256(file.read_bytes()).hexdigest()[:16]}
    cell = Cell(kind, game, players, ((0,),), 0, kind=kind, settings=tuple(settings.items()), opening=opening)
    return Schedule((cell,), seed)


class Study:
    """The phases, one after the other."""

    def __init__(
        self,
        duels: Duels,
        space: Space,
        default: Player,
        budget: Budget,
        method: str,
        runs: int,
        ledger: Ledger,
        progress: Callable[[Step], None] | None,
    ) -> None:
        self.duels, self.space, self.default, self.budget = duels, space, default, budget
        self.method, self.runs, self.ledger = method, runs, ledger
        self.progress = progress
        self.model = TupleModel()
        self.evaluated: dict[Point, list[float]] = {}
        self.begun = time.perf_counter()

    def run(self) -> Tuning:
        self._calibrate()
        entries = [Entry(player, why) for player, why in self._finalists(self._search())]
        winner = self._race(entries)
        scores, finished = self._confirm(winner)
        return self._result(winner, entries, scores, finished)

    # --- spending ----------------------------------------------------------------------------------------------------

    def _round(self, phase: str, wanted: Sequence[tuple[Player, int]], share: float, table: Callable[[], Any]) -> list[float]:
        begun = time.perf_counter()

        def each() -> None:
            if self.progress is not None:
                done = min(max(1 - self.ledger.left(phase, share), 0.0), 1.0)
                self.progress(Step(phase, done, len(self.duels.records), table()))

        scores = self.duels.play(phase, wanted, each)
        games = len(wanted) * self.duels.per_deal
        self.ledger.round(phase, time.perf_counter() - begun, games)
        return scores

    def _calibrate(self) -> None:
        """How long does a deal take?  A budget that does not pay for a comparison is refused before it is spent."""
        if self.budget.seconds is None:
            least = LEAST_DEALS * self.duels.per_deal
            if self.budget.games is not None and self.budget.games < least:
                raise TuneError(f"--budget {self.budget}: too small for one comparison; at least {least} games are needed")
            return
        self.duels.play("warm", [(self.default, 0)])
        begun = time.perf_counter()
        before = self.duels.played
        self.duels.play("warm", [(self.default, 1)])
        if self.duels.played == before:
            return  # continued
        records = [r for r in self.duels.records.values() if r.cell.startswith("warm")]
        took = max(time.perf_counter() - begun, sum(r.elapsed for r in records) / 2 / self.duels.crew.jobs)
        if took * LEAST_DEALS > self.budget.seconds:
            raise TuneError(
                f"--budget {self.budget}: too small for one comparison; a deal takes about {took:.2g} s here, so at least "
                f"{math.ceil(took * LEAST_DEALS)}s are needed (or fewer iterations with --at)"
            )

    # --- the phases --------------------------------------------------------------------------------------------------

    def _search(self) -> list[Point]:
        """The most promising points, best first."""
        refines = _cmaes() is not None and any(d.continuous for d in self.space.dimensions)
        share = SHARES["search"] * (1 - REFINING if refines else 1)
        searchers = [self._searcher(number, share) for number in range(self.runs)]
        evaluation = 0
        while self.ledger.left("search", share) > 0:
            points = [searcher.propose() for searcher in searchers]
            wanted = [(self.space.player(point), evaluation + i) for i, point in enumerate(points)]
            scores = self._round("search", wanted, share, self._search_table)
            for searcher, point, score in zip(searchers, points, scores, strict=True):
                searcher.tell(point, score)
                self.model.tell(point, score)
                self.evaluated.setdefault(point, []).append(score)
            evaluation += len(points)
        best = [searcher.best(1)[0] for searcher in searchers]
        best += self.model.best(FINALISTS)
        ranked = sorted(dict.fromkeys(best), key=lambda point: (-self.model.estimate(point), point))
        return ranked[:FINALISTS]

    def _searcher(self, number: int, share: float) -> Searcher:
        rng = np.random.default_rng([self.duels.seed & (2**63 - 1), 11, number])
        if self.method == "halving":
            games = self.budget.games or 0
            return SequentialHalving(self.space, rng, int(games * share / self.duels.per_deal / self.runs))
        kinds: dict[str, type[Any]] = dict(METHODS)
        searcher: Searcher = kinds.get(self.method, NTBEA)(self.space, rng)
        return searcher

    def _search_table(self) -> list[tuple[str, int, float, str]]:
        return [
            (str(self.space.player(point)), len(self.evaluated[point]), self.model.estimate(point), "")
            for point in self.model.best(8)
        ]

    def _finalists(self, points: list[Point]) -> list[tuple[Player, str]]:
        """Whom the race is between: the best points, the best one refined, the baseline and the default."""
        found = [(self.space.player(point), "search") for point in points]
        if points and _cmaes() is not None and self.space.continuous_at(points[0]):
            from icarus.tune.refine import refine

            found.insert(1, (refine(self, points[0], SHARES["search"] * REFINING), "refined"))
        baseline = replace(self.default, strategy="-")
        known: dict[str, tuple[Player, str]] = {}
        for player, why in [*found, (baseline, "baseline"), (self.default, "default")]:
            known.setdefault(self._meaning(player), (player, why))
        known[self._meaning(self.default)] = (self.default, "default")
        return list(known.values())

    def _meaning(self, player: Player) -> str:
        """Two players that would search alike have the same meaning, however they are written."""
        from icarus.strategy.expression import read_strategy

        usual = "mo" if game_named(self.duels.game).hidden_information else "uct"
        strategy = str(read_strategy(player.strategy or "-"))
        return str(replace(player, algorithm=player.algorithm or usual, strategy=strategy))

    def _race(self, entries: list[Entry]) -> Entry:
        """Thin the finalists out; the best that is not the default."""
        level = 1 - (1 - LEVEL) / max(len(entries) - 1, 1)
        deal = 0
        while self.ledger.left("race", SHARES["race"]) > 0:
            racing = [entry for entry in entries if not entry.out]
            if len(racing) < 2:
                break
            playing = [e for e in racing if not self._known_even(e)]
            deals = max(self.duels.crew.jobs // max(len(playing) * self.duels.per_deal, 1), 1)
            wanted = [(entry.player, deal + i) for entry in playing for i in range(deals)]
            scores = self._round("race", wanted, SHARES["race"], lambda: self._race_table(entries))
            for number, entry in enumerate(playing):
                entry.scores += scores[number * deals : (number + 1) * deals]
            for entry in racing:
                if self._known_even(entry):
                    entry.scores += [0.5] * deals
            deal += deals
            leader = max(racing, key=lambda e: e.mean)
            for entry in racing:
                if entry is leader:
                    continue
                ahead = [(1 + a - b) / 2 for a, b in zip(leader.scores, entry.scores, strict=True)]
                if anytime_mean(ahead, level).low > 0.5:
                    entry.out = f"worse than {leader.player} after {deal} deals"
        for entry in entries:
            entry.speed = self.duels.speed("race", entry.player)
        others = [entry for entry in entries if entry.why != "default"]
        if not others:
            raise TuneError("the space holds nothing but the default player; there is nothing to compare")
        return max(others, key=lambda e: (not e.out, len(e.scores), e.mean))

    def _known_even(self, entry: Entry) -> bool:
        """Against itself a player is even, and needs no games for that."""
        return self.duels.seats > 1 and self._meaning(entry.player) == self._meaning(self.duels.opponent)

    def _race_table(self, entries: list[Entry]) -> list[tuple[str, int, float, str]]:
        ranked = sorted(entries, key=lambda e: (bool(e.out), -e.mean))
        return [(str(e.player), len(e.scores), e.mean, "out" if e.out else "") for e in ranked]

    def _confirm(self, winner: Entry) -> tuple[list[float], bool]:
        """Fresh deals: the winner's scores, or their lead over the default's where both play somebody else."""
        head_to_head = self._meaning(self.duels.opponent) == self._meaning(self.default)
        scores: list[float] = []
        deal = 0

        def table() -> list[tuple[str, int, float, str]]:
            return [(str(winner.player), len(scores), float(np.mean(scores)) if scores else 0.5, "confirming")]

        while self.ledger.left("confirm", SHARES["confirm"]) > 0:
            deals = max(self.duels.crew.jobs // self.duels.per_deal, 1)
            wanted = [(winner.player, deal + i) for i in range(deals)]
            if not head_to_head:
                wanted += [(self.default, deal + i) for i in range(deals)]
            found = self._round("confirm", wanted, SHARES["confirm"], table)
            scores += (
                found[:deals] if head_to_head else [(1 + a - b) / 2 for a, b in zip(found[:deals], found[deals:], strict=True)]
            )
            deal += deals
        return scores, True

    # --- the result --------------------------------------------------------------------------------------------------

    def _result(self, winner: Entry, entries: list[Entry], scores: list[float], finished: bool) -> Tuning:
        score = float(np.mean(scores)) if scores else 0.5
        interval: Interval = over_deals(scores)
        evidence = interval.low > 0.5
        games = len(scores) * self.duels.per_deal
        rivals = f"'{winner.player}' '{self.default}'"
        replay = f"icarus match '{self.duels.game}' {rivals} --games {games} --seed {self.duels.phase_seed('confirm')}"
        if self.duels.opening:
            replay += f" --opening {self.duels.opening}"
        open_question = not evidence and score > 0.5 + 1e-9 and len(scores) > 1
        return Tuning(
            game=self.duels.game,
            default=self.default,
            opponent=self.duels.opponent,
            winner=winner.player,
            score=score,
            low=interval.low,
            high=interval.high,
            games=games,
            evidence=evidence,
            total_games=len(self.duels.records),
            seed=self.duels.seed,
            seconds=time.perf_counter() - self.begun,
            space=self.space,
            race=entries,
            effects=self._effects(),
            replay=replay,
            needed=games_needed(min(score - 0.5, 0.49)) if open_question else None,
            finished=finished,
        )

    def _effects(self) -> list[dict[str, Any]]:
        """What each alternative adds to the score of a search's evaluations, all others being equal (a linear model)."""
        return effects(self.space, self.evaluated)


def effects(space: Space, evaluated: dict[Point, list[float]]) -> list[dict[str, Any]]:
    """A least-squares fit of scores to alternatives; each alternative beside the most used one of its dimension."""
    from scipy import stats

    rows = [(point, score) for point, scores in evaluated.items() for score in scores]
    columns: list[tuple[int, int]] = []
    reference: dict[int, int] = {}
    for number in range(len(space.dimensions)):
        used: dict[int, int] = {}
        for point, _ in rows:
            if point[number] >= 0:
                used[point[number]] = used.get(point[number], 0) + 1
        if len(used) > 1:
            reference[number] = max(used, key=lambda value: used[value])
            columns += [(number, value) for value in sorted(used) if value != reference[number]]
    if not columns or len(rows) < 2:
        return []
    design = np.array([[1.0, *(float(point[d] == v) for d, v in columns)] for point, _ in rows])
    scores = np.array([score for _, score in rows])
    inverse = np.linalg.pinv(design.T @ design)
    solution = inverse @ design.T @ scores
    freedom = len(rows) - int(np.linalg.matrix_rank(design))
    noise = float(((scores - design @ solution) ** 2).sum()) / freedom if freedom > 0 else math.nan
    wide = float(stats.t.isf((1 - LEVEL) / 2, freedom)) if freedom > 0 else math.nan
    found = []
    for number, reference_value in reference.items():
        name = space.dimensions[number].name
        uses = sum(point[number] == reference_value for point, _ in rows)
        found.append({"dimension": name, "value": space.dimensions[number].values[reference_value], "deals": uses,
                      "effect": 0.0, "low": 0.0, "high": 0.0})  # fmt: skip
        for column, (dimension, value) in enumerate(columns, 1):
            if dimension == number:
                half = wide * math.sqrt(max(noise * inverse[column, column], 0.0))
                estimate = float(solution[column])
                found.append({"dimension": name, "value": space.dimensions[number].values[value],
                              "deals": sum(point[number] == value for point, _ in rows),
                              "effect": estimate, "low": estimate - half, "high": estimate + half})  # fmt: skip
    return found


def _cmaes() -> Any:
    """The package ``cmaes`` (the extra ``tune``), or None: then continuous parameters stay on their grids."""
    try:
        import cmaes
    except ModuleNotFoundError:
        return None
    return cmaes
