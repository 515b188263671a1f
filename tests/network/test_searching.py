"""Searches with an evaluator: batches, moving on, hidden information, and evaluators that fail."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import icarus
from icarus import NetworkSearch, SearchError, load
from icarus.errors import IcarusError
from icarus.game import Position
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.network.encoding import encoding_of
from icarus.network.evaluator import EvaluatorError
from icarus.network.forest.layout import AWAITED, EXPANDED
from tests.oracle.puct import DARK_HEX, table_evaluator
from tests.support import NIM


def even(observations: Any, legal: Any) -> tuple[Any, Any]:
    """Nothing is known of any position."""
    return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)


def assert_sound(search: NetworkSearch) -> None:
    """Nothing is under way, and every node was visited as often as the edge that leads to it says."""
    forest = search.forest
    assert not forest.arrays["lanes"].reshape(search.batch, -1)[:, 0].any()
    for number in range(int(forest.tree(0).nodes)):
        node, edges = forest.node(0, number), forest.edges(0, number)
        assert node.status != AWAITED
        assert node.visits == sum(int(edge.visits) for edge, _ in edges)
        for edge, _ in edges:
            if edge.child > 0 and (child := forest.node(0, int(edge.child) - 1)).status == EXPANDED:
                assert edge.visits == 1 + child.visits
    root = int(forest.tree(0).root)
    backed_up = sum((totals for _, totals in forest.edges(0, root)), np.zeros(search.game.players))
    own = forest.arrays["raw"].reshape(-1, search.game.players)[root]
    assert forest.worths(0, root) == pytest.approx(own + backed_up)


# --- batches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 3, 16])
def test_lanes_take_back_what_they_counted_as_lost(batch: int) -> None:
    search = NetworkSearch("tic_tac_toe", evaluator=table_evaluator(2), batch=batch, seed=1)
    result = search.run(iterations=150)
    assert result.iterations == 150 == sum(row.visits for row in result.root)
    assert_sound(search)


def test_all_lanes_are_valued_in_one_call_of_one_shape() -> None:
    shapes, rows = [], []

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        shapes.append((observations.shape, legal.shape, observations.dtype, legal.dtype))
        rows.append(observations.copy())
        return even(observations, legal)

    search = NetworkSearch("connect_four", evaluator=evaluate, batch=8, seed=1)
    search.run(iterations=80)
    assert set(shapes) == {((8, 2, 6, 7), (8, 7), np.dtype(np.float32), np.dtype(np.bool_))}
    assert len(shapes) < 20, "eight positions at a time"
    assert search.evaluations == 81, "each iteration, and the root"
    assert len({row.tobytes() for batch in rows[2:] for row in batch}) > 60


def test_an_observation_is_the_board_as_who_acts_sees_it() -> None:
    position = load("connect_four").start().apply(3).apply(3).apply(0)
    seen = encoding_of(position.game).look(position, 1)
    assert seen[0].sum() == 1
    assert seen[0][4, 3] == 1, "the other's disc in the middle, on top of the first"
    assert seen[1][5, 3] == 1
    assert seen[1][5, 0] == 1


def test_a_search_with_an_evaluator_finds_what_must_be_played() -> None:
    position = load("connect_four").start()
    for column in (3, 0, 3, 0, 3):
        position.apply(column)
    for algorithm in ("puct", "gumbel"):
        assert icarus.search(position, evaluator=even, algorithm=algorithm, iterations=200, seed=1).best.action == 3


@pytest.mark.parametrize("algorithm", ["puct", "gumbel"])
def test_the_game_value_is_found_where_the_tree_is_whole(algorithm: str) -> None:
    position = load("tic_tac_toe").start()
    for action in (0, 3, 4, 8):  # now 1 and 2 win for who acts
        position.apply(action)
    result = icarus.search(position, evaluator=even, algorithm=algorithm, iterations=400, seed=2)
    assert result.best.action in (1, 2)
    assert result.best.mean[0] > 0.9


def test_budgets_end_a_search() -> None:
    search = NetworkSearch("connect_four", evaluator=even, seed=1)
    assert search.run(seconds=0.05).stopped_by == "seconds"
    assert search.run(records=int(search.forest.tree(0).records) + 10).stopped_by == "records"
    assert NetworkSearch("connect_four", evaluator=even, seed=1, memory=40_000).run(iterations=5000).stopped_by == "memory"
    assert NetworkSearch("tic_tac_toe", evaluator=even, seed=1).run(iterations=300, until_decided=0.01).stopped_by == "decided"


# --- moving on -------------------------------------------------------------------------------------------------------


def test_what_is_below_the_moves_is_kept() -> None:
    search = NetworkSearch("connect_four", evaluator=table_evaluator(2), batch=4, seed=1)
    result = search.run(iterations=120)
    below = {int(edge.action): int(edge.visits) for edge, _ in search.forest.edges(0, 0)}
    position = search.position.copy().apply(result.best.action)
    assert search.advance(position) == pytest.approx((below[result.best.action] - 1) / 120)
    assert_sound(search)
    assert search.run(iterations=40).iterations == 40
    assert_sound(search)


def test_what_a_player_has_seen_of_hidden_moves_leads_to_its_node() -> None:
    position = load("kuhn_poker").start(1)
    search = NetworkSearch(position, evaluator=table_evaluator(2), batch=1, seed=1)
    search.run(iterations=60)
    position.apply(0).apply(1)  # pass, bet: the first player decides again
    found = [number for number in range(1, int(search.forest.tree(0).nodes)) if search.forest.node(0, number).player == 0]
    visits = sum(int(search.forest.node(0, number).visits) for number in found)
    assert len(found) == 1, "one card, one sequence of moves: one decision"
    assert search.advance(position) == pytest.approx(visits / 60)
    assert search.kept > 0
    assert search.run(iterations=40).iterations == 40


def test_another_game_is_a_new_tree() -> None:
    search = NetworkSearch("connect_four", evaluator=even, seed=1)
    search.run(iterations=50)
    assert search.advance(load("connect_four").start().apply(0)) == 0.0
    assert search.run(iterations=50).iterations == 50


def test_a_class_is_searched_and_played(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(NIM)
    game = load(str(tmp_path / "nim.py"))
    for algorithm in ("puct", "gumbel"):
        result = icarus.search(game, evaluator=even, algorithm=algorithm, iterations=100, seed=1)
        assert result.best.label == "2", "leaving a multiple of three wins"
    for played in icarus.selfplay(game, even, parallel=2, iterations=8, games=3, seed=1):
        assert sum(int(game.action(int(action))) for action in played.actions) == 5, "all matches are taken"


# --- hidden information ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", *DARK_HEX])
def test_nothing_hidden_is_shown_or_used(game: str) -> None:
    """Two positions that the player cannot tell apart: the same observations of its own decisions, and the same search."""
    rng = seeded(4)
    for seed in range(2):
        position = load(game).start(seed)
        while position.environment_acts:
            position.apply(position.sample(rng))
        twin = position
        for _ in range(50):
            twin = position.determinize(position.player, rng)
            if twin.state.tobytes() != position.state.tobytes():
                break
        encoding = encoding_of(position.game)
        assert encoding.look(twin, position.player).tobytes() == encoding.look(position, position.player).tobytes()
        assert searched(position) == searched(twin)


def searched(position: Position) -> tuple[Any, Any]:
    shown: list[bytes] = []
    table = table_evaluator(position.game.players)

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        shown.append(observations.tobytes() + legal.tobytes())
        return table(observations, legal)

    result = NetworkSearch(position, evaluator=evaluate, batch=4, seed=7).run(iterations=40)
    return [(row.action, row.visits, row.mean) for row in result.root], shown


# --- evaluators that fail --------------------------------------------------------------------------------------------


def failing(problem: str) -> Any:
    """An evaluator that is well for three calls, and then is not."""
    calls = 0

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        nonlocal calls
        calls += 1
        logits, values = even(observations, legal)
        if calls != 4:
            return logits, values
        if problem == "raises":
            raise ZeroDivisionError("no layers")
        if problem == "nan":
            logits[:, 2] = np.nan
        if problem == "range":
            values[:, 0] = -1.0
        if problem == "shape":
            return logits[:, :5], values
        if problem == "players":
            return logits, values[:, :1]
        if problem == "one":
            return logits  # type: ignore[return-value]
        if problem == "text":
            return logits.astype(str), values
        return logits, values

    return evaluate


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("raises", "ZeroDivisionError: no layers"),
        ("nan", "nan as logit 2 of row 0; expected is a finite number"),
        ("range", "-1 as value 0 of row 0; expected are rewards from 0 to 1"),
        ("shape", r"logits of shape \(4, 5\); expected is \(4, 7\)"),
        ("players", r"values of shape \(4, 1\); expected is \(4, 2\)"),
        ("one", "expected are two arrays"),
        ("text", "logits of type"),
    ],
)
def test_a_failing_evaluator_is_told_and_the_search_stays_sound(problem: str, told: str) -> None:
    search = NetworkSearch("connect_four", evaluator=failing(problem), batch=4, seed=1)
    with pytest.raises(EvaluatorError, match=told) as caught:
        search.run(iterations=100)
    assert str(caught.value).startswith("connect_four: ")
    assert "\n" not in str(caught.value)
    assert_sound(search)
    untouched = NetworkSearch("connect_four", evaluator=even, batch=4, seed=1)
    search.run(iterations=100 - search.iterations)
    untouched.run(iterations=100)
    visits = [[row.visits for row in found.root_rows()] for found in (search, untouched)]
    assert sum(visits[0]) == 100
    assert_sound(search)
    if problem != "nan":  # the lanes that were sent down again are others then
        assert visits[0] == visits[1]


def test_an_interrupted_evaluator_leaves_a_sound_search() -> None:
    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        if search.iterations >= 20:
            raise KeyboardInterrupt
        return even(observations, legal)

    search = NetworkSearch("connect_four", evaluator=evaluate, batch=4, seed=1)
    result = search.run(iterations=100)
    assert result.stopped_by == "interrupt"
    assert sum(row.visits for row in result.root) == search.iterations >= 20
    assert_sound(search)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "asks a network"),
        ({"evaluator": "net.txt"}, "is no network"),
        ({"evaluator": "no_such_file.onnx"}, "there is no file"),
        ({"evaluator": even, "algorithm": "uct"}, "uct asks no network"),
        ({"evaluator": even, "algorithm": "puct[net.onnx]"}, "name one"),
        ({"evaluator": even, "batch": 0}, "batch=0"),
        ({"evaluator": even, "batch": "16"}, "batch=16: a number"),
        ({"evaluator": 5}, "connect_four: 5 is no evaluator; expected is a function"),
        ({"evaluator": even, "final": "vote"}, "final='vote'"),
        ({"evaluator": even, "observer": 7}, "no player 7"),
        ({"evaluator": even, "algorithm": "puct(c=-1)"}, "the weight of the priors"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(IcarusError, match=told):
        NetworkSearch("connect_four", **options)


def test_options_of_other_searches_are_named() -> None:
    with pytest.raises(SearchError, match="threads: no option of a search with a network"):
        icarus.search("connect_four", evaluator=even, threads=2)


def test_gumbel_needs_a_number_of_iterations() -> None:
    with pytest.raises(SearchError, match="give iterations"):
        icarus.search("connect_four", evaluator=even, algorithm="gumbel", seconds=1)


def test_other_searches_say_where_networks_go() -> None:
    with pytest.raises(SearchError, match="NetworkSearch"):
        icarus.Search("connect_four", algorithm="puct[net.onnx]")


@pytest.mark.skipif(not JIT, reason="games to learn from are too slow in plain Python")
def test_a_network_of_scikit_learn_learns_and_searches(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "scikit_learn_connect_four.py"), run_name="__main__")
    assert capsys.readouterr().out.endswith(" 800\n")
