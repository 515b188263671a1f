"""A playtest: games of equal searches for the portrait, of unequal ones for the ladder of skill, and with a move forbidden.

The time is shared: half for games of equals, a third for the ladder (each step has twice the iterations of the one below), the
rest for restricted play.  Ctrl-C ends a phase early and leaves out the rest.  How many iterations a decision gets follows from
how fast the game is, so that a hundred games of equals fit.  Every game is stored when it is finished: a playtest that was ended,
however it was, goes on where it stopped.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

import numpy as np

from icarus.arena.crew import Crew
from icarus.arena.match import GameRecord
from icarus.arena.players import Player
from icarus.arena.schedule import Cell, Schedule, game_named
from icarus.arena.statistics import over_deals
from icarus.arena.store import Store
from icarus.errors import IcarusError
from icarus.game import ENVIRONMENT, Game, step_randomly
from icarus.jit.randomness import seeded
from icarus.playtest.figures import Figure, Portrait, portrait, share_figure
from icarus.playtest.result import Playtest
from icarus.search import Search
from icarus.tune.budget import Budget, Ledger, read_budget
from icarus.tune.duels import Duels, begins_alike, identity_of, keeps_its_contract
from icarus.tune.errors import TuneError

SHARES = {"equals": 0.45, "ladder": 0.35, "restricted": 0.15}
TOLD = {"equals": "games of equals", "ladder": "ladder of skill", "restricted": "restricted play"}
WANTED = 100  #: games of equals
LEAST = 8  #: games of equals, below which nothing is said
BUDGETS = (25, 50, 100, 200, 400, 800, 1600)
PER_MOVE = 4  #: iterations for each legal move, at least
FORBIDDEN = 3  #: moves that are forbidden, one at a time
STEPS = 5


def playtest(
    game: str,
    *,
    time_limit: str = "10m",
    seed: int = 0,
    jobs: int | None = None,
    check: bool = True,
    never: Sequence[str] = (),
    folder: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[float, str], None] | None = None,
) -> Playtest:
    """Play a game with itself and say what it is like.  ``time_limit``: ``10m``, ``90s``, or a number of games (``200games``).

    ``never``: moves to forbid, as they are written, in place of the favourite ones.
    ``folder``: where games are stored; ``resume`` goes on with those that are there.
    """
    budget, loaded = read_budget(time_limit), game_named(game)
    if check:
        keeps_its_contract(loaded)
    tell = progress or (lambda share, text: None)
    begun = time.perf_counter()
    jobs = jobs if jobs is not None else os.cpu_count() or 1
    identity = identity_of("playtest", game, (), {"budget": str(budget), **({"never": list(never)} if never else {})}, seed)
    store = None if folder is None else Store.open(folder, identity, resume=resume)
    with Crew(jobs) as crew, store or nullcontext():
        test = _Test(game, loaded, seed, crew, budget, store, tuple(never), tell)
        return replace(test.run(), seconds=time.perf_counter() - begun)


class _Test:
    def __init__(
        self,
        name: str,
        game: Game,
        seed: int,
        crew: Crew,
        budget: Budget,
        store: Store | None,
        never: tuple[str, ...],
        tell: Callable[[float, str], None],
    ) -> None:
        self.name, self.game, self.seed, self.crew, self.never = name, game, seed, crew, never
        self.seconds, self.store, self.tell = budget.seconds, store, tell
        self.ledger = Ledger(budget, store)
        self.total = 0
        self.stopped = False

    def run(self) -> Playtest:
        iterations = self._iterations()
        equals = self._equals(iterations)
        figures = portrait(equals)
        forbidden = self._forbidden(figures)
        ladder, random, luck = self._ladder(iterations)
        return Playtest(
            game=self.name,
            iterations=iterations,
            portrait=figures,
            ladder=ladder,
            beats_random=random,
            luck=luck,
            restricted=self._restricted(forbidden, iterations),
            proven=self._proven(),
            samples=_samples(equals),
            seed=self.seed,
            seconds=0.0,
            total_games=self.total,
            roles=tuple(self.game.player_labels),
        )

    def _player(self, iterations: int) -> Player:
        return Player(strategy="-", iterations=iterations)

    def _over(self, phase: str) -> bool:
        """Is a phase's share of the time, or of the games, used up?"""
        return self.stopped or self.ledger.left(phase, SHARES[phase]) <= 0

    @contextmanager
    def _round(self, phase: str, games: int) -> Iterator[None]:
        """Some games of a phase.  Ctrl-C ends them, and all that follow."""
        begun = time.perf_counter()
        try:
            yield
        except KeyboardInterrupt:
            self.stopped = True
        else:
            self.ledger.round(phase, time.perf_counter() - begun, games)
            before = sum(share for name, share in SHARES.items() if list(SHARES).index(name) < list(SHARES).index(phase))
            done = min(max(1 - self.ledger.left(phase, SHARES[phase]), 0.0), 1.0)
            self.tell(min(before + SHARES[phase] * done, 0.99), f"{TOLD[phase]}, {self.total + games} games")

    def _iterations(self) -> int:
        """The largest budget of a decision at which a hundred games of equals fit into their time."""
        known = None if self.store is None else self.store.about().get("iterations")
        if known is not None:
            return int(known)
        found = self._fitting()
        if self.store is not None:
            self.store.note("iterations", str(found))
        return found

    def _fitting(self) -> int:
        if self.seconds is None:
            return max(BUDGETS[1], self._least())
        cell = self._cell("speed", self._player(BUDGETS[0]))
        schedule = Schedule((cell,), self.seed)
        took = [record.elapsed for record in self.crew.play(schedule, [(cell.name, n) for n in range(3)])][1:]
        one = max(sum(took) / len(took), 1e-6)
        room = SHARES["equals"] * self.seconds * self.crew.jobs / WANTED
        if one * LEAST > SHARES["equals"] * self.seconds * self.crew.jobs:
            need = one * LEAST / SHARES["equals"] / self.crew.jobs
            raise TuneError(f"--time is too short: a quick game takes {one:.2g} s here; give it at least {math.ceil(need)}s")
        fitting = [budget for budget in BUDGETS if one * budget / BUDGETS[0] <= room]
        return max(fitting[-1] if fitting else BUDGETS[0], self._least())

    def _least(self) -> int:
        """So many iterations that every move is tried a few times: below that, games show the order in which moves are listed."""
        rng = seeded(self.seed, stream=11)
        counts: list[int] = []
        for number in range(3):
            position = self.game.start(number)
            while not position.is_terminal and len(counts) < 1000:
                if position.player != ENVIRONMENT:
                    counts.append(len(position.legal()))
                step_randomly(position, rng)
        least = PER_MOVE * sum(counts) / max(len(counts), 1)
        return next((budget for budget in BUDGETS if budget >= least), BUDGETS[-1])

    def _cell(self, phase: str, player: Player) -> Cell:
        seating = tuple([0] * self.game.players)
        settings = (("values", True),)
        return Cell(f"{phase}: {player}", self.name, (str(player),), (seating,), 1, settings=settings)

    def _equals(self, iterations: int) -> list[GameRecord]:
        """Games between equals, one seed each."""
        cell = self._cell("equals", self._player(iterations))
        schedule = Schedule((cell,), self.seed)
        stored = {r.number: r for r in self.store.records(cell.name)} if self.store is not None else {}
        records: list[GameRecord] = []
        while not self._over("equals") or len(records) < LEAST:
            numbers = range(len(records), len(records) + max(self.crew.jobs, 4))
            with self._round("equals", len(numbers)):
                for record in self.crew.play(schedule, [(cell.name, n) for n in numbers if n not in stored]):
                    stored[record.number] = record
                    if self.store is not None:
                        self.store.add([record])
                records += [stored[n] for n in numbers]
                self.total += len(numbers)
            if self.stopped and len(records) < LEAST:
                raise KeyboardInterrupt
        return records

    def _ladder(self, iterations: int) -> tuple[list[tuple[int, Figure]], Figure, Figure]:
        """Each doubling of the thinking time against the half, and the quick player against random moves."""
        if self.game.players < 2:
            nothing = Figure(float("nan"), 0.0, 1.0, 0)
            return [], nothing, nothing
        lowest = max(iterations >> (STEPS - 1), 4)
        budgets = [lowest << step for step in range(STEPS + 1)]
        rungs: list[tuple[Player, Player]] = [(self._player(lowest), Player("random"))]
        rungs += [(self._player(b), self._player(a)) for a, b in pairwise(budgets)]
        duels = [Duels(self.name, below, 0, self.seed, self.store, self.crew) for _, below in rungs]
        scores: list[list[float]] = [[] for _ in rungs]
        deal, deals = 0, max(self.crew.jobs // duels[0].per_deal, 1)
        while not self._over("ladder") or (deal < 2 and not self.stopped):
            games = deals * sum(duel.per_deal for duel in duels)
            with self._round("ladder", games):
                for number, ((player, _), duel) in enumerate(zip(rungs, duels, strict=True)):
                    scores[number] += duel.play("ladder", [(player, deal + i) for i in range(deals)])
                self.total += games
            deal += deals
        figures = [_score(found) for found in scores]
        steps = [(b, figure) for b, figure in zip(budgets[1:], figures[1:], strict=True) if figure.count]
        return steps, figures[0], self._luck(duels[1:], [player for player, _ in rungs[1:]])

    def _luck(self, duels: Sequence[Duels], players: Sequence[Player]) -> Figure:
        """The share of deals that one seat won whoever sat there: the deal or the seat decided, not the players."""
        same = total = 0
        for duel, player in zip(duels, players, strict=True):
            name = duel.cell("ladder", player).name  # a store has the games of all others, too
            by_deal: dict[int, list[tuple[float, ...]]] = {}
            for (cell, number), record in duel.records.items():
                if cell == name:
                    by_deal.setdefault(number // duel.per_deal, []).append(record.rewards)
            for found in by_deal.values():
                if len(found) == duel.per_deal:
                    total += 1
                    winners = {tuple(reward == max(rewards) for reward in rewards) for rewards in found}
                    same += len(winners) == 1 and not all(min(winners))
        return share_figure(same, total)

    def _forbidden(self, figures: Portrait) -> list[tuple[str, int]]:
        """The moves that are forbidden, one at a time: those that were asked for, or the favourite ones."""
        if not self.never:
            return figures.favourites[:FORBIDDEN]
        for label in self.never:
            if label not in figures.possible:
                close = get_close_matches(label, figures.possible, n=3, cutoff=0) or ["any"]
                raise TuneError(
                    f"--never {label!r}: no such move was possible in {figures.games} games of {self.name}; "
                    f"moves are written like {', '.join(close)}"
                )
        return [(label, figures.possible[label]) for label in self.never]

    def _restricted(self, chosen: list[tuple[str, int]], iterations: int) -> list[tuple[str, Figure]]:
        """What moves are worth: a player who never plays one of them against one who may."""
        if self.game.players < 2 or not chosen:
            return []
        usual = self._player(iterations)
        duel = Duels(self.name, usual, 0, self.seed, self.store, self.crew)
        scores: list[list[float]] = [[] for _ in chosen]
        deal, deals = 0, max(self.crew.jobs // duel.per_deal, 1)
        while not self._over("restricted") or (deal < 2 and not self.stopped):
            games = deals * duel.per_deal * len(chosen)
            with self._round("restricted", games):
                for number, (_, action) in enumerate(chosen):
                    without = replace(usual, avoid=action)
                    scores[number] += duel.play("restricted", [(without, deal + i) for i in range(deals)])
                self.total += games
            deal += deals
        return [(label, _score(found)) for (label, _), found in zip(chosen, scores, strict=True) if found]

    def _proven(self) -> str:
        """The exact value of the start, where a search can prove it in a moment."""
        game = self.game
        if game.simultaneous_moves or game.players != 2 or not begins_alike(game):
            return ""
        position = game.start(self.seed)
        if position.player == ENVIRONMENT:
            return ""
        seconds = min(max(0.05 * self.seconds, 0.5), 60.0) if self.seconds else 2.0
        try:
            search = Search(position, algorithm="uct(solve)", seed=self.seed)
            proven, chunk = search.run(iterations=1).proven or "", 100  # what has to be compiled is not counted
            begun = time.process_time()
            # by processor time: on a busy machine the answer is the same
            while not proven and time.process_time() - begun < seconds:
                proven, chunk = search.run(iterations=chunk).proven or "", min(2 * chunk, 20_000)
        except IcarusError:
            return ""
        return proven


def _score(found: Sequence[float]) -> Figure:
    interval = over_deals(found)
    return Figure(float(np.mean(found)) if found else float("nan"), interval.low, interval.high, len(found))


def _samples(records: Sequence[GameRecord]) -> list[GameRecord]:
    """Two games to look at: the one of median length, and the longest."""
    ranked = sorted(records, key=lambda r: (len(r.moves), r.number))
    return list({r.number: r for r in (ranked[len(ranked) // 2], ranked[-1])}.values())
