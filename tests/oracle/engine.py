"""The engine's records as dictionaries, and the names under which it keeps those of the transcriptions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from icarus.engine import words as w
from icarus.engine.randomness import mix
from icarus.search import Search
from tests.oracle.ismcts import Ensemble, MultipleObserver, Node, SingleObserver
from tests.oracle.states import ENVIRONMENT

#: visits, availability, total reward of every player
Row = tuple[int, int, tuple[float, ...]]
#: action -> row
Context = dict[int, Row]

ROOT = -7  #: mixed into a root's history: the context that holds nothing but the root's own record
PRIVATE = 101  #: plus the player: mixed into the history where a simultaneous decision begins


def records(search: Search) -> dict[int, dict[int, Context]]:
    """Everything that the engine holds: capture -> key -> context."""
    captures: dict[int, dict[int, Context]] = {}
    for table in search._team.tables:
        pool, real = table.pool, table.pool.view(np.float64)
        width, players = int(table.meta[w.WIDTH]), search.game.players
        for context in table.index[table.index != 0]:
            rows: Context = {}
            block = int(pool[context + w.BLOCK])
            while block:
                for position in range(int(pool[block + w.CAPACITY])):
                    record = block + w.BLOCK_WORDS + position * width
                    if pool[record + w.ACTION]:
                        counts = int(pool[record + w.COUNTS])
                        totals = tuple(float(x) for x in real[record + w.REWARD : record + w.REWARD + players])
                        rows[int(pool[record + w.ACTION]) - 1] = (counts & w.LOW, counts >> 32, totals)
                block = int(pool[block + w.NEXT])
            captures.setdefault(int(pool[context + w.OWNER]), {})[int(pool[context + w.KEY])] = rows
        held: dict[int, int] = {owner: sum(len(rows) for rows in contexts.values()) for owner, contexts in captures.items()}
        assert {owner: int(table.meta[w.PER_CAPTURE + owner]) for owner in held} == held
        assert int(table.meta[w.RECORDS_HELD]) == sum(held.values())
    return captures


def random_word(search: Search) -> int:
    """What the random numbers of the first lane have come to."""
    return int(search._team.workers[0][w.RNG][0])


def tree_records(search: SingleObserver | Ensemble) -> dict[int, Context]:
    """The records of a transcribed search under the engine's keys."""
    trees = search.trees if isinstance(search, Ensemble) else [search]
    found: dict[int, Context] = {}
    for number, tree in enumerate(trees, start=1):
        if isinstance(tree, MultipleObserver):
            roots = {int(mix(number, tree.players if i == ENVIRONMENT else i)): node for i, node in tree.roots.items()}
        else:
            roots = {int(mix(number, 0)): tree.root}
        for key, node in roots.items():
            found.update(contexts(node, key))
        if tree.iterations:
            found[int(mix(next(iter(roots)), ROOT))] = {0: (tree.iterations, tree.iterations, tuple(tree.reward))}
    return found


def contexts(node: Node, key: int) -> Iterator[tuple[int, Context]]:
    """The contexts of a node and of all below it."""
    if node.arms:
        yield key, {choice: (arm.visits, arm.available, tuple(arm.reward)) for choice, arm in node.arms.items()}
    for move, child in node.children.items():
        yield from contexts(child, int(mix(key, move)))
    for player, child in node.private.items():
        yield from contexts(child, int(mix(key, PRIVATE + player)))
