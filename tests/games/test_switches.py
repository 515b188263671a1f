"""Two games that were made to study search: LeftRight, and Sum of Switches with its values by brute force."""

from __future__ import annotations

from functools import cache
from math import comb

import pytest

from icarus.errors import GameError
from icarus.games.leftright import leftright
from icarus.games.sum_of_switches import sum_of_switches
from tests.games.test_mnk import play, positions_after


def test_only_the_number_of_steps_to_the_left_counts() -> None:
    assert play(leftright(4), "left right left left").rewards() == [0.75]
    assert (
        play(leftright(4), "left left left right").state.tobytes() == play(leftright(4), "right left left left").state.tobytes()
    )
    assert positions_after(leftright(12), 12) == [steps + 1 for steps in range(13)]


def test_keys_tell_positions_apart_and_not_the_ways_there() -> None:
    game = leftright(6)
    keys = {}
    level = [game.start()]
    for _ in range(6):
        level = [position.copy().apply(action) for position in level for action in position.legal()]
        for position in level:
            keys.setdefault(position.game.call("key", position.state), set()).add(position.state.tobytes())
    assert all(len(states) == 1 for states in keys.values()) and len(keys) == sum(range(2, 8))


@cache
def value(left: frozenset[int], first: int, second: int, n: int) -> bool:
    """Does the first player win from here, if both play as well as they can?"""
    if not left:
        return first - second >= n // 2
    if len(left) % 2 == n % 2:
        return any(value(left - {i}, first + i, second, n) for i in left)
    return all(value(left - {i}, first, second + i, n) for i in left)


@pytest.mark.parametrize("n", [2, 3, 6, 7])
def test_the_first_player_wins_exactly_with_the_largest_numbers(n: int) -> None:
    def wins(position):  # type: ignore[no-untyped-def]
        if position.is_terminal:
            return position.rewards() == [1.0, 0.0]
        results = (wins(position.copy().apply(action)) for action in position.legal())
        return any(results) if position.player == 0 else all(results)

    start, numbers = sum_of_switches(n).start(), frozenset(range(n))
    good = [action for action in start.legal() if wins(start.copy().apply(action))] if n < 7 else [n - 1]
    assert good == [i for i in range(n) if value(numbers - {i}, i, 0, n)] == [n - 1]


def test_all_numbers_are_taken_once() -> None:
    assert positions_after(sum_of_switches(6), 6) == [comb(6, plies) * comb(plies, plies // 2) for plies in range(7)]


def test_the_sums_decide() -> None:
    assert play(sum_of_switches(4), "3 2 1 0").rewards() == [1.0, 0.0]
    assert play(sum_of_switches(4), "3 1 0 2").rewards() == [0.0, 1.0]


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(GameError, match="2 to 62"):
        sum_of_switches(63)
    with pytest.raises(GameError, match="1 to 10000"):
        leftright(0)
