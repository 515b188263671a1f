"""Kuhn poker: beside OpenSpiel, its known value, and determinization beside enumeration."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import Position, step_randomly
from icarus.games.kuhn_poker import BET, PASS, kuhn_poker
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    every_start,
    information_sets,
)
from tests.support import assert_uniform

GAMES = 2000 if JIT else 100
JACK, QUEEN, KING = 0, 1, 2


@pytest.mark.parametrize("players", [2, 3, 5])
def test_betting_and_winnings_agree_with_openspiel(players: int) -> None:
    game, oracle = kuhn_poker(players), pyspiel.load_game(f"kuhn_poker(players={players})")
    assert game.max_plies == oracle.max_game_length()
    rng = seeded(1)
    for seed in range(GAMES):
        position, state = game.start(seed), oracle.new_initial_state()
        for card in position.named.cards:
            state.apply_action(int(card))
        while not state.is_terminal():
            assert not position.is_terminal
            assert position.player == state.current_player()
            assert position.legal() == state.legal_actions()
            state.apply_action(step_randomly(position, rng))
        assert position.is_terminal
        assert position.rewards() == pytest.approx([(chips + 2) / (2 * players) for chips in state.returns()])


def test_every_deal_is_equally_likely() -> None:
    game = kuhn_poker(3)
    deals = [tuple(int(card) for card in game.start(seed).named.cards) for seed in range(3000)]
    assert_uniform(deals, [(a, b, c) for a in range(4) for b in range(4) for c in range(4) if len({a, b, c}) == 3])


def equilibrium(position: Position) -> float:
    """The probability of a bet in an equilibrium of the game for two (Kuhn's, with alpha = 1/3)."""
    card = int(position.named.cards[position.player])
    history = tuple(action for _, action, _ in position.history)
    return {
        (): {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0},
        (PASS,): {JACK: 1 / 3, QUEEN: 0.0, KING: 1.0},
        (BET,): {JACK: 0.0, QUEEN: 1 / 3, KING: 1.0},
        (PASS, BET): {JACK: 0.0, QUEEN: 2 / 3, KING: 1.0},
    }[history][card]


def value(position: Position) -> float:
    if position.is_terminal:
        return position.rewards()[0]
    bet = equilibrium(position)
    return bet * value(position.copy().apply(BET)) + (1 - bet) * value(position.copy().apply(PASS))


def test_equilibrium_play_is_worth_minus_one_eighteenth_of_a_chip() -> None:
    deals = every_start(kuhn_poker())
    assert len(deals) == 6
    assert 4 * sum(map(value, deals)) / 6 - 2 == pytest.approx(-1 / 18)


@pytest.mark.parametrize("players", [2, 3])
def test_determinizations_are_uniform_over_the_cards_that_others_can_hold(players: int) -> None:
    game = kuhn_poker(players)
    for observer in range(players):
        sets = information_sets(game, observer)
        assert {len(states) for states in sets.values()} == {2 if players == 2 else 6}
        assert_views_name_information_sets(sets, observer)
        assert_determinized_uniformly(sets, observer, checked=6, draws=200)


def test_cards_are_shown_to_their_holder_and_at_the_end() -> None:
    position = next(start for start in map(kuhn_poker().start, range(100)) if list(start.named.cards) == [KING, JACK])
    assert "K" in position.render(0) and "J" not in position.render(0)
    position.apply(position.parse_action("bet")).apply(position.parse_action("pass"))
    assert position.is_terminal and position.rewards() == [0.75, 0.25]
    assert position.render(0) == position.render(1) == position.render()
    assert position.determinize(0, seeded(1)).state.tobytes() == position.state.tobytes()


def test_too_few_or_too_many_players_are_refused() -> None:
    for players in (1, 11):
        with pytest.raises(GameError, match="2 to 10"):
            kuhn_poker(players)
