"""What a search has found: the moves at the root with their statistics, and the whole report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icarus.engine.team import Tree
from icarus.errors import SearchError
from icarus.jit.randomness import mix
from icarus.result import RootAction, SearchResult
from icarus.search.choice import best_of
from icarus.search.line import principal_variation
from icarus.search.proven import known_of
from icarus.tree import read_records

if TYPE_CHECKING:
    from icarus.search.searching import Search


def root_rows(search: Search) -> list[RootAction]:
    """The moves at the root with their statistics, of all trees together."""
    totals: dict[int, list[float]] = {}
    nothing = [0.0] * (2 + search.game.players)
    for tree in search.team.trees:
        for key in context_keys(search, tree):
            for action, row in read_records(search, tree, key).items():
                totals[action] = [a + b for a, b in zip(totals[action], row, strict=True)] if action in totals else row
    known = search.position.legal() if search.position.player == search.observer else sorted(totals)
    proofs, rows = search.algorithm.solve, []
    for action in known:
        visits, available, *rewards = totals.get(action, nothing)
        mean = [reward / visits if visits else 0.0 for reward in rewards]
        label = search.label(search.position, action)
        proven = known_of(search, action) if proofs else {}
        rows.append(RootAction(action, label, int(visits), int(available), mean, **proven))
    return rows


def visits_of_tree(search: Search, tree: Tree) -> dict[int, int]:
    """How often each move at the root was visited in one tree."""
    visits: dict[int, int] = {}
    for key in context_keys(search, tree):
        for action, row in read_records(search, tree, key).items():
            visits[action] = visits.get(action, 0) + int(row[0])
    return visits


def context_keys(search: Search, tree: Tree) -> list[int]:
    """The keys of the root's contexts, for all that iterations may begin with."""
    if search.begins.drawn is None or search.algorithm.plies > 0:
        return [search.context_key(tree)]
    return [int(mix(int(tree.history[-1]), number + 1)) for number in range(len(search.begins.drawn.positions))]


def report(search: Search, *, stopped_by: str, seconds: float, iterations: int | None, unexplained: int) -> SearchResult:
    """What is known so far."""
    rows = root_rows(search)
    if not rows:  # of somebody else's decision nothing is known before the first iteration
        raise SearchError("nothing has been searched yet")
    best = best_of(search, rows)
    cycles = sum((worker.cycles for worker in search.team.workers), np.zeros(5, np.int64))
    total = max(int(cycles[:4].sum()), 1)
    names = ("determinization", "tree", "simulation", "backup")
    count = search.iterations if iterations is None else iterations
    steps = sum(int(worker.control.tree_steps) for worker in search.team.workers)
    everything = max(sum(int(worker.control.done) for worker in search.team.workers), 1)
    return SearchResult(
        game=search.game.name,
        algorithm=str(search.algorithm),
        strategy=str(search.strategy),
        seed=search.seed,
        player=search.actor,
        players=search.game.player_labels,
        iterations=count,
        total_iterations=search.iterations,
        seconds=seconds,
        iterations_per_second=count / max(seconds, 1e-9),
        records=sum(table.records for table in search.team.tables),
        bytes=sum(table.used_bytes for table in search.team.tables),
        tree_depth=max(int(worker.control.deepest) for worker in search.team.workers),
        mean_depth=steps / everything,
        phases={name: float(cycles[i]) / total for i, name in enumerate(names)},
        kept=search.kept,
        stopped_by=stopped_by,
        threads=search.threads,
        final=search.final,
        **known_of(search, None),
        root=sorted(rows, key=lambda r: -r.visits),
        best=best,
        principal_variation=principal_variation(search, best.action),
        unexplained=unexplained,
        belief=search.begins.belief,
        adapted=None if search.adaptation is None else [one.as_dict() for one in search.adaptation.found()],
        **scored(search),
    )


def scored(search: Search) -> dict[str, Any]:
    if (best := search.best_playout) is None:
        return {}
    return {"best_score": best[0], "best_line": search.labels(best[1]), "best_actions": best[1]}
