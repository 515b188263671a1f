"""Straight down and back: a tree whose only lane is valued by machine code at once.

So it is in self-play with a compiled evaluator, where edges lead to nodes.  Nothing happens to a node between two descents
through it, hence which edge the next one takes is found when the last one comes back: everything about a node is then at hand,
no descent waits for its sums, divisions and exponentials, but only follows what nodes have written down.
What is counted, and what is chosen, is the same as in descend.py.
"""

from __future__ import annotations

from icarus.engine.calls import call_apply, call_rewards
from icarus.engine.layout import FINE, TOO_LONG
from icarus.jit import at, element, inner, part
from icarus.jit.eights import WIDTH, eight, put, spread, with_one
from icarus.network.forest.choose import (
    best_of_eight,
    choose,
    choose_at_root,
    choose_of_eight,
    is_sharp,
    node_of,
    wanted_at_root,
    weigh,
)
from icarus.network.forest.descend import answer_fits, ask_compiled, expand, fail, new_node, play, renew, rewards_fit, show
from icarus.network.forest.layout import EXPANDED, GUMBEL


@part
def is_straight(forest):
    control = forest.control
    alone = control.lanes == 1 and control.index_room == 0 and control.hidden == 0
    return alone and control.evaluator != 0 and control.players <= WIDTH


@part
def descents(forest, tree, limit):
    """Send the lane of a tree whose root has a value down and back, as often as the tree, its rooms and the limit allow.

    The limit is one of all iterations of the forest.  Returns False where the game or the evaluator is broken.
    """
    control, words = forest.control, element(forest.trees, tree)
    # what the root has written down may be of another budget, or of a time when it was none
    node_of(forest, tree, words.root).next = choose_next(forest, tree, words.root)
    while words.started < words.target and control.iterations < limit and control.stop == 0:
        if words.nodes >= control.node_room or words.edges + control.widest > control.edge_room:
            break
        depth = descend_straight(forest, tree)
        if depth < 0:
            return False
        words.started += 1
        come_back(forest, tree, depth)
        words.done += 1
        control.iterations += 1
        control.depths += depth
        control.deepest = max(control.deepest, depth)
    return True


@part
def choose_next(forest, tree, number):
    """The edge that the next descent takes from a node."""
    words = element(forest.trees, tree)
    if forest.control.algorithm == GUMBEL and number == words.root:
        return choose_at_root(forest, tree, number, words.started)
    return choose(forest, tree, number)


@inner
def descend_straight(forest, tree):
    """From the root to a value, which is left in the rewards; returns how many edges lie on the way, below 0: broken."""
    control, game, words = forest.control, forest.game, element(forest.trees, tree)
    state, source = at(forest.states, tree * game.state_size), at(forest.roots, tree * game.state_size)
    for i in range(0, game.state_size, WIDTH):
        put(state, i, eight(source, i))
    number, depth = words.root, 0
    nodes, edges, steps = tree * control.node_room, tree * control.edge_room, tree * control.plies
    while True:
        node, step = element(forest.nodes, nodes + number), element(forest.path, steps + depth)
        edge = node.first + node.next
        step.node = number
        step.edge = edge
        depth += 1
        action, child = forest.actions[edges + edge], forest.children[edges + edge]
        if child == 0:
            break
        call_apply(game.apply, state, action)
        number = child - 1
        node = element(forest.nodes, nodes + number)
        if node.epoch != words.epoch or node.status != EXPANDED:
            break
    if child == 0:
        player = play(forest, tree, state, at(forest.views, tree * control.players), action, depth)
        if control.error != FINE:
            return -1
        if player < 0:
            call_rewards(game.rewards, state, forest.rewards)
            return depth if rewards_fit(forest, tree, depth) else -1
        if depth >= control.plies:
            fail(forest, TOO_LONG, tree, depth, game.max_plies)
            return -1
        number = new_node(forest, tree, player, 0)
        forest.children[edges + edge] = number + 1
    elif node.status == EXPANDED:  # its value is known
        renew(forest, tree, number)
        for player in range(control.players):
            forest.rewards[player] = forest.raw[(nodes + number) * control.players + player]
        return depth
    if not show(forest, tree, tree, number, depth):
        return -1
    ask_compiled(forest, tree)
    if not answer_fits(forest, tree, tree, number):
        return -1
    expand(forest, tree, tree, number)
    control.evaluations += 1
    return depth


@inner
def come_back(forest, tree, depth):
    """Count the descent and its rewards in everything on its way, and choose what comes next there.

    All in registers: what is written one by one is slow to be read again eight at a time.
    """
    control, words = forest.control, element(forest.trees, tree)
    players, steps = control.players, tree * control.plies
    nodes, edges = tree * control.node_room, tree * control.edge_room
    rewards = spread(0.0)
    for player in range(players):
        rewards = with_one(rewards, player, forest.rewards[player])
    for i in range(depth):
        step = element(forest.path, steps + i)
        number, edge = nodes + step.node, edges + step.edge
        node, first = element(forest.nodes, number), edges + element(forest.nodes, number).first
        # behind these there are others of the same tree, to which nothing is added
        put(forest.totals, edge * players, eight(forest.totals, edge * players) + rewards)
        put(forest.worths, number * players, eight(forest.worths, number * players) + rewards)
        node.visits += 1
        if node.count > WIDTH:
            forest.visits[edge] += 1.0
            weigh(forest, edge, node.player)
            node.next = choose_next(forest, tree, step.node)
            continue
        made = forest.visits[edge] + 1.0
        tries = with_one(eight(forest.visits, first), edge - first, made)
        means = with_one(eight(forest.means, first), edge - first, forest.totals[edge * players + node.player] / made)
        put(forest.visits, first, tries)
        put(forest.means, first, means)
        at_root = step.node == words.root
        if control.algorithm != GUMBEL or (is_sharp(control, node) and not at_root):
            node.next = choose(forest, tree, step.node)
            continue
        prior, raw = eight(forest.priors, first), forest.raw[number * players + node.player]
        if at_root:
            wanted = wanted_at_root(forest, node, words.started)
            node.next = best_of_eight(forest, tree, node, tries, prior, means, raw, eight(forest.edge_logits, first), wanted)
        else:
            node.next = choose_of_eight(control, node, tries, prior, means, raw)
