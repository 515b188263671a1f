"""A search that goes on after the game has moved: the tree below what was played, and nothing that the player has not seen."""

from __future__ import annotations

import pytest

from icarus.jit import JIT
from icarus.search import Search
from tests.oracle.comparing import position_after
from tests.oracle.engine import random_word, records, tree_records
from tests.oracle.ismcts import SingleObserver
from tests.oracle.randomness import Random
from tests.oracle.states import State

ITERATIONS = 300 if JIT else 150


@pytest.mark.parametrize(
    ("game", "algorithm"), [("mnk(3,3,3)", "uct"), ("connect_four", "uct"), ("kuhn_poker(3)", "mo"), ("liars_dice(1,3)", "so")]
)
def test_the_tree_below_the_moves_played_is_searched_on(game: str, algorithm: str) -> None:
    for seed in (1, 2, 3):
        position = position_after(game, 0, seed)
        search = Search(position.copy(), algorithm=algorithm, seed=seed, memory=1 << 24)
        before = SingleObserver(State.of(position), position.player, Random.of(seed, stream=100), resample=algorithm != "uct")
        search.run(iterations=ITERATIONS)
        before.run(ITERATIONS)
        observer, node = position.player, before.root
        for _ in range(2):  # the most visited line that does not end the game
            going_on = [a for a in node.arms if a in node.children and node.children[a].arms]
            action = max(going_on, key=lambda a: node.arms[a].visits)
            arm, node = node.arms[action], node.children[action]
            position.apply(action)
        assert search.advance(position) == sum(below.visits for below in node.arms.values()) / ITERATIONS
        after = SingleObserver(State.of(position), observer, before.rng, resample=algorithm != "uct")
        after.root, after.top = node, arm  # the record of the last move is now the root's
        search.run(iterations=ITERATIONS)
        after.run(ITERATIONS)
        assert records(search)[0] == tree_records(before)
        assert random_word(search) == after.rng.word


@pytest.mark.parametrize("algorithm", ["mo", "pom"])
def test_what_the_player_did_not_notice_leaves_no_trace(algorithm: str) -> None:
    """Phantom: the opponent's failed try is not heard, so the search that goes on is the same with and without it."""
    found = []
    for tries in ([0], [4, 0]):
        position = position_after("phantom(3,3,3)", 0, 1)
        search = Search(position.copy(), algorithm=algorithm, seed=1, observer=0, memory=1 << 24)
        search.run(iterations=ITERATIONS)
        position.apply(4)
        for cell in tries:
            position.apply(cell)
        kept = search.advance(position)
        search.run(iterations=ITERATIONS)
        found.append((kept, records(search), random_word(search)))
    assert found[0][0] > 0
    assert found[0] == found[1]
