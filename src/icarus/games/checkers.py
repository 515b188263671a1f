"""American checkers (English draughts): 12 men a side on the 32 dark squares of an 8 x 8 board, captures are forced.

Rules, and every choice among their variants:

* Player 0 (Black, ``x``) starts at the bottom, moves up the board and moves first.
* Men step and jump diagonally forward only.  Kings step and jump one square, in all four directions.
* A player who can capture must, but may choose any capture: there is no duty to take the most.
* A chain of captures is a series of actions of the same player, one jump each.  Only the piece that jumped may
  continue, and it must while it can.  A man that reaches the far row is crowned and its turn ends there, even if it
  could jump on as a king.
* Whoever is to move and cannot (blocked, or without pieces) loses.
* ``draw`` consecutive actions without a capture, both sides and men's moves included, end the game as a draw.  The
  count is looked at first: a last quiet action that also blocks the opponent draws.  There is no repetition rule, so
  this one bounds the game.  40 is OpenSpiel's number.

An episode (EPIC, equation 21 of icarus-2014) begins where a capture is available that does not continue a chain,
labelled by the player; the first position of the game begins one too.

An action is ``32 * from + to``.  Squares are those of the usual notation less one: they count from Black's right hand::

    8    31  30  29  28      8  . b . d . f . h
    7  27  26  25  24        7  a . c . e . g .
    .       ...              .        ...
    2     7   6   5   4      2  . b . d . f . h
    1   3   2   1   0        1  a . c . e . g .
"""

from __future__ import annotations

import math
import re

import numpy as np

from icarus.errors import GameError
from icarus.game import CONTINUES, Game, Layout, Word, Words, compiled, size_of
from icarus.games._bits import count_bits

DRAWN = 3


class Board(Layout):
    """Pieces are bitboards."""

    draw = Word()  #: parameter: so many consecutive actions without a capture are a draw
    turn = Word()  #: who moves
    pieces = Words(2)  #: all pieces of player 0 and of player 1
    kings = Word()  #: the kings of both
    chain = Word()  #: the piece that must go on jumping, or 0
    capture = Word()  #: 1 if whoever moves can capture, and so must
    quiet = Word()  #: consecutive actions without a capture
    result = Word()  #: 0 while the game runs, 1 + winner, or DRAWN


