"""What a search begins with: memory for its trees, their roots, and states that are drawn once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.belief import Worth
from icarus.drawn import Drawn, every_deal
from icarus.engine.table.pool import Table
from icarus.engine.team import Tree
from icarus.errors import SearchError
from icarus.game import Position
from icarus.jit.randomness import seeded
from icarus.search.proven import words_of_proofs

if TYPE_CHECKING:
    from icarus.search.searching import Search


@dataclass(frozen=True)
class Beginnings:
    """What a search begins with, where that is neither its position nor a determinization that it draws itself."""

    #: of every iteration: one of these
    drawn: Drawn | None = None
    #: of every tree: its own one of these
    roots: list[Position] | None = None
    #: how far the belief that they come from can be trusted
    belief: Worth | None = None
    #: how long it took to find them
    seconds: float = 0.0


def beginnings(search: Search) -> Beginnings:
    """What is drawn once, before the first iteration."""
    algorithm = search.algorithm
    if algorithm.from_start:
        return Beginnings(every_deal(search.game))
    if search.game.determinize is None or algorithm.cheats:
        return Beginnings()
    if search.belief is not None:
        begun = time.perf_counter()
        drawn, worth = search.belief.drawn(search.position, search.observer, search.seed), search.belief.worth
        seconds = time.perf_counter() - begun
        if drawn is None or algorithm.resamples or algorithm.determinizations:
            return Beginnings(drawn, belief=worth, seconds=seconds)
        # a determinization for each tree, as without a belief
        roots = drawn.spread(algorithm.trees, seeded(search.seed, stream=3))
        return Beginnings(roots=roots, belief=worth, seconds=seconds)
    if algorithm.determinizations:
        rng = seeded(search.seed, stream=3)
        return Beginnings(Drawn([search.position.determinize(search.observer, rng) for _ in range(algorithm.determinizations)]))
    return Beginnings()


def new_table(search: Search, groups: int, *, shared: bool) -> Table:
    plies = search.game.max_plies * len(search.plan.captures) * search.lanes * search.threads
    if search.memory < groups << 16:
        where = "" if groups == 1 else f" for each of {groups} trees at a time"
        raise SearchError(f"memory={search.memory}: a search needs at least {1 << 16} bytes{where}")
    try:
        return Table(
            bytes_limit=search.memory // groups,
            players=search.game.players,
            statistics=len(search.plan.statistics),
            captured_statistics=search.plan.words["captured_statistics"],
            shared=shared,
            contexts=min(4 * plies, 1 << 16),
            proof_words=words_of_proofs(search),
        )
    except (MemoryError, OSError, OverflowError):
        raise SearchError(f"memory={search.memory}: the system does not give that many bytes; ask for fewer") from None


def plant(search: Search, tables: list[Table]) -> list[Tree]:
    """The roots of all trees."""
    trees = []
    rng = seeded(search.seed, stream=3)
    number = max(search.algorithm.trees, len(tables))
    for i in range(number):
        root = search.root_state()
        hides = search.game.determinize is not None
        if search.begins.roots is not None:
            root = search.begins.roots[i].state.copy()
        elif hides and not search.algorithm.resamples and not search.algorithm.cheats:
            search.game.call("determinize", root, search.observer, rng)
        trees.append(Tree(root, search.root_history(i, root), tables[i % len(tables)]))
    return trees
