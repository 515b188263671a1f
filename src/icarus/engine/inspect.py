"""Reading the record table from outside the loop."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from icarus.engine import words as w
from icarus.engine.native import at, ints, kernel, reals
from icarus.engine.randomness import mix
from icarus.engine.records import Table, find_context, find_record, make_context, make_record

WORDS = types.int64[::1]
REALS = types.float64[::1]


@kernel(types.int64(WORDS, types.int64, WORDS, REALS))
def read_context(world_array, key, actions, out):
    """All records of a context: their actions, and rows of visits, availability and total rewards; returns how many there are."""
    world = at(world_array, 0)
    pool, real, meta = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.META)
    players = ints(world, w.GAME)[w.PLAYERS]
    context = find_context(world, key)
    if context == 0:
        return 0
    count = 0
    block = pool[context + w.BLOCK]
    while block != 0:
        for position in range(pool[block + w.CAPACITY]):
            record = block + w.BLOCK_WORDS + position * meta[w.WIDTH]
            if pool[record + w.ACTION] != 0:
                if count < actions.shape[0]:
                    actions[count] = (pool[record + w.ACTION] & w.LOW) - 1
                    row = count * (2 + players)
                    out[row] = pool[record + w.COUNTS] & w.LOW
                    out[row + 1] = pool[record + w.COUNTS] >> 32
                    for player in range(players):
                        out[row + 2 + player] = real[record + w.REWARD + player]
                count += 1
        block = pool[block + w.NEXT]
    return count


@kernel(types.int64(WORDS, types.int64, WORDS))
def most_visited_line(world_array, key, line):
    """The most visited actions, one after the other, from a context on in a tree of actions; returns how many there are."""
    world = at(world_array, 0)
    pool, width = ints(world, w.POOL), ints(world, w.META)[w.WIDTH]
    for ply in range(line.shape[0]):
        context = find_context(world, key)
        most, label = 0, 0
        block = pool[context + w.BLOCK] if context != 0 else 0
        while block != 0:
            for position in range(pool[block + w.CAPACITY]):
                record = block + w.BLOCK_WORDS + position * width
                if pool[record + w.COUNTS] & w.LOW > most:
                    most = pool[record + w.COUNTS] & w.LOW
                    label = pool[record + w.ACTION] & w.LOW
            block = pool[block + w.NEXT]
        if label == 0:
            return ply
        line[ply] = label - 1
        key = mix(key, label - 1)
    return line.shape[0]


@kernel(types.int64(WORDS, types.int64, types.int64))
def record_at(world_array, key, action):
    """The record of an action in a context, made if it is new (how a search gets the record of its root)."""
    world = at(world_array, 0)
    return make_record(world, make_context(world, key, 0), action, -1, 1)


@kernel(types.int64(WORDS, types.int64, types.int64))
def existing_record(world_array, key, action):
    """The record of an action in a context, or 0."""
    world = at(world_array, 0)
    context = find_context(world, key)
    return 0 if context == 0 else find_record(world, context, action, 0)


def visits_by_capture(table: Table, captures: int) -> list[npt.NDArray[np.int64]]:
    """The visits of every record that has any, capture by capture."""
    pool = table.pool
    contexts = table.index[table.index != 0]
    owners, blocks, paged = pool[contexts + w.OWNER], pool[contexts + w.BLOCK], pool[contexts + w.DIRECTORY] != 0
    found: list[list[npt.NDArray[np.int64]]] = [[] for _ in range(captures)]
    while blocks.any():
        owners, blocks, paged = owners[blocks != 0], blocks[blocks != 0], paged[blocks != 0]
        sizes, widths = pool[blocks + w.CAPACITY], np.where(paged, table.meta[w.PAGED_WIDTH], table.meta[w.WIDTH])
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        first = blocks + w.BLOCK_WORDS - paged + w.COUNTS
        visits = pool[np.repeat(first, sizes) + within * np.repeat(widths, sizes)] & w.LOW
        owner = np.repeat(owners, sizes)
        for number in range(captures):
            found[number].append(visits[(owner == number) & (visits > 0)])
        blocks = pool[blocks + w.NEXT]
    return [np.concatenate([np.zeros(0, np.int64), *parts]) for parts in found]
