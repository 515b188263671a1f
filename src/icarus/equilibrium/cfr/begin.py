"""Where a walk begins: at a start that is drawn by its weight."""

from __future__ import annotations

from icarus.equilibrium.cfr.knowledge import begin_knowing, known_at
from icarus.jit import at, part
from icarus.jit.randomness import random_unit


@part
def draw_start(solver, totals):
    """The number of a start, by the running totals of their weights."""
    low, high = 0, solver.start_count - 1
    if high > 0:
        point = random_unit(solver.rng) * totals[high]
        while low < high:
            middle = (low + high) // 2
            if totals[middle] > point:
                high = middle
            else:
                low = middle + 1
    return low


@part
def begin_walk(solver, number):
    """Begin at a start."""
    game = solver.game
    start = at(solver.starts, number * game.state_size)
    for word in range(game.state_size):
        solver.states[word] = start[word]
    begin_knowing(solver, known_at(solver, 0), number)
    solver.frames.ply = 0
