"""P-games: branch values, leaves, and the value of whole trees by brute force."""

from __future__ import annotations

import pytest

from icarus.errors import GameError
from icarus.game import Game, Position
from icarus.games.pgame import pgame
from icarus.jit import JIT
from icarus.jit.randomness import random_below, seeded
from tests.support import assert_uniform


def minimax(game: Game, position: Position) -> float:
    """Player 0's reward when both play their best."""
    if position.is_terminal:
        return position.rewards()[0]
    values = [minimax(game, position.copy().apply(action)) for action in position.legal()]
    return max(values) if position.player == 0 else min(values)


def branch_values(position: Position) -> list[int]:
    before = int(position.named.points)
    return [int(position.copy().apply(action).named.points) - before for action in position.legal()]


def test_branches_are_worth_0_to_127_for_their_player_equally_often() -> None:
    start = pgame(10_000, 2, seed=1).start()
    assert_uniform(branch_values(start), range(128))
    assert_uniform((-value for value in branch_values(start.apply(3))), range(128))


def test_the_sum_at_the_leaf_decides() -> None:
    rng = seeded(1)
    results = set()
    for seed in range(1500 if JIT else 400):
        position = pgame(2, 4, seed).start()
        while not position.is_terminal:
            position.apply(int(random_below(rng, 2)))
        total = int(position.named.points)
        assert position.rewards() == ([1.0, 0.0] if total > 0 else [0.0, 1.0] if total < 0 else [0.5, 0.5])
        results.add(position.rewards()[0])
    assert results == {0.0, 0.5, 1.0}


def test_equal_parameters_make_equal_trees_and_seeds_make_others() -> None:
    def path(seed: int, branches: tuple[int, ...]) -> bytes:
        position = pgame(3, 6, seed).start()
        for branch in branches:
            position.apply(branch)
        return position.state.tobytes()

    assert path(5, (0, 1, 2)) == path(5, (0, 1, 2))
    assert path(5, (0, 1, 2)) != path(6, (0, 1, 2))
    assert len({path(5, (a, b)) for a in range(3) for b in range(3)}) == 9


def test_the_deal_of_a_game_does_not_change_the_tree() -> None:
    assert pgame().start(1).state.tobytes() == pgame().start(2).state.tobytes()


@pytest.mark.parametrize(("branching", "depth"), [(2, 6), (3, 4)])
def test_who_plays_minimax_gets_at_least_the_trees_value(branching: int, depth: int) -> None:
    rng = seeded(2)
    for seed in range(4):
        game = pgame(branching, depth, seed)
        value = minimax(game, game.start())
        for best in (0, 1):
            position = game.start()
            while not position.is_terminal:
                if position.player == best:
                    after = {action: minimax(game, position.copy().apply(action)) for action in position.legal()}
                    position.apply((max if best == 0 else min)(after, key=after.__getitem__))
                else:
                    position.apply(int(random_below(rng, branching)))
            assert position.rewards()[best] >= (value if best == 0 else 1 - value)


def test_trees_of_any_size_take_five_words() -> None:
    position = pgame(10_000, 10_000).start()
    assert len(position.legal()) == 10_000
    assert position.state.nbytes == 40


def test_bad_parameters_are_refused() -> None:
    for branching, depth in ((0, 3), (2, 0), (10_001, 3), (2, 10_001)):
        with pytest.raises(GameError, match="1 to 10000"):
            pgame(branching, depth)
    with pytest.raises(GameError, match="64 bits"):
        pgame(seed=2**64)
