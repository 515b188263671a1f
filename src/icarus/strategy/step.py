"""What a context function knows of the step under way, and the questions that most of them ask.

``context(step, moves, actors, facts, keys, parameters)`` writes the keys of the contexts of a step and returns how many there
are (0: none, nothing is read or written).  ``step`` holds the words below; ``moves[i]`` and ``actors[i]`` are the move at ply
``i`` as the player about to act saw it (``UNSEEN`` if it noticed nothing) and who made it; ``facts`` are the predicates that
hold.  Plies count from the first move that the search knows: ``step[ROOT]`` is that of the root and ``step[PLY]`` that of this
step.  The engine keeps the contexts of different captures and different players apart, so a key needs to name neither.
"""

from __future__ import annotations

from icarus.engine import words as w
from icarus.engine.native import compiled
from icarus.engine.randomness import chain

PLAYER = w.PLAYER  #: who acts
PLY = w.PLY  #: the ply of this step: moves 0 .. step[PLY] - 1 have been made
ROOT = w.ROOT_AT  #: the ply of the root
LABEL = w.LABEL  #: label of the current episode
EPISODE = w.EPISODE_AT  #: the ply at which it began, which may be before the root
FACT_COUNT = w.FACT_COUNT  #: how many predicates hold
PHASE = w.PHASE  #: SELECTION, EXPANSION or SIMULATION
SELECTION, EXPANSION, SIMULATION = w.SELECTION, w.EXPANSION, w.SIMULATION
MAX_KEYS = w.MAX_KEYS  #: how many contexts a step may have


@compiled
def last_moves(step, moves, number, keys, position):
    """Write the key of the last ``number`` moves that the player noticed since the root; returns 1, or 0 if there were fewer."""
    key = number
    ply = step[PLY] - 1
    while number > 0:
        while ply >= step[ROOT] and moves[ply] < 0:
            ply -= 1
        if ply < step[ROOT]:
            return 0
        key = chain(key, moves[ply])
        ply -= 1
        number -= 1
    keys[position] = key
    return 1
