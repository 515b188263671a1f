"""The tree from Python: nodes with children, visits, means, who acts, and positions that never show what is hidden."""

from __future__ import annotations

import pytest

import icarus
from icarus.game import ENVIRONMENT
from icarus.jit import JIT
from icarus.search import Search

FEW = 500 if JIT else 60


@pytest.mark.parametrize(
    "game, algorithm",
    [("connect_four", "uct"), ("phantom(3,3,3)", "mo"), ("phantom(3,3,3)", "pom"), ("goofspiel(4)", "mo"), ("kuhn_poker", "so")],
)
def test_children_add_up_to_what_went_through_the_root(game: str, algorithm: str) -> None:
    from icarus.tools.bench import first_decision

    search = Search(first_decision(game), algorithm=algorithm, seed=1)
    result = search.run(iterations=FEW)
    root = search.tree.root
    assert root.move is None and root.visits == FEW
    assert root.player == search.position.player
    assert {child.label: child.visits for child in root.children if child.visits} == {
        row.label: row.visits for row in result.root if row.visits
    }
    for child in root.children:
        assert child.available <= FEW and len(child.mean) == search.game.players
        assert all(0 <= value <= 1 for value in child.mean)


def test_a_tree_of_actions_can_be_walked_to_its_leaves() -> None:
    search = Search("tic_tac_toe", seed=1)
    search.run(iterations=FEW)
    seen = 0
    for node in search.tree.root.walk():
        seen += 1
        if node.children and node.move is not None:
            assert sum(child.visits for child in node.children) in (node.visits - 1, node.visits)
        if node.is_terminal:
            assert node.player is None and node.children == []
    assert seen > FEW / 4
    line = search.result().principal_variation
    node = search.tree.root
    for label in line:
        node = next(child for child in node.children if child.label == label)
    assert search.tree.node([0, 0]) is None, "an action can be played once"


def test_a_node_of_a_hidden_game_shows_a_sample_and_not_the_truth() -> None:
    search = Search(icarus.load("phantom(3,3,3)").start(1), algorithm="mo", seed=1)
    search.run(iterations=FEW)
    child = search.tree.root.children[0]
    sample = child.state_sample()
    assert sample.history[-1][0] == 0 and child.player in (0, 1, ENVIRONMENT)
    assert child.view(0) == sample.view(0)


def test_every_tree_of_an_ensemble_has_a_root() -> None:
    search = Search("tic_tac_toe", algorithm="ensemble(3)", seed=1)
    search.run(iterations=30)
    assert [root.visits for root in search.tree.roots] == [10, 10, 10]
