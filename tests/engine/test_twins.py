"""Where a policy declares a twin that the loop inlines, both choose the same: on thousands of random arms."""

from __future__ import annotations

import math

import pytest
from numba import types

from icarus.engine.calls import call_policy
from icarus.engine.layout import (
    BLOCK_WORDS,
    INLINED_GIBBS,
    INLINED_ROULETTE_WHEEL,
    INLINED_UCB1_SUM,
    PAGED,
    Block,
    Directory,
    Glance,
    Record,
    SharedContext,
    World,
)
from icarus.engine.select.arms import read_listed, read_records, read_statistics
from icarus.engine.select.choose import pick_by_leaf
from icarus.engine.select.glance import FEW_ARMS, pick_and_note
from icarus.engine.select.simulation import best_by_sums, draw_by_gibbs, draw_by_means
from icarus.engine.select.ucb1 import pick_ucb1
from icarus.engine.table.pages import make_in_pages
from icarus.engine.table.records import listed_block, make_context, record_in
from icarus.jit import JIT, at, element, kernel, part
from icarus.jit.randomness import random_below, random_unit
from icarus.search import Search
from icarus.strategy.expression import read_strategy
from icarus.strategy.plan import make_plan

ROUNDS = 5000 if JIT else 200
WORDS = types.int64[::1]


@part
def fill(world, record, trials, player):
    """Random visits, few of them none, and a random total that fits; availability as given."""
    record = Record(world.pool, record)
    visits = 0 if random_below(world.rng, 12) == 0 else 1 + random_below(world.rng, trials)
    record.counts = visits + (trials << 32)
    whole = random_below(world.rng, 2) == 0
    total = random_below(world.rng, visits + 1) if whole else visits * random_unit(world.rng)
    record.reward[player] = total
    if world.strategy.statistic_count != 0:  # squares of rewards in [0, 1], mostly of nearly equal ones
        least = total * total / max(visits, 1)
        spread = random_unit(world.rng) ** 4 if random_below(world.rng, 4) > 0 else 0.0
        record.reward[world.game.players] = least + spread * (total - least)


@part
def by_function(world, node, size):
    """The choice of the policy's own function on the arms that have been read, by the random numbers from here on."""
    leaf, arms = element(world.nodes, node), world.baseline_arms if element(world.nodes, node).capture == 0 else world.arms
    arms.size = size
    call_policy(leaf.function, arms, world.values, at(world.numbers, leaf.numbers))
    return pick_by_leaf(world, 0, node, size)


@kernel(types.int64(WORDS, types.int64))
def differences_in_tree(handle, rounds):
    """How often UCB1's or UCB1-Tuned's twin chooses another record than the policy of the tree."""
    world, found = World(handle), 0
    for number in range(rounds):
        size, trials = 2 + random_below(world.rng, 30), 1 + random_below(world.rng, 5000)
        for i in range(size):
            world.legal[i] = i
        block = listed_block(world, make_context(world, 1000 + number, 0), world.legal, size, 0)
        for i in range(size):
            fill(world, record_in(world, block, i), max(trials, size), 0)
        word = world.rng[0]
        read_listed(world, block, size, 0)
        if world.strategy.statistic_count != 0:
            for i in range(size):
                read_statistics(world, world.records[i], world.game.players, i, world.strategy.tree_policy, world.baseline_arms)
        expected = record_in(world, block, by_function(world, world.strategy.tree_policy, size))
        world.rng[0] = word
        # the twin may rely on what holds in a search: some child is untried exactly while there are fewer trials than children
        untried = 0
        for i in range(size):
            untried += Record(world.pool, record_in(world, block, i)).visits == 0
        world.meta.shared = untried > 0
        found += pick_ucb1(world, 0, block, 0, True) != expected
        world.meta.shared = 0
    return found


@kernel(types.int64(WORDS, types.int64))
def differences_at_a_glance(handle, rounds):
    """The same where a node keeps means and roots of its many arms, some of them untried or none."""
    world, found = World(handle), 0
    pool, row = world.pool, element(world.path, 0)
    for number in range(rounds):
        size, trials = FEW_ARMS + 1 + random_below(world.rng, 25), 60 + random_below(world.rng, 5000)
        for i in range(size):
            world.legal[i] = i
        block = listed_block(world, make_context(world, 1000 + number, 0), world.legal, size, 2 * size)
        tried = 0
        for i in range(size):
            record = record_in(world, block, i)
            fill(world, record, trials, 0)
            if Record(pool, record).visits == 0 and number % 2 == 0:
                Record(pool, record).counts += 1
            tried += Record(pool, record).visits > 0
        for i in range(size):
            record = record_in(world, block, i)
            visits = Record(pool, record).visits
            Record(pool, record).counts = visits + ((tried if tried < size else trials) << 32)
            if visits > 0:
                numbers = Glance(pool, block - 2 * size + i).numbers
                numbers[0] = math.sqrt(1.0 / visits)
                numbers[size] = Record(pool, record).reward[0] * (1.0 / visits)
        Block(pool, block).fill += (tried if tried < size else trials) << 32
        word = world.rng[0]
        read_listed(world, block, size, 0)
        if world.strategy.statistic_count != 0:
            for i in range(size):
                read_statistics(world, world.records[i], world.game.players, i, world.strategy.tree_policy, world.baseline_arms)
        expected = record_in(world, block, by_function(world, world.strategy.tree_policy, size))
        world.rng[0] = word
        found += (
            pick_and_note(world, row, block, 0) != expected
            or row.arm != block - 2 * size + (expected - block - BLOCK_WORDS) // world.meta.width
        )
    return found


