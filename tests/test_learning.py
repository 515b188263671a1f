"""Learning: gradients and values are those that can be worked out, what is learned is of use, and files are told apart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from icarus.cli import app
from icarus.errors import IcarusError, StrategyError
from icarus.game import Game, compiled, step_randomly
from icarus.gdl.game import SheetGame, load_sheet
from icarus.gdl.sheets import FOLDER
from icarus.jit import JIT
from icarus.learning.learner import Learner
from icarus.learning.playouts import play_softmax
from icarus.loading import load
from icarus.options import seconds_of
from icarus.search import Search
from icarus.strategy.expression import read_strategy
from icarus.strategy.weights import EVALUATION, PLAYOUT, Weights
from icarus.trust import OUTSIDE, NotAllowed, allowing
from tests.test_layers import PACKAGE

# Two coins: player 0 puts down 0 or 1, then player 1 does; player 0 gets 0.4 + 0.3 a - 0.2 b.


@compiled
def initial(state, rng):
    state[0] = 0


@compiled
def player(state):
    return state[0]


@compiled
def legal(state, actions):
    actions[0] = 0
    actions[1] = 1
    return 2


@compiled
def apply(state, action):
    state[1 + state[0]] = action
    state[0] += 1


@compiled
def terminal(state):
    return state[0] == 2


@compiled
def rewards(state, out):
    out[0] = 0.4 + 0.3 * state[1] - 0.2 * state[2]
    out[1] = 1.0 - out[0]


@compiled
def features(state, action, out):
    """Of an action: who acts and what it is.  Of a position: what lies there, 4 + what the first has put down, or nothing."""
    if action >= 0:
        out[0] = 2 * state[0] + action
        return 1
    out[0] = 4 + (state[0] + state[0] * state[1])
    return 1


COINS = Game(
    name="coins", players=2, state_size=3, max_actions=2, max_plies=2, initial=initial, player=player, legal=legal, apply=apply,
    terminal=terminal, rewards=rewards, features=features, feature_count=8, max_features=1,
)  # fmt: skip


def test_the_gradient_of_playouts_is_that_of_the_mean() -> None:
    """pi is one half: the mean is 0.45, its slope by the weight of the first coin's 1 is 0.3 / 4, of the second's -0.2 / 4.

    psi is a mean over two moves, so half of that.
    """
    learner = Learner(COINS, method="policy-gradient")
    learner._root(COINS.start())
    number = 40_000 if JIT else 4000
    gradient = np.zeros(8)
    mean = play_softmax(learner._worker.handle, learner.values, np.zeros(8), gradient, 0, number, 0, 0.0)
    slack = 6 * 0.5 / np.sqrt(number)
    assert mean == pytest.approx(0.45, abs=slack)
    assert gradient[:4] == pytest.approx([-0.0375, 0.0375, 0.025, -0.025], abs=slack)
    signed = np.zeros(8)
    play_softmax(learner._worker.handle, learner.values, np.zeros(8), signed, 0, number, 1, 0.45)
    assert signed[:4] == pytest.approx([-0.0375, 0.0375, -0.025, 0.025], abs=slack), "the second player wants the first to lose"


def test_policy_gradient_finds_what_both_should_play() -> None:
    learner = Learner(COINS, method="policy-gradient", seed=1)
    for _ in range(40 if JIT else 8):
        learner.step()
    assert learner.values[1] > learner.values[0] and learner.values[3] > learner.values[2]


def test_balancing_lowers_the_bias_of_playouts() -> None:
    """The search says that the first player gets 0.5 and the second up to 0.8: playouts come nearer to it."""
    learner = Learner(COINS, method="balancing", seed=1, target=60, positions=4)
    errors = [learner.step() for _ in range(60 if JIT else 12)]
    assert np.mean(errors[-5:]) < 0.8 * np.mean(errors[:2])


def test_td_learns_the_values_of_a_tiny_game() -> None:
    """With epsilon = 0.3 a player puts down its better coin in 85 of 100 cases."""
    learner = Learner(COINS, what=EVALUATION, seed=1, rate=0.5, epsilon=0.3)
    for _ in range(250 if JIT else 100):
        learner.step()
    values = 1 / (1 + np.exp(-learner.values[4:7]))
    assert values[1] == pytest.approx(0.6 + 0.2 * 0.85, abs=0.1), "after a 0"
    assert values[2] == pytest.approx(0.3 + 0.2 * 0.85, abs=0.1), "after a 1"
    assert values[0] == pytest.approx(0.4 + 0.1 * 0.85, abs=0.1), "at the start"


def test_sarsa_learns_what_moves_are_worth() -> None:
    """Both players should put down a 1: its value is above that of a 0, and the second player's is 0.5 behind a 1."""
    learner = Learner(COINS, method="sarsa", seed=1, epsilon=0.3)
    errors = [learner.step() for _ in range(200 if JIT else 60)]
    assert learner.values[1] > learner.values[0] and learner.values[3] > learner.values[2]
    assert 1 / (1 + np.exp(-learner.values[[6, 3]].sum())) == pytest.approx(0.5, abs=0.1)
    assert np.mean(errors[-10:]) < np.mean(errors[:2])
    assert learner.weights.told["method"] == "sarsa"


