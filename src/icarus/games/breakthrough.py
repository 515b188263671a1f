"""Breakthrough: two rows of pawns each, and the first pawn on the far row wins.

A pawn moves one step forward, straight or diagonally.  A straight step needs an empty square; a diagonal one may
capture, and capturing is never forced.  Reaching the far row wins, and so does capturing the last pawn.  Nobody is
ever stuck, because the foremost pawn always has a diagonal step; so there are no passes and no draws.  Player 0 is
White, starts, and moves up from rows 1 and 2.  Boards of other sizes have two rows of pawns too.  Perfect
information.

Squares are ``8 * row + column`` on a board of any size, a1 = 0 at White's left hand; action = ``64 * from + to``.
"""

from __future__ import annotations

import math

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import count_bits, lowest, nth_bit

# what the evaluation counts: a pawn on the far row as FORWARD more than one at home, the move as TEMPO pawns; a lead of one pawn
# makes a win e^PER_PAWN times as probable as a loss
FORWARD, TEMPO, PER_PAWN = 1.0, 0.3, 0.5


class Board(Layout):
    """A position; the parameters come first.  Sets of squares: square i = bit i."""

    columns = Word()
    rows = Word()
    squares = Word()  #: all squares of the board
    pawns = Words(2)  #: the pawns of White, the pawns of Black
    player = Word()  #: who acts: 0 White, 1 Black
    winner = Word()  #: 0 nobody yet, else player + 1


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
        layout=Board,
        state_size=size_of(Board),
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
        evaluate=evaluate,
        features=features,
        feature_count=64,
        max_features=4 * columns + 2,
        playout=playout,
        key=key,
        group=group,
        observation=observation,
        observation_shape=(2, rows, columns),
        action_index=action_index,
        action_count=3 * rows * columns,
        render=render,
        format_action=format_action,
        parse_action=parse_action,
        player_names=("White", "Black"),
    )


@compiled
def group(state, action):
    """Moves of one pawn belong together."""
    return action // 64


@compiled
def initial(state, rng):
    row = (np.int64(1) << state.columns) - 1
    two_rows = row | row << 8
    for y in range(state.rows):
        state.squares |= row << (8 * y)
    state.pawns[0] = two_rows
    state.pawns[1] = two_rows << (8 * (state.rows - 2))


@compiled
def player(state):
    return state.player


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
def targets(mover, own, other, squares):
    """Where the steps of a player can end: to the left, straight, to the right."""
    free = squares & ~own
    empty = free & ~other
    if mover == 0:
        return (own << 7) & free & NOT_H, (own << 8) & empty, (own << 9) & free & NOT_A
    free &= NOT_8
    return (own >> 9) & free & NOT_H, (own >> 8) & empty & NOT_8, (own >> 7) & free & NOT_A


@compiled
def legal(state, actions):
    mover = state.player
    left, straight, right = targets(mover, state.pawns[mover], state.pawns[1 - mover], state.squares)
    ahead = 8 if mover == 0 else -8
    count = list_steps(actions, 0, left, ahead - 1)
    count = list_steps(actions, count, straight, ahead)
    return list_steps(actions, count, right, ahead + 1)


@compiled
def rows_left(state, square):
    """How many rows away the goal of the player to act is."""
    row = square >> 3
    return state.rows - 1 - row if state.player == 0 else row


@compiled
def apply(state, action):
    mover = state.player
    source, to = action >> 6, action & 63
    state.pawns[mover] ^= (np.int64(1) << source) | (np.int64(1) << to)
    state.pawns[1 - mover] &= ~(np.int64(1) << to)
    if rows_left(state, to) == 0 or state.pawns[1 - mover] == 0:
        state.winner = mover + 1
    state.player = 1 - mover


@compiled
def terminal(state):
    return state.winner != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state.winner == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def random_step(mover, own, other, squares, rng):
    """A random step of a player: the square that is left and the one that is reached, as a set of each."""
    left, straight, right = targets(mover, own, other, squares)
    lefts, straights = count_bits(left), count_bits(straight)
    total = lefts + straights + count_bits(right)
    rank = random_below(rng, total) if total > 1 else 0
    ahead = 8 if mover == 0 else -8
    if rank < lefts:
        to = nth_bit(left, rank)
        return np.int64(1) << (to - ahead + 1), np.int64(1) << to
    if rank < lefts + straights:
        to = nth_bit(straight, rank - lefts)
        return np.int64(1) << (to - ahead), np.int64(1) << to
    to = nth_bit(right, rank - lefts - straights)
    return np.int64(1) << (to - ahead - 1), np.int64(1) << to


@compiled
def playout(state, rng):
    """Random steps with the whole position in registers, drawn as they would be from a list."""
    squares, plies, mover = state.squares, 0, state.player
    own, other = state.pawns[mover], state.pawns[1 - mover]
    last_row = np.int64(0xFF) << (8 * (state.rows - 1))
    goal, other_goal = (last_row, np.int64(0xFF)) if mover == 0 else (np.int64(0xFF), last_row)
    while state.winner == 0:
        source, to = random_step(mover, own, other, squares, rng)
        own ^= source | to
        other &= ~to
        plies += 1
        if to & goal != 0 or other == 0:
            state.winner = mover + 1
        own, other = other, own
        goal, other_goal = other_goal, goal
        mover = 1 - mover
    state.player = mover
    state.pawns[mover], state.pawns[1 - mover] = own, other
    return plies


