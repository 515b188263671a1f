"""TD(lambda) for an evaluation: games of the learner with itself, each position's value drawn towards that of the next.

The value of a position for who acts is the logistic function of the weights of what holds (Sutton 1988; Tesauro 1995; sections
IV-C1 and VI-A4 of mcts-survey-2012).  Games of two players whose rewards add up to 1.
"""

from __future__ import annotations

import math

from numba import types

from icarus.engine.calls import call_apply, call_features, call_legal, call_player, call_rewards, call_sample, call_terminal
from icarus.engine.layout import ENVIRONMENT, World
from icarus.jit import kernel, part
from icarus.jit.randomness import random_below, random_unit

WORDS, REALS = types.int64[::1], types.float64[::1]


@part
def value_for_first(world, weights, state):
    """What a state is worth to player 0: its reward if the game is over, else the learner's opinion."""
    game = world.game
    if call_terminal(game.terminal, state) != 0:
        call_rewards(game.rewards, state, world.rewards)
        return world.rewards[0]
    total = 0.0
    for k in range(call_features(game.features, state, -1, world.features)):
        total += weights[world.features[k]]
    value = 1.0 / (1.0 + math.exp(-total))
    return value if call_player(game.player, state) == 0 else 1.0 - value


@part
def choose(world, weights, epsilon):
    """The action behind which the position is worth most to who acts; with probability epsilon any."""
    game, state, legal, behind = world.game, world.states, world.legal, world.candidates.states
    count = call_legal(game.legal, state, legal)
    if random_unit(world.rng) < epsilon:
        return legal[random_below(world.rng, count)]
    mover, best, chosen = call_player(game.player, state), -1.0, 0
    for i in range(count):
        for word in range(game.state_size):
            behind[word] = state[word]
        call_apply(game.apply, behind, legal[i])
        value = value_for_first(world, weights, behind)
        value = (value if mover == 0 else 1.0 - value) + 1e-6 * random_unit(world.rng)
        if value > best:
            best, chosen = value, i
    return legal[chosen]


@kernel(types.float64(WORDS, REALS, REALS, types.float64, types.float64, types.float64))
def learn_game(handle, weights, trace, rate, fading, epsilon):
    """One game from the root; changes the weights, returns the mean of the squared differences between neighbouring values."""
    world = World(handle)
    game, state = world.game, world.states
    for word in range(game.state_size):
        state[word] = world.root[word]
    for k in range(trace.shape[0]):
        trace[k] = 0.0
    value, squares, moves = value_for_first(world, weights, state), 0.0, 0
    while call_terminal(game.terminal, state) == 0:
        mover = call_player(game.player, state)
        if mover != ENVIRONMENT:
            # the slope of the value for player 0, what acts counting with its own sign
            slope = value * (1.0 - value) * (1.0 if mover == 0 else -1.0)
            for k in range(trace.shape[0]):
                trace[k] *= fading
            for k in range(call_features(game.features, state, -1, world.features)):
                trace[world.features[k]] += slope
            call_apply(game.apply, state, choose(world, weights, epsilon))
        else:
            call_apply(game.apply, state, call_sample(game.sample, state, world.rng))
            continue
        while call_terminal(game.terminal, state) == 0 and call_player(game.player, state) == ENVIRONMENT:
            call_apply(game.apply, state, call_sample(game.sample, state, world.rng))
        after = value_for_first(world, weights, state)
        for k in range(trace.shape[0]):
            weights[k] += rate * (after - value) * trace[k]
        squares += (after - value) * (after - value)
        moves += 1
        value = value_for_first(world, weights, state)
    return squares / max(moves, 1)
