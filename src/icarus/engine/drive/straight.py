"""Straight down and straight back: one lane of a compiled game in which a history leads to one state.

A node remembers what the game said of it: who acts, and which actions are legal; that it is in the tree says that it is not the
end.  So nothing is asked twice, and what the lockstep driver keeps in memory between steps stays in registers here.  The
choice at a node, the captures, the evaluation and the backup are the same parts.

It is compiled three times.  ``run_uct`` is UCT as published, the usual first search: UCB1 or UCB1-Tuned, playouts to the end, one
thread, and nothing replaced.  ``run_baseline`` has any policy on the baseline's records and all seams.  Within ``run``
(lockstep.py) it has the enhancements, too.  What one of them does not need is not compiled into it, since a dozen questions at
every node of the tree took a twentieth of connect_four's speed.
"""

from __future__ import annotations

from numba import types

from icarus.engine.amaf.playouts import path_row
from icarus.engine.backup import add_along, add_to_root, back_up_captures, back_up_path
from icarus.engine.calls import (
    call_apply,
    call_episode,
    call_heuristic,
    call_leaf_rule,
    call_legal,
    call_narrow,
    call_player,
    call_policy,
    call_prior,
    call_terminal,
)
from icarus.engine.drive.chance import choose_outcome
from icarus.engine.drive.limits import lap, reason_to_return
from icarus.engine.evaluate.cutoff import value_leaf
from icarus.engine.evaluate.playout import (
    are_rewards,
    ask_rewards,
    evaluate_leaves,
    finish_by_steps,
    finish_randomly,
    read_rewards,
)
from icarus.engine.evaluate.score import fail
from icarus.engine.evaluate.simulate import simulate
from icarus.engine.identity import child_key
from icarus.engine.layout import (
    AVAILABLE,
    BAD_ACTION,
    BLOCK_WORDS,
    BY_STATE,
    ENVIRONMENT,
    EXPANSION,
    FINE,
    INLINED_RAVE,
    INLINED_UCB1,
    INLINED_UCB1_TUNED,
    LOW,
    NO_ACTION,
    NOT_INLINED,
    OUT_OF_MEMORY,
    PRIOR_READS_GRANDFATHER,
    PRIOR_READS_HEURISTIC,
    SELECTION,
    TOO_LONG,
    TOO_MANY_ACTIONS,
    UNIFORM,
    VISIT,
    Block,
    Node,
    Record,
    World,
)
from icarus.engine.parameters import parameters_at
from icarus.engine.select.arms import read_history, read_listed, read_statistics
from icarus.engine.select.choose import choose, pick_by_leaf
from icarus.engine.select.consider import consider
from icarus.engine.select.glance import FEW_ARMS, is_noted, pick_and_note, update_notes
from icarus.engine.select.rave import pick_rave
from icarus.engine.select.simulation import capture_step, prepare_step
from icarus.engine.select.ucb1 import pick_ucb1, pick_untried, untried_first
from icarus.engine.table.records import add_counts, find_record, listed_block, make_context, record_in
from icarus.jit import at, atomic_add, cycles, element, inner, kernel, part, prefetch
from icarus.jit.randomness import random_below

BLOCK_AHEAD = 40  #: words of the next node that are worth asking for early


@kernel(types.int64(types.int64[::1]))
def run_uct(handle):
    """Iterations of UCB1 (or UCB1-Tuned) and random playouts."""
    return run_straight(World(handle), None, None)


@kernel(types.int64(types.int64[::1]))
def run_baseline(handle):
    """The same with any policy on the baseline's records, and any seam."""
    return run_straight(World(handle), True, None)


@part
def run_straight(world, seams, enhanced):
    """Run iterations until the target is reached; returns why it came back."""
    root = make_context(world, world.root_history[0], 0)
    while True:
        reason = reason_to_return(world, enhanced is None)  # with enhancements an iteration may make many contexts
        if reason >= 0 or root == 0:
            return reason if reason >= 0 else OUT_OF_MEMORY
        iterate(world, root, seams, enhanced)


