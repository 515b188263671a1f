"""m,n,k-games against OpenSpiel; and what the tests of the other board games share, such as that comparison."""

from __future__ import annotations

from collections.abc import Callable

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.games.mnk import mnk, tic_tac_toe
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded


def play(game: Game, moves: str) -> Position:
    """The position after these moves, as people write them."""
    position = game.start()
    for move in moves.split():
        position.apply(position.parse_action(move))
    return position


def assert_same_game(
    game: Game,
    openspiel: str,
    games: int,
    translate: Callable[[Position, list[int]], list[int]] = lambda position, actions: actions,
) -> None:
    """Random games agree with OpenSpiel's in every position: who acts, what is legal, when it ends and how.

    ``translate`` gives OpenSpiel's numbers of actions.  Without the JIT one game in ten has to do.
    """
    reference = pyspiel.load_game(openspiel)
    rng = seeded(1)
    for _ in range(games if JIT else -(-games // 10)):
        position, twin = game.start(), reference.new_initial_state()
        while not position.is_terminal:
            assert not twin.is_terminal(), position.render()
            assert position.player == twin.current_player()
            legal = position.legal()
            theirs = translate(position, legal)
            assert sorted(theirs) == twin.legal_actions(), position.render()
            choice = int(random_below(rng, len(legal)))
            position.apply(legal[choice])
            twin.apply_action(theirs[choice])
        assert twin.is_terminal(), position.render()
        assert position.rewards() == [(value + 1) / 2 for value in twin.returns()]
        assert len(position.history) <= game.max_plies


def positions_after(game: Game, plies: int) -> list[int]:
    """How many different positions there are after 0, 1, 2, ... plies."""
    level = {position.state.tobytes(): position for position in [game.start()]}
    counts = [1]
    for _ in range(plies):
        children = (position.copy().apply(action) for position in level.values() for action in position.legal())
        level = {position.state.tobytes(): position for position in children}
        counts.append(len(level))
    return counts


def reward_of_heuristic(game: Game, games: int) -> float:
    """The mean reward of whoever plays what the game's heuristic likes best, against random play."""
    rng = seeded(2)
    total = 0.0
    for i in range(games):
        position = game.start()
        while not position.is_terminal:
            actions = position.legal()
            if position.player == i % 2:
                values = [game.call("heuristic", position.state, action) for action in actions]
                actions = [action for action, value in zip(actions, values, strict=True) if value == max(values)]
            position.apply(actions[int(random_below(rng, len(actions)))])
        total += position.rewards()[i % 2]
    return total / games


@pytest.mark.parametrize("m, n, k", [(4, 4, 4), (5, 3, 3), (3, 5, 4), (6, 6, 5)])
def test_same_game_as_openspiel(m: int, n: int, k: int) -> None:
    assert_same_game(mnk(m, n, k), f"mnk(m={m},n={n},k={k})", games=500)


def test_tic_tac_toe_is_the_same_game_as_openspiels() -> None:
    assert_same_game(tic_tac_toe(), "tic_tac_toe", games=2000)


def test_tic_tac_toe_has_5478_positions() -> None:
    assert sum(positions_after(tic_tac_toe(), 9)) == 5478


@pytest.mark.parametrize(
    "moves",
    ["a1 a2 b1 b2 c1", "a1 b1 a2 b2 a3", "a1 b1 b2 c1 c3", "c1 b1 b2 a1 a3"],
    ids=["row", "column", "diagonal", "other diagonal"],
)
def test_a_line_wins_in_every_direction(moves: str) -> None:
    position = play(tic_tac_toe(), moves)
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]


def test_the_second_player_can_win() -> None:
    assert play(tic_tac_toe(), "a1 a2 b1 b2 a3 c2").rewards() == [0.0, 1.0]


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = play(tic_tac_toe(), "a1 b1 c1 b2 a2 a3 b3 c3 c2")
    assert position.is_terminal
    assert position.rewards() == [0.5, 0.5]


def test_more_than_k_in_a_row_wins_too() -> None:
    position = play(mnk(5, 2, 4), "a1 a2 b1 b2 d1 d2 e1 e2 c1")
    assert position.is_terminal
    assert position.rewards() == [1.0, 0.0]


def test_a_line_does_not_continue_in_the_next_row() -> None:
    assert not play(mnk(3, 3, 3), "b1 b2 c1 c3 a2").is_terminal


@pytest.mark.parametrize("m, n, k", [(0, 3, 3), (27, 3, 3), (3, 0, 3), (3, 3, 4), (3, 3, 0)])
def test_impossible_sizes_are_refused(m: int, n: int, k: int) -> None:
    with pytest.raises(GameError):
        mnk(m, n, k)


def test_a_person_sees_the_board() -> None:
    assert play(mnk(4, 2, 2), "b1 d2").render() == "   a b c d\n 1 . X . .\n 2 . . . O"
