"""All moves as first where a tree node is one history for everyone: the node leads to its AMAF records by itself.

With perfect information nothing has to be looked up.  The NOTES of a node are its context of legal moves (AMAF, RAVE).  For GRAVE
they are the playouts that passed it, until the node is read for the first time; from then on, with the sign turned, what words.py
lists.  A node with enough visits reads nothing but the records of its own legal moves, so those are kept side by side and always
up to date.  What its descendants may want to know, any move of any player, is put off until one of them asks.  The records are
those of all_moves.py under the same keys.
"""

from __future__ import annotations

from numba import types

from icarus.engine import words as w
from icarus.engine.later import (
    ask_for_playout,
    at_selection_only,
    begin_counting,
    count_back,
    count_later,
    keep_playout,
    keeps_every_move,
    kept_moves_of,
    kept_reward,
    new_entry,
    node_key,
    oldest_first,
    path_row,
    reference_node,
    replace,
    replay,
)
from icarus.engine.native import at, atomic_add, inner, ints, kernel, part, reals
from icarus.engine.pages import find_in_pages
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
    ints(world, w.POOL)[node + w.ACTOR] = player + 1
    status[w.TREE_NODES] += 1
    return row


@part
def linked_context(world, lane, capture, player):
    """The context that a decision in the tree reads, up to date; 0 if there is none."""
    node = path_row(world, lane, reference_node(world, lane, capture))[w.PATH_NODE]
    if node == 0:
        return 0
    if not keeps_every_move(world, capture):
        return ints(world, w.POOL)[node + w.NOTES]
    return context_of(world, node, capture, player)


# --- GRAVE: what is read --------------------------------------------------------------------------------------------


@part
def own_moves(world, node):
    """Where the records of a node's own legal moves are, two words each; NOWHERE if memory is used up."""
    links = opened(world, node)
    return links + w.FOR_PLAYER + w.FOR_PLAYER_WORDS * ints(world, w.GAME)[w.PLAYERS] if links != 0 else w.NOWHERE


@part
def context_of(world, node, capture, player):
    """A node's context of all later moves of a player, caught up with the playouts that were put off; 0 if there is none."""
    pool = ints(world, w.POOL)
    links = opened(world, node)
    if links == 0:
        return 0
    place = links + w.FOR_PLAYER + w.FOR_PLAYER_WORDS * player
    if pool[place + w.CONTEXT_OF] == 0:
        pool[place + w.CONTEXT_OF] = make_context(world, node_key(pool[node + w.KEY], capture, player), capture)
    context = pool[place + w.CONTEXT_OF]
    while context != 0:
        done = pool[place + w.CAUGHT_UP]
        entry = pool[done + w.PENDING_NEXT]
        if entry == 0 or not replace(world, place + w.CAUGHT_UP, done, entry):
            break  # nothing to catch up with, or another thread is at it
        ask_for_playout(pool, pool[entry + w.PENDING_NEXT])
        if pool[entry + w.PENDING_PLAYOUT] != 0:
            replay(world, context, entry, player)
    return context


@part
def opened(world, node):
    """What a node leads to from its first reading on; 0 if memory is used up, or if another thread has come in between."""
    pool, players = ints(world, w.POOL), ints(world, w.GAME)[w.PLAYERS]
    newest = pool[node + w.NOTES]
    if newest < 0:
        return -newest
    block, width = pool[node + w.BLOCK], ints(world, w.META)[w.WIDTH]
    size = pool[block + w.CAPACITY]
    own = w.FOR_PLAYER + w.FOR_PLAYER_WORDS * players
    links = allocate(world, own + w.OWN_MOVE_WORDS * size)
    if links == 0:
        return 0
    pool[links + w.NEWEST] = links + w.PARTING
    for other in range(players):
        pool[links + w.FOR_PLAYER + w.FOR_PLAYER_WORDS * other + w.CAUGHT_UP] = links + w.OLDEST
    for i in range(size):
        label = pool[block + w.BLOCK_WORDS + i * width + w.ACTION] & w.LOW
        pool[links + own + w.OWN_MOVE_WORDS * i] = (label - 1) << 32
    if not replace(world, node + w.NOTES, newest, -links):
        return max(-pool[node + w.NOTES], 0)  # another thread was faster, or has added a playout
    first = oldest_first(pool, newest, links + w.PARTING)
    pool[links + w.OLDEST] = first
    begin_counting(world)
    for i in range(size):
        count_later(world, pool[node + w.ACTOR] - 1, pool[links + own + w.OWN_MOVE_WORDS * i] >> 32, i + 1)
    while first != links + w.PARTING:
        learn_own_moves(world, links + own, first, pool[node + w.ACTOR] - 1)
        first = pool[first + w.PENDING_NEXT]
    return links


@part
def learn_own_moves(world, own, entry, player):
    """Hand the reward of a kept playout to a node's own legal moves, whose places have been counted."""
    reward = kept_reward(world, entry, player)
    for i in range(kept_moves_of(world, entry, player)):
        place = count_later(world, player, ints(world, w.PLACES)[i], 0) - 1
        if place >= 0:
            add_to_own_move(world, own + w.OWN_MOVE_WORDS * place, 1, reward)


