"""The kernel between two calls of the evaluator: take its answers, make moves, send lanes down until each waits for a value.

A compiled evaluator is called from here, and then a tree has all its descents (in self-play: its game) before the next one has
any, so that it stays in the processor's caches.
"""

from __future__ import annotations

from numba import types

from icarus.jit import element, kernel, part
from icarus.network.forest.choose import decided, node_of, prepare_root
from icarus.network.forest.descend import answer, answers_fit, descend, take_answers, undo, undo_waiting
from icarus.network.forest.layout import (
    ANSWER,
    AWAITED,
    BROKEN,
    COLLIDED,
    DECIDE,
    DESCEND,
    EXPANDED,
    GROW_EDGES,
    GROW_NODES,
    LOOK,
    MOVE,
    UNDO,
    WAITS,
    ForestWorld,
)
from icarus.network.forest.moves import make_move, make_room, move_root, plant
from icarus.network.forest.straight import descents, is_straight


@kernel(types.int64(types.int64[::1]))
def run_forest(handle):
    """Returns how many lanes wait, plus LOOK if Control has more to say: an error, a room that is too small, a finished game."""
    forest = ForestWorld(handle)
    control = forest.control
    todo = control.todo
    control.todo = DESCEND
    if todo == UNDO:
        undo_waiting(forest)
        return 0
    if todo == MOVE:
        move_root(forest, 0)
        return 0
    if todo == DECIDE:
        return decided(forest, 0)
    if todo == ANSWER:
        if not answers_fit(forest):
            return LOOK
        take_answers(forest)
    limit, straight = control.iterations + control.burst, is_straight(forest)
    for tree in range(control.trees):
        if control.evaluator == 0:
            if not tend(forest, tree):
                break
            continue
        if straight:
            tend_straight(forest, tree, limit)
        else:
            tend_and_answer(forest, tree, limit)
        if control.error != 0 or control.grow != 0 or control.iterations >= limit:
            break
    if control.error != 0 or control.grow != 0 or control.finished != 0:
        return control.waiting + LOOK
    return control.waiting


@part
def tend_and_answer(forest, tree, limit):
    """Send the lanes of a tree down and have them valued, again and again, while the forest's iterations are below a limit."""
    while tend(forest, tree) and forest.control.grow == 0:
        if answer(forest, tree) <= 0 or forest.control.iterations >= limit:
            break


@part
def tend_straight(forest, tree, limit):
    """The same where a lane need not wait, since nobody else is under way."""
    control, words = forest.control, element(forest.trees, tree)
    if words.nodes == 0 and words.over == 0:
        plant(forest, tree)
    while control.error == 0 and control.iterations < limit and get_ready(forest, tree):
        if node_of(forest, tree, words.root).status == EXPANDED:
            descents(forest, tree, limit)
        else:
            descend(forest, tree, tree)
            answer(forest, tree)


@part
def tend(forest, tree):
    """Send the lanes of a tree down; returns False where the game is broken."""
    control, words, ended = forest.control, element(forest.trees, tree), 0
    if words.nodes == 0 and words.over == 0:
        plant(forest, tree)
    for row in range(tree * control.lanes, (tree + 1) * control.lanes):
        while element(forest.lanes, row).waits == 0:
            if not get_ready(forest, tree):
                return control.error == 0
            outcome = descend(forest, tree, row)
            if outcome == WAITS:
                break
            if outcome == COLLIDED:
                return True
            if outcome == BROKEN:
                undo(forest, tree, row)
                return False
            ended += 1
            if ended >= control.patience:
                return True
    return True


@part
def get_ready(forest, tree):
    """Move the root on, give it its noise, make room: all that comes before a descent; returns whether there is to be one."""
    control, words = forest.control, element(forest.trees, tree)
    while words.over == 0 and control.stop == 0:
        status = node_of(forest, tree, words.root).status
        if status == AWAITED:
            return False
        if status == EXPANDED:
            if words.prepared == 0:
                prepare_root(forest, tree)
            if words.started >= words.target:
                if control.self_play == 0 or words.done < words.started or not make_move(forest, tree):
                    return False
                continue
        full = words.nodes >= control.node_room or words.edges + control.widest > control.edge_room
        if full and words.moved != 0:
            make_room(forest, tree)
        if full and (4 * words.nodes > 3 * control.node_room):
            control.grow |= GROW_NODES
        if full and 4 * (words.edges + control.widest) > 3 * control.edge_room:
            control.grow |= GROW_EDGES
        return control.grow == 0
    return False
