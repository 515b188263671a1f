"""Self-play: whole games, their targets, and batches that stay full."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import icarus
from icarus import SearchError, load
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.network.evaluator import EvaluatorError
from icarus.network.forest.choose import random_gamma
from icarus.network.halving import schedule
from tests.oracle.puct import DARK_HEX, table_evaluator


def even(observations: Any, legal: Any) -> tuple[Any, Any]:
    return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)


@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
def test_games_can_be_played_again_from_what_was_written_down(algorithm: str) -> None:
    games = list(
        icarus.selfplay("tic_tac_toe", table_evaluator(2), algorithm=algorithm, parallel=3, iterations=12, games=5, seed=1)
    )
    assert sorted(game.number for game in games) == [0, 1, 2, 3, 4]
    for game in games:
        position = load("tic_tac_toe").start()
        for player, action, policy in zip(game.players, game.actions, game.policies, strict=True):
            assert position.player == player
            legal = position.legal()
            assert action in legal
            assert policy.sum() == pytest.approx(1)
            assert not np.delete(policy, legal).any()
            position.apply(int(action))
        assert position.is_terminal
        assert position.rewards() == list(game.rewards)
        observations, policies, values = game.arrays()
        assert len(observations) == len(policies) == len(values) == len(game)
        assert values[-1, 0] == game.rewards[game.players[-1]], "values begin with who acts"


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", *DARK_HEX])
def test_hidden_information_is_played(game: str) -> None:
    games = list(icarus.selfplay(game, table_evaluator(2), algorithm="puct", parallel=4, iterations=8, games=8, seed=2))
    assert len(games) == 8
    assert all(len(played) > 0 for played in games)


def test_a_game_follows_from_its_seed() -> None:
    def play(seed: int) -> list[list[int]]:
        games = icarus.selfplay("tic_tac_toe", even, parallel=2, iterations=8, games=4, seed=seed)
        return [game.actions.tolist() for game in sorted(games, key=lambda game: game.number)]

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_batches_are_full() -> None:
    used = []

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        used.append(int(games.forest.control.waiting))
        return even(observations, legal)

    games = icarus.selfplay("tic_tac_toe", evaluate, algorithm="puct", parallel=8, iterations=8, seed=1)
    for _ in range(20):
        next(games)
    assert np.mean(used) > 7.5


def test_what_the_network_said_need_not_be_asked_again() -> None:
    def play(reuse: bool | str) -> tuple[list[bytes], int]:
        games = icarus.selfplay("tic_tac_toe", table_evaluator(2), parallel=2, iterations=16, games=6, reuse=reuse, seed=3)
        return [game.policies.tobytes() for game in sorted(games, key=lambda game: game.number)], games.evaluations

    again, everything = play(False)
    kept, fewer = play("values")
    assert kept == again, "the same searches"
    assert fewer < 0.9 * everything


def test_a_temperature_of_zero_plays_the_most_visited() -> None:
    for game in icarus.selfplay(
        "tic_tac_toe", table_evaluator(2), algorithm="puct", parallel=2, iterations=16, games=3, temperature=0, noise=0, seed=1
    ):
        assert all(policy[action] == policy.max() for policy, action in zip(game.policies, game.actions, strict=True))


def test_noise_changes_what_is_looked_at() -> None:
    def first(noise: float) -> set[bytes]:
        games = icarus.selfplay("tic_tac_toe", even, algorithm="puct", parallel=4, iterations=24, games=4, noise=noise, seed=1)
        return {game.policies[0].tobytes() for game in games}

    assert len(first(0.0)) == 1
    assert len(first(0.5)) == 4


def test_a_failing_evaluator_is_told_and_play_goes_on() -> None:
    broken = False

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        logits, values = even(observations, legal)
        return (logits[:, 1:], values) if broken else (logits, values)

    games = icarus.selfplay("tic_tac_toe", evaluate, parallel=4, iterations=8, seed=1)
    next(games)
    broken = True
    with pytest.raises(EvaluatorError, match=r"mnk.3,3,3.: .*shape \(4, 8\); expected is \(4, 9\)"):
        list(itertools.islice(games, 9))
    broken = False
    assert len(next(games)) >= 5


def test_what_makes_no_sense_is_refused() -> None:
    for options, told in (
        ({"parallel": 0}, "parallel=0"),
        ({"iterations": 0}, "iterations=0"),
        ({"algorithm": "uct"}, "puct or gumbel"),
        ({"temperature": -1.0}, "temperature"),
        ({"parallel": 2.5}, r"parallel=2.5: a number from 1"),
        ({"games": -1}, "games=-1: a number from 0 on"),
        ({"evaluator": 5}, "mnk.3,3,3.: 5 is no evaluator; expected is a function"),
    ):
        with pytest.raises(SearchError, match=told):
            icarus.selfplay("tic_tac_toe", **{"evaluator": even, **options})
    with pytest.raises(SearchError, match="asks a network"):
        icarus.selfplay("tic_tac_toe")


def test_sequential_halving_spends_its_budget_on_ever_fewer() -> None:
    assert schedule(1, 4).tolist() == [0, 1, 2, 3]
    assert schedule(4, 16).tolist() == [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]
    for considered in range(1, 20):
        assert len(schedule(considered, 50)) == 50


@pytest.mark.skipif(JIT, reason="a part of the kernel")
@pytest.mark.parametrize("alpha", [0.3, 2.5])
def test_gamma_noise_has_its_mean_and_variance(alpha: float) -> None:
    rng = seeded(1)
    drawn = np.array([random_gamma(rng, alpha) for _ in range(4000)])
    assert abs(drawn.mean() - alpha) < 6 * np.sqrt(alpha / 4000)
    assert 0.7 * alpha < drawn.var() < 1.4 * alpha
