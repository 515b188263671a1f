"""Which action a descent takes: AlphaZero's PUCT, or Gumbel AlphaZero's rules for the root and for the nodes below.

PUCT (Silver et al., 2018): Q + C P sqrt(N) / (1 + n), C = c + log((1 + N + base) / base), N the visits of the node, its own
evaluation among them.  Gumbel (Danihelka et al., 2022): the root divides its budget by sequential halving among the actions with
the greatest g + logit, then g + logit + sigma(Q); below it visits follow the improved policy softmax(logit + sigma(completed Q)).
"""

from __future__ import annotations

import math

from icarus.engine.forest.layout import FIRST_LOSS, GUMBEL
from icarus.jit import at, element, part
from icarus.jit.randomness import random_unit

#: a sigma above which priors are too small numbers to be multiplied with exponentials of it
LOGARITHMIC = 300.0


@part
def node_of(forest, tree, node):
    return element(forest.nodes, tree * forest.control.node_room + node)


@part
def edge_of(forest, tree, edge):
    return element(forest.edges, tree * forest.control.edge_room + edge)


@part
def worths_of(forest, tree, node):
    return at(forest.worths, (tree * forest.control.node_room + node) * forest.control.players)


@part
def raw_of(forest, tree, node):
    return at(forest.raw, (tree * forest.control.node_room + node) * forest.control.players)


@part
def totals_of(forest, tree, edge):
    return at(forest.totals, (tree * forest.control.edge_room + edge) * forest.control.players)


@part
def edges_of(forest, tree, node):
    """The first edge of a node; the others follow it."""
    return element(forest.edges, tree * forest.control.edge_room + node.first)


@part
def sums_of(forest, tree, node, player):
    """A player's total at the first edge of a node; those of the others follow, one for every player apart."""
    return at(forest.totals, (tree * forest.control.edge_room + node.first) * forest.control.players + player)


@part
def choose(forest, tree, number):
    """The edge that a descent takes from an expanded node, counted from the node's first one."""
    if forest.control.algorithm == GUMBEL:
        if number == element(forest.trees, tree).root:
            return choose_at_root(forest, tree, number)
        return choose_below(forest, tree, number)
    return choose_puct(forest, tree, number)


@part
def choose_puct(forest, tree, number):
    control, node = forest.control, node_of(forest, tree, number)
    player, visits = node.player, node.visits
    exploration = (control.c + math.log((1.0 + visits + control.base) / control.base)) * math.sqrt(1.0 + visits)
    untried = 0.0 if control.first == FIRST_LOSS else worths_of(forest, tree, number)[player] / (1.0 + visits)
    best, found = -math.inf, 0
    edges, sums, step = edges_of(forest, tree, node), sums_of(forest, tree, node, player), control.players
    for i in range(node.count):
        edge = element(edges, i)
        mean = sums[i * step] / edge.visits if edge.visits > 0 else untried
        value = mean + exploration * edge.prior / (1.0 + edge.visits)
        if value > best:
            best = value
            found = i
    return found


@part
def mixed_value(forest, tree, number):
    """What an action without visits is worth: the evaluator's value of the node and those of the others, by their priors."""
    node = node_of(forest, tree, number)
    player, weighed, known = node.player, 0.0, 0.0
    edges, sums, step = edges_of(forest, tree, node), sums_of(forest, tree, node, player), forest.control.players
    for i in range(node.count):
        edge = element(edges, i)
        if edge.visits > 0:
            known += edge.prior
            weighed += edge.prior * sums[i * step] / edge.visits
    mixed = raw_of(forest, tree, number)[player]
    return (mixed + node.visits * weighed / known) / (1.0 + node.visits) if known > 0.0 else mixed


@part
def complete(forest, tree, number, scores):
    """Write logit + sigma(completed Q) of every edge; an action without visits is worth the mixed value of its node."""
    control, node, most = forest.control, node_of(forest, tree, number), 0
    mixed = mixed_value(forest, tree, number)
    for i in range(node.count):
        most = max(most, edge_of(forest, tree, node.first + i).visits)
    scale = (control.c_visit + most) * control.c_scale
    for i in range(node.count):
        edge = edge_of(forest, tree, node.first + i)
        mean = totals_of(forest, tree, node.first + i)[node.player] / edge.visits if edge.visits > 0 else mixed
        scores[i] = edge.logit + scale * mean


@part
def softmax(scores, count):
    most, total = -math.inf, 0.0
    for i in range(count):
        most = max(most, scores[i])
    for i in range(count):
        scores[i] = math.exp(scores[i] - most)
        total += scores[i]
    part_of_all = 1.0 / total
    for i in range(count):
        scores[i] *= part_of_all


