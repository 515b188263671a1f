"""Memory for the loop, laid out as the processor likes it."""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress

import numpy as np
import numpy.typing as npt

LINE = 16  #: words that travel together between the caches of two cores (a line of 64 bytes and its neighbour)
LARGE_PAGE = 1 << 21  #: bytes


def words_apart(number: int) -> npt.NDArray[np.int64]:
    """Zeros that share no cache line with others: threads that write to words of one line wait for each other all the same."""
    memory = np.zeros(number + 2 * LINE, np.int64)
    first = -(memory.__array_interface__["data"][0] // 8) % LINE
    return memory[first : first + number]


def words_reserved(number: int) -> npt.NDArray[np.int64]:
    """Very many zeros, which the system hands out as they are used.

    In large pages, where it has any: with small ones, finding out where a word is takes longer than reading it.
    """
    if sys.platform != "linux":
        return words_apart(number)
    memory = mmap.mmap(-1, 8 * number + LARGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a system that has none
        memory.madvise(mmap.MADV_HUGEPAGE)
    words: npt.NDArray[np.int64] = np.frombuffer(memory, np.int64, len(memory) // 8)
    first = -words.__array_interface__["data"][0] % LARGE_PAGE // 8
    return words[first : first + number]
