"""What may be spent on a tuning, a ladder or a playtest: a time or a number of games for everything, and what a decision gets."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from icarus.arena.errors import PlayerError
from icarus.arena.players import Player, read_player
from icarus.arena.store import Store
from icarus.tune.errors import TuneError


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
    try:
        player = read_player(f"uct@{text}")
    except PlayerError:
        raise TuneError(f"--at {text}: a number of iterations (2000) or a time (1s) for each decision") from None
    return Player(iterations=player.iterations, seconds=player.seconds)
