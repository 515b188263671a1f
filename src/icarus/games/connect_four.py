"""Connect Four: discs drop into 7 columns of 6, and the first with four in a row, in any direction, wins.

Action = column, 0 to 6 from the left.  A full column takes no more discs; a full board without four in a row is a draw.
Player 0 starts.  Perfect information.

A board is a set of cells: bit ``7 * column + height``.  The seventh bit of every column stays empty, so that a shift
along a line never runs from one column into the next::

     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

import numpy as np

from icarus.game import Game, Layout, Word, Words, compiled, mix, size_of
from icarus.games._bits import count_bits, lowest

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1

DRAW = 3
COLUMN = (1 << ROWS) - 1


#: every four cells in a row
LINES = np.array(
    [
        sum(1 << (STRIDE * (column + i * right) + row + i * up) for i in range(4))
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
        for column in range(COLUMNS - 3 * right)
        for row in range(ROWS)
        if 0 <= row + 3 * up < ROWS
    ]
)
#: which cell is at a place of an observation's plane, the top row first
SEEN = np.array([STRIDE * (place % COLUMNS) + ROWS - 1 - place // COLUMNS for place in range(ROWS * COLUMNS)])
# features: cells of both sides, lines that only one side has discs in, by how many; the cell of a move, and what it does
CELLS = COLUMNS * STRIDE
OWN_LINES, OTHER_LINES = 2 * CELLS, 2 * CELLS + 4
LANDS, WINS, PREVENTS, OFFERS, FEATURES = OTHER_LINES + 4, *range(OTHER_LINES + 4 + CELLS, OTHER_LINES + 4 + CELLS + 4)


class Board(Layout):
    discs = Words(2)  #: the cells of player 0, the cells of player 1
    plies = Word()  #: discs on the board
    outcome = Word()  #: 0 while the game runs, 1 and 2 if player 0 and 1 won, DRAW


def connect_four() -> Game:
    """Four in a row on the usual board of 7 columns and 6 rows."""
    return Game(
        name="connect_four",
        summary="four in a row on a board of 7 x 6, discs fall to the bottom",
        players=2,
        layout=Board,
        state_size=size_of(Board),
        max_actions=COLUMNS,
        max_plies=COLUMNS * ROWS,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        key=key,
        decisive=decisive,
        features=features,
        feature_count=FEATURES,
        max_features=COLUMNS * ROWS + len(LINES),
        observation=observation,
        observation_shape=(2, ROWS, COLUMNS),
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    tops = (state.discs[0] | state.discs[1]) >> (ROWS - 1)
    count = 0
    for column in range(COLUMNS):
        if tops & 1 == 0:
            actions[count] = column
            count += 1
        tops >>= STRIDE
    return count


@compiled
def four_along(board, step):
    pairs = board & (board >> step)
    return pairs & (pairs >> (2 * step)) != 0


@compiled
def has_four(board):
    return four_along(board, 1) or four_along(board, STRIDE) or four_along(board, STRIDE + 1) or four_along(board, STRIDE - 1)


@compiled
def apply(state, action):
    mover = state.plies & 1
    bottom = STRIDE * action
    # adding the bottom cell carries through the discs of the column to the first free cell
    occupied = state.discs[0] | state.discs[1]
    state.discs[mover] |= (occupied + (1 << bottom)) & (COLUMN << bottom)
    state.plies += 1
    if has_four(state.discs[mover]):
        state.outcome = mover + 1
    elif state.plies == COLUMNS * ROWS:
        state.outcome = DRAW


@compiled
def terminal(state):
    return state.outcome != 0


@compiled
def rewards(state, out):
    outcome = state.outcome
    out[0] = 0.5 if outcome == DRAW else 1.0 if outcome == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def landing(occupied, column):
    """Where a disc in this column comes to lie; 0 if the column is full."""
    bottom = STRIDE * column
    return (occupied + (1 << bottom)) & (COLUMN << bottom)


@compiled
def decisive(state, actions, size):
    own, other = state.discs[state.plies & 1], state.discs[1 - (state.plies & 1)]
    occupied, kept, threats, safe = own | other, 0, 0, 0
    for i in range(size):
        cell = landing(occupied, actions[i])
        if has_four(own | cell):
            actions[kept] = actions[i]
            kept += 1
        threats += has_four(other | cell)
    if kept > 0:
        return kept
    # safe: takes the only cell on which the other would win, and offers none above it
    for i in range(size):
        cell = landing(occupied, actions[i])
        left = threats - has_four(other | cell)
        above = landing(occupied | cell, actions[i])
        if left == 0 and not (above != 0 and has_four(other | above)):
            safe |= 1 << i
    if safe == 0:
        return size
    for i in range(size):
        if safe >> i & 1:
            actions[kept] = actions[i]
            kept += 1
    return kept


@compiled
def key(state):
    return mix(state.discs[0], state.discs[1])


@compiled
def features(state, action, out):
    """Of a position: the cells of who acts and of the other, lines that are open to one of them, by its discs.

    Of a disc: where it lands, whether it wins, whether it takes the cell on which the other would, or offers one.
    """
    own, other, count = state.discs[state.plies & 1], state.discs[1 - (state.plies & 1)], 0
    if action >= 0:
        cell = landing(own | other, action)
        above = landing(own | other | cell, action)
        out[0] = LANDS + lowest(cell)
        count = 1
        if has_four(own | cell):
            out[count] = WINS
            count += 1
        if has_four(other | cell):
            out[count] = PREVENTS
            count += 1
        if above != 0 and has_four(other | above):
            out[count] = OFFERS
            count += 1
        return count
    for side in range(2):
        left = own if side == 0 else other
        while left != 0:
            out[count] = CELLS * side + lowest(left)
            left &= left - 1
            count += 1
    for i in range(len(LINES)):
        mine, yours = own & LINES[i], other & LINES[i]
        if (mine == 0) != (yours == 0):
            out[count] = (OWN_LINES if yours == 0 else OTHER_LINES) + count_bits(mine | yours)
            count += 1
    return count


@compiled
def observation(state, observer, out):
    """A plane of the observer's discs and one of the other's, the top row first."""
    own, other = state.discs[observer], state.discs[1 - observer]
    # without a branch: how many discs there are cannot be foreseen
    for place in range(ROWS * COLUMNS):
        out[place] = float(own >> SEEN[place] & 1)
        out[ROWS * COLUMNS + place] = float(other >> SEEN[place] & 1)


def format_action(state: Board, action: int) -> str:
    """Columns are numbers from 1 at the left."""
    return str(action + 1)


def render(state: Board, observer: int | None = None) -> str:
    first, second = map(int, state.discs)
    lines = [" ".join(str(column + 1) for column in range(COLUMNS))]
    for height in reversed(range(ROWS)):
        cells = range(height, COLUMNS * STRIDE, STRIDE)
        lines.append(" ".join("X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in cells))
    return "\n".join(lines)
