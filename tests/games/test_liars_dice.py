"""Liar's dice: beside OpenSpiel, and the hidden dice beside enumeration."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.arena.exploit import exploit
from icarus.errors import GameError
from icarus.game import Position, step_randomly
from icarus.games.liars_dice import liars_dice
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.testing import check_game
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)
from tests.support import assert_uniform

GAMES = 2000 if JIT else 100


def with_dice(game_dice: int, *faces: int) -> Position:
    position = liars_dice(game_dice).start()
    position.named.rolls[:] = faces
    return position


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 4)])
def test_bids_calls_and_results_agree_with_openspiel(dice: int, sides: int) -> None:
    game, oracle = liars_dice(dice, sides), pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={sides})")
    assert game.max_plies == oracle.max_game_length()
    rng = seeded(1)
    for seed in range(GAMES):
        position, state = game.start(seed), oracle.new_initial_state()
        for face in position.named.rolls:
            state.apply_action(int(face) - 1)
        while not state.is_terminal():
            assert not position.is_terminal
            assert position.player == state.current_player()
            assert position.legal() == state.legal_actions()
            state.apply_action(step_randomly(position, rng))
        assert position.is_terminal
        assert position.rewards() == [(r + 1) / 2 for r in state.returns()]


def test_every_roll_is_equally_likely() -> None:
    game = liars_dice(1, 6)
    rolls = [tuple(int(face) for face in game.start(seed).named.rolls) for seed in range(4000)]
    assert_uniform(rolls, [(a, b) for a in range(1, 7) for b in range(1, 7)])


def test_the_highest_face_is_wild() -> None:
    position = with_dice(1, 6, 3)
    for label in ("2x3", "liar"):
        position.apply(position.parse_action(label))
    assert position.rewards() == [1.0, 0.0]


def test_a_bid_that_does_not_hold_loses() -> None:
    position = with_dice(1, 2, 3)
    for label in ("2x3", "liar"):
        position.apply(position.parse_action(label))
    assert position.rewards() == [0.0, 1.0]


def test_nobody_calls_before_the_first_bid() -> None:
    with pytest.raises(GameError, match="not a legal move"):
        liars_dice().start().parse_action("liar")


def test_bids_can_be_typed_in_several_ways() -> None:
    position = liars_dice(2).start()
    assert {position.parse_action(text) for text in ("3x5", "3 X 5", "3-5", "3 5")} == {2 * 6 + 4}
    for text in ("3x7", "35", "many"):
        with pytest.raises(GameError, match="3x5"):
            position.parse_action(text)


@pytest.mark.parametrize(("dice", "sides"), [(1, 3), (2, 2)])
@pytest.mark.parametrize("observer", [0, 1])
def test_determinizations_are_uniform_over_the_opponents_rolls(dice: int, sides: int, observer: int) -> None:
    sets = information_sets(liars_dice(dice, sides), observer)
    assert {len(states) for states in sets.values()} == {sides**dice}
    assert_views_name_information_sets(sets, observer)
    assert_determinized_uniformly(sets, observer, checked=10, draws=200)


def test_dice_are_shown_to_their_owner_and_at_the_end() -> None:
    position = with_dice(2, 5, 4, 2, 1)
    assert position.render(0).startswith("player 1: 5 4\nplayer 2: ?")
    position.apply(position.parse_action("1x1")).apply(position.parse_action("liar"))
    assert position.render(0) == position.render(1) == position.render()
    assert position.determinize(0, seeded(1)).state.tobytes() == position.state.tobytes()


def test_bad_parameters_are_refused() -> None:
    for dice, sides in ((0, 6), (21, 6), (1, 0)):
        with pytest.raises(GameError, match="1 to 20 dice"):
            liars_dice(dice, sides)


def test_dice_of_one_side_hide_nothing() -> None:
    """Every bid holds: who bids both dice wins."""
    game = liars_dice(1, 1)
    assert not game.hidden_information
    found = exploit("random", game)
    assert found.exact and found.values == pytest.approx((0.75, 0.25)) and found.responses == pytest.approx((1.0, 0.5))
    check_game(game, games=4).raise_for_failures()
