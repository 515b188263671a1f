"""Permutation AMAF: a playout also says something of nodes that its moves would have led to in another order.

After every playout the tree is walked from its root along actions that their players made in the playout, each as often as it was
made.  Every node that is met this way and was not passed learns like those on the path: its legal actions that its player has
left.  A part of the moves in another order is a node only if it has been searched, so that the walk ends by itself; ``nodes``
bounds it.  The loop calls ``permute`` by address at the end of every playout.
"""

from __future__ import annotations

from icarus.engine.amaf.by_node import learn_legal_moves, size_of_node
from icarus.engine.amaf.playouts import begin_counting, count_back, count_later, last_counted, path_row
from icarus.engine.calls import SETTLE
from icarus.engine.layout import BY_STATE, MAX_KEYS, Control, Node, Record
from icarus.engine.table.records import record_in
from icarus.jit import address, at, compiled, element, part

MOST = MAX_KEYS  #: nodes beside the path that a playout can be told to
INDEX = 20  #: bits of a place in a node, below the node itself


@part
def action_at(world, node, place):
    """The action of a node's record, -1 if there is none yet."""
    return Record(world.pool, record_in(world, Node(world.pool, node).block, place)).label - 1


@part
def is_passed(world, lane, node):
    """Is a node on the path?"""
    for number in range(element(world.lanes, lane).rows):
        if path_row(world, lane, number).node == node:
            return True
    return False


@part
def is_known(world, node, found):
    """Where nodes are positions: has the walk been there, in another order?"""
    if world.control.identity != BY_STATE:
        return False
    for number in range(found):
        if world.keys[number] == node:
            return True
    return False


@compiled
def permute(world, lane):
    """Tell a playout to the nodes that its moves lead to in another order."""
    pool, control, stack = world.pool, world.control, world.places
    capture, rows, depth, found = control.permuted, element(world.lanes, lane).rows, 0, 0
    if rows == 0 or path_row(world, lane, 0).node == 0:
        return
    begin_counting(world)
    actors, actions = at(world.actors, lane * control.plies), at(world.actions, lane * control.plies)
    count_back(world, actors, actions, path_row(world, lane, 0).ply, last_counted(world, lane, capture))
    stack[0] = path_row(world, lane, 0).node << INDEX  # a node, and how many of its records have been looked at
    while depth >= 0:
        node, place = stack[depth] >> INDEX, stack[depth] & ((1 << INDEX) - 1)
        player = Node(pool, node).actor - 2
        if player < 0 or place == size_of_node(world, node):
            depth -= 1
            if depth >= 0:  # the action that led there can be made elsewhere again
                node, place = stack[depth] >> INDEX, stack[depth] & ((1 << INDEX) - 1)
                count_later(world, Node(pool, node).actor - 2, action_at(world, node, place - 1), 1)
            continue
        stack[depth] += 1
        action, behind = action_at(world, node, place), Record(pool, record_in(world, Node(pool, node).block, place)).following
        if action < 0 or behind <= 0 or count_later(world, player, action, 0) == 0 or is_known(world, behind, found):
            continue
        count_later(world, player, action, -1)
        depth += 1
        stack[depth] = behind << INDEX
        if not is_passed(world, lane, behind) and Node(pool, behind).actor >= 2:
            learn_legal_moves(world, lane, capture, behind, Node(pool, behind).actor - 2)
            world.keys[found] = behind
            found += 1
            if found == control.permutations:
                return


def use_permutations(control: Control, capture: int, nodes: int) -> None:
    """Let a capture learn from permutations, at most so many nodes beside the path for each playout."""
    control.after_playout, control.permuted, control.permutations = address(permute, SETTLE), capture, min(nodes, MOST)