@part
def iterate(world, root, seams, enhanced):
    """Down the tree, to the end, and back up.

    ``seams`` None: nothing is replaced, and the policy is the twin of UCB1 or UCB1-Tuned; ``enhanced`` None: nothing that only
    enhancements need is compiled.
    """
    control, strategy, lane = world.control, world.strategy, world.lanes
    timed = (control.started & 63) == 0
    moment = cycles() if timed else 0
    over = descend(world, root, seams, enhanced)
    if timed:
        moment = lap(world, 1, moment)
    if seams is None:
        if not over:
            finish_by_steps(world, None)
    else:
        lane.valued = 0
        if strategy.values_leaves != 0:
            value_leaf(world, 0)
        if not over:
            if strategy.evaluator != 0:
                if call_terminal(world.game.terminal, world.states) == 0:
                    evaluate_leaves(world, 1)
                    lane.valued = 1
            elif enhanced is None:
                finish_randomly(world, -1)
            elif strategy.uniform != 0:
                finish_randomly(world, -1)
            else:
                simulate(world)
    if timed:
        moment = lap(world, 2, moment)
    if control.error == FINE:
        if seams is None:
            if ask_rewards(world, 0):
                add_along(world, world.path, lane.rows, world.rewards, False)
                if is_noted(world):
                    update_notes(world, lane.rows)
                add_to_root(world, world.rewards)
                control.deepest = max(control.deepest, lane.depth)
                control.done += 1
        elif are_rewards(world, 0) if lane.valued != 0 else read_rewards(world, 0):
            back_up_path(world, 0, lane.rows)
            if enhanced is not None:
                back_up_captures(world, 0)
            control.deepest = max(control.deepest, lane.depth)
            control.done += 1
    if timed:
        lap(world, 3, moment)
        world.cycles[4] += 1


