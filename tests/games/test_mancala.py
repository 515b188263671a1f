"""Mancala against OpenSpiel, and its rules one by one."""

from __future__ import annotations

import numpy as np

from icarus.game import Position
from icarus.games.mancala import Board, mancala
from tests.games.test_mnk import assert_same_game, play


def test_same_game_as_openspiel() -> None:
    assert_same_game(mancala(), "mancala", 300)


def board(seeds: list[int], player: int = 0) -> Position:
    position = mancala().start()
    state = Board(position.state)
    state.seeds[:] = np.array(seeds)
    state.player = player
    return position


def seeds(position: Position) -> list[int]:
    return [int(number) for number in Board(position.state).seeds]


def test_the_last_seed_in_the_own_store_gives_another_move() -> None:
    position = play(mancala(), "3")
    assert position.player == 0 and seeds(position) == [0, 4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4]


def test_the_last_seed_in_an_empty_pit_captures_what_is_opposite() -> None:
    position = board([0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 5, 1]).apply(1)
    assert seeds(position) == [0, 0, 0, 0, 0, 0, 2, 6, 1, 0, 0, 0, 0, 1] and position.player == 1


def test_the_opponents_store_is_left_out() -> None:
    position = board([0, 0, 0, 0, 0, 0, 8, 0, 1, 1, 1, 1, 1, 1]).apply(6)
    assert seeds(position)[0] == 0 and seeds(position)[1] == 0 and seeds(position)[7] == 1 + 3


def test_what_is_left_belongs_to_its_side() -> None:
    position = board([20, 0, 0, 0, 0, 0, 1, 20, 0, 0, 0, 0, 0, 7]).apply(6)
    assert position.is_terminal and position.rewards() == [0.0, 1.0]


def test_a_game_ends_at_last() -> None:
    position = mancala().start()
    Board(position.state).plies = 999
    assert not position.is_terminal and position.apply(1).is_terminal


def test_a_person_sees_both_sides() -> None:
    assert play(mancala(), "6").render() == "    4  4  4  5  5  5\n 0                    1\n    4  4  4  4  4  0"