@pytest.mark.parametrize(
    "name", ["breakthrough(5,3)", "othello", "hex(4)", "go(4)", "lines_of_action", "checkers", "connect_four"]
)
def test_features_are_numbers_that_the_game_declares(name: str) -> None:
    game = load(name)
    position, rng = game.start(), np.array([7], np.uint64)
    out = np.zeros(game.max_features, np.int64)
    for _ in range(200):
        if position.is_terminal:
            break
        for action in (-1, *position.legal()):
            count = int(game.call("features", position.state, action, out))
            assert 0 <= count <= game.max_features and (out[:count] >= 0).all() and (out[:count] < game.feature_count).all()
        step_randomly(position, rng)


def test_learned_playouts_and_evaluations_are_searched_with(tmp_path: Path) -> None:
    game = load("breakthrough(5,3)")
    values = np.zeros(game.feature_count)
    values[24:32] = 30.0  # take whatever can be taken
    taking, plain = tmp_path / "taking.npz", tmp_path / "plain.npz"
    Weights(game.name, PLAYOUT, values).save(taking)
    Weights(game.name, EVALUATION, np.zeros(game.feature_count)).save(plain)
    for text in (f'RAVE() >> Features("{taking}")', f'Baseline() >> Cutoff(3, Features("{taking}"), evaluation="{plain}")'):
        search = Search(game, strategy=text, seed=1)
        assert search.run(iterations=60).iterations == 60
        assert str(read_strategy(str(search.strategy))) == str(search.strategy)
    even = Search(game, algorithm="flat", strategy=f'Baseline() >> Cutoff(2, evaluation="{plain}")', seed=1).run(iterations=40)
    assert {tuple(row.mean) for row in even.root if row.visits} == {(0.5, 0.5)}, "weights of zero know nothing"


@pytest.mark.skipif(not JIT, reason="plain Python learns too slowly")
@pytest.mark.parametrize("lanes", [1, 8])
def test_rule_sheets_learn_and_are_searched_with(tmp_path: Path, lanes: int) -> None:
    """In tic-tac-toe who has the middle is better off, and playouts by weights play what they say, in lanes too."""
    game = load_sheet(FOLDER / "tic_tac_toe.kif")
    assert isinstance(game, SheetGame)
    learner = Learner(game, what=EVALUATION, seed=1)
    for _ in range(60):
        learner.step()
    position = game.start()
    out, worth = np.zeros(game.max_features, np.int64), []
    for action in (game.number_of("(mark 2 2)"), game.number_of("(mark 1 2)")):
        behind = position.copy()
        behind.apply(action)
        worth.append(learner.values[out[: int(game.call("features", behind.state, -1, out))]].sum())
    assert worth[0] < worth[1], "the one who waits acts now"
    file, evaluation = tmp_path / "playout.npz", tmp_path / "evaluation.npz"
    learner.weights.save(evaluation)
    Weights(game.name, PLAYOUT, np.zeros(game.feature_count)).save(file)
    text = f'Baseline() >> Cutoff(2, Features("{file}"), evaluation="{evaluation}")'
    assert Search(game, strategy=text, seed=1, lanes=lanes).run(iterations=64).iterations == 64


