"""Values that are learned during the search: held to a transcription in plain Python, playout by playout."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from icarus.errors import StrategyError
from icarus.game import Position
from icarus.jit import JIT
from icarus.loading import load
from icarus.search import Search
from icarus.strategy.expression import read_strategy
from icarus.strategy.weights import PLAYOUT, Weights
from tests.oracle.engine import records
from tests.test_learning import COINS

ALPHA, FADING = 0.2, 0.6


def holding(position: Position, action: int) -> list[int]:
    """What holds of a move, or of the position."""
    out = np.zeros(position.game.max_features, np.int64)
    return [int(number) for number in out[: int(position.game.call("features", position.state, action, out))]]


def logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def teach(weights: dict[int, float], known: dict[int, float], steps: list[tuple[int, list[int]]], rewards: list[float]) -> None:
    """TD(lambda) as it is written down: G is the lambda-return of each player, the steps are taken from the last to the first."""
    returns = list(rewards)
    for mover, features in reversed(steps):
        value = logistic(sum(weights.get(f, 0.0) + known.get(f, 0.0) for f in features))
        error = returns[mover] - value
        for feature in features:
            weights[feature] = weights.get(feature, 0.0) + ALPHA * error / len(features)
        own, other = (1 - FADING) * value, (1 - FADING) * (1 - value)
        returns = [FADING * returns[player] + (own if player == mover else other) for player in range(2)]


def simulated(search: Search) -> tuple[list[tuple[Position, int]], Position]:
    """The positions and moves of the last playout beyond the tree in which there was a choice, and its end."""
    worker, position, steps = search.team.workers[0], search.position.copy(), []
    for ply in range(int(worker.lanes.ply)):
        action = int(worker.actions[ply])
        if ply >= int(worker.lanes.rows) and len(position.legal()) > 1:
            steps.append((position.copy(), action))
        position.apply(action)
    return steps, position


@pytest.mark.parametrize("name, epsilon", [("breakthrough(5,3)", 0.5), ("hex(3)", 0), ("connect_four", 1)])
@pytest.mark.parametrize("permanent", [False, True])
def test_dyna_2_learns_what_its_transcription_learns(name: str, epsilon: float, permanent: bool, tmp_path: Path) -> None:
    game, weights, file = load(name), {}, ""
    known = dict(enumerate(np.random.default_rng(1).normal(size=game.feature_count))) if permanent else {}
    if permanent:
        file = str(tmp_path / "permanent.npz")
        Weights(game.name, PLAYOUT, np.array(list(known.values())), {"method": "sarsa"}).save(Path(file))
    strategy = f'Baseline() >> Dyna2("{file}", epsilon={epsilon}, alpha={ALPHA}, fading={FADING})'
    search = Search(game, strategy=strategy, seed=2)
    greedy = 0
    for _ in range(30 if JIT else 8):
        search.run(iterations=1)
        steps, end = simulated(search)
        for position, action in steps:
            worth = {a: sum(weights.get(f, 0.0) + known.get(f, 0.0) for f in holding(position, a)) for a in position.legal()}
            greedy += worth[action] >= max(worth.values()) - 1e-9
            assert epsilon > 0 or worth[action] >= max(worth.values()) - 1e-9, "the best move, where nothing is left to chance"
        noted = [(position.player, holding(position, -1) + holding(position, action)) for position, action in steps]
        teach(weights, known, noted, end.rewards())
        expected = np.array([weights.get(feature, 0.0) for feature in range(game.feature_count)])
        np.testing.assert_allclose(search.team.workers[0].lesson.learned, expected, atol=1e-9)
    assert any(weights.values()) and greedy


def test_values_of_a_tiny_game_are_exact() -> None:
    """Coins, all moves at random, lambda = 0: the first coin is worth 0.3 or 0.6 to who puts it down, less nothing else."""
    search = Search(COINS, algorithm="flat", strategy="Baseline() >> Dyna2(epsilon=1, alpha=0.02, fading=0)", seed=1)
    search.run(iterations=30_000 if JIT else 3000)
    learned = search.team.workers[0].lesson.learned
    # behind a 0 of the first player (feature 5) and behind a 1 (feature 6): what putting down 0 or 1 (2 and 3) is worth
    for behind, coin, value in ((5, 2, 0.6), (5, 3, 0.8), (6, 2, 0.3), (6, 3, 0.5)):
        assert logistic(learned[behind] + learned[coin]) == pytest.approx(value, abs=0.03)


def test_a_step_size_of_zero_learns_nothing_and_epsilon_one_is_random() -> None:
    search = Search("hex(4)", strategy="Baseline() >> Dyna2(alpha=0)", seed=1)
    search.run(iterations=50)
    assert not search.team.workers[0].lesson.learned.any()


def test_what_was_learned_is_kept_as_long_as_the_game_goes_on() -> None:
    search = Search("hex(4)", strategy="Baseline() >> Dyna2()", seed=1)
    action = search.run(iterations=50).best.action
    before = np.array(search.team.workers[0].lesson.learned)
    search.advance(search.position.copy().apply(action))
    assert (np.array(search.team.workers[0].lesson.learned) == before).all() and before.any()
    other = load("hex(4)").start().apply(0)
    search.advance(other)
    assert not np.array(search.team.workers[0].lesson.learned).any(), "another game begins with nothing"


@pytest.mark.parametrize("lanes", [1, 3])
def test_it_stands_where_playouts_stand(lanes: int) -> None:
    for text in ("RAVE() >> Dyna2()", "Baseline() >> Cutoff(4, Dyna2(alpha=0.3))", "Decisive(Baseline() >> Dyna2(epsilon=0.1))"):
        search = Search("breakthrough(5,3)", strategy=text, seed=1, lanes=lanes)
        assert search.run(iterations=60).iterations == 60
        assert search.team.workers[0].lesson.learned.any()
        assert str(read_strategy(str(search.strategy))) == str(search.strategy)
    again = Search("breakthrough(5,3)", strategy=text, seed=1, lanes=lanes)
    again.run(iterations=60)
    assert records(again) == records(search), "the same seed learns the same"


@pytest.mark.parametrize(
    "game, strategy, reason",
    [
        ("tic_tac_toe", "Baseline() >> Dyna2()", "Dyna2 needs the function 'features'"),
        ("hex(4)", "Baseline() >> Dyna2(alpha=2)", "alpha=2 is out of range"),
        ("hex(4)", "Baseline() >> Dyna2('none.npz')", "there is no file 'none.npz'"),
        ("hex(4)", "Baseline() >> Dyna2(strategy=Dyna2())", "learns twice"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(game: str, strategy: str, reason: str) -> None:
    with pytest.raises(StrategyError) as refused:
        Search(game, strategy=strategy)
    assert reason in str(refused.value) and "\n" not in str(refused.value)


def test_weights_that_are_no_values_are_refused(tmp_path: Path) -> None:
    game, file = load("hex(4)"), tmp_path / "balanced.npz"
    Weights(game.name, PLAYOUT, np.zeros(game.feature_count), {"method": "balancing"}).save(file)
    with pytest.raises(StrategyError, match="was learned by balancing, which gives no values"):
        Search(game, strategy=f'Baseline() >> Dyna2("{file}")')
