"""The parameters of policies and weights: one block of numbers for all players, or one for each (strategy/adaptive.py)."""

from __future__ import annotations

from icarus.jit import at, part


@part
def parameters_at(world, place, player):
    """The numbers at this place, as they are for the player who chooses."""
    return at(world.numbers, place + player * world.strategy.per_player)
