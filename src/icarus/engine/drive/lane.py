"""One playout under way, step by step, for every kind of game: what the lockstep driver does with each of its lanes.

Selection, expansion and simulation are told apart by the baseline record's visits (section 4.2 of icarus-2014): as long as the
record of the history has been visited the playout is in the tree; the first unvisited record ends it, and what follows is
simulation.  The root counts as visited from the start, as in the pseudocode of ismcts-2012.
"""

from __future__ import annotations

from icarus.engine.amaf.by_key import note_legal
from icarus.engine.amaf.playouts import path_row
from icarus.engine.backup import back_up_captures, back_up_path
from icarus.engine.calls import (
    call_advance,
    call_apply,
    call_copy,
    call_determinize,
    call_episode,
    call_leaf_rule,
    call_legal,
    call_narrow,
    call_player,
    call_put_back,
    call_sample,
    call_simultaneous,
    call_terminal,
)
from icarus.engine.capture import odds_for
from icarus.engine.drive.chance import choose_outcome
from icarus.engine.drive.straight import choose_alone, set_prior
from icarus.engine.evaluate.cutoff import cut_off, plies_left, value_leaf
from icarus.engine.evaluate.playout import are_rewards, read_rewards
from icarus.engine.evaluate.score import fail
from icarus.engine.identity import enter_simultaneous, follow, follow_state, history_of, seen_by_root
from icarus.engine.layout import (
    AVAILABLE,
    BAD_ACTION,
    BY_ROOT_VIEW,
    CONTEXT_WORDS,
    ENVIRONMENT,
    EXPANSION,
    FINE,
    INLINED_RAVE,
    LOW,
    NO_ACTION,
    OVER,
    SELECTION,
    SIMULATION,
    SINK,
    TOO_LONG,
    TOO_MANY_ACTIONS,
    VISIT,
    Block,
    Node,
    Record,
    Report,
)
from icarus.engine.select.arms import read_arm, read_history
from icarus.engine.select.choose import choose
from icarus.engine.select.consider import consider, suggested
from icarus.engine.select.rave import pick_rave
from icarus.engine.select.simulation import capture_step, choose_simulated, prepare_step
from icarus.engine.table.records import add_counts, listed_block, make_context, make_record, record_in
from icarus.jit import at, element, part, prefetch, size_of
from icarus.jit.randomness import random_below, random_unit

LAST_CONTEXT_WORD = CONTEXT_WORDS - 1
REPORT_WORDS = size_of(Report)


@part
def query_state(world, lane):
    """Find out who is to act, and what is legal."""
    game, control, status = world.game, world.control, element(world.lanes, lane)
    state = at(world.states, lane * game.state_size)
    if game.advance == 0 and game.advance_all == 0:
        player, count, together, label = OVER, 0, 0, -1
        if call_terminal(game.terminal, state) == 0:
            player = call_player(game.player, state)
            if player != ENVIRONMENT or control.even != 0:
                count = call_legal(game.legal, state, at(world.legal, lane * game.max_actions))
            if game.simultaneous != 0:
                together = call_simultaneous(game.simultaneous, state)
            if game.episode != 0 and world.strategy.needs_episodes != 0:
                label = call_episode(game.episode, state)
    else:
        report = Report(world.reports, lane * REPORT_WORDS)
        player, count, together, label = report.player, report.count, report.together, report.label
    status.turn = player
    ply = status.ply - control.root_ply
    if player != OVER:
        if label >= 0 and ply > 0:
            status.label = label
            status.episode = status.ply
        if player != ENVIRONMENT:
            if count < 1:
                fail(control, NO_ACTION, ply, count)
            elif count > game.max_actions:
                fail(control, TOO_MANY_ACTIONS, ply, count)
            elif status.in_tree == 0 and world.strategy.suggests != 0:
                count = suggest_and_consider(world, lane, state, count, player)
            elif (world.strategy.tree_filters if status.in_tree != 0 else world.strategy.simulation_filters) != 0:
                phase = SELECTION if status.in_tree != 0 else SIMULATION
                count = consider(world, lane, state, at(world.legal, lane * game.max_actions), count, player, phase)
        if ply >= game.max_plies:
            fail(control, TOO_LONG, ply, game.max_plies)
        if world.strategy.cutoff != 0 and status.in_tree == 0 and control.error == FINE and plies_left(world, lane) <= 0:
            cut_off(world, lane)
    status.count = count
    status.together = together
    if control.error != FINE:
        status.turn = OVER
    if game.simultaneous != 0 or status.in_block != 0:
        enter_simultaneous(world, lane)


