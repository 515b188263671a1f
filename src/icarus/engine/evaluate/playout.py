"""The default evaluator: what a leaf is worth is what a playout to the end of the game brings.

Where no enhancement looks on, actions are uniformly random: step by step, or in the game's own way if it has one.
"""

from __future__ import annotations

from icarus.engine.calls import (
    call_apply,
    call_evaluator,
    call_finish,
    call_legal,
    call_player,
    call_playout,
    call_rewards,
    call_sample,
    call_terminal,
)
from icarus.engine.evaluate.cutoff import play_some
from icarus.engine.evaluate.score import fail, note_score, score_playout
from icarus.engine.layout import BAD_REWARD, ENVIRONMENT, FINE, NO_ACTION, OVER, TOO_LONG, TOO_MANY_ACTIONS
from icarus.jit import at, element, part
from icarus.jit.randomness import random_below


@part
def play_randomly(world, state, ply, general):
    """Play uniformly random actions until the game is over; returns the number of plies, or below 0 after an error.

    ``general`` None: there is neither chance nor a best playout to be kept.
    """
    game, control, actions, rng = world.game, world.control, world.legal, world.rng
    kept, stochastic = False, False
    if general is not None:
        kept, stochastic = control.keeps != 0, game.sample != 0
    if game.playout != 0 and not kept:  # the actions of a best playout must be known
        return ply + call_playout(game.playout, state, rng)
    terminal, legal_of, apply, limit, most = game.terminal, game.legal, game.apply, game.max_plies, game.max_actions
    while call_terminal(terminal, state) == 0:
        if stochastic and call_player(game.player, state) == ENVIRONMENT:
            action = call_sample(game.sample, state, rng)
        else:
            count = call_legal(legal_of, state, actions)
            if count == 1:
                action = actions[0]
            elif count > 1 and count <= most:
                action = actions[random_below(rng, count)]
            else:
                return fail(control, NO_ACTION if count < 1 else TOO_MANY_ACTIONS, ply, count)
        call_apply(apply, state, action)
        if kept:
            world.actions[control.root_ply + ply] = action
        ply += 1
        if ply > limit:
            return fail(control, TOO_LONG, ply, limit)
    return ply


@part
def finish_randomly(world, action):
    """The rest of the first lane's playout, which nobody looks at; a game of callbacks begins with an action."""
    game, control, lane = world.game, world.control, world.lanes
    if world.strategy.cutoff != 0:
        play_some(world)
        return
    if game.finish != 0:
        if control.error == FINE:
            played = call_finish(game.finish, world.states, action, world.rng)
            control.all_steps += played
            lane.ply += played
    else:
        finish_by_steps(world, True)
    lane.turn = OVER


@part
def finish_by_steps(world, general):
    """The same of a game that is stepped one state at a time."""
    control, lane = world.control, world.lanes
    ply = lane.ply - control.root_ply
    played = play_randomly(world, world.states, ply, general) - ply
    control.all_steps += played
    lane.ply += played


@part
def read_rewards(world, lane):
    """Let the game say what the end of a playout brings; returns whether that is what the contract allows."""
    if world.game.score != 0:
        return score_playout(world, lane)
    if not ask_rewards(world, lane):
        return False
    if world.control.keeps != 0:
        note_score(world, lane, world.rewards[lane])
    return True


@part
def ask_rewards(world, lane):
    """The same of a game without a score."""
    game = world.game
    call_rewards(game.rewards, at(world.states, lane * game.state_size), at(world.rewards, lane * game.players))
    return are_rewards(world, lane)


@part
def are_rewards(world, lane):
    game, control = world.game, world.control
    rewards = at(world.rewards, lane * game.players)
    for player in range(game.players):
        if not (rewards[player] >= 0.0 and rewards[player] <= 1.0):
            fail(control, BAD_REWARD, element(world.lanes, lane).ply - control.root_ply, player)
            return False
    return True


@part
def evaluate_leaves(world, count):
    """Let a strategy's own evaluator say what the waiting lanes are worth."""
    world.leaves.count = count
    call_evaluator(world.strategy.evaluator, world.leaves, at(world.numbers, world.strategy.evaluator_numbers))
