"""All moves as first: what tree nodes learn from moves that were played later (AMAF, RAVE, GRAVE, HRAVE).

AMAF and RAVE update, at each tree node, the legal actions that its player played there or later (AMAF-6 of icarus-2014).  GRAVE
reads the records of an ancestor, so a node must also keep moves that are not legal there, and those of the other players.  That
would be one record per node and ply, and most nodes are never asked: so a node only notes the playouts that passed it, and
catches up with them when its records are read for the first time.  The records are the same, playout by playout.

Here each player has a history of its own, so a node's records are found by key; with perfect information the node itself leads
to them (by_node.py).
"""

from __future__ import annotations

from numba import types

from icarus.engine.amaf import by_node
from icarus.engine.amaf.playouts import (
    amaf_key,
    at_selection_only,
    begin_counting,
    count_back,
    count_later,
    counts_here,
    defer,
    keep_playout,
    keeps_every_move,
    last_counted,
    new_entry,
    oldest_first,
    path_row,
    reference_number,
    replace,
    replay,
)
from icarus.engine.identity import history_of
from icarus.engine.layout import (
    AVAILABLE,
    HASHED,
    LISTED,
    PAGED,
    UP_TO_DATE,
    VISIT,
    AmafContext,
    Node,
    Pending,
    World,
)
from icarus.engine.table.pages import make_in_pages, update_in_page
from icarus.engine.table.records import add_counts, add_reward, find_context, make_context, make_record
from icarus.jit import at, element, kernel, part

PENDING_PLACE = AmafContext.pending.offset

# --- the way down ----------------------------------------------------------------------------------------------------


@part
def note_legal(world, lane, row, options, size):
    """Keep what AMAF needs of the node at a row of the path: its histories and its legal actions."""
    control, status, players = world.control, element(world.lanes, lane), world.game.players
    row.first_legal = status.legal_words
    row.legal_count = 0
    if status.legal_words + size <= control.path_legal_words:
        row.legal_count = size
        store = at(world.path_legal, lane * control.path_legal_words + status.legal_words)
        for i in range(size):
            store[i] = options[i]
        status.legal_words += size
    for viewer in range(players):
        world.path_histories[(lane * control.plies + status.rows) * players + viewer] = history_of(world, lane, viewer)


@part
def path_history(world, lane, number, player):
    """What a player had seen at a row of the path."""
    return world.path_histories[(lane * world.control.plies + number) * world.game.players + player]


@part
def all_moves_layout(world, capture):
    """How the records of a node are found: with perfect information it lists the same legal actions every time."""
    if keeps_every_move(world, capture):
        return PAGED
    return LISTED if world.game.determinize == 0 else HASHED


@part
def all_moves_context(world, lane, capture, player):
    """The context that a decision in the tree reads, up to date; 0 if there is none."""
    if world.control.amaf_by_node != 0:
        return by_node.node_context(world, lane, capture, player)
    history = path_history(world, lane, reference_number(world, lane, capture), player)
    context = find_context(world, amaf_key(history, capture, player))
    if context != 0 and AmafContext(world.pool, context).pending != UP_TO_DATE and keeps_every_move(world, capture):
        catch_up(world, context)
    return context


# --- the end of a playout --------------------------------------------------------------------------------------------


@part
def capture_all_moves(world, lane, capture):
    """Update the nodes that the playout passed with the moves that came later."""
    linked = world.control.amaf_by_node != 0
    if keeps_every_move(world, capture):
        if linked:
            by_node.capture_every_move(world, lane, capture)
        else:
            capture_every_move(world, lane, capture)
    elif linked:
        by_node.capture_legal_moves(world, lane, capture)
    else:
        capture_legal_moves(world, lane, capture)


