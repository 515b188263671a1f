"""What AMAF keeps of a playout: the nodes that it passed, the moves that came later, and whole playouts to catch up with.

Used where a node has a history per player (all_moves.py) and where it has one for everyone (linked.py).
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.native import at, compare_and_swap, ints, part, prefetch, reals
from icarus.engine.pages import find_in_pages, make_in_pages, update_in_page
from icarus.engine.randomness import mix
from icarus.engine.records import allocate

PLAYOUT_AHEAD = 48  #: words of an entry and its playout that are worth asking for early


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
def begin_counting(world):
    """From here on nothing has been played later."""
    control, later, played = ints(world, w.CONTROL), ints(world, w.LATER), ints(world, w.PLAYED)
    control[w.LATER_STAMP] += 1
    if control[w.LATER_STAMP] == w.LAST_STAMP:  # it must stay the largest of all
        for word in range(w.LATER_WORDS * control[w.LATER_SLOTS]):
            later[word] = 0
        for word in range((ints(world, w.GAME)[w.PLAYERS] + 1) * w.DIRECT):
            played[word] = 0
        control[w.LATER_STAMP] = 1


@part
def count_later(world, player, action, increment):
    """How often a player played an action later in the playout; entries of older playouts count as free."""
    if action >= w.DIRECT:
        return count_large(world, player, action, increment)
    now, place = ints(world, w.CONTROL)[w.LATER_STAMP], (player + 1) * w.DIRECT + action
    played = ints(world, w.PLAYED)
    times = (played[place] & w.LOW if played[place] >> 32 == now else 0) + increment
    if increment != 0:
        played[place] = now << 32 | times
    return times


@part
def count_large(world, player, action, increment):
    """The same for actions with large numbers: a small hash table."""
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
def count_back(world, actors, actions, first, end):
    """Count the moves between two plies as played later."""
    played, now = ints(world, w.PLAYED), ints(world, w.CONTROL)[w.LATER_STAMP] << 32
    for ply in range(first, end):
        if actions[ply] < w.DIRECT:
            place = (actors[ply] + 1) * w.DIRECT + actions[ply]
            played[place] = max(played[place], now) + 1
        else:
            count_later(world, actors[ply], actions[ply], 1)


# --- playouts that are kept ------------------------------------------------------------------------------------------


@part
def keep_playout(world, actors, actions, first, end, entries):
    """Write down the moves from a ply on, and the rewards, with room in front for so many entries; 0 when memory is used up."""
    pool, real, players = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.GAME)[w.PLAYERS]
    every = 0
    for step in range(first, end):
        every |= actions[step]
    bits = w.SMALL_MOVE if players <= w.MOST_SMALL_MOVERS and every < w.DIRECT else w.LARGE_MOVE
    shift = w.DIRECT_BITS if bits == w.SMALL_MOVE else 32
    kept = allocate(world, w.PENDING_WORDS * entries + w.KEPT_WORDS + players + (((end - first) * bits + 63) >> 6))
    if kept != 0:
        kept += w.PENDING_WORDS * entries
        pool[kept + w.KEPT_FROM] = first
        pool[kept + w.KEPT_TO] = end
        pool[kept + w.KEPT_BITS] = bits
        for player in range(players):
            real[kept + w.KEPT_WORDS + player] = reals(world, w.REWARDS)[player]
        moves = at(pool, kept + w.KEPT_WORDS + players)
        word, filled = 0, 0
        for step in range(first, end):
            word |= ((actors[step] + 1) << shift | actions[step]) << filled
            filled += bits
            if filled == 64 or step == end - 1:
                moves[((step - first) * bits) >> 6] = word
                word, filled = 0, 0
    return kept


@part
def kept_moves_of(world, entry, player):
    """Read the actions that a player made in a kept playout, from the entry's ply on, into PLACES; returns how many there are."""
    pool, places = ints(world, w.POOL), ints(world, w.PLACES)
    what = pool[entry + w.PENDING_PLAYOUT]
    kept, first = what >> w.PENDING_SHIFT, what & ((1 << w.PENDING_SHIFT) - 1)
    bits, begin = pool[kept + w.KEPT_BITS], pool[kept + w.KEPT_FROM]
    shift = w.DIRECT_BITS if bits == w.SMALL_MOVE else 32
    label, mask = player + 1, (1 << shift) - 1
    everything = (1 << w.SMALL_MOVE) - 1 if bits == w.SMALL_MOVE else -1
    moves = at(pool, kept + w.KEPT_WORDS + ints(world, w.GAME)[w.PLAYERS])
    number = 0
    for i in range((first - begin) * bits, (pool[kept + w.KEPT_TO] - begin) * bits, bits):
        move = moves[i >> 6] >> (i & 63) & everything
        places[number] = move & mask
        number += move >> shift == label
    return number


