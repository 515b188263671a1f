"""OpenSpiel's games in Icarus: the contract of a game holds, the rules are theirs, and no resampler is believed blindly."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from typer.testing import CliRunner

import icarus
from icarus.bridges.openspiel import openspiel_game, possible
from icarus.cli import app
from icarus.errors import GameError
from icarus.game import ENVIRONMENT, Position, step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.testing import check_game
from icarus.testing.memory import fingerprint
from tests.support import assert_uniform

pyspiel = pytest.importorskip("pyspiel")

compiled_only = pytest.mark.skipif(not JIT, reason="many searches: too slow as plain Python")


def played(name: str, seed: int, plies: int) -> Position:
    """A position some random plies into a game, with a player to act."""
    position, rng = load(name).start(seed), seeded(seed, stream=9)
    while len(position.history) < plies or position.player == ENVIRONMENT:
        step_randomly(position, rng)
    return position


# --- the contract ----------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "hex(board_size=3)",
        "pig(players=2,winscore=20)",
        "kuhn_poker",
        "leduc_poker",
        "liars_dice(dice_sides=3)",
        "goofspiel(num_cards=3,points_order=descending)",
        "goofspiel(num_cards=3,imp_info=True,points_order=descending)",
        "matrix_rps",
        "tiny_hanabi",
        "blackjack",
    ],
)
def test_games_keep_the_contract(name):
    check_game(f"openspiel:{name}", games=4).raise_for_failures()


@compiled_only
def test_a_resampler_that_shows_whose_cards_are_in_play_is_not_used():
    """OpenSpiel's Oh Hell deals the others' true cards among them, and nothing else: to know those would be peeking."""
    start = load("openspiel:oh_hell(players=3,num_tricks_fixed=1)").start(12)
    rng = seeded(1, stream=1)
    drawn = {fingerprint(start.determinize(0, rng)) for _ in range(10)}
    assert len(drawn) > 5, "there are more than two thousand deals that player 0 cannot tell apart"


@compiled_only
def test_hearts_keeps_the_contract_though_its_resampler_forgets_void_suits():
    check_game("openspiel:hearts(pass_cards=False)", games=1, searches=False).raise_for_failures()


@compiled_only
def test_backgammon_keeps_all_of_the_contract_but_one():
    """What an action number of OpenSpiel's backgammon means depends on the dice."""
    report = check_game("openspiel:backgammon", games=2)
    assert [check.name for check in report.failures] == ["identity"]


# --- the rules are theirs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["connect_four", "kuhn_poker", "hearts", "backgammon", "goofspiel", "2048", "phantom_ttt"])
def test_a_game_is_played_as_in_openspiel(name):
    """The moves of a random game are legal there too, and lead to the same returns."""
    game = openspiel_game(name)
    position, rng = game.start(2), seeded(7)
    if name == "2048":
        for _ in range(40):
            step_randomly(position, rng)
    else:
        while not position.is_terminal:
            step_randomly(position, rng)
    spiel = game.spiel(position.state)
    state, path = spiel.source.game.new_initial_state(), list(spiel.path())
    while path:
        if state.is_simultaneous_node():
            joint = [path.pop(0) for _ in range(game.players)]
            assert all(action in state.legal_actions(i) for i, action in enumerate(joint))
            state.apply_actions(joint)
        elif state.is_chance_node():
            outcome = path.pop(0) - spiel.source.first_outcome
            assert outcome in dict(state.chance_outcomes())
            state.apply_action(outcome)
        else:
            action = path.pop(0)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert str(state) == str(spiel.state)
    if position.is_terminal:
        low, high = spiel.source.game.min_utility(), spiel.source.game.max_utility()
        assert np.allclose(position.rewards(), [(value - low) / (high - low) for value in state.returns()])


def test_search_finds_the_winning_move():
    game = load("openspiel:tic_tac_toe")
    position = game.start()
    for action in (0, 3, 1, 4):
        position.apply(action)
    result = icarus.search(position, iterations=300, seed=1)
    assert result.best.action == 2 and result.best.label == "x(0,2)"


def test_hidden_cards_are_not_shown():
    position = load("openspiel:kuhn_poker").start(3)
    cards = position.render().split()
    assert position.render(0) != position.render(1)
    assert all(card not in position.render(0)[1:] for card in cards[1:])


