"""Domineering beside a slow game of sets of cells, and with the winners that are known of small boards."""

from __future__ import annotations

from functools import cache

import pytest

from icarus.errors import GameError
from icarus.game import step_randomly
from icarus.games.domineering import domineering
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.test_mnk import play

Cell = tuple[int, int]


def dominoes(empty: frozenset[Cell], player: int) -> list[tuple[Cell, Cell]]:
    """The places of a domino as pairs of (row, column) from the top left."""
    step = ((1, 0), (0, 1))[player]
    pairs = (((y, x), (y + step[0], x + step[1])) for y, x in sorted(empty))
    return [pair for pair in pairs if pair[1] in empty]


@pytest.mark.parametrize("m, n", [(2, 1), (4, 4), (3, 7), (8, 8), (2, 26)])
def test_same_game_as_one_of_sets_of_cells(m: int, n: int) -> None:
    rng = seeded(3)
    for _ in range(60 if JIT else 6):
        position = domineering(m, n).start()
        empty, player = frozenset((y, x) for y in range(m) for x in range(n)), 0
        while True:
            places = dominoes(empty, player)
            assert position.is_terminal == (not places)
            if not places:
                break
            assert position.player == player
            assert sorted(position.legal()) == [2 * (y * n + x) + player for (y, x), _ in places]
            y, x = divmod(step_randomly(position, rng) // 2, n)
            empty -= {(y, x), dict(places)[y, x]}
            player = 1 - player
        assert position.rewards() == [float(player == 1), float(player == 0)]


@cache
def mover_wins(empty: frozenset[Cell], player: int) -> bool:
    return any(not mover_wins(empty - set(pair), 1 - player) for pair in dominoes(empty, player))


@pytest.mark.parametrize("m, n, winner", [(2, 2, 0), (3, 3, 0), (4, 4, 0), (3, 2, 0), (2, 3, 0), (2, 4, 1), (4, 1, 0), (2, 1, 0)])
def test_perfect_play_on_small_boards(m: int, n: int, winner: int) -> None:
    def wins(position):  # type: ignore[no-untyped-def]
        known = position.state.tobytes()
        if known not in values:
            values[known] = any(not wins(position.copy().apply(action)) for action in position.legal())
        return values[known]

    values: dict[bytes, bool] = {}
    cells = frozenset((y, x) for y in range(m) for x in range(n))
    assert wins(domineering(m, n).start()) == mover_wins(cells, 0) == (winner == 0)


def test_a_person_sees_dominoes() -> None:
    assert play(domineering(3, 3), "a3a2 b3c3").render() == " 3 V H H\n 2 V . .\n 1 . . .\n   a b c"


@pytest.mark.parametrize("m, n", [(1, 8), (9, 8), (2, 27), (0, 4)])
def test_impossible_sizes_are_refused(m: int, n: int) -> None:
    with pytest.raises(GameError, match="rows"):
        domineering(m, n)
