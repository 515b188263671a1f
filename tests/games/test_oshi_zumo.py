"""Oshi-zumo: beside OpenSpiel, with different coins, fields, horizons and lowest bids."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.games.oshi_zumo import HIDDEN, oshi_zumo
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.support import assert_uniform

GAMES = 500 if JIT else 40


@pytest.mark.parametrize("size", [(50, 3, 1000, 0), (6, 1, 5, 0), (10, 2, 20, 1), (9, 2, 20, 3)])
def test_bids_and_results_agree_with_openspiel(size: tuple[int, int, int, int]) -> None:
    coins, places, horizon, low = size
    game = oshi_zumo(*size)
    oracle = pyspiel.load_game(f"oshi_zumo(coins={coins},size={places},horizon={horizon},min_bid={low})")
    rng = seeded(1)
    for _ in range(GAMES):
        position, state = game.start(), oracle.new_initial_state()
        while not state.is_terminal():
            bids = []
            for player in range(2):
                assert not position.is_terminal and position.player == player
                assert position.legal() == state.legal_actions(player)
                bids.append(position.legal()[int(random_below(rng, len(position.legal())))])
                position.apply(bids[-1])
            state.apply_actions(bids)
        assert position.is_terminal
        assert position.rewards() == [(r + 1) / 2 for r in state.returns()]
        assert len(position.history) <= game.max_plies


def test_a_bid_is_hidden_until_both_have_bid() -> None:
    position = oshi_zumo(4, 1).start().apply(3)
    assert position.history[-1][2] == (3, HIDDEN)
    assert "3" not in position.render(1) and "has bid 3" in position.render(0)
    rng = seeded(2)
    drawn = [int(position.determinize(1, rng).named.bid) - 1 for _ in range(500)]
    assert_uniform(drawn, range(5))
    assert position.observe(2, 1) == 4 * 1024 + 2


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(GameError, match="1 to 1000 coins"):
        oshi_zumo(0)
