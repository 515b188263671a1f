"""Havannah against OpenSpiel, whose actions have the same numbers; and each way to win on its own."""

from __future__ import annotations

import pytest

from icarus.errors import GameError
from icarus.games.havannah import havannah
from tests.games.test_mnk import assert_same_game, play


@pytest.mark.parametrize("n, games", [(3, 2000), (4, 1000), (5, 300), (8, 100)])
def test_same_game_as_openspiel(n: int, games: int) -> None:
    assert_same_game(havannah(n), f"havannah(board_size={n})", games)


def alternating(first: str, second: str) -> str:
    """The moves of a first player and of one who gets in nobody's way."""
    return " ".join(move for pair in zip(first.split(), second.split(), strict=False) for move in pair)


AROUND_D4 = "c3 d3 e4 e5 d5 c4"


@pytest.mark.parametrize(
    "first, second",
    [
        (AROUND_D4, "b1 g5 f3 c6 e7"),
        (AROUND_D4, "b1 d4 f3 c6 e7"),
        (f"d4 {AROUND_D4}", "b1 g5 f3 c6 e7 a3"),
        ("c3 d3 e4 d4 d5 c4 e5", "b1 g5 f3 c6 e7 a3"),
        ("c3 d3 e4 f5 f6 e6 d5 c4", "b1 d4 f3 c6 g7 a3 e5"),
    ],
    ids=["an empty cell", "another's", "one's own", "one's own, placed before", "two cells"],
)
def test_a_ring_around(first: str, second: str) -> None:
    *before, last = first.split()
    position = play(havannah(4), alternating(" ".join(before), second))
    assert not position.is_terminal and position.player == 0
    assert position.apply(position.parse_action(last)).rewards() == [1.0, 0.0]


def test_stones_that_touch_are_no_ring() -> None:
    assert not play(havannah(4), alternating("d4 e4 e5 d5 d3", "b1 g5 f3 c6 e7")).is_terminal


def test_a_bridge_connects_two_corners() -> None:
    position = play(havannah(4), alternating("a1 b1 c1", "d5 f6 g5"))
    assert not position.is_terminal
    assert position.apply(position.parse_action("d1")).rewards() == [1.0, 0.0]


def test_a_fork_connects_three_sides_and_a_corner_is_on_none() -> None:
    position = play(havannah(4), alternating("a2 b2 c2 d2 e2", "d4 f5 d7 b5 g6"))
    assert not position.copy().apply(position.parse_action("a1")).is_terminal
    assert position.apply(position.parse_action("c1")).rewards() == [1.0, 0.0]


@pytest.mark.parametrize("n", [1, 11])
def test_impossible_sizes_are_refused(n: int) -> None:
    with pytest.raises(GameError, match="2 to 10"):
        havannah(n)