# Bitboards have a gap after every two rows (square s is bit s + s // 8), so that the four diagonal neighbours of any
# square are the same four shifts away, and a step over the edge lands in a gap.
GAPPED = np.array([s + s // 8 for s in range(32)])
SHIFTS = (4, 5, -4, -5)
BOARD = sum(1 << int(bit) for bit in GAPPED)
BLACK_START = sum(1 << int(bit) for bit in GAPPED[:12])
WHITE_START = sum(1 << int(bit) for bit in GAPPED[20:])
HOME_0 = sum(1 << int(bit) for bit in GAPPED[:4])
HOME_1 = sum(1 << int(bit) for bit in GAPPED[28:])
CROWNING = sum(1 << int(bit) for bit in (*GAPPED[:4], *GAPPED[28:]))

# features: men by how far they have come, kings by their ring from the edge, a duty to take; then of a move
OF_KINGS, MUST_TAKE, MAN_TO, KING_TO = 16, 24, 25, 33
TAKES_MAN, TAKES_KING, IN_DANGER, LEAVES_HOME, CROWNS, FEATURES = range(37, 43)

# 2 is a primitive root of 37, so the powers of two below 2**36 have different remainders: bit % 37 tells the square.
MODULUS = 37


def _actions(reach: int) -> np.ndarray:
    """The action of moving ``reach`` diagonal squares, by direction and by the mover's bit modulo 37."""
    table = np.zeros(len(SHIFTS) * MODULUS, np.int64)
    square = {int(bit): s for s, bit in enumerate(GAPPED)}
    for direction, shift in enumerate(SHIFTS):
        for bit, s in square.items():
            if all(bit + shift * i in square for i in range(1, reach + 1)):
                table[direction * MODULUS + (1 << bit) % MODULUS] = 32 * s + square[bit + shift * reach]
    return table


STEPS, JUMPS = _actions(1), _actions(2)


def checkers(draw: int = 40) -> Game:
    """American checkers; ``draw`` (1-1000) consecutive actions without a capture are a draw."""
    if not 1 <= draw <= 1000:
        raise GameError(f"draw={draw!r} is not a number of actions without a capture; use 1 to 1000 (the default is 40)")
    return Game(
        name="checkers" if draw == 40 else f"checkers(draw={draw})",
        summary="American checkers with forced captures",
        players=2,
        parameters=(draw,),
        layout=Board,
        state_size=size_of(Board),
        max_actions=48,  # 12 pieces, 4 directions
        # At most 12 + 11 pieces can be captured, and the capture that ends a side ends the game.  So there are at most
        # 23 stretches: draw - 1 quiet actions and a capture each, but for the last, which may be draw quiet actions.
        max_plies=23 * draw,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        episode=episode,
        heuristic=heuristic,
        evaluate=evaluate,
        features=features,
        feature_count=FEATURES,
        max_features=25,
        render=render,
        format_action=format_action,
        parse_action=parse_action,
        player_names=("Black", "White"),
    )


@compiled
def initial(state, rng):
    state.pieces[0] = BLACK_START
    state.pieces[1] = WHITE_START


@compiled
def player(state):
    return state.turn


@compiled
def terminal(state):
    return state.result != 0


@compiled
def rewards(state, out):
    if state.result == DRAWN:
        out[0] = out[1] = 0.5
    else:
        out[0] = 1.0 if state.result == 1 else 0.0
        out[1] = 1.0 - out[0]


@compiled
def jumpers(up, down, other, empty):
    """Which pieces, of those that may go up or down the board, can jump over one of the other side?"""
    return (up & (((other >> 4) & (empty >> 8)) | ((other >> 5) & (empty >> 10)))) | (
        down & (((other << 4) & (empty << 8)) | ((other << 5) & (empty << 10)))
    )


@compiled
def steppers(up, down, empty):
    """Which pieces, of those that may go up or down the board, have an empty square to step to?"""
    return (up & ((empty >> 4) | (empty >> 5))) | (down & ((empty << 4) | (empty << 5)))


@compiled
def write(actions, count, movers, table, direction):
    """Append the action of every one of these pieces in one direction."""
    while movers:
        bit = movers & -movers
        actions[count] = table[direction * MODULUS + bit % MODULUS]
        count += 1
        movers ^= bit
    return count


@compiled
def legal(state, actions):
    mover = state.turn
    own, other = state.pieces[mover], state.pieces[1 - mover]
    empty = BOARD & ~(own | other)
    if state.chain:
        own = state.chain
    kings = own & state.kings
    up = own if mover == 0 else kings
    down = kings if mover == 0 else own
    count = 0
    if state.capture:
        count = write(actions, count, up & (other >> 4) & (empty >> 8), JUMPS, 0)
        count = write(actions, count, up & (other >> 5) & (empty >> 10), JUMPS, 1)
        count = write(actions, count, down & (other << 4) & (empty << 8), JUMPS, 2)
        count = write(actions, count, down & (other << 5) & (empty << 10), JUMPS, 3)
    else:
        count = write(actions, count, up & (empty >> 4), STEPS, 0)
        count = write(actions, count, up & (empty >> 5), STEPS, 1)
        count = write(actions, count, down & (empty << 4), STEPS, 2)
        count = write(actions, count, down & (empty << 5), STEPS, 3)
    return count


@compiled
def apply(state, action):
    mover = state.turn
    origin, goal = action >> 5, action & 31
    origin += origin >> 3
    goal += goal >> 3
    source, target = 1 << origin, 1 << goal
    own, other, kings = state.pieces[mover] ^ source ^ target, state.pieces[1 - mover], state.kings
    crowned = 0
    if kings & source:
        kings ^= source ^ target
    else:
        crowned = target & CROWNING
        kings |= crowned

    state.chain = 0
    state.quiet += 1
    captures = goal - origin > 5 or origin - goal > 5
    if captures:
        taken = 1 << ((origin + goal) >> 1)
        other ^= taken
        kings &= ~taken
        state.quiet = 0
    state.pieces[mover] = own
    state.pieces[1 - mover] = other
    state.kings = kings
    empty = BOARD & ~(own | other)

    if captures and not crowned:
        king = target & kings
        if jumpers(target if mover == 0 else king, king if mover == 0 else target, other, empty):
            state.chain = target
            return

    state.turn = 1 - mover
    kings &= other
    up = kings if mover == 0 else other
    down = other if mover == 0 else kings
    state.capture = 0
    if state.quiet >= state.draw:
        state.result = DRAWN
    elif jumpers(up, down, own, empty):
        state.capture = 1
    elif not steppers(up, down, empty):
        state.result = 1 + mover


@compiled
def episode(state):
    if state.capture:
        return CONTINUES if state.chain else state.turn
    # no quiet action yet means the start of the game or the position after a capture
    if state.quiet == 0 and state.pieces[0] == BLACK_START and state.pieces[1] == WHITE_START:
        return state.turn
    return CONTINUES


@compiled
def heuristic(state, action):
    """Crowning is good, a piece that the opponent can take next is bad, and so is a man that leaves its home row."""
    mover = state.turn
    origin, goal = action >> 5, action & 31
    origin += origin >> 3
    goal += goal >> 3
    source, target = 1 << origin, 1 << goal
    own, other = state.pieces[mover] ^ source ^ target, state.pieces[1 - mover]
    value = 0.5
    if not state.kings & source:
        if target & CROWNING:
            value += 0.3
        elif source & CROWNING:
            value -= 0.1
    if state.capture:
        other ^= 1 << ((origin + goal) >> 1)
    kings = other & state.kings
    if jumpers(kings if mover == 0 else other, other if mover == 0 else kings, own, BOARD & ~(own | other)):
        value -= 0.3
    return value


@compiled
def evaluate(state, out):
    """Material, a king for one and a half men as Samuel (1959) has it, and men that guard their home row."""
    first, second, kings = state.pieces[0], state.pieces[1], state.kings
    lead = 1.0 * (count_bits(first) - count_bits(second)) + 0.5 * (count_bits(first & kings) - count_bits(second & kings))
    lead += 0.1 * (count_bits(first & ~kings & HOME_0) - count_bits(second & ~kings & HOME_1))
    # a lead is worth more the fewer pieces are left: the stronger side exchanges
    lead *= 16.0 / (count_bits(first | second) + 4.0)
    lead += 0.1 if state.turn == 0 else -0.1
    out[0] = 1.0 / (1.0 + math.exp(-lead))
    out[1] = 1.0 - out[0]


@compiled
def ring(square):
    """How far a square is from the edge."""
    row = square >> 2
    column = 2 * (square & 3) + (row + 1 & 1)
    return min(min(row, 7 - row), min(column, 7 - column))


@compiled
def features(state, action, out):
    """Of a position, for who acts and for the other: men by how far they have come, kings by their distance from the edge.

    Of a move: the same of where it ends, what it takes, whether anything can be taken then, a man that leaves home or is crowned.
    """
    mover, count = state.turn, 0
    if action < 0:
        for side in range(2):
            owner = mover if side == 0 else 1 - mover
            for square in range(32):
                bit = 1 << (square + (square >> 3))
                if state.pieces[owner] & bit:
                    row = square >> 2
                    man = 8 * side + (row if owner == 0 else 7 - row)
                    out[count] = OF_KINGS + 4 * side + ring(square) if state.kings & bit else man
                    count += 1
        if state.capture:
            out[count] = MUST_TAKE
            count += 1
        return count
    origin, goal = action >> 5, action & 31
    source, target = 1 << (origin + (origin >> 3)), 1 << (goal + (goal >> 3))
    own, other = state.pieces[mover] ^ source ^ target, state.pieces[1 - mover]
    if state.kings & source:
        out[0] = KING_TO + ring(goal)
        count = 1
    else:
        row = goal >> 2
        out[0] = MAN_TO + (row if mover == 0 else 7 - row)
        count = 1
        if target & CROWNING:
            out[count] = CROWNS
            count += 1
        if source & CROWNING:
            out[count] = LEAVES_HOME
            count += 1
    if state.capture:
        taken = 1 << ((origin + (origin >> 3) + goal + (goal >> 3)) >> 1)
        out[count] = TAKES_KING if state.kings & taken else TAKES_MAN
        count += 1
        other ^= taken
    kings = other & state.kings
    if jumpers(kings if mover == 0 else other, other if mover == 0 else kings, own, BOARD & ~(own | other)):
        out[count] = IN_DANGER
        count += 1
    return count


# --- for people ------------------------------------------------------------------------------------------------------


def square_name(square: int) -> str:
    """Files are letters from the left, ranks are numbers from Black's side."""
    rank, place = divmod(square, 4)
    return f"{'hgfedcba'[2 * place + (rank + 1) % 2]}{rank + 1}"


SQUARES = {square_name(s): s for s in range(32)} | {str(s + 1): s for s in range(32)}


def format_action(state: Board, action: int) -> str:
    origin, goal = divmod(action, 32)
    return f"{square_name(origin)}{'x' if state.capture else '-'}{square_name(goal)}"


def parse_action(state: Board, text: str) -> int:
    match = re.fullmatch(r"([a-h][1-8]|\d+)[\s:x-]*([a-h][1-8]|(?<!\d)\d+)", text.strip().lower())
    if match is None or not all(name in SQUARES for name in match.groups()):
        raise ValueError("give the two squares of one step or jump, as in c3-d4, c3xe5 or 11-15")
    origin, goal = (SQUARES[name] for name in match.groups())
    return 32 * origin + goal


def render(state: Board, observer: int | None = None) -> str:
    lines = []
    for rank in range(8, 0, -1):
        cells = []
        for file in "abcdefgh":
            square = SQUARES.get(f"{file}{rank}")
            if square is None:
                cells.append(" ")
                continue
            bit = 1 << int(GAPPED[square])
            owner = next((i for i in range(2) if int(state.pieces[i]) & bit), 2)
            cells.append(("XO" if int(state.kings) & bit else "xo.")[owner])
        lines.append(f"{rank} " + " ".join(cells).rstrip())
    lines.append("  a b c d e f g h")
    if state.result:
        lines.append(("Black has won", "White has won", "a draw")[int(state.result) - 1])
    else:
        mover = ("Black (x)", "White (o)")[int(state.turn)]
        chain = [name for name, s in SQUARES.items() if 1 << int(GAPPED[s]) == int(state.chain)]
        lines.append(f"{mover} " + (f"jumps on from {chain[0]}" if chain else "must capture" if state.capture else "to move"))
    return "\n".join(lines)
