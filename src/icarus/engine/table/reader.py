"""Reading the record table from outside the loop: whole contexts, lines of play, and what each capture holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import types

from icarus.engine.layout import BLOCK_WORDS, COUNTS, LOW, PAGE_ACTIONS, Block, Context, Page, Record, SharedContext, World
from icarus.engine.table.pool import Table
from icarus.engine.table.records import find_context, find_record, make_context, make_record, record_in
from icarus.jit import kernel
from icarus.jit.randomness import mix

WORDS = types.int64[::1]
REALS = types.float64[::1]


@kernel(types.int64(WORDS, types.int64, WORDS, REALS))
def read_context(handle, key, actions, out):
    """All records of a context: their actions, and rows of visits, availability and total rewards; returns how many there are."""
    world = World(handle)
    pool, players = world.pool, world.game.players
    context = find_context(world, key)
    if context == 0:
        return 0
    count = 0
    block = Context(pool, context).block
    while block != 0:
        for position in range(Block(pool, block).capacity):
            record = Record(pool, record_in(world, block, position))
            if record.label != 0:
                if count < actions.shape[0]:
                    actions[count] = record.label - 1
                    row = count * (2 + players)
                    out[row] = record.visits
                    out[row + 1] = record.available + Block(pool, block).trials
                    for player in range(players):
                        out[row + 2 + player] = record.reward[player]
                count += 1
        block = Block(pool, block).next
    return count


@kernel(types.int64(WORDS, types.int64, types.int64, WORDS))
def most_visited_line(handle, key, action, line):
    """The most visited actions, one after the other, behind an action at a node; returns how many there are."""
    world = World(handle)
    pool = world.pool
    for ply in range(line.shape[0]):
        context = find_context(world, key)
        record = find_record(world, context, action, 0) if context != 0 else 0
        # where the way has not been walked yet the key says where it would lead
        following = Record(pool, record).following if record != 0 else 0
        key = Context(pool, following).key if following != 0 else mix(key, action)
        context = find_context(world, key)
        most, action = 0, -1
        block = Context(pool, context).block if context != 0 else 0
        while block != 0:
            for position in range(Block(pool, block).capacity):
                record = record_in(world, block, position)
                if Record(pool, record).visits > most:
                    most = Record(pool, record).visits
                    action = Record(pool, record).label - 1
            block = Block(pool, block).next
        if action < 0:
            return ply
        line[ply] = action
    return line.shape[0]


@kernel(types.int64(WORDS, types.int64, types.int64))
def record_at(handle, key, action):
    """The record of an action in a context, made if it is new (how a search gets the record of its root)."""
    world = World(handle)
    return make_record(world, make_context(world, key, 0), action, -1, 1)


@kernel(types.int64(WORDS, types.int64, types.int64))
def existing_record(handle, key, action):
    """The record of an action in a context, or 0."""
    world = World(handle)
    context = find_context(world, key)
    return 0 if context == 0 else find_record(world, context, action, 0)


def visits_by_capture(table: Table, captures: int) -> list[npt.NDArray[np.int64]]:
    """The visits of every record that has any, capture by capture."""
    pool = table.pool
    contexts = table.contexts()
    owners, blocks = pool[contexts + Context.owner.offset], pool[contexts + Context.block.offset]
    paged = (owners != 0) & (pool[contexts + SharedContext.directory.offset] != 0)
    found: list[list[npt.NDArray[np.int64]]] = [[] for _ in range(captures)]
    while blocks.any():
        owners, blocks, paged = owners[blocks != 0], blocks[blocks != 0], paged[blocks != 0]
        sizes, widths = pool[blocks], np.where(paged, table.meta.paged_width, table.meta.width)
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        first = blocks + BLOCK_WORDS - paged + COUNTS
        visits = pool[np.repeat(first, sizes) + within * np.repeat(widths, sizes)] & LOW
        owner = np.repeat(owners, sizes)
        for number in range(captures):
            found[number].append(visits[(owner == number) & (visits > 0)])
        blocks = pool[blocks + Page.next.offset]
    return [np.concatenate([np.zeros(0, np.int64), *parts]) for parts in found]


def replies_by_capture(table: Table, captures: int) -> npt.NDArray[np.int64]:
    """How many contexts remember a reply, capture by capture."""
    contexts = table.contexts()
    owners = table.pool[contexts + Context.owner.offset]
    remembering = (owners != 0) & (table.pool[contexts + SharedContext.reply.offset] != 0)
    return np.bincount(owners[remembering], minlength=captures)


@dataclass(frozen=True)
class ContextView:
    """A context as Python sees it."""

    owner: int  #: the capture that made it
    key: int
    #: action -> visits, availability, total rewards (of every player, or of the one whose context it is)
    records: dict[int, tuple[int, int, tuple[float, ...]]]
    reply: int  #: the last good reply + 1


def read_table(table: Table, players: int) -> Iterator[ContextView]:
    """Every context of a table with all its records."""
    pool = table.pool
    for offset in table.contexts():
        context = SharedContext(pool, int(offset))
        paged = context.owner != 0 and context.directory != 0
        width, own = int(table.meta.paged_width if paged else table.meta.width), 1 if paged else players
        records: dict[int, tuple[int, int, tuple[float, ...]]] = {}
        block = int(context.block)
        while block:
            for position in range(int(Block(pool, block).capacity)):
                record = Record(pool, block + BLOCK_WORDS + position * width - paged)
                counted = int(record.counts)
                if paged:
                    action = int(Page(pool, block).number) * PAGE_ACTIONS + position if counted else -1
                else:
                    action = int(record.label) - 1
                if action >= 0:
                    available = (counted >> 32) + (0 if paged else int(Block(pool, block).trials))
                    records[action] = (counted & LOW, available, tuple(float(x) for x in record.reward[:own]))
            block = int(Block(pool, block).next)
        yield ContextView(int(context.owner), int(context.key), records, int(context.reply) if context.owner else 0)
