"""Monte Carlo random walks (Nakhost and Müller, 2009; section IV-J7 of mcts-survey-2012), for planning with one player.

From where it is the search makes so many random walks of so many steps, goes to the end of the best of them, and walks from
there.  What an end is worth is the score of its state, whether the game is over there or not.  A run ends where
the game is over; when so many jumps in a row have not led to a better state than all before, with one last walk to the end.

Lane 1 is where the search is, lane 2 the end of the best walk from there.
"""

from __future__ import annotations

from numba import types

from icarus.engine.layout import FAILED, FINE, World
from icarus.jit import Layout, Number, Word, at, element, kernel, part, size_of
from icarus.jit.randomness import random_below
from icarus.one_player.drive.walk import (
    account,
    copy_lane,
    copy_state,
    end_run,
    legal_of,
    note_action,
    reason_to_leave,
    score_of,
    state_of,
    step,
)

LANES = 3


class WalkWords(Layout):
    """What the search is doing; behind it are the actions to where it is, and those of the best walk from there."""

    walks = Word()  #: from each place
    length = Word()  #: steps of a walk
    patience = Word()  #: jumps without a better state before a run ends
    started = Word()
    ply = Word()  #: where the search is
    made = Word()  #: walks from there
    best = Number()  #: of them
    best_ply = Word()  #: where the best one ended
    best_over = Word()  #: was the game over there?
    known = Number()  #: the best state of the run
    jumps = Word()  #: in vain
    last = Word()  #: the next walk goes to the end of the game and ends the run
    found = Number()  #: the best end of a game in this run ...
    ended = Word()  #: ... if there was one


WALK_WORDS = size_of(WalkWords)


@kernel(types.int64(types.int64[::1]))
def run_random_walks(handle):
    """Walk after walk, until there is a reason to come back."""
    world = World(handle)
    search = WalkWords(world.own, 0)
    while True:
        reason = reason_to_leave(world)
        if reason >= 0:
            return reason
        if search.started == 0:
            copy_state(world, state_of(world, 1), world.root)
            copy_state(world, state_of(world, 0), world.root)
            search.known = score_of(world, 0)
            search.started, search.ply, search.made, search.jumps, search.last, search.ended = 1, 0, 0, 0, 0, 0
        if not walk(world, search):
            return FAILED
        search.made += 1
        if search.last != 0:
            finish(world, search)
        elif search.made == search.walks:
            jump(world, search)


@part
def walk(world, search):
    """One random walk; returns whether the game keeps its contract."""
    control, plies, legal, path = world.control, world.control.plies, legal_of(world, 0), at(world.own, WALK_WORDS)
    control.started += 1
    copy_lane(world, 0, 1)
    element(world.lanes, 0).in_tree = 0
    for ply in range(search.ply):
        note_action(world, ply, path[ply])
    ply, count = search.ply, step(world, 0, -1, search.ply)
    while count > 0 and (ply - search.ply < search.length or search.last != 0):
        action = legal[random_below(world.rng, count) if count > 1 else 0]
        note_action(world, ply, action)
        ply += 1
        count = step(world, 0, action, ply)
    if count < 0:
        return False
    score = score_of(world, ply)
    if count == 0:
        account(world, ply, score, None)
        if search.ended == 0 or score > search.found:
            search.found = score
            search.ended = 1
    else:
        control.done += 1
    if control.error != FINE:
        return False
    if search.made == 0 or score > search.best:
        search.best, search.best_ply, search.best_over = score, ply, count == 0
        copy_lane(world, 2, 0)
        for i in range(search.ply, ply):
            path[plies + i] = world.actions[control.root_ply + i]
    return True


@part
def jump(world, search):
    """Go to the end of the best walk."""
    plies, path = world.control.plies, at(world.own, WALK_WORDS)
    if search.best > search.known:
        search.known = search.best
        search.jumps = 0
    else:
        search.jumps += 1
    if search.best_over != 0:
        finish(world, search)
        return
    search.last = search.jumps > search.patience
    for i in range(search.ply, search.best_ply):
        path[i] = path[plies + i]
    copy_lane(world, 1, 2)
    search.ply = search.best_ply
    search.made = 0


@part
def finish(world, search):
    end_run(world, search.found)
    search.started = 0
