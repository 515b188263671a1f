"""GDL-II: an environment for a sheet that has none.

Where no role has a choice a step goes on by itself, and a role that is asked for form's sake would learn that the others have no
choice either, which its rules may hide.  The environment is asked instead, and a sheet without the role ``random`` gets one: a
role beyond those of the sheet, with a single move that is always legal and on which nothing depends.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from icarus.gdl.network import Network
from icarus.gdl.relations import Program

#: no atom of a sheet has a parenthesis in it
ADDED = "(environment)"
MOVE = "noop"
TRUE_SLOT = 1


def with_environment(network: Network) -> Network:
    """The network, with an environment if it has none."""
    if "random" in network.roles:
        return network
    nothing: tuple[np.ndarray, ...] = (np.zeros(0, np.int32),)
    return replace(
        network,
        roles=(*network.roles, ADDED),
        moves=(*network.moves, (MOVE,)),
        terms=network.terms if MOVE in network.terms else (*network.terms, MOVE),
        legal_slots=(*network.legal_slots, np.array([TRUE_SLOT], np.int32)),
        does_slots=(*network.does_slots, np.array([-1], np.int32)),
        goal_slots=network.goal_slots + nothing,
        goal_values=network.goal_values + nothing,
        percepts=(*network.percepts, ()),
        sees_slots=network.sees_slots + nothing,
    )


def program_with_environment(program: Program) -> Program:
    """The program, with an environment if it has none; ``derive`` knows its move."""
    return program if "random" in program.roles else replace(program, roles=(*program.roles, ADDED))
