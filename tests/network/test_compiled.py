"""Compiled evaluators: the same searches and games as the same evaluator as a function over batches, on any number of threads."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import icarus
from icarus import CompiledEvaluator, NetworkSearch, SearchError
from icarus.game import Game, compiled
from icarus.jit import JIT
from icarus.network.encoding import encoding_of
from icarus.network.evaluator import EvaluatorError
from icarus.network.plot import PlayedGame


@compiled
def initial(state, rng):
    pass


@compiled
def player_of_one(state):
    return 0


@compiled
def player_of_three(state):
    return state[0] % 3


@compiled
def legal(state, actions):
    count = 2 + state[1] % 3
    for i in range(count):
        actions[i] = 2 * i
    return count


@compiled
def apply(state, action):
    state[0] += 1
    state[1] = (5 * state[1] + action + 1) % 19


@compiled
def terminal(state):
    return state[0] >= 7


@compiled
def reward_of_one(state, out):
    out[0] = state[1] / 19


@compiled
def rewards_of_three(state, out):
    for player in range(3):
        out[player] = 1.0 if state[1] % 3 == player else 0.0


@compiled
def observation(state, observer, out):
    for i in range(19):
        out[i] = 1.0 if state[1] == i else 0.0
    out[19] = float(state[0])


def sums(players: int) -> Game:
    """Numbers are made of numbers, by one player or three in turn."""
    one = players == 1
    return Game(
        name=f"sums{players}",
        summary="numbers from numbers",
        players=players,
        state_size=2,
        max_actions=5,
        max_plies=7,
        initial=initial,
        player=player_of_one if one else player_of_three,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=reward_of_one if one else rewards_of_three,
        observation=observation,
        observation_shape=(20,),
        action_count=9,
    )


#: one eight of edges, several of them, one player, three players
GAMES = {"narrow": "connect_four", "wide": "mnk(4,3,3)", "one": sums(1), "three": sums(3)}


def linear(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    """One layer of 84 x 8 for connect four, in steps of sums that NumPy makes in the same order."""
    for action in range(7):
        logits[action] = 0.0
    value = 0.0
    for i in range(84):
        for action in range(7):
            logits[action] += observation[i] * weights[8 * i + action]
        value += float(observation[i]) * float(weights[8 * i + 7])
    values[0] = 0.5 + 0.5 * value / (1.0 + abs(value))
    values[1] = 1.0 - values[0]


def layer() -> CompiledEvaluator:
    # sixteenths, so that sums are exact in any order
    return CompiledEvaluator(linear, np.round(np.random.default_rng(1).normal(size=(84, 8)) * 16) / 16)


def over_batches(evaluate: CompiledEvaluator) -> Any:
    """The same network as a function over batches."""
    weights = evaluate.weights.astype(np.float64)

    def plain(observations: Any, legal: Any) -> tuple[Any, Any]:
        sums = observations.reshape(len(legal), -1).astype(np.float64) @ weights
        win = (0.5 + 0.5 * sums[:, 7] / (1 + abs(sums[:, 7]))).astype(np.float32)
        return sums[:, :7].astype(np.float32), np.stack([win, np.float32(1) - win], axis=1)

    return plain


@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
@pytest.mark.parametrize("batch", [1, 16])
def test_a_search_is_the_same(algorithm: str, batch: int) -> None:
    evaluate = layer()
    found = []
    for evaluator in (evaluate, over_batches(evaluate)):
        search = NetworkSearch("connect_four", evaluator=evaluator, algorithm=algorithm, batch=batch, seed=1)
        result = search.run(iterations=300)
        found.append([(row.action, row.visits, row.mean) for row in result.root] + [search.evaluations, result.records])
    assert found[0] == found[1]


def by_place(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    """For games of any width and number of players: logits and values from sums over places, in 64ths."""
    actions, players = int(weights[0]), int(weights[1])
    for action in range(actions):
        logits[action] = 0.0
    whole = 0.0
    for i in range(int(weights[2])):
        logits[(5 * i + 3) % actions] += observation[i] * ((i * 7) % 13 - 6) / 4
        whole += observation[i] * ((i * 11) % 17 - 8) / 64
    for player in range(players):
        values[player] = min(max(0.5 + (whole if player % 2 == 0 else -whole), 0.0), 1.0)


@pytest.mark.parametrize("algorithm", ["puct", "gumbel", "gumbel(considered=4, c_scale=12.0)"])
@pytest.mark.parametrize("kind", GAMES)
def test_a_lane_that_is_alone_goes_where_it_would_go_beside_others(kind: str, algorithm: str) -> None:
    """Straight down and back, or step by step with an evaluator over batches: visit for visit the same."""
    game = GAMES[kind]
    how = icarus.load(game) if isinstance(game, str) else game
    encoding = encoding_of(how)
    evaluate = CompiledEvaluator(by_place, [encoding.actions, how.players, int(np.prod(encoding.shape))])

    def over(observations: Any, legal: Any) -> tuple[Any, Any]:
        return evaluate(observations, legal)

    found = []
    for evaluator in (evaluate, over):
        search = NetworkSearch(how, evaluator=evaluator, algorithm=algorithm, batch=1, seed=3)
        assert (search.forest.control.evaluator != 0) == (evaluator is evaluate)
        for iterations in (150, 70):  # a second budget goes on with the tree of the first
            result = search.run(iterations=iterations)
            found.append([(row.action, row.visits, row.mean) for row in result.root] + [search.evaluations, result.records])
    assert found[:2] == found[2:]
    options: dict[str, Any] = {"algorithm": algorithm, "iterations": 12, "games": 3, "parallel": 2, "seed": 4}
    for reuse in (True, False, "values"):
        assert told(icarus.selfplay(how, evaluate, reuse=reuse, **options)) == told(
            icarus.selfplay(how, over, reuse=reuse, **options)
        )


def told(games: Any) -> list[tuple[Any, ...]]:
    def of(game: PlayedGame) -> tuple[Any, ...]:
        return game.number, game.actions.tolist(), game.policies.tobytes(), game.means.tobytes(), game.observations.tobytes()

    return sorted(map(of, games))


@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
def test_self_play_is_the_same_on_any_number_of_threads(algorithm: str) -> None:
    evaluate = layer()
    options: dict[str, Any] = {"algorithm": algorithm, "iterations": 24, "games": 12, "seed": 4}
    plain = told(icarus.selfplay("connect_four", over_batches(evaluate), parallel=5, **options))
    for threads, parallel in ((1, 3), (2, 8)):
        games = list(icarus.selfplay("connect_four", evaluate, parallel=parallel, threads=threads, **options))
        assert [game.number for game in games] == list(range(12)), "in order"
        assert told(games) == plain


def test_weights_may_change_between_searches() -> None:
    evaluate = layer()

    def visits() -> list[int]:
        result = icarus.search("connect_four", evaluator=evaluate, algorithm="puct", iterations=50, batch=1, seed=1)
        return [row.visits for row in sorted(result.root, key=lambda row: row.action)]

    before = visits()
    evaluate.weights *= -1
    assert visits() != before
    evaluate.weights *= -1
    assert visits() == before


def test_a_game_with_a_default_observation_is_asked_from_python() -> None:
    def even(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
        for action in range(2):
            logits[action] = 0.0
        values[0] = values[1] = 0.5

    games = icarus.selfplay("kuhn_poker", CompiledEvaluator(even), algorithm="puct", parallel=2, iterations=8, games=3, seed=1)
    assert games.forest.control.evaluator == 0
    assert len(list(games)) == 3


def nothing_for_the_last(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    for action in range(6):
        logits[action] = 0.0
    values[0] = values[1] = 0.5


def too_many(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    for action in range(9):
        logits[action] = 0.0
    values[0] = values[1] = 0.5


def reads_too_far(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
    for action in range(7):
        logits[action] = observation[84 + action]
    values[0] = values[1] = 0.5


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (nothing_for_the_last, "connect_four: the evaluator left logit 6 at nan; expected are numbers for all"),
        (too_many, "connect_four: the evaluator raised IndexError.*an observation of 84 numbers, 7 logits and 2 values"),
        (reads_too_far, "connect_four: the evaluator raised IndexError"),
    ],
)
def test_what_does_not_fit_is_told_before_it_runs(function: Any, words: str) -> None:
    with pytest.raises(SearchError, match=words) as caught:
        NetworkSearch("connect_four", evaluator=CompiledEvaluator(function), seed=1)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_does_not_compile_is_told_in_one_line() -> None:
    def odd(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
        logits[:] = 0.0
        values[:] = 0.5

    with pytest.raises(SearchError, match="connect_four: the evaluator does not compile") as caught:
        NetworkSearch("connect_four", evaluator=CompiledEvaluator(odd), seed=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("batch", [1, 4])
def test_a_value_that_is_none_is_told_and_the_search_stays_sound(batch: int) -> None:
    def broken(weights: Any, observation: Any, legal: Any, logits: Any, values: Any) -> None:
        discs = 0.0
        for i in range(84):
            discs += observation[i]
        for action in range(7):
            logits[action] = 0.0
        values[0] = weights[0] if discs > 2 else 0.5
        values[1] = 0.5

    evaluate = CompiledEvaluator(broken, [np.nan])
    search = NetworkSearch("connect_four", evaluator=evaluate, batch=batch, seed=1)
    with pytest.raises(EvaluatorError, match="nan as value 0 of row"):
        search.run(iterations=200)
    evaluate.weights[0] = 0.5
    before = search.iterations
    assert search.run(iterations=100).total_iterations == before + 100
    evaluate.weights[0] = np.nan
    with pytest.raises(EvaluatorError, match=r"connect_four: .* nan as value 0"):
        list(icarus.selfplay("connect_four", evaluate, parallel=4, iterations=8, games=4, threads=2, seed=1))


def test_threads_are_for_compiled_evaluators() -> None:
    def even(observations: Any, legal: Any) -> tuple[Any, Any]:
        return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)

    with pytest.raises(SearchError, match=re.escape("threads=2: threads are for a CompiledEvaluator")):
        icarus.selfplay("connect_four", even, threads=2)
    with pytest.raises(SearchError, match="threads=0"):
        icarus.selfplay("connect_four", layer(), threads=0)
