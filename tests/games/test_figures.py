"""The example games of ismcts-2012: what they are worth, and to whom."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from icarus.game import ENVIRONMENT, Game, Position
from icarus.games.figures import A1, A2, A3, A4, A_HIDDEN, B1, B2, B3, B_HIDDEN, figure3, strategy_fusion
from icarus.jit.randomness import seeded
from tests.games.information_sets import (
    assert_determinized_uniformly,
    assert_views_name_information_sets,
    every_start,
    information_sets,
)

GAMES = [strategy_fusion(), figure3(), figure3(partially_observable=True)]


def perfect_value(position: Position) -> float:
    """Player 0's value for players who know the start, as one determinization suggests it."""
    if position.is_terminal:
        return position.rewards()[0]
    values = [perfect_value(position.copy().apply(action)) for action in position.legal()]
    return min(values) if position.player == 1 else max(values)


def value_of_a1(starts: list[Position], chance_of_a3: dict[int, float]) -> float:
    """Player 0's value of a1, playing a3 this often after the move seen of player 1, who knows that and the start."""

    def value(position: Position, seen: int) -> float:
        if position.is_terminal:
            return position.rewards()[0]
        if position.player == 1:
            return min(value(position.copy().apply(b), position.observe(b, 0)) for b in position.legal())
        if position.player == ENVIRONMENT:
            return value(position.copy().apply(position.legal()[0]), seen)
        p = chance_of_a3[seen]
        return p * value(position.copy().apply(A3), seen) + (1 - p) * value(position.copy().apply(A4), seen)

    return sum(value(start.copy().apply(A1), 0) for start in starts) / len(starts)


def test_figure_1_fuses_strategies() -> None:
    starts = every_start(strategy_fusion())
    assert len(starts) == 2
    assert [perfect_value(start.copy().apply(A1)) for start in starts] == [1.0, 1.0]
    assert max(value_of_a1(starts, {0: p}) for p in (0.0, 0.5, 1.0)) == 0.5
    assert [start.copy().apply(A2).rewards() for start in starts] == [[0.75], [0.75]]


def test_figure_3_has_two_replies_from_every_start() -> None:
    replies = {int(start.named.start): start.copy().apply(A1).legal() for start in every_start(figure3())}
    assert replies == {0: [B1, B2], 1: [B2, B3], 2: [B1, B3]}


@pytest.mark.parametrize("game", GAMES[1:], ids=str)
def test_figure_3_depends_on_the_start_after_b2_only(game: Game) -> None:
    rewards = defaultdict(set)
    for start in every_start(game):
        for b in start.copy().apply(A1).legal():
            for a in (A3, A4):
                end = start.copy().apply(A1).apply(b).apply(a)
                if not end.is_terminal:
                    end.apply(end.legal()[0])
                rewards[b, a].add(tuple(end.rewards()))
    assert {b for (b, _), values in rewards.items() if len(values) > 1} == {B2}


def test_a1_is_right_in_figure_3_and_wrong_once_replies_are_hidden() -> None:
    probabilities = (0.0, 0.5, 1.0)
    starts = every_start(figure3())
    answers = (dict(zip((B1, B2, B3), p, strict=True)) for p in product(probabilities, repeat=3))
    observable = max(value_of_a1(starts, answer) for answer in answers)
    hidden_starts = every_start(figure3(partially_observable=True))
    hidden = max(value_of_a1(hidden_starts, {B_HIDDEN: p}) for p in probabilities)
    a2 = figure3().start().apply(A2).rewards()[0]
    assert observable == pytest.approx((1 / 3 + 1) / 2)
    assert hidden == 0.5
    assert hidden < a2 == 0.6 < observable
    assert {perfect_value(start.copy().apply(A1)) for start in every_start(figure3())} == {1.0}


def test_moves_of_figure_3_are_the_papers() -> None:
    position = next(p for p in every_start(figure3(partially_observable=True)) if p.named.start == 0)
    for label in ("a1", "b2", "a3", "e_x,2,3"):
        assert label in [position.format_action(a) for a in position.legal()]
        position.apply(position.parse_action(label))
    moves = [moves for _, _, moves in position.history]
    assert moves[:3] == [(A1, A_HIDDEN), (B_HIDDEN, B2), (A3, A_HIDDEN)]
    assert moves[3][0] == moves[3][1]
    assert position.is_terminal
    assert position.render() == "x a1 b2 a3"


def test_only_b2_leaves_something_to_tell() -> None:
    for start in every_start(figure3()):
        for b in start.copy().apply(A1).legal():
            position = start.copy().apply(A1).apply(b).apply(A3)
            assert position.is_terminal == (b != B2)
            if b == B2:
                assert position.player == ENVIRONMENT and position.legal() == [position.sample(seeded(1))]
                assert position.chance() == [1.0]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_determinizations_are_uniform_over_what_can_be(game: Game) -> None:
    for observer in range(game.players):
        sets = information_sets(game, observer)
        assert_views_name_information_sets(sets, observer)
        assert_determinized_uniformly(sets, observer, checked=8, draws=200)


def test_a_reply_rules_a_start_out() -> None:
    sets = information_sets(figure3(), 0)
    sizes = {seen[1:]: len(states) for seen, states in sets.items()}
    assert sizes[()] == sizes[(A1,)] == 3
    assert {sizes[(A1, b)] for b in (B1, B2, B3)} == {2}
    hidden = {seen[1:]: len(states) for seen, states in information_sets(figure3(True), 0).items()}
    assert hidden[(A1, B_HIDDEN)] == 6


def test_the_start_is_shown_to_the_second_player_only() -> None:
    for start in every_start(figure3()):
        assert start.render(0) == "?"
        assert start.render(1) == start.render() == "xyz"[int(start.named.start)]
    for start in every_start(strategy_fusion()):
        assert start.render(0) == "?"
        assert start.copy().apply(A1).apply(A3).format_action(10 + 2 * int(start.named.start)) == (
            f"e_{'xy'[int(start.named.start)]},3"
        )
