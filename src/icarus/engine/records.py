"""The record table: every number that a search remembers.

A *context* is the situation in which a record was made: a move history for the baseline, the previous move for NAST, a player for
MAST.  The record of an action is the pair (context, action).  Contexts are found through an open-addressing index of 64-bit
keys; the records of one context lie side by side in blocks, so that a policy reads a run of memory instead of chasing one hash
per action.  Nothing ever moves: a context that outgrows its block gets a second, larger one in front.  Together with
compare-and-swap on insertion that makes the table safe for many threads without a lock.

Everything lives in one array of 64-bit words (``pool``; ``real`` is the same memory as floats):

========  =============================================================================================
context   KEY, BLOCK (offset of its first block), REPLY (last good reply + 1), OWNER (capture that made it),
          DIRECTORY (of its pages, see pages.py)
block     CAPACITY, FILLED, NEXT (an older block), then ``capacity`` records of ``width`` words
record    ACTION + 1 (0 means free) with the offset of the context that follows; visits in the low and
          availability in the high half of one word; total reward of every player; then what a policy asked
          for: importance-weighted reward, squares
========  =============================================================================================

Contexts that many steps share keep shorter records in pages (pages.py).
"""

from __future__ import annotations

import sys
import threading

import numpy as np
import numpy.typing as npt
from numba import types

from icarus.engine import words as w
from icarus.engine.memory import words_apart, words_reserved
from icarus.engine.native import at, atomic_add, compare_and_swap, ints, kernel, part, reals

#: The latest pools, to be used again when their searches are over: new memory is handed out page by page, which takes longer
#: than to clean what was used.  (A destructor that hands them back would swallow a Ctrl-C that comes while it runs.)
_POOLS: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
_POOLS_LOCK = threading.Lock()
POOLS_KEPT = 2
WORTH_CLEANING = 1 << 25  #: words


