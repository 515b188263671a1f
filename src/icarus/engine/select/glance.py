"""UCB1 over all arms of a node at once, where nothing is replaced (policy/ucb1.py is the formula).

Of an arm UCB1 asks for its mean and for the root of 1 / visits, which change only with the playouts that chose it.  So a node
keeps both in front of its block, a run of roots and a run of means: a choice reads these alone, eight arms at a time, and
writes a single word, since with perfect information all arms are available equally often.  UCB1-Tuned makes the same pass with
c = 1/2 and then looks at variances (ucb1_tuned.py), so that the pass reads no sums of squares.  Few arms are read one by
one from their records (ucb1.py), which takes no longer.
"""

from __future__ import annotations

import math

from icarus.engine.layout import AVAILABLE, EXPANSION, INLINED_UCB1_TUNED, SELECTION, Block, Glance, Record
from icarus.engine.parameters import parameters_at
from icarus.engine.select.tables import INVERSES, KNOWN, inverse_root, root_of_logarithm
from icarus.engine.select.ucb1 import pick_ucb1
from icarus.engine.select.ucb1_tuned import C_OF_MOST, few_visits, is_best, place_by_variance
from icarus.engine.table.records import record_in
from icarus.jit import apart, at, element, inner
from icarus.jit.eights import (
    WIDTH,
    eight,
    first_place,
    how_many,
    largest,
    nth_place,
    only,
    places_of,
    spread,
    where_above,
    where_equal,
)
from icarus.jit.randomness import random_below

FEW_ARMS = 32


@inner
def is_noted(world):
    """Is there more to a choice than its record: arms that are looked at in this way, or sums of squares?"""
    return world.game.max_actions > FEW_ARMS or world.strategy.statistic_count != 0


@apart
def pick_and_note(world, row, block, player):
    """The record that UCB1 or UCB1-Tuned chooses at a row of the path; all of the block have been available once more."""
    rng, policy, words, size = world.rng, world.strategy.tree_policy, Block(world.pool, block), Block(world.pool, block).capacity
    row.player = player
    row.legal_count = size
    row.arm = 0
    if size <= FEW_ARMS:
        return pick_ucb1(world, 0, block, player, True)
    trials, first = words.trials, block - 2 * size
    words.fill += AVAILABLE
    roots, untried = Glance(world.pool, first).numbers, size - trials
    world.chosen[(EXPANSION if untried > 0 else SELECTION) * world.control.policy_nodes + policy] += 1
    if untried > 0:
        place = nth_untried(roots, size, 0 if untried == 1 else random_below(rng, untried))
    else:
        tuned, means = world.control.tree_twin == INLINED_UCB1_TUNED, at(roots, size)
        c = C_OF_MOST if tuned else parameters_at(world, element(world.nodes, policy).numbers, player)[0]
        weight, most = c * root_of_logarithm(trials), spread(-math.inf)
        for i in range(0, size, WIDTH):
            values = only(eight(means, i) + weight * eight(roots, i), size - i)
            most = where_above(values, most, values, most)
        best, equals, place = largest(most), 0, 0
        for i in range(0, size, WIDTH):
            places = places_of(only(eight(means, i) + weight * eight(roots, i), size - i), best)
            equals += how_many(places)
            place = i + first_place(places) if places != 0 else place
        if equals > 1:
            if tuned and not are_best(roots, size, weight, best, trials):
                place = place_by_values(world, block, weight, player)
            else:
                place = nth_best(roots, size, weight, best, random_below(rng, equals))
        elif tuned and not is_best(world, record_in(world, block, place), trials, player):
            place = place_by_values(world, block, weight, player)
    row.arm = first + place
    return record_in(world, block, place)


@apart
def nth_untried(roots, size, n):
    """Where the n-th arm is, from 0 on, that nobody has tried."""
    for i in range(0, size, WIDTH):
        places = places_of(only(eight(roots, i), size - i), 0.0)
        here = how_many(places)
        if n < here:
            return i + nth_place(places, n)
        n -= here
    return 0


@apart
def nth_best(roots, size, weight, best, n):
    """Where the n-th arm is, from 0 on, that has this value."""
    for i in range(0, size, WIDTH):
        places = places_of(only(eight(roots, size + i) + weight * eight(roots, i), size - i), best)
        here = how_many(places)
        if n < here:
            return i + nth_place(places, n)
        n -= here
    return 0


@apart
def are_best(roots, size, weight, best, trials):
    """Are all that have the largest value of UCB1 the best by the formula, beyond doubt? None has more than few visits then."""
    fewest = spread(1.0)
    for i in range(0, size, WIDTH):
        own = eight(roots, i)
        tied = where_equal(only(eight(roots, size + i) + weight * own, size - i), best, own, 1.0)
        fewest = where_above(fewest, tied, tied, fewest)
    return -largest(-1.0 * fewest) >= inverse_root(max(few_visits(trials), 1))


@apart
def place_by_values(world, block, weight, player):
    """Where an arm is that has the largest value by UCB1-Tuned's formula."""
    size, values = Block(world.pool, block).capacity, world.values
    roots = Glance(world.pool, block - 2 * size).numbers
    for i in range(size):
        values[i] = roots[size + i] + weight * roots[i]
    return place_by_variance(world, world.rng, block, Block(world.pool, block).trials - 1, player)


@apart
def update_notes(world, rows):
    """After the backup: sums of squares for UCB1-Tuned, and what is kept of the arms along the path."""
    pool, players, tuned = world.pool, world.game.players, world.control.tree_twin == INLINED_UCB1_TUNED
    for number in range(rows):
        row = element(world.path, number)
        record, own = Record(pool, row.record), world.rewards[row.player]
        visits, total = record.visits, record.reward
        if tuned:
            total[players] += own * own
        if row.arm != 0:
            roots = Glance(pool, row.arm).numbers
            inverse = INVERSES[2 * visits] if visits < KNOWN else 1.0 / visits
            roots[0] = INVERSES[2 * visits + 1] if visits < KNOWN else math.sqrt(inverse)
            roots[row.legal_count] = total[row.player] * inverse