@part
def suggest_and_consider(world, lane, state, count, player):
    """In a simulation: what the game suggests in place of its legal actions, then what the filters leave."""
    legal, options = at(world.legal, lane * world.game.max_actions), world.options
    size = suggested(world, lane, state, options, element(world.lanes, lane).ply)
    for i in range(size):
        legal[i] = options[i]
    count = size if size > 0 else count
    return consider(world, lane, state, legal, count, player, SIMULATION) if world.strategy.simulation_filters != 0 else count


@part
def copy_root(world, lane):
    game = world.game
    state, root = at(world.states, lane * game.state_size), world.root
    if world.control.draws != 0:
        root = at(world.drawn_states, element(world.lanes, lane).drawn * game.state_size)
    if game.copy != 0:
        call_copy(game.copy, state, root)
    else:
        for word in range(game.state_size):
            state[word] = root[word]


@part
def draw_state(world, lane):
    """Choose what the iteration begins with, by weight; returns what names its root."""
    totals, low, high = world.drawn_totals, 0, world.control.draws - 1
    point = random_unit(at(world.rng, lane)) * totals[high]
    while low < high:
        middle = (low + high) // 2
        if totals[middle] > point:
            high = middle
        else:
            low = middle + 1
    element(world.lanes, lane).drawn = low
    return at(world.drawn_histories, low * (world.game.players + 1))


@part
def begin(world, lane):
    """Start an iteration: a determinization of the root, and an empty history."""
    game, control, status = world.game, world.control, element(world.lanes, lane)
    state = at(world.states, lane * game.state_size)
    known = world.root_history if control.draws == 0 else draw_state(world, lane)
    copy_root(world, lane)
    if control.resample != 0:
        call_determinize(game.determinize, state, control.observer, at(world.rng, lane))
    histories = at(world.histories, lane * (game.players + 1))
    for player in range(game.players + 1):
        histories[player] = known[player]
    status.ply = control.root_ply
    status.label = control.root_label
    status.episode = control.root_episode
    status.in_tree = 1
    status.record = control.root_record
    status.counts = Record(world.pool, control.root_record).counts
    status.node = 0
    status.rows = 0
    status.legal_words = 0
    status.updates = 0
    status.depth = 0
    status.in_block = 0
    status.valued = 0
    status.running = 1
    control.started += 1
    if game.advance != 0:
        legal = at(world.legal, lane * game.max_actions)
        call_advance(game.advance, state, -1, legal, at(world.reports, lane * REPORT_WORDS))
    query_state(world, lane)


@part
def enter(world, lane, row, record, counts):
    """The history goes on with this record, whose counts were ``counts``: is it still in the tree behind it?"""
    pool, strategy, status = world.pool, world.strategy, element(world.lanes, lane)
    row.record = record
    before = counts & LOW
    leaf = before == 0
    if strategy.leaf != 0 and row.player != ENVIRONMENT:
        leaf = call_leaf_rule(strategy.leaf, before, world.history_record, at(world.numbers, strategy.leaf_numbers)) != 0
    status.record = record
    status.counts = counts
    status.node = Record(pool, record).following
    prefetch(pool, status.node)
    prefetch(pool, status.node + LAST_CONTEXT_WORD)
    status.depth += row.player != ENVIRONMENT
    status.in_tree = not leaf and status.depth < strategy.max_depth


@part
def node_of(world, lane, player):
    """The node that the lane is at, made if it is new."""
    game, pool, status = world.game, world.pool, element(world.lanes, lane)
    node = status.node
    if node == 0:
        node = make_context(world, history_of(world, lane, player), 0)
        # where a record leads to one node only, remember the way
        one_way = game.determinize == 0 and game.simultaneous == 0 and node < 2147483648
        if one_way and status.record != world.control.root_record and status.record != SINK:
            Record(pool, status.record).head |= node << 32
    return node


@part
def redetermine(world, lane, player):
    """Whoever acts draws anew what it cannot know: for this decision, where the game can put back what it was, else for good.

    What is put back includes the searching player's own determinization, which therefore stays that of the iteration.
    """
    game = world.game
    state = at(world.states, lane * game.state_size)
    if game.put_back != 0:
        if player == world.control.observer:
            return
        before = at(world.before, lane * game.state_size)
        for word in range(game.state_size):
            before[word] = state[word]
        element(world.lanes, lane).redrawn = 1
    call_determinize(game.determinize, state, player, at(world.rng, lane))


