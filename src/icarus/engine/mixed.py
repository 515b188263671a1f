"""RAVE's choice in one pass: AMAF and the baseline's UCB1, weighed by the visits of the node.

What choose.py does for any maxilinear combination, for the one that everybody uses (strategy/rave.py), at a node that leads to
its AMAF records (linked.py).
"""

from __future__ import annotations

import math

from icarus.engine import words as w
from icarus.engine.choose import best_of
from icarus.engine.linked import linked_context
from icarus.engine.native import at, bits, inner, ints, prefetch, reals
from icarus.engine.pages import find_in_pages
from icarus.engine.pick import count_untried, pick_untried
from icarus.engine.records import add
from icarus.engine.tables import mean_of, root_of_logarithm, ucb1_value


@inner
def pick_mixed(world, lane, node, player, row):
    """The record that RAVE, GRAVE or HRAVE chooses; all of them have been available once more.

    ``row`` is what was noted of the node on the way down; whether all its records had been visited is noted in addition.
    """
    pool, real, values = ints(world, w.POOL), reals(world, w.POOL), reals(world, w.VALUES)
    others = ints(world, w.RECORDS)
    nodes, numbers, rng = ints(world, w.NODES), reals(world, w.NUMBERS), at(bits(world, w.RNG), lane)
    policy = ints(world, w.POLICY)[w.TREE_POLICY]
    children = at(ints(world, w.CHILDREN), nodes[policy * w.NODE_COLUMNS + w.FIRST_CHILD] * w.CHILD_COLUMNS)
    amaf = at(nodes, children[w.CHILD] * w.NODE_COLUMNS)
    base = at(nodes, children[w.CHILD_COLUMNS + w.CHILD] * w.NODE_COLUMNS)
    by_sums = amaf[w.QUICK] == w.BY_SUMS
    block, width = pool[node + w.BLOCK], ints(world, w.META)[w.WIDTH]
    first, size = block + w.BLOCK_WORDS, pool[block + w.CAPACITY]
    trials = pool[first + w.COUNTS] >> 32
    chosen = ints(world, w.CHOSEN)
    phases = ints(world, w.CONTROL)[w.POLICY_NODES]

    # with CadiaPlayer's formula AMAF has no say before all actions have been tried
    untried = count_untried(pool, first, size, width) if trials < size and not by_sums else 0
    if untried > 0:
        row[w.PATH_SELECTION] = 0
        chosen[w.EXPANSION * phases + policy] += size > 1
        return pick_untried(world, rng, first, size, untried)

    context = linked_context(world, lane, amaf[w.CAPTURE], player)
    directory, short = pool[context + w.DIRECTORY], ints(world, w.META)[w.PAGED_WIDTH]
    listed = pool[context + w.BLOCK] + w.BLOCK_WORDS if directory == 0 and pool[context + w.BLOCK] != 0 else 0
    word = w.REWARD if directory != 0 else w.REWARD + player
    k = numbers[ints(world, w.FACTORS)[children[w.FIRST_FACTOR] * w.FACTOR_COLUMNS + w.WEIGHT_NUMBERS]]
    share = math.sqrt(k / (3.0 * row[w.PATH_VISITS] + k))
    rest = 1.0 - share
    c_amaf, explore = numbers[amaf[w.REUSE_NUMBERS]], numbers[base[w.REUSE_NUMBERS]] * rest
    # first where, then what: so many records are on their way from memory at the same time
    total = 0
    for i in range(size):
        others[i] = listed + i * width if listed != 0 else w.NOWHERE
        if directory != 0:
            others[i] = find_in_pages(pool, directory, short, (pool[first + i * width + w.ACTION] & w.LOW) - 1)
            prefetch(pool, others[i])
        if by_sums:
            total += pool[others[i] + w.COUNTS] & w.LOW
    explore_amaf = share * c_amaf * root_of_logarithm(total)
    if not by_sums:
        explore += share * c_amaf
    explore *= root_of_logarithm(trials)

    best, ties, pick = -1.0, 0, 0
    for i in range(size):
        record, other = first + i * width, others[i]
        visits, reward = pool[record + w.COUNTS] & w.LOW, real[record + w.REWARD + player]
        later, later_reward = pool[other + w.COUNTS] & w.LOW, real[other + word]
        add(world, record, w.AVAILABLE)
        if visits == 0 or (by_sums and later == 0):
            value = math.inf
        else:
            value = ucb1_value(rest * reward, visits, explore)
            if by_sums:
                value += ucb1_value(share * later_reward, later, explore_amaf)
            else:
                value += share * (mean_of(later_reward, later) if later > 0 else mean_of(reward, visits))
        untried += visits == 0
        values[i] = value
        better = value > best  # no branch: nobody can predict it
        ties = 1 if better else ties + (value == best)
        pick = i if better else pick
        best = value if better else best
    row[w.PATH_SELECTION] = untried == 0
    chosen[(w.SELECTION if untried == 0 else w.EXPANSION) * phases + policy] += size > 1
    if ties > 1:
        pick = best_of(values, size, rng)
    return first + pick * width