def _take_pool(size: int, meta: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A pool of zeros for a table, of which ``meta`` will say how much is used."""
    with _POOLS_LOCK:
        for number, (pool, used) in enumerate(_POOLS):
            # nobody but this list and this line hold it, and nobody a part of it
            if len(pool) == size and sys.getrefcount(pool) == 3 and sys.getrefcount(pool.base) == 2:
                del _POOLS[number]
                if used[w.USED] < WORTH_CLEANING:
                    pool[: used[w.USED]] = 0
                    break
        else:
            pool = words_reserved(size)
        _POOLS.append((pool, meta))
        del _POOLS[:-POOLS_KEPT]
        return pool


class Table:
    """The arrays of one record table.  The pool is reserved at its full size; the system hands out pages as they are used."""

    def __init__(self, *, bytes_limit: int, players: int, importance: bool, squares: bool, shared: bool, contexts: int) -> None:
        # growing the index takes time, a large one memory: begin with enough for a search of some thousand iterations
        slots = 1 << max(10, (2 * contexts - 1).bit_length(), min(bytes_limit >> 7, 4096).bit_length())
        self.index: npt.NDArray[np.int64] = np.zeros(slots, np.int64)
        self.meta: npt.NDArray[np.int64] = words_apart(w.META_WORDS)
        self.pool = _take_pool(max(bytes_limit // 8, 4 * w.FIRST), self.meta)
        self.meta[w.USED], self.meta[w.LIMIT] = w.FIRST, len(self.pool)
        self.meta[w.WIDTH] = w.REWARD + players + importance + squares
        self.meta[w.IMPORTANCE] = w.REWARD + players if importance else 0
        self.meta[w.SQUARES] = w.REWARD + players + importance if squares else 0
        self.meta[w.PAGED_WIDTH], self.meta[w.PAGED_LESS] = 2 + importance + squares, players - 1
        self.meta[w.SHARED], self.meta[w.SLOTS] = shared, slots

    @property
    def used_bytes(self) -> int:
        """The memory that the table really occupies."""
        return int(self.meta[w.USED]) * 8 + self.index.nbytes

    @property
    def records(self) -> int:
        return int(self.meta[w.RECORDS_HELD])

    def clear(self) -> None:
        """Forget everything, touching only what was used."""
        self.pool[: self.meta[w.USED]] = 0
        self.index[:] = 0
        self.meta[w.USED] = w.FIRST
        self.meta[[w.CONTEXT_COUNT, w.FULL, w.RECORDS_HELD]] = 0
        self.meta[w.PER_CAPTURE :] = 0

    def grow_index(self) -> None:
        """Make room for twice as many contexts."""
        larger = np.zeros(2 * len(self.index), np.int64)
        reindex(self.pool, self.index, larger)
        self.index = larger
        self.meta[w.SLOTS] = len(larger)


WORDS = types.int64[::1]


@kernel(types.void(WORDS, WORDS, WORDS))
def reindex(pool, index, larger):
    mask = larger.shape[0] - 1
    for position in range(index.shape[0]):
        context = index[position]
        if context != 0:
            slot = pool[context + w.KEY] & mask
            while larger[slot] != 0:
                slot = (slot + 1) & mask
            larger[slot] = context


@part
def allocate(world, words):
    """Take words from the pool; 0 when there are none left."""
    meta = ints(world, w.META)
    if meta[w.SHARED] != 0:
        offset = atomic_add(meta, w.USED, words)
        if offset + words > meta[w.LIMIT]:
            atomic_add(meta, w.USED, -words)
            meta[w.FULL] = 1
            return 0
    else:
        offset = meta[w.USED]
        if offset + words > meta[w.LIMIT]:
            meta[w.FULL] = 1
            return 0
        meta[w.USED] = offset + words
    return offset


@part
def count_up(world, word, amount):
    """Add to a counter of the table."""
    meta = ints(world, w.META)
    if meta[w.SHARED] != 0:
        atomic_add(meta, word, amount)
    else:
        meta[word] += amount


@part
def find_context(world, key):
    """The context of this key, or 0."""
    pool, index, meta = ints(world, w.POOL), ints(world, w.INDEX), ints(world, w.META)
    mask = meta[w.SLOTS] - 1
    slot = key & mask
    while True:
        context = index[slot]
        if context == 0 or pool[context + w.KEY] == key:
            return context
        slot = (slot + 1) & mask


@part
def make_context(world, key, capture):
    """The context of this key, made if it is new; 0 when memory is used up."""
    pool, index, meta = ints(world, w.POOL), ints(world, w.INDEX), ints(world, w.META)
    mask = meta[w.SLOTS] - 1
    slot = key & mask
    fresh = 0
    while True:
        context = index[slot]
        if context == 0:
            if fresh == 0:
                if meta[w.CONTEXT_COUNT] * 8 > meta[w.SLOTS] * 7:
                    meta[w.FULL] = 1
                    return 0
                fresh = allocate(world, w.CONTEXT_WORDS)
                if fresh == 0:
                    return 0
                pool[fresh + w.KEY] = key
                pool[fresh + w.OWNER] = capture
            context = compare_and_swap(index, slot, 0, fresh) if meta[w.SHARED] != 0 else 0
            if context == 0:
                index[slot] = fresh
                count_up(world, w.CONTEXT_COUNT, 1)
                return fresh
        if pool[context + w.KEY] == key:
            return context
        slot = (slot + 1) & mask


@part
def home(action, capacity):
    """Where a record of this action is looked for first in a hashed block."""
    return ((((action ^ (action >> 15)) * 40503) & 0xFFFF) * capacity) >> 16


@part
def find_record(world, context, action, hint):
    """The record of an action in a context, or 0.

    ``hint`` >= 0 says that the blocks of this context are *listed*: filled in the order of the legal actions, so the record is
    almost always the one at ``hint``; below 0 they are *hashed*.
    """
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    width = meta[w.WIDTH]
    label = action + 1
    block = pool[context + w.BLOCK]
    while block != 0:
        capacity = pool[block + w.CAPACITY]
        position = home(action, capacity) if hint < 0 else hint
        for _ in range(capacity):
            if position >= capacity:
                position = 0
            record = block + w.BLOCK_WORDS + position * width
            found = pool[record + w.ACTION] & w.LOW
            if found == label:
                return record
            if found == 0 and hint < 0:
                break
            position += 1
        block = pool[block + w.NEXT]
    return 0


@part
def make_record(world, context, action, hint, expected):
    """The record of an action in a context, made if it is new; ``expected`` sizes a context's first block."""
    if context == 0:
        return w.SINK
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    width = meta[w.WIDTH]
    label = action + 1
    while True:
        record = find_record(world, context, action, hint)
        if record != 0:
            return record
        block = pool[context + w.BLOCK]
        free = 0
        if block != 0:
            capacity = pool[block + w.CAPACITY]
            if hint >= 0 or pool[block + w.FILLED] * 4 < capacity * 3:
                position = home(action, capacity) if hint < 0 else hint
                for _ in range(capacity):
                    if position >= capacity:
                        position = 0
                    record = block + w.BLOCK_WORDS + position * width
                    found = pool[record + w.ACTION] & w.LOW
                    if found == label:  # another thread was faster
                        return record
                    if found == 0:
                        free = record
                        break
                    position += 1
        if free == 0:
            if block == 0:
                capacity = expected if hint >= 0 else expected + expected // 2 + 2
            else:
                capacity = 2 * pool[block + w.CAPACITY]
            larger = allocate(world, w.BLOCK_WORDS + capacity * width)
            if larger == 0:
                return w.SINK
            pool[larger + w.CAPACITY] = capacity
            pool[larger + w.NEXT] = block
            if meta[w.SHARED] != 0:
                compare_and_swap(pool, context + w.BLOCK, block, larger)
            else:
                pool[context + w.BLOCK] = larger
        else:
            taken = compare_and_swap(pool, free + w.ACTION, 0, label) if meta[w.SHARED] != 0 else 0
            if taken == 0:
                pool[free + w.ACTION] = label
                if meta[w.SHARED] != 0:
                    atomic_add(pool, block + w.FILLED, 1)
                else:
                    pool[block + w.FILLED] += 1
                count_up(world, w.RECORDS_HELD, 1)
                count_up(world, w.PER_CAPTURE + pool[context + w.OWNER], 1)
                return free


@part
def listed_block(world, context, actions, size):
    """The first block of a context whose records are listed in the order of its actions; a new context gets them all at once."""
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    block = pool[context + w.BLOCK]
    if block != 0:
        return block
    width = meta[w.WIDTH]
    block = allocate(world, w.BLOCK_WORDS + size * width)
    if block != 0:
        pool[block + w.CAPACITY] = size
        pool[block + w.FILLED] = size
        for i in range(size):
            pool[block + w.BLOCK_WORDS + i * width + w.ACTION] = actions[i] + 1
        other = compare_and_swap(pool, context + w.BLOCK, 0, block) if meta[w.SHARED] != 0 else 0
        if other != 0:  # another thread was faster
            return other
        pool[context + w.BLOCK] = block
        count_up(world, w.RECORDS_HELD, size)
        count_up(world, w.PER_CAPTURE + pool[context + w.OWNER], size)
    return block


@part
def add(world, record, amount):
    """Add visits and availability (multiples of w.VISIT and w.AVAILABLE); returns the counts before."""
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    if meta[w.SHARED] != 0:
        return atomic_add(pool, record + w.COUNTS, amount)
    before = pool[record + w.COUNTS]
    pool[record + w.COUNTS] = before + amount
    return before


@part
def add_reward(world, record, word, amount):
    """Add to one of a record's totals."""
    real, meta = reals(world, w.POOL), ints(world, w.META)
    if meta[w.SHARED] != 0:
        atomic_add(real, record + word, amount)
    else:
        real[record + word] += amount


@kernel(types.void(WORDS, types.int64, types.float64))
def decay(world_array, capture, factor):
    """Keep this share of what a capture holds (0 forgets it); averages stay as they are."""
    world = at(world_array, 0)
    pool, real, index, meta = ints(world, w.POOL), reals(world, w.POOL), ints(world, w.INDEX), ints(world, w.META)
    for slot in range(meta[w.SLOTS]):
        context = index[slot]
        if context == 0 or pool[context + w.OWNER] != capture:
            continue
        if factor == 0.0:
            pool[context + w.REPLY] = 0
        paged = pool[context + w.DIRECTORY] != 0
        width = meta[w.PAGED_WIDTH] if paged else meta[w.WIDTH]
        words = w.REWARD + width - 1 if paged else width
        block = pool[context + w.BLOCK]
        while block != 0:
            for position in range(pool[block + w.CAPACITY]):
                record = block + w.BLOCK_WORDS + position * width - paged
                visits, available = pool[record + w.COUNTS] & w.LOW, pool[record + w.COUNTS] >> 32
                if visits + available == 0:
                    continue
                kept = int(visits * factor)
                share = kept / visits if visits > 0 else 0.0
                pool[record + w.COUNTS] = kept * w.VISIT + int(available * factor) * w.AVAILABLE
                for word in range(w.REWARD, words):
                    real[record + word] *= share
                if paged and pool[record + w.COUNTS] == 0:  # a record in a page is there as long as it counts something
                    meta[w.RECORDS_HELD] -= 1
                    meta[w.PER_CAPTURE + capture] -= 1
            block = pool[block + w.NEXT]
