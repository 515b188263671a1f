"""All moves as first: what tree nodes learn from moves that were played later (AMAF, RAVE, GRAVE, HRAVE).

AMAF and RAVE update, at each tree node, the legal actions that its player played there or later (AMAF-6 of icarus-2014).  GRAVE
reads the records of an ancestor, so a node must also keep moves that are not legal there, and those of the other players.  That
would be one record per node and ply, and most nodes are never asked: so a node only notes the playouts that passed it, and
catches up with them when its records are read for the first time.  The records are the same, playout by playout.
"""

from __future__ import annotations

from numba import types

from icarus.engine import words as w
from icarus.engine.later import (
    at_selection_only,
    begin_counting,
    count_back,
    count_later,
    keep_playout,
    keeps_every_move,
    new_entry,
    node_key,
    oldest_first,
    path_row,
    put_off,
    reference_node,
    replace,
    replay,
)
from icarus.engine.linked import capture_every_move_linked, capture_legal_moves_linked, context_of, linked_context
from icarus.engine.native import at, ints, kernel, part, reals
from icarus.engine.observers import history_of
from icarus.engine.pages import make_in_pages, update_in_page
from icarus.engine.records import add, add_reward, find_context, make_context, make_record

# --- the way down ----------------------------------------------------------------------------------------------------


