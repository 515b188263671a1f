"""Leduc poker: beside OpenSpiel, move by move and for every deal, and determinization beside enumeration."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.game import ENVIRONMENT, step_randomly
from icarus.games.leduc_poker import MOST, SHOW, leduc_poker
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    every_start,
    information_sets,
)
from tests.support import assert_uniform

GAMES = 2000 if JIT else 150


def test_betting_and_winnings_agree_with_openspiel() -> None:
    game, oracle = leduc_poker(), pyspiel.load_game("leduc_poker")
    rng = seeded(1)
    for seed in range(GAMES):
        position, state = game.start(seed), oracle.new_initial_state()
        for card in position.named.cards:
            state.apply_action(int(card))
        while not state.is_terminal():
            assert not position.is_terminal
            if state.is_chance_node():
                assert position.player == ENVIRONMENT
                assert [action - SHOW for action in position.legal()] == state.legal_actions()
                assert position.chance() == pytest.approx([odds for _, odds in state.chance_outcomes()])
                state.apply_action(step_randomly(position, rng) - SHOW)
            else:
                assert position.player == state.current_player()
                assert position.legal() == state.legal_actions()
                state.apply_action(step_randomly(position, rng))
        assert position.is_terminal
        assert position.rewards() == pytest.approx([(chips + MOST) / (2 * MOST) for chips in state.returns()])


def test_every_deal_is_equally_likely() -> None:
    game = leduc_poker()
    deals = [tuple(int(card) for card in game.start(seed).named.cards) for seed in range(3000)]
    assert_uniform(deals, [(a, b) for a in range(6) for b in range(6) if a != b])
    assert len(every_start(game)) == 30


def test_determinizations_are_uniform_over_the_cards_that_the_other_can_hold() -> None:
    for observer in range(2):
        sets = information_sets(leduc_poker(), observer, lambda position: len(position.history) < 4)
        # at a chance event nobody has seen the fifth and the sixth card; after it one card fewer can be the other's
        assert {len(states) for states in sets.values()} == {4, 5}
        assert_views_name_information_sets(sets, observer)
        assert_determinized_uniformly(sets, observer, checked=6, draws=100)
