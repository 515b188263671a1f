"""Havannah: stones on a hexagon of hexagons; a ring, a bridge between two corners or a fork between three sides wins.

The board has ``n`` cells along each side.  Cells are numbered row by row in a square that holds the hexagon, so that a
cell touches those beside it in the row, the same column and the one before in the row above, the same column and the
next in the row below::

      0  1  2
      5  6  7  8
     10 11 12 13 14
        16 17 18 19
           22 23 24

Player 0 starts, and each turn places a stone.  A *bridge* connects two of the six corners, a *fork* three of the six
sides (a corner is part of no side), and a *ring* is a loop around at least one cell, whoever's stone may be there.  A full
board without any of them is a draw, and there is no swap rule.  Perfect information.

Groups of stones are kept as trees in which every stone points towards its group's root, and a root knows which sides
and corners its group touches.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import count_bits, lowest, nth_bit, row_of

MOST = 10  #: cells along a side
DRAW = 3

# a cell of the board: who is there, whether it is a root, and a number
OWNER = 3  #: 0 nobody, else player + 1; all bits for what is outside
ROOT = 4  #: the number is what the group touches: a bit per side, then a bit per corner; without it, the next cell of the tree
NUMBER = 3  #: the number begins at this bit
SIDES = 6


class Board(Layout):
    """A position; the parameter comes first."""

    n = Word()
    plies = Word()  #: stones on the board
    outcome = Word()  #: 0 while the game runs, 1 and 2 if player 0 and 1 won, DRAW
    zobrist = Word()  #: the key of the position
    empty = Words(((2 * MOST - 1) ** 2 + 63) // 64)  #: the empty cells, 64 to a word
    cells = Words()  #: the square with a border around it, a word per cell


def havannah(n: int = 8) -> Game:
    """``n`` cells along each side (2-10)."""
    if not 2 <= n <= MOST:
        raise GameError(f"a side has 2 to {MOST} cells, not {n}")
    return Game(
        name=f"havannah({n})",
        summary=f"a ring, a bridge or a fork on a hexagon with {n} cells along each side",
        players=2,
        parameters=(n,),
        layout=Board,
        state_size=size_of(Board) + (2 * n + 1) ** 2,
        max_actions=3 * n * (n - 1) + 1,
        max_plies=3 * n * (n - 1) + 1,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
        key=key,
        suggest=suggest,
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
    )


@compiled
def on_sides(n, x, y):
    """The sides and corners that a cell lies on, a bit each; sides are numbered around the board."""
    last = 2 * n - 2
    sides = (y == 0) | (x - y == n - 1) << 1 | (x == last) << 2 | (y == last) << 3 | (y - x == n - 1) << 4 | (x == 0) << 5
    if count_bits(sides) < 2:
        return np.int64(sides)
    # the corner between a side and the next one has the number of the first
    first = 5 if sides == 0b100001 else lowest(sides)
    return np.int64(1) << (SIDES + first)


@compiled
def initial(state, rng):
    n = state.n
    width = 2 * n - 1
    for y in range(-1, width + 1):
        for x in range(-1, width + 1):
            place = (y + 1) * (width + 2) + x + 1
            if x < 0 or y < 0 or x == width or y == width or x - y >= n or y - x >= n:
                state.cells[place] = OWNER
            else:
                state.cells[place] = on_sides(n, x, y) << NUMBER | ROOT
                cell = y * width + x
                state.empty[cell >> 6] |= np.int64(1) << (cell & 63)


@compiled
def player(state):
    return state.plies & 1


@compiled
def words_of_cells(state):
    """How many words hold the empty cells."""
    width = 2 * state.n - 1
    return (width * width + 63) >> 6


@compiled
def legal(state, actions):
    count = 0
    for word in range(words_of_cells(state)):
        cells, first = state.empty[word], word << 6
        while cells != 0:
            actions[count] = first + lowest(cells)
            count += 1
            cells &= cells - 1
    return count


@compiled
def neighbour(stride, number):
    """The step to one of the six neighbours, in order around the cell."""
    if number < 3:
        return number - 1 - stride if number < 2 else 1
    return stride + 4 - number if number < 5 else -1


@compiled
def root_of(state, place):
    """The root of a stone's group; shortens the way there."""
    while state.cells[place] & ROOT == 0:
        parent = state.cells[place] >> NUMBER
        if state.cells[parent] & ROOT == 0:
            state.cells[place] = state.cells[parent]
        place = state.cells[place] >> NUMBER
    return place


@compiled
def surrounded(state, place, stride, owner):
    """Are all six neighbours of this player?"""
    for number in range(6):
        if state.cells[place + neighbour(stride, number)] & OWNER != owner:
            return False
    return True


