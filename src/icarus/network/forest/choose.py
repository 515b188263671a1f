"""Which action a descent takes: AlphaZero's PUCT, or Gumbel AlphaZero's rules for the root and for the nodes below.

PUCT (Silver et al., 2018): Q + C P sqrt(N) / (1 + n), C = c + log((1 + N + base) / base), N the visits of the node, its own
evaluation among them.  Gumbel (Danihelka et al., 2022): the root divides its budget by sequential halving among the actions with
the greatest g + logit, then g + logit + sigma(Q); below it visits follow the improved policy softmax(logit + sigma(completed Q)).
"""

from __future__ import annotations

import math

from icarus.jit import at, element, inner, part
from icarus.jit.eights import (
    WIDTH,
    eight,
    exponentials,
    largest,
    only,
    place_of_first,
    put,
    spread,
    total,
    where_above,
    where_equal,
)
from icarus.jit.randomness import random_unit
from icarus.network.forest.layout import FIRST_LOSS, GUMBEL

#: a sigma above which exponentials of it are too small numbers
LOGARITHMIC = 300.0


@part
def node_of(forest, tree, node):
    return element(forest.nodes, tree * forest.control.node_room + node)


@part
def worths_of(forest, tree, node):
    return at(forest.worths, (tree * forest.control.node_room + node) * forest.control.players)


@part
def raw_of(forest, tree, node):
    return at(forest.raw, (tree * forest.control.node_room + node) * forest.control.players)


@part
def totals_of(forest, tree, room):
    return at(forest.totals, (tree * forest.control.edge_room + room) * forest.control.players)


@part
def edges_of(forest, tree, node):
    """Where the edges of a node begin in all arrays of edges."""
    return tree * forest.control.edge_room + node.first


@part
def weigh(forest, edge, player):
    """Say what an edge is worth to who acts, after its visits or totals have changed: that is asked for more often."""
    forest.means[edge] = forest.totals[edge * forest.control.players + player] / max(forest.visits[edge], 1.0)


@part
def choose(forest, tree, number):
    """The edge that a descent takes from an expanded node, counted from the node's first one."""
    if forest.control.algorithm == GUMBEL:
        if number == element(forest.trees, tree).root:
            return choose_at_root(forest, tree, number, element(forest.trees, tree).started - 1)  # this one has been counted
        return choose_below(forest, tree, number)
    return choose_puct(forest, tree, number)


@part
def choose_puct(forest, tree, number):
    control, node = forest.control, node_of(forest, tree, number)
    visits, first = node.visits, edges_of(forest, tree, node)
    exploration = (control.c + math.log((1.0 + visits + control.base) / control.base)) * math.sqrt(1.0 + visits)
    untried = 0.0 if control.first == FIRST_LOSS else worths_of(forest, tree, number)[node.player] / (1.0 + visits)
    best, found = -math.inf, 0
    for i in range(0, node.count, WIDTH):
        tries = eight(forest.visits, first + i)
        mean = where_above(tries, 0.0, eight(forest.means, first + i), untried)
        value = only(mean + exploration * eight(forest.priors, first + i) / (1.0 + tries), node.count - i)
        most = largest(value)
        if most > best:
            best = most
            found = i + place_of_first(value, most)
    return found


@part
def mixed_value(forest, tree, number):
    """What an action without visits is worth: the evaluator's value of the node and those of the others, by their priors."""
    node = node_of(forest, tree, number)
    first, known, weighed = edges_of(forest, tree, node), spread(0.0), spread(0.0)
    for i in range(0, node.count, WIDTH):
        prior = eight(forest.priors, first + i)
        known = known + where_above(eight(forest.visits, first + i), 0.0, prior, 0.0)
        weighed = weighed + prior * eight(forest.means, first + i)
    mixed, weight = raw_of(forest, tree, number)[node.player], total(known)
    return (mixed + node.visits * (total(weighed) / weight)) / (1.0 + node.visits) if weight > 0.0 else mixed


@part
def complete(forest, tree, number, scores):
    """Write logit + sigma(completed Q) of every edge; an action without visits is worth the mixed value of its node."""
    control, node = forest.control, node_of(forest, tree, number)
    first, mixed, most = edges_of(forest, tree, node), mixed_value(forest, tree, number), 0.0
    for i in range(node.count):
        most = max(most, forest.visits[first + i])
    scale = (control.c_visit + most) * control.c_scale
    for i in range(0, node.count, WIDTH):
        mean = where_above(eight(forest.visits, first + i), 0.0, eight(forest.means, first + i), mixed)
        put(scores, i, eight(forest.edge_logits, first + i) + scale * mean)


