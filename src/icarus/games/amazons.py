"""Amazons: four queens each, which shoot an arrow after every move; whoever cannot move loses.

An amazon moves like a queen of chess, over empty squares only, and from where it has arrived shoots an arrow that flies
like a queen, too, and blocks its square for good.  So a turn is two decisions of the same player: the move, then the
arrow.  An arrow can always be shot, at least to the square that the amazon has left.  Nothing is ever captured.
Player 0 (``X``) has the lower side of the board and starts.  Perfect information.

A square is ``16 * row + column``, rows from the top and both from 1 on; action = ``256 * from + to`` for a move, and the
square alone for an arrow.

What stands on the board is kept by its rows, its columns and its two kinds of diagonals, as sets with the outside of the
board filled: how far a queen gets is the distance to the next bit.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import highest, lowest

AMAZONS = 4  #: of each player
STEPS = (1, -1, 16, -16, 17, -17, -15, 15)  #: of a queen: along a row, a column, a falling and a rising diagonal
STEP = np.array(STEPS, np.int64)


class Board(Layout):
    """A position; the parameter comes first."""

    n = Word()
    player = Word()  #: who acts
    moved = Word()  #: where an amazon stands that has to shoot; 0 if it is time to move
    amazons = Words(8)  #: the squares of player 0's, then of player 1's
    lines = Words()  #: what is occupied in the n rows, the n columns, the 2 n - 1 diagonals of each kind


def amazons(n: int = 10) -> Game:
    """A board of ``n`` x ``n`` squares (4-14)."""
    if not 4 <= n <= 14:
        raise GameError(f"the board must have 4 to 14 rows, not {n}")
    return Game(
        name=f"amazons({n})",
        summary=f"queens that shoot arrows on a board of {n} x {n}; who cannot move loses",
        players=2,
        parameters=(n,),
        layout=Board,
        state_size=size_of(Board) + 6 * n - 2,
        max_actions=AMAZONS * 4 * (n - 1),
        max_plies=2 * (n * n - 2 * AMAZONS),
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
        key=key,
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
        player_colours=("white", "black"),
    )


@compiled
def turn_over(state, square):
    """A square is occupied, or free again: in each of its four lines.  Columns are counted by rows, all others by columns."""
    n, row, column = state.n, square >> 4, square & 15
    state.lines[row - 1] ^= np.int64(1) << column
    state.lines[n + column - 1] ^= np.int64(1) << row
    state.lines[3 * n - 1 + row - column] ^= np.int64(1) << column
    state.lines[4 * n - 3 + row + column] ^= np.int64(1) << column


@compiled
def put(state, player, number, row, column):
    """Set up an amazon."""
    state.amazons[AMAZONS * player + number] = row << 4 | column
    turn_over(state, row << 4 | column)


@compiled
def initial(state, rng):
    n = state.n
    for line in range(6 * n - 2):
        state.lines[line] = -1
    for row in range(1, n + 1):
        for column in range(1, n + 1):
            turn_over(state, row << 4 | column)
    third = (n - 1) // 3
    for player in range(2):
        back, side = (n, n - third) if player == 0 else (1, 1 + third)
        put(state, player, 0, back, 1 + third)
        put(state, player, 1, back, n - third)
        put(state, player, 2, side, 1)
        put(state, player, 3, side, n)


@compiled
def player(state):
    return state.player


@compiled
def both_ways(line, place):
    """How many squares are free on either side of a place in a line, in 4 bits each."""
    forwards = lowest(line >> (place + 1))
    backwards = place - 1 - highest(line & ((np.int64(1) << place) - 1))
    return forwards | backwards << 4


@compiled
def reach(state, square):
    """How far a queen gets in each direction, in the order of STEPS, 4 bits each."""
    n, row, column = state.n, square >> 4, square & 15
    return (
        both_ways(state.lines[row - 1], column)
        | both_ways(state.lines[n + column - 1], row) << 8
        | both_ways(state.lines[3 * n - 1 + row - column], column) << 16
        | both_ways(state.lines[4 * n - 3 + row + column], column) << 24
    )


@compiled
def list_targets(state, source, label, actions, count):
    """Append the squares that a queen on this one can reach, with this label; returns the new number of actions."""
    far = reach(state, source)
    for number in range(8):
        square = label + source
        for _ in range(far & 15):
            square += STEP[number]
            actions[count] = square
            count += 1
        far >>= 4
    return count


@compiled
def legal(state, actions):
    if state.moved != 0:
        return list_targets(state, state.moved, 0, actions, 0)
    count = 0
    for i in range(AMAZONS * state.player, AMAZONS * (state.player + 1)):
        source = state.amazons[i]
        count = list_targets(state, source, source << 8, actions, count)
    return count


@compiled
def apply(state, action):
    turn_over(state, action & 255)
    if state.moved != 0:
        state.moved = 0
        state.player = 1 - state.player
        return
    source, to = action >> 8, action & 255
    turn_over(state, source)
    for i in range(AMAZONS * state.player, AMAZONS * (state.player + 1)):
        if state.amazons[i] == source:
            state.amazons[i] = to
    state.moved = to


@compiled
def terminal(state):
    if state.moved != 0:
        return False
    for i in range(AMAZONS * state.player, AMAZONS * (state.player + 1)):
        if reach(state, state.amazons[i]) != 0:
            return False
    return True


@compiled
def rewards(state, out):
    out[state.player] = 0.0
    out[1 - state.player] = 1.0


@compiled
def squares_in(far):
    """How many squares a queen reaches that gets so far."""
    return ((((far & 0x0F0F0F0F) + (far >> 4 & 0x0F0F0F0F)) * 0x01010101) >> 24) & 255


@compiled
def target(source, far, rank):
    """The square of this rank among those that a queen reaches."""
    number = 0
    while rank >= far & 15:
        rank -= far & 15
        far >>= 4
        number += 1
    return source + (rank + 1) * STEP[number]


@compiled
def draw(state, rng):
    """A random legal action, 0 if there is none."""
    if state.moved != 0:
        far = reach(state, state.moved)
        return target(state.moved, far, random_below(rng, squares_in(far)))
    first = AMAZONS * state.player
    total = 0
    for i in range(AMAZONS):
        total += squares_in(reach(state, state.amazons[first + i]))
    if total == 0:
        return 0
    rank = random_below(rng, total)
    i = first
    far = reach(state, state.amazons[i])
    while rank >= squares_in(far):
        rank -= squares_in(far)
        i += 1
        far = reach(state, state.amazons[i])
    return state.amazons[i] << 8 | target(state.amazons[i], far, rank)


@compiled
def playout(state, rng):
    plies = 0
    action = draw(state, rng)
    while action != 0:
        apply(state, action)
        plies += 1
        action = draw(state, rng)
    return plies


@compiled
def key(state):
    """The amazons as a set, what is occupied, and whose decision it is."""
    found = mix(state.player, state.moved)
    for player in range(2):
        together = np.int64(0)
        for i in range(AMAZONS * player, AMAZONS * (player + 1)):
            together += mix(player, state.amazons[i])
        found = mix(found, together)
    for row in range(state.n):
        found = mix(found, state.lines[row])
    return found


def marks(state: Board) -> list[list[str]]:
    """What is on the squares, row by row from the top: amazons, ``*`` for an arrow, or a dot."""
    standing = {int(square): "XO"[i // AMAZONS] for i, square in enumerate(state.amazons)}
    places = range(1, int(state.n) + 1)
    return [
        [standing.get(16 * row + column, "*" if int(state.lines[row - 1]) >> column & 1 else ".") for column in places]
        for row in places
    ]


def square_name(state: Board, square: int) -> str:
    """Columns are letters, rows are numbers from the bottom."""
    row, column = divmod(square, 16)
    return f"{chr(ord('a') + column - 1)}{int(state.n) + 1 - row}"


def format_action(state: Board, action: int) -> str:
    """A move as two squares, an arrow as one behind a stroke."""
    if action < 256:
        return f"/{square_name(state, action)}"
    return f"{square_name(state, action >> 8)}-{square_name(state, action & 255)}"


def render(state: Board, observer: int | None = None) -> str:
    n = int(state.n)
    lines = [f"{n - y:2d} " + " ".join(row) for y, row in enumerate(marks(state))]
    return "\n".join([*lines, "   " + " ".join(chr(ord("a") + x) for x in range(n))])
