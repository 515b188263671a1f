"""The loop: Algorithm 1 of icarus-2014 over lanes.

Sample a determinization, play to the end choosing every action with a policy that reads records, then update the records that the
playout touched.  Selection, expansion and simulation are told apart by the baseline record's visits (section 4.2): as long
as the record of the history has been visited the playout is in the tree; the first unvisited record ends it, and what follows is
simulation.  The root counts as visited from the start, as in the pseudocode of ismcts-2012.
"""

from __future__ import annotations

from numba import types

from icarus.engine import words as w
from icarus.engine.ahead import LANES_AHEAD, ask_for_own_moves_on_way, ask_for_records, ask_for_way_back
from icarus.engine.all_moves import capture_all_moves, note_path
from icarus.engine.calls import (
    call_advance,
    call_advance_all,
    call_apply,
    call_chance,
    call_copy,
    call_determinize,
    call_episode,
    call_legal,
    call_player,
    call_playout,
    call_rewards,
    call_sample,
    call_simultaneous,
    call_terminal,
)
from icarus.engine.capture import capture, odds_for, remember
from icarus.engine.choose import begin_step, best_of, choose, read_node
from icarus.engine.descend import descend, is_mixed, is_plain, is_quiet, is_ucb1
from icarus.engine.limits import lap, reason_to_return
from icarus.engine.linked import note_node
from icarus.engine.mixed import pick_mixed
from icarus.engine.native import at, bits, cycles, ints, kernel, part, prefetch, reals
from icarus.engine.observers import enter_simultaneous, follow, history_of, seen_by_root
from icarus.engine.pages import update_in_page
from icarus.engine.randomness import random_below
from icarus.engine.records import add, add_reward, listed_block, make_context, make_record
from icarus.engine.simulate import ask_rewards, fail, finish_randomly, playout, simulate
from icarus.engine.step import attend

# --- a lane ----------------------------------------------------------------------------------------------------------


@part
def look(world, lane):
    """Find out who is to act, and what is legal."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    state = at(ints(world, w.STATE), lane * game[w.STATE_SIZE])
    report = at(ints(world, w.REPORT), lane * w.REPORT_WORDS)
    if game[w.F_ADVANCE] == 0 and game[w.F_ADVANCE_ALL] == 0:
        player, count, together, label = w.OVER, 0, 0, -1
        if call_terminal(game[w.F_TERMINAL], state) == 0:
            player = call_player(game[w.F_PLAYER], state)
            if player != w.ENVIRONMENT or control[w.EVEN] != 0:
                count = call_legal(game[w.F_LEGAL], state, at(ints(world, w.LEGAL), lane * game[w.MAX_ACTIONS]))
            if game[w.F_SIMULTANEOUS] != 0:
                together = call_simultaneous(game[w.F_SIMULTANEOUS], state)
            if game[w.F_EPISODE] != 0 and ints(world, w.POLICY)[w.NEEDS_MOVES] != 0:
                label = call_episode(game[w.F_EPISODE], state)
    else:
        player, count = report[w.REPORT_PLAYER], report[w.REPORT_COUNT]
        together, label = report[w.REPORT_TOGETHER], report[w.REPORT_LABEL]
    status[w.TURN] = player
    status[w.COUNT] = count
    status[w.TOGETHER] = together
    ply = status[w.PLY_NOW] - control[w.ROOT_PLY]
    if player != w.OVER:
        if label >= 0 and ply > 0:
            status[w.LABEL_NOW] = label
            status[w.EPISODE_START] = status[w.PLY_NOW]
        if player != w.ENVIRONMENT:
            if count < 1:
                fail(control, w.NO_ACTION, ply, count)
            elif count > game[w.MAX_ACTIONS]:
                fail(control, w.TOO_MANY_ACTIONS, ply, count)
        if ply >= game[w.MAX_PLIES]:
            fail(control, w.TOO_LONG, ply, game[w.MAX_PLIES])
    if control[w.ERROR] != w.FINE:
        status[w.TURN] = w.OVER
    if game[w.F_SIMULTANEOUS] != 0 or status[w.IN_BLOCK] != 0:
        enter_simultaneous(world, lane)


@part
def begin(world, lane):
    """Start an iteration: a determinization of the root, and an empty history."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    pool, root, root_history = ints(world, w.POOL), ints(world, w.ROOT), ints(world, w.ROOT_HISTORY)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    size = game[w.STATE_SIZE]
    state = at(ints(world, w.STATE), lane * size)
    if game[w.F_COPY] != 0:
        call_copy(game[w.F_COPY], state, root)
    else:
        for word in range(size):
            state[word] = root[word]
    if control[w.RESAMPLE] != 0:
        call_determinize(game[w.F_DETERMINIZE], state, control[w.OBSERVER], at(bits(world, w.RNG), lane))
    players = game[w.PLAYERS]
    history = at(ints(world, w.HISTORY), lane * (players + 1))
    for player in range(players + 1):
        history[player] = root_history[player]
    status[w.PLY_NOW] = control[w.ROOT_PLY]
    status[w.LABEL_NOW] = control[w.ROOT_LABEL]
    status[w.EPISODE_START] = control[w.ROOT_EPISODE]
    status[w.WITHIN_TREE] = 1
    status[w.RECORD] = control[w.ROOT_RECORD]
    status[w.COUNTS_BEFORE] = pool[control[w.ROOT_RECORD] + w.COUNTS]
    status[w.CHILD_CONTEXT] = 0
    status[w.LOGGED] = 0
    status[w.DEPTH] = 0
    status[w.IN_BLOCK] = 0
    status[w.TREE_NODES] = 0
    status[w.TREE_LEGAL] = 0
    status[w.RUNNING] = 1
    control[w.STARTED] += 1
    if game[w.F_ADVANCE] != 0:
        legal, report = ints(world, w.LEGAL), ints(world, w.REPORT)
        call_advance(game[w.F_ADVANCE], state, -1, at(legal, lane * game[w.MAX_ACTIONS]), at(report, lane * w.REPORT_WORDS))
    look(world, lane)


