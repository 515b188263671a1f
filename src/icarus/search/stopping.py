"""When a search ends: early, if its move is decided, or later, until visits and means agree (V-E2 of mcts-survey-2012)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from icarus.engine.team import DECIDED, Budget
from icarus.search.report import visits_of_tree

if TYPE_CHECKING:
    from icarus.network.searching import NetworkSearch
    from icarus.search.searching import Search

SLICES = 16  #: how often a search on the clock or on several threads looks whether it is decided
FINEST = 64  #: into how many parts looks divide a budget of iterations at the most

Tell = Callable[[int, float], None]


def spend_until_decided(search: Search, budget: Budget, tell: Tell, share: float) -> str:
    """Spend a budget, and end when the most visited move will remain so.

    One worker that counts iterations does until then what it would have done with the whole budget.  Elsewhere the budget is
    spent in slices.
    """
    if budget.iterations is not None and budget.seconds is None and len(search.team.workers) == 1:
        return search.team.spend(budget, tell, Decided(search, budget.iterations, share))
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
            return DECIDED
    return reason


class Decided:
    """Ends a search as soon as that share of the iterations that are left cannot make another move the most visited one.

    A lead grows by at most one per iteration, which says when it is worth looking again.
    """

    def __init__(self, search: Search, iterations: int, share: float) -> None:
        self.search, self.left, self.share = search, iterations, share
        self.least = max(iterations // FINEST, 1)
        #: the tree that is being searched, and visits in those before it, to which nothing is added any more
        self.tree, self.behind = 0, Counter[int]()
        #: what earlier runs have done
        self.before = [tree.iterations for tree in search.team.trees]
        self.wait = self._wait(0)

    def ends(self, done: int) -> bool:
        """So many more iterations are done: is it over?"""
        self.left -= done
        self.wait -= done
        if self.wait > 0:
            return False
        lead = self._lead()
        self.wait = self._wait(lead)
        return lead > self.share * self.left

    def _wait(self, lead: int) -> int:
        return max(int((self.share * self.left - lead) / (1 + self.share)) + 1, self.least)

    def _lead(self) -> int:
        """By how many visits the most visited move is ahead of the second."""
        search, trees = self.search, self.search.team.trees
        while self.tree + 1 < len(trees) and trees[self.tree + 1].iterations > self.before[self.tree + 1]:
            self.behind.update(visits_of_tree(search, trees[self.tree]))
            self.tree += 1
        visits = Counter(self.behind)
        for tree in trees[self.tree :]:
            if tree.iterations:
                visits.update(visits_of_tree(search, tree))
        (_, most), (_, second) = (*visits.most_common(2), (0, 0), (0, 0))[:2]
        return most - second


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
