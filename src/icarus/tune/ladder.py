"""Levels of strength: a ladder of players from weak to strong with even steps of rating.

A rung is a number from 0 to 1: it stands for a strength (icarus.strength) and a share of the budget, from a sixty-fourth to all
of it.  Neighbouring rungs play each other, ratings are fitted to the results (R. A. Bradley and M. E. Terry, 1952; 400 points for
odds of ten to one), and levels are placed at even steps of the curve.  Then the levels themselves play, with fresh seeds.
Every game is stored when it is finished, so that a run that was killed goes on where it was.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.crew import Crew
from icarus.arena.players import Player, with_preset
from icarus.arena.schedule import game_named, seatings
from icarus.arena.statistics import over_deals
from icarus.arena.store import Store
from icarus.preset import Level, find
from icarus.tune.budget import Budget, Ledger, default_player, read_at, read_budget
from icarus.tune.duels import Duels, identity_of, keeps_its_contract, random_moves
from icarus.tune.errors import TuneError
from icarus.tune.exam import blunders, make_exam
from icarus.tune.result import Step

RUNGS = 7  #: at which the curve is measured
LEAST_SHARE = 1 / 64  #: of the budget, at the bottom
LEAST_ITERATIONS = 8
POINTS = 400 / math.log(10)  #: of rating, for odds of e
SHARES = {"curve": 0.5, "levels": 0.5}


@dataclass(frozen=True)
class Rated:
    """A level with what was measured of it."""

    rung: float
    player: Player
    rating: float
    error: float
    #: against the level below, with its interval; NaN at the bottom
    score: float
    low: float
    high: float
    blunders: dict[str, Any]


@dataclass(frozen=True)
class Ladder:
    """Levels from weak to strong."""

    game: str
    levels: list[Rated]
    games: int
    seed: int

    @property
    def span(self) -> float:
        return self.levels[-1].rating - self.levels[0].rating

    @property
    def monotone(self) -> bool:
        """Does every level score more than half against the one below?"""
        return all(level.score > 0.5 for level in self.levels[1:])

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "games": self.games,
            "seed": self.seed,
            "span": self.span,
            "monotone": self.monotone,
            "levels": [
                {
                    "level": number,
                    "player": str(level.player),
                    "rating": level.rating,
                    "error": level.error,
                    "score": None if math.isnan(level.score) else level.score,
                    "low": None if math.isnan(level.low) else level.low,
                    "high": None if math.isnan(level.high) else level.high,
                    "blunders": level.blunders,
                }
                for number, level in enumerate(self.levels, 1)
            ],
        }


def player_at(rung: float, top: Player) -> Player:
    """The player of a rung; 1 is the player itself."""
    share = LEAST_SHARE ** (1 - rung)
    strength = None if rung >= 1 else round(rung, 3)
    if top.iterations is not None:
        return replace(top, iterations=max(round(top.iterations * share), LEAST_ITERATIONS), strength=strength)
    assert top.seconds is not None
    return replace(top, seconds=round(max(top.seconds * share, 0.001), 4), strength=strength)


def ratings(scores: dict[tuple[int, int], list[float]], players: int) -> tuple[list[float], list[float]]:
    """Ratings (the first player has 0) and their standard errors, from the scores of pairs.

    Each pair counts one draw more than was played, so that a player who lost every game has a rating, too.
    """
    strength = np.zeros(players)
    information = np.eye(players)
    for _ in range(100):
        gradient, information = np.zeros(players), 1e-9 * np.eye(players)
        for (a, b), found in scores.items():
            games, won = len(found) + 1.0, sum(found) + 0.5
            expected = 1 / (1 + math.exp(strength[b] - strength[a]))
            gradient[a] += won - games * expected
            gradient[b] -= won - games * expected
            weight = games * expected * (1 - expected)
            for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                information[i, j] += sign * weight
        step = np.zeros(players)
        step[1:] = np.linalg.solve(information[1:, 1:], gradient[1:])
        strength += np.clip(step, -1, 1)
        if float(np.abs(step).max()) < 1e-9:
            break
    errors = np.zeros(players)
    errors[1:] = np.sqrt(np.diag(np.linalg.inv(information[1:, 1:])))
    return [POINTS * float(s) for s in strength], [POINTS * float(e) for e in errors]


def rising_fit(values: list[float]) -> list[float]:
    """The nearest values that never fall: neighbours that do are replaced by their mean (pool adjacent violators)."""
    blocks: list[list[float]] = []
    for value in values:
        blocks.append([value])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    return [float(np.mean(block)) for block in blocks for _ in block]


def make_ladder(
    game: str,
    *,
    budget: str | Budget,
    at: str,
    levels: int = 8,
    seed: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    check: bool = True,
    progress: Callable[[Step], None] | None = None,
) -> Ladder:
    """Calibrate a ladder; the strongest level is the game's preset (or its default) with the whole budget.

    ``folder``: where games are stored when they are finished; ``resume`` goes on with a run that was ended, however it was.
    """
    budget = read_budget(budget) if isinstance(budget, str) else budget
    if not 2 <= levels <= 20:
        raise TuneError(f"--levels {levels}: a ladder has 2 to 20 levels")
    loaded, limits = game_named(game), read_at(at)
    if loaded.players < 2:
        raise TuneError(f"{loaded.name} is for one player: there is nobody to be weaker than")
    if check:
        keeps_its_contract(loaded)
    pairs = RUNGS - 1 + levels - 1
    least = pairs * len(seatings(2, loaded.players))
    if budget.games is not None and budget.games < least:
        raise TuneError(f"--budget {budget}: too small for one game of each pair of levels; at least {least} games are needed")
    tuned = find(loaded)
    top = default_player(limits) if tuned is None else with_preset(default_player(limits), tuned)
    top.check(loaded)
    identity = identity_of("levels", game, (str(top),), {"budget": str(budget), "levels": levels}, seed)
    store = None if folder is None else Store.open(folder, identity, resume=resume)
    exam = make_exam(loaded, seed)
    with Crew(jobs, cluster) as crew, store or nullcontext():
        arena = _Pairs(game, seed, store, crew, Ledger(budget, store), progress)
        if budget.seconds is not None:
            arena.afford(top, pairs, budget.seconds)
        rungs = [i / (RUNGS - 1) for i in range(RUNGS)]
        players = [player_at(rung, top) for rung in rungs]
        measured, _ = ratings(arena.play("curve", players), len(players))
        rising = np.array(rising_fit(measured)) + 1e-6 * np.arange(RUNGS)
        wanted = np.linspace(rising[0], rising[-1], levels)
        places = [float(r) for r in np.interp(wanted, rising, rungs)]
        chosen = [player_at(rung, top) for rung in places]
        scores = arena.play("levels", chosen)
        rating, error = ratings(scores, len(chosen))
        found = []
        for number, player in enumerate(chosen):
            pair = scores.get((number, number - 1), [])
            interval = over_deals(pair) if pair else (math.nan, math.nan)
            mean = float(np.mean(pair)) if pair else math.nan
            report = blunders(player, exam, seed)
            found.append(Rated(places[number], player, rating[number], error[number], mean, *interval, report))
        return Ladder(game, found, arena.games, seed)


def preset_levels(ladder: Ladder) -> tuple[Level, ...]:
    return tuple(
        Level(1.0 if e.player.strength is None else e.player.strength, e.player.iterations, e.player.seconds, round(e.rating, 1))
        for e in ladder.levels
    )


class _Pairs:
    """Players who play their neighbours, deal by deal, until a phase's share of the budget is spent."""

    def __init__(
        self,
        game: str,
        seed: int,
        store: Store | None,
        crew: Crew,
        ledger: Ledger,
        progress: Callable[[Step], None] | None,
    ) -> None:
        self.game, self.seed, self.store, self.crew, self.ledger, self.progress = game, seed, store, crew, ledger, progress
        self.games = 0
        self.opening = random_moves(game_named(game), 2)

    def afford(self, top: Player, pairs: int, seconds: float) -> None:
        """Refuse a time in which not even one game of each pair can be played; most players are quicker than the strongest."""
        duel = Duels(self.game, top, self.opening, self.seed, self.store, self.crew)
        took = duel.seconds_of_a_deal(top)
        least = math.ceil(took * pairs / 2)
        if least > seconds:
            raise TuneError(
                f"--budget {seconds:g}s: too small for one game of each pair of levels; a deal of the strongest takes about "
                f"{took:.2g} s here, so at least {least}s are needed (or fewer iterations with --at)"
            )
        duel.remember(took)

    def play(self, phase: str, players: list[Player]) -> dict[tuple[int, int], list[float]]:
        """The scores of each player against the one below."""
        duels = [Duels(self.game, below, self.opening, self.seed, self.store, self.crew) for below in players[:-1]]
        scores: dict[tuple[int, int], list[float]] = {(i + 1, i): [] for i in range(len(players) - 1)}
        deal = 0
        while self.ledger.left(phase, SHARES[phase]) > 0:
            begun, games = time.perf_counter(), 0
            for number, duel in enumerate(duels):
                deals = max(self.crew.jobs // duel.per_deal, 1)
                scores[number + 1, number] += duel.play(phase, [(players[number + 1], deal + i) for i in range(deals)])
                games += deals * duel.per_deal
            deal += deals
            self.games += games
            self.ledger.round(phase, time.perf_counter() - begun, games)
            if self.progress is not None:
                rows = [(str(players[a]), len(s), float(np.mean(s)), "against the one below") for (a, _), s in scores.items()]
                share = min(1 - self.ledger.left(phase, SHARES[phase]), 1.0)
                self.progress(Step(phase, share, self.games, rows[::-1]))
        return scores
