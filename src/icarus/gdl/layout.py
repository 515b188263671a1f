"""A network and its states in memory: what the words of each of them mean.

A state is a bit set of fluents with what follows from it (legal moves, end, goals) and the moves that roles have chosen for the
step under way.

**Lanes.**  In a search with lanes the states of all playouts live side by side in one array of 256-bit values, one per slot of
the network: bit ``i`` is lane ``i``.  The words of a lane's own state then hold only what is small (choices, goals, whose
turn).
"""

from __future__ import annotations

import numpy as np

from icarus.engine.layout import Report
from icarus.jit import size_of

# --- a network in memory (int64 words; tables are addresses) ---------------------------------------------------------
(
    SLOTS, KEPT, FLUENTS, ROLES, PLAYERS, TERMS, TERMINAL, MAX_STEPS,
    MAX_ACTIONS,  # the most moves that any role has
    GATES, ON_STATE, ON_STATE_COUNT, ON_GOALS, ON_GOALS_COUNT, ON_MOVES, ON_MOVES_COUNT,
    FLUENT_SLOTS, NEXT_SLOTS, INITIAL,
    FIRST_MOVE, MOVES,  # per role: where its moves begin in the next three tables, and how many there are
    LEGAL_SLOTS, DOES_SLOTS, TERM_OF,
    MOVE_OF,  # [role, term] the number of a move among its role's, or -1
    FIRST_GOAL, GOALS_COUNT, GOAL_SLOTS, GOAL_VALUES,
    FIRST_SIGHT, SIGHTS, SEES_SLOTS,
    CHOSEN_AT, BITS_AT, LEGAL_AT,  # where these begin in a state; LEGAL_AT per role
    # what happened, step by step, where roles do not see everything: the moves of all roles, then what each role saw as bits
    HISTORY_AT, HISTORY_ROW, SEEN_AT,  # where it begins (0: there is none), words per step, where a role's sight begins in a step
    UNEXPLAINED,  # determinizations for which no consistent sequence of moves was found
    # the board, if the sheet has one (see board.py): per fluent, per cell and piece, per term of a move, per role; -1 is none
    PIECES, PIECE_OF, FLUENT_AT, MOVE_FROM, MOVE_TO, DROPPED, LEFT,
    HEADER_WORDS, STATE_WORDS, NETWORK_WORDS,
) = range(49)  # fmt: skip

# --- a state ---------------------------------------------------------------------------------------------------------
# then the goals of all roles, the chosen moves (number + 1, 0: not yet), the fluents and the legal moves of every role as bits
(
    NETWORK,  # address of the network
    LANE_BLOCK,  # address of the lanes, 0 for a state on its own
    LANE,
    STEPS,
    ENDED,
    FIRST,  # the role that is asked first
    TURN,  # the role that is asked now
    TOGETHER,  # more than one role has a choice in this step: number of the step, from 1; else 0
    GOALS,
) = range(9)  # fmt: skip

# --- lanes -----------------------------------------------------------------------------------------------------------
(
    VALUES,  # [slots, 4] one bit per lane
    FRESH,  # [fluents, 4] the next state before it replaces this one
    ROOT_VALUES,  # [kept] the root's values, all bits alike
    ROOT_STATE,  # [state words]
    ROOT_LEGAL,  # the root's legal moves
    ROOT_COUNT,
    RESTART,  # [4] lanes that have started again
    MASKS,  # [MASK_ROWS, 4] scratch
    ASK,  # [roles, 4] lanes in which the role is asked next
    COUNTS,  # [lanes] moves listed
    BLOCK_WORDS,
) = range(11)  # fmt: skip
COMPLETE, ALIVE, ANY, SEVERAL, MANY, LISTED, SINGLE, MASK_ROWS = range(8)

REPORT_WORDS = size_of(Report)

ONE = np.uint64(1)
ZERO = np.uint64(0)
FULL = np.uint64(2**64 - 1)
