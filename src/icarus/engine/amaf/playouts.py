"""What AMAF keeps of a playout: the nodes that it passed, the moves that came later, and whole playouts to catch up with.

Used where a node has a history per player (by_key.py) and where it has one for everyone (by_node.py).
"""

from __future__ import annotations

from icarus.engine.calls import call_involved
from icarus.engine.layout import (
    AT_SELECTION,
    AT_SELECTION_EVERY_MOVE,
    AVAILABLE,
    DIRECT,
    DIRECT_BITS,
    IN_TREE_EVERY_MOVE,
    KEPT_WORDS,
    LARGE_MOVE,
    LAST_STAMP,
    LOW,
    MOST_SMALL_MOVERS,
    NOWHERE,
    PENDING_SHIFT,
    PENDING_WORDS,
    SINK,
    SMALL_MOVE,
    VISIT,
    AmafContext,
    KeptPlayout,
    Pending,
    Record,
)
from icarus.engine.parameters import parameters_at
from icarus.engine.table.pages import find_in_pages, make_in_pages, update_in_page
from icarus.engine.table.records import allocate, count_records
from icarus.jit import at, compare_and_swap, element, part, prefetch
from icarus.jit.randomness import mix

PLAYOUT_AHEAD = 48  #: words of an entry and its playout that are worth asking for early


@part
def path_row(world, lane, number):
    """A step of a lane down the tree."""
    return element(world.path, lane * world.control.plies + number)


@part
def reference_number(world, lane, capture):
    """The row of the node whose records a capture reads: the last, or the nearest visited often enough (GRAVE's ref)."""
    number = element(world.lanes, lane).rows - 1
    player = max(path_row(world, lane, number).player, 0)  # outcomes of the environment are rows, too
    reference = parameters_at(world, element(world.captures, capture).amaf_reference, player)[0]
    found = number
    if reference > 0.0:
        while True:
            row = path_row(world, lane, number)
            if row.player >= 0:
                found = number
                if row.visits > reference:
                    break
            if number == 0:
                break
            number -= 1
    return found


@part
def last_counted(world, lane, capture):
    """Up to which ply moves count as played later: the end of the playout, or so many moves of the simulation (some-first)."""
    status = element(world.lanes, lane)
    first = world.numbers[element(world.captures, capture).amaf_first]
    if status.rows == 0:
        return status.ply
    return int(min(float(status.ply), path_row(world, lane, status.rows - 1).ply + 1.0 + first))


@part
def counts_here(world, lane, capture, action, reward):
    """Does a later move count? Killer RAVE leaves out what took no part in a win."""
    if element(world.captures, capture).killers == 0 or reward <= 0.5:
        return True
    return call_involved(world.game.involved, at(world.states, lane * world.game.state_size), action) != 0


@part
def amaf_key(key, capture, player):
    """The key of a node's AMAF context for the moves of one player, from the key of the node."""
    return mix(key, 15485863 + 31 * capture + player)


@part
def keeps_every_move(world, capture):
    mode = element(world.captures, capture).amaf_nodes
    return mode == AT_SELECTION_EVERY_MOVE or mode == IN_TREE_EVERY_MOVE


@part
def at_selection_only(world, capture):
    mode = element(world.captures, capture).amaf_nodes
    return mode == AT_SELECTION or mode == AT_SELECTION_EVERY_MOVE


# --- counting --------------------------------------------------------------------------------------------------------


@part
def begin_counting(world):
    """From here on nothing has been played later."""
    control = world.control
    control.later_stamp += 1
    if control.later_stamp == LAST_STAMP:  # it must stay the largest of all
        for slot in range(control.later_slots):
            element(world.later, slot).stamp = 0
        for word in range((world.game.players + 1) * DIRECT):
            world.played[word] = 0
        control.later_stamp = 1


@part
def count_later(world, player, action, increment):
    """How often a player played an action later in the playout; entries of older playouts count as free."""
    if action >= DIRECT:
        return count_large(world, player, action, increment)
    now, place, played = world.control.later_stamp, (player + 1) * DIRECT + action, world.played
    times = (played[place] & LOW if played[place] >> 32 == now else 0) + increment
    if increment != 0:
        played[place] = now << 32 | times
    return times


@part
def count_large(world, player, action, increment):
    """The same for actions with large numbers: a small hash table."""
    mask, now = world.control.later_slots - 1, world.control.later_stamp
    label = (action + 1) * 64 + player + 1
    slot = ((label * 2654435761) >> 15) & mask
    while True:
        entry = element(world.later, slot)
        if entry.stamp != now:
            if increment == 0:
                return 0
            entry.stamp = now
            entry.label = label
            entry.count = 0
        if entry.label == label:
            entry.count += increment
            return entry.count
        slot = (slot + 1) & mask


