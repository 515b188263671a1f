"""Random games from the root of a search: the speed limit of any search on a game, which benchmarks measure it by."""

from __future__ import annotations

from numba import types

from icarus.engine.calls import call_finish, call_rewards
from icarus.engine.drive.lane import copy_root
from icarus.engine.evaluate.playout import play_randomly
from icarus.engine.layout import FINE, World
from icarus.jit import kernel


@kernel(types.int64(types.int64[::1], types.int64))
def random_playouts(handle, number):
    """Play random games from the root and add up the rewards: the speed limit of any search on this game."""
    world = World(handle)
    game, state, totals = world.game, world.states, world.total
    plies = 0
    for _ in range(number):
        copy_root(world, 0)
        if game.finish != 0:
            end = call_finish(game.finish, state, -1, world.rng)
        else:
            end = play_randomly(world, state, 0, True)
        if end < 0 or world.control.error != FINE:
            return -1
        plies += end
        call_rewards(game.rewards, state, world.rewards)
        for player in range(game.players):
            totals[player] += world.rewards[player]
    return plies
