"""Playouts of games' own that draw what random play would draw: the same games, random word by random word."""

from __future__ import annotations

import pytest

from icarus.game import step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from icarus.loading import load


@pytest.mark.parametrize(
    "name", ["breakthrough", "breakthrough(5,3)", "clobber", "clobber(8,8)", "domineering", "domineering(3,4)", "mancala"]
)
def test_a_playout_is_the_game_that_random_play_makes(name: str) -> None:
    game = load(name)
    for seed in range(100 if JIT else 5):
        position, opening = game.start(), seeded(seed, stream=1)
        for _ in range(seed % 5):
            if not position.is_terminal:
                step_randomly(position, opening)
        own, by_steps, twin = seeded(seed), seeded(seed), position.copy()
        plies = int(game.call("playout", twin.state, own))
        before = len(position.history)
        while not position.is_terminal:
            legal = position.legal()
            position.apply(legal[int(random_below(by_steps, len(legal)))] if len(legal) > 1 else legal[0])
        assert twin.state.tobytes() == position.state.tobytes()
        assert plies == len(position.history) - before and own[0] == by_steps[0]
