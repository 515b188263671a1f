"""Left move and leftmost path: the two abstract problems on which nested search was analysed, with values known exactly.

A player steps left or right so many times.  In *left move* the score is how many steps went left, in *leftmost path* how many
went left before the first that went right (Cazenave, "Nested Monte-Carlo Search", 2009, with 60 and 20 steps).  Both are solved
by always going left; what a search finds on the way there can be computed by dynamic programming.

Action 0 is a step to the left, 1 a step to the right.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, compiled, mix, size_of
from icarus.games._svg import box, button, image, text

MOST_STEPS = 10_000


class Steps(Layout):
    """Where the player is; the parameters come first."""

    depth = Word()  #: steps of a whole game
    path = Word()  #: 1: only the steps before the first to the right count
    made = Word()
    score = Word()
    straight = Word()  #: no step has gone right


def left_move(depth: int = 60) -> Game:
    """``depth`` steps (1-10000); each to the left counts."""
    return steps("left_move", depth, 0, f"one player steps left or right {depth} times; steps to the left count")


def leftmost_path(depth: int = 20) -> Game:
    """``depth`` steps (1-10000); those before the first to the right count."""
    return steps("leftmost_path", depth, 1, f"one player steps left or right {depth} times; steps before the first right count")


def steps(name: str, depth: int, path: int, summary: str) -> Game:
    if not 1 <= depth <= MOST_STEPS:
        raise GameError(f"{name} has 1 to {MOST_STEPS} steps, not {depth}")
    return Game(
        name=f"{name}({depth})",
        summary=summary,
        players=1,
        parameters=(depth, path),
        layout=Steps,
        state_size=size_of(Steps),
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
        player_names=("Walker",),
    )


@compiled
def initial(state, rng):
    state.straight = 1


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


@compiled
def apply(state, action):
    state.made += 1
    if action != 0:
        state.straight = 0
    elif state.path == 0 or state.straight != 0:
        state.score += 1


@compiled
def terminal(state):
    return state.made == state.depth


@compiled
def rewards(state, out):
    out[0] = state.score / state.depth


@compiled
def score(state):
    return float(state.score)


@compiled
def code(state, action):
    """The step and its direction: what is right now says nothing about later."""
    return 2 * state.made + action


@compiled
def key(state):
    return mix(state.made, 2 * state.score + state.straight)


def format_action(state: Steps, action: int) -> str:
    return ("left", "right")[action]


def render(state: Steps, observer: int | None = None) -> str:
    return f"{int(state.score)} points after {int(state.made)} of {int(state.depth)} steps"


def draw(state: Steps, observer: int | None) -> str:
    width, done, points = 380.0, int(state.made) / int(state.depth), int(state.score) / int(state.depth)
    parts = [box(0, 10, width * share, 26, colour) for colour, share in (("line", 1.0), ("two", done), ("one", points))]
    parts.append(text(render(state), width / 2, 56, 14))
    if done < 1:
        parts += [button("left", 40, 80, 130), button("right", 210, 80, 130)]
    return image(width, 120, *parts)
