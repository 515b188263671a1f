"""Later moves in games of perfect information: whatever is put off, copied or packed, the records are the published ones."""

from __future__ import annotations

import pytest

from icarus.engine.layout import LAST_STAMP, LINK_WORDS, LINKS_WORDS, OWN_MOVE_WORDS, Block, Node, OwnMove
from icarus.jit import JIT
from icarus.jit.randomness import mix
from icarus.search import Search
from icarus.strategy import AMAF, GRAVE, HRAVE, RAVE, Baseline, Maxilinear, RaveWeight, Strategy
from tests.oracle.comparing import assert_same_strategy, position_after
from tests.oracle.engine import ALL_MOVES, records

ITERATIONS = 3000 if JIT else 200


@pytest.mark.parametrize("game", ["draft(2)", "draft(2,5000)", "draft(3,1170)", "draft(4)"])
@pytest.mark.parametrize(
    "strategy",
    [RAVE(k=10), GRAVE(ref=5, k=20), GRAVE(ref=3, formula="cadia"), HRAVE(k=10)],
    ids=str,
)
def test_any_number_of_players_and_actions_of_any_number(strategy: Strategy, game: str) -> None:
    for seed, plies in ((1, 0), (2, 2)):
        assert_same_strategy(strategy, position_after(game, plies, seed), "uct", seed, most=200)


def assert_own_moves_are_as_their_contexts(search: Search) -> int:
    """The records that a node keeps of its own legal moves say what its player's context says; returns how many there are."""
    contexts = records(search)[1]
    (table,) = search.team.tables
    pool, seen = table.pool, 0
    for offset in table.contexts():
        node = Node(pool, int(offset))
        if node.owner != 0 or node.amaf >= 0:
            continue
        later = contexts.get(int(mix(int(node.key), ALL_MOVES + 31 + int(node.actor) - 2)), {})
        first = -int(node.amaf) + LINKS_WORDS + LINK_WORDS * search.game.players
        for i in range(int(Block(pool, int(node.block)).capacity)):
            move = OwnMove(pool, first + OWN_MOVE_WORDS * i)
            visits, _, rewards = later.get(int(move.action), (0, 0, (0.0,)))
            assert int(move.visits) == visits
            assert move.reward == pytest.approx(rewards[0])
            seen += visits > 0
    return seen


@pytest.mark.parametrize("game", ["draft(2,5000)", "draft(3,1170)", "connect_four"])
def test_own_moves_are_as_their_contexts(game: str) -> None:
    search = Search(position_after(game, 0, 1), strategy=GRAVE(ref=10), seed=1, memory=1 << 25)
    for _ in range(2):  # looking at the records catches up with what was put off, in the middle of a search
        search.run(iterations=ITERATIONS)
        assert assert_own_moves_are_as_their_contexts(search) > 10


def test_counting_later_moves_does_not_end_with_the_numbers_of_playouts() -> None:
    search = Search(position_after("draft(2,5000)", 0, 1), strategy=GRAVE(ref=10), seed=1, memory=1 << 25)
    search.run(iterations=ITERATIONS)
    search.team.workers[0].control.later_stamp = LAST_STAMP - 20
    search.run(iterations=ITERATIONS)
    assert search.team.workers[0].control.later_stamp < LAST_STAMP - 20
    assert assert_own_moves_are_as_their_contexts(search) > 10


@pytest.mark.skipif(not JIT, reason="a statement about threads")
def test_own_moves_are_as_their_contexts_with_threads_on_one_tree() -> None:
    search = Search(position_after("draft(2)", 0, 1), strategy=GRAVE(ref=5), seed=1, threads=4, parallel="tree", memory=1 << 26)
    for _ in range(5):
        search.run(iterations=ITERATIONS)
        assert assert_own_moves_are_as_their_contexts(search) > 10


def test_a_share_of_own_moves_is_kept_when_a_move_is_played() -> None:
    strategy = Maxilinear(AMAF(ref=10, keep=0.5), Baseline(), weight=RaveWeight(20))
    position = position_after("draft(2)", 0, 1)
    search = Search(position.copy(), strategy=strategy, seed=1, memory=1 << 25)
    search.run(iterations=ITERATIONS)
    before = sum(row[0] for context in records(search)[1].values() for row in context.values())
    position.apply(search.result().root[0].action)
    assert search.advance(position) > 0
    after = sum(row[0] for context in records(search)[1].values() for row in context.values())
    assert 0 < after <= 0.5 * before
    assert assert_own_moves_are_as_their_contexts(search) > 10
    search.run(iterations=ITERATIONS)
    assert assert_own_moves_are_as_their_contexts(search) > 10


@pytest.mark.parametrize("strategy", [GRAVE(ref=2), RAVE(k=10)], ids=str)
def test_a_node_may_have_more_actions_than_a_game_has_plies(strategy: Strategy) -> None:
    assert_same_strategy(strategy, position_after("draft(2,9000,60,2)", 0, 1), "uct", 1, most=400)
