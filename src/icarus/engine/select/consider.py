"""Which of the legal actions are considered: decisive moves, and what a game's own knowledge leaves of them."""

from __future__ import annotations

from icarus.engine.calls import call_filter
from icarus.engine.layout import SIMULATION
from icarus.jit import at, element, part


@part
def consider(world, state, actions, size, player, phase):
    """Let the strategy's filters move what is considered to the front; returns how many actions that are."""
    strategy, candidates = world.strategy, world.candidates
    first = strategy.tree_filters if phase == SIMULATION else 0
    number = strategy.simulation_filters if phase == SIMULATION else strategy.tree_filters
    candidates.state = state
    candidates.actions = actions
    candidates.player = player
    candidates.size = size
    for place in range(first, first + number):
        if candidates.size > 1:
            row = element(world.filters, place)
            left = call_filter(row.function, candidates, at(world.numbers, row.numbers))
            if left > 0 and left < candidates.size:
                candidates.size = left
    return candidates.size