@part
def capture_legal_moves(world, lane, capture):
    """AMAF-6: at every tree node, the actions legal there that its player played there or later."""
    control, status = world.control, element(world.lanes, lane)
    selection_only = at_selection_only(world, capture)
    listed = all_moves_layout(world, capture) == LISTED
    actors, actions = at(world.actors, lane * control.plies), at(world.actions, lane * control.plies)
    begin_counting(world)
    number, ply = status.rows - 1, last_counted(world, lane, capture)
    while number >= 0:
        row = path_row(world, lane, number)
        count_back(world, actors, actions, row.ply, ply)
        ply = row.ply
        player = row.player
        if player >= 0 and (not selection_only or row.selection != 0):
            context, reward = 0, world.rewards[lane * world.game.players + player]
            legal = at(world.path_legal, lane * control.path_legal_words + row.first_legal)
            for i in range(row.legal_count):
                times = count_later(world, player, legal[i], 0)
                if times > 0 and counts_here(world, lane, capture, legal[i], reward):
                    if context == 0:
                        key = amaf_key(path_history(world, lane, number, player), capture, player)
                        context = make_context(world, key, capture)
                    record = make_record(world, context, legal[i], i if listed else -1, row.legal_count)
                    add_counts(world, record, times * (VISIT + AVAILABLE))
                    add_reward(world, record, player, times * reward)
        number -= 1


@part
def capture_every_move(world, lane, capture):
    """GRAVE: at every tree node all later moves of every player, at once where they are read, else deferred."""
    control, pool, status = world.control, world.pool, element(world.lanes, lane)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(world.actors, lane * control.plies), at(world.actions, lane * control.plies)
    end, players, now = status.ply, world.game.players, world.keys
    above, kept, entries = -1, 0, 0
    for number in range(status.rows):
        row = path_row(world, lane, number)
        if row.player < 0 or (selection_only and row.selection == 0):
            continue
        first, reading = row.ply, 0
        for player in range(players):
            now[player] = 0
            history = path_history(world, lane, number, player)
            # who has seen nothing since the node above is still there, and its moves count once
            if above >= 0 and path_history(world, lane, above, player) == history:
                continue
            if not acts(actors, player, first, end):
                continue
            offset = make_context(world, amaf_key(history, capture, player), capture)
            if offset == 0:
                continue
            context = AmafContext(pool, offset)
            context.acting = player
            if context.pending == UP_TO_DATE:
                now[player] = offset
                reading += 1
            else:
                if kept == 0:
                    kept = keep_playout(world, lane, first, players * (status.rows - number))
                if kept != 0:
                    defer(world, offset + PENDING_PLACE, new_entry(world, kept, entries, first))
                    entries += 1
        if reading > 0:
            for step in range(first, end):
                player = actors[step]
                if player >= 0 and now[player] != 0:
                    record = make_in_pages(world, now[player], actions[step], False)
                    update_in_page(world, record, capture, VISIT + AVAILABLE, world.rewards[lane * players + player])
        above = number


@part
def acts(actors, player, first, end):
    for step in range(first, end):
        if actors[step] == player:
            return True
    return False


# --- catching up -----------------------------------------------------------------------------------------------------


@part
def catch_up(world, offset):
    """Bring a context up to date with the playouts that it deferred, the oldest first."""
    pool, context = world.pool, AmafContext(world.pool, offset)
    newest = context.pending
    if not replace(world, offset + PENDING_PLACE, newest, UP_TO_DATE):
        return  # another thread is at it
    entry = oldest_first(pool, newest, 0)
    while entry != 0:
        replay(world, offset, entry, context.acting)
        entry = Pending(pool, entry).next


@kernel(types.void(types.int64[::1], types.int64))
def catch_up_all(handle, capture):
    """Bring every context of a capture up to date, before someone other than the loop looks at its records."""
    world = World(handle)
    if not keeps_every_move(world, capture):
        return
    pool, linked = world.pool, world.control.amaf_by_node != 0
    for slot in range(world.meta.slots):
        offset = world.index[slot]
        if offset == 0:
            continue
        if linked and Node(pool, offset).owner == 0 and Node(pool, offset).amaf != 0:
            for player in range(world.game.players):
                by_node.context_of(world, offset, capture, player)
        elif not linked and Node(pool, offset).owner == capture and AmafContext(pool, offset).pending > 0:
            catch_up(world, offset)
