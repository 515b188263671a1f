"""The engine's records as dictionaries, and the names under which it keeps those of the transcriptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from icarus.engine.layout import KEEPS_ALL_MOVES, KEEPS_REPLIES, KEEPS_REPLIES_FORGETS
from icarus.jit.randomness import mix
from icarus.search import Search
from tests.oracle.algorithm1 import Algorithm1
from tests.oracle.ismcts import Ensemble, MultipleObserver, Node, SingleObserver
from tests.oracle.specifications import Amaf, Replies
from tests.oracle.states import ENVIRONMENT

#: visits, availability, total reward of every player, or of the one whose context it is
Row = tuple[int, int, tuple[float, ...]]
#: action -> row; under REPLY the last good reply + 1, or 0
Context = dict[int, Row]
REPLY = -1

ROOT = -7  #: mixed into a root's history: the context that holds nothing but the root's own record
ALL_MOVES = 15485863  #: plus 31 times the capture, plus the player: mixed into a node's key for its AMAF records
PRIVATE = 101  #: plus the player: mixed into the history where a simultaneous decision begins


def records(search: Search) -> dict[int, dict[int, Context]]:
    """Everything that the engine holds: capture -> key -> context."""
    captures: dict[int, dict[int, Context]] = {}
    for context in search.contexts():
        rows: Context = dict(context.records)
        kind = search.plan.captures[context.owner]["kind"]
        if kind in (KEEPS_REPLIES, KEEPS_REPLIES_FORGETS):
            rows[REPLY] = (context.reply, 0, ())
        if not rows and kind == KEEPS_ALL_MOVES:
            continue  # a node that is read has a context for each player, also for those who never move below it
        captures.setdefault(context.owner, {})[context.key] = rows
    if len(search.team.tables) == 1:
        held = {owner: sum(len(rows.keys() - {REPLY}) for rows in contexts.values()) for owner, contexts in captures.items()}
        meta = search.team.tables[0].meta
        assert {owner: int(meta.per_capture[owner]) for owner in held} == held
        assert int(meta.records_held) == sum(held.values())
    return captures


def random_word(search: Search) -> int:
    """What the random numbers of the first lane have come to."""
    return int(search.team.workers[0].rng[0])


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
        if tree.top.visits:
            found[int(mix(next(iter(roots)), ROOT))] = {0: (tree.top.visits, tree.top.available, tuple(tree.top.reward))}
    return found


def algorithm1_records(twin: Algorithm1) -> list[dict[Any, Context]]:
    """The records of Algorithm 1, capture by capture; those of the baseline and of AMAF under the engine's keys."""
    captures: list[dict[Any, Context]] = []
    for number, specification in enumerate(twin.specifications):
        found: dict[Any, Context] = {}
        # where the engine keeps the reward of one player, that of the others is zero
        shared = number > 0 and not (isinstance(specification, Amaf) and specification.ref == 0)
        if isinstance(specification, Replies):
            for context, reply in twin.replies[number].items():
                found[context] = {REPLY: (0 if reply is None else reply + 1, 0, ())}
        for (context, action), info in twin.theta[number].items():
            key = context
            if number == 0:
                key = node_key(context, twin.players)
            elif isinstance(specification, Amaf):
                key = int(mix(node_key(context[0], twin.players), ALL_MOVES + 31 * number + context[1]))
            found.setdefault(key, {})[action] = (info.n, info.m, (sum(info.q),) if shared else info.q)
        captures.append(found)
    root = int(mix(int(mix(1, 0)), ROOT))
    captures[0][root] = {0: (twin.iterations, twin.iterations, tuple(twin.reward))}
    return captures


def node_key(node: tuple[Any, ...], players: int) -> int:
    """The engine's key of a tree node (see History.node)."""
    if node[0] == "view":
        _, player, moves = node
        return fold(int(mix(1, players if player == ENVIRONMENT else player)), moves)
    if node[0] == "tree":
        return fold(int(mix(1, 0)), node[1])
    _, edges, player, own = node
    return fold(int(mix(fold(int(mix(1, 0)), edges), PRIVATE + player)), own)


def fold(key: int, moves: tuple[int, ...]) -> int:
    for move in moves:
        key = int(mix(key, move))
    return key


def contexts(node: Node, key: int) -> Iterator[tuple[int, Context]]:
    """The contexts of a node and of all below it."""
    if node.arms:
        yield key, {choice: (arm.visits, arm.available, tuple(arm.reward)) for choice, arm in node.arms.items()}
    for move, child in node.children.items():
        yield from contexts(child, int(mix(key, move)))
    for player, child in node.private.items():
        yield from contexts(child, int(mix(key, PRIVATE + player)))
