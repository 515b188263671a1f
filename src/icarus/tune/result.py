"""What a tuning found, and how far one is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.players import Player
from icarus.arena.statistics import anytime_mean
from icarus.tune.space import Space


@dataclass
class Entry:
    """A player in the race: its scores by deal, and whether it is still in."""

    player: Player
    why: str
    scores: list[float] = field(default_factory=list)
    out: str = ""
    speed: float = 0.0
    #: it is the opponent, against whom it is even without a game
    known: bool = False

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores)) if self.scores else 0.5

    @property
    def low(self) -> float:
        return anytime_mean(self.scores).low

    @property
    def high(self) -> float:
        return anytime_mean(self.scores).high


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
            "left_out": self.space.left_out,
            "games_to_settle": self.needed,
            "replay": self.replay,
            "race": [
                {
                    "player": str(e.player),
                    "why": e.why,
                    "deals": len(e.scores),
                    "score": e.mean,
                    "low": e.low,
                    "high": e.high,
                    "out": e.out,
                    "speed": e.speed,
                }
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
