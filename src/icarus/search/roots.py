"""What a search begins with: memory for its trees, their roots, and states that are drawn once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from icarus.drawn import Drawn, every_deal
from icarus.engine.table.pool import Table
from icarus.engine.team import Tree
from icarus.errors import SearchError
from icarus.jit.randomness import seeded
from icarus.search.proven import words_of_proofs

if TYPE_CHECKING:
    from icarus.search.searching import Search


def draw_states(search: Search) -> tuple[Drawn | None, float]:
    """What iterations begin with, where that is neither the root nor a determinization of their own; and the seconds it took."""
    if search.algorithm.from_start:
        return every_deal(search.game), 0.0
    if search.game.determinize is None or search.algorithm.cheats:
        return None, 0.0
    if search.belief is not None:
        begun = time.perf_counter()
        drawn = search.belief.drawn(search.position, search.observer, search.seed)
        return drawn, time.perf_counter() - begun
    if search.algorithm.determinizations:
        rng = seeded(search.seed, stream=3)
        return Drawn([search.position.determinize(search.observer, rng) for _ in range(search.algorithm.determinizations)]), 0.0
    return None, 0.0


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
        if hides and not search.algorithm.resamples and not search.algorithm.cheats:
            search.game.call("determinize", root, search.observer, rng)
        trees.append(Tree(root, search.root_history(i, root), tables[i % len(tables)]))
    return trees
