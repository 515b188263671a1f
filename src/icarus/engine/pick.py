"""The choice at a node that lists its records: UCB1 in one pass (Base-4 of icarus-2014).

What choose.py does with any policy, for the usual one: with perfect information all records of a node were available equally
often, so one logarithm serves them all, and nothing is written down in between.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.choose import best_of
from icarus.engine.native import at, atomic_add, bits, inner, ints, part, reals
from icarus.engine.randomness import random_below
from icarus.engine.records import add
from icarus.engine.tables import root_of_logarithm, ucb1_value


@inner
def pick_record(world, lane, block, player):
    """UCB1 over the records of a block; all of them have been available once more."""
    pool, real = ints(world, w.POOL), reals(world, w.POOL)
    values = reals(world, w.VALUES)
    rng, width, size = at(bits(world, w.RNG), lane), ints(world, w.META)[w.WIDTH], pool[block + w.CAPACITY]
    first, shared = block + w.BLOCK_WORDS, ints(world, w.META)[w.SHARED] != 0
    trials = pool[first + w.COUNTS] >> 32
    untried = count_untried(pool, first, size, width) if shared else size - trials
    if untried > 0:
        return pick_untried(world, rng, first, size, untried)
    weight = reals(world, w.NUMBERS)[ints(world, w.POLICY)[w.PLAIN_NUMBERS]] * root_of_logarithm(trials)
    record, best, ties, chosen = first, -1.0, 0, first
    for i in range(size):
        if shared:
            counts = atomic_add(pool, record + w.COUNTS, w.AVAILABLE)
        else:
            counts = pool[record + w.COUNTS]
            pool[record + w.COUNTS] = counts + w.AVAILABLE
        visits = counts & w.LOW
        reward = real[record + w.REWARD + player]
        value = ucb1_value(reward, visits, weight)
        values[i] = value
        better = value > best
        ties = 1 if better else ties + (value == best)
        chosen = record if better else chosen
        best = value if better else best
        record += width
    if ties > 1:
        return first + best_of(values, size, rng) * width
    return chosen


@inner
def pick_untried(world, rng, first, size, untried):
    """One of the records that nobody has visited, uniformly; all records have been available once more."""
    pool, width = ints(world, w.POOL), ints(world, w.META)[w.WIDTH]
    skip = 0 if untried == 1 else random_below(rng, untried)
    chosen = first
    for record in range(first, first + size * width, width):
        # skip falls below 0 behind the chosen one; should another thread have tried them in between, it is the last found
        if pool[record + w.COUNTS] & w.LOW == 0 and skip >= 0:
            chosen = record
            skip -= 1
        add(world, record, w.AVAILABLE)
    return chosen


@part
def count_untried(pool, first, size, width):
    """How many children nobody has tried: where several threads are at a node, its trials do not tell."""
    untried = 0
    for record in range(first, first + size * width, width):
        untried += pool[record + w.COUNTS] & w.LOW == 0
    return untried
