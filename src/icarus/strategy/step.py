"""What a context function can ask of the step under way.

``context(step, keys, p)`` writes the keys of the contexts of a step and returns how many there are (0: none, nothing is read or
written).  ``step`` is a :class:`Step`; ``p`` are the capture's parameters by name.
"""

from __future__ import annotations

from icarus.engine.layout import EXPANSION, MAX_KEYS, SELECTION, SIMULATION, Step
from icarus.jit import compiled
from icarus.jit.randomness import chain

__all__ = ["EXPANSION", "MAX_KEYS", "SELECTION", "SIMULATION", "Step", "last_moves"]


@compiled
def last_moves(step, number, keys, position):
    """Write the key of the last ``number`` moves that the player noticed since the root; returns 1, or 0 if there were fewer."""
    key = number
    ply = step.ply - 1
    while number > 0:
        while ply >= step.root and step.moves[ply] < 0:
            ply -= 1
        if ply < step.root:
            return 0
        key = chain(key, step.moves[ply])
        ply -= 1
        number -= 1
    keys[position] = key
    return 1
