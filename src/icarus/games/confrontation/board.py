"""The board: sixteen regions, a grid of 4 x 4 stood on its corner, Mordor at one end and the Shire at the other.

Region ``4 * x + y`` has the coordinates (x, y).  Both coordinates grow for Dark's way forward, and fall for Light's::

              y=0        y=1              y=2        y=3
    x=0   Mordor      Gondor           Rohan      Gap of Rohan
    x=1   Dagorlad    Fangorn          Moria      Enedwaith
    x=2   Mirkwood    Misty Mountains  Eregion    Cardolan
    x=3   High Pass   Rhudaur          Arthedain  The Shire

A row of the board is a diagonal of this table; the middle one (x + y = 3) is the mountains.  Sets of regions are bit masks.
"""

from __future__ import annotations

import numpy as np

# Sides, regions and characters are NumPy integers: Numba compiles a function anew for every plain constant that it is given.
LIGHT, DARK = np.arange(2)  #: the two players

REGIONS = (
    *("Mordor", "Gondor", "Rohan", "Gap of Rohan"),
    *("Dagorlad", "Fangorn", "Moria", "Enedwaith"),
    *("Mirkwood", "Misty Mountains", "Eregion", "Cardolan"),
    *("High Pass", "Rhudaur", "Arthedain", "The Shire"),
)
MORDOR, GONDOR, ROHAN, GAP_OF_ROHAN, DAGORLAD, FANGORN, MORIA, ENEDWAITH = np.arange(8)
MIRKWOOD, MISTY_MOUNTAINS, EREGION, CARDOLAN, HIGH_PASS, RHUDAUR, ARTHEDAIN, THE_SHIRE = np.arange(8, 16)
#: places that are no regions: on the way from Eregion to Fangorn, and out of the game
TUNNEL, FALLEN = np.arange(16, 18)
PLACES = 17  #: where a living character can be: the regions and the tunnel

MOUNTAINS = (GAP_OF_ROHAN, MORIA, MISTY_MOUNTAINS, HIGH_PASS)
#: Light's own ways on, besides the grid: down the river Anduin, and through the tunnel of Moria
RIVER = ((MIRKWOOD, FANGORN), (FANGORN, ROHAN))
TUNNEL_ENDS = (EREGION, FANGORN)
#: where the nine characters of each side begin: four at home, one each in the five regions next to it
HOMES = (THE_SHIRE, MORDOR)
STARTS = (
    (THE_SHIRE,) * 4 + (ARTHEDAIN, CARDOLAN, RHUDAUR, EREGION, ENEDWAITH),
    (MORDOR,) * 4 + (DAGORLAD, GONDOR, MIRKWOOD, FANGORN, ROHAN),
)


def steps(directions: tuple[tuple[int, int], ...], level: bool = True) -> np.ndarray:
    """For each region the regions that lie in these directions; ``level`` is False for steps that mountains forbid."""
    table = np.zeros(16, np.int64)
    for x in range(4):
        for y in range(4):
            if not level and 4 * x + y in MOUNTAINS:
                continue
            for dx, dy in directions:
                if 0 <= x + dx < 4 and 0 <= y + dy < 4:
                    table[4 * x + y] |= 1 << (4 * (x + dx) + y + dy)
    return table


TOWARDS_SHIRE = steps(((1, 0), (0, 1)))
TOWARDS_MORDOR = steps(((-1, 0), (0, -1)))
#: neighbours in the same row; mountains are next to each other, but nobody crosses there
SIDEWAYS = steps(((1, -1), (-1, 1)), level=False)
#: Light retreats backwards, over the grid only
BACKWARDS = TOWARDS_SHIRE
#: ``FORWARD[16 * side + region]``: ordinary moves
FORWARD = np.concatenate([TOWARDS_MORDOR, TOWARDS_SHIRE])
for _start, _end in (*RIVER, TUNNEL_ENDS):
    FORWARD[_start] |= 1 << _end
#: every region that touches this one
ADJACENT = TOWARDS_MORDOR | TOWARDS_SHIRE | SIDEWAYS
#: how many characters of one side fit
CAPACITY = np.array([4 if q in HOMES else 1 if q in MOUNTAINS else 2 for q in range(16)], np.int64)

FIRST_COLUMN, LAST_COLUMN, ALL_REGIONS = 0x1111, 0x8888, 0xFFFF  #: y = 0, y = 3
