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

from icarus.game import Game, State, compiled

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1

# state
DISCS = 0  #: two words: the cells of player 0, the cells of player 1
PLIES = 2  #: discs on the board
OUTCOME = 3  #: 0 while the game runs, 1 and 2 if player 0 and 1 won, DRAW
SIZE = 4

DRAW = 3
COLUMN = (1 << ROWS) - 1


def connect_four() -> Game:
    """Four in a row on the usual board of 7 columns and 6 rows."""
    return Game(
        name="connect_four",
        summary="four in a row on a board of 7 x 6, discs fall to the bottom",
        players=2,
        state_size=SIZE,
        max_actions=COLUMNS,
        max_plies=COLUMNS * ROWS,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state[PLIES] & 1


@compiled
def legal(state, actions):
    tops = (state[DISCS] | state[DISCS + 1]) >> (ROWS - 1)
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
    mover = state[PLIES] & 1
    bottom = STRIDE * action
    # adding the bottom cell carries through the discs of the column to the first free cell
    occupied = state[DISCS] | state[DISCS + 1]
    state[DISCS + mover] |= (occupied + (1 << bottom)) & (COLUMN << bottom)
    state[PLIES] += 1
    if has_four(state[DISCS + mover]):
        state[OUTCOME] = mover + 1
    elif state[PLIES] == COLUMNS * ROWS:
        state[OUTCOME] = DRAW


@compiled
def terminal(state):
    return state[OUTCOME] != 0


@compiled
def rewards(state, out):
    outcome = state[OUTCOME]
    out[0] = 0.5 if outcome == DRAW else 1.0 if outcome == 1 else 0.0
    out[1] = 1.0 - out[0]


def format_action(state: State, action: int) -> str:
    """Columns are numbers from 1 at the left."""
    return str(action + 1)


def render(state: State, observer: int | None = None) -> str:
    first, second = int(state[DISCS]), int(state[DISCS + 1])
    lines = [" ".join(str(column + 1) for column in range(COLUMNS))]
    for height in reversed(range(ROWS)):
        cells = range(height, COLUMNS * STRIDE, STRIDE)
        lines.append(" ".join("X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in cells))
    return "\n".join(lines)
