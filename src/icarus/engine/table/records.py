"""The record table: every number that a search remembers.

A *context* is the situation in which a record was made: a move history for the baseline, the previous move for NAST, a player for
MAST.  The record of an action is the pair (context, action).  Contexts are found through an open-addressing index of 64-bit
keys; the records of one context lie side by side in blocks, so that a policy reads a run of memory instead of chasing one hash
per action.  Nothing ever moves: a context that outgrows its block gets a second, larger one in front.  Together with
compare-and-swap on insertion that makes the table safe for many threads without a lock.

Everything lives in one array of 64-bit words, the pool; what it holds is declared in engine/layout.py.  Contexts that many steps
share keep shorter records in pages (pages.py).
"""

from __future__ import annotations

from numba import types

from icarus.engine.layout import (
    BLOCK_WORDS,
    CONTEXT_WORDS,
    KEEPS_REPLIES,
    KEEPS_REPLIES_FORGETS,
    SINK,
    Block,
    Context,
    Record,
    SharedContext,
    World,
)
from icarus.jit import atomic_add, compare_and_swap, element, kernel, part

WORDS = types.int64[::1]


@part
def allocate(world, words):
    """Take words from the pool; 0 when there are none left."""
    meta = world.meta
    if meta.shared != 0:
        offset = atomic_add(meta, "used", words)
        if offset + words > meta.limit:
            atomic_add(meta, "used", -words)
            meta.full = 1
            return 0
    else:
        offset = meta.used
        if offset + words > meta.limit:
            meta.full = 1
            return 0
        meta.used = offset + words
    return offset


@part
def count_records(world, capture, number):
    """So many records of a capture are new (below 0: are no more)."""
    meta = world.meta
    if meta.shared != 0:
        atomic_add(meta, "records_held", number)
        atomic_add(meta.per_capture, capture, number)
    else:
        meta.records_held += number
        meta.per_capture[capture] += number


@part
def find_context(world, key):
    """The context of this key, or 0."""
    pool, index = world.pool, world.index
    mask = world.meta.slots - 1
    slot = key & mask
    while True:
        context = index[slot]
        if context == 0 or Context(pool, context).key == key:
            return context
        slot = (slot + 1) & mask


@part
def make_context(world, key, capture):
    """The context of this key, made if it is new; 0 when memory is used up."""
    pool, index, meta = world.pool, world.index, world.meta
    mask = meta.slots - 1
    slot = key & mask
    fresh = 0
    while True:
        context = index[slot]
        if context == 0:
            if fresh == 0:
                if meta.context_count * 8 > meta.slots * 7:
                    meta.full = 1
                    return 0
                fresh = allocate(world, CONTEXT_WORDS)
                if fresh == 0:
                    return 0
                Context(pool, fresh).key = key
                Context(pool, fresh).owner = capture
            context = compare_and_swap(index, slot, 0, fresh) if meta.shared != 0 else 0
            if context == 0:
                index[slot] = fresh
                if meta.shared != 0:
                    atomic_add(meta, "context_count", 1)
                else:
                    meta.context_count += 1
                return fresh
        if Context(pool, context).key == key:
            return context
        slot = (slot + 1) & mask


@part
def record_in(world, block, position):
    """Where the record at a position of a block is."""
    return block + BLOCK_WORDS + position * world.meta.width


@part
def first_slot(action, capacity):
    """Where a record of this action is looked for first in a hashed block."""
    return ((((action ^ (action >> 15)) * 40503) & 0xFFFF) * capacity) >> 16


@part
def find_record(world, context, action, hint):
    """The record of an action in a context, or 0.

    ``hint`` >= 0 says that the blocks of this context are *listed*: filled in the order of the legal actions, so the record is
    almost always the one at ``hint``; below 0 they are *hashed*.
    """
    pool = world.pool
    label = action + 1
    block = Context(pool, context).block
    while block != 0:
        capacity = Block(pool, block).capacity
        position = first_slot(action, capacity) if hint < 0 else hint
        for _ in range(capacity):
            if position >= capacity:
                position = 0
            record = record_in(world, block, position)
            found = Record(pool, record).label
            if found == label:
                return record
            if found == 0 and hint < 0:
                break
            position += 1
        block = Block(pool, block).next
    return 0