@part
def note_path(world, lane, options, size, player, phase):
    """Keep what AMAF needs of a tree node: its visits, its histories and its legal actions."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    players = game[w.PLAYERS]
    row = path_row(world, lane, status[w.TREE_NODES])
    row[w.PATH_VISITS] = status[w.COUNTS_BEFORE] & w.LOW
    row[w.PATH_PLAYER] = player
    row[w.PATH_SELECTION] = phase == w.SELECTION
    row[w.PATH_PLY] = status[w.PLY_NOW]
    row[w.PATH_FIRST] = status[w.TREE_LEGAL]
    row[w.PATH_COUNT] = 0
    if status[w.TREE_LEGAL] + size <= control[w.PATH_WORDS]:
        row[w.PATH_COUNT] = size
        store = at(ints(world, w.PATH_LEGAL), lane * control[w.PATH_WORDS] + status[w.TREE_LEGAL])
        for i in range(size):
            store[i] = options[i]
        status[w.TREE_LEGAL] += size
    for viewer in range(players):
        row[w.PATH_HISTORY + viewer] = history_of(world, lane, viewer)
    status[w.TREE_NODES] += 1


@part
def all_moves_key(world, lane, capture, node, player):
    """The key of the context of a tree node on the path, for the moves of one player."""
    return node_key(path_row(world, lane, node)[w.PATH_HISTORY + player], capture, player)


@part
def all_moves_layout(world, capture):
    """How the records of a node are found: with perfect information it lists the same legal actions every time."""
    if keeps_every_move(world, capture):
        return w.PAGED
    return w.LISTED if ints(world, w.GAME)[w.F_DETERMINIZE] == 0 else w.HASHED


@part
def all_moves_context(world, lane, capture, player):
    """The context that a decision in the tree reads, up to date; 0 if there is none."""
    if ints(world, w.CONTROL)[w.LINKED] != 0:
        return linked_context(world, lane, capture, player)
    node = reference_node(world, lane, capture)
    context = find_context(world, all_moves_key(world, lane, capture, node, player))
    if context != 0 and ints(world, w.POOL)[context + w.REPLY] != w.UP_TO_DATE and keeps_every_move(world, capture):
        catch_up(world, context)
    return context


# --- the end of a playout --------------------------------------------------------------------------------------------


@part
def capture_all_moves(world, lane, capture):
    """Update the nodes that the playout passed with the moves that came later."""
    linked = ints(world, w.CONTROL)[w.LINKED] != 0
    if keeps_every_move(world, capture):
        if linked:
            capture_every_move_linked(world, lane, capture)
        else:
            capture_every_move(world, lane, capture)
    elif linked:
        capture_legal_moves_linked(world, lane, capture)
    else:
        capture_legal_moves(world, lane, capture)


@part
def capture_legal_moves(world, lane, capture):
    """AMAF-6: at every tree node, the actions legal there that its player played there or later."""
    control, rewards = ints(world, w.CONTROL), reals(world, w.REWARDS)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    selection_only = at_selection_only(world, capture)
    listed = all_moves_layout(world, capture) == w.LISTED
    actors, actions = at(ints(world, w.ACTORS), lane * control[w.PLIES]), at(ints(world, w.ACTIONS), lane * control[w.PLIES])
    begin_counting(world)
    node, ply = status[w.TREE_NODES] - 1, status[w.PLY_NOW]
    while node >= 0:
        row = path_row(world, lane, node)
        count_back(world, actors, actions, row[w.PATH_PLY], ply)
        ply = row[w.PATH_PLY]
        if not selection_only or row[w.PATH_SELECTION] != 0:
            player = row[w.PATH_PLAYER]
            context = 0
            legal = at(ints(world, w.PATH_LEGAL), lane * control[w.PATH_WORDS] + row[w.PATH_FIRST])
            for i in range(row[w.PATH_COUNT]):
                times = count_later(world, player, legal[i], 0)
                if times > 0:
                    if context == 0:
                        context = make_context(world, all_moves_key(world, lane, capture, node, player), capture)
                    record = make_record(world, context, legal[i], i if listed else -1, row[w.PATH_COUNT])
                    add(world, record, times * (w.VISIT + w.AVAILABLE))
                    add_reward(world, record, w.REWARD + player, times * rewards[player])
        node -= 1


@part
def capture_every_move(world, lane, capture):
    """GRAVE: at every tree node all later moves of every player, at once where they are read, else put off."""
    game, control, pool = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.POOL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    selection_only = at_selection_only(world, capture)
    actors, actions = at(ints(world, w.ACTORS), lane * control[w.PLIES]), at(ints(world, w.ACTIONS), lane * control[w.PLIES])
    end, players = status[w.PLY_NOW], game[w.PLAYERS]
    now, rewards = ints(world, w.KEYS), reals(world, w.REWARDS)
    above, kept, entries = -1, 0, 0
    for node in range(status[w.TREE_NODES]):
        row = path_row(world, lane, node)
        if selection_only and row[w.PATH_SELECTION] == 0:
            continue
        first, reading = row[w.PATH_PLY], 0
        for player in range(players):
            now[player] = 0
            # who has seen nothing since the node above is still there, and its moves count once
            if above >= 0 and path_row(world, lane, above)[w.PATH_HISTORY + player] == row[w.PATH_HISTORY + player]:
                continue
            if not acts(actors, player, first, end):
                continue
            context = make_context(world, all_moves_key(world, lane, capture, node, player), capture)
            if context == 0:
                continue
            pool[context + w.ACTING] = player
            if pool[context + w.REPLY] == w.UP_TO_DATE:
                now[player] = context
                reading += 1
            else:
                if kept == 0:
                    kept = keep_playout(world, actors, actions, first, end, players * (status[w.TREE_NODES] - node))
                if kept != 0:
                    put_off(world, context + w.REPLY, new_entry(world, kept, entries, first))
                    entries += 1
        if reading > 0:
            for step in range(first, end):
                player = actors[step]
                if player >= 0 and now[player] != 0:
                    record = make_in_pages(world, now[player], actions[step])
                    update_in_page(world, record, capture, w.VISIT + w.AVAILABLE, rewards[player])
        above = node


@part
def acts(actors, player, first, end):
    for step in range(first, end):
        if actors[step] == player:
            return True
    return False


# --- catching up -----------------------------------------------------------------------------------------------------


@part
def catch_up(world, context):
    """Bring a context up to date with the playouts that it put off, the oldest first."""
    pool = ints(world, w.POOL)
    newest = pool[context + w.REPLY]
    if not replace(world, context + w.REPLY, newest, w.UP_TO_DATE):
        return  # another thread is at it
    entry = oldest_first(pool, newest, 0)
    while entry != 0:
        replay(world, context, entry, pool[context + w.ACTING])
        entry = pool[entry + w.PENDING_NEXT]


@kernel(types.void(types.int64[::1], types.int64))
def catch_up_all(world_array, capture):
    """Bring every context of a capture up to date, before someone other than the loop looks at its records."""
    world = at(world_array, 0)
    if not keeps_every_move(world, capture):
        return
    pool, index, linked = ints(world, w.POOL), ints(world, w.INDEX), ints(world, w.CONTROL)[w.LINKED] != 0
    for slot in range(ints(world, w.META)[w.SLOTS]):
        context = index[slot]
        if context == 0:
            continue
        if linked and pool[context + w.OWNER] == 0 and pool[context + w.NOTES] != 0:
            for player in range(ints(world, w.GAME)[w.PLAYERS]):
                context_of(world, context, capture, player)
        elif not linked and pool[context + w.OWNER] == capture and pool[context + w.REPLY] > 0:
            catch_up(world, context)
