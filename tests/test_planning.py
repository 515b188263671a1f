"""Planning: sparse sampling and FSSS against a transcription, hindsight and width, trees of bounds, random walks."""

from __future__ import annotations

import math

import pytest

import icarus
from icarus.errors import SearchError
from icarus.jit import JIT
from icarus.loading import load
from icarus.one_player.drive.best_first import BEST_FIRST_WORDS, CLOSED, NODE_WORDS, BestFirstWords, Node
from icarus.planning import sampling_error
from icarus.planning.sparse_sampling import SparseWords
from tests.oracle import sailing as exact
from tests.oracle.sparse import action_values


def searched(game: str, algorithm: str, iterations: int, seed: int = 1) -> tuple[icarus.Search, icarus.SearchResult]:
    search = icarus.Search(game, algorithm=algorithm, seed=seed)
    return search, search.run(iterations=iterations)


# --- sparse sampling -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "width", "depth"), [("sailing(3)", 2, 2), ("sailing(4)", 3, 1), ("left_move(5)", 1, 3)])
def test_sparse_sampling_and_fsss_have_the_values_of_the_transcription(game: str, width: int, depth: int) -> None:
    whole, result = searched(game, f"sparse({width}, {depth})", 1_000_000)
    seed = int(SparseWords(whole.team.workers[0].own).seed)
    expected = action_values(whole.position, seed, width, depth)
    assert result.stopped_by == "proven"
    assert {row.action: row.mean[0] for row in result.root} == pytest.approx(expected)
    part, found = searched(game, f"fsss({width}, {depth})", 1_000_000)
    assert int(SparseWords(part.team.workers[0].own).seed) == seed
    assert found.stopped_by == "proven" and expected[found.best.action] == max(expected.values())
    assert found.iterations <= result.iterations


def test_fsss_needs_fewer_samples() -> None:
    sampled = [searched("sailing(3)", f"{name}(3, 2)", 1_000_000)[1].iterations for name in ("sparse", "fsss")]
    assert sampled[1] < sampled[0]


def test_the_guarantee_falls_with_the_root_of_the_width() -> None:
    few, many = (sampling_error(actions=2, width=width, depth=1) for width in (100, 400))
    assert few == pytest.approx(math.sqrt(math.log(2 * 2 / 0.05) / 200))
    assert many == pytest.approx(few / 2)
    with pytest.raises(SearchError):
        sampling_error(actions=0, width=1, depth=1)


# --- chance in trees -------------------------------------------------------------------------------------------------


def outcomes_seen(search: icarus.Search) -> list[int]:
    """How many outcomes were looked at behind each action of the root."""
    return [len(child.children) for child in search.tree.root.children if child.visits > 20]


@pytest.mark.parametrize(("algorithm", "most"), [("sparse-uct(2)", 2), ("sparse-uct(1)", 1), ("uct", 3)])
def test_an_action_has_no_more_outcomes_than_the_width(algorithm: str, most: int) -> None:
    search, _ = searched("sailing(3)", algorithm, 600)
    assert max(outcomes_seen(search)) == most


def test_hindsight_takes_the_best_average_over_trees() -> None:
    """The sailor who knows the wind of each tree; the move is a good one by value iteration."""
    search, result = searched("sailing(3)", "hop(20)", 4000 if JIT else 800)
    assert result.final == "average" and len(search.team.trees) == 20
    state = search.game.named(search.position.state)
    costs = exact.leg_values(3, (0, 0, int(state.wind), 0), exact.values(3))
    assert costs[result.best.action] <= min(costs.values()) + 1.0


# --- trees of bounds -------------------------------------------------------------------------------------------------


def tree_of(search: icarus.Search) -> list[Node]:
    own = search.team.workers[0].own
    return [Node(own, BEST_FIRST_WORDS + number * NODE_WORDS) for number in range(int(BestFirstWords(own).nodes))]