@part
def choose_in_tree(world, lane):
    """Selection or expansion: returns the action, with the baseline's records updated."""
    game, control, strategy, pool = world.game, world.control, world.strategy, world.pool
    status = element(world.lanes, lane)
    player = status.turn
    state, rng = at(world.states, lane * game.state_size), at(world.rng, lane)
    legal = at(world.legal, lane * game.max_actions)
    size = status.count
    if control.redetermine != 0 and player >= 0 and status.rows > 0:
        redetermine(world, lane, player)
    node = node_of(world, lane, player)
    row = path_row(world, lane, status.rows)
    row.node = node
    row.player = player
    row.visits = status.counts & LOW
    row.ply = status.ply
    row.odds = 0.0

    if player == ENVIRONMENT:
        status.rows += 1
        outcome = choose_outcome(world, lane, row, size if control.even != 0 else 0)
        enter(world, lane, row, row.record, add_counts(world, row.record, VISIT) - AVAILABLE)
        return outcome

    # what can be told apart in this tree: actions, or (POM) moves as the searching player sees them
    options = legal
    if control.identity == BY_ROOT_VIEW and player != control.observer:
        options = world.options
        size = distinct_moves(world, state, legal, status.count)

    # with perfect information a node always lists the same actions in the same order
    listed = game.determinize == 0
    new = listed and node != 0 and Node(pool, node).block == 0
    block = listed_block(world, node, options, size, 0) if listed and node != 0 else 0
    aligned = size if block != 0 and Block(pool, block).capacity == size else 0
    if listed and node != 0:
        Node(pool, node).actor = player + 2
        if new and block != 0 and strategy.prior != 0:
            set_prior(world, lane, status.rows, block, size, state, legal, player)
    if strategy.needs_later != 0 and control.amaf_by_node == 0:
        note_legal(world, lane, row, options, size)
    status.rows += 1
    read_history(world, status.record, status.counts, player)
    narrowed = control.narrow != 0 and aligned != 0 and (Node(pool, node).proof != 0 or control.after_playout != 0)
    open_count = size
    # of rules one knows that a history has the same actions always; of a class in Python one hopes so, and looks at each
    alone = game.advance_all != 0 and strategy.plain_tree != 0 and strategy.needs_steps == 0
    by_list = aligned != 0 and not narrowed
    if by_list and control.tree_twin == INLINED_RAVE:
        record = pick_rave(world, lane, row, block)
        world.choice.odds = 0.0
        world.choice.read = 0
        action, pick = Record(pool, record).label - 1, 0
        phase = SELECTION if row.selection != 0 else EXPANSION
        found = prepare_step(world, lane, player, phase)
    elif by_list and alone and status.together == 0:
        record = choose_alone(world, lane, row, block, status.record, status.counts)
        action, pick, phase, found = Record(pool, record).label - 1, 0, EXPANSION, False
    else:
        unvisited = 0
        for i in range(size):
            record = record_in(world, block, i)
            if i >= aligned or Record(pool, record).label != options[i] + 1:
                record = make_record(world, node, options[i], i if listed else -1, size)
            world.records[i] = record
            unvisited += read_arm(pool, world.baseline_arms, i, record, player)
        phase = EXPANSION if unvisited > 0 else SELECTION
        row.selection = phase == SELECTION
        if narrowed:
            open_count, options = call_narrow(control.narrow, world, node, player), world.options
            for i in range(open_count):
                options[i] = Record(pool, world.records[i]).label - 1
        found = prepare_step(world, lane, player, phase)
        pick = 0
        world.choice.odds = 0.0
        world.choice.read = 0
        if open_count > 1:
            policy = strategy.tree_policy if status.together == 0 else strategy.simultaneous_policy
            pick = choose(world, lane, policy, options, open_count, player, phase)
            row.odds = odds_for(world, 0)
        elif status.together != 0:
            row.odds = 1.0
        action = options[pick]
        if control.identity == BY_ROOT_VIEW and player != control.observer:
            action = one_of_move(world, state, legal, status.count, action, rng)
        # Base-6: the chosen record is visited, its siblings were available.  Counts change at once and rewards when the playout
        # is over: with one lane nothing reads the counts in between, so this is the published update; with several it is
        # virtual loss
        record = world.records[pick]
        for i in range(size):
            add_counts(world, record_in(world, block, i) if narrowed else world.records[i], AVAILABLE)
    enter(world, lane, row, record, add_counts(world, record, VISIT) - AVAILABLE)
    seen, seen_count = (options, open_count) if narrowed else (legal, status.count)
    capture_step(world, lane, action, pick, seen, seen_count, player, phase, found)
    return action


