"""All moves as first where a tree node is one history for everyone: the node leads to its AMAF records by itself.

With perfect information nothing has to be looked up.  ``Node.amaf`` is its context of legal moves (AMAF, RAVE).  For GRAVE it is
the first of the playouts that passed it, until the node is read for the first time; from then on, with the sign turned, what
``Links`` declares.  A node with enough visits reads nothing but the records of its own legal moves, so those are kept side by
side and always up to date.  What its descendants may want to know, any move of any player, is deferred until one of them
asks.  The records are those of by_key.py under the same keys.
"""

from __future__ import annotations

from numba import types

from icarus.engine.amaf.playouts import (
    amaf_key,
    at_selection_only,
    begin_counting,
    count_back,
    count_later,
    counts_here,
    keep_playout,
    keeps_every_move,
    kept_moves_of,
    kept_reward,
    last_counted,
    new_entry,
    oldest_first,
    path_row,
    prefetch_playout,
    reference_number,
    replay,
)
from icarus.engine.layout import (
    AVAILABLE,
    DIRECT,
    LINK_WORDS,
    LINKS_WORDS,
    LOW,
    NOWHERE,
    OWN_MOVE_WORDS,
    PARTING,
    VISIT,
    AmafContext,
    Block,
    Link,
    Links,
    Node,
    OwnMove,
    Pending,
    Record,
    World,
)
from icarus.engine.table.pages import find_in_pages
from icarus.engine.table.records import add_counts, add_reward, allocate, make_context, make_record, record_in
from icarus.jit import at, atomic_add, compare_and_swap, element, kernel, part


@part
def node_context(world, lane, capture, player):
    """The context that a decision in the tree reads, up to date; 0 if there is none."""
    node = path_row(world, lane, reference_number(world, lane, capture)).node
    if node == 0:
        return 0
    if not keeps_every_move(world, capture):
        return Node(world.pool, node).amaf
    return context_of(world, node, capture, player)


# --- GRAVE: what is read --------------------------------------------------------------------------------------------


@part
def size_of_node(world, node):
    """How many actions are legal at a node."""
    return Block(world.pool, Node(world.pool, node).block).capacity


@part
def own_moves(world, node):
    """Where the records of a node's own legal moves are; NOWHERE if memory is used up."""
    links = opened(world, node)
    return links + LINKS_WORDS + LINK_WORDS * world.game.players if links != 0 else NOWHERE


@part
def context_of(world, node, capture, player):
    """A node's context of all later moves of a player, caught up with the playouts that were deferred; 0 if there is none."""
    pool = world.pool
    links = opened(world, node)
    if links == 0:
        return 0
    link = Link(pool, links + LINKS_WORDS + LINK_WORDS * player)
    if link.context == 0:
        link.context = make_context(world, amaf_key(Node(pool, node).key, capture, player), capture)
    context = link.context
    while context != 0:
        done = link.caught_up
        entry = Pending(pool, done).next
        if entry == 0:
            break
        if world.meta.shared == 0:
            link.caught_up = entry
        elif compare_and_swap(link, "caught_up", done, entry) != done:
            break  # another thread is at it
        prefetch_playout(pool, Pending(pool, entry).next)
        if Pending(pool, entry).playout != 0:
            replay(world, context, entry, player)
    return context


@part
def opened(world, offset):
    """What a node leads to from its first reading on; 0 if memory is used up, or if another thread has come in between."""
    pool, players, node = world.pool, world.game.players, Node(world.pool, offset)
    newest = node.amaf
    if newest < 0:
        return -newest
    block, size = node.block, size_of_node(world, offset)
    own = LINKS_WORDS + LINK_WORDS * players
    place = allocate(world, own + OWN_MOVE_WORDS * size)
    if place == 0:
        return 0
    links, parting = Links(pool, place), place + PARTING
    links.newest = parting
    for other in range(players):
        Link(pool, place + LINKS_WORDS + LINK_WORDS * other).caught_up = place
    for i in range(size):
        label = Record(pool, record_in(world, block, i)).label
        OwnMove(pool, place + own + OWN_MOVE_WORDS * i).head = (label - 1) << 32
    if world.meta.shared == 0:
        node.amaf = -place
    elif compare_and_swap(node, "amaf", newest, -place) != newest:
        return max(-node.amaf, 0)  # another thread was faster, or has added a playout
    first = oldest_first(pool, newest, parting)
    links.oldest = first
    begin_counting(world)
    player = node.actor - 2
    for i in range(size):
        count_later(world, player, OwnMove(pool, place + own + OWN_MOVE_WORDS * i).action, i + 1)
    while first != parting:
        learn_own_moves(world, place + own, first, player)
        first = Pending(pool, first).next
    return place


@part
def learn_own_moves(world, own, entry, player):
    """Hand the reward of a kept playout to a node's own legal moves, whose places have been counted."""
    reward = kept_reward(world, entry, player)
    for i in range(kept_moves_of(world, entry, player)):
        place = count_later(world, player, world.places[i], 0) - 1
        if place >= 0:
            add_to_own_move(world, own + OWN_MOVE_WORDS * place, 1, reward)


@part
def add_to_own_move(world, place, times, reward):
    move = OwnMove(world.pool, place)
    if world.meta.shared == 0:
        move.head += times
        move.reward += times * reward
    elif times > 0:
        atomic_add(move, "head", times)
        atomic_add(move, "reward", times * reward)


