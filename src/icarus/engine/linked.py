"""All moves as first where a tree node is one history for everyone: the node leads to its AMAF records by itself.

With perfect information nothing has to be looked up: the NOTES of a node are its context of legal moves (AMAF, RAVE), or, for
GRAVE, the playouts that it has still to catch up with and from then on, with the sign turned, one context per player.  The
records are those of all_moves.py under the same keys.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.later import (
    at_selection_only,
    count_later,
    keep_playout,
    keeps_every_move,
    node_key,
    oldest_first,
    path_row,
    put_off,
    reference_node,
    replace,
)
from icarus.engine.native import at, inner, ints, part, prefetch, reals
from icarus.engine.pages import find_in_pages, make_in_pages, update_in_page
from icarus.engine.records import add, add_reward, allocate, make_context, make_record


@inner
def note_node(world, lane, node, player, visits, ply):
    """Keep what AMAF needs of a tree node; returns the row."""
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    row = path_row(world, lane, status[w.TREE_NODES])
    row[w.PATH_VISITS] = visits
    row[w.PATH_PLAYER] = player
    row[w.PATH_PLY] = ply
    row[w.PATH_NODE] = node
    status[w.TREE_NODES] += 1
    return row


@part
def linked_context(world, lane, capture, player):
    """The context that a decision in the tree reads, up to date; 0 if there is none."""
    pool = ints(world, w.POOL)
    node = path_row(world, lane, reference_node(world, lane, capture))[w.PATH_NODE]
    if node == 0:
        return 0
    if not keeps_every_move(world, capture):
        return pool[node + w.NOTES]
    if pool[node + w.NOTES] >= 0:
        catch_up_node(world, node, capture)
    notes = pool[node + w.NOTES]
    return pool[player - notes] if notes < 0 else 0


@part
def capture_every_move_linked(world, lane, capture):
    """GRAVE: at every tree node all later moves of every player, at once where they are read, else put off."""
    control, pool = ints(world, w.CONTROL), ints(world, w.POOL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(ints(world, w.ACTORS), lane * control[w.PLIES]), at(ints(world, w.ACTIONS), lane * control[w.PLIES])
    kept = 0
    for number in range(status[w.TREE_NODES]):
        row = path_row(world, lane, number)
        first, node = row[w.PATH_PLY], row[w.PATH_NODE]
        if node == 0 or (selection_only and row[w.PATH_SELECTION] == 0):
            continue
        if kept == 0:
            kept = keep_playout(world, actors, actions, first, status[w.PLY_NOW])
        notes = pool[node + w.NOTES]
        if notes < 0 and kept != 0:
            replay_for_all(world, -notes, capture, kept, first)
        else:
            put_off(world, node + w.NOTES, kept, first, w.PENDING_FOR_ALL)


@part
def replay_for_all(world, links, capture, kept, first):
    """Hand the rewards of a kept playout to the moves from a ply on, in a node's context of who made them."""
    pool, real, meta = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.META)
    width, shared, fresh = meta[w.PAGED_WIDTH], meta[w.SHARED] != 0, 0
    rewards = at(real, kept + w.KEPT_WORDS)
    behind = first - pool[kept + w.KEPT_FROM]
    moves, number = at(pool, kept + w.KEPT_WORDS + ints(world, w.GAME)[w.PLAYERS] + behind), pool[kept + w.KEPT_TO] - first
    places = ints(world, w.PLACES)
    # first where, then what: so many records are on their way from memory at the same time
    for i in range(number):
        player, action = (moves[i] >> 32) - 1, moves[i] & w.LOW
        record = w.SINK
        if player >= 0:
            context = pool[links + player]
            record = find_in_pages(pool, pool[context + w.DIRECTORY], width, action)
            if record == w.NOWHERE:
                record = make_in_pages(world, context, action)
            prefetch(pool, record)
        places[i] = record
    for i in range(number):
        record, player = places[i], (moves[i] >> 32) - 1
        if record == w.SINK:
            continue
        if shared:
            update_in_page(world, record, capture, w.VISIT + w.AVAILABLE, rewards[player])
        else:
            counts = pool[record + w.COUNTS]
            fresh += counts == 0
            pool[record + w.COUNTS] = counts + w.VISIT + w.AVAILABLE
            real[record + w.REWARD] += rewards[player]
    if fresh > 0:
        meta[w.RECORDS_HELD] += fresh
        meta[w.PER_CAPTURE + capture] += fresh


@part
def capture_legal_moves_linked(world, lane, capture):
    """AMAF-6: at every tree node, the actions legal there that its player played there or later."""
    control, pool, rewards = ints(world, w.CONTROL), ints(world, w.POOL), reals(world, w.REWARDS)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(ints(world, w.ACTORS), lane * control[w.PLIES]), at(ints(world, w.ACTIONS), lane * control[w.PLIES])
    width = ints(world, w.META)[w.WIDTH]
    control[w.LATER_STAMP] += 1
    number, ply = status[w.TREE_NODES] - 1, status[w.PLY_NOW]
    while number >= 0:
        row = path_row(world, lane, number)
        number -= 1
        while ply > row[w.PATH_PLY]:
            ply -= 1
            count_later(world, actors[ply], actions[ply], 1)
        player, node = row[w.PATH_PLAYER], row[w.PATH_NODE]
        if node == 0 or (selection_only and row[w.PATH_SELECTION] == 0):
            continue
        if pool[node + w.NOTES] == 0:
            pool[node + w.NOTES] = make_context(world, node_key(pool[node + w.KEY], capture, player), capture)
        context, block = pool[node + w.NOTES], pool[node + w.BLOCK]
        there, size = pool[context + w.BLOCK] if context != 0 else 0, pool[block + w.CAPACITY]
        for i in range(size):
            label = pool[block + w.BLOCK_WORDS + i * width + w.ACTION] & w.LOW
            times = count_later(world, player, label - 1, 0)
            if times > 0:
                record = there + w.BLOCK_WORDS + i * width
                if there == 0 or pool[record + w.ACTION] != label:
                    record = make_record(world, context, label - 1, i, size)
                    there = pool[context + w.BLOCK] if context != 0 else 0
                add(world, record, times * (w.VISIT + w.AVAILABLE))
                add_reward(world, record, w.REWARD + player, times * rewards[player])


@part
def catch_up_node(world, node, capture):
    """Give a node its contexts, and bring them up to date with the playouts that it put off, the oldest first."""
    pool, players = ints(world, w.POOL), ints(world, w.GAME)[w.PLAYERS]
    links = allocate(world, players)
    if links == 0:
        return
    for player in range(players):
        pool[links + player] = make_context(world, node_key(pool[node + w.KEY], capture, player), capture)
    newest = pool[node + w.NOTES]
    if not replace(world, node + w.NOTES, newest, -links):
        return  # another thread is at it
    entry = oldest_first(pool, newest)
    while entry != 0:
        replay_for_all(world, links, capture, pool[entry + w.PENDING_PLAYOUT], pool[entry + w.PENDING_FROM])
        entry = pool[entry + w.PENDING_NEXT]
