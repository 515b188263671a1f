"""Amazons against OpenSpiel, where a turn is three decisions: the amazon, its square, the arrow."""

from __future__ import annotations

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import step_randomly
from icarus.games.amazons import amazons
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.test_mnk import play


def cell(square: int, n: int) -> int:
    """OpenSpiel counts squares row by row without a border."""
    row, column = divmod(square, 16)
    return n * (row - 1) + column - 1


@pytest.mark.parametrize(
    "n, games",
    [(6, 10), (8, 2), (10, 2), pytest.param(6, 40, marks=pytest.mark.thorough), pytest.param(10, 10, marks=pytest.mark.thorough)],
)
def test_same_game_as_openspiel(n: int, games: int) -> None:
    game, reference, rng = amazons(n), pyspiel.load_game(f"amazons(board_size={n})"), seeded(1)
    for _ in range(games if JIT else 1):
        position, twin = game.start(), reference.new_initial_state()
        while not position.is_terminal:
            assert not twin.is_terminal() and position.player == twin.current_player()
            legal = position.legal()
            if legal[0] >= 256:
                moves = {(cell(action >> 8, n), cell(action & 255, n)) for action in legal}
                theirs = {(source, to) for source in twin.legal_actions() for to in twin.child(source).legal_actions()}
                assert moves == theirs
            else:
                assert sorted(cell(action, n) for action in legal) == twin.legal_actions()
            action = step_randomly(position, rng)
            if action >= 256:
                twin.apply_action(cell(action >> 8, n))
            twin.apply_action(cell(action & 255, n))
        assert twin.is_terminal()
        assert position.rewards() == [(value + 1) / 2 for value in twin.returns()]
        assert len(position.history) <= game.max_plies


def test_a_turn_is_a_move_and_an_arrow_of_the_same_player() -> None:
    position = play(amazons(6), "b1-b4")
    assert position.player == 0 and "/b1" in {position.format_action(action) for action in position.legal()}
    position.apply(position.parse_action("/b1"))
    assert position.player == 1
    assert position.render().splitlines()[-2] == " 1 . * . . X ."


def test_squares_that_block_each_other_are_not_passed() -> None:
    moves = {position.format_action(action) for position in [amazons(6).start()] for action in position.legal()}
    assert {"b1-b5", "b1-e4", "b1-d1", "a2-d5"} <= moves and not {"b1-e1", "b1-b6", "a2-a5", "a2-f2"} & moves


@pytest.mark.parametrize("n", [3, 15])
def test_impossible_sizes_are_refused(n: int) -> None:
    with pytest.raises(GameError, match="4 to 14"):
        amazons(n)
