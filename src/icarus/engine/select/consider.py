"""Which of the legal actions are considered: decisive moves, what a game's own knowledge leaves of them, what it suggests."""

from __future__ import annotations

from icarus.engine.calls import call_filter, call_suggest
from icarus.engine.layout import SIMULATION
from icarus.jit import at, element, part
from icarus.jit.randomness import random_unit


@part
def consider(world, lane, state, actions, size, player, phase):
    """Let the strategy's filters move what is considered to the front; returns how many actions that are."""
    strategy, candidates = world.strategy, world.candidates
    first = strategy.tree_filters if phase == SIMULATION else 0
    number = strategy.simulation_filters if phase == SIMULATION else strategy.tree_filters
    candidates.state = state
    candidates.actions = actions
    candidates.player = player
    candidates.size = size
    candidates.rng = at(world.rng, lane)
    status = element(world.lanes, lane)
    candidates.ply = status.ply - world.control.root_ply - status.rows
    candidates.evaluation = strategy.evaluation
    candidates.weights = at(world.numbers, strategy.evaluation_numbers)
    candidates.notes = at(world.notes, lane * world.control.note_words)
    for place in range(first, first + number):
        if candidates.size > 1:
            row = element(world.filters, place)
            left = call_filter(row.function, candidates, at(world.numbers, row.numbers))
            if left > 0 and left < candidates.size:
                candidates.size = left
    return candidates.size


@part
def suggested(world, lane, state, out, ply):
    """In a simulation: the moves that the game would play first, if it is asked; returns how many, 0: all are as good."""
    strategy, game = world.strategy, world.game
    p = world.numbers[strategy.suggests_numbers]
    if p <= 0.0 or (p < 1.0 and random_unit(at(world.rng, lane)) >= p):
        return 0
    size = call_suggest(game.suggest, state, world.actions[lane * world.control.plies + ply - 1] if ply > 0 else -1, out)
    return size if size > 0 and size <= game.max_actions else 0
