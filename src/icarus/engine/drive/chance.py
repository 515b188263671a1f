"""The environment in the tree: an outcome is a record of its node, drawn from the environment's policy or visited evenly."""

from __future__ import annotations

from icarus.engine.calls import call_chance, call_sample
from icarus.engine.identity import seen_by_root
from icarus.engine.layout import AVAILABLE, BY_ROOT_VIEW, Record
from icarus.engine.select.choose import best_of
from icarus.engine.table.records import add_counts, make_record
from icarus.jit import at, part


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
        row.record = records[pick]
        return legal[pick]
    outcome = call_sample(game.sample, state, rng)
    shown = seen_by_root(world, state, outcome) if control.identity == BY_ROOT_VIEW else outcome
    row.record = make_record(world, row.node, shown, -1, 4)
    add_counts(world, row.record, AVAILABLE)
    return outcome