@part
def choose_below(forest, tree, number):
    """The action whose share of the visits falls behind the improved policy most.

    The improved policy is prior * exp(scale * (Q - top)), over the sum of it.  Actions without visits share one exponential, and
    only the most likely of them can be chosen, so that few are looked at twice.
    """
    control, node, scores, tried = forest.control, node_of(forest, tree, number), forest.scores, forest.scratch
    count, visits, player = node.count, node.visits, node.player
    edges, sums, step = edges_of(forest, tree, node), sums_of(forest, tree, node, player), control.players
    if (control.c_visit + visits) * control.c_scale > LOGARITHMIC:
        return choose_by_logits(forest, tree, number)
    # which actions have visits is hard to foretell: no branch depends on it
    known, most, weight, weighed, top = 0, 0, 0.0, 0.0, 0.0  # of actions with visits
    untried, likely, found = 0.0, -1.0, 0  # of actions without
    for i in range(count):
        edge = element(edges, i)
        tries, prior = edge.visits, edge.prior
        mean = sums[i * step] / max(tries, 1)  # 0 without visits
        scores[known] = mean
        tried[known] = i
        known += 1 if tries > 0 else 0
        most = max(most, tries)
        top = max(top, mean)
        weighed += prior * mean
        new = prior if tries == 0 else 0.0
        untried += new
        weight += prior - new
        new = prior if tries == 0 else -1.0
        found = i if new > likely else found
        likely = max(likely, new)
    if known == 0:
        return found
    scale = (control.c_visit + most) * control.c_scale
    share, best, total = 1.0 / (1.0 + visits), -math.inf, 0.0
    if known < count:
        mixed = raw_of(forest, tree, number)[player]
        if weight > 0.0:
            mixed = (mixed + visits * weighed / weight) * share
        top = max(top, mixed)
        rest = math.exp(scale * (mixed - top))
        total = untried * rest
        best = likely * rest
    for i in range(known):
        score = element(edges, tried[i]).prior * math.exp(scale * (scores[i] - top))
        scores[i] = score
        total += score
    share *= total  # everything is compared times the sum
    for i in range(known):
        value = scores[i] - element(edges, tried[i]).visits * share
        if value > best or (value == best and tried[i] < found):
            best = value
            found = tried[i]
    return found


@part
def choose_by_logits(forest, tree, number):
    """The same for a large sigma, where an action of next to no prior may still be the best."""
    node, scores = node_of(forest, tree, number), forest.scores
    complete(forest, tree, number, scores)
    softmax(scores, node.count)
    best, found = -math.inf, 0
    for i in range(node.count):
        value = scores[i] - edge_of(forest, tree, node.first + i).visits / (1.0 + node.visits)
        if value > best:
            best = value
            found = i
    return found


@part
def choose_at_root(forest, tree, number):
    """Sequential halving: the best of those actions that have as many visits as the schedule says."""
    control, words, node = forest.control, element(forest.trees, tree), node_of(forest, tree, number)
    row = min(node.count, control.considered) * control.schedule
    descents = words.started - 1  # this one has been counted
    wanted = forest.schedules[row + min(descents, control.schedule_length - 1)]
    return best_with(forest, tree, number, wanted)


@part
def best_with(forest, tree, number, wanted):
    """The greatest g + logit + sigma(Q) among actions with so many visits since the tree got its root (or among all, if none)."""
    control, node = forest.control, node_of(forest, tree, number)
    count, place = node.count, tree * forest.game.max_actions
    edges, sums, step = edges_of(forest, tree, node), sums_of(forest, tree, node, node.player), control.players
    before, noises = at(forest.before, place), at(forest.noises, place)
    most, fitting, untried_fitting, untried = 0, 0, 0, 0
    for i in range(count):
        visits = element(edges, i).visits
        most = max(most, visits)
        untried += visits == 0
        if visits - before[i] == wanted:
            fitting += 1
            untried_fitting += visits == 0
    among = fitting if fitting > 0 else count
    without = untried_fitting if fitting > 0 else untried
    # where all of them have no visits, their equal value decides nothing; where all have some, nobody asks for it
    mixed = mixed_value(forest, tree, number) if 0 < without < among else 0.0
    scale = (control.c_visit + most) * control.c_scale
    best, found = -math.inf, 0
    for i in range(count):
        edge = element(edges, i)
        mean = sums[i * step] / edge.visits if edge.visits > 0 else mixed
        value = edge.logit + scale * mean + noises[i]
        value = value if fitting == 0 or edge.visits - before[i] == wanted else -math.inf
        found = i if value > best else found
        best = max(best, value)
    return found


@part
def decided(forest, tree):
    """The root's edge that Gumbel's rule plays: among the most visited, the greatest g + logit + sigma(Q)."""
    number = element(forest.trees, tree).root
    node, most = node_of(forest, tree, number), 0
    for i in range(node.count):
        visits = edge_of(forest, tree, node.first + i).visits - forest.before[tree * forest.game.max_actions + i]
        most = max(most, visits)
    return best_with(forest, tree, number, most)


@part
def prepare_root(forest, tree):
    """Give a root that has just been expanded, or that the tree has just moved to, its noise."""
    control, words = forest.control, element(forest.trees, tree)
    node, rng, place = node_of(forest, tree, words.root), at(forest.rng, tree), tree * forest.game.max_actions
    words.prepared = 1
    for i in range(node.count):
        forest.before[place + i] = edge_of(forest, tree, node.first + i).visits
        noise = 0.0
        if control.algorithm == GUMBEL and control.gumbel > 0.0:
            noise = -control.gumbel * math.log(-math.log(random_open(rng)))
        forest.noises[place + i] = noise
    if control.algorithm == GUMBEL or control.noise <= 0.0 or node.count < 2:
        return
    alpha = control.alpha if control.alpha > 0.0 else 10.0 / node.count
    scores, total = forest.scores, 0.0
    for i in range(node.count):
        scores[i] = random_gamma(rng, alpha)
        total += scores[i]
    for i in range(node.count):
        edge = edge_of(forest, tree, node.first + i)
        share = scores[i] / total if total > 0.0 else 1.0 / node.count
        edge.prior = (1.0 - control.noise) * edge.prior + control.noise * share


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
