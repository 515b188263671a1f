"""A function on [0, 1] to be maximised: a number is chosen bit by bit, and the score is the function there.

The function is ``(sin(13 x) sin(27 x) + 1) / 2``, which has many hills; its slope is at most 20, so that what is known at one
point bounds what it can be nearby: the problem that bandit algorithms for trees (BAST; Coquelin and Munos, 2007) and optimistic
ones are made for. The greatest value is 0.975599 at 0.867526.

Action 0 is the lower half, 1 the upper half of what is left.
"""

from __future__ import annotations

import math

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, compiled, mix, size_of
from icarus.games._svg import box, button, image, line, text

SLOPE = 20.0  #: nowhere is the function steeper: (13 + 27) / 2
MOST_DEPTH = 50


class Interval(Layout):
    """Which part is left; the parameter comes first."""

    depth = Word()
    chosen = Word()  #: bits so far ...
    bits = Word()  #: ... as a number


def lipschitz(depth: int = 20) -> Game:
    """``depth`` bits (1-50)."""
    if not 1 <= depth <= MOST_DEPTH:
        raise GameError(f"a number has 1 to {MOST_DEPTH} bits, not {depth}")
    return Game(
        name=f"lipschitz({depth})",
        summary=f"find the highest point of a hilly function on [0, 1] in {depth} halvings",
        players=1,
        parameters=(depth,),
        layout=Interval,
        state_size=size_of(Interval),
        max_actions=2,
        max_plies=depth,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        code=code,
        key=key,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Player",),
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


@compiled
def apply(state, half):
    state.bits = 2 * state.bits + half
    state.chosen += 1


@compiled
def terminal(state):
    return state.chosen == state.depth


@compiled
def height(x):
    return 0.5 * (math.sin(13.0 * x) * math.sin(27.0 * x) + 1.0)


@compiled
def middle(state):
    """Of the part that is left."""
    return (state.bits + 0.5) / (1 << state.chosen)


@compiled
def score(state):
    return height(middle(state))


@compiled
def rewards(state, out):
    out[0] = height(middle(state))


@compiled
def code(state, half):
    return mix(key(state), half)


@compiled
def key(state):
    return mix(state.chosen, state.bits)


def format_action(state: Interval, half: int) -> str:
    return ("lower", "upper")[half]


def ends(state: Interval) -> tuple[float, float]:
    width = 0.5 ** int(state.chosen)
    return int(state.bits) * width, (int(state.bits) + 1) * width


def render(state: Interval, observer: int | None = None) -> str:
    low, high = ends(state)
    told = f"{int(state.chosen)} of {int(state.depth)} bits: {low:.9g} to {high:.9g}"
    return f"{told}, where the middle is worth {float(score(state)):.9g}"


def draw(state: Interval, observer: int | None) -> str:
    low, high = ends(state)
    parts = [box(400 * low, 0, max(400 * (high - low), 1), 160, "shade", 0)]
    heights = [160 - 150 * float(height(i / 200)) for i in range(201)]
    parts += [line(2 * i, heights[i], 2 * i + 2, heights[i + 1], "one", 1.5) for i in range(200)]
    parts.append(text(f"{int(state.chosen)} of {int(state.depth)} bits", 200, 176, 14))
    if int(state.chosen) < int(state.depth):
        parts += [button("lower", 60, 192, 120), button("upper", 220, 192, 120)]
    return image(400, 226, *parts)
