"""Transpositions beyond shared nodes: what a position is worth, however it came about (Childs, Brodeur and Kocsis 2008).

Where nodes are positions (engine/identity.py) a record is a pair of position and action, and all ways to the position share it:
that is UCT1.  UCT2 values an action by the position that it leads to, over all visits from anywhere; how often the action itself
was tried still says how much it is explored.  UCT3 also values a position by its successors, and passes every change on to all
positions that lead to it, not only along the path.

A node gets words of its own the first time that somebody goes on from it; a record is marked when it is known to lead there.
The loop calls two functions here by address: ``share`` at the end of every playout, ``value_positions`` on the way down.
"""

from __future__ import annotations

from icarus.engine.amaf.playouts import path_row
from icarus.engine.calls import NARROW, SETTLE
from icarus.engine.layout import REWARD, SINK, Block, Control, Node, OwnPosition, Record
from icarus.engine.table.records import allocate, record_in
from icarus.jit import address, at, compiled, element, part, size_of

PARENT_WORDS = 2  #: of an entry in the list of nodes that lead to a node: the next entry, the node
MOST_REFRESHED = 512  #: nodes that one playout refreshes: a cycle of positions cannot hang a search
OWN_WORDS = size_of(OwnPosition)


@part
def leads_on(world, record):
    """Where a record says whether it is known to lead to the words of a node."""
    return record + REWARD + world.control.proof_place


@part
def first_rewards(world, own):
    """Where a node keeps the rewards of the playouts that began there; those of all playouts stand before them."""
    return at(OwnPosition(world.pool, own).reward, world.game.players)


@compiled
def share(world, lane):
    """A playout has been added to its path: let the positions on it know, and with UCT3 all that lead to them."""
    pool, control, players = world.pool, world.control, world.game.players
    rows, rewards = element(world.lanes, lane).rows, at(world.rewards, lane * players)
    for number in range(1, rows):
        node, edge = path_row(world, lane, number).node, path_row(world, lane, number - 1).record
        if node == 0 or edge == SINK:
            return
        own = Node(pool, node).proof
        if own == 0:
            own = allocate(world, OWN_WORDS + 2 * players)
            if own == 0:
                return
            Node(pool, node).proof = own
        words = OwnPosition(pool, own)
        if pool[leads_on(world, edge)] == 0:
            pool[leads_on(world, edge)] = 1
            meet(world, lane, number, edge, own)
        words.visits += 1
        for player in range(players):
            words.reward[player] += rewards[player]
    if control.refreshes != 0:
        refresh_ancestors(world, lane, rows)


@part
def meet(world, lane, number, edge, own):
    """A record leads to a node for the first time: the playouts that began behind it before, and the node that it belongs to."""
    pool, players = world.pool, world.game.players
    words, earlier, rewards = OwnPosition(pool, own), Record(pool, edge).visits - 1, at(world.rewards, lane * players)
    first = first_rewards(world, own)
    words.visits += earlier
    words.first_visits += earlier
    for player in range(players):
        reward = Record(pool, edge).reward[player] - rewards[player] if earlier > 0 else 0.0
        words.reward[player] += reward
        first[player] += reward
    if world.control.refreshes != 0:
        entry = allocate(world, PARENT_WORDS)
        if entry != 0:
            pool[entry] = words.parents
            pool[entry + 1] = path_row(world, lane, number - 1).node
            words.parents = entry


@part
def refresh_ancestors(world, lane, rows):
    """Value the positions of the path anew, the last first, and after them whatever leads to one that has changed."""
    pool, queue, filled, taken = world.pool, world.keys, 0, 0
    for number in range(rows - 1, 0, -1):
        if filled < MOST_REFRESHED:
            queue[filled] = path_row(world, lane, number).node
            filled += 1
    path = filled
    while taken < filled:
        node = queue[taken]
        taken += 1
        own = Node(pool, node).proof
        # those of the path have changed in any case: the playout has been added to them
        if own == 0 or not (refresh(world, node, own) or taken <= path):
            continue
        entry = OwnPosition(pool, own).parents
        while entry != 0 and filled < MOST_REFRESHED:
            queue[filled] = pool[entry + 1]
            waiting = taken
            while queue[waiting] != queue[filled]:
                waiting += 1
            filled += waiting == filled  # it does not wait already
            entry = pool[entry]


@part
def refresh(world, node, own):
    """A position is worth the playouts that began there and its successors, each as often as it was chosen; has that changed?"""
    pool, players, words = world.pool, world.game.players, OwnPosition(world.pool, own)
    first, changed = first_rewards(world, own), False
    for player in range(players):
        total, visits = first[player], words.first_visits
        block = Node(pool, node).block
        while block != 0:
            for i in range(Block(pool, block).capacity):
                offset = record_in(world, block, i)
                tried = Record(pool, offset).visits
                if Record(pool, offset).label != 0 and tried > 0:
                    total += worth(world, offset, player)
                    visits += tried
            block = Block(pool, block).next
        changed = changed or words.visits != visits or abs(words.reward[player] - total) > 1e-9
        words.reward[player] = total
        if player == players - 1:
            words.visits = visits
    return changed


@part
def worth(world, offset, player):
    """What a record stands for: its visits times the average reward of the position that it leads to."""
    pool, record = world.pool, Record(world.pool, offset)
    visits, following = record.visits, record.following
    if following == 0 or pool[leads_on(world, offset)] == 0:
        return record.reward[player]
    own = OwnPosition(pool, Node(pool, following).proof)
    # where nothing else leads there nothing is divided: a tree without transpositions is searched as ever, to the last digit
    return own.reward[player] if own.visits == visits else visits * own.reward[player] / max(own.visits, 1)


@compiled
def value_positions(world, node, mover):
    """Fill the records and arms of a node, each action valued by the position that it leads to; returns how many there are."""
    pool, arms = world.pool, world.baseline_arms
    block = Node(pool, node).block
    size = Block(pool, block).capacity
    for i in range(size):
        offset = record_in(world, block, i)
        world.records[i] = offset
        arms.reward[i] = worth(world, offset, mover)
        arms.visits[i] = Record(pool, offset).visits
        arms.available[i] = Record(pool, offset).available
    return size


#: what the loop calls by address
FUNCTIONS = ((share, SETTLE), (value_positions, NARROW))


def use_positions(control: Control, *, place: int, refreshes: bool) -> None:
    """Tell a worker to value actions by positions; ``place``: how many numbers of a record stand before its mark."""
    control.after_playout, control.narrow = (address(function, signature) for function, signature in FUNCTIONS)
    control.proof_place, control.refreshes = place, refreshes
