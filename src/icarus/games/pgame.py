"""Random P-game trees: branches have random values, and their sum at the leaf decides (mcts-survey-2012, VII-C).

Both players choose among ``branching`` branches in turn, ``depth`` times in all.  A branch of the first player is
worth 0 to 127 points for it, a branch of the second 0 to 127 points against it; at the leaf the first player wins
with more than 0 points, loses with fewer, and 0 is a draw.  The values are a hash of the path and of ``seed``, so a
tree takes no memory whatever its size, and equal parameters make equal trees.  Perfect information.
"""

from __future__ import annotations

import math

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, compiled, mix, size_of

MAX_BRANCHING, MAX_DEPTH = 10_000, 10_000


class Path(Layout):
    """Where one is in the tree; the parameters come first, and the key begins as the seed."""

    branching = Word()
    depth = Word()
    key = Word()  #: hash of the path
    plies = Word()  #: branches taken
    points = Word()  #: of the first player so far, -127 * plies to 127 * plies


def pgame(branching: int = 2, depth: int = 6, seed: int = 0) -> Game:
    """``branching`` choices (1-10000) at each of ``depth`` plies (1-10000); ``seed`` picks the tree."""
    if not (1 <= branching <= MAX_BRANCHING and 1 <= depth <= MAX_DEPTH):
        raise GameError(f"a P-game has 1 to {MAX_BRANCHING} branches and 1 to {MAX_DEPTH} plies, not {branching} and {depth}")
    if not -(2**63) <= seed < 2**63:
        raise GameError(f"the seed of a P-game must fit in 64 bits, unlike {seed}")
    return Game(
        name=f"pgame({branching},{depth},{seed})",
        summary=f"a random tree of {branching} branches and {depth} plies, decided by the sum along the way",
        players=2,
        parameters=(branching, depth, seed),
        layout=Path,
        state_size=size_of(Path),
        max_actions=branching,
        max_plies=depth,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        group=group,
        render=render,
    )


@compiled
def initial(state, rng):
    pass


@compiled
def group(state, action):
    """Neighbours belong together, about as many groups as there are branches in each."""
    return action // max(int(math.sqrt(state.branching)), 1)


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    for branch in range(state.branching):
        actions[branch] = branch
    return state.branching


@compiled
def apply(state, action):
    key = mix(state.key, action)
    points = (key >> 32) & 127
    state.points += points if state.plies & 1 == 0 else -points
    state.key = key
    state.plies += 1


@compiled
def terminal(state):
    return state.plies == state.depth


@compiled
def rewards(state, out):
    out[0] = 1.0 if state.points > 0 else 0.5 if state.points == 0 else 0.0
    out[1] = 1.0 - out[0]


def render(state: Path, observer: int | None = None) -> str:
    return f"ply {int(state.plies)} of {int(state.depth)}, {int(state.points):+d} points for player 1"
