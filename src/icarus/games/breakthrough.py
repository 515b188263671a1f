"""Breakthrough: two rows of pawns each, and the first pawn on the far row wins.

A pawn moves one step forward, straight or diagonally.  A straight step needs an empty square; a diagonal one may
capture, and capturing is never forced.  Reaching the far row wins, and so does capturing the last pawn.  Nobody is
ever stuck, because the foremost pawn always has a diagonal step; so there are no passes and no draws.  Player 0 is
White, starts, and moves up from rows 1 and 2.  Boards of other sizes have two rows of pawns too.  Perfect
information.

Squares are ``8 * row + column`` on a board of any size, a1 = 0 at White's left hand; action = ``64 * from + to``.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, State, compiled
from icarus.games._bits import lowest

# state: parameters, then boards (sets of squares: square i = bit i), then who acts and who won
COLUMNS, ROWS = 0, 1
BOARD = 2  #: all squares of the board
PAWNS = 3  #: two words: the pawns of White, the pawns of Black
PLAYER = 5  #: who acts: 0 White, 1 Black
WINNER = 6  #: 0 nobody yet, else player + 1
SIZE = 7

# Where a step can end.  A step to the left never ends in column h, nor one to the right in column a: that would be the
# next row.  No step of Black ends in row 8: that would be the sign bit, dragged along by a shift to the right.
NOT_A = ~0x0101010101010101
NOT_H = 0x7F7F7F7F7F7F7F7F
NOT_8 = 0x00FFFFFFFFFFFFFF


def breakthrough(rows: int = 8, columns: int = 8) -> Game:
    """``rows`` (4-8) and ``columns`` (2-8)."""
    if not (4 <= rows <= 8 and 2 <= columns <= 8):
        raise GameError(f"the board must have 4 to 8 rows and 2 to 8 columns, not {rows} rows and {columns} columns")
    return Game(
        name="breakthrough" if (rows, columns) == (8, 8) else f"breakthrough({rows},{columns})",
        summary=f"be the first to reach the far side of a board of {rows} rows and {columns} columns",
        players=2,
        parameters=(columns, rows),
        state_size=SIZE,
        max_actions=3 * 2 * columns,
        # before the last move no pawn has come further than the row before the last
        max_plies=2 * columns * ((rows - 2) + (rows - 3)) + 1,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        heuristic=heuristic,
        render=render,
        format_action=format_action,
        parse_action=parse_action,
        player_names=("White", "Black"),
    )


@compiled
def initial(state, rng):
    row = (np.int64(1) << state[COLUMNS]) - 1
    two_rows = row | row << 8
    for y in range(state[ROWS]):
        state[BOARD] |= row << (8 * y)
    state[PAWNS] = two_rows
    state[PAWNS + 1] = two_rows << (8 * (state[ROWS] - 2))


@compiled
def player(state):
    return state[PLAYER]


@compiled
def list_steps(actions, count, targets, step):
    """Append the steps to these squares, all of the same length; returns the new number of actions."""
    while targets != 0:
        to = lowest(targets)
        actions[count] = 64 * (to - step) + to
        count += 1
        targets &= targets - 1
    return count


@compiled
def legal(state, actions):
    mover = state[PLAYER]
    own = state[PAWNS + mover]
    open_squares = state[BOARD] & ~own
    empty = open_squares & ~state[PAWNS + 1 - mover]
    if mover == 0:
        count = list_steps(actions, 0, (own << 7) & open_squares & NOT_H, 7)
        count = list_steps(actions, count, (own << 8) & empty, 8)
        return list_steps(actions, count, (own << 9) & open_squares & NOT_A, 9)
    count = list_steps(actions, 0, (own >> 9) & open_squares & NOT_H & NOT_8, -9)
    count = list_steps(actions, count, (own >> 8) & empty & NOT_8, -8)
    return list_steps(actions, count, (own >> 7) & open_squares & NOT_A & NOT_8, -7)


@compiled
def rows_left(state, square):
    """How many rows away the goal of the player to act is."""
    row = square >> 3
    return state[ROWS] - 1 - row if state[PLAYER] == 0 else row


@compiled
def apply(state, action):
    mover = state[PLAYER]
    source, to = action >> 6, action & 63
    state[PAWNS + mover] ^= (np.int64(1) << source) | (np.int64(1) << to)
    state[PAWNS + 1 - mover] &= ~(np.int64(1) << to)
    if rows_left(state, to) == 0 or state[PAWNS + 1 - mover] == 0:
        state[WINNER] = mover + 1
    state[PLAYER] = 1 - mover


@compiled
def terminal(state):
    return state[WINNER] != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state[WINNER] == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def heuristic(state, action):
    """1 for a win; otherwise half for how far the pawn has come, and half for how far a captured one had come."""
    to = action & 63
    left, last = rows_left(state, to), state[ROWS] - 1
    if left == 0:
        return 1.0
    captures = (state[PAWNS + 1 - state[PLAYER]] >> to) & 1
    return 0.5 * (last - left) / last + (0.5 * left / last if captures else 0.0)


def square_name(square: int) -> str:
    """Columns are letters, rows are numbers from White's side."""
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def format_action(state: State, action: int) -> str:
    return square_name(action // 64) + square_name(action % 64)


def parse_action(state: State, text: str) -> int:
    """Also with a dash or an ``x`` between the squares: ``a2-a3``, ``b4xc5``."""
    squares = {square_name(square): square for square in range(64)}
    letters = text.casefold().replace("-", "").replace("x", "").replace(" ", "")
    source, to = letters[:2], letters[2:]
    if source not in squares or to not in squares:
        raise ValueError("a move is the two squares of a step, such as a2a3 or b4xc5")
    return 64 * squares[source] + squares[to]


def render(state: State, observer: int | None = None) -> str:
    columns, rows = int(state[COLUMNS]), int(state[ROWS])
    white, black = int(state[PAWNS]), int(state[PAWNS + 1])
    lines = []
    for y in reversed(range(rows)):
        squares = range(8 * y, 8 * y + columns)
        marks = ["W" if white >> square & 1 else "B" if black >> square & 1 else "." for square in squares]
        lines.append(f"{y + 1} {' '.join(marks)}")
    return "\n".join([*lines, "  " + " ".join("abcdefgh"[:columns])])
