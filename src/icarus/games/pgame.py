"""Random P-game trees: branches have random values, and their sum at the leaf decides (mcts-survey-2012, VII-C).

Both players choose among ``branching`` branches in turn, ``depth`` times in all.  A branch of the first player is
worth 0 to 127 points for it, a branch of the second 0 to 127 points against it; at the leaf the first player wins
with more than 0 points, loses with fewer, and 0 is a draw.  The values are a hash of the path and of ``seed``, so a
tree takes no memory whatever its size, and equal parameters make equal trees.  Perfect information.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, State, compiled, mix

# state: parameters, then the path
BRANCHING, DEPTH = 0, 1
KEY = 2  #: hash of the path; at the root the seed
PLIES = 3  #: branches taken
SUM = 4  #: points of the first player so far, -127 * plies to 127 * plies

MAX_BRANCHING, MAX_DEPTH = 10_000, 10_000


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
        state_size=SUM + 1,
        max_actions=branching,
        max_plies=depth,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        render=render,
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state[PLIES] & 1


@compiled
def legal(state, actions):
    for branch in range(state[BRANCHING]):
        actions[branch] = branch
    return state[BRANCHING]


@compiled
def apply(state, action):
    key = mix(state[KEY], action)
    points = (key >> 32) & 127
    state[SUM] += points if state[PLIES] & 1 == 0 else -points
    state[KEY] = key
    state[PLIES] += 1


@compiled
def terminal(state):
    return state[PLIES] == state[DEPTH]


@compiled
def rewards(state, out):
    out[0] = 1.0 if state[SUM] > 0 else 0.5 if state[SUM] == 0 else 0.0
    out[1] = 1.0 - out[0]


def render(state: State, observer: int | None = None) -> str:
    return f"ply {int(state[PLIES])} of {int(state[DEPTH])}, {int(state[SUM]):+d} points for player 0"
