"""Asking for memory before it is needed: with many lanes, one waits while the others are at work."""

from __future__ import annotations

from icarus.engine.amaf.by_node import size_of_node
from icarus.engine.amaf.playouts import path_row
from icarus.engine.layout import BLOCK_WORDS, LINK_WORDS, LINKS_WORDS, OWN_MOVE_WORDS, REWARD, Node
from icarus.jit import element, part, prefetch

LANES_AHEAD = 8
MOST_AHEAD = 256  #: words of a node that are worth asking for
AMAF_PLACE = Node.amaf.offset


@part
def prefetch_records(world, lane):
    """What a lane in the tree will read at its node, which it has asked for when it chose the way there."""
    pool, status = world.pool, element(world.lanes, lane)
    if status.node == 0:  # it will be looked up
        return
    block = Node(pool, status.node).block
    for line in range(block, block + min(BLOCK_WORDS + world.meta.width * status.count, MOST_AHEAD), 8):
        prefetch(pool, line)
    prefetch_own_moves(world, status.node, status.count)


@part
def prefetch_own_moves(world, node, size):
    """The records of a node's own moves, if it has any (amaf/by_node.py)."""
    pool = world.pool
    links = -Node(pool, node).amaf
    if links > 0:
        own = LINKS_WORDS + LINK_WORDS * world.game.players
        for line in range(links, links + min(own + OWN_MOVE_WORDS * size, MOST_AHEAD), 8):
            prefetch(pool, line)


@part
def prefetch_way_back(world, lane):
    """What the end of a playout will update: the records on its way, its moves, the nodes that it passed."""
    control, pool, status = world.control, world.pool, element(world.lanes, lane)
    for number in range(status.rows):
        row = path_row(world, lane, number)
        prefetch(pool, row.record + REWARD)
        if control.amaf_by_node != 0:
            prefetch(pool, row.node + AMAF_PLACE)
    first = lane * control.update_rows
    for number in range(first, first + status.updates):
        prefetch(pool, element(world.updates, number).target + REWARD)
    if control.amaf_by_node != 0:
        played = lane * control.plies
        for line in range(played + control.root_ply, played + status.ply + 8, 8):
            prefetch(world.actors, line)
            prefetch(world.actions, line)


@part
def prefetch_own_moves_on_way(world, lane):
    """What the nodes lead to that a playout passed, once those are there."""
    for number in range(element(world.lanes, lane).rows):
        node = path_row(world, lane, number).node
        prefetch_own_moves(world, node, size_of_node(world, node))
