"""Icarus as an OpenSpiel bot: it plays whole matches there, knows what its player knows, and its compiled games are theirs."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot

from icarus.arena import openspiel as arena
from icarus.bridges.bot import NATIVE, IcarusBot, native_name
from icarus.errors import GameError
from icarus.jit import JIT
from icarus.loading import load

compiled_only = pytest.mark.skipif(not JIT, reason="plays whole matches: too slow as plain Python")


def state_after(game, actions, seed=0):
    """The state after these actions; chance is drawn."""
    chooser, state, left = random.Random(seed), game.new_initial_state(), list(actions)
    while left or state.is_chance_node():
        if state.is_chance_node():
            state.apply_action(chooser.choice([outcome for outcome, _ in state.chance_outcomes()]))
        else:
            state.apply_action(left.pop(0))
    return state


def score(game, make_ours, make_theirs, matches, seed):
    """Our mean return over matches with changing seats."""
    rng, total = np.random.RandomState(seed), 0.0
    for number in range(matches):
        seat = number % game.num_players()
        bots = [make_theirs(i, rng) for i in range(game.num_players())]
        bots[seat] = make_ours(seat)
        total += evaluate_bots(game.new_initial_state(), bots, rng)[seat]
    return total / matches


def uniform(player, rng):
    return UniformRandomBot(player, rng)


# --- matches ---------------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("native", [True, False])
def test_it_beats_random_play_at_connect_four(native):
    game = pyspiel.load_game("connect_four")
    iterations = 1000 if native else 150
    mean = score(game, lambda seat: IcarusBot(game, seat, iterations=iterations, seed=1, native=native), uniform, 8, 1)
    assert mean >= 0.75


@compiled_only
def test_it_holds_its_own_against_openspiels_mcts_with_fewer_simulations():
    game = pyspiel.load_game("connect_four")

    def theirs(player, rng):
        return mcts.MCTSBot(game, 1.4, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)

    mean = score(game, lambda seat: IcarusBot(game, seat, iterations=3000, seed=2), theirs, 6, 2)
    assert mean > 0.3


@compiled_only
def test_two_perfect_players_draw():
    game = pyspiel.load_game("tic_tac_toe")
    for seed in range(3):
        bots = [IcarusBot(game, seat, iterations=3000, seed=seed) for seat in range(2)]
        assert evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(seed)) == [0, 0]


@compiled_only
@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn_poker", 200),
        ("leduc_poker", 100),
        ("liars_dice", 200),
        ("goofspiel(num_cards=4)", 100),
        ("backgammon", 10),
        ("hearts", 5),
    ],
)
def test_whole_games_are_played(name, iterations):
    """Chance, hidden cards, simultaneous choices, more than two players."""
    game = pyspiel.load_game(name)
    bots = [uniform(seat, np.random.RandomState(seat)) for seat in range(game.num_players())]
    bots[-1] = IcarusBot(game, game.num_players() - 1, iterations=iterations, seed=3)
    returns = evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(5))
    assert len(returns) == game.num_players()


# --- one decision ----------------------------------------------------------------------------------------------------


def test_a_policy_is_the_share_of_the_visits():
    game = pyspiel.load_game("tic_tac_toe")
    bot = IcarusBot(game, 0, iterations=300, seed=1)
    policy, action = bot.step_with_policy(state_after(game, (0, 3, 1, 4)))
    assert action == 2 == max(policy, key=lambda pair: pair[1])[0]
    assert sum(share for _, share in policy) == pytest.approx(1)
    assert [a for a, _ in policy] == [2, 5, 6, 7, 8]
    assert bot.provides_policy()


@pytest.mark.parametrize("native", [True, False])
def test_the_tree_is_kept_within_a_game_and_forgotten_after_it(native):
    game = pyspiel.load_game("tic_tac_toe")
    bot = IcarusBot(game, 0, iterations=400, seed=1, native=native)
    state = game.new_initial_state()
    state.apply_action(bot.step(state))
    state.apply_action(state.legal_actions()[0])
    bot.step(state)
    assert bot.result.kept > 0
    bot.restart()
    bot.step(state)
    assert bot.result.kept == 0


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice"])
def test_the_true_cards_of_others_change_nothing(name, native):
    game = pyspiel.load_game(name)
    policies = []
    for other in (1, 2):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(other)
        policies.append(IcarusBot(game, 0, iterations=100, seed=4, native=native).step_with_policy(state))
    assert policies[0] == policies[1]


def test_choices_made_at_the_same_time_are_not_seen():
    game = pyspiel.load_game("goofspiel(num_cards=4,points_order=descending)")
    state = game.new_initial_state()
    assert IcarusBot(game, 1, iterations=100, seed=1).step(state) in state.legal_actions(1)


def test_a_bot_refuses_to_move_for_others():
    game = pyspiel.load_game("tic_tac_toe")
    with pytest.raises(GameError, match="player 0 acts"):
        IcarusBot(game, 1, iterations=10).step_with_policy(RightsOf(game.new_initial_state()))
    with pytest.raises(GameError, match="no player 2"):
        IcarusBot(game, 2)


class RightsOf:
    """A state that lists the moves of whoever acts for everybody."""

    def __init__(self, state):
        self._state = state

    def legal_actions(self, player):
        return self._state.legal_actions()

    def __getattr__(self, name):
        return getattr(self._state, name)


# --- the same game on both sides -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("tic_tac_toe", "tic_tac_toe"),
        ("mnk(m=4,n=3,k=3)", "mnk(4,3,3)"),
        ("connect_four", "connect_four"),
        ("connect_four(rows=5)", None),
        ("othello", "othello"),
        ("hex(board_size=5)", "hex(5)"),
        ("hex", "hex(11)"),
        ("hex(swap=True)", None),
        ("kuhn_poker(players=3)", "kuhn_poker(3)"),
        ("liars_dice(numdice=2)", "liars_dice(2,6)"),
        ("clobber(rows=4)", "clobber(4,6)"),
        ("havannah(board_size=5)", "havannah(5)"),
        ("havannah(swap=True)", None),
        ("go", None),
        ("hearts", None),
    ],
)
def test_a_compiled_game_is_used_where_the_rules_are_the_same(theirs, ours):
    assert native_name(pyspiel.load_game(theirs)) == ours


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_legal_actions_and_rewards_agree_on_both_sides(name):
    """Random games, move by move; the arena pairs the same games."""
    game = pyspiel.load_game("hex(board_size=4)" if name == "hex" else "mnk(m=4,n=4,k=3)" if name == "mnk" else name)
    bot = IcarusBot(game, 0)
    assert str(arena._load(load(native_name(game)))).split("(")[0] in (name, "mnk")
    for seed in range(3):
        bot.restart()
        chooser, state = random.Random(seed), game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                assert sorted(bot._follow(state).legal()) == sorted(state.legal_actions())
            options = [outcome for outcome, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            state.apply_action(chooser.choice(options))
        ours = bot._follow(state).rewards()
        assert np.argsort(ours).tolist() == np.argsort(state.returns()).tolist()