@part
def descend(world, offset, seams, enhanced):
    """From the root's node to a leaf of the tree, along PATH; returns whether the game is over."""
    game, control, strategy, pool, lane = world.game, world.control, world.strategy, world.pool, world.lanes
    state, root, path = world.states, world.root, path_row(world, 0, 0)
    apply, terminal, most, first_ply = game.apply, game.terminal, game.max_plies, control.root_ply
    deepest, record = strategy.max_depth, control.root_record
    for word in range(game.state_size):
        state[word] = root[word]
    control.started += 1
    counts = Record(pool, record).counts
    rows, depth = 0, 0
    if enhanced is not None:
        lane.updates = 0
        lane.label = control.root_label
        lane.episode = control.root_episode
    over, noted = False, is_noted(world)
    block = Node(pool, offset).block
    while True:
        node = Node(pool, offset)
        if block == 0:
            if node.actor == 0:
                node.actor = call_player(game.player, state) + 2
            if node.actor - 2 != ENVIRONMENT:
                block = open_node(world, offset, rows, seams)
                if block == 0:  # memory is used up: the playout goes on from here, and the search ends after it
                    break
        player = node.actor - 2
        row = element(path, rows)
        if seams is not None:
            row.node = offset
            row.player = player
            row.visits = counts & LOW
            row.ply = first_ply + rows
        rows += 1
        narrowed = False
        if seams is not None:
            narrowed = control.narrow != 0 and (node.proof != 0 or control.after_playout != 0)
        if enhanced is not None:
            lane.ply = first_ply + rows - 1
            lane.rows = rows
            if game.episode != 0 and strategy.needs_episodes != 0 and rows > 1:
                label = call_episode(game.episode, state)
                if label >= 0:
                    lane.label = label
                    lane.episode = lane.ply
        if seams is None:
            if noted:
                record = pick_and_note(world, row, block, player)
            else:
                record = pick_ucb1(world, 0, block, player, None)
            row.record = record
            depth += 1
            action = Record(pool, record).label - 1
        elif game.sample != 0 and player == ENVIRONMENT:
            size = call_legal(game.legal, state, world.legal) if control.even != 0 else 0
            action = choose_outcome(world, 0, row, size)
            record = row.record
        else:
            if strategy.leaf != 0:
                read_history(world, record, counts, player)
            record = choose_listed(world, row, block, record, counts, narrowed, enhanced)
            row.record = record
            depth += 1
            action = Record(pool, record).label - 1
        if seams is None:
            counts = Record(pool, record).counts
            Record(pool, record).counts = counts + VISIT
        else:
            counts = add_counts(world, record, VISIT) - AVAILABLE
        before = counts & LOW
        if seams is not None:
            if control.keeps != 0:
                world.actions[row.ply] = action
        if enhanced is not None:
            if strategy.needs_moves != 0:
                note_step(world, row, action, before, narrowed)
        # asked for before the game takes its time, so that the next node is there when it is needed: its block is behind it
        following = Record(pool, record).following
        for line in range(following, following + BLOCK_AHEAD, 8):
            prefetch(pool, line)
        block = Node(pool, following).block
        call_apply(apply, state, action)
        leaf = before == 0
        if seams is not None:
            if strategy.leaf != 0 and player != ENVIRONMENT:
                leaf = call_leaf_rule(strategy.leaf, before, world.history_record, at(world.numbers, strategy.leaf_numbers)) != 0
        if leaf or depth >= deepest or rows >= most:
            if rows >= most and call_terminal(terminal, state) == 0:
                fail(control, TOO_LONG, rows, most)
            break
        # where nodes are positions one may come back to a node, and the game may end on the way
        ask = following == 0
        if seams is not None:
            ask = ask or control.identity == BY_STATE
        if ask and call_terminal(terminal, state) != 0:
            over = True
            break
        if following == 0:
            following = make_context(world, child_key(world, node.key, action, state), 0)
            if following == 0:
                break
            block = Node(pool, following).block
            if following < 2147483648:
                Record(pool, record).head = (action + 1) | following << 32
        offset = following
    lane.rows = rows
    lane.depth = depth
    lane.ply = first_ply + rows
    control.tree_steps += rows
    control.all_steps += rows
    return over or control.error != FINE


@part
def open_node(world, offset, rows, seams):
    """List the actions of a node that is new; returns its block, 0 when memory is used up or the game breaks its contract."""
    game, control, legal = world.game, world.control, world.legal
    size = call_legal(game.legal, world.states, legal)
    if size < 1 or size > game.max_actions:
        fail(control, NO_ACTION if size < 1 else TOO_MANY_ACTIONS, rows, size)
        return 0
    for i in range(size):
        if legal[i] < 0 or legal[i] >= 2147483647:
            fail(control, BAD_ACTION, rows, legal[i])
            return 0
    if seams is None:
        return listed_block(world, offset, legal, size, 2 * size if size > FEW_ARMS else 0)
    player = Node(world.pool, offset).actor - 2
    if world.strategy.tree_filters != 0:
        size = consider(world, 0, world.states, legal, size, player, SELECTION)
    block = listed_block(world, offset, legal, size, 0)
    if block != 0 and world.strategy.prior != 0:
        set_prior(world, 0, rows, block, size, world.states, legal, player)
    return block


