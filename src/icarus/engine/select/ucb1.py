"""UCB1 in one pass over a node that lists its records: the twin that the loop inlines (policy/ucb1.py is the formula).

With perfect information all records of a node were available equally often, so one logarithm serves them all, and nothing is
written down in between.
"""

from __future__ import annotations

from icarus.engine.layout import AVAILABLE, BLOCK_WORDS, EXPANSION, LOW, SELECTION, Block, Record
from icarus.engine.parameters import parameters_at
from icarus.engine.select.choose import best_of
from icarus.engine.select.tables import root_of_logarithm, ucb1_value
from icarus.engine.table.records import add_counts
from icarus.jit import at, atomic_add, element, inner, part
from icarus.jit.randomness import random_below


@inner
def pick_ucb1(world, lane, block, player):
    """UCB1 over the records of a block; all of them have been available once more."""
    pool, meta, values, rng = world.pool, world.meta, world.values, at(world.rng, lane)
    width, shared, size, first = meta.width, meta.shared != 0, Block(pool, block).capacity, block + BLOCK_WORDS
    trials = Record(pool, first).available
    untried = untried_first(world, first, size)
    policy = world.strategy.tree_policy
    phase = EXPANSION if untried > 0 else SELECTION
    world.chosen[phase * world.control.policy_nodes + policy] += size > 1
    if untried > 0:
        return pick_untried(world, rng, first, size, untried)
    c = parameters_at(world, element(world.nodes, policy).numbers, player)[0]
    weight = c * root_of_logarithm(trials)
    offset, best, ties, chosen = first, -1.0, 0, first
    for i in range(size):
        record = Record(pool, offset)
        if shared:
            counts = atomic_add(record, "counts", AVAILABLE)
        else:
            counts = record.counts
            record.counts = counts + AVAILABLE
        value = ucb1_value(record.reward[player], counts & LOW, weight)
        values[i] = value
        better = value > best  # no branch: nobody can predict it
        ties = 1 if better else ties + (value == best)
        chosen = offset if better else chosen
        best = value if better else best
        offset += width
    if ties > 1:
        return first + best_of(values, size, rng) * width
    return chosen


@inner
def pick_untried(world, rng, first, size, untried):
    """One of the records that nobody has visited, uniformly; all records have been available once more."""
    pool, width = world.pool, world.meta.width
    skip = 0 if untried == 1 else random_below(rng, untried)
    chosen = first
    for record in range(first, first + size * width, width):
        # skip falls below 0 behind the chosen one; should another thread have tried them in between, it is the last found
        if Record(pool, record).visits == 0 and skip >= 0:
            chosen = record
            skip -= 1
        add_counts(world, record, AVAILABLE)
    return chosen


@part
def untried_first(world, first, size):
    """How many children are untried (or fewer than 1) at a node whose policy takes untried ones first."""
    if world.meta.shared != 0 or world.strategy.prior != 0:
        return count_untried(world.pool, first, size, world.meta.width)
    # one thread without priors: a node has some while it has fewer trials than children
    return size - Record(world.pool, first).available


@part
def count_untried(pool, first, size, width):
    """How many children nobody has tried: where several threads are at a node, its trials do not tell."""
    untried = 0
    for record in range(first, first + size * width, width):
        untried += Record(pool, record).visits == 0
    return untried
