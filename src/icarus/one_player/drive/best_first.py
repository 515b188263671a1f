"""Trees of bounds for one player without chance: flat UCB over leaves, BAST, MHSP.

The first two are by Coquelin and Munos (2007), the third by Pellier, Bouzy and Métivier (2010).
Every playout goes from the root to the child with the greatest bound B, again and again, until it comes to a node that was never
visited, to the end of the game or to a limit of depth; that node is valued, and B is computed anew on the way back.  With X the
mean of what passed a node, n how often, and c(n) = sqrt(ln(n (n + 1) / beta) / (2 n)):

====================  =================================================================================================
``leaf-ucb``          B = X + c(n) at a leaf, else the greatest B of its children: all leaves are the arms of one bandit
``bast``              the same, but nowhere more than X + c(n) + delta gamma^depth: values below a node are close to each other
``mhsp``              B = X, and a leaf is worth the score of its state, without a playout (but after the first one, so that there
                      is an answer); a node below which everything is known is closed, so that the search is complete
====================  =================================================================================================

What was never visited has an infinite B.  Scores stay in the game's units: c(n) and delta are multiplied by the difference
between the greatest and the least score seen.
"""

from __future__ import annotations

import math

from numba import types

from icarus.engine.layout import FAILED, FINE, PROVEN, World
from icarus.jit import Layout, Number, Word, element, kernel, part, size_of
from icarus.jit.randomness import random_below
from icarus.one_player.drive.walk import (
    account,
    copy_state,
    legal_of,
    note_action,
    play_out,
    reason_to_leave,
    score_of,
    state_of,
    step,
)

LEAVES, SMOOTH, HEURISTIC = range(3)
CLOSED = -math.inf  #: the bound of a node below which everything is known


class BestFirstWords(Layout):
    """What is searched, and the nodes that there are."""

    rule = Word()
    depth = Word()  #: where the tree ends
    beta = Number()
    delta = Number()
    gamma = Number()
    most_nodes = Word()
    nodes = Word()  #: how many there are; the first is the root
    current = Word()


class Node(Layout):
    action = Word()  #: that leads to it
    parent = Word()
    first = Word()  #: the first of its children, which lie side by side; 0: none yet
    children = Word()
    visits = Word()
    total = Number()  #: of the scores that passed it
    bound = Number()


NODE_WORDS, BEST_FIRST_WORDS = size_of(Node), size_of(BestFirstWords)


@kernel(types.int64(types.int64[::1]))
def run_best_first(handle):
    """Playout after playout, until there is a reason to come back."""
    world = World(handle)
    tree = BestFirstWords(world.own, 0)
    if tree.nodes == 0:
        tree.nodes = 1
        fill(node_at(world, 0), 0, 0)
    while True:
        reason = reason_to_leave(world)
        if reason >= 0:
            return reason
        if node_at(world, 0).bound == CLOSED:
            return PROVEN
        if not iterate(world, tree):
            return FAILED


@part
def node_at(world, number):
    return Node(world.own, BEST_FIRST_WORDS + number * NODE_WORDS)


@part
def fill(node, action, parent):
    node.action = action
    node.parent = parent
    node.first = 0
    node.children = 0
    node.visits = 0
    node.total = 0.0
    node.bound = math.inf


@part
def iterate(world, tree):
    """Down to a leaf, its value, and back; returns whether the game keeps its contract."""
    world.control.started += 1
    copy_state(world, state_of(world, 0), world.root)
    element(world.lanes, 0).in_tree = 1
    tree.current, ply = 0, 0
    count = step(world, 0, -1, 0)
    while count > 0 and ply < tree.depth and node_at(world, tree.current).visits > 0:
        if node_at(world, tree.current).first == 0 and not expand(world, tree, count):
            break
        tree.current = best_child(world, tree.current)
        action = node_at(world, tree.current).action
        note_action(world, ply, action)
        ply += 1
        count = step(world, 0, action, ply)
    if count < 0:
        return False
    ended, length = count == 0, ply
    if tree.rule != HEURISTIC:
        element(world.lanes, 0).in_tree = 0
        length = play_out(world, ply, count, False, None)
        if length < 0:
            return False
    score = score_of(world, length)
    if tree.rule != HEURISTIC or ended:
        account(world, length, score, None)
    elif world.control.scored == 0:  # there is an answer, even if this search never comes to an end of the game
        element(world.lanes, 0).in_tree = 0
        length = play_out(world, ply, count, False, None)
        if length < 0:
            return False
        account(world, length, score_of(world, length), None)
    else:
        world.control.done += 1
    back_up(world, tree, ply, score, ended)
    return world.control.error == FINE


@part
def expand(world, tree, count):
    """Make the children of the node in hand; returns whether there is room for them."""
    if tree.nodes + count > tree.most_nodes:
        return False
    node, legal = node_at(world, tree.current), legal_of(world, 0)
    node.first = tree.nodes
    node.children = count
    for i in range(count):
        fill(node_at(world, node.first + i), legal[i], tree.current)
    tree.nodes += count
    return True


@part
def best_child(world, number):
    """The child with the greatest bound; among equals one at random."""
    node = node_at(world, number)
    best, equal, chosen = CLOSED, 0, node.first
    for i in range(node.first, node.first + node.children):
        bound = node_at(world, i).bound
        if bound > best:
            best = bound
            equal = 0
        if bound == best:
            equal += 1
            if equal == 1 or random_below(world.rng, equal) == 0:
                chosen = i
    return chosen


@part
def back_up(world, tree, ply, score, ended):
    """A node so many plies below the root has been valued; its bounds and those above it are computed anew."""
    number, depth = tree.current, ply
    while True:
        node = node_at(world, number)
        node.visits += 1
        node.total += score
        node.bound = bound_of(world, tree, number, depth, ended and depth == ply)
        if depth == 0:
            return
        number = node.parent
        depth -= 1


@part
def bound_of(world, tree, number, depth, ended):
    node, control = node_at(world, number), world.control
    below = CLOSED
    for i in range(node.first, node.first + node.children):
        below = max(below, node_at(world, i).bound)
    mean = node.total / node.visits
    leaf = ended or depth == tree.depth
    if tree.rule == HEURISTIC:
        return CLOSED if leaf or (node.children > 0 and below == CLOSED) else mean
    width = control.most_score - control.least_score
    doubt = width * math.sqrt(math.log(node.visits * (node.visits + 1.0) / tree.beta) / (2.0 * node.visits))
    if leaf:
        return mean + doubt
    if node.children == 0:
        below = math.inf
    if tree.rule == LEAVES:
        return below
    return min(below, mean + doubt + width * tree.delta * tree.gamma**depth)
