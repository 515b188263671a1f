"""Battleship: beside OpenSpiel, answers included; determinization beside all placements that give the same answers."""

from __future__ import annotations

from itertools import product

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import Position, step_randomly
from icarus.games.battleship import MOST_SHIPS, battleship, format_move
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)
from tests.support import assert_uniform


@pytest.mark.parametrize("rows, columns, ships, shots", [(5, 5, (2, 2, 3), 0), (3, 4, (1, 2), 4), (6, 5, (4, 3, 1, 2), 20)])
def test_placements_answers_and_winners_agree_with_openspiel(rows: int, columns: int, ships: tuple[int, ...], shots: int) -> None:
    game = battleship(rows, columns, ships, shots=shots)
    sizes, values = ";".join(map(str, ships)), ";".join("1" for _ in ships)
    oracle = pyspiel.load_game(
        f"battleship(board_height={rows},board_width={columns},ship_sizes=[{sizes}],ship_values=[{values}],"
        f"num_shots={shots or rows * columns},allow_repeated_shots=false)"
    )
    for seed in range(50 if JIT else 5):
        position, state, rng = game.start(), oracle.new_initial_state(), seeded(seed)
        while not position.is_terminal:
            mover = position.player
            assert mover == state.current_player() and position.legal() == state.legal_actions()
            before, action = position.copy(), step_randomly(position, rng)
            state.apply_action(action)
            if action < rows * columns:
                told = format_move(before.named, position.history[-1][2][mover], mover).partition(", ")[2]
                answer = state.information_state_string(mover).rpartition("/")[2].rpartition(":")[2]
                assert answer == {"water": "W", "hit": "H", "sunk": "S"}[told]
        assert state.is_terminal()
        lead = state.returns()[0]
        assert position.rewards()[0] == (0.5 if lead == 0 else float(lead > 0))


@pytest.mark.parametrize("observer", [0, 1])
def test_all_information_sets_of_a_tiny_sea_are_determinized_uniformly(observer: int) -> None:
    game = battleship(2, 2, (1, 2))
    plies = 7 if JIT else 6
    sets = information_sets(game, observer, lambda position: position.named.plies <= plies)
    assert_views_name_information_sets(sets, observer)
    assert_determinized_uniformly(sets, observer, checked=6, draws=60)


def fleets(position: Position, who: int) -> set[tuple[int, ...]]:
    """All placements of a fleet with which the shots so far would have been answered as they were, shot by shot."""
    state = position.named
    rows, columns, ships = int(state.rows), int(state.columns), int(state.ships)
    told = [(action, moves[who]) for player, action, moves in position.history if player != who and action < rows * columns]
    places = []
    for size in map(int, state.sizes[:ships]):
        across = [frozenset((y, x + i) for i in range(size)) for y in range(rows) for x in range(columns - size + 1)]
        down = [frozenset((y + i, x) for i in range(size)) for y in range(rows - size + 1) for x in range(columns)]
        places.append(set(across + down))
    found = set()
    for fleet in product(*places):
        if len(frozenset().union(*fleet)) < sum(map(len, fleet)):
            continue
        shot: set[tuple[int, int]] = set()
        for cell, move in told:
            at = divmod(cell, columns)
            shot.add(at)
            hit = [ship for ship in fleet if at in ship]
            if (move - 3 * rows * columns - 1) % 3 != (0 if not hit else 2 if hit[0] <= shot else 1):
                break
        else:
            found.add(tuple(sum(1 << (y * columns + x) for y, x in ship) for ship in fleet))
    return found


@pytest.mark.parametrize("seed", range(4) if JIT else (1,))
def test_placements_are_uniform_over_those_that_give_the_same_answers(seed: int) -> None:
    """Late in a game, with several ships hit at the same time and some sunk."""
    position, rng, observer, looked = battleship(4, 5, (2, 2, 3)).start(), seeded(seed), seed % 2, 0
    for ply in range(40):
        if position.is_terminal:
            break
        if ply in (20, 26, 30, 34, 38):
            expected = fleets(position, 1 - observer)
            if 1 < len(expected) < (300 if JIT else 30):
                first = (1 - observer) * MOST_SHIPS
                draws = [position.determinize(observer, rng).named.placed[first : first + 3] for _ in range(30 * len(expected))]
                assert_uniform([tuple(map(int, ships)) for ships in draws], list(expected))
                looked += 1
        step_randomly(position, rng)
    assert looked


def test_what_is_told_and_what_is_seen() -> None:
    game = battleship(3, 3, (1, 2))
    position = game.start()
    for text in ("a1 across", "c3 across", "b1 down", "a1 down", "a1"):
        position.apply(position.parse_action(text))
    assert position.history[0][2] == (9, 27) and position.history[-1][2][0] == position.history[-1][2][1]
    assert format_move(position.named, position.history[-1][2][0], 0) == "a1, hit"
    assert "o" not in position.render(0).replace("player", "").splitlines()[-1][10:] and "x" in position.render(0)


def test_seas_without_room_are_refused() -> None:
    for rows, columns, ships in ((9, 9, (2,)), (2, 2, (3,)), (3, 3, (2, 2, 3)), (5, 5, ()), (5, 5, (6,))):
        with pytest.raises(GameError):
            battleship(rows, columns, ships)
    with pytest.raises(GameError, match="shots"):
        battleship(shots=26)