@part
def set_prior(world, lane, rows, block, size, state, legal, player):
    """What the records of a new node begin with: virtual visits and their total reward for the player who acts there."""
    strategy, arms, players = world.strategy, world.baseline_arms, world.game.players
    for i in range(size):
        arms.reward[i] = 0.0
        arms.visits[i] = 0.0
    if strategy.prior_reads == PRIOR_READS_HEURISTIC:
        for i in range(size):
            arms.reward[i] = call_heuristic(world.game.heuristic, state, legal[i])
    elif strategy.prior_reads == PRIOR_READS_GRANDFATHER:
        read_grandfather(world, lane, rows, legal, size, player)
    call_prior(strategy.prior, state, legal, size, arms.reward, arms.visits, at(world.numbers, strategy.prior_numbers))
    total = 0
    for i in range(size):
        total += int(arms.visits[i])
    for i in range(size):
        record, visits = Record(world.pool, record_in(world, block, i)), int(arms.visits[i])
        record.counts = visits * VISIT + total * AVAILABLE
        for other in range(players):
            share = arms.reward[i] if other == player else (visits - arms.reward[i]) / max(players - 1, 1)
            record.reward[other] = share


@part
def read_grandfather(world, lane, rows, legal, size, player):
    """What the player's previous node on the path knows of the same actions."""
    arms, number = world.baseline_arms, rows - 1
    while number >= 0 and path_row(world, lane, number).player != player:
        number -= 1
    if number < 0:
        return
    node = path_row(world, lane, number).node
    for i in range(size):
        offset = find_record(world, node, legal[i], i)
        if offset != 0:
            arms.reward[i] = Record(world.pool, offset).reward[player]
            arms.visits[i] = Record(world.pool, offset).visits


@inner
def choose_listed(world, row, block, above, counts, narrowed, enhanced):
    """The record that the policy of the tree chooses at a node; all records there have been available once more.

    ``above``, ``counts``: the record of the history, and its counts before this playout; ``narrowed``: something is proven here.
    """
    twin = world.control.tree_twin
    if not narrowed:
        if twin == INLINED_UCB1 or twin == INLINED_UCB1_TUNED:
            return pick_ucb1(world, 0, block, row.player, True)
        if enhanced is not None:
            if twin == INLINED_RAVE:
                return pick_rave(world, 0, row, block)
    if enhanced is not None:
        return choose_by_policy(world, row, block, above, counts, narrowed)
    if narrowed:
        return choose_narrowed(world, row, block, above, counts)
    return choose_alone(world, 0, row, block, above, counts)


@part
def choose_by_policy(world, row, block, above, counts, narrowed):
    """The same by the policy's own function, or whatever a strategy combines."""
    pool, player, legal = world.pool, row.player, world.legal
    listed = Block(pool, block).capacity
    unvisited, size = read_listed(world, block, listed, player), listed
    if narrowed:
        size = call_narrow(world.control.narrow, world, row.node, player)
    row.selection = unvisited == 0
    read_history(world, above, counts, player)
    world.choice.odds = 0.0
    world.choice.read = 0
    pick, phase = 0, SELECTION if unvisited == 0 else EXPANSION
    for i in range(size):
        legal[i] = Record(pool, world.records[i]).label - 1
    found = prepare_step(world, 0, player, phase)
    if size > 1:
        pick = choose(world, 0, world.strategy.tree_policy, legal, size, player, phase)
    capture_step(world, 0, legal[pick], pick, legal, size, player, phase, found)
    row.odds = world.choice.odds if world.choice.capture == 0 else 0.0
    chosen = world.records[pick]
    for i in range(listed):
        add_counts(world, record_in(world, block, i), AVAILABLE)
    return chosen


