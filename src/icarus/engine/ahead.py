"""Asking for memory before it is needed: with many lanes, one waits while the others are at work."""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.later import path_row
from icarus.engine.native import at, ints, part, prefetch

LANES_AHEAD = 8
MOST_AHEAD = 256  #: words of a node that are worth asking for


@part
def ask_for_records(world, lane):
    """What a lane in the tree will read at its node, which it has asked for when it chose the way there."""
    pool, status = ints(world, w.POOL), at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    node, size, width = status[w.CHILD_CONTEXT], status[w.COUNT], ints(world, w.META)[w.WIDTH]
    if node == 0:  # it will be looked up
        return
    block = pool[node + w.BLOCK]
    for line in range(block, block + min(w.BLOCK_WORDS + width * size, MOST_AHEAD), 8):
        prefetch(pool, line)
    ask_for_own_moves(world, node, size)


@part
def ask_for_own_moves(world, node, size):
    """The records of a node's own moves, if it has any (linked.py)."""
    pool = ints(world, w.POOL)
    links = -pool[node + w.NOTES]
    if links > 0:
        own = w.FOR_PLAYER + w.FOR_PLAYER_WORDS * ints(world, w.GAME)[w.PLAYERS]
        for line in range(links, links + min(own + w.OWN_MOVE_WORDS * size, MOST_AHEAD), 8):
            prefetch(pool, line)


@part
def ask_for_way_back(world, lane):
    """What the end of a playout will update: the records on its way, its moves, the nodes that it passed."""
    control, pool = ints(world, w.CONTROL), ints(world, w.POOL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    first = lane * control[w.LOG_ROWS]
    for row in range(first, first + status[w.LOGGED]):
        prefetch(pool, ints(world, w.LOG)[row * w.LOG_WORDS + w.LOG_RECORD] + w.REWARD)
    if control[w.LINKED] != 0:
        played = lane * control[w.PLIES]
        for line in range(played + control[w.ROOT_PLY], played + status[w.PLY_NOW] + 8, 8):
            prefetch(ints(world, w.ACTORS), line)
            prefetch(ints(world, w.ACTIONS), line)
        for number in range(status[w.TREE_NODES]):
            prefetch(pool, path_row(world, lane, number)[w.PATH_NODE] + w.NOTES)


@part
def ask_for_own_moves_on_way(world, lane):
    """What the nodes lead to that a playout passed, once those are there."""
    pool, status = ints(world, w.POOL), at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    for number in range(status[w.TREE_NODES]):
        node = path_row(world, lane, number)[w.PATH_NODE]
        ask_for_own_moves(world, node, pool[pool[node + w.BLOCK] + w.CAPACITY])
