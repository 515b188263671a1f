"""Connect Four against OpenSpiel and against what is known of the game."""

from __future__ import annotations

import pytest

from icarus.games.connect_four import connect_four
from tests.games.test_mnk import assert_same_game, play, positions_after


def test_same_game_as_openspiel() -> None:
    assert_same_game(connect_four(), "connect_four", games=2000)


def test_as_many_positions_as_were_counted() -> None:
    # the number of positions after n plies, J. Tromp (sequence A212693 of the OEIS)
    assert positions_after(connect_four(), 6) == [1, 7, 49, 238, 1120, 4263, 16422]


@pytest.mark.parametrize(
    "moves",
    ["1 1 2 2 3 3 4", "7 1 7 1 7 1 7", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"],
    ids=["row", "column", "rising", "falling"],
)
def test_four_in_a_row_wins_in_every_direction(moves: str) -> None:
    position = play(connect_four(), moves)
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]


def test_a_column_does_not_continue_in_the_next() -> None:
    position = play(connect_four(), "1 2 1 2 7 1 1 1 7 1")
    assert not position.is_terminal, "O holds the upper two cells of column 1 and the lower two of column 2"


def test_a_full_column_takes_no_more_discs() -> None:
    assert 2 not in play(connect_four(), "3 3 3 3 3 3").legal()


def test_a_full_board_without_four_is_a_draw() -> None:
    two_columns = "{0} {1} {0} {1} {1} {0} {1} {0} {0} {1} {0} {1} "
    moves = "".join(two_columns.format(left, left + 1) for left in (1, 3, 5)) + "7 7 7 7 7 7"
    position = play(connect_four(), moves)
    assert position.is_terminal
    assert position.rewards() == [0.5, 0.5]


def test_a_person_sees_the_board() -> None:
    assert play(connect_four(), "4 4 1").render().splitlines() == [
        "1 2 3 4 5 6 7",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . O . . .",
        "X . . X . . .",
    ]
