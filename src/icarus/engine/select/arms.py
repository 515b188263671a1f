"""The arms of a decision: the records of the legal actions, read into the flat rows that a policy sees."""

from __future__ import annotations

from icarus.engine.amaf.by_key import all_moves_context, all_moves_layout
from icarus.engine.calls import call_context, call_heuristic, call_predicates
from icarus.engine.layout import (
    BEST,
    KEEPS_ALL_MOVES,
    KEEPS_NOTHING,
    KEEPS_RECORDS,
    LISTED,
    LOW,
    PAGED,
    SIMULATION,
    Directory,
    Record,
    SharedContext,
)
from icarus.engine.table.pages import record_of
from icarus.engine.table.records import find_context, find_record, record_in
from icarus.jit import at, element, part
from icarus.jit.randomness import mix


@part
def begin_step(world, lane, player, phase):
    """Write down what context functions may know of this step."""
    control, status, step = world.control, element(world.lanes, lane), world.step
    view = player if control.views > 1 and player >= 0 else 0
    step.player = player
    step.ply = status.ply
    step.root = control.root_ply
    step.label = status.label
    step.episode = status.episode
    step.phase = phase
    step.fact_count = -1
    step.moves = at(world.moves, (lane * control.views + view) * control.plies)
    step.actors = at(world.actors, lane * control.plies)


@part
def forget_contexts(world):
    """Nothing has been looked up for this step yet."""
    for capture in range(world.strategy.capture_count):
        element(world.looked, capture).count = -1


@part
def capture_key(key, capture, player):
    """The key of a context among those of all captures and players."""
    return mix(key, 7919 * capture + 104729 + player)


@part
def context_keys(world, lane, capture, function, player):
    """The keys of the contexts in which this step reads or writes; returns how many."""
    row, step, keys = element(world.captures, capture), world.step, world.keys
    if row.facts_needed != 0 and step.fact_count < 0:
        state = at(world.states, lane * world.game.state_size)
        step.fact_count = call_predicates(world.game.predicates, state, world.facts)
    count = call_context(function, step, keys, at(world.numbers, row.numbers))
    for i in range(count):
        keys[i] = capture_key(keys[i], capture, player)
    return count


@part
def read_statistics(world, record, own, i, node, arms):
    """The statistics that a policy asked for; ``own``: how many rewards stand before them."""
    leaf = element(world.nodes, node)
    for k in range(leaf.used_statistics):
        place = own + world.statistic_uses[leaf.first_statistic + k]
        arms.statistic[k * arms.stride + i] = Record(world.pool, record).reward[place]


@part
def read_listed(world, block, size, player):
    """Fill the baseline's arms with the records of a node that lists them; returns how many nobody has visited."""
    arms, unvisited = world.baseline_arms, 0
    for i in range(size):
        offset = record_in(world, block, i)
        world.records[i] = offset
        unvisited += read_arm(world.pool, arms, i, offset, player)
    return unvisited


@part
def read_arm(pool, arms, i, offset, player):
    """Returns whether nobody has visited the record."""
    record = Record(pool, offset)
    visits = record.visits
    arms.reward[i] = record.reward[player]
    arms.visits[i] = visits
    arms.available[i] = record.available
    return visits == 0


@part
def read_history(world, record, counts, player):
    """What policies and weights see of the history so far: reward of the player about to act, counts before this playout."""
    history = world.history_record
    history.reward = Record(world.pool, record).reward[player] if player >= 0 else 0.0
    history.visits = counts & LOW
    history.available = counts >> 32
    history.playouts = Record(world.pool, world.control.root_record).visits


