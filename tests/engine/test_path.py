"""PATH, the way down of an iteration: what each row says, in both drivers, beside the tree from which it was read."""

from __future__ import annotations

from itertools import pairwise

import pytest

from icarus.engine.layout import PathRow, Record
from icarus.jit import size_of
from icarus.search import Search

WAYS = {
    "straight": {"game": "connect_four", "strategy": "Baseline(policy=UCBV())"},
    "straight, enhanced": {"game": "connect_four", "strategy": "RAVE()"},
    "lockstep": {"game": "connect_four", "lanes": 3},
    "hidden": {"game": "phantom(3,3,3)", "algorithm": "so"},
}


def rows_of(search: Search, lane: int) -> list[PathRow]:
    worker = search.team.workers[0]
    status, size = worker.lanes, size_of(PathRow)
    depth = int(type(status)(status._array, lane * size_of(type(status))).rows)
    first = lane * int(worker.control.plies)
    return [PathRow(worker.path._array, (first + number) * size) for number in range(depth)]


@pytest.mark.parametrize("way", WAYS)
def test_the_path_leads_from_the_root_to_a_leaf_step_by_step(way: str) -> None:
    search = Search(seed=1, **WAYS[way])  # type: ignore[arg-type]
    for _ in range(6):
        search.run(iterations=30)
        pool, lanes = search.team.tables[0].pool, search.lanes
        for lane in range(lanes):
            rows = rows_of(search, lane)
            assert 0 < len(rows) <= search.game.max_plies
            assert [row.ply for row in rows] == list(range(len(rows))), "one row for each step, from the root on"
            assert len({row.node for row in rows}) == len(rows) == len({row.record for row in rows}), "nothing is passed twice"
            for above, below in pairwise(rows):
                record = Record(pool, above.record)
                assert below.visits < record.visits, "visits are those of the history before this playout"
                if search.one_state:
                    assert record.following == below.node, "a record leads to the next node"
            if lanes == 1:
                assert Record(pool, rows[-1].record).visits == 1, "the tree ends behind a record that was new"
                assert rows[0].visits == search.iterations - 1


def test_the_path_is_where_rewards_went() -> None:
    """What the last playout added to the tree is on its path, and nowhere else."""
    search = Search("connect_four", strategy="Baseline(policy=UCB1Tuned())", seed=3)
    search.run(iterations=50)
    before = search.team.tables[0].pool.copy()
    search.run(iterations=1)
    rows, pool = rows_of(search, 0), search.team.tables[0].pool
    reward = [Record(pool, rows[-1].record).reward[player] for player in range(2)]
    assert sum(reward) == 1.0
    for row in rows:
        for player in range(2):
            assert Record(pool, row.record).reward[player] - Record(before, row.record).reward[player] == reward[player]
        assert Record(pool, row.record).visits - Record(before, row.record).visits == 1
