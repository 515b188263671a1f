"""Ratings with uncertainty from a round robin (openskill's Plackett-Luce model)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from icarus.arena.match import GameRecord
from icarus.errors import needing


@dataclass(frozen=True)
class Rating:
    """A strength and its uncertainty (one standard deviation); 25 and 25/3 before the first game."""

    name: str
    strength: float
    uncertainty: float
    games: int


def ratings(records: Sequence[GameRecord]) -> list[Rating]:
    """Ratings of all players, best first.  Games count in the order of their names, so that one set of games gives one result."""
    with needing("ratings", "openskill", extra="arena"):
        from openskill.models import PlackettLuce
    model = PlackettLuce()
    held = {name: model.rating(name=name) for record in records for name in record.seats}
    games = dict.fromkeys(held, 0)
    for record in sorted(records, key=lambda r: (r.number, r.cell)):
        best: dict[str, float] = {}
        for name, reward in zip(record.seats, record.rewards, strict=True):
            best[name] = max(best.get(name, 0.0), reward)
        if len(best) < 2:
            continue
        new = model.rate([[held[name]] for name in best], scores=list(best.values()))
        for name, (rating,) in zip(best, new, strict=True):
            held[name] = rating
            games[name] += 1
    found = [Rating(name, float(r.mu), float(r.sigma), games[name]) for name, r in held.items()]
    return sorted(found, key=lambda rating: -rating.strength)
