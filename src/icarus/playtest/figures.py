"""What games say about their game: figures over recorded games, each with an interval.

A game's *plies* are the decisions of players.  What the player to move expected at a ply (the mean reward of its search) is the
*expectation*; with two players it tells the other one's, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from scipy import stats

from icarus.arena.match import GameRecord, replay
from icarus.arena.statistics import LEVEL, Interval, clopper_pearson
from icarus.game import ENVIRONMENT, Position
from icarus.testing.memory import fingerprint
from icarus.trust import OWN

KNOWN = 0.75  #: an expectation from which on a winner is known, if it never falls below again
LEAD = 0.1  #: of an even chance, that a lead must be worth
PARTS = 10  #: of a game's length, for curves
ROUNDS = 2  #: in which nobody has a choice, that make a stalemate
DOUBT = 0.05  #: chance that random players would leave out, or always play, any of the moves that are said to be so


@dataclass(frozen=True)
class Figure:
    """An estimate with its 95 % interval."""

    score: float
    low: float
    high: float
    count: int = 0

    def as_dict(self) -> dict[str, float | int]:
        return {"score": self.score, "low": self.low, "high": self.high, "count": self.count}

    def __str__(self) -> str:
        return f"{self.score:.3g} ({self.low:.3g} – {self.high:.3g})"


def mean_figure(values: Sequence[float], low: float = -math.inf, high: float = math.inf) -> Figure:
    """A mean with Student's interval, within the range that such a mean can have."""
    if not values:
        return Figure(math.nan, low, high, 0)
    mean = float(np.mean(values))
    if len(values) < 2:
        return Figure(mean, low, high, len(values))
    half = float(stats.t.isf((1 - LEVEL) / 2, len(values) - 1)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Figure(mean, max(mean - half, low), min(mean + half, high), len(values))


def share_figure(points: float, games: int) -> Figure:
    """A share of games with the exact binomial interval."""
    if not games:
        return Figure(math.nan, 0.0, 1.0, 0)
    interval: Interval = clopper_pearson(min(points, games), games)
    return Figure(points / games, interval.low, interval.high, games)


@dataclass
class GameFacts:
    """What one recorded game was like."""

    plies: int = 0
    branching: list[int] = field(default_factory=list)
    #: (part of the game 0 .. PARTS - 1, legal moves)
    by_part: list[tuple[int, int]] = field(default_factory=list)
    #: who was given what share of the win; None in a game for one
    shares: list[float] = field(default_factory=list)
    drawn: bool = False
    repeats: bool = False
    #: for two rounds, nobody had anything to choose
    stalemate: bool = False
    #: by label, for each time that it was possible: how many moves there were
    offered: dict[str, list[int]] = field(default_factory=dict)
    played: Counter[str] = field(default_factory=Counter)
    actions: dict[str, int] = field(default_factory=dict)
    #: the eventual winner's expectation at each ply where it is known
    curve: list[float] = field(default_factory=list)


def facts_of(record: GameRecord) -> GameFacts:
    """Look at one game, move by move."""
    facts = GameFacts()
    seen: set[object] = set()
    expected = {int(ply): value for ply, value in record.values}
    deciders: list[tuple[int, int, int]] = []  # ply, player, legal moves

    def look(position: Position, action: int) -> None:
        state = fingerprint(position)
        facts.repeats = facts.repeats or state in seen
        seen.add(state)
        if position.player == ENVIRONMENT:
            return
        legal = position.legal()
        deciders.append((len(position.history), position.player, len(legal)))
        labels = {position.format_action(a): a for a in legal}
        if len(labels) > 1:
            for label in labels:
                facts.offered.setdefault(label, []).append(len(labels))
            facts.actions.update(labels)
            facts.played[position.format_action(action)] += 1

    replay(record, look, trust=OWN)
    facts.plies = len(deciders)
    facts.branching = [count for _, _, count in deciders]
    facts.stalemate = _longest_run(count == 1 for count in facts.branching) >= ROUNDS * len(record.rewards) > ROUNDS
    facts.by_part = [(number * PARTS // max(len(deciders), 1), count) for number, (_, _, count) in enumerate(deciders)]
    players, best = len(record.rewards), max(record.rewards)
    winners = [i for i, reward in enumerate(record.rewards) if reward == best]
    facts.drawn = players > 1 and len(winners) == players
    facts.shares = [1 / len(winners) if i in winners else 0.0 for i in range(players)]
    if players > 1 and len(winners) == 1:
        winner = winners[0]
        for ply, player, _ in deciders:
            if ply not in expected:
                continue
            if player == winner:
                facts.curve.append(expected[ply])
            elif players == 2:
                facts.curve.append(1 - expected[ply])
    return facts


@dataclass(frozen=True)
class Portrait:
    """All figures over a set of games of equal players."""

    games: int
    length: Figure
    shortest: int
    longest: int
    branching: Figure
    #: without a count where no decision fell into a tenth (games of fewer than ten)
    branching_by_part: list[Figure]
    draws: Figure
    seats: list[Figure]
    #: how far behind the winner was at worst, as a share of an even chance
    drama: Figure
    lead_changes: Figure
    #: the share of the game after which the winner was known
    decisiveness: Figure
    repetitions: Figure
    #: games in which for two rounds nobody had anything to choose
    stalemates: Figure
    never: list[str]
    always: list[str]
    #: labels by how often they were played, with their action
    favourites: list[tuple[str, int]]
    #: every label that was possible where there was a choice, with its action
    possible: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "length": {**self.length.as_dict(), "shortest": self.shortest, "longest": self.longest},
            "branching": {**self.branching.as_dict(), "by_part": [part.as_dict() for part in self.branching_by_part]},
            "draws": self.draws.as_dict(),
            "seats": [seat.as_dict() for seat in self.seats],
            "drama": self.drama.as_dict(),
            "lead_changes": self.lead_changes.as_dict(),
            "decisiveness": self.decisiveness.as_dict(),
            "repetitions": self.repetitions.as_dict(),
            "stalemates": self.stalemates.as_dict(),
            "never_played": self.never,
            "always_played": self.always,
        }


def portrait(records: Sequence[GameRecord]) -> Portrait:
    """The figures of these games."""
    facts = [facts_of(record) for record in records]
    players = len(records[0].rewards)
    even = 1 / players
    parts: list[list[float]] = [[] for _ in range(PARTS)]
    played: Counter[str] = Counter()
    actions: dict[str, int] = {}
    for game in facts:
        for part in range(PARTS):
            counts = [count for at, count in game.by_part if at == part]
            parts[part] += [float(np.mean(counts))] if counts else []
        played.update(game.played)
        actions.update(game.actions)
    never, always = _surprising(facts, played)
    curves = [game.curve for game in facts if len(game.curve) > 1]
    return Portrait(
        games=len(facts),
        length=mean_figure([game.plies for game in facts], 0),
        shortest=min(game.plies for game in facts),
        longest=max(game.plies for game in facts),
        branching=mean_figure([float(np.mean(game.branching)) for game in facts if game.branching], 0),
        branching_by_part=[mean_figure(part, 0) for part in parts],
        draws=share_figure(sum(game.drawn for game in facts), len(facts)),
        seats=[share_figure(sum(game.shares[seat] for game in facts), len(facts)) for seat in range(players)]
        if players > 1
        else [],
        drama=mean_figure([max(even - min(curve), 0.0) / even for curve in curves], 0, 1),
        lead_changes=mean_figure([float(_changes(curve, even)) for curve in curves], 0),
        decisiveness=mean_figure([_known_from(curve) for curve in curves], 0, 1),
        repetitions=share_figure(sum(game.repeats for game in facts), len(facts)),
        stalemates=share_figure(sum(game.stalemate for game in facts), len(facts)),
        never=never,
        always=always,
        favourites=[(label, actions[label]) for label, _ in played.most_common(50)],
        possible=actions,
    )


def _surprising(facts: Sequence[GameFacts], played: Counter[str]) -> tuple[list[str], list[str]]:
    """Moves that were never played, and moves that always were, where random players would hardly have done so."""
    offered: dict[str, list[int]] = {}
    for game in facts:
        for label, choices in game.offered.items():
            offered.setdefault(label, []).extend(choices)
    doubt = math.log(DOUBT / max(len(offered), 1))  # for any of them to be there by chance
    never = [
        label for label, choices in offered.items() if not played[label] and sum(math.log1p(-1 / n) for n in choices) < doubt
    ]
    always = [
        label for label, choices in offered.items() if played[label] == len(choices) and -sum(map(math.log, choices)) < doubt
    ]
    return sorted(never), sorted(always)


def _longest_run(flags: Iterable[bool]) -> int:
    """The largest number of them in a row that are true."""
    return max((sum(1 for _ in run) for flag, run in groupby(flags) if flag), default=0)


def _changes(curve: Sequence[float], even: float) -> int:
    """How often the lead changed; what is within a tenth of an even chance is no lead."""
    sides = [value > even for value in curve if abs(value - even) > LEAD * even]
    return sum(a != b for a, b in pairwise(sides))


def _known_from(curve: Sequence[float]) -> float:
    """The share of the game after which the winner's expectation never fell below KNOWN again."""
    last = max((i for i, value in enumerate(curve) if value < KNOWN), default=-1)
    return (last + 1) / len(curve)
