"""LeftRight: one player steps left or right so many times, and is rewarded for the steps to the left.

The reward is the share of the steps that went left; the order makes no difference, so that positions are few and the
ways to each are many.  Made for the study of transpositions (Saffidine, Cazenave and Méhat, "UCD: Upper Confidence
bound for rooted Directed acyclic graphs", 2010, with 300 steps).  Perfect information.

Action 0 is a step to the left, 1 a step to the right.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, compiled, mix, size_of

MOST_STEPS = 10_000


class Walk(Layout):
    """Where the player is; the parameter comes first."""

    length = Word()  #: steps of a whole game
    steps = Word()  #: steps made
    lefts = Word()  #: of these, to the left


def leftright(steps: int = 300) -> Game:
    """``steps`` (1-10000) in all."""
    if not 1 <= steps <= MOST_STEPS:
        raise GameError(f"a walk has 1 to {MOST_STEPS} steps, not {steps}")
    return Game(
        name=f"leftright({steps})",
        summary=f"one player steps left or right {steps} times and should always go left",
        players=1,
        parameters=(steps,),
        layout=Walk,
        state_size=size_of(Walk),
        max_actions=2,
        max_plies=steps,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        key=key,
        render=render,
        format_action=format_action,
        player_names=("Walker",),
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
def apply(state, action):
    state.steps += 1
    state.lefts += 1 - action


@compiled
def terminal(state):
    return state.steps == state.length


@compiled
def rewards(state, out):
    out[0] = state.lefts / state.length


@compiled
def key(state):
    return mix(state.steps, state.lefts)


def format_action(state: Walk, action: int) -> str:
    return ("left", "right")[action]


def render(state: Walk, observer: int | None = None) -> str:
    return f"{int(state.lefts)} to the left and {int(state.steps - state.lefts)} to the right of {int(state.length)} steps"
