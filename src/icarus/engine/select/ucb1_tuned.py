"""What UCB1-Tuned adds to UCB1's pass over a node: the twin that the loop inlines (policy/ucb1_tuned.py is the formula).

Its bound is the smaller of 1/4 and ``variance + sqrt(2 ln m / n)``, and no variance is below 0: an arm with at most 32 ln m
visits has the value of UCB1 with c = 1/2, exactly, and no arm has more than that.  So whoever is the best by that value and has
few visits, or a bound that is not below 1/4, is the best by the formula, and nobody else's sum of squares is read.  That holds
where sums of rewards and of their squares speak of the same playouts: not behind a prior, nor where a backup is replaced
(strategy/plan.py).
"""

from __future__ import annotations

import math

from icarus.engine.layout import Block, Record
from icarus.engine.select.choose import best_of
from icarus.engine.select.tables import inverse_root, logarithm, mean_of, root_of_logarithm
from icarus.engine.table.records import record_in
from icarus.jit import apart, element, inner

C_OF_MOST = 0.5  #: the root of 1/4
FEW = 32 * 0.999  #: times ln m: so far the bound is at least 1/4, whatever rounding makes of a variance of 0


@inner
def few_visits(trials):
    """Up to so many visits an arm has UCB1's value."""
    return int(FEW * logarithm(trials))


@inner
def is_best(world, record, trials, player):
    """Is the record with the largest value of UCB1 the best by the formula, beyond doubt?"""
    return Record(world.pool, record).visits <= few_visits(trials) or bound_of(world, record, trials, player) >= 0.25


@apart
def best_by_variance(world, rng, block, best, trials, player):
    """The record with the largest value, where World.values are UCB1's; ``best``: that with the largest of these (0: several)."""
    if best != 0 and is_best(world, best, trials, player):
        return best
    return record_in(world, block, place_by_variance(world, rng, block, trials, player))


@apart
def place_by_variance(world, rng, block, trials, player):
    """Make UCB1's values in World.values the formula's; returns where one of the largest is."""
    few, root = few_visits(trials), root_of_logarithm(trials)
    for i in range(Block(world.pool, block).capacity):
        record = record_in(world, block, i)
        visits = Record(world.pool, record).visits
        if visits > few:
            share = math.sqrt(min(0.25, max(0.0, bound_of(world, record, trials, player))))
            world.values[i] = mean_of(Record(world.pool, record).reward[player], visits) + root * inverse_root(visits) * share
    return best_of(world.values, Block(world.pool, block).capacity, rng)


@apart
def bound_of(world, record, trials, player):
    """An upper bound of the variance of a record's rewards."""
    place = world.game.players + world.statistic_uses[element(world.nodes, world.strategy.tree_policy).first_statistic]
    words = Record(world.pool, record)
    visits, mean = words.visits, mean_of(words.reward[player], words.visits)
    width = root_of_logarithm(trials) * inverse_root(visits)
    return mean_of(words.reward[place], visits) - mean * mean + math.sqrt(2.0) * width
