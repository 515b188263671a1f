"""Contexts that all playouts share (MAST, NAST, GRAVE's root): records found through a directory of pages.

Such a context is read for every legal action of every step of a simulation, so looking must cost next to nothing.  The records of
``PAGE`` neighbouring actions lie side by side in a *page*, and a small open-addressing directory leads from the page's number to
the page: two loads, no search.  The directory is replaced when it is half full; pages, and so records, never move.  A page is
also a block in the chain of its context.

A record in a page is as short as can be, since memory is what limits the speed here: its place says which action it belongs to,
and its context which player, so it has counts and one reward.  It begins at its second word, so to speak, so that ``w.COUNTS``
and ``w.REWARD`` lead to them as in any record; a record that counts nothing is not there.

With many threads a directory that is being replaced may lose a page that another thread adds in that moment: a few numbers of
an enhancement are then counted anew.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.native import atomic_add, compare_and_swap, ints, part
from icarus.engine.records import add, add_reward, allocate, count_up

FIRST_DIRECTORY = 8  #: pages that the first directory of a context has room for


@part
def slot_of(number, mask):
    """Where a page is looked for first: numbers up to the mask, the usual ones, never collide (each has a slot of its own)."""
    return (number ^ (number >> 7) ^ (number >> 14)) & mask


@part
def find_in_pages(pool, directory, width, action):
    """The record of an action; NOWHERE, which is all zeros, if it has none."""
    number = action >> w.PAGE_BITS
    mask = pool[directory + w.PAGE_MASK]
    slot = slot_of(number, mask)
    while True:
        entry = pool[directory + w.DIRECTORY_WORDS + slot]
        if entry >> w.PAGE_SHIFT == number + 1:
            return (entry & ((1 << w.PAGE_SHIFT) - 1)) + w.BLOCK_WORDS - 1 + (action & (w.PAGE - 1)) * width
        if entry == 0:
            return w.NOWHERE
        slot = (slot + 1) & mask


@part
def make_in_pages(world, context, action):
    """The place of an action's record in a context, made if it is new."""
    if context == 0:
        return w.SINK
    pool, width = ints(world, w.POOL), ints(world, w.META)[w.PAGED_WIDTH]
    record = find_in_pages(pool, pool[context + w.DIRECTORY], width, action)
    if record == w.NOWHERE:
        page = add_page(world, context, action >> w.PAGE_BITS)
        if page == 0:
            return w.SINK
        record = page + w.BLOCK_WORDS - 1 + (action & (w.PAGE - 1)) * width
    return record


@part
def update_in_page(world, record, capture, counts, reward):
    """Add to the counts and to the reward of a record in a page."""
    if add(world, record, counts) == 0 and record != w.SINK:
        count_up(world, w.RECORDS_HELD, 1)
        count_up(world, w.PER_CAPTURE + capture, 1)
    add_reward(world, record, w.REWARD, reward)


@part
def add_page(world, context, number):
    """A new page, in the directory and in the chain of its context; 0 when memory is used up."""
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    shared = meta[w.SHARED] != 0
    directory = pool[context + w.DIRECTORY]
    if directory == 0 or 2 * pool[directory + w.PAGES] > pool[directory + w.PAGE_MASK]:
        directory = larger_directory(world, context, directory)
        if directory == 0:
            return 0
    page = allocate(world, w.BLOCK_WORDS + w.PAGE * meta[w.PAGED_WIDTH])
    if page == 0:
        return 0
    pool[page + w.CAPACITY] = w.PAGE
    pool[page + w.PAGE_NUMBER] = number
    entry = ((number + 1) << w.PAGE_SHIFT) | page
    mask = pool[directory + w.PAGE_MASK]
    slot = slot_of(number, mask)
    while True:
        place = directory + w.DIRECTORY_WORDS + slot
        there = compare_and_swap(pool, place, 0, entry) if shared else pool[place]
        if there == 0:
            pool[place] = entry
            break
        if there >> w.PAGE_SHIFT == number + 1:  # another thread was faster
            return there & ((1 << w.PAGE_SHIFT) - 1)
        slot = (slot + 1) & mask
    if shared:
        atomic_add(pool, directory + w.PAGES, 1)
        while True:
            first = pool[context + w.BLOCK]
            pool[page + w.NEXT] = first
            if compare_and_swap(pool, context + w.BLOCK, first, page) == first:
                return page
    pool[directory + w.PAGES] += 1
    pool[page + w.NEXT] = pool[context + w.BLOCK]
    pool[context + w.BLOCK] = page
    return page


@part
def larger_directory(world, context, directory):
    """A directory with four times the room and the same pages, now that of the context; 0 when memory is used up."""
    pool, meta = ints(world, w.POOL), ints(world, w.META)
    room = FIRST_DIRECTORY if directory == 0 else 4 * (pool[directory + w.PAGE_MASK] + 1)
    larger = allocate(world, w.DIRECTORY_WORDS + room)
    if larger == 0:
        return 0
    pool[larger + w.PAGE_MASK] = room - 1
    if directory != 0:
        for old in range(pool[directory + w.PAGE_MASK] + 1):
            entry = pool[directory + w.DIRECTORY_WORDS + old]
            if entry != 0:
                slot = slot_of((entry >> w.PAGE_SHIFT) - 1, room - 1)
                while pool[larger + w.DIRECTORY_WORDS + slot] != 0:
                    slot = (slot + 1) & (room - 1)
                pool[larger + w.DIRECTORY_WORDS + slot] = entry
                pool[larger + w.PAGES] += 1
    if meta[w.SHARED] != 0:
        current = compare_and_swap(pool, context + w.DIRECTORY, directory, larger)
        return larger if current == directory else current
    pool[context + w.DIRECTORY] = larger
    return larger
