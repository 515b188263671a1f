"""Sum of Switches: two players take numbers in turns, and who has taken the larger ones wins.

There are ``n`` numbers, 0 to n - 1; a number can be taken once, and all are taken.  The first player wins if its sum
exceeds the other's by at least the komi, which is what both get by always taking the largest: ``n // 2``.  So the first
player wins if neither errs, and a single error loses.  Made for the study of RAVE (Tom and Müller, "A study of UCT and
its enhancements in an artificial game", 2009): a number is worth the same whenever it is taken.  Perfect information.

Action = number.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, size_of
from icarus.games._bits import lowest


class Switches(Layout):
    """Who has taken what; the parameter comes first."""

    n = Word()
    plies = Word()  #: numbers taken
    taken = Words(2)  #: the numbers of each player: number i = bit i
    sums = Words(2)  #: their sums


def sum_of_switches(n: int = 10) -> Game:
    """``n`` numbers (2-62)."""
    if not 2 <= n <= 62:
        raise GameError(f"there must be 2 to 62 numbers, not {n}")
    return Game(
        name=f"sum_of_switches({n})",
        summary=f"take one of the numbers 0 to {n - 1} in turns, and have the larger sum",
        players=2,
        parameters=(n,),
        layout=Switches,
        state_size=size_of(Switches),
        max_actions=n,
        max_plies=n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        margin=margin,
        key=key,
        render=render,
        player_names=("First", "Second"),
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    left = ((np.int64(1) << state.n) - 1) & ~(state.taken[0] | state.taken[1])
    count = 0
    while left != 0:
        actions[count] = lowest(left)
        count += 1
        left &= left - 1
    return count


@compiled
def apply(state, action):
    mover = state.plies & 1
    state.taken[mover] |= np.int64(1) << action
    state.sums[mover] += action
    state.plies += 1


@compiled
def terminal(state):
    return state.plies == state.n


@compiled
def margin(state):
    """How far the difference of the sums is from the komi, as a share of the largest difference."""
    return min(abs(state.sums[0] - state.sums[1] - state.n // 2 + 0.5) / (0.25 * state.n * state.n), 1.0)


@compiled
def rewards(state, out):
    out[0] = 1.0 if state.sums[0] - state.sums[1] >= state.n // 2 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def key(state):
    """The numbers that are left and the sums decide everything else."""
    return mix(mix(state.taken[0] | state.taken[1], state.sums[0]), state.sums[1])


def render(state: Switches, observer: int | None = None) -> str:
    n, taken = int(state.n), [int(word) for word in state.taken]
    left = " ".join(str(number) for number in range(n) if not (taken[0] | taken[1]) >> number & 1)
    lines = [
        f"{name}: {' '.join(str(number) for number in range(n) if taken[player] >> number & 1) or 'nothing'}"
        f" (sum {int(state.sums[player])})"
        for player, name in enumerate(("First", "Second"))
    ]
    return "\n".join([*lines, f"left: {left or 'nothing'}; the first needs {n // 2} more than the second"])
