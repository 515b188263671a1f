"""The environment in the tree: an outcome is a record of its node, drawn from the environment's policy or visited evenly."""

from __future__ import annotations

import math

from icarus.engine.calls import call_chance, call_sample, call_weigh
from icarus.engine.identity import seen_by_root
from icarus.engine.layout import AVAILABLE, BY_ROOT_VIEW, Block, Context, Record
from icarus.engine.select.choose import best_of
from icarus.engine.table.records import add_counts, make_record, record_in
from icarus.jit import at, part
from icarus.jit.randomness import random_below


@part
def choose_outcome(world, lane, row, size):
    """An outcome at a row of the path, whose record is noted there; the records have been available once more.

    ``size`` above 0: so many outcomes are listed and are visited evenly, the one that is furthest behind its share next.
    """
    game, control, pool, records, values = world.game, world.control, world.pool, world.records, world.values
    state, rng = at(world.states, lane * game.state_size), at(world.rng, lane)
    legal = at(world.legal, lane * game.max_actions)
    if size > 0:
        call_chance(game.chance, state, values)
        for i in range(size):
            records[i] = make_record(world, row.node, legal[i], -1, size)
            values[i] = -float(Record(pool, records[i]).visits) / values[i]
        pick = 0 if size == 1 else best_of(values, size, rng)
        for i in range(size):
            add_counts(world, records[i], AVAILABLE)
        row.record, outcome = records[pick], legal[pick]
        if control.proofs != 0:
            call_weigh(control.weigh, world, lane, row.record, outcome)
        return outcome
    if world.strategy.outcomes != 0 and row.node != 0:
        known = one_of_known(world, row.node, rng)
        if known != 0:
            add_counts(world, known, AVAILABLE)
            row.record = known
            return Record(pool, known).label - 1
    outcome = call_sample(game.sample, state, rng)
    shown = seen_by_root(world, state, outcome) if control.identity == BY_ROOT_VIEW else outcome
    row.record = make_record(world, row.node, shown, -1, 4)
    add_counts(world, row.record, AVAILABLE)
    if control.proofs != 0:
        call_weigh(control.weigh, world, lane, row.record, outcome)
    return outcome


@part
def one_of_known(world, node, rng):
    """Double progressive widening: once a node has ceil(k n^alpha) outcomes, one of them by its visits; 0: a new one may come."""
    pool, numbers = world.pool, at(world.numbers, world.strategy.outcomes_numbers)
    known, visits = 0, 0
    block = Context(pool, node).block
    while block != 0:
        for position in range(Block(pool, block).capacity):
            record = Record(pool, record_in(world, block, position))
            known += record.label != 0
            visits += record.visits
        block = Block(pool, block).next
    if visits == 0 or known < math.ceil(numbers[0] * (visits + 1.0) ** numbers[1]):
        return 0
    mark = random_below(rng, visits)
    block = Context(pool, node).block
    while block != 0:
        for position in range(Block(pool, block).capacity):
            offset = record_in(world, block, position)
            mark -= Record(pool, offset).visits
            if mark < 0:
                return offset
        block = Block(pool, block).next
    return 0
