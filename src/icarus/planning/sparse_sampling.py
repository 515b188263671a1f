"""Sparse sampling (Kearns, Mansour and Ng, 2002) and forward search sparse sampling (FSSS; Walsh, Goschin and Littman, 2010).

One player decides, the environment answers.  An action is worth the average of so many (*width*) sampled successors, a state the
best of its actions, for so many decisions (*depth*); where the game is over the reward is known, and where the depth is used up
one random playout stands for it.  Everything sampled follows from the seed and the way to it alone: both searches look at the
same tree, and have the same answer.

Sparse sampling visits the whole tree.  FSSS keeps a lower and an upper bound for every state and action, first 0 and 1: each
rollout follows the action with the greatest upper bound to the successor whose bounds are furthest apart, down to a leaf, and
tightens the bounds on the way back.  It ends when the lower bound of one of the root's actions is at least the upper bound of all
others.  Then the rest of the tree cannot change the choice.
"""

from __future__ import annotations

from numba import types

from icarus.engine.calls import call_apply, call_legal, call_player, call_rewards, call_sample, call_terminal
from icarus.engine.evaluate.score import fail
from icarus.engine.layout import (
    AVAILABLE,
    BAD_REWARD,
    ENVIRONMENT,
    FAILED,
    FINE,
    NO_ACTION,
    OUT_OF_MEMORY,
    PROVEN,
    TOO_LONG,
    TOO_MANY_ACTIONS,
    VISIT,
    Record,
    World,
)
from icarus.engine.table.records import add_counts, make_context, make_record
from icarus.jit import Layout, Number, Word, kernel, part, size_of
from icarus.jit.randomness import mix, random_below
from icarus.one_player.drive.walk import copy_state, legal_of, reason_to_leave, state_of

OUTCOMES, PLAYOUT = range(2)  #: what the hash of a path is mixed with, for random numbers of outcomes and of a playout


class SparseWords(Layout):
    """What is searched, and how much of the tree there is; nodes are behind it, then actions."""

    width = Word()
    depth = Word()
    exhaustive = Word()  #: visit everything
    seed = Word()
    nodes = Word()
    most_nodes = Word()
    actions = Word()
    most_actions = Word()
    sampled = Word()  #: outcomes of actions that were looked at


class StateNode(Layout):
    path = Word()  #: how it came about, hashed: what is sampled here follows from that
    parent = Word()  #: the action that led here
    first = Word()  #: the first of its actions, which lie side by side
    count = Word()  #: of them; 0: it has not been visited, or is a leaf
    lower = Number()
    upper = Number()


class ActionNode(Layout):
    action = Word()
    state = Word()  #: the node in which it is taken
    first = Word()  #: the first of its successors; 0: none has been sampled
    lower = Number()
    upper = Number()


SPARSE_WORDS, STATE_WORDS, ACTION_WORDS = size_of(SparseWords), size_of(StateNode), size_of(ActionNode)


@kernel(types.int64(types.int64[::1]))
def run_sparse_sampling(handle):
    """Rollout after rollout, until the root is decided or there is another reason to come back."""
    world = World(handle)
    tree = SparseWords(world.own, 0)
    if tree.nodes == 0:
        tree.nodes = 1
        begin_state(state_node(world, 0), tree.seed, -1)
    while True:
        reason = reason_to_leave(world)
        if reason >= 0:
            return reason
        if decided(world, tree):
            return PROVEN
        reason = roll_out(world, tree)
        if reason >= 0:
            return reason


@part
def state_node(world, number):
    return StateNode(world.own, SPARSE_WORDS + number * STATE_WORDS)


@part
def action_node(world, tree, number):
    return ActionNode(world.own, SPARSE_WORDS + tree.most_nodes * STATE_WORDS + number * ACTION_WORDS)


@part
def begin_state(node, path, parent):
    node.path = path
    node.parent = parent
    node.first = 0
    node.count = 0
    node.lower = 0.0
    node.upper = 1.0


@part
def decided(world, tree):
    """Is one action of the root known to be at least as good as every other (or, exhaustively, is everything known)?"""
    root = state_node(world, 0)
    if root.count == 0:
        return False
    best = best_action(world, tree, 0)
    for i in range(root.first, root.first + root.count):
        one = action_node(world, tree, i)
        if tree.exhaustive != 0 and one.lower < one.upper:
            return False
        if i != best and one.upper > action_node(world, tree, best).lower:
            return False
    return True


@part
def best_action(world, tree, number):
    """The action with the greatest upper bound; among equals that with the greatest lower one, then the first."""
    node = state_node(world, number)
    best = node.first
    for i in range(node.first + 1, node.first + node.count):
        one, other = action_node(world, tree, i), action_node(world, tree, best)
        if one.upper > other.upper or (one.upper == other.upper and one.lower > other.lower):
            best = i
    return best


@part
def next_action(world, tree, number):
    if tree.exhaustive == 0:
        return best_action(world, tree, number)
    node = state_node(world, number)
    for i in range(node.first, node.first + node.count):
        one = action_node(world, tree, i)
        if one.lower < one.upper:
            return i
    return node.first


