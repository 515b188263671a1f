"""Move groups: the same game with every decision in two steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

import icarus
from icarus.errors import GameError
from icarus.games.grouped import GROUP, grouped
from icarus.games.pgame import pgame
from icarus.jit import JIT
from icarus.search import Search
from icarus.testing import check_game


def minimax(position: icarus.Position) -> float:
    """What the first player gets if neither errs."""
    if position.is_terminal:
        return position.rewards()[0]
    values = [minimax(position.copy().apply(action)) for action in position.legal()]
    return max(values) if position.player == 0 else min(values)


@pytest.mark.parametrize("seed", range(3))
def test_groups_leave_the_value_of_a_game_as_it_is(seed: int) -> None:
    game = pgame(4, 3, seed)
    assert minimax(grouped(game).start()) == minimax(game.start())


def test_a_move_is_a_group_and_then_a_move_of_it() -> None:
    game = icarus.load("icarus.games.grouped:grouped('breakthrough(5,4)')")
    position, plain = game.start(), icarus.load("breakthrough(5,4)").start()
    moves = []
    for group in position.legal():
        assert group >= GROUP and position.format_action(group).startswith("group")
        inside = position.copy().apply(group)
        assert inside.player == position.player
        assert {plain.game.call("group", plain.state, action) for action in inside.legal()} == {group - GROUP}
        moves += inside.legal()
    assert sorted(moves) == sorted(plain.legal())
    position.apply(position.legal()[0])
    action = position.legal()[0]
    position.apply(action)
    assert position.render() == plain.apply(action).render()
    result = Search(game, seed=1).run(iterations=200 if JIT else 30)
    assert len(result.root) == 4, "four pawns can move"


def test_grouped_games_keep_the_contract() -> None:
    assert check_game(grouped("lines_of_action"), games=2 if JIT else 1, seed=1).passed


def test_what_cannot_be_grouped_is_refused() -> None:
    with pytest.raises(GameError, match="the function 'group'"):
        grouped("connect_four")
    hidden = replace(icarus.load("phantom(3,3,3)"), group=icarus.load("breakthrough").group)
    with pytest.raises(GameError, match="hides some"):
        grouped(hidden)
