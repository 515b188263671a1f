"""Contexts that all playouts share (MAST, NAST, GRAVE's root): records found through a directory of pages.

Such a context is read for every legal action of every step of a simulation, so looking must cost next to nothing.  The records of
``PAGE_ACTIONS`` neighbouring actions lie side by side in a *page*, and a small open-addressing directory leads from the page's
number to the page: two loads, no search.  The directory is replaced when it is half full; pages, and so records, never move.  A
page is also a block in the chain of its context.

A record in a page is as short as can be, since memory is what limits the speed here: its place says which action it belongs to,
and its context which player, so it has counts, one reward and the statistics.  Its offset is that of a whole record whose first
word is not there, so that ``Record`` serves for both; a record that counts nothing is not there.

With many threads a directory that is being replaced may lose a page that another thread adds in that moment: a few numbers of
an enhancement are then counted anew.
"""

from __future__ import annotations

from icarus.engine.layout import (
    BLOCK_WORDS,
    DIRECTORY_WORDS,
    NOWHERE,
    PAGE_ACTIONS,
    PAGE_BITS,
    PAGE_SHIFT,
    SINK,
    Directory,
    Page,
    SharedContext,
)
from icarus.engine.table.records import add_counts, add_reward, allocate, count_records
from icarus.jit import atomic_add, compare_and_swap, part

FIRST_DIRECTORY = 8  #: pages that the first directory of a context has room for
PAGE_MASK = (1 << PAGE_SHIFT) - 1


@part
def slot_of(number, mask):
    """Where a page is looked for first: numbers up to the mask, the usual ones, never collide (each has a slot of its own)."""
    return (number ^ (number >> 7) ^ (number >> 14)) & mask


@part
def record_in_page(page, action, width):
    return page + BLOCK_WORDS - 1 + (action & (PAGE_ACTIONS - 1)) * width


@part
def find_in_pages(pool, directory, width, action):
    """The record of an action; NOWHERE, which is all zeros, if it has none."""
    number = action >> PAGE_BITS
    pages = Directory(pool, directory)
    mask = pages.mask
    slot = slot_of(number, mask)
    while True:
        entry = pages.entries[slot]
        if entry >> PAGE_SHIFT == number + 1:
            return record_in_page(entry & PAGE_MASK, action, width)
        if entry == 0:
            return NOWHERE
        slot = (slot + 1) & mask


@part
def make_in_pages(world, context, action):
    """The place of an action's record in a context, made if it is new."""
    if context == 0:
        return SINK
    pool, width = world.pool, world.meta.paged_width
    record = find_in_pages(pool, SharedContext(pool, context).directory, width, action)
    if record == NOWHERE:
        page = add_page(world, context, action >> PAGE_BITS)
        if page == 0:
            return SINK
        record = record_in_page(page, action, width)
    return record


@part
def update_in_page(world, record, capture, counts, reward):
    """Add to the counts and to the reward of a record in a page."""
    if add_counts(world, record, counts) == 0 and record != SINK:
        count_records(world, capture, 1)
    add_reward(world, record, 0, reward)


@part
def add_page(world, context, number):
    """A new page, in the directory and in the chain of its context; 0 when memory is used up."""
    pool, meta = world.pool, world.meta
    shared = meta.shared != 0
    owner = SharedContext(pool, context)
    directory = owner.directory
    if directory == 0 or 2 * Directory(pool, directory).pages > Directory(pool, directory).mask:
        directory = larger_directory(world, context, directory)
        if directory == 0:
            return 0
    offset = allocate(world, BLOCK_WORDS + PAGE_ACTIONS * meta.paged_width)
    if offset == 0:
        return 0
    page, pages = Page(pool, offset), Directory(pool, directory)
    page.capacity = PAGE_ACTIONS
    page.number = number
    entry = ((number + 1) << PAGE_SHIFT) | offset
    slot = slot_of(number, pages.mask)
    while True:
        there = compare_and_swap(pages.entries, slot, 0, entry) if shared else pages.entries[slot]
        if there == 0:
            pages.entries[slot] = entry
            break
        if there >> PAGE_SHIFT == number + 1:  # another thread was faster
            return there & PAGE_MASK
        slot = (slot + 1) & pages.mask
    if shared:
        atomic_add(pages, "pages", 1)
        while True:
            first = owner.block
            page.next = first
            if compare_and_swap(owner, "block", first, offset) == first:
                return offset
    pages.pages += 1
    page.next = owner.block
    owner.block = offset
    return offset


@part
def larger_directory(world, context, directory):
    """A directory with four times the room and the same pages, now that of the context; 0 when memory is used up."""
    pool, owner = world.pool, SharedContext(world.pool, context)
    room = FIRST_DIRECTORY if directory == 0 else 4 * (Directory(pool, directory).mask + 1)
    offset = allocate(world, DIRECTORY_WORDS + room)
    if offset == 0:
        return 0
    larger = Directory(pool, offset)
    larger.mask = room - 1
    if directory != 0:
        smaller = Directory(pool, directory)
        for old in range(smaller.mask + 1):
            entry = smaller.entries[old]
            if entry != 0:
                slot = slot_of((entry >> PAGE_SHIFT) - 1, room - 1)
                while larger.entries[slot] != 0:
                    slot = (slot + 1) & (room - 1)
                larger.entries[slot] = entry
                larger.pages += 1
    if world.meta.shared != 0:
        current = compare_and_swap(owner, "directory", directory, offset)
        return offset if current == directory else current
    owner.directory = offset
    return offset