@part
def next_successor(world, tree, first):
    """The first whose bounds are furthest apart; exhaustively the first that is not known."""
    best, widest = first, -1.0
    for i in range(first, first + tree.width):
        node = state_node(world, i)
        gap = node.upper - node.lower
        if tree.exhaustive != 0 and gap > 0.0:
            return i
        if gap > widest:
            best = i
            widest = gap
    return best


@part
def roll_out(world, tree):
    """One way from the root to a leaf, and its bounds; below 0: fine, else why not."""
    control = world.control
    control.started += 1
    copy_state(world, state_of(world, 0), world.root)
    number, depth, chosen, ply = 0, 0, -1, 0
    count = decide(world, -1, 0)
    while count > 0 and depth < tree.depth:
        node = state_node(world, number)
        if node.count == 0:
            if tree.actions + count > tree.most_actions:
                return OUT_OF_MEMORY
            list_actions(world, tree, number, count)
        taken = next_action(world, tree, number)
        if depth == 0:
            chosen = taken
        one = action_node(world, tree, taken)
        if one.first == 0:
            if tree.nodes + tree.width > tree.most_nodes:
                return OUT_OF_MEMORY
            one.first = tree.nodes
            for i in range(tree.width):
                begin_state(state_node(world, one.first + i), mix(mix(node.path, one.action), i), taken)
            tree.nodes += tree.width
        number = next_successor(world, tree, one.first)
        depth += 1
        tree.sampled += 1
        ply += 1
        draw_from(world, state_node(world, number).path, OUTCOMES)
        count = decide(world, one.action, ply)
    if count < 0:
        return FAILED
    control.deepest = max(control.deepest, depth)
    if not value(world, number, count, ply):
        return FAILED
    back_up(world, tree, state_node(world, number).parent)
    note(world, tree, chosen)
    control.done += 1
    return -1


@part
def list_actions(world, tree, number, count):
    node, legal = state_node(world, number), legal_of(world, 0)
    node.first = tree.actions
    node.count = count
    for i in range(count):
        one = action_node(world, tree, node.first + i)
        one.action = legal[i]
        one.state = number
        one.first = 0
        one.lower = 0.0
        one.upper = 1.0
    tree.actions += count


@part
def decide(world, action, ply):
    """Play an action (below 0: none) and let the environment act until the player does; returns how many actions are legal.

    0: the game is over; below 0: it breaks its contract.
    """
    game, control, state = world.game, world.control, world.states
    if action >= 0:
        call_apply(game.apply, state, action)
    while call_terminal(game.terminal, state) == 0:
        if game.sample == 0 or call_player(game.player, state) != ENVIRONMENT:
            count = call_legal(game.legal, state, world.legal)
            if count < 1 or count > game.max_actions:
                return fail(control, NO_ACTION if count < 1 else TOO_MANY_ACTIONS, ply, count)
            return count if ply < game.max_plies else fail(control, TOO_LONG, ply, game.max_plies)
        call_apply(game.apply, state, call_sample(game.sample, state, world.rng))
    return 0


@part
def draw_from(world, path, purpose):
    """What is drawn next follows from this path."""
    world.rng[0] = mix(path, purpose) & 0x7FFFFFFFFFFFFFFF | 1


@part
def value(world, number, count, ply):
    """What a leaf is worth: its reward, or that of a random playout; returns whether the game keeps its contract."""
    game, control, legal, node = world.game, world.control, legal_of(world, 0), state_node(world, number)
    draw_from(world, node.path, PLAYOUT)
    while count > 0:
        ply += 1
        count = decide(world, legal[random_below(world.rng, count) if count > 1 else 0], ply)
    if count < 0:
        return False
    call_rewards(game.rewards, world.states, world.rewards)
    if not (world.rewards[0] >= 0.0 and world.rewards[0] <= 1.0):
        fail(control, BAD_REWARD, ply, 0)
        return False
    node.lower = world.rewards[0]
    node.upper = world.rewards[0]
    return control.error == FINE


@part
def back_up(world, tree, parent):
    """Tighten the bounds from an action up to the root."""
    while parent >= 0:
        one = action_node(world, tree, parent)
        lower, upper = 0.0, 0.0
        for i in range(one.first, one.first + tree.width):
            lower += state_node(world, i).lower
            upper += state_node(world, i).upper
        one.lower = lower / tree.width
        one.upper = upper / tree.width
        node = state_node(world, one.state)
        node.lower, node.upper = 0.0, 0.0
        for i in range(node.first, node.first + node.count):
            node.lower = max(node.lower, action_node(world, tree, i).lower)
            node.upper = max(node.upper, action_node(world, tree, i).upper)
        parent = node.parent


@part
def note(world, tree, chosen):
    """The root's record of the action: rollouts as visits, and on average the middle of its bounds."""
    if chosen < 0:
        return
    one = action_node(world, tree, chosen)
    root = make_context(world, world.root_history[0], 0)
    record = make_record(world, root, one.action, 0, world.game.max_actions)
    add_counts(world, record, VISIT + AVAILABLE)
    held = Record(world.pool, record)
    held.reward[0] = held.visits * 0.5 * (one.lower + one.upper)
