"""What UCB1-Tuned adds to UCB1's pass over a node: the twin that the loop inlines (policy/ucb1_tuned.py is the formula).

Its bound is the smaller of 1/4 and ``variance + sqrt(2 ln m / n)``, and no variance is below 0: an arm with at most 32 ln m
visits has the value of UCB1 with c = 1/2, exactly, and no arm has more than that.  So whoever is the best by that value and has
few visits, or a bound that is not below 1/4, is the best by the formula, and nobody else's sum of squares is read.  That holds
where sums of rewards and of their squares speak of the same playouts: not behind a prior, nor where a backup is replaced
(strategy/plan.py).
"""

from __future__ import annotations

import math

from icarus.engine.layout import Record
from icarus.engine.select.tables import inverse_root, logarithm, mean_of, root_of_logarithm
from icarus.jit import element, part

C_OF_MOST = 0.5  #: the root of 1/4
FEW = 32 * 0.999  #: times ln m: so far the bound is at least 1/4, whatever rounding makes of a variance of 0


@part
def best_by_variance(world, first, size, trials, player, best):
    """The record with the largest value, 0 if several may have it: then World.values are the formula's.

    ``best``: the one with the largest value of UCB1 (0: several), whose values are in World.values.
    """
    few = int(FEW * logarithm(trials))
    if best != 0 and (Record(world.pool, best).visits <= few or bound_of(world, best, trials, player) >= 0.25):
        return best
    width, root = world.meta.width, root_of_logarithm(trials)
    for i in range(size):
        record = first + i * width
        visits = Record(world.pool, record).visits
        if visits > few:
            share = math.sqrt(min(0.25, max(0.0, bound_of(world, record, trials, player))))
            world.values[i] = mean_of(Record(world.pool, record).reward[player], visits) + root * inverse_root(visits) * share
    return 0


@part
def bound_of(world, record, trials, player):
    """An upper bound of the variance of a record's rewards."""
    place = world.game.players + world.statistic_uses[element(world.nodes, world.strategy.tree_policy).first_statistic]
    words = Record(world.pool, record)
    visits, mean = words.visits, mean_of(words.reward[player], words.visits)
    width = root_of_logarithm(trials) * inverse_root(visits)
    return mean_of(words.reward[place], visits) - mean * mean + math.sqrt(2.0) * width
