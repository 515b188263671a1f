"""The lockstep driver: Algorithm 1 of icarus-2014 over lanes, for every kind of game.

Sample a determinization, play to the end choosing every action with a policy that reads records, then update the records that the
playout touched: the steps of drive/lane.py.  One lane is played to its end; of many lanes each makes a step in turn, so that one
waits for memory, or for a game that advances all of them at once, while the others are at work.
"""

from __future__ import annotations

from numba import types

from icarus.engine.calls import call_advance_all
from icarus.engine.drive.lane import back_up, begin, pick_action, query_state, step_lane
from icarus.engine.drive.limits import lap, reason_to_return
from icarus.engine.drive.prefetch import LANES_AHEAD, prefetch_own_moves_on_way, prefetch_records, prefetch_way_back
from icarus.engine.drive.random_steps import pick_randomly, read_report
from icarus.engine.drive.straight import run_straight
from icarus.engine.evaluate.playout import evaluate_leaves, finish_randomly
from icarus.engine.evaluate.simulate import simulate
from icarus.engine.identity import follow_state
from icarus.engine.layout import ENVIRONMENT, FAILED, FINE, OVER, World
from icarus.jit import cycles, element, kernel, part

# --- one lane --------------------------------------------------------------------------------------------------------


@part
def play_through(world, timed, moment):
    """One lane: play it to the end and back it up before looking up."""
    control, strategy, game, lane = world.control, world.strategy, world.game, world.lanes
    # where nothing is reported step by step, the rest of a playout goes straight to the end
    straight = game.advance == 0
    if strategy.uniform != 0 and game.advance != 0 and strategy.cutoff == 0:
        straight = game.finish != 0
    while lane.turn != OVER and (lane.in_tree != 0 or not (straight or strategy.evaluator != 0)):
        in_tree = lane.in_tree != 0
        step_lane(world, 0, straight and strategy.evaluator == 0)
        if timed and in_tree and (lane.in_tree == 0 or lane.turn == OVER):
            moment = lap(world, 1, moment)
    if lane.turn != OVER:
        if strategy.evaluator != 0:
            evaluate_waiting(world)
        elif strategy.uniform != 0:
            finish_randomly(world, world.picked[0])
        else:
            simulate(world)
    if timed:
        moment = lap(world, 2, moment)
    if control.error == FINE:
        back_up(world, 0)
    if timed:
        lap(world, 3, moment)
        world.cycles[4] += 1


# --- many lanes ------------------------------------------------------------------------------------------------------


@part
def waits(world, lane):
    """Has the lane come to a leaf that an evaluator will value?"""
    status = element(world.lanes, lane)
    return world.strategy.evaluator != 0 and status.in_tree == 0 and status.running != 0 and status.turn != OVER


@part
def evaluate_waiting(world):
    """Value the leaves of all lanes that wait, at once, if no other is still on its way there."""
    waiting = 0
    for lane in range(world.control.lanes):
        status = element(world.lanes, lane)
        if waits(world, lane):
            world.leaves.lanes[waiting] = lane
            waiting += 1
        elif status.running != 0 and status.turn != OVER:
            return
    if waiting == 0 or world.control.error != FINE:
        return
    evaluate_leaves(world, waiting)
    for i in range(waiting):
        status = element(world.lanes, world.leaves.lanes[i])
        status.valued = 1
        status.turn = OVER


@part
def tick(world):
    """Many lanes: one step of each; those that have ended are backed up."""
    game, control, picked, ended = world.game, world.control, world.picked, world.ended
    together = game.advance_all != 0
    randomly = together and world.strategy.random_steps != 0
    for lane in range(control.lanes):
        status = element(world.lanes, lane)
        if lane + LANES_AHEAD < control.lanes and element(world.lanes, lane + LANES_AHEAD).in_tree != 0:
            prefetch_records(world, lane + LANES_AHEAD)
        picked[lane] = -1
        if status.running != 0 and status.turn != OVER and not waits(world, lane):
            if randomly and status.in_tree == 0 and status.turn != ENVIRONMENT:
                pick_randomly(world, lane)
            elif together:
                pick_action(world, lane)
            else:
                step_lane(world, lane, False)
    if together:
        call_advance_all(game.advance_all, world.states, picked, world.legal, world.reports, control.lanes)
        for lane in range(control.lanes):
            if picked[lane] < 0:
                continue
            in_tree = element(world.lanes, lane).in_tree != 0
            if in_tree:
                follow_state(world, lane)
            if randomly and not in_tree:
                read_report(world, lane)
            else:
                query_state(world, lane)
    if world.strategy.evaluator != 0:
        evaluate_waiting(world)
    count = 0
    for lane in range(control.lanes):
        status = element(world.lanes, lane)
        if status.running != 0 and status.turn == OVER:
            prefetch_way_back(world, lane)
            ended[count] = lane
            count += 1
    for i in range(count if control.amaf_by_node != 0 else 0):
        prefetch_own_moves_on_way(world, ended[i])
    for i in range(count):
        if control.error == FINE:
            back_up(world, ended[i])


# --- the driver ------------------------------------------------------------------------------------------------------


@kernel(types.int64(types.int64[::1]))
def run(handle):
    """Run iterations until the target is reached; returns why it came back."""
    world = World(handle)
    control, lanes = world.control, world.control.lanes
    if control.straight != 0:
        return run_straight(world, True, True)
    while True:
        reason = reason_to_return(world, False)  # an iteration may make many contexts
        running = 0
        timed = (control.started & 15) == 0 and lanes == 1
        moment = cycles() if timed else 0
        for lane in range(lanes):
            status = element(world.lanes, lane)
            if status.running == 0 and reason < 0 and control.started < control.target:
                begin(world, lane)
            running += status.running
        if running == 0 or reason == FAILED:
            return reason
        if lanes == 1:
            if timed:
                moment = lap(world, 0, moment)
            play_through(world, timed, moment)
        else:
            tick(world)
