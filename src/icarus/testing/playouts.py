"""A game's own playout beside random play, step by step: it must end the game with the same rewards as often."""

from __future__ import annotations

import numpy as np
from numba import types

from icarus.game import ENVIRONMENT, SIGNATURES, Game, Position
from icarus.jit import JIT, at, caller, kernel
from icarus.jit.randomness import random_below, seeded
from icarus.testing.ledger import Ledger, Place
from icarus.testing.playing import Games, check_rewards
from icarus.testing.statistics import disagreement

POSITIONS = 16  #: where playouts begin
PLAYOUTS = 8000 if JIT else 96  #: of each kind, in all

FUNCTIONS = ("terminal", "player", "legal", "sample", "apply")
TERMINAL, PLAYER, LEGAL, SAMPLE, APPLY = range(len(FUNCTIONS))
call_terminal, call_player, call_legal, call_sample, call_apply = (caller(SIGNATURES[name]) for name in FUNCTIONS)


def check_playout(game: Game, kept: Games, seed: int, ledger: Ledger) -> None:
    if game.playout is None:
        ledger.skip("the game has no playout of its own", "playout")
        return
    step = max(1, len(kept.positions) // POSITIONS)
    begun = [(Place(seed, 0), game.start(seed)), *kept.positions[::step]]
    rng = seeded(seed, stream=23)
    own: list[object] = []
    by_steps: list[object] = []
    for place, position in begun:
        for _ in range(max(PLAYOUTS // len(begun), 1)):
            result = finish(position, rng, ledger, place)
            if result is None:
                return
            # from positions of one player and of the other apart, so that opposite errors do not cancel out
            own.append((position.player, result))
            by_steps.append((position.player, finish_by_steps(position, rng)))
    wrong = disagreement(own, by_steps)
    ledger.expect("playout", not wrong, Place(seed, 0), wrong)


def finish(position: Position, rng: np.ndarray, ledger: Ledger, place: Place) -> tuple[float, ...] | None:
    """The rewards of one playout of the game's own; None if it does not end the game as it should."""
    twin = position.copy()
    plies, most = int(twin.game.call("playout", twin.state, rng)), twin.game.max_plies - len(twin.history)
    over = ledger.expect("playout", twin.is_terminal, place, "the game goes on after its playout")
    over &= ledger.expect("playout", 1 <= plies <= most, place, f"playout() reports {plies} plies where 1 to {most} are possible")
    rewards = twin.rewards()
    return tuple(rewards) if check_rewards(twin.game, rewards, ledger, place) and over else None


def finish_by_steps(position: Position, rng: np.ndarray) -> tuple[float, ...]:
    """The rewards of one random game, action by action."""
    twin, found = position.copy(), position.game.addresses
    functions = np.array([found[name] for name in FUNCTIONS], np.int64)
    play_to_the_end(functions, twin.state, np.zeros(twin.game.max_actions, np.int64), rng)
    return tuple(twin.rewards())


@kernel(types.void(types.int64[::1], types.int64[::1], types.int64[::1], types.uint64[::1]))
def play_to_the_end(functions, state_array, actions_array, rng_array):  # type: ignore[no-untyped-def]
    state, actions, rng = at(state_array, 0), at(actions_array, 0), at(rng_array, 0)
    while call_terminal(functions[TERMINAL], state) == 0:
        if functions[SAMPLE] != 0 and call_player(functions[PLAYER], state) == ENVIRONMENT:
            action = call_sample(functions[SAMPLE], state, rng)
        else:
            action = actions[random_below(rng, call_legal(functions[LEGAL], state, actions))]
        call_apply(functions[APPLY], state, action)
