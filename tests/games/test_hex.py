"""Hex against OpenSpiel, and its links against a plain search of the board."""

from __future__ import annotations

import pytest

from icarus.errors import GameError
from icarus.game import Position, step_randomly
from icarus.games.hex import LINKED, hex
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.test_mnk import assert_same_game, play


@pytest.mark.parametrize("n, games", [(2, 100), (5, 1000), (11, 300)])
def test_same_game_as_openspiel(n: int, games: int) -> None:
    assert_same_game(hex(n), f"hex(board_size={n})", games)


def linked_by_search(position: Position, n: int, player: int) -> set[tuple[int, int]]:
    """The stones that hang on the player's first side, as (row, column)."""
    stones = {divmod(action, n) for mover, action, _ in position.history if mover == player}
    frontier = [(y, x) for y, x in stones if (y, x)[player] == 0]
    found = set(frontier)
    while frontier:
        y, x = frontier.pop()
        around = {(y, x - 1), (y, x + 1), (y - 1, x), (y - 1, x + 1), (y + 1, x - 1), (y + 1, x)}
        frontier += around & stones - found
        found |= around & stones
    return found


def test_links_are_what_a_plain_search_finds() -> None:
    rng, n = seeded(6), 6
    for _ in range(50 if JIT else 3):
        position = hex(n).start()
        while not position.is_terminal:
            step_randomly(position, rng)
            rows = position.named.rows[: 4 * (n + 2)].reshape(4, n + 2)[LINKED:, 1:-1]
            for player in (0, 1):
                linked = {(y, x) for y in range(n) for x in range(n) if rows[player, y] >> (x + 1) & 1}
                assert linked == linked_by_search(position, n, player)


def test_equal_positions_have_equal_states_however_they_arose() -> None:
    game, rng = hex(7), seeded(7)
    for _ in range(50 if JIT else 3):
        position = game.start()
        for _ in range(12):  # too few for a chain from side to side, in any order
            step_randomly(position, rng)
        moves = [action for _, action, _ in position.history]
        backwards = game.start()
        for first, second in zip(moves[-2::-2], moves[::-2], strict=True):
            backwards.apply(first).apply(second)
        assert backwards.state.tobytes() == position.state.tobytes()


def test_the_first_player_connects_top_and_bottom() -> None:
    position = play(hex(3), "c1 a1 b2 b1 a3")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]


def test_the_second_player_connects_left_and_right() -> None:
    position = play(hex(3), "a1 a3 b1 b2 c3 c1")
    assert position.is_terminal
    assert position.rewards() == [0.0, 1.0]


def test_cells_on_the_long_diagonal_do_not_touch() -> None:
    assert not play(hex(3), "a1 b1 b2 c2 c3").is_terminal


def test_one_stone_wins_on_a_board_of_one_cell() -> None:
    assert play(hex(1), "a1").rewards() == [1.0, 0.0]


def test_the_middle_stone_can_be_the_last() -> None:
    position = play(hex(4), "b1 a1 b2 a2 a4 d1 b3")
    assert position.rewards() == [1.0, 0.0]


@pytest.mark.parametrize("n", [0, 27])
def test_impossible_sizes_are_refused(n: int) -> None:
    with pytest.raises(GameError, match="1 to 26"):
        hex(n)


def test_a_person_sees_the_board() -> None:
    assert play(hex(3), "a1 b1 b2").render() == "   a b c\n 1 X O .\n  2 . X .\n   3 . . ."