@part
def softmax(scores, shares, count):
    """What each of so many numbers makes of their softmax; both have room for whole eights.  Returns where the greatest is."""
    if count <= WIDTH:
        score = only(eight(scores, 0), count)
        peak = largest(score)
        share = exponentials(score - peak)
        put(shares, 0, share * (1.0 / total(share)))
        return place_of_first(score, peak)
    most, whole = spread(-math.inf), spread(0.0)
    for i in range(0, count, WIDTH):
        score = only(eight(scores, i), count - i)
        most = where_above(score, most, score, most)
    peak, found = largest(most), -1
    for i in range(0, count, WIDTH):
        score = only(eight(scores, i), count - i)
        if found < 0 and largest(score) == peak:
            found = i + place_of_first(score, peak)
        share = exponentials(score - peak)
        whole = whole + share
        put(shares, i, share)
    part_of_all = 1.0 / total(whole)
    for i in range(0, count, WIDTH):
        put(shares, i, eight(shares, i) * part_of_all)
    return found


@part
def choose_below(forest, tree, number):
    """The action whose share of the visits falls behind the improved policy most.

    The improved policy is prior * exp(sigma(Q) - sigma(1)), over the sum of it.
    """
    control, node, scores = forest.control, node_of(forest, tree, number), forest.scores
    if is_sharp(control, node):
        return choose_by_logits(forest, tree, number)
    first, visits = edges_of(forest, tree, node), node.visits
    if node.count <= WIDTH:
        tries, prior, means = eight(forest.visits, first), eight(forest.priors, first), eight(forest.means, first)
        return choose_of_eight(control, node, tries, prior, means, raw_of(forest, tree, number)[node.player])
    most, known, weighed, whole = spread(0.0), spread(0.0), spread(0.0), spread(0.0)
    for i in range(0, node.count, WIDTH):
        tries, prior = eight(forest.visits, first + i), eight(forest.priors, first + i)
        most = where_above(tries, most, tries, most)
        known = known + where_above(tries, 0.0, prior, 0.0)
        weighed = weighed + prior * eight(forest.means, first + i)
    scale = (control.c_visit + largest(most)) * control.c_scale
    # everything waits for what follows: the mixed value in one division, and none by the sum of the policy
    mixed, weight = raw_of(forest, tree, number)[node.player], total(known)
    if weight > 0.0:
        mixed = (mixed * weight + visits * total(weighed)) / (weight * (1.0 + visits))
    for i in range(0, node.count, WIDTH):
        mean = where_above(eight(forest.visits, first + i), 0.0, eight(forest.means, first + i), mixed)
        score = eight(forest.priors, first + i) * exponentials(scale * (mean - 1.0))
        whole = whole + score
        put(scores, i, score)
    return furthest_behind(forest, first, node.count, 1.0 + visits, total(whole))


@inner
def is_sharp(control, node):
    """Is sigma so large that an action of next to no prior may still be the best?"""
    return (control.c_visit + node.visits) * control.c_scale > LOGARITHMIC


@inner
def mixed_of_eight(node, tries, prior, means, raw):
    """The mixed value (see above) where there is one eight of edges, in one division."""
    weight = total(where_above(tries, 0.0, prior, 0.0))
    return (raw * weight + node.visits * total(prior * means)) / (weight * (1.0 + node.visits)) if weight > 0.0 else raw


@inner
def choose_of_eight(control, node, tries, prior, means, raw):
    """The action below the root where there is one eight of edges, in straight code."""
    mixed, scale = mixed_of_eight(node, tries, prior, means, raw), (control.c_visit + largest(tries)) * control.c_scale
    score = prior * exponentials(scale * (where_above(tries, 0.0, means, mixed) - 1.0))
    value = only(score * (1.0 + node.visits) - tries * total(score), node.count)
    return place_of_first(value, largest(value))


@part
def furthest_behind(forest, first, count, all_visits, whole):
    """Where the share of a score in the whole of them is above the share of the visits most."""
    best, found = -math.inf, 0
    for i in range(0, count, WIDTH):
        value = only(eight(forest.scores, i) * all_visits - eight(forest.visits, first + i) * whole, count - i)
        most = largest(value)
        if most > best:
            best = most
            found = i + place_of_first(value, most)
    return found


@part
def choose_by_logits(forest, tree, number):
    """The same for a large sigma, by logits instead of priors."""
    node, scores = node_of(forest, tree, number), forest.scores
    complete(forest, tree, number, scores)
    softmax(scores, scores, node.count)
    return furthest_behind(forest, edges_of(forest, tree, node), node.count, 1.0 + node.visits, 1.0)


@part
def choose_at_root(forest, tree, number, descents):
    """Sequential halving: the best of those actions that have as many visits as the schedule says after so many descents."""
    node = node_of(forest, tree, number)
    return best_with(forest, tree, number, wanted_at_root(forest, node, descents))


@inner
def wanted_at_root(forest, node, descents):
    """How many visits an action of the root must have to be chosen after so many descents."""
    control = forest.control
    row = min(node.count, control.considered) * control.schedule
    return forest.schedules[row + min(descents, control.schedule_length - 1)]


