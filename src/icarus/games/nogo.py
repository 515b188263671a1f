"""NoGo: the board and the stones of Go, but capturing is forbidden, and suicide too; whoever cannot move loses.

Black (player 0) starts.  A stone may be placed on an empty point if every group on the board has a liberty afterwards.
There are no passes and no draws.  Perfect information.

Action = point, numbered as in ``go``.
"""

from __future__ import annotations

import numpy as np

from icarus.game import Game, compiled, random_below
from icarus.games import go
from icarus.games.go import (
    OUTSIDE,
    POINT,
    below,
    count_empty,
    empties,
    is_empty,
    liberties_left,
    place_of,
    put,
)


def nogo(n: int = 9) -> Game:
    """A board of ``n`` x ``n`` (2-19)."""
    return go.stones_only(
        n,
        "nogo",
        f"stones on a board of {n} x {n}, where nothing may be captured; who cannot move loses",
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
    )


@compiled
def kills(state, place, near, player):
    """Does a stone at a place leave this neighbour, if it is one of the player's, without liberties?"""
    return state.points[near] & OUTSIDE == player + 1 and liberties_left(state, place, near) == 0


@compiled
def lives(state, place, near):
    """Does this neighbour give a stone of whoever acts a liberty: by an own group with others?"""
    return state.points[near] & OUTSIDE == state.player + 1 and liberties_left(state, place, near) > 0


@compiled
def may_put(state, place):
    """Does every group have a liberty after a stone of whoever acts on the empty point of this place?"""
    points, row, other = state.points, below(state), 1 - state.player
    if kills(state, place, place + POINT, other) or kills(state, place, place - POINT, other):
        return False
    if kills(state, place, place + row, other) or kills(state, place, place - row, other):
        return False
    free = is_empty(points, place + POINT) | is_empty(points, place - POINT)
    free |= is_empty(points, place + row) | is_empty(points, place - row)
    if free != 0 or lives(state, place, place + POINT) or lives(state, place, place - POINT):
        return True
    return lives(state, place, place + row) or lives(state, place, place - row)


@compiled
def legal(state, actions):
    empty, count = empties(state), 0
    for number in range(count_empty(state)):
        if may_put(state, empty[number]):
            actions[count] = state.points[empty[number]] >> 2
            count += 1
    return count


@compiled
def stuck(state):
    """Has whoever acts no legal point?"""
    empty = empties(state)
    for number in range(count_empty(state)):
        if may_put(state, empty[number]):
            return False
    return True


@compiled
def apply(state, action):
    play(state, place_of(state, action))


@compiled
def play(state, place):
    put(state, place)
    state.plies += 1
    state.player = 1 - state.player


@compiled
def terminal(state):
    return stuck(state)


@compiled
def rewards(state, out):
    out[state.player] = 0.0
    out[1 - state.player] = 1.0


@compiled
def draw(state, rng):
    """The place of a random legal point, 0 if there is none: guessed first, and counted out where guessing fails."""
    empty, left = empties(state), count_empty(state)
    for _ in range(left >> 1):
        place = empty[random_below(rng, left)]
        if may_put(state, place):
            return place
    count = 0
    for number in range(left):
        count += 1 if may_put(state, empty[number]) else 0
    chosen = random_below(rng, count) if count > 0 else -1
    for number in range(left):
        if may_put(state, empty[number]):
            if chosen == 0:
                return empty[number]
            chosen -= 1
    return np.int64(0)


@compiled
def playout(state, rng):
    plies = 0
    place = draw(state, rng)
    while place != 0:
        play(state, place)
        plies += 1
        place = draw(state, rng)
    return plies
