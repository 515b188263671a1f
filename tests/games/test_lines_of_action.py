"""Lines of Action against OpenSpiel, where a position that comes again is a draw."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.game import Position
from icarus.games.lines_of_action import Board, lines_of_action
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.games.test_mnk import play


def openspiel_action(position: Position, action: int) -> int:
    other = int(Board(position.state).pieces[1 - position.player])
    return 2 * action + (other >> action % 64 & 1)


def test_same_game_as_openspiel() -> None:
    game, reference, rng = lines_of_action(), pyspiel.load_game("lines_of_action"), seeded(1)
    finished = 0
    for _ in range(30 if JIT else 3):
        position, twin = game.start(), reference.new_initial_state()
        known = {str(twin).partition("\n\n")[0]}
        while not position.is_terminal:
            assert not twin.is_terminal() and position.player == twin.current_player()
            legal = position.legal()
            assert sorted(openspiel_action(position, action) for action in legal) == twin.legal_actions(), position.render()
            action = legal[int(random_below(rng, len(legal)))]
            twin.apply_action(openspiel_action(position, action))
            position.apply(action)
            board = str(twin).partition("\n\n")[0]
            if board in known:
                assert twin.is_terminal()
                break
            known.add(board)
        else:
            assert twin.is_terminal() and position.rewards() == [(value + 1) / 2 for value in twin.returns()]
            finished += 1
    assert finished > (10 if JIT else 0)


def board(picture: str, player: int = 0) -> Position:
    """A position from a picture, row 8 first."""
    position = lines_of_action().start()
    state = Board(position.state)
    cells = "".join(reversed(picture.split()))
    state.pieces[0], state.pieces[1] = (sum(1 << i for i, cell in enumerate(cells) if cell == mark) for mark in "XO")
    state.player = player
    return position


EMPTY_ROW = "........ "


def test_a_piece_moves_as_far_as_there_are_pieces_on_its_line() -> None:
    moves = {lines_of_action().start().format_action(action) for action in lines_of_action().start().legal()}
    assert {"b1b3", "b1h1", "b1d3", "c1a3"} <= moves and "b1b2" not in moves and len(moves) == 36


@pytest.mark.parametrize("h1, rewards", [(".", [1.0, 0.0]), ("X", [0.0, 1.0])])
def test_a_capture_can_connect_both_sides_or_the_other_alone(h1: str, rewards: list[float]) -> None:
    position = board(f"....O... ....O... {EMPTY_ROW * 2} .X...... {EMPTY_ROW} .O...... X......{h1}")
    assert position.apply(position.parse_action("b4xb2")).rewards() == rewards


def labels(position: Position) -> list[str]:
    return [position.format_action(action) for action in position.legal()]


def test_whoever_connects_all_pieces_wins() -> None:
    position = board(EMPTY_ROW * 6 + "O......O X..X....")
    assert "d1b1" in labels(position)
    assert position.apply(position.parse_action("d1b1")).rewards() == [1.0, 0.0]


def test_the_game_is_a_draw_after_1000_plies() -> None:
    position = lines_of_action().start()
    Board(position.state).plies = 999
    assert play(lines_of_action(), "b1b3").is_terminal is False
    assert position.apply(position.parse_action("b1b3")).rewards() == [0.5, 0.5]
