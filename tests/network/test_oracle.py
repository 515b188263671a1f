"""The compiled search does what the plain transcription does: the same nodes, visits and totals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import icarus
from icarus import NetworkSearch, load
from icarus.algorithm import algorithm_named
from icarus.game import play_to_decision
from icarus.jit.randomness import seeded
from icarus.network.algorithm import NetworkAlgorithm
from tests.oracle.puct import DARK_HEX, Oracle, table_evaluator

#: nothing hidden; hidden deals; hidden deals and dice; hidden moves; dice alone
GAMES = ("tic_tac_toe", "kuhn_poker", "leduc_poker", *DARK_HEX, "sailing(3)")


def compare(game: str, name: str, iterations: int, **options: Any) -> None:
    position = play_to_decision(load(game).start(3), seeded(3))
    how = algorithm_named(name, position.game)
    assert isinstance(how, NetworkAlgorithm)
    evaluate = table_evaluator(position.game.players)
    search = NetworkSearch(position, evaluator=evaluate, algorithm=how, batch=1, seed=5, **options)
    search.run(iterations=iterations)
    oracle = Oracle(position, evaluate, how, iterations, seed=5)
    forest = search.forest
    assert forest.tree(0).nodes == len(oracle.nodes)
    found = []
    for number in range(len(oracle.nodes)):
        edges = forest.edges(0, number)
        found.append((
            int(forest.node(0, number).player),
            [int(edge.action) for edge, _ in edges],
            [int(edge.visits) for edge, _ in edges],
            np.array([totals for _, totals in edges]),
        ))  # fmt: skip
    # nodes are made in the same order
    for (player, actions, visits, totals), node in zip(found, oracle.nodes.values(), strict=True):
        assert (player, actions, visits) == (node.player, node.actions, node.visits)
        assert totals == pytest.approx(np.array(node.totals), abs=1e-9)
    assert sum(row.visits for row in search.root_rows()) == iterations


@pytest.mark.parametrize("game", GAMES)
def test_puct_is_the_transcription(game: str) -> None:
    compare(game, "puct", 60)


def test_other_constants_are_used() -> None:
    compare("tic_tac_toe", "puct(c=0.3, base=50, first=loss)", 100)


@pytest.mark.parametrize("game", GAMES)
def test_gumbel_is_the_transcription(game: str) -> None:
    compare(game, "gumbel", 50)


def test_fewer_actions_are_considered_than_there_are() -> None:
    compare("tic_tac_toe", "gumbel(considered=4, c_scale=0.1)", 64)


def test_priors_are_a_softmax_over_legal_actions_alone() -> None:
    position = load("connect_four").start()
    for action in (0, 0, 0, 0, 0, 0):
        position.apply(action)

    def evaluate(observations: Any, legal: Any) -> tuple[Any, Any]:
        logits = np.tile(np.arange(7.0), (len(legal), 1))
        logits[:, 0] = 1000.0  # a full column
        return logits, np.full((len(legal), 2), 0.5)

    search = icarus.NetworkSearch(position, evaluator=evaluate, seed=1)
    search.run(iterations=1)
    weights = np.exp(np.arange(1.0, 7.0))
    assert list(search.priors().values()) == pytest.approx(list(weights / weights.sum()))


def test_a_network_algorithm_has_a_name_that_reads_back() -> None:
    how = algorithm_named("puct(batch=4, c=2.5)", load("tic_tac_toe"))
    assert str(how) == "puct(batch=4, c=2.5)"
    assert replace(how, name="puct") == algorithm_named(str(how), load("tic_tac_toe"))
