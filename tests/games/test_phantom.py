"""Phantom m,n,k-games: beside OpenSpiel's, and determinization beside enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import UNSEEN, Position, step_randomly
from icarus.games.phantom import Board, phantom
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)
from tests.support import assert_distribution, assert_uniform, determinizations

GAMES = 2000 if JIT else 50
X, O = 0, 1


def play(position: Position, *cells: str) -> Position:
    for cell in cells:
        position.apply(position.parse_action(cell))
    return position


def moves_seen(position: Position, observer: int) -> list[int]:
    return [moves[observer] for _, _, moves in position.history]


def test_tries_marks_and_results_agree_with_openspiel() -> None:
    game, oracle = phantom(3, 3, 3), pyspiel.load_game("phantom_ttt")
    assert game.max_plies == oracle.max_game_length()
    rng = seeded(1)
    for _ in range(GAMES):
        position, state = game.start(), oracle.new_initial_state()
        while not state.is_terminal():
            assert not position.is_terminal
            assert position.player == state.current_player()
            assert position.legal() == state.legal_actions()
            for observer in (X, O):
                _, marks = position.view(observer)  # type: ignore[misc]
                assert "".join(".xo"[mark] for mark in marks) == state.observation_string(observer).replace("\n", "")
            state.apply_action(step_randomly(position, rng))
        assert position.is_terminal
        assert position.rewards() == [(r + 1) / 2 for r in state.returns()]


@pytest.mark.parametrize(("size", "games"), [((4, 4, 4), GAMES), ((5, 3, 3), GAMES // 8)])
def test_the_board_under_the_tries_is_that_of_an_mnk_game(size: tuple[int, int, int], games: int) -> None:
    game, oracle = phantom(*size), pyspiel.load_game("mnk(m={},n={},k={})".format(*size))
    rng = seeded(2)
    longest = 0
    for _ in range(games):
        position, state = game.start(), oracle.new_initial_state()
        while not position.is_terminal:
            assert not state.is_terminal()
            assert position.player == state.current_player()
            free = set(state.legal_actions())
            assert free <= set(position.legal())
            action = step_randomly(position, rng)
            if action in free:
                state.apply_action(action)
        assert state.is_terminal()
        assert position.rewards() == [(r + 1) / 2 for r in state.returns()]
        longest = max(longest, len(position.history))
    assert longest <= game.max_plies


def test_a_failed_try_is_told_to_the_player_and_unheard_by_the_opponent() -> None:
    position = play(phantom(3, 3, 3).start(), "b2")
    before = position.view(X)
    play(position, "b2")
    assert position.player == O, "the player chooses again"
    assert position.parse_action("a1") in position.legal()
    with pytest.raises(GameError, match="not a legal move"):
        position.parse_action("b2")
    assert position.view(X) == before
    assert moves_seen(position, O) == [18, 9 + 4]
    assert moves_seen(position, X) == [4, UNSEEN]
    assert "X" in position.render(O)


def test_no_move_tells_the_opponent_where_a_mark_is() -> None:
    game = phantom(3, 3, 3)
    assert {game.start().observe(cell, O) for cell in range(9)} == {18}
    assert [game.start().observe(cell, X) for cell in range(9)] == list(range(9))


def test_the_mark_that_wins_is_heard_and_opens_the_board() -> None:
    position = play(phantom(3, 3, 3).start(), "a1", "a2", "b1", "b2", "c1")
    assert position.is_terminal and position.rewards() == [1.0, 0.0]
    assert moves_seen(position, O)[-1] == 19
    assert position.render(O) == position.render() == position.render(X)
    assert position.determinize(O, seeded(1)).state.tobytes() == position.state.tobytes()


def test_marks_stay_hidden_while_the_game_goes_on() -> None:
    position = play(phantom(3, 3, 3).start(), "a1", "c3")
    assert "O" not in position.render(X) and "X" not in position.render(O)
    assert "O" in position.render() and "X" in position.render()


@pytest.mark.parametrize(("size", "marks"), [((2, 2, 2), 4), ((3, 2, 3), 4), ((3, 2, 2), 6), ((3, 3, 3), 3)])
@pytest.mark.parametrize("observer", [X, O])
def test_determinizations_are_uniform_over_what_can_be(size: tuple[int, int, int], marks: int, observer: int) -> None:
    if not JIT and size == (3, 3, 3):
        pytest.skip("too many positions for the slow mode")
    game = phantom(*size)
    sets = information_sets(
        game,
        observer,
        wanted=lambda position: (position.named.marks != 0).sum() <= marks,
    )
    assert_views_name_information_sets(sets, observer)
    assert_determinized_uniformly(sets, observer, checked=8 if JIT else 3)


def test_a_late_position_of_the_papers_board_is_determinized_uniformly() -> None:
    position = play(phantom(4, 4, 4).start(), *["a1", "a2", "b1", "a1", "b1", "b2", "c3", "c1", "c2", "d1", "d2", "a3"])
    assert position.player == X
    own = [cell for cell in range(16) if position.named.marks[cell] == 1]
    unseen = [cell for cell in range(16) if cell not in own]
    assert len(own) == 5 and position.view(X)[1].count(2) == 0  # type: ignore[index]
    placements = [marks for marks in combinations(unseen, 5) if not any(line <= set(marks) for line in LINES_OF_4)]
    draws = [unpack(draw, own) for draw in determinizations(position, X, 40_000 if JIT else 10_000)]
    assert_uniform((marks for marks, _ in draws), placements)
    assert_uniform((found for _, found in draws), [found for n in range(6) for found in combinations(own, n)])
    # the two parts are independent: the same for whether the first mark and the first own cell are among them
    halves = [(unseen[0] in marks, own[0] in found) for marks, found in draws]
    share = sum(unseen[0] in marks for marks in placements) / len(placements)
    assert_distribution(halves, {(m, f): (share if m else 1 - share) / 2 for m in (False, True) for f in (False, True)})


ROWS_OF_4 = [[4 * y + x for x in range(4)] for y in range(4)]
LINES_OF_4 = [set(line) for line in (*ROWS_OF_4, *zip(*ROWS_OF_4, strict=True), (0, 5, 10, 15), (3, 6, 9, 12))]


def unpack(draw: bytes, own: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """O's marks, and which of X's marks O has found."""
    state = Board(np.frombuffer(draw, np.int64))
    marks = tuple(cell for cell in range(16) if state.marks[cell] == 2)
    assert all(int(state.seen[O]) >> cell & 1 for cell in marks)
    return marks, tuple(cell for cell in own if int(state.seen[O]) >> cell & 1)


@pytest.mark.parametrize("size", [(8, 8, 4), (0, 4, 4), (3, 3, 4)])
def test_impossible_boards_are_refused(size: tuple[int, int, int]) -> None:
    with pytest.raises(GameError):
        phantom(*size)