def test_files_of_something_else_are_refused_in_one_line(tmp_path: Path) -> None:
    good, other, broken = tmp_path / "good.npz", tmp_path / "other.npz", tmp_path / "broken.npz"
    game = load("breakthrough(5,3)")
    Weights(game.name, PLAYOUT, np.zeros(game.feature_count)).save(good)
    Weights("othello", PLAYOUT, np.zeros(3)).save(other)
    broken.write_bytes(b"nothing")
    np.savez(tmp_path / "object.npz", weights=np.array([{}], object), about=np.array("{}"))
    for name, reason in (
        ("none.npz", "there is no file"),
        ("other.npz", "holds 3 weights of othello"),
        ("broken.npz", "is not a file of weights"),
        ("object.npz", "is not a file of weights"),
    ):
        with pytest.raises(StrategyError, match=reason):
            Search(game, strategy=f'Baseline() >> Features("{tmp_path / name}")')
    with pytest.raises(StrategyError, match="holds weights for playouts"):
        Search(game, strategy=f'Baseline() >> Cutoff(2, evaluation="{good}")')
    with pytest.raises(StrategyError, match="needs the function 'features'"):
        Search("tic_tac_toe", strategy=f'Baseline() >> Features("{good}")')


def test_doors_open_no_files_but_those_that_were_allowed(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    for text in (
        f'Baseline() >> Features("{file}")',
        f'Baseline() >> Cutoff(4, evaluation="{file}")',
        f"Features(file='{file}')",
    ):
        with pytest.raises(NotAllowed):
            read_strategy(text, OUTSIDE)
    file.write_bytes(b"")
    read_strategy(f'Baseline() >> Features("{file}")', allowing([str(file)]))


@pytest.mark.skipif(not JIT, reason="plain Python learns too slowly")
def test_the_command_learns_writes_and_plays(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    given = [
        "learn",
        "breakthrough(5,3)",
        "--time",
        "0.5s",
        "--output",
        str(file),
        "--games",
        "2",
        "--iterations",
        "20",
        "--json",
    ]
    for what, method in ((PLAYOUT, "balancing"), (PLAYOUT, "sarsa"), (EVALUATION, "td")):
        done = CliRunner().invoke(app, [*given, "--what", what, "--method", method])
        assert done.exit_code == 0, done.output
        told = json.loads(done.stdout)
        assert told["match"]["games"] == 2 and told["curve"] and told["file"] == str(file)
        assert file.exists()


@pytest.mark.parametrize(
    "given, reason",
    [
        (["tic_tac_toe"], "learning needs the function 'features'"),
        (["othello", "--what", "everything"], "--what everything"),
        (["othello", "--method", "td"], "--method td"),
        (["othello", "--time", "soon"], "--time soon"),
        (["othello", "--output", "nowhere/x.npz"], "there is no folder"),
    ],
)
def test_bad_input_is_one_line(given: list[str], reason: str) -> None:
    done = CliRunner().invoke(app, ["learn", *given])
    assert done.exit_code == 2 and reason in done.output and "Traceback" not in done.output


def test_times_as_people_write_them() -> None:
    assert [seconds_of(text) for text in ("90", "30s", "10m", "1.5h", "2h30m", "1h 5s")] == [90, 30, 600, 5400, 9000, 3605]
    with pytest.raises(IcarusError):
        seconds_of("0")
    assert (PACKAGE / "learning").is_dir()
