"""Sets as the bits of one word: squares of a board, cards of a hand."""

from __future__ import annotations

import numpy as np

from icarus.game import compiled

DE_BRUIJN = 0x03F79D71B4CB0A89  #: any 6 bits in a row occur once, so that its upper bits after a shift tell the shift
BIT_NUMBER = np.zeros(64, np.int64)
BIT_NUMBER[[((DE_BRUIJN << i) & (2**64 - 1)) >> 58 for i in range(64)]] = range(64)


@compiled
def lowest(bits):
    """The number of the lowest bit of a set that is not empty."""
    return BIT_NUMBER[(((bits & -bits) * DE_BRUIJN) >> 58) & 63]


@compiled
def count_bits(bits):
    """How many bits are set, summed in ever wider fields of the word."""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 127
