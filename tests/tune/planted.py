"""A game whose best exploration constant and k are known: arms of which one is good, another one in every round.

Two players pull arms in turn, ``rounds`` times each; the good arm succeeds nineteen times in twenty, the others once, and more
successes win.  What an arm is worth in a later round says nothing about now: the more RAVE trusts it (a large k), the worse; and
so few iterations per arm leave no room for much exploration.
"""

from __future__ import annotations

from icarus.game import ENVIRONMENT, Game, Layout, Word, Words, compiled, random_below, random_unit, size_of

GOOD, OTHERS = 0.95, 0.05


class Pulls(Layout):
    arms = Word()
    rounds = Word()
    good = Word()  #: the arm that succeeds most of the time in the first round
    pulled = Word()  #: 1 + the arm that was just pulled, 0: somebody is about to choose
    plies = Word()  #: arms pulled by both
    successes = Words(2)


def planted(arms: int = 12, rounds: int = 4) -> Game:
    return Game(
        name=f"planted({arms},{rounds})",
        players=2,
        parameters=(arms, rounds),
        layout=Pulls,
        state_size=size_of(Pulls),
        max_actions=max(arms, 2),
        max_plies=4 * rounds,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=sample,
    )


@compiled
def initial(state, rng):
    state.good = random_below(rng, state.arms)


@compiled
def player(state):
    return ENVIRONMENT if state.pulled else state.plies & 1


@compiled
def legal(state, actions):
    count = 2 if state.pulled else state.arms
    for i in range(count):
        actions[i] = i
    return count


@compiled
def sample(state, rng):
    chance = GOOD if state.pulled - 1 == (state.good + 5 * (state.plies >> 1)) % state.arms else OTHERS
    return 1 if random_unit(rng) < chance else 0


@compiled
def apply(state, action):
    if state.pulled:
        state.successes[state.plies & 1] += action
        state.pulled = 0
        state.plies += 1
    else:
        state.pulled = 1 + action


@compiled
def terminal(state):
    return state.plies == 2 * state.rounds


@compiled
def rewards(state, out):
    lead = state.successes[0] - state.successes[1]
    out[0] = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    out[1] = 1.0 - out[0]