@compiled
def put(state, cell):
    """Place a stone of whoever is to act; notes if it wins."""
    width = 2 * state.n - 1
    stride = width + 2
    row = row_of(cell, width)
    place = (row + 1) * stride + (cell - row * width) + 1
    mover = state.plies & 1
    owner = mover + 1
    state.empty[cell >> 6] ^= np.int64(1) << (cell & 63)
    state.zobrist ^= mix(cell, owner)
    state.plies += 1
    state.cells[place] |= owner
    root = place
    ring, beside = False, 0
    before = state.cells[place - 1] & OWNER == owner  # the last of the six
    for number in range(6):
        near = place + neighbour(stride, number)
        same = state.cells[near] & OWNER == owner
        if same:
            beside += 1
            if not before:  # the first of a run of neighbours: they hang together already
                group = root_of(state, near)
                if root == group:
                    ring = True  # two runs of one group: the way from one to the other closes around a cell between them
                else:
                    touched = state.cells[root] >> NUMBER | state.cells[group] >> NUMBER
                    state.cells[root] = group << NUMBER | owner
                    state.cells[group] = touched << NUMBER | ROOT | owner
                    root = group
        before = same
    if beside == 6:  # a single run without a first
        ring = True
    if beside >= 3 and not ring:  # a ring around a cell of one's own has no gap that would divide the neighbours into runs
        for number in range(6):
            near = place + neighbour(stride, number)
            if state.cells[near] & OWNER == owner and surrounded(state, near, stride, owner):
                ring = True
    touched = state.cells[root] >> NUMBER
    sides, corners = touched & ((1 << SIDES) - 1), touched >> SIDES
    if ring or count_bits(sides) >= 3 or count_bits(corners) >= 2:
        state.outcome = owner
    elif state.plies == 3 * state.n * (state.n - 1) + 1:
        state.outcome = DRAW


@compiled
def apply(state, action):
    put(state, action)


@compiled
def terminal(state):
    return state.outcome != 0


@compiled
def rewards(state, out):
    out[0] = 0.5 if state.outcome == DRAW else 1.0 if state.outcome == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def playout(state, rng):
    """Random stones, each drawn by its rank among the empty cells."""
    plies, left = 0, 3 * state.n * (state.n - 1) + 1 - state.plies
    while state.outcome == 0:
        rank = random_below(rng, left)
        word = 0
        here = count_bits(state.empty[0])
        while rank >= here:
            rank -= here
            word += 1
            here = count_bits(state.empty[word])
        put(state, (word << 6) + nth_bit(state.empty[word], rank))
        plies += 1
        left -= 1
    return plies


@compiled
def key(state):
    return state.zobrist


@compiled
def suggest(state, last, out):
    """Complete bridges that the last stone has cut: around it an own stone, an empty cell, an own stone."""
    if last < 0:
        return 0
    width = 2 * state.n - 1
    row = row_of(last, width)
    place, owner, own, free = (row + 1) * (width + 2) + last - row * width + 1, (state.plies & 1) + 1, 0, 0
    for number in range(6):
        there = state.cells[place + neighbour(width + 2, number)] & OWNER
        own |= (there == owner) << number
        free |= (there == 0) << number
    cut, count = free & (own << 1 | own >> 5) & (own >> 1 | own << 5), 0
    for number in range(6):
        if cut >> number & 1:
            step = neighbour(width + 2, number)
            # a step over the border's columns is two longer than over the board's
            out[count] = last + (step if -2 < step < 2 else step + 2 if step < 0 else step - 2)
            count += 1
    return count


def rows(state: Board) -> list[list[tuple[int, str]]]:
    """The cells of every row with what lies there: ``X``, ``O`` or a dot."""
    n = int(state.n)
    width = 2 * n - 1
    square = state.cells.reshape(width + 2, width + 2)[1:-1, 1:-1] & OWNER
    return [
        [(y * width + x, ".XO"[int(square[y, x])]) for x in range(max(0, y - n + 1), min(width, y + n))] for y in range(width)
    ]


def format_action(state: Board, action: int) -> str:
    """Columns are letters along the slanted lines, rows are numbers from the top."""
    row, column = divmod(action, 2 * int(state.n) - 1)
    return f"{chr(ord('a') + column)}{row + 1}"


def render(state: Board, observer: int | None = None) -> str:
    n = int(state.n)
    lines = ["   " + " " * n + " ".join(chr(ord("a") + x) for x in range(n))]
    for y, row in enumerate(rows(state)):
        end = f" {chr(ord('a') + n + y)}" if y < n - 1 else ""
        lines.append(" " * abs(n - 1 - y) + f"{y + 1:2d} " + " ".join(mark for _, mark in row) + end)
    return "\n".join(lines)
