"""The Confrontation's own playout draws and ends as random play does, step by step."""

from __future__ import annotations

import numpy as np
import pytest

import icarus
from icarus.game import Position, play_randomly, step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded

GAMES = 60 if JIT else 4
#: what a playout leaves behind: the end, the pieces and the cards
KEPT = ("winner", "alive", "used", "occupied", "crowded", "full", "places", "here")


def finish_by_steps(position: Position, rng: np.ndarray) -> int:
    """As ``play_randomly``, but nothing is drawn where there is no choice; returns the number of plies."""
    begun = len(position.history)
    while not position.is_terminal:
        if position.environment_acts:
            position.apply(position.sample(rng))
        else:
            legal = position.legal()
            position.apply(legal[int(random_below(rng, len(legal))) if len(legal) > 1 else 0])
    return len(position.history) - begun


@pytest.mark.parametrize(
    "name", ["confrontation", 'confrontation("constrained")', 'confrontation("random", shire=2, extermination=False)']
)
def test_the_playout_is_that_of_random_play(name: str) -> None:
    game = icarus.load(name)
    for seed in range(GAMES):
        position, choices = game.start(seed), seeded(seed, stream=1)
        while not position.is_terminal:
            own, by_steps = position.copy(), position.copy()
            first, second = seeded(seed, stream=len(position.history)), seeded(seed, stream=len(position.history))
            plies = int(game.call("playout", own.state, first))
            # a question that leaves no choice may not count
            assert 1 <= plies <= finish_by_steps(by_steps, second)
            assert own.is_terminal and first == second
            for field in KEPT:
                assert np.array_equal(getattr(own.named, field), getattr(by_steps.named, field)), field
            for _ in range(7):
                if not position.is_terminal:
                    step_randomly(position, choices)


def test_nothing_is_played_after_the_end() -> None:
    game = icarus.load("confrontation")
    position = play_randomly(game.start(1), seeded(1))
    before = position.state.copy()
    assert game.call("playout", position.state, seeded(2)) == 0
    assert np.array_equal(position.state, before)
