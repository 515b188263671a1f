"""Othello against OpenSpiel, against known move counts, and its episodes against equation 22 of icarus-2014."""

from __future__ import annotations

import numpy as np

from icarus.game import CONTINUES, Position, step_randomly
from icarus.games._bits import WIDEST, count_bits, highest, lowest, nth_bit, row_of
from icarus.games.othello import PASS, othello, placements
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.test_mnk import assert_same_game, play, reward_of_heuristic

EDGE = {square for square in range(64) if square // 8 in (0, 7) or square % 8 in (0, 7)}


def test_same_game_as_openspiel() -> None:
    assert_same_game(othello(), "othello", games=2000)


def test_as_many_games_as_were_counted() -> None:
    # "perft": the number of sequences of n actions
    def count(position: Position, plies: int) -> int:
        return 1 if plies == 0 else sum(count(position.copy().apply(a), plies - 1) for a in position.legal())

    assert [count(othello().start(), plies) for plies in range(7)] == [1, 4, 12, 56, 244, 1396, 8200]


def board(picture: str) -> Position:
    """A position from a picture: X black, O white; Black acts."""
    cells = "".join(picture.split())
    position = othello().start()
    position.state[:] = 0
    state = position.named
    for i, mark in enumerate("XO"):
        discs = sum(1 << square for square, cell in enumerate(cells) if cell == mark)
        state.discs[i] = np.array(discs, np.uint64).astype(np.int64)
    state.moves = placements(state.discs[0], state.discs[1])
    assert (state.turn, state.over) == (0, 0)
    return position


def test_a_disc_turns_over_runs_in_all_directions_up_to_the_corners() -> None:
    position = board("""
        X..X..X.
        .O.O.O..
        ..OOO...
        XOO.OOOX
        ..OOO...
        .O.O.O..
        X..O..O.
        ...X...X""")
    position.apply(position.parse_action("d4"))
    assert position.render().splitlines()[1:9] == [
        "1 X . . X . . X .",
        "2 . X . X . X . .",
        "3 . . X X X . . .",
        "4 X X X X X X X X",
        "5 . . X X X . . .",
        "6 . X . X . X . .",
        "7 X . . X . . X .",
        "8 . . . X . . . X",
    ]


def test_runs_do_not_continue_on_the_other_side_of_the_board() -> None:
    position = board("""
        .......X
        OO......
        ........
        .......X
        ........
        O......O
        .......O
        X.......""")
    assert position.named.moves == 0


def test_the_shortest_game_ends_without_white_discs() -> None:
    position = play(othello(), "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]
    assert position.render().endswith("X 13, O 0")


def test_passing_is_forced_and_only_then_allowed() -> None:
    passes = 0
    rng = seeded(3)
    for _ in range(200 if JIT else 10):
        position = othello().start()
        while not position.is_terminal:
            own, other = (position.named.discs[i] for i in (position.player, 1 - position.player))
            if placements(own, other) == 0:
                assert position.legal() == [PASS]
                assert position.format_action(PASS) == "pass"
                passes += 1
            else:
                assert PASS not in position.legal()
            step_randomly(position, rng)
    assert passes > 0


def test_an_episode_begins_after_a_disc_on_the_edge() -> None:
    rng = seeded(4)
    for _ in range(100 if JIT else 5):
        position = othello().start()
        assert position.episode == (0, 0), "the start of the game begins an episode of the first player"
        while not position.is_terminal:
            label = position.game.call("episode", position.state)
            begins = not position.history or position.history[-1][1] in EDGE
            assert label == (position.player if begins else CONTINUES)
            assert position.named.begins == begins
            step_randomly(position, rng)


def test_corners_look_best_and_the_squares_beside_them_worst() -> None:
    state = othello().start().state
    values = [othello().call("heuristic", state, square) for square in range(64)]
    assert all(0 <= value <= 1 for value in values)
    assert {s for s in range(64) if values[s] == max(values)} == {0, 7, 56, 63}
    assert {s for s in range(64) if values[s] == min(values)} == {9, 14, 49, 54}


def test_the_heuristic_beats_random_play() -> None:
    assert reward_of_heuristic(othello(), games=100 if JIT else 10) > 0.6


def test_rows_are_what_a_division_gives() -> None:
    for columns in range(1, WIDEST + 1):
        cells = range(columns * columns)
        assert [int(row_of(cell, columns)) for cell in cells] == [cell // columns for cell in cells]


def test_sets_of_squares_count_and_find_every_square() -> None:
    for square in range(64):
        bit = np.array(1 << square, np.uint64).astype(np.int64)
        assert lowest(bit) == square
        assert lowest(bit | np.int64(-(2**63))) == square
        assert count_bits(bit) == 1
        assert highest(bit) == square and highest(bit | np.int64(1)) == square
        assert nth_bit(np.int64(-1), square) == square and nth_bit(bit, 0) == square
    assert count_bits(np.int64(-1)) == 64
    assert count_bits(np.int64(0)) == 0
