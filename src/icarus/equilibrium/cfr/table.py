"""The table of information sets: regrets and average strategies, found by key."""

from __future__ import annotations

from icarus.equilibrium.cfr.layout import HEAD, OTHER_ACTIONS, InformationSet
from icarus.jit import at, part
from icarus.jit.randomness import random_unit

SINK = 0  #: the place in the pool of what has no room


@part
def find_set(solver, key, count, actions):
    """The place of an information set in the pool, made if it is not there; SINK if there is no room for it."""
    index, mask = solver.index, solver.index_mask
    slot = key & mask
    while index[2 * slot + 1] != 0:
        if index[2 * slot] == key:
            place = index[2 * slot + 1]
            # another order would mix up the regrets of actions: such a game is refused
            if InformationSet(solver.pool, place).size != count:
                solver.error = OTHER_ACTIONS
                return SINK
            return place
        slot = (slot + 1) & mask
    place = solver.pool_used
    if place + HEAD + 3 * count > solver.pool_size or 2 * solver.sets > mask:
        solver.full = 1
        place = SINK
    else:
        index[2 * slot] = key
        index[2 * slot + 1] = place
        solver.pool_used = place + HEAD + 3 * count
        solver.sets += 1
    fresh = InformationSet(solver.pool, place)
    fresh.key = key
    fresh.size = count
    for i in range(count):
        fresh.actions[i] = actions[i]
        solver.numbers[place + HEAD + count + i] = 0.0
        solver.numbers[place + HEAD + 2 * count + i] = 0.0
    return place


@part
def match_regrets(solver, place, count, sigma):
    """The current strategy: in proportion to the regrets above zero, uniform if there are none."""
    regrets = at(solver.numbers, place + HEAD + count)
    total = 0.0
    for i in range(count):
        total += max(regrets[i], 0.0)
    for i in range(count):
        sigma[i] = max(regrets[i], 0.0) / total if total > 0.0 else 1.0 / count


@part
def add_to_average(solver, place, count, sigma, weight):
    average = at(solver.numbers, place + HEAD + 2 * count)
    for i in range(count):
        average[i] += weight * sigma[i]


@part
def draw(solver, sigma, count):
    """An action by its probability."""
    point = random_unit(solver.rng)
    for i in range(count - 1):
        point -= sigma[i]
        if point < 0.0:
            return i
    return count - 1