@part
def count_back(world, actors, actions, first, end):
    """Count the moves between two plies as played later."""
    played, now = world.played, world.control.later_stamp << 32
    for ply in range(first, end):
        if actions[ply] < DIRECT:
            place = (actors[ply] + 1) * DIRECT + actions[ply]
            played[place] = max(played[place], now) + 1
        else:
            count_later(world, actors[ply], actions[ply], 1)


# --- playouts that are kept ------------------------------------------------------------------------------------------


@part
def keep_playout(world, lane, first, entries):
    """Write down a lane's moves from a ply on, and the rewards, behind room for so many entries; 0 when memory is used up."""
    pool, players, plies = world.pool, world.game.players, world.control.plies
    actors, actions = at(world.actors, lane * plies), at(world.actions, lane * plies)
    end, every = element(world.lanes, lane).ply, 0
    for step in range(first, end):
        every |= actions[step]
    bits = SMALL_MOVE if players <= MOST_SMALL_MOVERS and every < DIRECT else LARGE_MOVE
    shift = DIRECT_BITS if bits == SMALL_MOVE else 32
    kept = allocate(world, PENDING_WORDS * entries + KEPT_WORDS + players + (((end - first) * bits + 63) >> 6))
    if kept != 0:
        kept += PENDING_WORDS * entries
        playout = KeptPlayout(pool, kept)
        playout.first = first
        playout.end = end
        playout.bits = bits
        for player in range(players):
            playout.rewards[player] = world.rewards[lane * players + player]
        moves = at(pool, kept + KEPT_WORDS + players)
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
    """Read the actions that a player made in a kept playout, from the entry's ply on, into the places; returns how many."""
    pool, places = world.pool, world.places
    what = Pending(pool, entry).playout
    kept, first = what >> PENDING_SHIFT, what & ((1 << PENDING_SHIFT) - 1)
    playout = KeptPlayout(pool, kept)
    bits, begin = playout.bits, playout.first
    shift = DIRECT_BITS if bits == SMALL_MOVE else 32
    label, mask = player + 1, (1 << shift) - 1
    everything = (1 << SMALL_MOVE) - 1 if bits == SMALL_MOVE else -1
    moves = at(pool, kept + KEPT_WORDS + world.game.players)
    number = 0
    for i in range((first - begin) * bits, (playout.end - begin) * bits, bits):
        move = moves[i >> 6] >> (i & 63) & everything
        places[number] = move & mask
        number += move >> shift == label
    return number


@part
def kept_reward(world, entry, player):
    """A player's reward of a kept playout."""
    return KeptPlayout(world.pool, Pending(world.pool, entry).playout >> PENDING_SHIFT).rewards[player]


@part
def new_entry(world, kept, number, first):
    """The entry of this number in front of a kept playout: which one it is, and from which ply on it counts."""
    entry = kept - PENDING_WORDS * (number + 1)
    Pending(world.pool, entry).playout = kept << PENDING_SHIFT | first
    return entry


@part
def defer(world, place, entry):
    """Add a playout in front of the list of those to catch up with, which begins at a place in the pool."""
    pool = world.pool
    while True:
        before = pool[place]
        Pending(pool, entry).next = max(before, 0)
        if replace(world, place, before, entry):
            return


@part
def prefetch_playout(pool, entry):
    """What will be read of an entry and its playout, which is behind it."""
    for line in range(entry, entry + PLAYOUT_AHEAD, 8):
        prefetch(pool, line)


@part
def replace(world, place, before, after):
    """Put a word of the pool in place of what was there; returns whether no other thread was faster."""
    pool = world.pool
    if world.meta.shared != 0:
        return compare_and_swap(pool, place, before, after) == before
    pool[place] = after
    return True


@part
def oldest_first(pool, entry, then):
    """Turn a list of playouts around and go on with another; returns the entry that it begins with now."""
    while entry > 0:
        following = Pending(pool, entry).next
        prefetch_playout(pool, following)
        Pending(pool, entry).next = then
        then = entry
        entry = following
    return then


@part
def replay(world, context, entry, player):
    """Hand a player's reward of a kept playout to the moves that the player made from a ply on."""
    pool, owner = world.pool, AmafContext(world.pool, context)
    capture, width, shared, fresh = owner.owner, world.meta.paged_width, world.meta.shared != 0, 0
    reward = kept_reward(world, entry, player)
    places, number = world.places, kept_moves_of(world, entry, player)
    # first where, then what: so many records are on their way from memory at the same time
    for i in range(number):
        record = find_in_pages(pool, owner.directory, width, places[i])
        if record == NOWHERE:
            record = make_in_pages(world, context, places[i], False)
        prefetch(pool, record)
        places[i] = record
    for i in range(number):
        if shared or places[i] == SINK:
            update_in_page(world, places[i], capture, VISIT + AVAILABLE, reward)
        else:
            record = Record(pool, places[i])
            counts = record.counts
            fresh += counts == 0
            record.counts = counts + VISIT + AVAILABLE
            record.reward[0] += reward
    if fresh > 0:
        count_records(world, capture, fresh)