@part
def read_records(world, context, layout, actions, size, player, node):
    """Fill the arms with the records of one context."""
    pool, arms = world.pool, world.arms
    width, directory = world.meta.paged_width, SharedContext(pool, context).directory
    wide_page = Directory(pool, directory).wide_page if layout == PAGED else 0
    used = element(world.nodes, node).used_statistics
    for i in range(size):
        if layout == PAGED:
            offset = record_of(pool, directory, wide_page, width, actions[i])
        else:
            offset = find_record(world, context, actions[i], i if layout == LISTED else -1)
        record = Record(pool, offset)
        arms.reward[i] = record.reward[0 if layout == PAGED else player]
        arms.visits[i] = record.visits
        arms.available[i] = record.available
        if used != 0:
            read_statistics(world, offset, 1 if layout == PAGED else world.game.players, i, node, arms)


@part
def merge_records(world, context, actions, size, merge, node):
    """Bring the records of one more context into the arms: added up, or the better of the two by average."""
    pool, arms = world.pool, world.arms
    leaf, width, directory = element(world.nodes, node), world.meta.paged_width, SharedContext(pool, context).directory
    wide_page = Directory(pool, directory).wide_page
    for i in range(size):
        record = Record(pool, record_of(pool, directory, wide_page, width, actions[i]))
        visits, reward = float(record.visits), record.reward[0]
        if merge == BEST:
            # no visits are worse than any
            if visits == 0.0 or (arms.visits[i] > 0.0 and reward * arms.visits[i] <= arms.reward[i] * visits):
                continue
            clear_arm(arms, i, leaf.used_statistics)
        arms.reward[i] += reward
        arms.visits[i] += visits
        arms.available[i] += record.available
        for k in range(leaf.used_statistics):
            arms.statistic[k * arms.stride + i] += record.reward[1 + world.statistic_uses[leaf.first_statistic + k]]


@part
def clear_arm(arms, i, statistics):
    arms.reward[i] = 0.0
    arms.visits[i] = 0.0
    arms.available[i] = 0.0
    for k in range(statistics):
        arms.statistic[k * arms.stride + i] = 0.0


@part
def clear_arms(world, arms, size, node):
    for i in range(size):
        clear_arm(arms, i, element(world.nodes, node).used_statistics)


@part
def read_reply(world, context, actions, size):
    """1 for the reply that a context remembers; returns whether it is legal."""
    arms = world.arms
    reply = SharedContext(world.pool, context).reply - 1
    if reply >= 0:
        for i in range(size):
            if actions[i] == reply:
                arms.reward[i] = 1.0
                arms.visits[i] = 1.0
                return True
    return False


@part
def gather(world, lane, capture, actions, size, player, phase, node):
    """Fill the arms with what a capture knows of the legal actions."""
    row, arms = element(world.captures, capture), world.arms
    kind, context, count = row.kind, 0, 0
    if kind == KEEPS_ALL_MOVES:
        if phase != SIMULATION or row.in_playouts != 0:
            context = all_moves_context(world, lane, capture, player)
            if context != 0:
                read_records(world, context, all_moves_layout(world, capture), actions, size, player, node)
                return
    elif kind != KEEPS_NOTHING:
        count = context_keys(world, lane, capture, row.read, player)
        keys, looked = world.keys, element(world.looked, capture)
        looked.count = count
        if count == 1:
            context = find_context(world, keys[0])
            looked.key = keys[0]
            looked.context = context
            if context != 0 and kind == KEEPS_RECORDS:
                read_records(world, context, PAGED, actions, size, player, node)
                return
    clear_arms(world, arms, size, node)
    if kind == KEEPS_NOTHING:
        state = at(world.states, lane * world.game.state_size)
        for i in range(size):
            arms.reward[i] = call_heuristic(world.game.heuristic, state, actions[i])
            arms.visits[i] = 1.0
    elif kind != KEEPS_ALL_MOVES:
        keys = world.keys
        for k in range(count):
            if count > 1:
                context = find_context(world, keys[k])
            if context == 0:
                continue
            if kind == KEEPS_RECORDS:
                merge_records(world, context, actions, size, row.merge, node)
            elif read_reply(world, context, actions, size):
                return
