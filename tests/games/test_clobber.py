"""Clobber against OpenSpiel, whose actions have the same numbers."""

from __future__ import annotations

import pytest

from icarus.errors import GameError
from icarus.games.clobber import clobber
from tests.games.test_mnk import assert_same_game, play


@pytest.mark.parametrize("m, n, games", [(5, 6, 500), (8, 8, 200), (3, 4, 300), (2, 9, 200), (8, 3, 50)])
def test_same_game_as_openspiel(m: int, n: int, games: int) -> None:
    assert_same_game(clobber(m, n), f"clobber(rows={m},columns={n})", games)


def test_a_stone_moves_onto_a_neighbour_of_the_other_colour_and_nowhere_else() -> None:
    position = play(clobber(2, 2), "a1b1")
    assert position.render() == " 2 X O\n 1 . O\n   a b"
    assert [position.format_action(action) for action in position.legal()] == ["a2b2"]


def test_whoever_cannot_move_loses() -> None:
    assert play(clobber(1, 3), "a1b1").rewards() == [1.0, 0.0]
    assert play(clobber(1, 4), "c1d1 b1a1").rewards() == [0.0, 1.0]


@pytest.mark.parametrize("m, n", [(1, 1), (9, 8), (1, 27), (0, 4)])
def test_impossible_sizes_are_refused(m: int, n: int) -> None:
    with pytest.raises(GameError, match="2 to 64 cells"):
        clobber(m, n)