# --- determinizations ------------------------------------------------------------------------------------------------


def test_determinizations_of_hearts_respect_shown_voids_and_what_the_player_knows():
    for seed in range(3):
        position, rng = played("openspiel:hearts", seed, 45), seeded(seed)
        observer = position.player
        for _ in range(4):
            twin = position.determinize(observer, rng)
            assert possible(position.game.spiel(twin.state))
            assert twin.view(observer) == position.view(observer)
            assert sorted(twin.legal()) == sorted(position.legal())


def test_openspiels_own_resampler_forgets_shown_voids():
    """Why its answers are not taken as they come.  When this fails, the check has become unnecessary."""
    impossible = 0
    for seed in range(6):
        position = played("openspiel:hearts", seed, 45)
        spiel = position.game.spiel(position.state)
        numbers = random.Random(seed)
        impossible += sum(not possible(spiel._resampled(position.player, numbers)) for _ in range(20))
    assert impossible > 0


def test_where_openspiel_has_no_resampler_all_histories_that_agree_are_equally_likely():
    """Liar's dice: the opponent's die."""
    position, rng = load("openspiel:liars_dice").start(1), seeded(5)
    spiel = position.game.spiel(position.state)
    assert not spiel.source.resamples
    own = spiel.path()[0]
    draws = [position.game.spiel(position.determinize(0, rng).state).path() for _ in range(600)]
    first = spiel.source.first_outcome
    assert_uniform(draws, [(own, first + face) for face in range(6)])


def test_phantom_moves_are_guessed_from_what_was_noticed():
    """The second player has seen nothing but that the first has moved; each of nine cells is as likely."""
    position, rng = load("openspiel:phantom_ttt").start(), seeded(5)
    position.apply(4)
    draws = [position.game.spiel(position.determinize(1, rng).state).path() for _ in range(500)]
    assert_uniform(draws, [(cell,) for cell in range(9)])


def test_several_kinds_of_draws_at_the_start_are_guessed_too():
    """Coin game: a preference that others do not know, then places on the board that all see."""
    position, rng = load("openspiel:coin_game").start(1), seeded(2)
    for observer in range(2):
        twins = [position.determinize(observer, rng) for _ in range(20)]
        assert all(twin.view(observer) == position.view(observer) for twin in twins)
        assert any(twin.view(1 - observer) != position.view(1 - observer) for twin in twins)


def test_a_deal_that_nobody_can_guess_is_said_in_one_line():
    position = played("openspiel:crazy_eights", 1, 12)
    with pytest.raises(GameError, match="cannot be determinized"):
        position.determinize(position.player, seeded(1))


# --- wherever a game is named ----------------------------------------------------------------------------------------


def run(*arguments: str) -> object:
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@compiled_only
def test_the_commands_take_openspiel_games():
    found = run("search", "openspiel:hex(board_size=4)", "--iterations", "200", "--moves", "b2 c3", "--seed", "1")
    assert found["game"] == "openspiel:hex(board_size=4)" and found["iterations"] == 200
    assert run("check", "openspiel:nim", "--games", "2")["passed"] is True
    match = run("match", "openspiel:kuhn_poker", "mo@50", "random", "--games", "4", "--seed", "1")
    assert match["game"] == "openspiel:kuhn_poker"
    rows = run("bench", "openspiel:tic_tac_toe", "--iterations", "200", "--rounds", "1")
    assert rows[0]["name"] == "openspiel:tic_tac_toe"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openspiel:", "no game"),
        ("openspiel:herts", "did you mean hearts"),
        ("openspiel:hex(board_size=x)", "board_size"),
        ("openspiel:hex(bord_size=4)", "bord_size"),
        ("openspiel:hex(", "cannot load"),
        ("openspiel:repeated_game", "cannot load"),
        ("openspiel:mfg_crowd_modelling", "mean field"),
        ("openspiel:tarok", "inside its states"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(name, words, capfd):
    with pytest.raises(GameError) as refused:
        load(name)
    assert words in str(refused.value) and "\n" not in str(refused.value)
    assert capfd.readouterr().err == "", "OpenSpiel says nothing of its own"
