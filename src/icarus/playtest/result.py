"""What a playtest found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from icarus.arena.match import GameRecord
from icarus.playtest.figures import Figure, Portrait

WON = 0.6  #: what a doubling of thinking time must score to count as a step of skill


@dataclass(frozen=True)
class Playtest:
    """Everything that was found."""

    game: str
    iterations: int
    portrait: Portrait
    #: (iterations of the stronger, figure of its score)
    ladder: list[tuple[int, Figure]]
    #: against random moves
    beats_random: Figure
    #: deals that one seat won in all seatings, whoever sat there
    luck: Figure
    restricted: list[tuple[str, Figure]]
    #: what is proven of the start: win, draw or loss for who moves first
    proven: str
    samples: list[GameRecord]
    seed: int
    seconds: float
    total_games: int
    #: what the seats are called, in order; numbers where the game has no names for them
    roles: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """Doublings of thinking time that still score at least 60 %."""
        return sum(figure.score >= WON for _, figure in self.ladder)

    @property
    def steps_range(self) -> tuple[int, int]:
        """So many of them surely, and so many perhaps, as far as the intervals of their scores can tell."""
        return sum(figure.low >= WON for _, figure in self.ladder), sum(figure.high >= WON for _, figure in self.ladder)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            **self.portrait.as_dict(),
            "seats": [{"role": role, **seat.as_dict()} for role, seat in zip(self.roles, self.portrait.seats, strict=True)]
            if self.portrait.seats
            else [],
            "ladder": [{"iterations": iterations, **figure.as_dict()} for iterations, figure in self.ladder],
            "skill_steps": self.steps,
            "skill_steps_range": list(self.steps_range),
            "beats_random": self.beats_random.as_dict(),
            "luck": self.luck.as_dict(),
            "restricted": [{"never": label, **figure.as_dict()} for label, figure in self.restricted],
            "proven": self.proven or None,
            "iterations": self.iterations,
            "total_games": self.total_games,
            "seed": self.seed,
            "seconds": self.seconds,
        }