@compiled
def key(state):
    return mix(mix(state.player, state.pawns[0]), state.pawns[1])


@compiled
def heuristic(state, action):
    """1 for a win; otherwise half for how far the pawn has come, and half for how far a captured one had come."""
    to = action & 63
    left, last = rows_left(state, to), state.rows - 1
    if left == 0:
        return 1.0
    captures = (state.pawns[1 - state.player] >> to) & 1
    return 0.5 * (last - left) / last + (0.5 * left / last if captures else 0.0)


@compiled
def worth_of(pawns, rows, up):
    """What pawns are worth: one each, and more the nearer they are to their goal."""
    worth = 0.0
    for row in range(rows):
        way = row if up else rows - 1 - row
        worth += count_bits((pawns >> (8 * row)) & 0xFF) * (1.0 + FORWARD * way * way / ((rows - 1) * (rows - 1)))
    return worth


@compiled
def evaluate(state, out):
    """Material and how far it has come (Lorentz and Horey 2013); a pawn that can step onto the far row has won."""
    mover, last = state.player, state.rows - 1
    before_last = np.int64(0xFF) << (8 * (last - 1)) if mover == 0 else np.int64(0xFF) << 8
    if state.pawns[mover] & before_last != 0:
        out[mover] = 1.0
    else:
        lead = worth_of(state.pawns[0], state.rows, True) - worth_of(state.pawns[1], state.rows, False)
        lead += TEMPO if mover == 0 else -TEMPO
        white = 1.0 / (1.0 + math.exp(-PER_PAWN * lead))
        out[mover] = white if mover == 0 else 1.0 - white
    out[1 - mover] = 1.0 - out[mover]


@compiled
def features(state, action, out):
    """Of a position: how far each pawn of who acts has come, and each of the other's.

    Of a step: where it ends, whether it takes a pawn, whether it can be taken there, whether it leaves home.
    """
    mover, count = state.player, 0
    own, other, last = state.pawns[mover], state.pawns[1 - mover], state.rows - 1
    if action < 0:
        for side in range(2):
            left = own if side == 0 else other
            while left != 0:
                row = lowest(left) >> 3
                left &= left - 1
                out[count] = 8 * side + (row if (mover == 0) == (side == 0) else last - row)
                count += 1
        return count
    to = action & 63
    way = last - rows_left(state, to)
    ahead = 8 if mover == 0 else -8
    square, beyond = np.int64(1) << to, to + ahead
    takes = other & square != 0
    # who stands diagonally in front of the square can take there
    front = np.int64(0)
    if 0 <= beyond < 64:
        line = np.int64(1) << beyond
        front = ((line << 1) & NOT_A) | ((line >> 1) & NOT_H) if beyond < 63 else (line >> 1) & NOT_H & NOT_8
        front &= np.int64(0xFF) << (beyond & 56)
    hit = front & other & ~square != 0
    out[0] = 16 + way
    out[1] = (24 if takes else 32) + way
    out[2] = (40 if hit else 48) + way
    count = 3
    if last - rows_left(state, action >> 6) == 0:
        out[count] = 56
        count += 1
    return count


def square_name(square: int) -> str:
    """Columns are letters, rows are numbers from White's side."""
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


@compiled
def observation(state, observer, out):
    """A plane of the observer's pawns and one of the other's; the observer's own first row comes first."""
    columns, rows = state.columns, state.rows
    own, other = state.pawns[observer], state.pawns[1 - observer]
    for row in range(rows):
        for column in range(columns):
            square = 8 * (row if observer == 0 else rows - 1 - row) + column
            out[row * columns + column] = own >> square & 1
            out[(rows + row) * columns + column] = other >> square & 1


@compiled
def action_index(state, action):
    """Where a pawn stands, as who acts sees it, and whether it steps to the left, straight or to the right."""
    source, to = action >> 6, action & 63
    row = (source >> 3) if state.player == 0 else state.rows - 1 - (source >> 3)
    step = (to & 7) - (source & 7) + 1
    return (step * state.rows + row) * state.columns + (source & 7)


def format_action(state: Board, action: int) -> str:
    return square_name(action // 64) + square_name(action % 64)


def parse_action(state: Board, text: str) -> int:
    """Also with a dash or an ``x`` between the squares: ``a2-a3``, ``b4xc5``."""
    squares = {square_name(square): square for square in range(64)}
    letters = text.casefold().replace("-", "").replace("x", "").replace(" ", "")
    source, to = letters[:2], letters[2:]
    if source not in squares or to not in squares:
        raise ValueError("a move is the two squares of a step, such as a2a3 or b4xc5")
    return 64 * squares[source] + squares[to]


def render(state: Board, observer: int | None = None) -> str:
    columns, rows = int(state.columns), int(state.rows)
    white, black = int(state.pawns[0]), int(state.pawns[1])
    lines = []
    for y in reversed(range(rows)):
        squares = range(8 * y, 8 * y + columns)
        marks = ["W" if white >> square & 1 else "B" if black >> square & 1 else "." for square in squares]
        lines.append(f"{y + 1} {' '.join(marks)}")
    return "\n".join([*lines, "  " + " ".join("abcdefgh"[:columns])])
