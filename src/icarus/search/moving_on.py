"""The game has moved on: which part of a tree is still of use, and what names its new root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from icarus.engine import layout as w
from icarus.engine.amaf.by_node import renew_own_moves
from icarus.engine.table.reader import existing_record
from icarus.engine.table.records import decay
from icarus.engine.team import Tree
from icarus.game import UNSEEN, Position
from icarus.jit.randomness import mix
from icarus.tree import read_records

if TYPE_CHECKING:
    from icarus.search.searching import Search

Played = list[tuple[int, int, tuple[int, ...]]]  #: who acted, what was done, what every player saw of it


def can_follow(search: Search, position: Position) -> bool:
    """Does the tree of a search go on in a later position?"""
    follows = leads_to(search, position)
    single = len(search.team.trees) == 1 and len(search.team.tables) == 1 and search.algorithm.determinizations == 0
    trackable = search.game.observe is None or search.identity != w.BY_ACTIONS
    roomy = all(table.used_bytes < search.memory // len(search.team.tables) // 2 for table in search.team.tables)
    return follows and single and trackable and roomy


def leads_to(search: Search, position: Position) -> bool:
    known = search.position.history
    return position.game is search.game and position.history[: len(known)] == known


def best_from(search: Search, position: Position) -> tuple[float, list[int]] | None:
    """The best playout so far, from a later position on, if it leads through that."""
    best, moves = search.best_playout, [action for _, action, _ in position.history[len(search.position.history) :]]
    if best is not None and leads_to(search, position) and best[1][: len(moves)] == moves:
        return best[0], best[1][len(moves) :]
    return None


def follow_tree(search: Search, tree: Tree, played: Played) -> Tree:
    """The tree behind these moves; enhancements keep, decay or forget what they know."""
    history, record = _follow(search, tree, played)
    following = Tree(search.root_state(), history, tree.table, record)
    for number, leaf in enumerate(search.plan.capture_leaves):
        if number and leaf.keep != 1.0 and played:
            if number in search.plan.all_moves:
                search.catch_up()
            search.team.workers[0].use_table(tree.table)
            decay(search.team.workers[0].handle, number, float(leaf.keep))
            if number == search.amaf_by_node:
                renew_own_moves(search.team.workers[0].handle, number)
    return following


def visits_of(search: Search, tree: Tree) -> float:
    return sum(row[0] for row in read_records(search, tree, search.context_key(tree)).values())


def _follow(search: Search, tree: Tree, played: Played) -> tuple[npt.NDArray[np.int64], int]:
    """The histories after these moves as the observer saw them, and the record of the new root if there is one."""
    if search.identity == w.BY_STATE:
        return search.root_history(0, search.root_state()), 0
    history = [int(h) for h in tree.history]
    worker = search.team.workers[0]
    worker.use_table(tree.table)
    record = tree.record
    for _, action, moves in played:
        seen = moves[search.observer]
        if search.identity == w.BY_ACTIONS:
            record = int(existing_record(worker.handle, history[0], action))
        else:
            record = 0
        if seen != UNSEEN:
            history = [int(mix(h, seen)) for h in history]
    return np.array(history, np.int64), record
