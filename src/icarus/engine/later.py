"""What AMAF keeps of a playout: the nodes that it passed, the moves that came later, and whole playouts to catch up with.

Used where a node has a history per player (all_moves.py) and where it has one for everyone (linked.py).
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.native import at, compare_and_swap, ints, part, reals
from icarus.engine.pages import make_in_pages, update_in_page
from icarus.engine.randomness import mix
from icarus.engine.records import allocate


@part
def path_row(world, lane, node):
    """What was noted of a tree node on the path."""
    width = w.PATH_HISTORY + ints(world, w.GAME)[w.PLAYERS] + 1
    return at(ints(world, w.PATH), (lane * ints(world, w.CONTROL)[w.PLIES] + node) * width)


@part
def reference_node(world, lane, capture):
    """The tree node whose records a capture reads: this one, or the nearest ancestor visited often enough (GRAVE's ref)."""
    reference = reals(world, w.NUMBERS)[ints(world, w.CAPTURES)[capture * w.CAPTURE_COLUMNS + w.AMAF_REFERENCE]]
    node = ints(world, w.STATUS)[lane * w.STATUS_WORDS + w.TREE_NODES] - 1
    if reference > 0.0:
        while node > 0 and path_row(world, lane, node)[w.PATH_VISITS] <= reference:
            node -= 1
    return node


@part
def node_key(key, capture, player):
    """The key of a node's AMAF context for the moves of one player, from the key of the node."""
    return mix(key, 15485863 + 31 * capture + player)


@part
def keeps_every_move(world, capture):
    mode = ints(world, w.CAPTURES)[capture * w.CAPTURE_COLUMNS + w.AMAF_NODES]
    return mode == w.AT_SELECTION_EVERY_MOVE or mode == w.IN_TREE_EVERY_MOVE


@part
def at_selection_only(world, capture):
    mode = ints(world, w.CAPTURES)[capture * w.CAPTURE_COLUMNS + w.AMAF_NODES]
    return mode == w.AT_SELECTION or mode == w.AT_SELECTION_EVERY_MOVE


@part
def count_later(world, player, action, increment):
    """How often a player played an action later in the playout: a small hash table; entries of older playouts count as free."""
    control, later = ints(world, w.CONTROL), ints(world, w.LATER)
    mask, now = control[w.LATER_SLOTS] - 1, control[w.LATER_STAMP]
    label = (action + 1) * 64 + player + 1
    slot = ((label * 2654435761) >> 15) & mask
    while True:
        entry = at(later, slot * w.LATER_WORDS)
        if entry[w.LATER_WHEN] != now:
            if increment == 0:
                return 0
            entry[w.LATER_WHEN] = now
            entry[w.LATER_LABEL] = label
            entry[w.LATER_COUNT] = 0
        if entry[w.LATER_LABEL] == label:
            entry[w.LATER_COUNT] += increment
            return entry[w.LATER_COUNT]
        slot = (slot + 1) & mask


@part
def keep_playout(world, actors, actions, first, end):
    """Write down the moves from a ply on, and the rewards; 0 when memory is used up."""
    pool, real, players = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.GAME)[w.PLAYERS]
    kept = allocate(world, w.KEPT_WORDS + players + end - first)
    if kept != 0:
        pool[kept + w.KEPT_FROM] = first
        pool[kept + w.KEPT_TO] = end
        for player in range(players):
            real[kept + w.KEPT_WORDS + player] = reals(world, w.REWARDS)[player]
        for step in range(first, end):
            pool[kept + w.KEPT_WORDS + players + step - first] = ((actors[step] + 1) << 32) | actions[step]
    return kept


@part
def put_off(world, place, kept, first, words):
    """Add a playout to the list, which begins at a place in the pool, of those to catch up with; returns the entry, or 0."""
    if kept == 0:
        return 0
    pool = ints(world, w.POOL)
    entry = allocate(world, words)
    if entry == 0:
        return 0
    pool[entry + w.PENDING_PLAYOUT] = kept
    pool[entry + w.PENDING_FROM] = first
    while True:
        before = pool[place]
        pool[entry + w.PENDING_NEXT] = max(before, 0)
        if replace(world, place, before, entry):
            return entry


@part
def replace(world, place, before, after):
    """Put a word of the pool in place of what was there; returns whether no other thread was faster."""
    pool = ints(world, w.POOL)
    if ints(world, w.META)[w.SHARED] != 0:
        return compare_and_swap(pool, place, before, after) == before
    pool[place] = after
    return True


@part
def oldest_first(pool, entry):
    """Turn a list of playouts around; returns the entry that it begins with now."""
    first = 0
    while entry > 0:
        following = pool[entry + w.PENDING_NEXT]
        pool[entry + w.PENDING_NEXT] = first
        first = entry
        entry = following
    return first


@part
def replay(world, context, entry, player):
    """Bring a player's context up to date with a kept playout."""
    pool, real, players = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.GAME)[w.PLAYERS]
    kept = pool[entry + w.PENDING_PLAYOUT]
    reward = real[kept + w.KEPT_WORDS + player]
    moves = kept + w.KEPT_WORDS + players - pool[kept + w.KEPT_FROM]
    for step in range(pool[entry + w.PENDING_FROM], pool[kept + w.KEPT_TO]):
        move = pool[moves + step]
        if (move >> 32) - 1 == player:
            record = make_in_pages(world, context, move & w.LOW)
            update_in_page(world, record, pool[context + w.OWNER], w.VISIT + w.AVAILABLE, reward)
