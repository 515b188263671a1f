"""A record table as arrays: the pool of words, the index of its contexts, and what is said of both."""

from __future__ import annotations

import sys
import threading

import numpy as np
import numpy.typing as npt
from numba import types

from icarus.engine.layout import FIRST, REWARD, Context, Meta
from icarus.engine.table.memory import words_apart, words_reserved
from icarus.jit import kernel, size_of

#: The latest pools, to be used again when their searches are over: new memory is handed out page by page, which takes longer
#: than to clean what was used.  (A destructor that hands them back would swallow a Ctrl-C that comes while it runs.)
_POOLS: list[tuple[npt.NDArray[np.int64], Meta]] = []
_POOLS_LOCK = threading.Lock()
POOLS_KEPT = 2
WORTH_CLEANING = 1 << 25  #: words


def _take_pool(size: int, meta: Meta) -> npt.NDArray[np.int64]:
    """A pool of zeros for a table, of which ``meta`` will say how much is used."""
    with _POOLS_LOCK:
        for number, (pool, old) in enumerate(_POOLS):
            # nobody but this list and this line hold it, and nobody a part of it
            if len(pool) == size and sys.getrefcount(pool) == 3 and sys.getrefcount(pool.base) == 2:
                del _POOLS[number]
                if old.used < WORTH_CLEANING:
                    pool[: old.used] = 0
                    break
        else:
            pool = words_reserved(size)
        _POOLS.append((pool, meta))
        del _POOLS[:-POOLS_KEPT]
        return pool


class Table:
    """The arrays of one record table.  The pool is reserved at its full size; the system hands out pages as they are used."""

    def __init__(
        self,
        *,
        bytes_limit: int,
        players: int,
        statistics: int,
        captured_statistics: int,
        shared: bool,
        contexts: int,
        proof_words: int = 0,
    ) -> None:
        # growing the index takes time, a large one memory: begin with enough for a search of some thousand iterations
        slots = 1 << max(10, (2 * contexts - 1).bit_length(), min(bytes_limit >> 7, 4096).bit_length())
        slots = min(slots, 1 << (bytes_limit >> 5).bit_length() - 1)  # most of a small memory is for what it leads to
        self.index: npt.NDArray[np.int64] = np.zeros(slots, np.int64)
        self.meta = meta = Meta(words_apart(size_of(Meta)))
        self.pool = _take_pool(max(bytes_limit // 8, 4 * FIRST), meta)
        meta.used, meta.limit = FIRST, len(self.pool)
        meta.width, meta.paged_width = REWARD + players + statistics + proof_words, 2 + captured_statistics
        meta.shared, meta.slots = shared, slots

    @property
    def used_bytes(self) -> int:
        """The memory that the table really occupies."""
        return int(self.meta.used) * 8 + self.index.nbytes

    @property
    def records(self) -> int:
        return int(self.meta.records_held)

    def contexts(self) -> npt.NDArray[np.int64]:
        """The offsets of all contexts."""
        found: npt.NDArray[np.int64] = self.index[self.index != 0]
        return found

    def clear(self) -> None:
        """Forget everything, touching only what was used."""
        self.pool[: self.meta.used] = 0
        self.index[:] = 0
        self.meta.used = FIRST
        self.meta.context_count = self.meta.full = self.meta.records_held = self.meta.proven = self.meta.wide_pages = 0
        self.meta.per_capture[:] = 0

    def grow_index(self) -> None:
        """Make room for twice as many contexts."""
        larger = np.zeros(2 * len(self.index), np.int64)
        reindex(self.pool, self.index, larger)
        self.index = larger
        self.meta.slots = len(larger)


WORDS = types.int64[::1]


@kernel(types.void(WORDS, WORDS, WORDS))
def reindex(pool, index, larger):
    mask = larger.shape[0] - 1
    for position in range(index.shape[0]):
        context = index[position]
        if context != 0:
            slot = Context(pool, context).key & mask
            while larger[slot] != 0:
                slot = (slot + 1) & mask
            larger[slot] = context