@part
def kept_reward(world, entry, player):
    """A player's reward of a kept playout."""
    kept = ints(world, w.POOL)[entry + w.PENDING_PLAYOUT] >> w.PENDING_SHIFT
    return reals(world, w.POOL)[kept + w.KEPT_WORDS + player]


@part
def new_entry(world, kept, number, first):
    """The entry of this number in front of a kept playout: which one it is, and from which ply on it counts."""
    entry = kept - w.PENDING_WORDS * (number + 1)
    ints(world, w.POOL)[entry + w.PENDING_PLAYOUT] = kept << w.PENDING_SHIFT | first
    return entry


@part
def put_off(world, place, entry):
    """Add a playout in front of the list of those to catch up with, which begins at a place in the pool."""
    pool = ints(world, w.POOL)
    while True:
        before = pool[place]
        pool[entry + w.PENDING_NEXT] = max(before, 0)
        if replace(world, place, before, entry):
            return


@part
def ask_for_playout(pool, entry):
    """What will be read of an entry and its playout, which is behind it."""
    for line in range(entry, entry + PLAYOUT_AHEAD, 8):
        prefetch(pool, line)


@part
def replace(world, place, before, after):
    """Put a word of the pool in place of what was there; returns whether no other thread was faster."""
    pool = ints(world, w.POOL)
    if ints(world, w.META)[w.SHARED] != 0:
        return compare_and_swap(pool, place, before, after) == before
    pool[place] = after
    return True


@part
def oldest_first(pool, entry, then):
    """Turn a list of playouts around and go on with another; returns the entry that it begins with now."""
    while entry > 0:
        following = pool[entry + w.PENDING_NEXT]
        ask_for_playout(pool, following)
        pool[entry + w.PENDING_NEXT] = then
        then = entry
        entry = following
    return then


@part
def replay(world, context, entry, player):
    """Hand a player's reward of a kept playout to the moves that the player made from a ply on."""
    pool, real, meta = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.META)
    capture, width, shared, fresh = pool[context + w.OWNER], meta[w.PAGED_WIDTH], meta[w.SHARED] != 0, 0
    reward = kept_reward(world, entry, player)
    places, number = ints(world, w.PLACES), kept_moves_of(world, entry, player)
    # first where, then what: so many records are on their way from memory at the same time
    for i in range(number):
        record = find_in_pages(pool, pool[context + w.DIRECTORY], width, places[i])
        if record == w.NOWHERE:
            record = make_in_pages(world, context, places[i])
        prefetch(pool, record)
        places[i] = record
    for i in range(number):
        record = places[i]
        if shared or record == w.SINK:
            update_in_page(world, record, capture, w.VISIT + w.AVAILABLE, reward)
        else:
            counts = pool[record + w.COUNTS]
            fresh += counts == 0
            pool[record + w.COUNTS] = counts + w.VISIT + w.AVAILABLE
            real[record + w.REWARD] += reward
    if fresh > 0:
        meta[w.RECORDS_HELD] += fresh
        meta[w.PER_CAPTURE + capture] += fresh
