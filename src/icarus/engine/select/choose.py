"""Reuse: how the numbers in the records become a choice.

``choose`` evaluates a strategy's policy for one decision.  Every leaf of the policy reads the records of one capture into its
arms (arms.py) and hands them to its reuse function; operators say which leaf decides (linear), how values are weighed
(maxilinear) or who has the majority (vote).
"""

from __future__ import annotations

import math

from icarus.engine.calls import call_policy, call_weight
from icarus.engine.layout import ARG_MAX, LEAF, LINEAR, SIMULATION, UNIFORM, VOTE
from icarus.engine.parameters import parameters_at
from icarus.engine.select.arms import clear_arms, gather, read_statistics
from icarus.jit import at, element, part
from icarus.jit.randomness import random_below, random_unit


@part
def weight_of(world, child, player):
    """The weight of an operator's child: a product of constants and functions of the baseline record."""
    weight = 1.0
    row = element(world.children, child)
    for number in range(row.first_factor, row.first_factor + row.factor_count):
        factor = element(world.factors, number)
        if factor.weight == 0:
            value = parameters_at(world, factor.numbers, player)[0]
        else:
            value = call_weight(factor.weight, world.history_record, parameters_at(world, factor.numbers, player))
        weight *= 1.0 - value if factor.complement != 0 else value
    return weight


@part
def evaluate_leaf(world, lane, node, actions, size, player, phase):
    """Let a leaf fill the values with one number per legal action."""
    leaf = element(world.nodes, node)
    if leaf.capture == 0:
        arms = world.baseline_arms
        if phase == SIMULATION:  # it holds nothing beyond the tree
            clear_arms(world, arms, size, node)
        elif leaf.used_statistics != 0:
            for i in range(size):
                read_statistics(world, world.records[i], world.game.players, i, node, arms)
    else:
        arms = world.arms
        gather(world, lane, leaf.capture, actions, size, player, phase, node)
    arms.size = size
    arms.rng = at(world.rng, lane)
    call_policy(leaf.function, arms, world.values, parameters_at(world, leaf.numbers, player))


@part
def best_of(values, size, rng):
    """An index with the largest value, uniformly among equals."""
    best, second, first = values[0], -math.inf, 0
    for i in range(1, size):
        value = values[i]
        better = value > best  # no branch: nobody can predict it
        lesser = best if better else value
        second = lesser if lesser > second else second  # the same as the best if there are equals
        first = i if better else first
        best = value if better else best
    return first if second < best or size == 1 else one_of(values, size, best, rng)


@part
def one_of(values, size, best, rng):
    """An index with this value, which several have, uniformly."""
    ties = 0
    for i in range(size):
        ties += values[i] == best
    skip = random_below(rng, ties)
    for i in range(size):
        if values[i] == best:
            if skip == 0:
                return i
            skip -= 1
    return 0


@part
def draw(world, values, size, rng):
    """An index with probability proportional to its weight; the probability is kept as the choice's odds."""
    total = 0.0
    for i in range(size):
        total += values[i]
    if not (total > 0.0 and total < math.inf):
        world.choice.odds = 1.0 / size
        return random_below(rng, size)
    mark = random_unit(rng) * total
    below = 0.0
    pick = 0
    for i in range(size):
        below += values[i]
        pick += below <= mark  # no branch: nobody can predict it
    while pick >= size or values[pick] == 0.0:  # the last digit of the sum may have been in the way
        pick -= 1
    world.choice.odds = values[pick] / total
    return pick


@part
def pick_by_leaf(world, lane, node, size):
    """The choice that the values of a leaf stand for."""
    leaf, rng = element(world.nodes, node), at(world.rng, lane)
    if leaf.shape == ARG_MAX:
        return best_of(world.values, size, rng)
    world.choice.capture = leaf.capture
    return draw(world, world.values, size, rng)


@part
def choose_by(world, lane, node, actions, size, player, phase):
    """The choice of a leaf or of a maxilinear combination of leaves."""
    row, rng = element(world.nodes, node), at(world.rng, lane)
    if row.kind == UNIFORM:
        return random_below(rng, size)
    if row.kind == LEAF:
        evaluate_leaf(world, lane, node, actions, size, player, phase)
        return pick_by_leaf(world, lane, node, size)
    total = world.total
    for i in range(size):
        total[i] = 0.0
    for child in range(row.first_child, row.first_child + row.child_count):
        weight = weight_of(world, child, player)
        if weight != 0.0:
            evaluate_leaf(world, lane, element(world.children, child).node, actions, size, player, phase)
            for i in range(size):
                total[i] += weight * world.values[i]
    return best_of(total, size, rng)


@part
def draw_term(world, lane, node, player):
    """The node that decides in place of a linear mixture: one of its terms, drawn by their weights."""
    rng = at(world.rng, lane)
    while element(world.nodes, node).kind == LINEAR:
        row = element(world.nodes, node)
        last = row.first_child + row.child_count - 1
        mark = random_unit(rng)
        child = row.first_child
        while child < last:
            mark -= weight_of(world, child, player)
            if mark < 0.0:
                break
            child += 1
        node = element(world.children, child).node
    return node


@part
def choose(world, lane, node, actions, size, player, phase):
    """The index of the action that the policy chooses."""
    node = draw_term(world, lane, node, player)
    world.chosen[phase * world.control.policy_nodes + node] += 1
    row = element(world.nodes, node)
    if row.kind != VOTE:
        return choose_by(world, lane, node, actions, size, player, phase)
    ballot = world.ballot
    for i in range(size):
        ballot[i] = 0.0
    for child in range(row.first_child, row.first_child + row.child_count):
        pick = choose_by(world, lane, element(world.children, child).node, actions, size, player, phase)
        ballot[pick] += weight_of(world, child, player)
    world.choice.odds = 0.0
    return best_of(ballot, size, at(world.rng, lane))
