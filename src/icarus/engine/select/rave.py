"""RAVE's choice in one pass: AMAF and the baseline's UCB1, weighed by the visits of the node.

The twin of any maxilinear combination of a policy that declares one on AMAF's records, UCB1 and RaveWeight
(strategy/rave.py), at a node that leads to its AMAF records (amaf/by_node.py).
"""

from __future__ import annotations

import math

from icarus.engine.amaf.by_node import context_of, own_moves
from icarus.engine.amaf.playouts import keeps_every_move, path_row, reference_number
from icarus.engine.layout import (
    AVAILABLE,
    BLOCK_WORDS,
    COUNTS,
    EXPANSION,
    INLINED_UCB1_SUM,
    LOW,
    NOWHERE,
    OWN_MOVE_WORDS,
    SELECTION,
    AmafContext,
    Block,
    Node,
    Record,
)
from icarus.engine.parameters import parameters_at
from icarus.engine.select.choose import best_of
from icarus.engine.select.tables import mean_of, root_of_logarithm, ucb1_value
from icarus.engine.select.ucb1 import count_untried, pick_untried
from icarus.engine.table.pages import find_in_pages
from icarus.jit import at, atomic_add, element, part, prefetch


@part
def best_by_cadia(world, first, size, player, listed, apart, place, share, explore):
    """The usual case of :func:`pick_rave`: CadiaPlayer's formula, a node that reads itself, one thread; -1 if several are best.

    All actions have been tried.  The same values as below, without asking at each of them what kind of case it is.
    """
    pool, values, width, rest = world.pool, world.values, world.meta.width, 1.0 - share
    best, ties, pick = -1.0, 0, 0
    offset, other = first, listed
    for i in range(size):
        record, amaf = Record(pool, offset), Record(pool, other)
        counts, reward = record.counts, record.reward[player]
        record.counts = counts + AVAILABLE
        visits, later = counts & LOW, amaf.visits
        mean = amaf.reward[place] / max(later, 1)
        value = ucb1_value(rest * reward, visits, explore) + share * (mean if later > 0 else mean_of(reward, visits))
        values[i] = value
        better = value > best  # no branch: nobody can predict it
        ties = 1 if better else ties + (value == best)
        pick = i if better else pick
        best = value if better else best
        offset += width
        other += apart
    return pick if ties == 1 else -1


@part
def pick_rave(world, lane, row, block):
    """The record that RAVE, GRAVE or HRAVE chooses at a row of the path; all of them have been available once more.

    Whether all records of the node had been visited is noted in the row.
    """
    pool, values, others, rng = world.pool, world.values, world.records, at(world.rng, lane)
    node, player = row.node, row.player
    policy = world.strategy.tree_policy
    mixture = element(world.nodes, policy)
    of_amaf, of_baseline = element(world.children, mixture.first_child), element(world.children, mixture.first_child + 1)
    amaf, baseline = element(world.nodes, of_amaf.node), element(world.nodes, of_baseline.node)
    by_sums = amaf.inlined == INLINED_UCB1_SUM
    width, first, size = world.meta.width, block + BLOCK_WORDS, Block(pool, block).capacity
    trials = Record(pool, first).available
    chosen, phases = world.chosen, world.control.policy_nodes

    # with CadiaPlayer's formula AMAF has no say before all actions have been tried
    untried = count_untried(pool, first, size, width) if trials < size and not by_sums else 0
    if untried > 0:
        row.selection = 0
        chosen[EXPANSION * phases + policy] += size > 1
        return pick_untried(world, rng, first, size, width, untried, world.meta.shared != 0)

    # a node that reads itself has the records of its legal moves side by side; an ancestor's are looked up
    listed, apart, directory, place = NOWHERE, 0, 0, 0
    if keeps_every_move(world, amaf.capture):
        above = path_row(world, lane, reference_number(world, lane, amaf.capture)).node
        if above != node:
            directory = AmafContext(pool, context_of(world, above, amaf.capture, player)).directory
        else:
            own = own_moves(world, node)
            if own != NOWHERE:
                listed, apart = own - COUNTS, OWN_MOVE_WORDS
    else:
        there, place = AmafContext(pool, Node(pool, node).amaf).block, player
        if there != 0:
            listed, apart = there + BLOCK_WORDS, width
    short, shared = world.meta.paged_width, world.meta.shared != 0
    k = parameters_at(world, element(world.factors, of_amaf.first_factor).numbers, player)[0]
    share = math.sqrt(k / (3.0 * row.visits + k))
    rest = 1.0 - share
    c_amaf = parameters_at(world, amaf.numbers, player)[0]
    explore = parameters_at(world, baseline.numbers, player)[0] * rest
    # first where, then what: so many records are on their way from memory at the same time
    total = 0
    if directory != 0:
        for i in range(size):
            others[i] = find_in_pages(pool, directory, short, Record(pool, first + i * width).label - 1)
            prefetch(pool, others[i])
    if by_sums:
        for i in range(size):
            total += Record(pool, others[i] if directory != 0 else listed + i * apart).visits
    explore_amaf = share * c_amaf * root_of_logarithm(total)
    if not by_sums:
        explore += share * c_amaf
    explore *= root_of_logarithm(trials)

    if directory == 0 and not by_sums and not shared:
        row.selection = 1
        chosen[SELECTION * phases + policy] += size > 1
        pick = best_by_cadia(world, first, size, player, listed, apart, place, share, explore)
        return first + (pick if pick >= 0 else best_of(values, size, rng)) * width

    best, ties, pick = -1.0, 0, 0
    for i in range(size):
        record, other = Record(pool, first + i * width), Record(pool, others[i] if directory != 0 else listed + i * apart)
        counts = atomic_add(record, "counts", AVAILABLE) if shared else record.counts
        if not shared:
            record.counts = counts + AVAILABLE
        visits, reward = counts & LOW, record.reward[player]
        later, later_reward = other.visits, other.reward[place]
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
    row.selection = untried == 0
    chosen[(SELECTION if untried == 0 else EXPANSION) * phases + policy] += size > 1
    if ties > 1:
        pick = best_of(values, size, rng)
    return first + pick * width