def test_flat_ucb_takes_all_leaves_for_the_arms_of_one_bandit() -> None:
    search, result = searched("lipschitz(4)", "leaf-ucb(4)", 400)
    nodes = tree_of(search)
    assert len(nodes) == 31
    leaves = [node for node in nodes if node.children == 0]
    assert len(leaves) == 16 and all(node.visits > 0 for node in leaves)
    assert float(nodes[0].bound) == max(float(leaf.bound) for leaf in leaves)
    most = max(leaves, key=lambda leaf: int(leaf.visits))
    assert most is max(leaves, key=lambda leaf: float(leaf.total / leaf.visits))
    assert float(most.total / most.visits) == pytest.approx(result.best_score)


def test_smooth_trees_grow_towards_the_optimum() -> None:
    """BAST: what is known of a branch bounds all below it, so that bad ones are left alone."""
    search, result = searched("lipschitz(10)", "bast(smoothness=1, factor=0.5)", 1500 if JIT else 600)
    nodes = tree_of(search)
    for node in nodes:
        below = [float(nodes[int(node.first) + i].bound) for i in range(int(node.children))]
        assert not below or float(node.bound) <= max(below) + 1e-9
    visits = {path: int(node.visits) for path, node in zip(paths(nodes), nodes, strict=True) if len(path) == 4}
    assert max(visits, key=visits.__getitem__) == (1, 1, 0, 1)  # 0.867526 is 0.1101... in binary
    assert visits[1, 1, 0, 1] > 3 * sum(visits.values()) / 16
    assert result.best_score == pytest.approx(0.9756, abs=0.002)


def paths(nodes: list[Node]) -> list[tuple[int, ...]]:
    """The actions that lead to each node; parents come before their children."""
    found: list[tuple[int, ...]] = [()]
    for node in nodes[1:]:
        found.append((*found[int(node.parent)], int(node.action)))
    return found


@pytest.mark.parametrize("discs", [2, 3])
def test_mean_based_heuristic_search_finds_the_shortest_plan_and_knows_when_all_is_known(discs: int) -> None:
    search, result = searched(f"hanoi({discs})", "mhsp", 500 if discs == 3 else 100_000)
    assert len(result.best_line) == 2**discs - 1
    if discs == 2:
        assert result.stopped_by == "proven" and float(tree_of(search)[0].bound) == CLOSED


def test_heuristic_search_has_an_answer_where_it_never_sees_an_end() -> None:
    """Of a tour the part that was driven is always better than the whole."""
    result = searched("tsptw", "mhsp", 3)[1]
    assert len(result.best_line) == 5 and result.best_score is not None


def test_selection_by_the_maximum_goes_straight_for_the_best() -> None:
    assert searched("leftmost_path(8)", "mcpg", 300)[1].best_score == 8.0


def test_random_walks_come_to_an_end() -> None:
    search = icarus.Search("hanoi(3)", algorithm="mrw(30, 6)", seed=1)
    result = search.run(runs=3)
    assert len(search.run_scores) == 3 and max(search.run_scores) == result.best_score
    position = load("hanoi(3)").start()
    for label in result.best_line:
        position.apply(position.parse_action(label))
    assert position.is_terminal and position.score() == result.best_score >= 3


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "algorithm", "told"),
    [
        ("tic_tac_toe", "fsss(2, 2)", "fsss is for games of one player"),
        ("hanoi(3)", "sparse-uct(2)", "hanoi(3) leaves nothing to it"),
        ("sailing(3)", "bast", "leaves something to chance"),
        ("sailing(3)", "fsss(0, 2)", "the number of outcomes must be 1 to 10000"),
        ("tic_tac_toe", "mrw", "mrw is for games of one player"),
    ],
)
def test_what_does_not_fit_is_refused(game: str, algorithm: str, told: str) -> None:
    with pytest.raises(SearchError) as problem:
        icarus.Search(game, algorithm=algorithm, seed=1)
    assert told in str(problem.value)


def test_trees_of_bounds_have_one_thread() -> None:
    with pytest.raises(SearchError, match="one thread"):
        icarus.Search("hanoi(3)", algorithm="mhsp", threads=2)
