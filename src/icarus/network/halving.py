"""Sequential halving (Karnin et al., 2013) as a list: with how many visits an action is chosen next.

The first m entries are 0: every considered action is tried once.  Each phase gives the actions that are left equally many
visits, and half of them go on.  So the list says of every descent which number of visits the action must have that it takes;
the values among those actions say which one it is.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt


def schedule(considered: int, iterations: int) -> npt.NDArray[np.int64]:
    """The visits that the action of each descent has before it."""
    if considered <= 1:
        return np.arange(iterations, dtype=np.int64)
    phases = math.ceil(math.log2(considered))
    found: list[int] = []
    visits, left = 0, considered
    while len(found) < iterations:
        for _ in range(max(1, iterations // (phases * left))):
            found += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return np.array(found[:iterations], np.int64)


def schedules(considered: int, iterations: int) -> npt.NDArray[np.int64]:
    """The same for every number of actions up to the most that are considered."""
    return np.stack([schedule(number, iterations) for number in range(considered + 1)])