# --- the end of a playout --------------------------------------------------------------------------------------------


@part
def capture_every_move(world, lane, capture):
    """GRAVE: at every tree node all later moves of every player; those legal there at once, the others when asked for."""
    control, status = world.control, element(world.lanes, lane)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(world.actors, lane * control.plies), at(world.actions, lane * control.plies)
    number, ply, kept, entries = status.rows - 1, status.ply, 0, 0
    begin_counting(world)
    while number >= 0:
        row = path_row(world, lane, number)
        number -= 1
        if row.node == 0 or row.player < 0 or (selection_only and row.selection == 0):
            continue
        if kept == 0:
            kept = keep_playout(world, lane, path_row(world, lane, 0).ply, number + 2)
            if kept == 0:
                return
        is_read = add_playout(world, row.node, new_entry(world, kept, entries, row.ply))
        entries += 1
        if is_read:
            count_back(world, actors, actions, row.ply, ply)
            ply = row.ply
            add_to_own_moves(world, lane, row.node, row.player)


@part
def add_playout(world, offset, entry):
    """Add a playout to those that passed a node, behind the newest if the node is read, else in front; returns whether it is."""
    pool, node, shared = world.pool, Node(world.pool, offset), world.meta.shared != 0
    while True:
        amaf = node.amaf
        if amaf >= 0:
            Pending(pool, entry).next = amaf
            if not shared:
                node.amaf = entry
                return False
            if compare_and_swap(node, "amaf", amaf, entry) == amaf:
                return False
        else:
            links = Links(pool, -amaf)
            newest = links.newest
            Pending(pool, entry).next = 0
            if not shared:
                links.newest = entry
            elif compare_and_swap(links, "newest", newest, entry) != newest:
                continue
            Pending(pool, newest).next = entry
            return True


@part
def add_to_own_moves(world, lane, node, player):
    """Hand the rewards of a playout to the legal moves of a node that its player made there or later, as counted."""
    pool, reward = world.pool, world.rewards[lane * world.game.players + player]
    played, now = at(world.played, (player + 1) * DIRECT), world.control.later_stamp
    shared = world.meta.shared != 0
    first, size = own_moves(world, node), size_of_node(world, node)
    for place in range(first, first + OWN_MOVE_WORDS * size, OWN_MOVE_WORDS):
        move = OwnMove(pool, place)
        action = move.action
        if shared or action >= DIRECT:
            add_to_own_move(world, place, count_later(world, player, action, 0), reward)
        else:  # the same without a branch, since most moves were not made
            times = played[action] & LOW if played[action] >> 32 == now else 0
            move.head += times
            move.reward += times * reward


@part
def capture_legal_moves(world, lane, capture):
    """AMAF-6: at every tree node, the actions legal there that its player played there or later."""
    control, status = world.control, element(world.lanes, lane)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(world.actors, lane * control.plies), at(world.actions, lane * control.plies)
    begin_counting(world)
    number, ply = status.rows - 1, last_counted(world, lane, capture)
    while number >= 0:
        row = path_row(world, lane, number)
        number -= 1
        count_back(world, actors, actions, row.ply, ply)
        ply = row.ply
        player = row.player
        if row.node == 0 or player < 0 or (selection_only and row.selection == 0):
            continue
        learn_legal_moves(world, lane, capture, row.node, player)


@part
def learn_legal_moves(world, lane, capture, offset, player):
    """Hand the reward of a playout to the legal moves of a node that its player made later, as counted."""
    pool, node = world.pool, Node(world.pool, offset)
    if node.amaf == 0:
        node.amaf = make_context(world, amaf_key(node.key, capture, player), capture)
    context, size, reward = node.amaf, size_of_node(world, offset), world.rewards[lane * world.game.players + player]
    there = AmafContext(pool, context).block if context != 0 else 0
    for i in range(size):
        label = Record(pool, record_in(world, node.block, i)).label
        times = count_later(world, player, label - 1, 0)
        if times > 0 and counts_here(world, lane, capture, label - 1, reward):
            record = record_in(world, there, i)
            if there == 0 or Record(pool, record).head != label:
                record = make_record(world, context, label - 1, i, size)
                there = AmafContext(pool, context).block if context != 0 else 0
            add_counts(world, record, times * (VISIT + AVAILABLE))
            add_reward(world, record, player, times * reward)


# --- from outside of the loop ----------------------------------------------------------------------------------------


@kernel(types.void(types.int64[::1], types.int64))
def renew_own_moves(handle, capture):
    """Take the records of all nodes' own moves from their contexts again, after something else has changed those."""
    world = World(handle)
    if not keeps_every_move(world, capture):
        return
    pool, width = world.pool, world.meta.paged_width
    for slot in range(world.meta.slots):
        offset = world.index[slot]
        if offset == 0 or Node(pool, offset).owner != 0 or Node(pool, offset).amaf >= 0:
            continue
        context = context_of(world, offset, capture, Node(pool, offset).actor - 2)
        directory = AmafContext(pool, context).directory if context != 0 else 0
        first, size = own_moves(world, offset), size_of_node(world, offset)
        for place in range(first, first + OWN_MOVE_WORDS * size, OWN_MOVE_WORDS):
            move = OwnMove(pool, place)
            record = Record(pool, find_in_pages(pool, directory, width, move.action) if directory != 0 else NOWHERE)
            move.head += record.visits - move.visits
            move.reward = record.reward[0]