@part
def distinct_moves(world, state, legal, count):
    """The moves among the legal actions that the searching player can tell apart; returns how many there are."""
    options, size = world.options, 0
    for i in range(count):
        move = seen_by_root(world, state, legal[i])
        known = 0
        while known < size and options[known] != move:
            known += 1
        options[known] = move
        size += known == size
    return size


@part
def one_of_move(world, state, legal, count, move, rng):
    """An action, uniformly among those that the searching player would see as this move."""
    fitting = 0
    for i in range(count):
        fitting += seen_by_root(world, state, legal[i]) == move
    skip = 0 if fitting == 1 else random_below(rng, fitting)
    for i in range(count):
        if seen_by_root(world, state, legal[i]) == move:
            if skip == 0:
                return legal[i]
            skip -= 1
    return legal[0]


@part
def choose_in_simulation(world, lane):
    """The simulation policy's choice."""
    game, status = world.game, element(world.lanes, lane)
    player, size = status.turn, status.count
    if player == ENVIRONMENT:
        return call_sample(game.sample, at(world.states, lane * game.state_size), at(world.rng, lane))
    legal = at(world.legal, lane * game.max_actions)
    found = prepare_step(world, lane, player, SIMULATION)
    pick = choose_simulated(world, lane, legal, size, player, found)
    action = legal[pick]
    capture_step(world, lane, action, pick, legal, size, player, SIMULATION, found)
    return action


@part
def pick_action(world, lane):
    """Choose this lane's next action and let the observers see it."""
    control, strategy, status = world.control, world.strategy, element(world.lanes, lane)
    if status.in_tree != 0:
        action = choose_in_tree(world, lane)
        control.tree_steps += 1
    else:
        action = choose_in_simulation(world, lane)
    control.all_steps += 1
    if action < 0 or action >= 2147483647:
        fail(control, BAD_ACTION, status.ply - control.root_ply, action)
    if status.in_tree != 0 or strategy.needs_steps != 0:
        follow(world, lane, action, status.in_tree != 0, strategy.needs_steps != 0)
    if strategy.needs_moves != 0:
        place = lane * control.plies + status.ply
        world.actors[place] = status.turn
        world.actions[place] = action
    elif control.keeps != 0:
        world.actions[lane * control.plies + status.ply] = action
    world.picked[lane] = action
    status.ply += 1


@part
def back_up(world, lane):
    """The end of a playout: its rewards go to every record that it touched."""
    control, status = world.control, element(world.lanes, lane)
    status.running = 0
    if world.strategy.values_leaves != 0 and status.in_tree != 0:
        value_leaf(world, lane)
    if are_rewards(world, lane) if status.valued != 0 else read_rewards(world, lane):
        back_up_path(world, lane, status.rows)
        back_up_captures(world, lane)
        control.deepest = max(control.deepest, status.depth)
        control.done += 1


@part
def step_lane(world, lane, straight):
    """One step of one lane: choose, apply, look (unless the rest of the playout goes straight to the end)."""
    game, status = world.game, element(world.lanes, lane)
    in_tree = status.in_tree != 0
    pick_action(world, lane)
    state, action = at(world.states, lane * game.state_size), world.picked[lane]
    left = straight and status.in_tree == 0
    if left and world.strategy.uniform != 0 and game.finish != 0:
        return  # the playout begins with this action
    if game.advance != 0:
        legal = at(world.legal, lane * game.max_actions)
        call_advance(game.advance, state, action, legal, at(world.reports, lane * REPORT_WORDS))
    else:
        call_apply(game.apply, state, action)
        if status.redrawn != 0:
            status.redrawn = 0
            call_put_back(game.put_back, state, at(world.before, lane * game.state_size), action)
    if status.in_tree != 0:
        follow_state(world, lane)
    elif in_tree and world.strategy.values_leaves != 0:
        value_leaf(world, lane)
    if not left:
        query_state(world, lane)
