"""The record table, pages, pools and shares of a budget, each by itself."""

from __future__ import annotations

import numpy as np
import pytest
from numba import types

from icarus.engine.layout import CONTEXT_WORDS, MOST_WIDE_PAGES, NOWHERE, SINK, VISIT, Directory, Record, SharedContext, World
from icarus.engine.table.pages import make_in_pages, record_of, update_in_page
from icarus.engine.table.pool import Table
from icarus.engine.table.reader import existing_record, read_context, read_table, record_at
from icarus.engine.table.records import make_context
from icarus.engine.team import Share, Tree
from icarus.engine.world import Worker, new_worker
from icarus.game import Game
from icarus.jit import kernel
from icarus.jit.randomness import seeded
from icarus.loading import load


def worker_over(table: Table, game: Game) -> Worker:
    worker = new_worker(game, seeds=seeded(1, stream=1))
    worker.use_table(table)
    return worker


def new_table(bytes_limit: int = 1 << 22, **given: object) -> Table:
    return Table(bytes_limit=bytes_limit, players=2, statistics=0, captured_statistics=0, shared=False, contexts=16, **given)  # type: ignore[arg-type]


def test_records_are_found_again_and_never_move() -> None:
    table = new_table()
    worker = worker_over(table, load("tic_tac_toe"))
    places = {(key, action): int(record_at(worker.handle, key, action)) for key in range(1, 20) for action in range(0, 300, 7)}
    assert len(set(places.values())) == len(places)
    for (key, action), place in places.items():
        assert int(record_at(worker.handle, key, action)) == place == int(existing_record(worker.handle, key, action))
    assert int(existing_record(worker.handle, 1, 1)) == 0 == int(existing_record(worker.handle, 99, 0))
    assert table.records == len(places)


def test_an_index_that_grows_keeps_every_context() -> None:
    table = new_table()
    worker = worker_over(table, load("tic_tac_toe"))
    keys = [int(key) for key in np.random.default_rng(1).integers(1, 2**60, 300)]
    for key in keys:
        record_at(worker.handle, key, 5)
    for _ in range(3):
        table.grow_index()
    worker.use_table(table)
    actions, out = np.zeros(4, np.int64), np.zeros(16)
    for key in keys:
        assert int(read_context(worker.handle, key, actions, out)) == 1 and actions[0] == 5
    assert sorted(view.key for view in read_table(table, 2)) == sorted(keys)
    table.clear()
    assert table.records == 0 and list(read_table(table, 2)) == []


def test_a_table_without_room_hands_out_the_sink_and_says_that_it_is_full() -> None:
    table = new_table(bytes_limit=1 << 13)
    worker = worker_over(table, load("tic_tac_toe"))
    found = [int(record_at(worker.handle, key, 0)) for key in range(1, 400)]
    assert SINK in found and table.meta.full
    assert found.index(SINK) > 400 * CONTEXT_WORDS // 100, "there was room for some"


@kernel(types.int64(types.int64[::1], types.int64, types.boolean))
def differences_between_pages_and_counts(handle, rounds, wide):
    """Records in pages count what was added to them, whichever actions there are; returns how many do not."""
    world, wrong = World(handle), 0
    context = make_context(world, 77, 1)
    for number in range(rounds):
        action = (number * 7919) % 5000
        update_in_page(world, make_in_pages(world, context, action, wide), 1, VISIT, 0.5)
    directory = SharedContext(world.pool, context).directory
    wide_page = Directory(world.pool, directory).wide_page
    wrong += (wide_page != 0) != wide
    for number in range(rounds):
        action = (number * 7919) % 5000
        record = record_of(world.pool, directory, wide_page, world.meta.paged_width, action)
        expected = (rounds - number % 5000 + 4999) // 5000
        wrong += record == NOWHERE or Record(world.pool, record).visits != expected
        wrong += Record(world.pool, record).reward[0] != 0.5 * expected
    return wrong


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("rounds", [1, 40, 7000])
def test_pages_count_every_action(rounds: int, wide: bool) -> None:
    table = new_table()
    assert differences_between_pages_and_counts(worker_over(table, load("tic_tac_toe")).handle, rounds, wide) == 0
    assert table.records == min(rounds, 5000)
    (view,) = read_table(table, 2)
    assert set(view.records) == {number * 7919 % 5000 for number in range(rounds)}


@kernel(types.int64(types.int64[::1], types.int64))
def contexts_with_a_wide_page(handle, contexts):
    world, found = World(handle), 0
    for key in range(1, contexts + 1):
        context = make_context(world, key, 1)
        make_in_pages(world, context, 0, True)
        found += Directory(world.pool, SharedContext(world.pool, context).directory).wide_page != 0
    return found


def test_only_the_contexts_that_come_first_have_wide_pages() -> None:
    table = new_table(1 << 24)
    worker = worker_over(table, load("tic_tac_toe"))
    for _ in range(3):
        table.grow_index()
    worker.use_table(table)
    assert contexts_with_a_wide_page(worker.handle, 2 * MOST_WIDE_PAGES) == MOST_WIDE_PAGES
    table.clear()
    assert contexts_with_a_wide_page(worker.handle, 1) == 1, "a table that has been cleaned is a new one"


def test_a_worker_that_is_given_a_table_forgets_where_contexts_were() -> None:
    table = new_table()
    worker = worker_over(table, load("tic_tac_toe"))
    worker.met.context = 77
    worker.use_table(table)
    assert worker.met.context == 0, "it may have been cleaned in the meantime"


def test_workers_on_one_tree_share_an_allowance_to_the_last_iteration() -> None:
    tree = Tree(np.zeros(1, np.int64), np.zeros(1, np.int64), new_table())
    share, taken = Share(tree, 1000.0, None, workers=3), []
    while amount := share.take(300, 16):
        taken.append(amount)
        share.account(amount, amount)
    assert sum(taken) == 1000 == tree.iterations
    assert max(taken) <= 1000 // 6 + 1 and taken[-1] <= 16, "ever fewer, so that all end together"
    share.account(5, 0)
    assert share.take(300, 16) == 5, "what was not done can be taken again"
