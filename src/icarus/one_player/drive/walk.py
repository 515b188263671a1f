"""Walking a game of one player without chance, step by step, for drivers that keep no tree: nested search, policy adaptation.

Each lane is a position that can be copied to another lane; lane 0 is where playouts end.  The actions from the root to the end of
lane 0 are those of World.actions, so that the best playout is kept as everywhere else (evaluate/score.py).
"""

from __future__ import annotations

from icarus.engine.backup import back_up_captures
from icarus.engine.calls import (
    call_advance,
    call_apply,
    call_copy,
    call_heuristic,
    call_legal,
    call_rewards,
    call_score,
    call_terminal,
)
from icarus.engine.drive.lane import REPORT_WORDS
from icarus.engine.evaluate.score import fail, note_score, reward_of
from icarus.engine.layout import (
    AVAILABLE,
    BAD_ACTION,
    BAD_SCORE,
    FAILED,
    FINE,
    ITERATIONS_DONE,
    NO_ACTION,
    OUT_OF_MEMORY,
    OVER,
    RUN_SCORES,
    RUNS_DONE,
    SIMULATION,
    STOPPED,
    TOO_LONG,
    TOO_MANY_ACTIONS,
    VISIT,
    Report,
)
from icarus.engine.select.simulation import capture_step, choose_simulated, prepare_step
from icarus.engine.table.records import add_counts, add_reward, make_context, make_record
from icarus.jit import at, element, part
from icarus.jit.randomness import random_below


@part
def reason_to_leave(world):
    """Is there a reason not to start another playout? Below 0: no."""
    control = world.control
    if control.error != FINE:
        return FAILED
    if control.started >= control.target:
        return ITERATIONS_DONE
    if world.stop[0] | world.stop[1] != 0:
        return STOPPED
    if world.meta.full != 0:
        return OUT_OF_MEMORY
    if control.runs_wanted != 0 and control.runs >= control.runs_wanted:
        return RUNS_DONE
    return -1


@part
def end_run(world, score):
    """An algorithm that ends by itself has done so with this score."""
    world.run_scores[world.control.runs % RUN_SCORES] = score
    world.control.runs += 1


@part
def legal_of(world, lane):
    return at(world.legal, lane * world.game.max_actions)


@part
def state_of(world, lane):
    return at(world.states, lane * world.game.state_size)


@part
def copy_lane(world, lane, source):
    """Put a lane where another one is."""
    copy_state(world, state_of(world, lane), state_of(world, source))


@part
def copy_state(world, state, source):
    game = world.game
    if game.copy != 0:
        call_copy(game.copy, state, source)
    else:
        for word in range(game.state_size):
            state[word] = source[word]


@part
def step(world, lane, action, ply):
    """Play an action (below 0: none), which is then the ply-th from the root; returns how many are legal afterwards.

    0: the game is over; below 0: it breaks its contract.
    """
    game, control, state, legal = world.game, world.control, state_of(world, lane), legal_of(world, lane)
    if game.advance != 0:
        report = Report(world.reports, lane * REPORT_WORDS)
        call_advance(game.advance, state, action, legal, at(world.reports, lane * REPORT_WORDS))
        count = 0 if report.player == OVER else report.count
        over = report.player == OVER
        if control.error != FINE:
            return -1
    else:
        if action >= 0:
            call_apply(game.apply, state, action)
        over = call_terminal(game.terminal, state) != 0
        count = 0 if over else call_legal(game.legal, state, legal)
    if action >= 0:
        control.all_steps += 1
    if over:
        return 0
    if count < 1 or count > game.max_actions:
        return fail(control, NO_ACTION if count < 1 else TOO_MANY_ACTIONS, ply, count)
    if ply >= game.max_plies:
        return fail(control, TOO_LONG, ply, game.max_plies)
    return count


@part
def keep_best(world, lane, count):
    """Leave only the legal actions that the game's heuristic likes best; returns how many they are."""
    game, state, legal = world.game, state_of(world, lane), legal_of(world, lane)
    best, kept = -1.0, 0
    for i in range(count):
        value = call_heuristic(game.heuristic, state, legal[i])
        if value > best:
            best = value
            kept = 0
        if value == best:
            legal[kept] = legal[i]
            kept += 1
    return kept


@part
def keep_liked(world, lane, count):
    """Leave out the legal actions that the game's heuristic gives 0, unless it does so to all; returns how many are left."""
    game, state, legal, kept = world.game, state_of(world, lane), legal_of(world, lane), 0
    for i in range(count):
        if call_heuristic(game.heuristic, state, legal[i]) > 0.0:
            action = legal[kept]  # those that are left out stay behind the others
            legal[kept] = legal[i]
            legal[i] = action
            kept += 1
    return kept if kept > 0 else count


@part
def note_action(world, ply, action):
    """The ply-th action of lane 0, counted from the root."""
    place = world.control.root_ply + ply
    world.actions[place] = action
    if world.strategy.needs_moves != 0:
        world.moves[place] = action
        world.actors[place] = 0


@part
def play_out(world, ply, count, guided, enhanced):
    """Play lane 0 to the end, with so many legal actions where it is; returns the number of plies from the root, below 0: failed.

    ``guided``: among the actions that the game's heuristic likes best; ``enhanced`` None: at random, else as the strategy says.
    """
    control, lane, legal = world.control, element(world.lanes, 0), legal_of(world, 0)
    if enhanced is not None:
        lane.updates = 0
        lane.label = control.root_label
        lane.episode = control.root_episode
    while count > 0:
        if guided:
            count = keep_best(world, 0, count)
        if enhanced is None:
            action = legal[random_below(world.rng, count) if count > 1 else 0]
        else:
            lane.ply = control.root_ply + ply
            found = prepare_step(world, 0, 0, SIMULATION)
            pick = choose_simulated(world, 0, legal, count, 0, found)
            action = legal[pick]
            capture_step(world, 0, action, pick, legal, count, 0, SIMULATION, found)
        if action < 0 or action >= 2147483647:
            return fail(control, BAD_ACTION, ply, action)
        note_action(world, ply, action)
        ply += 1
        count = step(world, 0, action, ply)
    return ply if count == 0 else -1


@part
def score_of(world, ply):
    """The score of lane 0, whose game is over after so many plies: the game's own, or its reward."""
    game, control = world.game, world.control
    if game.score != 0:
        score = call_score(game.score, world.states)
    else:
        call_rewards(game.rewards, world.states, world.rewards)
        score = world.rewards[0]
    if control.error == FINE and not (score - score == 0.0):
        fail(control, BAD_SCORE, ply, 0)
    return score


@part
def account(world, ply, score, enhanced):
    """A playout of so many plies has ended: keep it if it is the best, and let the root's records and the captures know."""
    control = world.control
    if control.error != FINE:
        return
    element(world.lanes, 0).ply = control.root_ply + ply
    note_score(world, 0, score)
    world.rewards[0] = reward_of(control, score) if world.game.score != 0 else score
    control.done += 1
    control.deepest = max(control.deepest, ply)
    if ply > 0:
        root = make_context(world, world.root_history[0], 0)
        record = make_record(world, root, world.actions[control.root_ply], 0, world.game.max_actions)
        add_counts(world, record, VISIT + AVAILABLE)
        add_reward(world, record, 0, world.rewards[0])
    if enhanced is not None:
        back_up_captures(world, 0)
