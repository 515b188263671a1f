"""Breakthrough against OpenSpiel, where the first player moves down from the top row, which has the number 0 there."""

from __future__ import annotations

import numpy as np
import pytest

from icarus.errors import GameError
from icarus.game import Position, step_randomly
from icarus.games.breakthrough import Board, breakthrough
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.test_mnk import assert_same_game, play, reward_of_heuristic


def openspiel_actions(position: Position, actions: list[int]) -> list[int]:
    """OpenSpiel numbers (row, column, one of six directions, does it capture?)."""
    state = Board(position.state)
    columns, others = int(state.columns), int(state.pawns[1 - position.player])
    numbers = []
    for action in actions:
        source, to = divmod(action, 64)
        direction = to % 8 - source % 8 + (1 if to > source else 4)
        numbers.append(((source // 8 * columns + source % 8) * 6 + direction) * 2 + (others >> to & 1))
    return numbers


@pytest.mark.parametrize(
    "rows, columns, games",
    [(8, 8, 300), (6, 6, 200), (7, 2, 200), (6, 8, 200), (8, 3, 200), pytest.param(8, 8, 2000, marks=pytest.mark.thorough)],
)
def test_same_game_as_openspiel(rows: int, columns: int, games: int) -> None:
    openspiel = f"breakthrough(rows={rows},columns={columns})"
    assert_same_game(breakthrough(rows, columns), openspiel, games, openspiel_actions)


def board(picture: str, player: int = 0) -> Position:
    """A position from a picture, row 8 first."""
    position = breakthrough().start()
    state = Board(position.state)
    cells = "".join(reversed(picture.split()))
    assert len(cells) == 64
    for i, mark in enumerate("WB"):
        pawns = sum(1 << square for square, cell in enumerate(cells) if cell == mark)
        state.pawns[i] = np.array(pawns, np.uint64).astype(np.int64)
    state.player = player
    return position


def moves(position: Position) -> set[str]:
    return {position.format_action(action) for action in position.legal()}


def test_pawns_capture_diagonally_and_are_blocked_straight_ahead() -> None:
    picture = """
        ........
        ........
        ........
        ..BB....
        ..WW....
        ........
        ........
        ........"""
    assert moves(board(picture, player=0)) == {"c4b5", "c4d5", "d4c5", "d4e5"}
    assert moves(board(picture, player=1)) == {"c5b4", "c5d4", "d5c4", "d5e4"}


def test_own_pawns_are_never_captured() -> None:
    picture = """
        ........
        ........
        ....B...
        ...B.B..
        ..W.W...
        ...W....
        ........
        ........"""
    assert moves(board(picture, player=0)) == {"c4b5", "c4c5", "c4d5", "e4d5", "e4e5", "e4f5", "d3d4"}
    assert moves(board(picture, player=1)) == {"d5c4", "d5d4", "d5e4", "f5e4", "f5f4", "f5g4", "e6e5"}


def test_pawns_do_not_leave_the_sides_of_the_board() -> None:
    picture = """
        B......B
        ........
        ........
        ........
        ........
        ........
        ........
        W......W"""
    assert moves(board(picture, player=0)) == {"a1a2", "a1b2", "h1h2", "h1g2"}
    assert moves(board(picture, player=1)) == {"a8a7", "a8b7", "h8h7", "h8g7"}


@pytest.mark.parametrize("player, move", [(0, "d7e8"), (1, "d2d1")])
def test_reaching_the_far_row_wins(player: int, move: str) -> None:
    position = board("....B... ...W.... ........ ........ ........ ........ ...B.... ........", player)
    position.apply(position.parse_action(move))
    assert position.is_terminal
    assert position.rewards() == [1.0 - player, float(player)]


def test_capturing_the_last_pawn_wins() -> None:
    position = board("........ ........ ........ ...B.... ....W... ........ ........ ........", player=1)
    position.apply(position.parse_action("d5xe4"))
    assert position.is_terminal
    assert position.rewards() == [0.0, 1.0]


def test_moves_are_read_as_people_write_them() -> None:
    start = breakthrough().start()
    assert start.parse_action("a2a3") == start.parse_action("a2-a3") == start.parse_action("A2 x A3")
    for nonsense in ("a2", "z2a3", "a2a4"):
        with pytest.raises(GameError):
            start.parse_action(nonsense)


@pytest.mark.parametrize("rows, columns", [(3, 8), (9, 8), (8, 1), (8, 9)])
def test_impossible_sizes_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(GameError, match="4 to 8 rows and 2 to 8 columns"):
        breakthrough(rows, columns)


def test_somebody_always_wins_on_the_smallest_boards() -> None:
    rng = seeded(2)
    for rows, columns in ((4, 2), (4, 8), (5, 2), (5, 3)):
        game = breakthrough(rows, columns)
        for _ in range(100 if JIT else 5):
            position = game.start()
            while not position.is_terminal:
                step_randomly(position, rng)
            assert sorted(position.rewards()) == [0.0, 1.0]
            assert len(position.history) <= game.max_plies


def test_winning_looks_best_then_stopping_the_pawn_that_is_about_to_win() -> None:
    position = board("....B... ...W.... ........ ........ ........ ..B..... ...B.... W.W.W...")
    legal = position.legal()
    value = {position.format_action(a): position.game.call("heuristic", position.state, a) for a in legal}
    assert all(0 <= v <= 1 for v in value.values())
    assert value["d7d8"] == value["d7e8"] == 1
    assert value["c1d2"] > value["c1b2"]


def test_the_heuristic_beats_random_play() -> None:
    assert reward_of_heuristic(breakthrough(), games=100 if JIT else 10) > 0.8


def test_a_person_sees_the_board() -> None:
    assert play(breakthrough(5, 3), "a2a3 b4xa3").render() == "5 B B B\n4 B . B\n3 B . .\n2 . W W\n1 W W W\n  a b c"
