"""One tuning: a space is searched with games, the best are raced, and the winner is confirmed with fresh seeds.

==============  =================================================================================================================
search (60 %)   several independent runs of a searcher (ntbea.py); one evaluation is one deal in all seatings.  With ``cmaes``
                installed, a quarter of it refines the continuous parameters of the best point (refine.py), if that pays for
                a few generations
race (20 %)     finalists (as many as the budget can tell apart), baseline and default play the same deals; who is worse than
                the leader by an interval that holds at any time is out
confirm (20 %)  the winner against the default with fresh deals, and what a race that ended early has left; if the 95 % interval
                contains parity, the default is kept
==============  =================================================================================================================

Every game is stored when it is finished, and what is proposed next follows from the seed and the results alone: a run that was
killed is continued by replaying the stored games.  Shares are of time, or of a number of games (``--budget 2000games``), which
makes a run repeatable to the last game.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.crew import Crew
from icarus.arena.players import Player, read_player
from icarus.arena.schedule import Schedule, game_named
from icarus.arena.statistics import LEVEL, Interval, anytime_mean, games_needed, over_deals
from icarus.arena.store import Store
from icarus.tune.budget import Budget, Ledger, default_player, read_at, read_budget
from icarus.tune.duels import Duels, identity_of, keeps_its_contract, random_moves
from icarus.tune.effects import effects
from icarus.tune.errors import TuneError
from icarus.tune.ntbea import METHODS, NTBEA, Searcher, SequentialHalving, TupleModel
from icarus.tune.result import Entry, Step, Tuning
from icarus.tune.space import Point, Space
from icarus.tune.template import default_template, read_space

SHARES = {"search": 0.6, "race": 0.2, "confirm": 0.2}
REFINING = 0.25  #: of the search, where there is something continuous
RUNS = 4
FINALISTS = 5  #: at most
RACED = 12  #: deals that a race must pay for, for each who is in it
REFINED = 40  #: deals below which nothing is refined
LEAST_DEALS = 24  #: that a budget must pay for
BETWEEN = 0.2  #: seconds between two drawings of the live table


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
        keeps_its_contract(loaded)
    candidates = read_space(default_template(loaded) if space is None else space, limits).serve(loaded)
    if opening is None:
        opening = random_moves(loaded, 4)
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


def _identity(
    game: str, rival: Player, space: Space, opening: int, seed: int, method: str, runs: int, budget: Budget
) -> Schedule:
    """What two runs must share to be one: as a schedule with one cell, which is what a store asks for."""
    settings = {"space": space.text, "at": str(space.budget), "method": method, "runs": runs, "budget": str(budget)}
    return identity_of("tune", game, (str(rival),), settings, seed, opening)


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
        self.took = 0.0  #: seconds for a deal of the default, where time is the budget
        self._shown = 0.0
        self.begun = time.perf_counter()

    def run(self) -> Tuning:
        self._calibrate()
        entries = [Entry(player, why) for player, why in self._finalists(self._search())]
        winner = self._race(entries)
        scores = self._confirm(winner)
        for entry in entries:
            entry.speed = self.duels.speed(entry.player)
        return self._result(winner, entries, scores)

    # --- spending ----------------------------------------------------------------------------------------------------

    def _round(self, phase: str, wanted: Sequence[tuple[Player, int]], share: float, table: Callable[[], Any]) -> list[float]:
        begun = time.perf_counter()

        def each() -> None:
            now = time.perf_counter()
            if self.progress is not None and now - self._shown > BETWEEN:
                self._shown = now
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
            if self.budget.whole < least:
                raise TuneError(f"--budget {self.budget}: too small for one comparison; at least {least} games are needed")
            return
        self.took = self.duels.seconds_of_a_deal(self.default)
        if self.took * LEAST_DEALS > self.budget.seconds:
            raise TuneError(
                f"--budget {self.budget}: too small for one comparison; a deal takes about {self.took:.2g} s here, so at least "
                f"{math.ceil(self.took * LEAST_DEALS)}s are needed (or fewer iterations with --at)"
            )
        self.duels.remember(self.took)

    def _deals(self, share: float) -> float:
        """About so many deals fit into a share of the budget."""
        one = self.duels.per_deal if self.budget.seconds is None else max(self.took, 1e-6)
        return share * self.budget.whole / one

    # --- the phases --------------------------------------------------------------------------------------------------

    def _search(self) -> list[Point]:
        """The most promising points, best first."""
        share = SHARES["search"] * (1 - REFINING if self._refines else 1)
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

    @property
    def _refines(self) -> bool:
        """Is there something continuous, and does the budget pay for a few generations?"""
        continuous = any(d.continuous for d in self.space.dimensions)
        return continuous and _cmaes() is not None and self._deals(SHARES["search"] * REFINING) >= REFINED

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
        refines = self._refines and bool(self.space.continuous_at(points[0]))
        known_even = self._meaning(self.duels.opponent) == self._meaning(self.default)
        others = refines + (0 if known_even and self.duels.seats > 1 else 1)
        room = int(self._deals(SHARES["race"]) / RACED) - others
        found = [(self.space.player(point), "search") for point in points[: max(room, 2)]]
        if refines:
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
            if sum(entry.why != "default" for entry in racing) < 2:
                break  # who is left meets the default in the confirmation
            playing = [e for e in racing if not self._known_even(e)]
            deals = max(self.duels.crew.jobs // max(len(playing) * self.duels.per_deal, 1), 1)
            wanted = [(entry.player, deal + i) for entry in playing for i in range(deals)]
            scores = self._round("race", wanted, SHARES["race"], lambda: self._race_table(entries))
            for number, entry in enumerate(playing):
                entry.scores += scores[number * deals : (number + 1) * deals]
            for entry in racing:
                if self._known_even(entry):
                    entry.known = True
                    entry.scores += [0.5] * deals
            deal += deals
            leader = max(racing, key=lambda e: e.mean)
            for entry in racing:
                if entry is leader:
                    continue
                ahead = [(1 + a - b) / 2 for a, b in zip(leader.scores, entry.scores, strict=True)]
                if anytime_mean(ahead, level).low > 0.5:
                    entry.out = f"worse than {leader.player} after {deal} deals"
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

    def _confirm(self, winner: Entry) -> list[float]:
        """Fresh deals: the winner's scores, or their lead over the default's where both play somebody else."""
        head_to_head = self._meaning(self.duels.opponent) == self._meaning(self.default)
        scores: list[float] = []
        deal = 0

        def table() -> list[tuple[str, int, float, str]]:
            return [(str(winner.player), len(scores), float(np.mean(scores)) if scores else 0.5, "confirming")]

        share = SHARES["confirm"] + SHARES["race"] * max(self.ledger.left("race", SHARES["race"]), 0.0)
        while self.ledger.left("confirm", share) > 0:
            deals = max(self.duels.crew.jobs // self.duels.per_deal, 1)
            wanted = [(winner.player, deal + i) for i in range(deals)]
            if not head_to_head:
                wanted += [(self.default, deal + i) for i in range(deals)]
            found = self._round("confirm", wanted, share, table)
            scores += (
                found[:deals] if head_to_head else [(1 + a - b) / 2 for a, b in zip(found[:deals], found[deals:], strict=True)]
            )
            deal += deals
        return scores

    # --- the result --------------------------------------------------------------------------------------------------

    def _result(self, winner: Entry, entries: list[Entry], scores: list[float]) -> Tuning:
        score = float(np.mean(scores)) if scores else 0.5
        interval: Interval = over_deals(scores)
        evidence = interval.low > 0.5
        games = len(scores) * self.duels.per_deal
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
            effects=effects(self.space, self.evaluated),
            replay=self._replay(winner.player, games),
            needed=games_needed(min(score - 0.5, 0.49)) if open_question else None,
        )

    def _replay(self, winner: Player, games: int) -> str:
        """The commands that play the confirmation again."""
        opening = f" --opening {self.duels.opening}" if self.duels.opening else ""
        rest = f"--games {games} --seed {self.duels.phase_seed('confirm')}{opening}"
        if self._meaning(self.duels.opponent) == self._meaning(self.default):
            return f"icarus match '{self.duels.game}' '{winner}' '{self.default}' {rest}"
        pairs = [(player, self.duels.opponent) for player in (winner, self.default)]
        return " && ".join(f"icarus match '{self.duels.game}' '{one}' '{two}' {rest}" for one, two in pairs)


def _cmaes() -> Any:
    """The package ``cmaes`` (the extra ``tune``), or None: then continuous parameters stay on their grids."""
    try:
        import cmaes
    except ModuleNotFoundError:
        return None
    return cmaes
