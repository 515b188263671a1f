"""Which move it is in the end, from the statistics of the root and from what is proven there."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from icarus.jit.randomness import random_unit, seeded
from icarus.result import RootAction, best_proven
from icarus.tree import read_records

if TYPE_CHECKING:
    from icarus.search.searching import Search

FINAL_MOVES = ("robust", "max", "max-robust", "secure", "mixed", "vote", "average")


def best_of(search: Search, rows: list[RootAction]) -> RootAction:
    """The move to play: a proven win, else the best of what is open, unless something proven is at least as good."""
    if not search.algorithm.solve:
        return best_by_statistics(search, rows)
    sure, unsure = best_proven(rows)
    if not unsure:
        return sure
    found = best_by_statistics(search, unsure)
    least = sure.bounds[0] if sure.bounds else 0.0
    return sure if least > 0 and least >= found.mean[search.actor] else found


def best_by_statistics(search: Search, rows: list[RootAction]) -> RootAction:
    """The move that the search's final rule takes from these."""
    actor = search.actor
    if search.algorithm.plays_best and (best := search.best_playout) is not None and best[1]:
        return next((row for row in rows if row.action == best[1][0]), rows[0])
    if search.final == "max":
        return max(rows, key=lambda r: (r.visits > 0, r.mean[actor], r.visits))
    if search.final == "secure":
        return max(rows, key=lambda r: (r.visits > 0, r.mean[actor] - 1 / max(r.visits, 1) ** 0.5))
    if search.final == "vote":
        return elected(search, rows)
    if search.final == "average":
        return averaged(search, rows)
    if search.final == "mixed":
        point = float(random_unit(seeded(search.seed, stream=8))) * sum(row.visits for row in rows)
        for row in rows:
            point -= row.visits
            if point < 0:
                return row
    return max(rows, key=lambda r: (r.visits, r.mean[actor]))


def elected(search: Search, rows: list[RootAction]) -> RootAction:
    """Every tree votes for its most visited move (root parallelization by vote); visits decide between equals."""
    votes: dict[int, int] = {}
    for tree in search.team.trees:
        found = read_records(search, tree, search.context_key(tree))
        if found:
            choice = max(found, key=lambda action: found[action][0])
            votes[choice] = votes.get(choice, 0) + 1
    return max(rows, key=lambda r: (votes.get(r.action, 0), r.visits, r.mean[search.actor]))


def averaged(search: Search, rows: list[RootAction]) -> RootAction:
    """The greatest mean over trees of each tree's own mean; for a move count the trees that tried it."""
    means: dict[int, list[float]] = {}
    for tree in search.team.trees:
        for action, (visits, _, *rewards) in read_records(search, tree, search.context_key(tree)).items():
            if visits:
                means.setdefault(action, []).append(rewards[search.actor] / visits)
    return max(rows, key=lambda r: (r.action in means, fmean(means.get(r.action, [0.0])), r.visits))
