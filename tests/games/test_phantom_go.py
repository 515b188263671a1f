"""Phantom Go: beside a slow game of sets of points, and OpenSpiel where the rules agree; determinization beside enumeration."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyspiel
import pytest

from icarus.errors import GameError
from icarus.game import UNSEEN, Position
from icarus.games.phantom_go import SET, phantom_go, result_of
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    information_sets,
)
from tests.games.test_go import around, has_liberty
from tests.games.test_mnk import play
from tests.support import assert_uniform

# --- a slow game ---------------------------------------------------------------------------------------------------------------


@dataclass
class Slow:
    """Go with stones in a dictionary and suicide; ``move`` returns what everybody is told."""

    n: int
    stones: dict[int, int] = field(default_factory=dict)
    ko: int | None = None
    player: int = 0

    def removed_by(self, point: int) -> set[int]:
        after = self.stones | {point: self.player}
        dead = {other for other in after if not has_liberty(after, other, self.n)}
        return {other for other in dead if after[other] != self.player} or dead

    def move(self, point: int) -> tuple[bool, frozenset[int], int | None]:
        if point == self.n**2:
            self.ko, self.player = None, 1 - self.player
            return True, frozenset(), None
        removed = self.removed_by(point)
        self.stones[point] = self.player
        for other in removed:
            del self.stones[other]
        alone = all(self.stones.get(near) != self.player for near in around(point, self.n))
        free = [near for near in around(point, self.n) if near not in self.stones]
        self.ko = next(iter(removed)) if len(removed) == 1 and point not in removed and alone and len(free) == 1 else None
        self.player = 1 - self.player
        return False, frozenset(removed), self.ko

    def lead(self) -> int:
        """Points of Black minus points of White."""
        total = sum(1 - 2 * owner for owner in self.stones.values())
        for point in set(range(self.n**2)) - set(self.stones):
            area, frontier, reached = {point}, [point], set()
            while frontier:
                for near in around(frontier.pop(), self.n):
                    if near in self.stones:
                        reached.add(self.stones[near])
                    elif near not in area:
                        area.add(near)
                        frontier.append(near)
            total += {frozenset({0}): 1, frozenset({1}): -1}.get(frozenset(reached), 0)
        return total


def board_of(position: Position) -> dict[int, int]:
    stones = [int(mask) for mask in position.named.stones]
    return {point: who for point in range(25) for who in range(2) if stones[who] >> point & 1}


def drawn(position: Position, rng: object, passes: int = 20) -> int:
    """A random legal action, a pass seldom."""
    legal = position.legal()
    return legal[int(random_below(rng, max(len(legal) - int(random_below(rng, passes) > 0), 1)))]


@pytest.mark.parametrize("n, games", [(2, 60), (3, 60), (5, 30)])
def test_same_game_as_one_of_sets_of_points(n: int, games: int) -> None:
    game, rng, removals, kos = phantom_go(n), seeded(1), 0, 0
    for _ in range(games if JIT else 3):
        position, slow, found, passes = game.start(), Slow(n), (set[int](), set[int]()), 0
        while passes < 2 and position.named.plies < 2 * n * n:
            assert not position.is_terminal and position.player == slow.player
            mover = slow.player
            mine = {point for point, who in slow.stones.items() if who == mover}
            tries = set(range(n * n)) - mine - found[mover] - {slow.ko}
            assert position.legal() == [*sorted(tries), n * n]
            action = drawn(position, rng)
            told = [position.observe(action, observer) for observer in range(2)]
            position.apply(action)
            if action in slow.stones:
                found[mover].add(action)
                assert told[1 - mover] == UNSEEN and position.player == mover
                continue
            passed, removed, ko = slow.move(action)
            passes = passes + 1 if passed else 0
            removals, kos = removals + len(removed), kos + (ko is not None)
            for who in range(2):
                assert told[who] & ((1 << SET) - 1) == sum(1 << point for point in removed)
                found[who].difference_update(removed)
            assert board_of(position) == slow.stones
        assert position.is_terminal
        lead = slow.lead()
        assert position.named.lead == lead and position.rewards() == [float(lead > 0), float(lead <= 0)]
    assert not JIT or (removals > 100 and (kos > 0 or n == 2))


@pytest.mark.parametrize("n, games", [(3, 60), (4, 40), (5, 30)])
def test_tries_knowledge_and_results_agree_with_openspiel(n: int, games: int) -> None:
    """There suicide is refused, and a position that comes again ends the game: neither is played here, nor a ko."""
    game, reference, rng = phantom_go(n), pyspiel.load_game(f"phantom_go(board_size={n},komi=0.5)"), seeded(2)
    finished = 0
    for _ in range(games if JIT else 2):
        position, twin, known = game.start(), reference.new_initial_state(), {(0, 0)}
        while not position.is_terminal:
            mover = position.player
            assert mover == twin.current_player() and not twin.is_terminal()
            own, other = (int(position.named.stones[who]) for who in (mover, 1 - mover))
            legal = position.legal()
            assert legal == [action for action in twin.legal_actions() if action != int(position.named.ko) - 1]
            for observer in range(2):
                rows = [
                    line.split()[1]
                    for line in twin.observation_string(observer).splitlines()
                    if "+" in line or "X" in line or "O" in line
                ]
                assert [row.replace("+", ".") for row in rows[:n]] == [
                    row[3:].replace(" ", "") for row in position.render(observer).splitlines()[:n]
                ]
            action = drawn(position, rng, passes=6)
            if other >> action & 1 == 0 and result_of(own, other, action, n) & (own | 1 << action) & ((1 << n * n) - 1):
                continue  # suicide
            position.apply(action)
            twin.apply_action(action)
            board = (int(position.named.stones[0]), int(position.named.stones[1]))
            if twin.is_terminal() and not position.is_terminal:
                assert board in known
                break
            known.add(board)
        else:
            if twin.is_terminal():
                assert position.rewards() == [(value + 1) / 2 for value in twin.returns()]
                finished += 1
    assert finished > 1 or not JIT


# --- what is told --------------------------------------------------------------------------------------------------------------


def test_a_refused_try_is_told_to_the_player_and_unheard_by_the_opponent() -> None:
    position = play(phantom_go(3), "b2 b2")
    assert position.player == 1 and 4 not in position.legal()
    assert position.history[1][2][0] == UNSEEN and position.history[1][2][1] != UNSEEN
    assert "O" not in position.render(0) and position.render(1).count("X") == 1
    assert position.game.format_move is not None
    assert position.game.format_move(position.named, position.history[1][2][1], 1) == "b2, which is taken"


def test_captures_suicides_and_a_ko_are_announced() -> None:
    told = play(phantom_go(3), "a2 a1 b1").history[-1][2]
    words = [phantom_go(3).format_move(play(phantom_go(3), "a2 a1").named, move, who) for who, move in enumerate(told)]  # type: ignore[misc]
    assert words == ["b1, off the board: a1", "a stone somewhere, off the board: a1"]
    suicide = play(phantom_go(3), "a2 c3 b1 a1")
    assert board_of(suicide) == {1: 0, 3: 0, 8: 1}
    ko = play(phantom_go(4), "b1 c1 a2 d2 b3 c3 c2 b2")
    assert ko.named.ko == 7 and "c2" not in {ko.format_action(action) for action in ko.legal()}
    words = [ko.game.format_move(ko.named, move, who) for who, move in enumerate(ko.history[-1][2])]  # type: ignore[misc]
    assert words == ["a stone somewhere, off the board: c2, ko", "b2, off the board: c2, ko"]


# --- what can be ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("observer", [0, 1])
def test_determinizations_are_uniform_over_what_can_be(observer: int) -> None:
    for n, turns in ((2, 4 if JIT else 3), (3, 2)):
        sets = information_sets(phantom_go(n), observer, lambda position, turns=turns: position.named.plies <= turns)
        assert_views_name_information_sets(sets, observer)
        assert_determinized_uniformly(sets, observer, checked=6, draws=60)


def sequences(position: Position, observer: int) -> list[tuple[int, ...]]:
    """The opponent's moves in every game that looks the same to the observer, by brute force on the slow game."""
    state, n = position.named, int(position.named.n)
    told = [(int(state.moves[turn]), int(state.removed[turn]), int(state.refused[turn])) for turn in range(int(state.plies) + 1)]
    found: list[tuple[int, ...]] = []

    def follow(slow: Slow, turn: int, chosen: tuple[int, ...]) -> None:
        theirs = sum(1 << point for point, who in slow.stones.items() if who != observer)
        action, result, refused = told[turn]
        if turn % 2 == observer and refused & ~theirs:
            return
        if turn == state.plies:
            found.append(chosen)
            return
        known = turn % 2 == observer or action == n * n
        for point in [action] if known else range(n * n):
            if point in slow.stones or point == slow.ko:
                continue
            after = Slow(n, dict(slow.stones), slow.ko, slow.player)
            _, removed, ko = after.move(point)
            if sum(1 << other for other in removed) | (ko is not None) << SET == result:
                follow(after, turn + 1, chosen if turn % 2 == observer else (*chosen, point))

    follow(Slow(n), 0, ())
    return found


@pytest.mark.parametrize("seed", range(4))
def test_moves_of_the_opponent_are_drawn_uniformly_after_captures(seed: int) -> None:
    """Later in the game, where sequences are listed by brute force; which tries go with them is independent."""
    rng = seeded(seed, stream=1)
    checked = 0
    while checked < (3 if JIT else 1):
        position = phantom_go(3).start()
        turns = 6 + int(random_below(rng, 5))
        while position.named.plies < turns and not position.is_terminal:
            position.apply(drawn(position, rng))
        if position.is_terminal or not any(position.named.removed):
            continue
        observer = int(random_below(rng, 2))
        possible = sequences(position, observer)
        if not 2 <= len(possible) <= 200:
            continue
        opponent = [turn for turn in range(turns) if turn % 2 != observer]
        draws = (position.determinize(observer, rng).named for _ in range(40 * len(possible)))
        assert_uniform([tuple(int(state.moves[turn]) for turn in opponent) for state in draws], possible)
        checked += 1


def test_boards_that_are_too_small_or_large_are_refused() -> None:
    for n in (1, 6):
        with pytest.raises(GameError, match="2 to 5"):
            phantom_go(n)
    with pytest.raises(GameError, match="komi"):
        phantom_go(3, 0.3)
