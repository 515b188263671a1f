"""Go against OpenSpiel; NoGo and Atari Go beside slow games of sets of points."""

from __future__ import annotations

from collections.abc import Callable

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.games.atarigo import atarigo
from icarus.games.go import Board, go, marks
from icarus.games.nogo import nogo
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.games.test_mnk import play


@pytest.mark.parametrize(
    "n, komi, games",
    [
        (2, 0.5, 20),
        (3, 0.0, 30),
        (5, 7.5, 30),
        (9, 7.5, 5),
        (13, 6.5, 1),
        pytest.param(5, 7.5, 100, marks=pytest.mark.thorough),
        pytest.param(9, 7.5, 30, marks=pytest.mark.thorough),
    ],
)
def test_same_game_as_openspiel(n: int, komi: float, games: int) -> None:
    """There a position that comes again ends the game: up to that point, everything is the same."""
    game, reference, rng = go(n, komi), pyspiel.load_game(f"go(board_size={n},komi={komi})"), seeded(1)
    finished = 0
    for _ in range(games if JIT else 2):
        position, twin = game.start(), reference.new_initial_state()
        known = {tuple(marks(Board(position.state)))}
        while not position.is_terminal:
            assert not twin.is_terminal() and position.player == twin.current_player()
            legal = position.legal()
            assert sorted(legal) == twin.legal_actions(), position.render()
            # passes are rare, so that boards fill up and stones are captured
            action = legal[int(random_below(rng, max(len(legal) - int(random_below(rng, 4) > 0), 1)))]
            twin.apply_action(action)
            position.apply(action)
            board = tuple(marks(Board(position.state)))
            if board in known and action != n * n:
                assert twin.is_terminal()
                break
            known.add(board)
        else:
            assert twin.is_terminal() and position.rewards() == [(value + 1) / 2 for value in twin.returns()]
            finished += 1
    assert finished > 0 or n == 2


# --- slow games ----------------------------------------------------------------------------------------------------------------

Stones = dict[int, int]


def around(point: int, n: int) -> list[int]:
    row, column = divmod(point, n)
    near = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    return [n * y + x for y, x in near if 0 <= y < n and 0 <= x < n]


def has_liberty(stones: Stones, point: int, n: int) -> bool:
    group, frontier = {point}, [point]
    while frontier:
        for near in around(frontier.pop(), n):
            if near not in stones:
                return True
            if stones[near] == stones[point] and near not in group:
                group.add(near)
                frontier.append(near)
    return False


def dead(stones: Stones, n: int) -> set[int]:
    """The colours that have a group without liberties."""
    return {colour for point, colour in stones.items() if not has_liberty(stones, point, n)}


def may_in_nogo(stones: Stones, point: int, player: int, n: int) -> bool:
    return not dead(stones | {point: player}, n)


def may_in_atarigo(stones: Stones, point: int, player: int, n: int) -> bool:
    return dead(stones | {point: player}, n) != {player}


@pytest.mark.parametrize(
    "game, may, n, games",
    [
        (nogo(4), may_in_nogo, 4, 60),
        (nogo(6), may_in_nogo, 6, 6),
        (atarigo(4), may_in_atarigo, 4, 60),
        (atarigo(6), may_in_atarigo, 6, 10),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_same_game_as_one_of_sets_of_points(game: Game, may: Callable[..., bool], n: int, games: int) -> None:
    rng = seeded(4)
    for _ in range(games if JIT else 1):
        position, stones, player, captured = game.start(), dict[int, int](), 0, False
        while True:
            legal = [point for point in range(n * n) if point not in stones and may(stones, point, player, n)]
            assert position.is_terminal == (captured or not legal), position.render()
            if position.is_terminal:
                break
            assert position.player == player and sorted(position.legal()) == legal
            point = legal[int(random_below(rng, len(legal)))]
            position.apply(point)
            stones[point] = player
            player = 1 - player
            captured = player in dead(stones, n)
        assert position.rewards() == [float(player == 1), float(player == 0)]


# --- rules ---------------------------------------------------------------------------------------------------------------------


def labels(position: Position) -> set[str]:
    return {position.format_action(action) for action in position.legal()}


def test_a_ko_may_not_be_retaken_at_once() -> None:
    position = play(go(5), "b1 c1 a2 d2 b3 c3 c2 b2")
    assert position.render().splitlines()[3] == " 2 X O . O ."
    assert "c2" not in labels(position) and position.player == 0
    assert "c2" in labels(play(go(5), "b1 c1 a2 d2 b3 c3 c2 b2 e5 d5"))


def test_suicide_is_not_allowed_unless_it_captures() -> None:
    assert "a1" not in labels(play(go(3), "a2 c3 b1"))
    assert "a1" in labels(play(go(3), "a2 a3 b1 b2 c3 c1 pass"))


@pytest.mark.parametrize("komi, rewards", [(0.5, [1.0, 0.0]), (1, [0.5, 0.5]), (1.5, [0.0, 1.0])])
def test_empty_points_belong_to_whoever_alone_reaches_them(komi: float, rewards: list[float]) -> None:
    position = play(go(5, komi), "b1 d1 b2 d2 b3 d3 b4 d4 b5 d5 c3 pass pass")
    assert int(Board(position.state).lead) == (5 + 6) - (5 + 5)
    assert position.rewards() == rewards


def test_keys_do_not_tell_how_stones_came_to_lie() -> None:
    one, other = play(go(5), "a1 b2 c3 d4"), play(go(5), "c3 d4 a1 b2")
    assert one.game.call("key", one.state) == other.game.call("key", other.state)
    assert one.game.call("key", one.state) != one.game.call("key", play(go(5), "a1 b2 c3 e4").state)


def test_the_first_capture_wins_atari_go() -> None:
    assert play(atarigo(3), "a1 a2 c3 b1").rewards() == [0.0, 1.0]


def test_nothing_may_be_captured_in_nogo() -> None:
    assert "b1" not in labels(play(nogo(3), "a1 a2 c3"))


@pytest.mark.parametrize("build", [go, nogo, atarigo])
def test_impossible_sizes_are_refused(build: Callable[[int], Game]) -> None:
    for n in (1, 20):
        with pytest.raises(GameError, match="2 to 19"):
            build(n)
    with pytest.raises(GameError, match="half points"):
        go(9, 7.3)
