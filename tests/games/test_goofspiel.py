"""Goofspiel: beside OpenSpiel, and the hidden bid beside enumeration."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position, play_randomly, step_randomly
from icarus.games.goofspiel import BIDS_SHOWN, HIDDEN, PRIZE_TURNED, goofspiel
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)
from tests.support import assert_uniform

GAMES = 2000 if JIT else 50


def play(position: Position, *actions: int) -> Position:
    for action in actions:
        position.apply(action)
    return position


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
@pytest.mark.parametrize("cards", [2, 4, 13])
def test_prizes_bids_and_results_agree_with_openspiel(cards: int, order: str) -> None:
    game = goofspiel(cards, order)
    oracle = pyspiel.load_game(f"goofspiel(num_cards={cards},points_order={order},imp_info=False,returns_type=win_loss)")
    rng = seeded(1)
    for _ in range(GAMES if cards == 4 else GAMES // 8):
        position, state = game.start(), oracle.new_initial_state()
        while not state.is_terminal():
            assert not position.is_terminal
            if state.is_chance_node():
                assert position.player == ENVIRONMENT
                prizes, chances = zip(*state.chance_outcomes(), strict=True)
                assert position.legal() == [PRIZE_TURNED + 1 + prize for prize in prizes]
                assert position.chance() == pytest.approx(chances)
                state.apply_action(step_randomly(position, rng) - PRIZE_TURNED - 1)
            else:
                bids = []
                for player in (0, 1):
                    assert position.player == player
                    assert position.legal() == [1 + card for card in state.legal_actions(player)]
                    bids.append(step_randomly(position, rng) - 1)
                state.apply_actions(bids)
                points = f"Points: {position.named.points[0]} {position.named.points[1]}"
                assert points in str(state)
        assert position.is_terminal
        assert position.rewards() == [(r + 1) / 2 for r in state.returns()]
        assert len(position.history) == game.max_plies


def test_the_environment_turns_up_every_prize_equally_often() -> None:
    position, rng = goofspiel(13).start(), seeded(2)
    assert_uniform((position.sample(rng) for _ in range(5000)), position.legal())


def test_the_first_bid_is_hidden_until_the_second_is_in() -> None:
    position = play(goofspiel(3, "descending").start(), 2)
    assert position.player == 1 and position.game.call("simultaneous", position.state)
    assert [moves for _, _, moves in position.history] == [(2, HIDDEN)]
    other = play(goofspiel(3, "descending").start(), 3)
    assert position.view(1) == other.view(1) and position.view(0) != other.view(0)
    assert position.render(1) == other.render(1) and position.render(0) != other.render(0)
    play(position, 1), play(other, 1)
    assert position.history[-1][2] == (1, BIDS_SHOWN + 16 * 2 + 1)
    assert other.history[-1][2] == (1, BIDS_SHOWN + 16 * 3 + 1)
    assert position.view(1) != other.view(1)


def test_equal_bids_lose_the_prize_for_both() -> None:
    position = play(goofspiel(3, "descending").start(), 2, 2)
    assert list(position.named.points) == [0, 0]
    assert list(position.named.hands) == [0b1010, 0b1010]


def test_equal_points_are_a_draw() -> None:
    position = play(goofspiel(3, "descending").start(), 2, 2, 1, 1)
    assert position.is_terminal and position.rewards() == [0.5, 0.5]


@pytest.mark.parametrize("order", ["random", "descending"])
@pytest.mark.parametrize("observer", [0, 1])
def test_determinizations_are_uniform_over_the_hidden_bid(order: str, observer: int) -> None:
    sets = information_sets(goofspiel(3, order), observer)
    assert max(map(len, sets.values())) == (3 if observer == 1 else 1)
    assert_views_name_information_sets(sets, observer)
    assert_determinized_uniformly(sets, observer, checked=12, draws=200)


def test_moves_tell_the_second_player_its_own_bids_apart() -> None:
    position, rng = goofspiel(6).start(), seeded(3)
    while not position.is_terminal:
        if position.player != ENVIRONMENT:
            moves = [position.observe(action, position.player) for action in position.legal()]
            assert len(set(moves)) == len(moves)
        step_randomly(position, rng)


def test_bids_can_be_typed_as_their_card() -> None:
    position = goofspiel(5).start()
    prize = position.legal()[int(random_below(seeded(1), 5))]
    assert position.format_action(prize) == f"prize {prize - PRIZE_TURNED}"
    play(position, prize)
    assert position.parse_action("4") == 4
    assert play_randomly(position, seeded(4)).is_terminal


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(GameError, match="2 to 13"):
        goofspiel(14)
    with pytest.raises(GameError, match="descending"):
        goofspiel(5, "sideways")
