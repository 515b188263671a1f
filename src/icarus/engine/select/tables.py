"""Logarithms, roots and inverses of small whole numbers, and powers near 1.

Most counts are small, and computing what UCB1 needs of them would take longer than all the rest of a choice.
"""

from __future__ import annotations

import math

import numpy as np

from icarus.jit import compiled

KNOWN = 16384
_COUNTS = np.maximum(np.arange(KNOWN), 1)
INVERSES = np.stack([1 / _COUNTS, np.sqrt(1 / _COUNTS)], axis=1).ravel()  #: 1 / n and its root, side by side
LOGARITHMS = np.array([0.0] + [math.log(n) for n in range(1, KNOWN)])
ROOTS = np.sqrt(LOGARITHMS)


@compiled
def logarithm(count):
    """ln of a whole number (of 0: 0), bit for bit as ``math.log`` has it."""
    return LOGARITHMS[count] if count < KNOWN else math.log(count)


@compiled
def root_of_logarithm(count):
    return ROOTS[count] if count < KNOWN else math.sqrt(math.log(count))


@compiled
def ucb1_value(reward, visits, weight):
    """``reward / visits + weight / sqrt(visits)``, where the weight is ``c sqrt(ln trials)``."""
    if visits < KNOWN:
        return reward * INVERSES[2 * visits] + weight * INVERSES[2 * visits + 1]
    inverse = 1.0 / visits
    return reward * inverse + weight * math.sqrt(inverse)


@compiled
def mean_of(reward, visits):
    return reward * INVERSES[2 * visits] if visits < KNOWN else reward / visits


@compiled
def inverse_root(count):
    """``1 / sqrt(count)``"""
    return INVERSES[2 * count + 1] if count < KNOWN else 1.0 / math.sqrt(count)


@compiled
def exp_of_small(x):
    """exp(x) for x in [-1, 0], to fourteen digits: its series at x / 8, in pairs, so that little waits for anything else."""
    y = 0.125 * x
    y2 = y * y
    y4 = y2 * y2
    low = (1.0 + y) + y2 * (1 / 2 + y * (1 / 6))
    middle = (1 / 24 + y * (1 / 120)) + y2 * (1 / 720 + y * (1 / 5040))
    high = 1 / 40320 + y * (1 / 362880)
    z = low + y4 * (middle + y4 * high)
    z *= z
    z *= z
    return z * z