@part
def best_with(forest, tree, number, wanted):
    """The greatest g + logit + sigma(Q) among actions with so many visits since the tree got its root (or among all, if none)."""
    control, node = forest.control, node_of(forest, tree, number)
    count, place, first = node.count, tree * control.widest, edges_of(forest, tree, node)
    if count <= WIDTH:
        tries, prior, means = eight(forest.visits, first), eight(forest.priors, first), eight(forest.means, first)
        raw = raw_of(forest, tree, number)[node.player]
        return best_of_eight(forest, tree, node, tries, prior, means, raw, eight(forest.edge_logits, first), wanted)
    tried, made = spread(0.0), spread(0.0)
    for i in range(0, count, WIDTH):
        visits = eight(forest.visits, first + i)
        tried = tried + where_above(visits, 0.0, 1.0, 0.0)
        made = where_above(visits, made, visits, made)
    some = total(tried)
    # where none of them has visits, their equal value decides nothing; where all have some, nobody asks for it
    mixed = mixed_value(forest, tree, number) if 0.0 < some < count else 0.0
    scale = (control.c_visit + largest(made)) * control.c_scale
    best, found, narrow = -math.inf, 0, 1.0
    while best == -math.inf:
        for i in range(0, count, WIDTH):
            visits = eight(forest.visits, first + i)
            mean = where_above(visits, 0.0, eight(forest.means, first + i), mixed)
            value = eight(forest.edge_logits, first + i) + scale * mean + eight(forest.noises, place + i)
            made = (visits - eight(forest.before, place + i)) * narrow
            value = only(where_equal(made, wanted * narrow, value, -math.inf), count - i)
            most = largest(value)
            if most > best:
                best = most
                found = i + place_of_first(value, most)
        narrow = 0.0  # and now whatever they have
    return found


@inner
def best_of_eight(forest, tree, node, tries, prior, means, raw, logits, wanted):
    """The same where there is one eight of edges, in straight code."""
    control, place, mixed = forest.control, tree * forest.control.widest, 0.0
    if 0.0 < total(where_above(tries, 0.0, 1.0, 0.0)) < node.count:
        mixed = mixed_of_eight(node, tries, prior, means, raw)
    scale = (control.c_visit + largest(tries)) * control.c_scale
    value = logits + scale * where_above(tries, 0.0, means, mixed) + eight(forest.noises, place)
    value = only(value, node.count)
    fits = where_equal(tries - eight(forest.before, place), wanted, value, -math.inf)
    most = largest(fits)
    if most == -math.inf:
        most = largest(value)
        return place_of_first(value, most)
    return place_of_first(fits, most)


@part
def decided(forest, tree):
    """The root's edge that Gumbel's rule plays: among the most visited, the greatest g + logit + sigma(Q)."""
    number = element(forest.trees, tree).root
    node, most = node_of(forest, tree, number), 0.0
    place, first = tree * forest.control.widest, edges_of(forest, tree, node)
    for i in range(node.count):
        most = max(most, forest.visits[first + i] - forest.before[place + i])
    return best_with(forest, tree, number, most)


@part
def prepare_root(forest, tree):
    """Give a root that has just been expanded, or that the tree has just moved to, its noise."""
    control, words = forest.control, element(forest.trees, tree)
    node, rng, place = node_of(forest, tree, words.root), at(forest.rng, tree), tree * control.widest
    first = edges_of(forest, tree, node)
    words.prepared = 1
    for i in range(node.count):
        forest.before[place + i] = forest.visits[first + i]
        noise = 0.0
        if control.algorithm == GUMBEL and control.gumbel > 0.0:
            noise = -control.gumbel * math.log(-math.log(random_open(rng)))
        forest.noises[place + i] = noise
    if control.algorithm == GUMBEL or control.noise <= 0.0 or node.count < 2:
        return
    alpha = control.alpha if control.alpha > 0.0 else 10.0 / node.count
    scores, whole = forest.scores, 0.0
    for i in range(node.count):
        scores[i] = random_gamma(rng, alpha)
        whole += scores[i]
    for i in range(node.count):
        share = scores[i] / whole if whole > 0.0 else 1.0 / node.count
        forest.priors[first + i] = (1.0 - control.noise) * forest.priors[first + i] + control.noise * share


@part
def random_open(rng):
    """A random number above 0 and below 1."""
    return (random_unit(rng) * 9007199254740991.0 + 0.5) / 9007199254740992.0


@part
def random_gamma(rng, alpha):
    """A number with a gamma distribution (Marsaglia and Tsang, 2000)."""
    boost = 1.0
    if alpha < 1.0:
        boost = random_open(rng) ** (1.0 / alpha)
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        normal = math.sqrt(-2.0 * math.log(random_open(rng))) * math.cos(2.0 * math.pi * random_unit(rng))
        v = (1.0 + c * normal) ** 3
        if v > 0.0 and math.log(random_open(rng)) < 0.5 * normal * normal + d - d * v + d * math.log(v):
            return boost * d * v
