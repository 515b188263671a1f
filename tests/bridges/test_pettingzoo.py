"""Games as PettingZoo environments: they pass its own tests, and an agent observes what its player knows and nothing else."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

from icarus.errors import GameError
from icarus.game import ENVIRONMENT, step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import GAMES, load

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from icarus.bridges.pettingzoo import env, raw_env
from icarus.encoding import DENSE, Actions, Views, explore, words_of_view

pytestmark = pytest.mark.skipif(not JIT, reason="hundreds of games: too slow as plain Python")

HIDDEN = [name for name in GAMES if load(name).hidden_information]


@pytest.mark.parametrize("name", [*GAMES, "openspiel:leduc_poker", "examples/tic_tac_toe_class.py"])
def test_pettingzoos_own_tests_pass(name, capsys, pytestconfig):
    if name.endswith(".py"):
        name = str(pytestconfig.rootpath / name)
    made = env(name)
    with warnings.catch_warnings():
        # PettingZoo expects dictionaries from its own games only, and a start position may be all zeros
        warnings.filterwarnings("ignore", message="Observation")
        api_test(made, num_cycles=15)
    seed_test(lambda: env(name), num_cycles=5)


def play_randomly(made: Any, seed: int) -> list[tuple[str, dict[str, np.ndarray], float]]:
    """One whole game: who acted, what it observed, and what it got since its last turn."""
    made.reset(seed=seed)
    chooser = np.random.default_rng(seed)
    told = []
    for agent in made.agent_iter():
        observation, reward, over, _, _ = made.last()
        told.append((agent, observation, reward))
        made.step(None if over else int(chooser.choice(np.flatnonzero(observation["action_mask"]))))
    return told


@pytest.mark.parametrize("name", ["hearts_round", "doudizhu", "backgammon", "goofspiel"])
def test_a_game_ends_with_the_games_rewards(name):
    made = raw_env(name)
    told = play_randomly(made, 3)
    assert made.position is not None and made.position.is_terminal
    last = {agent: reward for agent, _, reward in told}
    assert [last[agent] for agent in made.possible_agents] == made.position.rewards()


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_changes_no_observation(name):
    """Positions that differ only in what a player does not know look the same to its agent, word by word."""
    made = raw_env(name)
    different = 0
    for seed in range(8):
        made.reset(seed=seed)
        rng = seeded(seed)
        for _ in range(8):
            position = made.position
            if position.is_terminal:
                break
            if position.player != ENVIRONMENT:
                for observer, agent in enumerate(made.possible_agents):
                    made.agent_selection = made.possible_agents[position.player]
                    made.position = position
                    true = made.observe(agent)
                    made.position = twin = position.determinize(observer, rng)
                    seen = made.observe(agent)
                    different += twin.state.tobytes() != position.state.tobytes()
                    assert np.array_equal(true["observation"], seen["observation"])
                    assert np.array_equal(true["action_mask"], seen["action_mask"])
                made.position = position
            step_randomly(position, rng)
    assert different > 0, "nothing was hidden in these games"


@pytest.mark.parametrize("name", ["hearts", "confrontation", "kuhn_poker", "othello", "phantom"])
def test_different_views_are_different_observations(name):
    game = load(name)
    _, lengths = explore(game)
    views = Views(lengths, bits=False)
    by_words: dict[bytes, object] = {}
    for seed in range(4):
        position, rng = game.start(seed), seeded(seed)
        while not position.is_terminal:
            view = position.view(0)
            assert by_words.setdefault(views.encode(position, 0).tobytes(), view) == view
            assert len(list(words_of_view(position, 0))) <= views.words
            step_randomly(position, rng)
    assert len(by_words) > 5


def test_bits_are_the_words_spelled_out():
    words, bits = raw_env("doudizhu"), raw_env("doudizhu", bits=True)
    for made in (words, bits):
        made.reset(seed=1)
    spelled = bits.observe("player_0")["observation"]
    assert set(np.unique(spelled)) == {0, 1} and spelled.shape == (64 * words.views.words,)
    packed = np.packbits(spelled.astype(np.uint8), bitorder="little").view("<i8")
    assert np.array_equal(packed, words.observe("player_0")["observation"])


@pytest.mark.parametrize("name", [name for name in GAMES if name in DENSE])
def test_dense_action_numbers_are_the_games_own_and_all_fit(name):
    game = load(name)
    met, _ = explore(game)
    actions = Actions(game, met)
    assert min(met) >= 0 and max(met) < actions.size
    assert actions.numbered([max(met)]) == {max(met): max(met)}


def test_other_actions_keep_their_number_and_strangers_share_the_last_ones():
    game = load("breakthrough")
    actions = Actions(game, [700, 5, 90])
    assert actions.size == 3 + game.max_actions
    assert actions.numbered([90, 5]) == {0: 5, 1: 90}
    assert actions.numbered([90, 44, 33]) == {1: 90, 3: 33, 4: 44}


def test_illegal_actions_are_refused():
    made = raw_env("tic_tac_toe")
    made.reset(seed=0)
    made.step(4)
    with pytest.raises(GameError, match="not a legal action of player_1"):
        made.step(4)
    checked = env("tic_tac_toe")
    checked.reset(seed=0)
    checked.step(4)
    checked.step(4)
    assert all(checked.terminations.values()) and checked.rewards["player_1"] == -1


def test_an_environment_can_be_shown_named_and_pickled(capsys):
    made = raw_env("connect_four", render_mode="ansi")
    with pytest.raises(GameError, match="reset"):
        made.render()
    made.reset(seed=0)
    assert made.label(3) == "4"
    made.step(3)
    assert made.render().count("X") == 1
    twin = pickle.loads(pickle.dumps(made))
    twin.reset(seed=0)
    assert np.array_equal(twin.observe("player_0")["observation"], raw_env_start())
    raw_env("connect_four", render_mode="human").reset(seed=0)
    assert capsys.readouterr().out
    with pytest.raises(GameError, match="ansi"):
        raw_env("connect_four", render_mode="rgb_array")


def raw_env_start() -> np.ndarray:
    made = raw_env("connect_four")
    made.reset(seed=5)
    return made.observe("player_0")["observation"]
