"""UCB1 in one pass over a node that lists its records: the twin that the loop inlines (policy/ucb1.py is the formula).

With perfect information all records of a node were available equally often, so one logarithm serves them all, and nothing is
written down in between.  UCB1-Tuned makes the same pass with c = 1/2, and then looks at variances (ucb1_tuned.py).  Where
nothing is replaced, and one thread is at work, nodes with many arms keep what this pass would compute (glance.py).
"""

from __future__ import annotations

from icarus.engine.layout import AVAILABLE, BLOCK_WORDS, EXPANSION, INLINED_UCB1_TUNED, LOW, SELECTION, Block, Record
from icarus.engine.parameters import parameters_at
from icarus.engine.select.choose import one_of
from icarus.engine.select.tables import INVERSES, KNOWN, root_of_logarithm, ucb1_value
from icarus.engine.select.ucb1_tuned import C_OF_MOST, best_by_variance
from icarus.jit import at, atomic_add, element, inner, part
from icarus.jit.randomness import random_below


@inner
def pick_ucb1(world, lane, block, player, seams):
    """UCB1, or UCB1-Tuned, over the records of a block; all of them have been available once more.

    ``seams`` None: it is UCB1, and nothing else changes these records, neither priors nor other threads.
    """
    pool, rng, width = world.pool, at(world.rng, lane), world.meta.width
    size, first = Block(pool, block).capacity, block + BLOCK_WORDS
    trials = Record(pool, first).available
    if seams is None:
        shared, untried, tuned = False, size - trials, False
    else:
        shared, untried = world.meta.shared != 0, untried_first(world, first, size)
        tuned = world.control.tree_twin == INLINED_UCB1_TUNED
    policy = world.strategy.tree_policy
    phase = EXPANSION if untried > 0 else SELECTION
    world.chosen[phase * world.control.policy_nodes + policy] += size > 1
    if untried > 0:
        return pick_untried(world, rng, first, size, width, untried, shared)
    c = C_OF_MOST if tuned else parameters_at(world, element(world.nodes, policy).numbers, player)[0]
    weight = c * root_of_logarithm(trials)
    if trials < KNOWN and not shared:
        chosen, best = best_by_tables(pool, world.values, first, size, width, player, weight)
    else:
        chosen, best = best_in_general(world, first, size, player, weight, shared)
    if seams is not None:
        if tuned:
            return best_by_variance(world, rng, block, chosen, trials, player)
    return chosen if chosen != 0 else first + one_of(world.values, size, best, rng) * width


@inner
def best_by_tables(pool, values, first, size, width, player, weight):
    """The record with the largest value, 0 if several have it, and the value; for one thread and few trials (so no arm has more).

    Several are the best where the second best is as good: to know that takes less than to count them.
    """
    offset, best, second, chosen = first, -1.0, -1.0, first
    for i in range(size):
        record = Record(pool, offset)
        counts = record.counts
        record.counts = counts + AVAILABLE
        visits = counts & LOW
        value = record.reward[player] * INVERSES[2 * visits] + weight * INVERSES[2 * visits + 1]
        values[i] = value
        better = value > best  # no branch: it would be mispredicted
        lesser = best if better else value
        second = lesser if lesser > second else second
        chosen = offset if better else chosen
        best = value if better else best
        offset += width
    return chosen if second < best else 0, best


@part
def best_in_general(world, first, size, player, weight, shared):
    """The same for any counts and several threads."""
    pool, values, width = world.pool, world.values, world.meta.width
    offset, best, second, chosen = first, -1.0, -1.0, first
    for i in range(size):
        record = Record(pool, offset)
        if shared:
            counts = atomic_add(record, "counts", AVAILABLE)
        else:
            counts = record.counts
            record.counts = counts + AVAILABLE
        value = ucb1_value(record.reward[player], counts & LOW, weight)
        values[i] = value
        better = value > best
        lesser = best if better else value
        second = lesser if lesser > second else second
        chosen = offset if better else chosen
        best = value if better else best
        offset += width
    return chosen if second < best else 0, best


@inner
def pick_untried(world, rng, first, size, width, untried, shared):
    """One of the records that nobody has visited, uniformly; all records have been available once more."""
    pool = world.pool
    skip = 0 if untried == 1 else random_below(rng, untried)
    chosen, offset = first, first
    for _ in range(size):
        record = Record(pool, offset)
        if shared:
            counts = atomic_add(record, "counts", AVAILABLE)
        else:
            counts = record.counts
            record.counts = counts + AVAILABLE
        # skip falls below 0 behind the chosen one; should another thread have tried them in between, it is the last found
        free = counts & LOW == 0
        chosen = offset if free and skip >= 0 else chosen
        skip -= free
        offset += width
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
    for i in range(size):
        untried += Record(pool, first + i * width).visits == 0
    return untried
