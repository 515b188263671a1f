"""A playout that is cut off: after so many plies the state is evaluated, by the game or by weights that a strategy has learned.

Evaluation cut-off is section VI-A6 of mcts-survey-2012; Winands and Bjornsson (2010) use it in Lines of Action.
"""

from __future__ import annotations

from icarus.engine.calls import (
    call_apply,
    call_evaluate,
    call_evaluation,
    call_legal,
    call_player,
    call_rewards,
    call_sample,
    call_terminal,
)
from icarus.engine.evaluate.score import fail
from icarus.engine.layout import ENVIRONMENT, NO_ACTION, OVER, TOO_LONG, TOO_MANY_ACTIONS
from icarus.jit import at, element, part
from icarus.jit.randomness import random_below


@part
def evaluate_state(world, lane, out):
    """What the state of a lane is worth to every player."""
    game, strategy = world.game, world.strategy
    state = at(world.states, lane * game.state_size)
    if strategy.evaluation != 0:
        weights = at(world.numbers, strategy.evaluation_numbers)
        call_evaluation(strategy.evaluation, game, state, out, world.features, weights)
    else:
        call_evaluate(game.evaluate, state, out)


@part
def value_leaf(world, lane):
    """Note what the state at a leaf is worth, for the backup; of a compiled game."""
    game = world.game
    out = at(world.leaf_values, lane * game.players)
    if call_terminal(game.terminal, at(world.states, lane * game.state_size)) != 0:
        call_rewards(game.rewards, at(world.states, lane * game.state_size), out)
    else:
        evaluate_state(world, lane, out)


@part
def cut_off(world, lane):
    """The playout of a lane ends here with an evaluation."""
    evaluate_state(world, lane, at(world.rewards, lane * world.game.players))
    status = element(world.lanes, lane)
    status.valued = 1
    status.turn = OVER


@part
def plies_left(world, lane):
    """How many plies a lane beyond the tree may still play."""
    status = element(world.lanes, lane)
    return world.strategy.cutoff - 1 - (status.ply - world.control.root_ply - status.rows)


@part
def play_some(world):
    """Random plies of the first lane, a compiled game's, until the game is over or they are cut off."""
    game, control, lane = world.game, world.control, world.lanes
    state, actions, rng = world.states, world.legal, world.rng
    begun = lane.ply
    ply, last, limit = begun, begun + plies_left(world, 0), control.root_ply + game.max_plies
    while call_terminal(game.terminal, state) == 0:
        if ply >= last:
            cut_off(world, 0)
            break
        if ply >= limit:
            fail(control, TOO_LONG, ply - control.root_ply, game.max_plies)
            break
        if game.sample != 0 and call_player(game.player, state) == ENVIRONMENT:
            action = call_sample(game.sample, state, rng)
        else:
            count = call_legal(game.legal, state, actions)
            if count < 1 or count > game.max_actions:
                fail(control, NO_ACTION if count < 1 else TOO_MANY_ACTIONS, ply - control.root_ply, count)
                break
            action = actions[random_below(rng, count)] if count > 1 else actions[0]
        if control.keeps != 0:
            world.actions[ply] = action
        call_apply(game.apply, state, action)
        ply += 1
    lane.turn = OVER
    lane.ply = ply
    control.all_steps += ply - begun
