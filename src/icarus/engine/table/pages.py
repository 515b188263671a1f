"""Contexts that all playouts share (MAST, NAST, GRAVE's root): records found through a directory of pages.

Such a context is read for every legal action of every step of a simulation, so looking must cost next to nothing.  The records of
``PAGE_ACTIONS`` neighbouring actions lie side by side in a *page*, and a small open-addressing directory leads from the page's
number to the page: two loads, no search.  The directory is replaced when it is half full; pages, and so records, never move.  A
page is also a block in the chain of its context.

The contexts that a search meets first are those that it meets most often.  If the actions there have small numbers, all of these
lie in one *wide page*, and no directory is looked at: in Othello that was half of the time that finding records took.  Contexts
of AMAF, of which every tree node has some, have no wide page, nor have those that come later: unused room costs time, too.

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
    MOST_WIDE_PAGES,
    NOWHERE,
    PAGE_ACTIONS,
    PAGE_BITS,
    PAGE_SHIFT,
    SINK,
    WIDE_ACTIONS,
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
def record_in_page(page, place, width):
    return page + BLOCK_WORDS - 1 + place * width


@part
def record_of(pool, directory, wide_page, width, action):
    """The record of an action in a context whose wide page is known; NOWHERE, which is all zeros, if it has none."""
    if wide_page != 0 and action < WIDE_ACTIONS:
        return record_in_page(wide_page, action, width)
    return find_in_pages(pool, directory, width, action)


@part
def find_in_pages(pool, directory, width, action):
    """The same where there is no wide page."""
    number = action >> PAGE_BITS
    pages = Directory(pool, directory)
    mask = pages.mask
    slot = slot_of(number, mask)
    while True:
        entry = pages.entries[slot]
        if entry >> PAGE_SHIFT == number + 1:
            return record_in_page(entry & PAGE_MASK, action & (PAGE_ACTIONS - 1), width)
        if entry == 0:
            return NOWHERE
        slot = (slot + 1) & mask


@part
def make_in_pages(world, context, action, wide):
    """The place of an action's record in a context, made if it is new; ``wide``: the context may have a wide page."""
    if context == 0:
        return SINK
    pool, width = world.pool, world.meta.paged_width
    while True:
        directory = SharedContext(pool, context).directory
        record = record_of(pool, directory, Directory(pool, directory).wide_page, width, action)
        if record != NOWHERE:
            return record
        if not add_page(world, context, action >> PAGE_BITS, wide and action < WIDE_ACTIONS):
            return SINK


@part
def update_in_page(world, record, capture, counts, reward):
    """Add to the counts and to the reward of a record in a page."""
    if add_counts(world, record, counts) == 0 and record != SINK:
        count_records(world, capture, 1)
    add_reward(world, record, 0, reward)


@part
def add_page(world, context, number, wide):
    """Make room for a page in the directory of its context, or make the page; returns whether there was memory for it."""
    pool, owner = world.pool, SharedContext(world.pool, context)
    directory = owner.directory
    if directory == 0 or 2 * Directory(pool, directory).pages > Directory(pool, directory).mask:
        return replace_directory(world, context, directory, wide)
    offset = new_page(world, number, PAGE_ACTIONS)
    if offset == 0:
        return False
    pages = Directory(pool, directory)
    shared = world.meta.shared != 0
    entry = ((number + 1) << PAGE_SHIFT) | offset
    slot = slot_of(number, pages.mask)
    while True:
        there = compare_and_swap(pages.entries, slot, 0, entry) if shared else pages.entries[slot]
        if there == 0:
            pages.entries[slot] = entry
            break
        if there >> PAGE_SHIFT == number + 1:  # another thread was faster
            return True
        slot = (slot + 1) & pages.mask
    if shared:
        atomic_add(pages, "pages", 1)
    else:
        pages.pages += 1
    put_in_chain(world, context, offset)
    return True


@part
def new_page(world, number, actions):
    offset = allocate(world, BLOCK_WORDS + actions * world.meta.paged_width)
    if offset != 0:
        page = Page(world.pool, offset)
        page.capacity = actions
        page.number = number
    return offset


@part
def put_in_chain(world, context, page):
    owner = SharedContext(world.pool, context)
    while True:
        first = owner.block
        Page(world.pool, page).next = first
        if world.meta.shared == 0:
            owner.block = page
            return
        if compare_and_swap(owner, "block", first, page) == first:
            return


@part
def replace_directory(world, context, directory, wide):
    """A directory with four times the room and the same pages, now that of the context; returns whether there was memory for it.

    ``wide``: the first directory of a context begins with a wide page, as long as there are few of them.
    """
    pool, meta, owner = world.pool, world.meta, SharedContext(world.pool, context)
    room = FIRST_DIRECTORY if directory == 0 else 4 * (Directory(pool, directory).mask + 1)
    offset, wide_page = allocate(world, DIRECTORY_WORDS + room), 0
    if offset == 0:
        return False
    larger = Directory(pool, offset)
    larger.mask = room - 1
    if directory != 0:
        smaller = Directory(pool, directory)
        larger.wide_page = smaller.wide_page
        for old in range(smaller.mask + 1):
            entry = smaller.entries[old]
            if entry != 0:
                slot = slot_of((entry >> PAGE_SHIFT) - 1, room - 1)
                while larger.entries[slot] != 0:
                    slot = (slot + 1) & (room - 1)
                larger.entries[slot] = entry
                larger.pages += 1
    elif wide and meta.wide_pages < MOST_WIDE_PAGES:
        wide_page = new_page(world, 0, WIDE_ACTIONS)
        if wide_page == 0:
            return False
        larger.wide_page = wide_page
    if meta.shared == 0:
        owner.directory = offset
    elif compare_and_swap(owner, "directory", directory, offset) != directory:  # another thread was faster
        return True
    if wide_page != 0:
        meta.wide_pages += 1
        put_in_chain(world, context, wide_page)
    return True
