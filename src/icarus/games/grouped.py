"""Move groups (Childs, Brodeur and Kocsis 2008; section V-B3 of mcts-survey-2012): a decision in two steps.

``grouped(game)`` is the same game, in which a player first says to which group its move belongs and then which move of the group
it is: many similar moves are told apart only after their group has been found good.  The game says by ``group(state, action)``
what belongs together; the best play and its value stay what they are.  On the command line it is written
``icarus.games.grouped:grouped('breakthrough')``.

Action = the game's own, or 2**30 + the number of a group.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icarus.engine.calls import (
    call_apply,
    call_chance,
    call_key,
    call_legal,
    call_player,
    call_rewards,
    call_sample,
    call_terminal,
)
from icarus.errors import GameError
from icarus.game import SIGNATURES, Game, Stepping, compiled, mix
from icarus.jit import Nothing, at, caller

GROUP = 1 << 30
FUNCTIONS = ("initial", "player", "legal", "apply", "terminal", "rewards", "sample", "chance", "group", "key")
# the words of a state: where the inner game's functions are, the group that was chosen + 1, then the inner state
INITIAL, PLAYER, LEGAL, APPLY, TERMINAL, REWARDS, SAMPLE, CHANCE, GROUP_OF, KEY, CHOSEN, INNER = range(12)

call_initial = caller(SIGNATURES["initial"])
call_group = caller(SIGNATURES["group"])
assert SIGNATURES["initial"].return_type == Nothing


@compiled
def initial(state, rng):
    call_initial(state[INITIAL], at(state, INNER), rng)


@compiled
def player(state):
    return call_player(state[PLAYER], at(state, INNER))


@compiled
def legal(state, actions):
    inner = at(state, INNER)
    count = call_legal(state[LEGAL], inner, actions)
    if call_player(state[PLAYER], inner) < 0:
        return count
    kept = 0
    for i in range(count):
        action = actions[i]
        group = call_group(state[GROUP_OF], inner, action)
        if state[CHOSEN] != 0:
            if group == state[CHOSEN] - 1:
                actions[kept] = action
                kept += 1
        else:
            known = 0
            while known < kept and actions[known] != GROUP + group:
                known += 1
            if known == kept:
                actions[kept] = GROUP + group
                kept += 1
    return kept


@compiled
def apply(state, action):
    if action >= GROUP:
        state[CHOSEN] = action - GROUP + 1
    else:
        state[CHOSEN] = 0
        call_apply(state[APPLY], at(state, INNER), action)


@compiled
def terminal(state):
    return call_terminal(state[TERMINAL], at(state, INNER))


@compiled
def rewards(state, out):
    call_rewards(state[REWARDS], at(state, INNER), out)


@compiled
def sample(state, rng):
    return call_sample(state[SAMPLE], at(state, INNER), rng)


@compiled
def chance(state, probabilities):
    return call_chance(state[CHANCE], at(state, INNER), probabilities)


@compiled
def key(state):
    return mix(call_key(state[KEY], at(state, INNER)), state[CHOSEN])


def grouped(game: str | Game) -> Game:
    """The game with every decision in two steps: a group, then a move of it."""
    if isinstance(game, str):
        from icarus.loading import load

        game = load(game)
    if game.group is None:
        raise GameError(f"move groups need the function 'group', which the game {game.name!r} does not have")
    if game.hidden_information or game.observe is not None or game.simultaneous_moves:
        raise GameError(f"move groups need moves that everybody sees, and {game.name} hides some of them")
    if game.stepping is not Stepping.ONE_STATE or game.copy is not None:
        raise GameError(f"move groups need a compiled game; {game.name} is not one")
    inside: Game = game

    def format_action(state: Any, action: int) -> str:
        if action >= GROUP:
            return f"group {action - GROUP}"
        return str(action) if inside.format_action is None else str(inside.format_action(inside.named(state[INNER:]), action))

    def render(state: Any, observer: int | None) -> str:
        text = "" if inside.render is None else str(inside.render(inside.named(state[INNER:]), observer))
        return text if state[CHOSEN] == 0 else f"{text}\ngroup {int(state[CHOSEN]) - 1}"

    header = [inside.addresses[name] for name in FUNCTIONS]
    return Game(
        name=f"grouped({inside.name})",
        players=inside.players,
        state_size=INNER + inside.state_size,
        max_actions=inside.max_actions,
        max_plies=2 * inside.max_plies,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        sample=None if inside.sample is None else sample,
        chance=None if inside.chance is None else chance,
        key=None if inside.key is None else key,
        parameters=np.array([*header, 0, *inside.parameters]).tolist(),
        format_action=format_action,
        render=render,
        player_names=inside.player_names,
        player_colours=inside.player_colours,
        teams=inside.teams,
        summary=f"{inside.summary} (a group of moves first, then a move)",
    )