@part
def choose_alone(world, lane, row, block, above, counts):
    """The same where one policy reads these records alone: a single pass reads them and counts their availability."""
    pool, player, arms, meta, rng = world.pool, row.player, world.baseline_arms, world.meta, at(world.rng, lane)
    size, first, width, node = Block(pool, block).capacity, block + BLOCK_WORDS, meta.width, world.strategy.tree_policy
    leaf = element(world.nodes, node)
    row.odds = 0.0
    if leaf.untried_first != 0:
        untried = untried_first(world, first, size)
        if untried > 0:
            world.chosen[EXPANSION * world.control.policy_nodes + node] += size > 1
            row.selection = 0
            return pick_untried(world, rng, first, size, width, untried, meta.shared != 0)
    reward, visits, available = arms.reward, arms.visits, arms.available
    shared, own, unvisited, offset = meta.shared != 0, world.game.players, 0, first
    one = leaf.used_statistics == 1
    only = own + world.statistic_uses[leaf.first_statistic] if one else 0
    for i in range(size):
        record = Record(pool, offset)
        if shared:
            before = atomic_add(record, "counts", AVAILABLE)
        else:
            before = record.counts
            record.counts = before + AVAILABLE
        reward[i] = record.reward[player]
        visits[i] = before & LOW
        available[i] = before >> 32
        unvisited += before & LOW == 0
        if one:
            arms.statistic[i] = record.reward[only]
        offset += width
    for k in range(0 if one else leaf.used_statistics):
        statistic, place = at(arms.statistic, k * arms.stride), own + world.statistic_uses[leaf.first_statistic + k]
        for i in range(size):
            statistic[i] = Record(pool, first + i * width).reward[place]
    row.selection = unvisited == 0
    if size == 1:
        return first
    world.chosen[(SELECTION if unvisited == 0 else EXPANSION) * world.control.policy_nodes + node] += 1
    if leaf.kind == UNIFORM:
        return first + random_below(rng, size) * width
    read_history(world, above, counts, player)
    world.choice.odds = 0.0
    arms.size = size
    arms.rng = rng
    call_policy(leaf.function, arms, world.values, parameters_at(world, leaf.numbers, player))
    pick = pick_by_leaf(world, lane, node, size)
    row.odds = world.choice.odds
    return first + pick * width


@part
def choose_narrowed(world, row, block, above, counts):
    """The same among those records alone of which not all is proven (proofs/bounds.py)."""
    pool, player, arms, node = world.pool, row.player, world.baseline_arms, world.strategy.tree_policy
    leaf = element(world.nodes, node)
    size = call_narrow(world.control.narrow, world, row.node, player)
    unvisited, pick = 0, 0
    for i in range(size):
        unvisited += arms.visits[i] == 0.0
        if leaf.used_statistics != 0:
            read_statistics(world, world.records[i], world.game.players, i, node, arms)
    row.selection = unvisited == 0
    read_history(world, above, counts, player)
    world.choice.odds = 0.0
    if size > 1:
        world.chosen[(SELECTION if unvisited == 0 else EXPANSION) * world.control.policy_nodes + node] += 1
        if leaf.kind == UNIFORM:
            pick = random_below(world.rng, size)
        else:
            arms.size = size
            arms.rng = world.rng
            call_policy(leaf.function, arms, world.values, parameters_at(world, leaf.numbers, player))
            pick = pick_by_leaf(world, 0, node, size)
    row.odds = world.choice.odds
    for i in range(Block(pool, block).capacity):
        add_counts(world, record_in(world, block, i), AVAILABLE)
    return world.records[pick]


@part
def list_actions(world, block):
    """The legal actions of a node that remembers them; returns how many there are."""
    size = Block(world.pool, block).capacity
    for i in range(size):
        world.legal[i] = Record(world.pool, record_in(world, block, i)).label - 1
    return size


@part
def note_step(world, row, action, before, narrowed):
    """Let the captures see a step down the tree whose choice was not theirs, and keep the move."""
    player = row.player
    by_twin = world.control.tree_twin != NOT_INLINED and not narrowed
    if world.strategy.needs_steps != 0 and player >= 0 and by_twin:
        world.choice.odds = 0.0
        world.choice.read = 0
        phase = EXPANSION if before == 0 else SELECTION
        found = prepare_step(world, 0, player, phase)
        size = 0 if found else list_actions(world, Node(world.pool, row.node).block)
        capture_step(world, 0, action, 0, world.legal, size, player, phase, found)
    world.moves[row.ply] = action
    world.actors[row.ply] = player
    world.actions[row.ply] = action