@part
def visit(world, lane, size, pick, player, odds):
    """The baseline's capture (Base-6): the chosen record is visited, its siblings were available.

    Counts change at once and rewards when the playout is over.  With one lane nothing reads the counts in between, so this is the
    published update; with several it is virtual loss.
    """
    pool, records = ints(world, w.POOL), ints(world, w.RECORDS)
    chosen = records[pick]
    before = pool[chosen + w.COUNTS]
    if ints(world, w.META)[w.SHARED] != 0:
        for i in range(size):
            add(world, records[i], w.AVAILABLE)
        add(world, chosen, w.VISIT)
    else:
        for i in range(size):
            pool[records[i] + w.COUNTS] += w.AVAILABLE
        pool[chosen + w.COUNTS] += w.VISIT
    return enter(world, lane, chosen, before, player, odds)


@part
def enter(world, lane, record, before, player, odds):
    """The history goes on with this record, whose counts were ``before``; returns its visits then."""
    pool = ints(world, w.POOL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    remember(world, lane, record, w.REWARD_ALL, player, 0, odds)
    status[w.RECORD] = record
    status[w.COUNTS_BEFORE] = before
    status[w.CHILD_CONTEXT] = pool[record + w.ACTION] >> 32
    prefetch(pool, status[w.CHILD_CONTEXT])
    prefetch(pool, status[w.CHILD_CONTEXT] + w.CONTEXT_WORDS - 1)
    return before & w.LOW


@part
def choose_in_tree(world, lane):
    """Selection or expansion: returns the action, with the baseline's records updated."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    pool, real = ints(world, w.POOL), reals(world, w.POOL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    player = status[w.TURN]
    state = at(ints(world, w.STATE), lane * game[w.STATE_SIZE])
    rng = at(bits(world, w.RNG), lane)
    legal = at(ints(world, w.LEGAL), lane * game[w.MAX_ACTIONS])
    base = reals(world, w.BASE)
    size = status[w.COUNT]
    context = status[w.CHILD_CONTEXT]
    if context == 0:
        context = make_context(world, history_of(world, lane, player), 0)
        # where a record leads to one context only, remember the way
        one_way = game[w.F_DETERMINIZE] == 0 and game[w.F_SIMULTANEOUS] == 0 and context < 2147483648
        if one_way and status[w.RECORD] != control[w.ROOT_RECORD] and status[w.RECORD] != w.SINK:
            pool[status[w.RECORD] + w.ACTION] |= context << 32

    if player == w.ENVIRONMENT:
        # even visits: the outcome that is furthest behind its share; otherwise a draw from the environment's policy
        pick = 0
        if control[w.EVEN] != 0 and size > 0:
            call_chance(game[w.F_CHANCE], state, reals(world, w.VALUES))
            for i in range(size):
                ints(world, w.RECORDS)[i] = make_record(world, context, legal[i], -1, size)
                reals(world, w.VALUES)[i] = -float(pool[ints(world, w.RECORDS)[i] + w.COUNTS] & w.LOW) / reals(world, w.VALUES)[i]
            pick = 0 if size == 1 else best_of(reals(world, w.VALUES), size, rng)
            outcome = legal[pick]
        else:
            outcome = call_sample(game[w.F_SAMPLE], state, rng)
            shown = outcome
            if control[w.MODEL] == w.BY_ROOT_VIEW:
                shown = seen_by_root(world, state, outcome)
            size = 1
            ints(world, w.RECORDS)[0] = make_record(world, context, shown, -1, 4)
        status[w.WITHIN_TREE] = visit(world, lane, size, pick, player, 0.0) > 0
        return outcome

    # what can be told apart in this tree: actions, or (POM) moves as the searching player sees them
    options = legal
    if control[w.MODEL] == w.BY_ROOT_VIEW and player != control[w.OBSERVER]:
        options = ints(world, w.OPTIONS)
        size = 0
        for i in range(status[w.COUNT]):
            move = seen_by_root(world, state, legal[i])
            known = 0
            while known < size and options[known] != move:
                known += 1
            options[known] = move
            size += known == size

    if is_mixed(world):
        block = listed_block(world, context, legal, size) if context != 0 else 0
        if block != 0 and pool[block + w.CAPACITY] == size:
            return choose_mixed(world, lane, context, player)

    # with perfect information a node always lists the same actions in the same order
    listed = game[w.F_DETERMINIZE] == 0
    width, records = ints(world, w.META)[w.WIDTH], ints(world, w.RECORDS)
    block = listed_block(world, context, options, size) if listed and context != 0 else 0
    aligned = size if block != 0 and pool[block + w.CAPACITY] == size else 0
    unvisited = 0
    for i in range(size):
        record = block + w.BLOCK_WORDS + i * width
        if i >= aligned or pool[record + w.ACTION] & w.LOW != options[i] + 1:
            record = make_record(world, context, options[i], i if listed else -1, size)
        records[i] = record
        counts = pool[record + w.COUNTS]
        visits = counts & w.LOW
        unvisited += visits == 0
        base[i] = real[record + w.REWARD + player]
        base[size + i] = visits
        base[2 * size + i] = counts >> 32
    phase = w.EXPANSION if unvisited > 0 else w.SELECTION

    if control[w.LINKED] != 0:
        row = note_node(world, lane, context, player, status[w.COUNTS_BEFORE] & w.LOW, status[w.PLY_NOW])
        row[w.PATH_SELECTION] = phase == w.SELECTION
    elif ints(world, w.POLICY)[w.NEEDS_PATH] != 0:
        note_path(world, lane, options, size, player, phase)
    if ints(world, w.POLICY)[w.NEEDS_STEPS] != 0:
        begin_step(world, lane, player, phase)
    pick = 0
    odds = 0.0
    reals(world, w.ODDS_NOW)[0] = 0.0
    if size > 1:
        policy = ints(world, w.POLICY)[w.TREE_POLICY] if status[w.TOGETHER] == 0 else ints(world, w.POLICY)[w.SIMULTANEOUS_POLICY]
        read_node(world, lane, player)
        pick = choose(world, lane, policy, options, size, player, phase)
        odds = odds_for(world, 0)
    elif status[w.TOGETHER] != 0:
        odds = 1.0
    action = options[pick]
    if control[w.MODEL] == w.BY_ROOT_VIEW and player != control[w.OBSERVER]:
        action = one_of_move(world, state, legal, status[w.COUNT], action, rng)
    before = visit(world, lane, size, pick, player, odds)
    if ints(world, w.POLICY)[w.NEEDS_STEPS] != 0:
        capture(world, lane, action, legal, status[w.COUNT], player, phase)
    status[w.DEPTH] += 1
    status[w.WITHIN_TREE] = before > 0 and status[w.DEPTH] < ints(world, w.POLICY)[w.MAX_DEPTH]
    return action


@part
def choose_mixed(world, lane, context, player):
    """Selection or expansion by RAVE's mixture, at a node that lists its actions."""
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    row = note_node(world, lane, context, player, status[w.COUNTS_BEFORE] & w.LOW, status[w.PLY_NOW])
    record = pick_mixed(world, lane, context, player, row)
    action = (ints(world, w.POOL)[record + w.ACTION] & w.LOW) - 1
    before = enter(world, lane, record, add(world, record, w.VISIT) - w.AVAILABLE, player, 0.0)
    reals(world, w.ODDS_NOW)[0] = 0.0
    if ints(world, w.POLICY)[w.NEEDS_STEPS] != 0:
        phase = w.SELECTION if row[w.PATH_SELECTION] != 0 else w.EXPANSION
        begin_step(world, lane, player, phase)
        legal = at(ints(world, w.LEGAL), lane * ints(world, w.GAME)[w.MAX_ACTIONS])
        capture(world, lane, action, legal, status[w.COUNT], player, phase)
    status[w.DEPTH] += 1
    status[w.WITHIN_TREE] = before > 0 and status[w.DEPTH] < ints(world, w.POLICY)[w.MAX_DEPTH]
    return action


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
    game = ints(world, w.GAME)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    player = status[w.TURN]
    rng = at(bits(world, w.RNG), lane)
    if player == w.ENVIRONMENT:
        return call_sample(game[w.F_SAMPLE], at(ints(world, w.STATE), lane * game[w.STATE_SIZE]), rng)
    size = status[w.COUNT]
    legal = at(ints(world, w.LEGAL), lane * game[w.MAX_ACTIONS])
    pick = 0
    reals(world, w.ODDS_NOW)[0] = 0.0
    if ints(world, w.POLICY)[w.NEEDS_STEPS] != 0:
        begin_step(world, lane, player, w.SIMULATION)
    if size > 1:
        policy = ints(world, w.POLICY)[w.SIMULATION_POLICY]
        if ints(world, w.NODES)[policy * w.NODE_COLUMNS + w.NODE_KIND] == w.UNIFORM:
            pick = random_below(rng, size)
        else:
            for i in range(3 * size):
                reals(world, w.BASE)[i] = 0.0
            reals(world, w.NODE_RECORD)[0] = 0.0
            reals(world, w.NODE_RECORD)[1] = 0.0
            reals(world, w.NODE_RECORD)[2] = 0.0
            pick = choose(world, lane, policy, legal, size, player, w.SIMULATION)
    action = legal[pick]
    if ints(world, w.POLICY)[w.NEEDS_STEPS] != 0:
        capture(world, lane, action, legal, size, player, w.SIMULATION)
    return action


@part
def pick_action(world, lane):
    """Choose this lane's next action and let the observers see it."""
    control = ints(world, w.CONTROL)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    in_tree = status[w.WITHIN_TREE] != 0
    if in_tree:
        action = choose_in_tree(world, lane)
        control[w.TREE_STEPS] += 1
    else:
        action = choose_in_simulation(world, lane)
    control[w.ALL_STEPS] += 1
    if action < 0 or action >= 2147483647:
        fail(control, w.BAD_ACTION, status[w.PLY_NOW] - control[w.ROOT_PLY], action)
    steps_needed = ints(world, w.POLICY)[w.NEEDS_STEPS] != 0
    if status[w.WITHIN_TREE] != 0 or steps_needed:
        follow(world, lane, action, status[w.WITHIN_TREE] != 0, steps_needed)
    if ints(world, w.POLICY)[w.NEEDS_MOVES] != 0:
        plies = control[w.PLIES]
        ints(world, w.ACTORS)[lane * plies + status[w.PLY_NOW]] = status[w.TURN]
        ints(world, w.ACTIONS)[lane * plies + status[w.PLY_NOW]] = action
    ints(world, w.PICKED)[lane] = action
    status[w.PLY_NOW] += 1


# --- backup ----------------------------------------------------------------------------------------------------------


@part
def back_up(world, lane):
    """The end of a playout: hand its rewards to every record that it touched."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    status[w.RUNNING] = 0
    players = game[w.PLAYERS]
    rewards = reals(world, w.REWARDS)
    if not ask_rewards(world, lane):
        return
    importance, squares = meta[w.IMPORTANCE], meta[w.SQUARES]
    first = lane * control[w.LOG_ROWS]
    for row in range(first, first + status[w.LOGGED]):
        log = at(ints(world, w.LOG), row * w.LOG_WORDS)
        record, kind, actor = log[w.LOG_RECORD], log[w.LOG_KIND], log[w.LOG_PLAYER]
        less = 0
        if kind == w.REWARD_ALL:
            for player in range(players):
                if rewards[player] != 0.0:
                    add_reward(world, record, w.REWARD + player, rewards[player])
        elif kind == w.VISIT_ONE:
            update_in_page(world, record, log[w.LOG_CAPTURE], w.VISIT + w.AVAILABLE, rewards[actor])
            less = meta[w.PAGED_LESS]
        elif kind == w.AVAILABLE_ONE:
            update_in_page(world, record, log[w.LOG_CAPTURE], w.AVAILABLE, 0.0)
            continue
        else:
            action = log[w.LOG_ACTION]
            if rewards[actor] > 0.0:
                pool[record + w.REPLY] = action + 1
            elif kind == w.REPLY_GOOD_OR_FORGET and pool[record + w.REPLY] == action + 1:
                pool[record + w.REPLY] = 0
            continue
        if actor >= 0:
            if squares != 0:
                add_reward(world, record, squares - less, rewards[actor] * rewards[actor])
            if importance != 0 and reals(world, w.ODDS)[row] > 0.0:
                add_reward(world, record, importance - less, rewards[actor] / reals(world, w.ODDS)[row])
    add(world, control[w.ROOT_RECORD], w.VISIT + w.AVAILABLE)
    for player in range(players):
        add_reward(world, control[w.ROOT_RECORD], w.REWARD + player, rewards[player])
    if ints(world, w.POLICY)[w.NEEDS_PATH] != 0:
        for number in range(1, ints(world, w.POLICY)[w.CAPTURE_COUNT]):
            if ints(world, w.CAPTURES)[number * w.CAPTURE_COLUMNS + w.KIND] == w.KEEPS_ALL_MOVES:
                capture_all_moves(world, lane, number)
    if status[w.DEPTH] > control[w.DEEPEST]:
        control[w.DEEPEST] = status[w.DEPTH]
    control[w.DONE] += 1


# --- the loop --------------------------------------------------------------------------------------------------------


@part
def step_lane(world, lane, straight, quiet):
    """One step of one lane: choose, apply, look (unless the rest of the playout goes straight to the end)."""
    game = ints(world, w.GAME)
    status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
    pick_action(world, lane)
    state = at(ints(world, w.STATE), lane * game[w.STATE_SIZE])
    action = ints(world, w.PICKED)[lane]
    if quiet and status[w.WITHIN_TREE] == 0 and game[w.F_PLAYOUT] != 0:
        return  # the playout begins with this action
    if game[w.F_ADVANCE] != 0:
        legal = at(ints(world, w.LEGAL), lane * game[w.MAX_ACTIONS])
        call_advance(game[w.F_ADVANCE], state, action, legal, at(ints(world, w.REPORT), lane * w.REPORT_WORDS))
    else:
        call_apply(game[w.F_APPLY], state, action)
    if not (straight and status[w.WITHIN_TREE] == 0):
        look(world, lane)


@part
def play_through(world, straight, quiet, timed, moment):
    """One lane: play it to the end and back it up before looking up."""
    control = ints(world, w.CONTROL)
    status = ints(world, w.STATUS)
    while status[w.TURN] != w.OVER and (status[w.WITHIN_TREE] != 0 or not straight):
        in_tree = status[w.WITHIN_TREE] != 0
        step_lane(world, 0, straight, quiet)
        if timed and in_tree and (status[w.WITHIN_TREE] == 0 or status[w.TURN] == w.OVER):
            moment = lap(world, 1, moment)
    if straight and status[w.TURN] != w.OVER:
        if quiet:
            finish_randomly(world)
        else:
            simulate(world)
    if timed:
        moment = lap(world, 2, moment)
    if control[w.ERROR] == w.FINE:
        back_up(world, 0)
    if timed:
        lap(world, 3, moment)
        ints(world, w.CYCLES)[4] += 1


@part
def iterate_attended(world, root, mixed):
    """Down the plain tree, to the end, and back up, with captures that look on."""
    control = ints(world, w.CONTROL)
    timed = (control[w.STARTED] & 15) == 0
    moment = cycles() if timed else 0
    over = descend(world, root, True) if mixed else descend(world, root, None)
    attend(world)
    if timed:
        moment = lap(world, 1, moment)
    if not over:
        simulate(world)
    if timed:
        moment = lap(world, 2, moment)
    if control[w.ERROR] == w.FINE:
        back_up(world, 0)
    if timed:
        lap(world, 3, moment)
        ints(world, w.CYCLES)[4] += 1


@part
def tick(world):
    """Many lanes: one step of each; those that have ended are backed up."""
    game, control = ints(world, w.GAME), ints(world, w.CONTROL)
    picked = ints(world, w.PICKED)
    together = game[w.F_ADVANCE_ALL] != 0
    for lane in range(control[w.LANES]):
        status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
        if lane + LANES_AHEAD < control[w.LANES] and status[LANES_AHEAD * w.STATUS_WORDS + w.WITHIN_TREE] != 0:
            ask_for_records(world, lane + LANES_AHEAD)
        picked[lane] = -1
        if status[w.RUNNING] != 0 and status[w.TURN] != w.OVER:
            if together:
                pick_action(world, lane)
            else:
                step_lane(world, lane, False, False)
    if together:
        legal, report = ints(world, w.LEGAL), ints(world, w.REPORT)
        call_advance_all(game[w.F_ADVANCE_ALL], ints(world, w.STATE), picked, legal, report, control[w.LANES])
        for lane in range(control[w.LANES]):
            if picked[lane] >= 0:
                look(world, lane)
    for lane in range(control[w.LANES]):
        status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
        if status[w.RUNNING] != 0 and status[w.TURN] == w.OVER:
            ask_for_way_back(world, lane)
    for lane in range(control[w.LANES] if control[w.LINKED] != 0 else 0):
        status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
        if status[w.RUNNING] != 0 and status[w.TURN] == w.OVER:
            ask_for_own_moves_on_way(world, lane)
    for lane in range(control[w.LANES]):
        status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
        if status[w.RUNNING] != 0 and status[w.TURN] == w.OVER and control[w.ERROR] == w.FINE:
            back_up(world, lane)


@kernel(types.int64(types.int64[::1]))
def run(world_array):
    """Run iterations until the target is reached; returns why it came back."""
    world = at(world_array, 0)
    game, control, policy = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.POLICY)
    lanes = control[w.LANES]
    quiet = is_quiet(world)
    straight = quiet or (lanes == 1 and game[w.F_ADVANCE] == 0)
    simple = policy[w.SIMPLE] != 0 or policy[w.NEEDS_STEPS] == 0
    mixed = is_mixed(world)
    attended = straight and simple and is_plain(world) and (mixed or (is_ucb1(world) and policy[w.NEEDS_PATH] == 0))
    root = make_context(world, ints(world, w.ROOT_HISTORY)[0], 0) if attended else 0
    while True:
        reason = reason_to_return(world, False)  # an iteration may make many contexts
        if root != 0:
            if reason >= 0:
                return reason
            iterate_attended(world, root, mixed)
            continue
        running = 0
        timed = (control[w.STARTED] & 15) == 0 and lanes == 1
        moment = cycles() if timed else 0
        for lane in range(lanes):
            status = at(ints(world, w.STATUS), lane * w.STATUS_WORDS)
            if status[w.RUNNING] == 0 and reason < 0 and control[w.STARTED] < control[w.TARGET]:
                begin(world, lane)
            running += status[w.RUNNING]
        if running == 0 or reason == w.FAILED:
            return reason
        if lanes == 1:
            if timed:
                moment = lap(world, 0, moment)
            play_through(world, straight, quiet, timed, moment)
        else:
            tick(world)


@kernel(types.int64(types.int64[::1], types.int64))
def random_playouts(world_array, number):
    """Play random games from the root and add up the rewards: the speed limit of any search on this game."""
    world = at(world_array, 0)
    game, control, root = ints(world, w.GAME), ints(world, w.CONTROL), ints(world, w.ROOT)
    state, totals, rewards = ints(world, w.STATE), reals(world, w.TOTAL), reals(world, w.REWARDS)
    plies = 0
    for _ in range(number):
        if game[w.F_COPY] != 0:
            call_copy(game[w.F_COPY], state, root)
        else:
            for word in range(game[w.STATE_SIZE]):
                state[word] = root[word]
        if game[w.F_PLAYOUT] != 0:
            end = call_playout(game[w.F_PLAYOUT], state, -1, bits(world, w.RNG))
        else:
            end = playout(game, state, ints(world, w.LEGAL), bits(world, w.RNG), 0, control)
        if end < 0 or control[w.ERROR] != w.FINE:
            return -1
        plies += end
        call_rewards(game[w.F_REWARDS], state, rewards)
        for player in range(game[w.PLAYERS]):
            totals[player] += rewards[player]
    return plies