@kernel(types.int64(WORDS, types.int64, types.int64))
def differences_in_simulation(handle, rounds, twin):
    """The same for the twins of UCB1 over sums, of Gibbs sampling and of the roulette wheel, on records in pages."""
    world, found, node = World(handle), 0, World(handle).strategy.simulation_policy
    parameter, looked = world.numbers[element(world.nodes, node).numbers], element(world.looked, 1)
    for number in range(rounds):
        size, trials = 2 + random_below(world.rng, 30), 1 + random_below(world.rng, 500)
        # some with a wide page, some with more or less of their actions in it
        context, step = make_context(world, 1000 + number, 1), 3 + 4 * (number & 1)
        for i in range(size):
            world.legal[i] = step * i
            fill(world, make_in_pages(world, context, step * i, True), trials, 0)
        word = world.rng[0]
        looked.context = context
        looked.directory = SharedContext(world.pool, context).directory
        looked.wide_page = Directory(world.pool, looked.directory).wide_page
        read_records(world, context, PAGED, world.legal, size, 0, node)
        expected = by_function(world, node, size)
        world.rng[0] = word
        if twin == INLINED_ROULETTE_WHEEL:
            found += draw_by_means(world, 0, looked, world.legal, size) != expected
        elif twin == INLINED_GIBBS:
            found += draw_by_gibbs(world, 0, looked, world.legal, size, parameter) != expected
        else:
            found += best_by_sums(world, 0, looked, world.legal, size, parameter) != expected
    return found


def prepared(strategy: str, game: str = "othello") -> Search:
    search = Search(game, strategy=strategy, seed=1, memory=1 << 28)
    search.run(iterations=1)
    while len(search.team.tables[0].index) < 4 * ROUNDS:
        search.team.tables[0].grow_index()
    search.team.workers[0].use_table(search.team.tables[0])
    return search


@pytest.mark.parametrize("policy", ["UCB1(c=0.2)", "UCB1(c=0.7)", "UCB1(c=2)", "UCB1Tuned()"])
def test_the_twins_of_policies_in_the_tree_choose_as_they_do(policy: str) -> None:
    search = prepared(f"Baseline(policy={policy})")
    assert differences_in_tree(search.team.workers[0].handle, ROUNDS) == 0
    search = prepared(f"Baseline(policy={policy})", "hex(8)")
    assert differences_at_a_glance(search.team.workers[0].handle, ROUNDS) == 0


@pytest.mark.parametrize(
    "strategy, twin",
    [
        ("NAST(2, c=0.7)", INLINED_UCB1_SUM),
        ("NAST(2, c=0.1)", INLINED_UCB1_SUM),
        ("MAST(tau=1)", INLINED_GIBBS),
        ("MAST(tau=4)", INLINED_GIBBS),
        ("MAST(policy=RouletteWheel())", INLINED_ROULETTE_WHEEL),
    ],
)
def test_the_twins_of_simulation_policies_choose_as_they_do(strategy: str, twin: int) -> None:
    search = prepared(f"Baseline() >> {strategy}")
    assert differences_in_simulation(search.team.workers[0].handle, ROUNDS, twin) == 0


@pytest.mark.parametrize("strategy", ["N", "M", "NRML"])
def test_a_statistic_of_the_baseline_alone_keeps_no_capture_from_its_short_way(strategy: str) -> None:
    """EXP3, which chooses at simultaneous decisions of the tree, has one."""
    words = make_plan(read_strategy(strategy), simultaneous=True).words
    assert words["statistic_count"] == 1 and words["captured_statistics"] == 0 and words["one_context"]
    words = make_plan(read_strategy("Baseline() >> MAST(policy=EXP3())"), simultaneous=True).words
    assert words["statistic_count"] == words["captured_statistics"] == 1 and not words["one_context"]