@part
def add_to_own_move(world, record, times, reward):
    pool, real = ints(world, w.POOL), reals(world, w.POOL)
    if ints(world, w.META)[w.SHARED] == 0:
        pool[record] += times
        real[record + 1] += times * reward
    elif times > 0:
        atomic_add(pool, record, times)
        atomic_add(real, record + 1, times * reward)


# --- the end of a playout --------------------------------------------------------------------------------------------


@part
def capture_every_move_linked(world, lane, capture):
    """GRAVE: at every tree node all later moves of every player; those legal there at once, the others when asked for."""
    control, status = ints(world, w.CONTROL), at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(ints(world, w.ACTORS), lane * control[w.PLIES]), at(ints(world, w.ACTIONS), lane * control[w.PLIES])
    number, ply, kept, entries = status[w.TREE_NODES] - 1, status[w.PLY_NOW], 0, 0
    begin_counting(world)
    while number >= 0:
        row = path_row(world, lane, number)
        number -= 1
        node = row[w.PATH_NODE]
        if node == 0 or (selection_only and row[w.PATH_SELECTION] == 0):
            continue
        if kept == 0:
            begin = path_row(world, lane, 0)[w.PATH_PLY]
            kept = keep_playout(world, actors, actions, begin, status[w.PLY_NOW], number + 2)
            if kept == 0:
                return
        is_read = add_playout(world, node, new_entry(world, kept, entries, row[w.PATH_PLY]))
        entries += 1
        if is_read:
            count_back(world, actors, actions, row[w.PATH_PLY], ply)
            ply = row[w.PATH_PLY]
            add_to_own_moves(world, node, row[w.PATH_PLAYER])


@part
def add_playout(world, node, entry):
    """Add a playout to those that passed a node, behind the newest if the node is read, else in front; returns whether it is."""
    pool = ints(world, w.POOL)
    while True:
        notes = pool[node + w.NOTES]
        if notes >= 0:
            pool[entry + w.PENDING_NEXT] = notes
            if replace(world, node + w.NOTES, notes, entry):
                return False
        else:
            newest = pool[w.NEWEST - notes]
            pool[entry + w.PENDING_NEXT] = 0
            if replace(world, w.NEWEST - notes, newest, entry):
                pool[newest + w.PENDING_NEXT] = entry
                return True


@part
def add_to_own_moves(world, node, player):
    """Hand the rewards of a playout to the legal moves of a node that its player made there or later, as counted."""
    pool, real, reward = ints(world, w.POOL), reals(world, w.POOL), reals(world, w.REWARDS)[player]
    played, now = at(ints(world, w.PLAYED), (player + 1) * w.DIRECT), ints(world, w.CONTROL)[w.LATER_STAMP]
    shared = ints(world, w.META)[w.SHARED] != 0
    first, size = own_moves(world, node), pool[pool[node + w.BLOCK] + w.CAPACITY]
    for record in range(first, first + w.OWN_MOVE_WORDS * size, w.OWN_MOVE_WORDS):
        action = pool[record] >> 32
        if shared or action >= w.DIRECT:
            add_to_own_move(world, record, count_later(world, player, action, 0), reward)
        else:  # the same without a branch, since most moves were not made
            times = played[action] & w.LOW if played[action] >> 32 == now else 0
            pool[record] += times
            real[record + 1] += times * reward


@part
def capture_legal_moves_linked(world, lane, capture):
    """AMAF-6: at every tree node, the actions legal there that its player played there or later."""
    control, pool, rewards = ints(world, w.CONTROL), ints(world, w.POOL), reals(world, w.REWARDS)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(ints(world, w.ACTORS), lane * control[w.PLIES]), at(ints(world, w.ACTIONS), lane * control[w.PLIES])
    width = ints(world, w.META)[w.WIDTH]
    begin_counting(world)
    number, ply = status[w.TREE_NODES] - 1, status[w.PLY_NOW]
    while number >= 0:
        row = path_row(world, lane, number)
        number -= 1
        count_back(world, actors, actions, row[w.PATH_PLY], ply)
        ply = row[w.PATH_PLY]
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


# --- from outside of the loop ----------------------------------------------------------------------------------------


@kernel(types.void(types.int64[::1], types.int64))
def renew_own_moves(world_array, capture):
    """Take the records of all nodes' own moves from their contexts again, after something else has changed those."""
    world = at(world_array, 0)
    if not keeps_every_move(world, capture):
        return
    pool, real, index = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.INDEX)
    width = ints(world, w.META)[w.PAGED_WIDTH]
    for slot in range(ints(world, w.META)[w.SLOTS]):
        node = index[slot]
        if node == 0 or pool[node + w.OWNER] != 0 or pool[node + w.NOTES] >= 0:
            continue
        directory = pool[context_of(world, node, capture, pool[node + w.ACTOR] - 1) + w.DIRECTORY]
        first, size = own_moves(world, node), pool[pool[node + w.BLOCK] + w.CAPACITY]
        for own in range(first, first + w.OWN_MOVE_WORDS * size, w.OWN_MOVE_WORDS):
            record = find_in_pages(pool, directory, width, pool[own] >> 32) if directory != 0 else w.NOWHERE
            pool[own] += (pool[record + w.COUNTS] & w.LOW) - (pool[own] & w.LOW)
            real[own + 1] = real[record + w.REWARD]
