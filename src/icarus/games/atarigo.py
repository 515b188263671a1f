"""Atari Go: the board and the stones of Go, and whoever captures first wins.

Black (player 0) starts.  Suicide is forbidden, there are no passes, and whoever cannot move loses.  So there are no
draws.  Perfect information.

Action = point, numbered as in ``go``.
"""

from __future__ import annotations

import numpy as np

from icarus.game import Game, compiled, random_below
from icarus.games import go
from icarus.games.go import count_empty, empties, may_put, place_of, put


def atarigo(n: int = 9) -> Game:
    """A board of ``n`` x ``n`` (2-19)."""
    return go.stones_only(
        n,
        "atarigo",
        f"be the first to capture on a board of {n} x {n}",
        legal=legal,
        apply=apply,
        terminal=go.terminal,
        rewards=go.rewards,
        playout=playout,
    )


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
    mover = state.player
    captured = put(state, place)
    state.plies += 1
    state.player = 1 - mover
    if captured > 0 or stuck(state):
        state.outcome = mover + 1


@compiled
def playout(state, rng):
    """Random stones: an empty point is drawn until it is legal; the game is over before there is none."""
    plies, empty = 0, empties(state)
    while state.outcome == 0:
        left, place = count_empty(state), np.int64(0)
        while place == 0:
            drawn = empty[random_below(rng, left)]
            if may_put(state, drawn):
                place = drawn
        play(state, place)
        plies += 1
    return plies