@part
def make_record(world, context, action, hint, expected):
    """The record of an action in a context, made if it is new; ``expected`` sizes a context's first block."""
    if context == 0:
        return SINK
    pool, meta = world.pool, world.meta
    label = action + 1
    while True:
        record = find_record(world, context, action, hint)
        if record != 0:
            return record
        block = Context(pool, context).block
        free = 0
        if block != 0:
            capacity = Block(pool, block).capacity
            if hint >= 0 or Block(pool, block).filled * 4 < capacity * 3:
                position = first_slot(action, capacity) if hint < 0 else hint
                for _ in range(capacity):
                    if position >= capacity:
                        position = 0
                    record = record_in(world, block, position)
                    found = Record(pool, record).label
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
                capacity = 2 * Block(pool, block).capacity
            larger = allocate(world, BLOCK_WORDS + capacity * meta.width)
            if larger == 0:
                return SINK
            Block(pool, larger).capacity = capacity
            Block(pool, larger).next = block
            if meta.shared != 0:
                compare_and_swap(Context(pool, context), "block", block, larger)
            else:
                Context(pool, context).block = larger
        else:
            taken = compare_and_swap(Record(pool, free), "head", 0, label) if meta.shared != 0 else 0
            if taken == 0:
                Record(pool, free).head = label
                if meta.shared != 0:
                    atomic_add(Block(pool, block), "fill", 1)
                else:
                    Block(pool, block).fill += 1
                count_records(world, Context(pool, context).owner, 1)
                return free


@part
def listed_block(world, context, actions, size, front):
    """The first block of a context whose records are listed in the order of its actions; a new context gets them all at once.

    ``front``: how many words there are to be in front of it.
    """
    pool, meta = world.pool, world.meta
    block = Context(pool, context).block
    if block != 0:
        return block
    start = allocate(world, front + BLOCK_WORDS + size * meta.width)
    if start != 0:
        block = start + front
        Block(pool, block).capacity = size
        Block(pool, block).fill = size
        record, width = block + BLOCK_WORDS, meta.width
        for i in range(size):
            Record(pool, record).head = actions[i] + 1
            record += width
        other = compare_and_swap(Context(pool, context), "block", 0, block) if meta.shared != 0 else 0
        if other != 0:  # another thread was faster
            return other
        Context(pool, context).block = block
        count_records(world, Context(pool, context).owner, size)
    return block


@part
def add_counts(world, record, amount):
    """Add visits and availability (multiples of VISIT and AVAILABLE); returns the counts before."""
    record = Record(world.pool, record)
    if world.meta.shared != 0:
        return atomic_add(record, "counts", amount)
    before = record.counts
    record.counts = before + amount
    return before


@part
def add_reward(world, record, place, amount):
    """Add to one of a record's totals."""
    reward = Record(world.pool, record).reward
    if world.meta.shared != 0:
        atomic_add(reward, place, amount)
    else:
        reward[place] += amount


@kernel(types.void(WORDS, types.int64, types.float64))
def decay(handle, capture, factor):
    """Keep this share of what a capture holds (0 forgets it); averages stay as they are."""
    world = World(handle)
    pool, meta, kind = world.pool, world.meta, element(world.captures, capture).kind
    replies = kind == KEEPS_REPLIES or kind == KEEPS_REPLIES_FORGETS
    for slot in range(meta.slots):
        offset = world.index[slot]
        if offset == 0 or Context(pool, offset).owner != capture:
            continue
        context = SharedContext(pool, offset)
        paged = 1 if context.directory != 0 else 0
        if factor == 0.0 and replies:
            context.reply = 0
        width = meta.paged_width if paged else meta.width
        block = context.block
        while block != 0:
            for position in range(Block(pool, block).capacity):
                record = Record(pool, block + BLOCK_WORDS + position * width - paged)
                visits, available = record.visits, record.available
                if visits + available == 0:
                    continue
                kept = int(visits * factor)
                share = kept / visits if visits > 0 else 0.0
                record.counts = kept + (int(available * factor) << 32)
                for place in range(width - 2 + paged):
                    record.reward[place] *= share
                if paged and record.counts == 0:  # a record in a page is there as long as it counts something
                    count_records(world, capture, -1)
            block = Block(pool, block).next
