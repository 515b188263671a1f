"""When a search ends: early, if its move is decided, or later, until visits and means agree (V-E2 of mcts-survey-2012)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from icarus.engine.team import Budget

if TYPE_CHECKING:
    from icarus.network.searching import NetworkSearch
    from icarus.search.searching import Search

SLICES = 16  #: how often a search that may end early looks whether it is decided

Tell = Callable[[int, float], None]


def spend_until_decided(search: Search, budget: Budget, tell: Tell, share: float) -> str:
    """Spend a budget in slices, and end between two of them when the most visited move will remain so."""
    begun, before, reason = time.perf_counter(), search.iterations, "iterations"
    for number in range(SLICES, 0, -1):
        done, elapsed = search.iterations - before, time.perf_counter() - begun
        iterations = None if budget.iterations is None else (budget.iterations - done) // number
        seconds = None if budget.seconds is None else (budget.seconds - elapsed) / number
        if iterations == 0 or (seconds is not None and seconds <= 0):
            continue
        slice_ = Budget(iterations, seconds, budget.records, budget.bytes)
        reason = search.team.spend(slice_, lambda more, since, d=done, e=elapsed: tell(d + more, e + since))  # type: ignore[misc]
        if reason not in ("iterations", "seconds"):
            return reason
        done, elapsed = search.iterations - before, time.perf_counter() - begun
        left = float("inf") if budget.iterations is None else float(budget.iterations - done)
        if budget.seconds is not None:
            left = min(left, max(budget.seconds - elapsed, 0.0) * done / max(elapsed, 1e-9))
        if left > 0 and is_decided(search, left, share):
            return "decided"
    return reason


def is_decided(search: Search | NetworkSearch, left: float, share: float = 1.0) -> bool:
    """Will the most visited move remain so if that share of the iterations that are left goes to the second?"""
    visits = sorted(row.visits for row in search.root_rows())
    return len(visits) == 1 or visits[-1] - visits[-2] > share * left


def search_until_agreed(search: Search, budget: Budget, tell: Tell) -> None:
    """Go on until the most visited move is also the best on average, at most as long again."""
    tenth = Budget(
        None if budget.iterations is None else max(budget.iterations // 10, 1),
        None if budget.seconds is None else budget.seconds / 10,
        budget.records,
        budget.bytes,
    )
    for _ in range(10):
        rows = search.root_rows()
        if max(rows, key=lambda r: r.visits) is max(rows, key=lambda r: r.mean[search.actor]):
            return
        if search.team.spend(tenth, tell) not in ("iterations", "seconds"):
            return
