"""RAVE's choice in one pass: AMAF and the baseline's UCB1, weighed by the visits of the node.

What choose.py does for any maxilinear combination, for the one that everybody uses (strategy/rave.py), at a node that leads to
its AMAF records (linked.py).
"""

from __future__ import annotations

import math

from icarus.engine import words as w
from icarus.engine.choose import best_of
from icarus.engine.later import keeps_every_move, path_row, reference_node
from icarus.engine.linked import context_of, own_moves
from icarus.engine.native import at, atomic_add, bits, inner, ints, part, prefetch, reals
from icarus.engine.pages import find_in_pages
from icarus.engine.pick import count_untried, pick_untried
from icarus.engine.tables import mean_of, root_of_logarithm, ucb1_value


@part
def best_by_cadia(world, first, size, player, listed, apart, word, share, explore):
    """The usual case of :func:`pick_mixed`: CadiaPlayer's formula, a node that reads itself, one thread; -1 if several are best.

    All actions have been tried.  The same values as below, without asking at each of them what kind of case it is.
    """
    pool, real, values = ints(world, w.POOL), reals(world, w.POOL), reals(world, w.VALUES)
    width, rest = ints(world, w.META)[w.WIDTH], 1.0 - share
    best, ties, pick = -1.0, 0, 0
    record, other = first, listed
    for i in range(size):
        counts, reward = pool[record + w.COUNTS], real[record + w.REWARD + player]
        pool[record + w.COUNTS] = counts + w.AVAILABLE
        visits, later = counts & w.LOW, pool[other + w.COUNTS] & w.LOW
        mean = real[other + word] / max(later, 1)
        value = ucb1_value(rest * reward, visits, explore) + share * (mean if later > 0 else mean_of(reward, visits))
        values[i] = value
        better = value > best  # no branch: nobody can predict it
        ties = 1 if better else ties + (value == best)
        pick = i if better else pick
        best = value if better else best
        record += width
        other += apart
    return pick if ties == 1 else -1


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

    # a node that reads itself has the records of its legal moves side by side; an ancestor's are looked up
    listed, apart, directory, word = w.NOWHERE, 0, 0, w.REWARD
    if keeps_every_move(world, amaf[w.CAPTURE]):
        above = path_row(world, lane, reference_node(world, lane, amaf[w.CAPTURE]))[w.PATH_NODE]
        if above != node:
            directory = pool[context_of(world, above, amaf[w.CAPTURE], player) + w.DIRECTORY]
        elif own_moves(world, node) != w.NOWHERE:
            listed, apart = own_moves(world, node) - w.COUNTS, w.OWN_MOVE_WORDS
    else:
        there, word = pool[pool[node + w.NOTES] + w.BLOCK], w.REWARD + player
        if there != 0:
            listed, apart = there + w.BLOCK_WORDS, width
    short, shared = ints(world, w.META)[w.PAGED_WIDTH], ints(world, w.META)[w.SHARED] != 0
    k = numbers[ints(world, w.FACTORS)[children[w.FIRST_FACTOR] * w.FACTOR_COLUMNS + w.WEIGHT_NUMBERS]]
    share = math.sqrt(k / (3.0 * row[w.PATH_VISITS] + k))
    rest = 1.0 - share
    c_amaf, explore = numbers[amaf[w.REUSE_NUMBERS]], numbers[base[w.REUSE_NUMBERS]] * rest
    # first where, then what: so many records are on their way from memory at the same time
    total = 0
    if directory != 0:
        for i in range(size):
            others[i] = find_in_pages(pool, directory, short, (pool[first + i * width + w.ACTION] & w.LOW) - 1)
            prefetch(pool, others[i])
    if by_sums:
        for i in range(size):
            total += pool[(others[i] if directory != 0 else listed + i * apart) + w.COUNTS] & w.LOW
    explore_amaf = share * c_amaf * root_of_logarithm(total)
    if not by_sums:
        explore += share * c_amaf
    explore *= root_of_logarithm(trials)

    if directory == 0 and not by_sums and not shared:
        row[w.PATH_SELECTION] = 1
        chosen[w.SELECTION * phases + policy] += size > 1
        pick = best_by_cadia(world, first, size, player, listed, apart, word, share, explore)
        return first + (pick if pick >= 0 else best_of(values, size, rng)) * width

    best, ties, pick = -1.0, 0, 0
    for i in range(size):
        record, other = first + i * width, others[i] if directory != 0 else listed + i * apart
        counts = atomic_add(pool, record + w.COUNTS, w.AVAILABLE) if shared else pool[record + w.COUNTS]
        if not shared:
            pool[record + w.COUNTS] = counts + w.AVAILABLE
        visits, reward = counts & w.LOW, real[record + w.REWARD + player]
        later, later_reward = pool[other + w.COUNTS] & w.LOW, real[other + word]
        if visits == 0 or (by_sums and later == 0):
            value = math.inf
        else:
            value = ucb1_value(rest * reward, visits, explore)
            if by_sums:
                value += ucb1_value(share * later_reward, later, explore_amaf)
            else:
                value += share * (later_reward / max(later, 1) if later > 0 else mean_of(reward, visits))
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
