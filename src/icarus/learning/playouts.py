"""Playouts by a softmax of features, and the gradient of what they bring (Silver and Tesauro 2009).

For a playout of T moves with reward z, psi is the mean over its moves of grad log pi: what holds of the move that was drawn less
what was to be expected.  The gradient of the mean reward is the mean of z psi.
"""

from __future__ import annotations

import math

from numba import types

from icarus.engine.calls import call_apply, call_features, call_legal, call_player, call_rewards, call_sample, call_terminal
from icarus.engine.layout import ENVIRONMENT, World
from icarus.jit import kernel, part
from icarus.jit.randomness import random_unit

WORDS, REALS = types.int64[::1], types.float64[::1]


@part
def draw(world, weights, count):
    """The place of an action drawn by the softmax of its weights; the odds are left in World.values."""
    game, state, legal, values, found = world.game, world.states, world.legal, world.values, world.features
    largest = -math.inf
    for i in range(count):
        size, total = call_features(game.features, state, legal[i], found), 0.0
        for k in range(size):
            total += weights[found[k]]
        values[i] = total
        largest = max(largest, total)
    total = 0.0
    for i in range(count):
        values[i] = math.exp(values[i] - largest)
        total += values[i]
    for i in range(count):
        values[i] /= total
    point, chosen = random_unit(world.rng), 0
    while chosen < count - 1 and point >= values[chosen]:
        point -= values[chosen]
        chosen += 1
    return chosen


@kernel(types.float64(WORDS, REALS, REALS, REALS, types.int64, types.int64, types.int64, types.float64))
def play_softmax(handle, weights, psi, gradient, player, number, signed, baseline):
    """Play from the root so often; adds the mean of (z - baseline) psi to the gradient, returns the mean of the rewards z.

    ``signed``: moves of the others count against the player, for a policy that plays well; otherwise they count alike, which
    is the gradient of the mean itself.
    """
    world = World(handle)
    game, state, legal, found = world.game, world.states, world.legal, world.features
    mean = 0.0
    for _ in range(number):
        for word in range(game.state_size):
            state[word] = world.root[word]
        for k in range(psi.shape[0]):
            psi[k] = 0.0
        moves = 0
        while call_terminal(game.terminal, state) == 0:
            mover = call_player(game.player, state)
            if mover == ENVIRONMENT:
                call_apply(game.apply, state, call_sample(game.sample, state, world.rng))
                continue
            count = call_legal(game.legal, state, legal)
            chosen = draw(world, weights, count)
            sign = -1.0 if signed != 0 and mover != player else 1.0
            for i in range(count if count > 1 else 0):
                share = sign * ((1.0 if i == chosen else 0.0) - world.values[i])
                for k in range(call_features(game.features, state, legal[i], found)):
                    psi[found[k]] += share
            moves += 1
            call_apply(game.apply, state, legal[chosen])
        call_rewards(game.rewards, state, world.rewards)
        z = world.rewards[player]
        mean += z / number
        for k in range(psi.shape[0]):
            gradient[k] += (z - baseline) * psi[k] / (max(moves, 1) * number)
    return mean
