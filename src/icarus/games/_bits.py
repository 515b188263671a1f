"""Sets as the bits of one word: squares of a board, cards of a hand; and the rows of boards."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from icarus.game import compiled
from icarus.jit import JIT

if JIT:

    @intrinsic
    def _trailing_zeros(typing, bits):
        def emit(context, builder, signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))  # nothing is promised for an empty set

        return types.int64(types.int64), emit

    @intrinsic
    def _leading_zeros(typing, bits):
        def emit(context, builder, signature, arguments):
            return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), emit

    @intrinsic
    def _population(typing, bits):
        return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])

else:

    def _trailing_zeros(bits):
        return (int(bits) & -int(bits)).bit_length() - 1

    def _leading_zeros(bits):
        return 64 - (int(bits) & 0xFFFFFFFFFFFFFFFF).bit_length()

    def _population(bits):
        return (int(bits) & 0xFFFFFFFFFFFFFFFF).bit_count()


@compiled
def lowest(bits):
    """The number of the lowest bit of a set that is not empty."""
    return _trailing_zeros(bits)


@compiled
def highest(bits):
    """The number of the highest bit of a set that is not empty."""
    return 63 - _leading_zeros(bits)


@compiled
def count_bits(bits):
    """How many bits are set."""
    return _population(bits)


@compiled
def nth_bit(bits, n):
    """The number of the n-th bit that is set, counted from 0; there are more than n."""
    half = count_bits(bits & 0xFFFFFFFF)
    shift = 0
    if n >= half:
        n -= half
        shift = 32
    bits >>= shift
    for _ in range(n):
        bits &= bits - 1
    return shift + lowest(bits)


@compiled
def all_but_column(rows, columns, column):
    """All cells of a board, row by row, but those of one column (none is left out, if there is no such column)."""
    cells = np.int64(0)
    for cell in range(rows * columns):
        if cell % columns != column:
            cells |= np.int64(1) << cell
    return cells


@compiled
def first_rows(rows, columns):
    """All cells of the first rows of a board."""
    return (np.int64(1) << (rows * columns)) - 1 if rows * columns < 64 else np.int64(-1)


WIDEST = 32  #: columns of a board
INVERSE = np.array([0] + [(1 << 16) // columns + 1 for columns in range(1, WIDEST + 1)])


@compiled
def row_of(cell, columns):
    """``cell // columns`` on a board of at most 32 columns and rows: a division would take longer than everything around it."""
    return (cell * INVERSE[columns]) >> 16
