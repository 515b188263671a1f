"""Clobber: the board is full of stones of two colours, and a stone moves only by taking a neighbour of the other colour.

Cells are numbered row by row from the top left, ``a`` is the left column and row 1 the lowest; stones lie like the
squares of a chequered board, with one of player 0 (``O``) on a1.  A move takes a stone to one of the four
cells beside it, where an opponent's stone lies, which leaves the board.  Whoever cannot move loses.  There are no
draws.  Perfect information.

Action = ``4 * cell + direction``; directions are up, right, down, left.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import all_but_column, count_bits, first_rows, lowest, nth_bit


class Board(Layout):
    """A position; the parameters come first.  Sets of cells: cell i = bit i."""

    rows = Word()
    columns = Word()
    stones = Words(2)  #: the stones of each player
    player = Word()  #: who acts
    not_left = Word()  #: all cells but those of the left column
    not_right = Word()
    not_bottom = Word()


def clobber(m: int = 5, n: int = 6) -> Game:
    """``m`` rows and ``n`` columns (at least 2 cells, at most 64, and at most 26 columns)."""
    check_size(m, n)
    return Game(
        name=f"clobber({m},{n})",
        summary=f"take a neighbour with every move on a board of {m} rows and {n} columns; who cannot move loses",
        players=2,
        parameters=(m, n),
        layout=Board,
        state_size=size_of(Board),
        max_actions=2 * m * n - m - n,  # a pair of neighbours is at most one move
        max_plies=m * n - 1,
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
        player_names=("O", "X"),
        player_colours=("white", "black"),
    )


def check_size(m: int, n: int) -> None:
    if not (m >= 1 and 1 <= n <= 26 and 2 <= m * n <= 64):
        raise GameError(f"the board must have 2 to 64 cells in at most 26 columns, not {m} rows and {n} columns")


@compiled
def initial(state, rng):
    rows, columns = state.rows, state.columns
    for y in range(rows):
        for x in range(columns):
            state.stones[(x + rows - 1 - y) & 1] |= np.int64(1) << (y * columns + x)
    state.not_left = all_but_column(rows, columns, 0)
    state.not_right = all_but_column(rows, columns, columns - 1)
    state.not_bottom = first_rows(rows - 1, columns)


@compiled
def player(state):
    return state.player


@compiled
def movers(state, own, other):
    """The stones that can move up, right, down, left."""
    up = own & (other << state.columns)
    right = own & (other >> 1) & state.not_right
    down = own & (other >> state.columns) & state.not_bottom
    left = own & (other << 1) & state.not_left
    return up, right, down, left


@compiled
def list_moves(actions, count, stones, direction):
    """Append the moves of these stones in one direction; returns the new number of actions."""
    while stones != 0:
        actions[count] = 4 * lowest(stones) + direction
        count += 1
        stones &= stones - 1
    return count


@compiled
def legal(state, actions):
    up, right, down, left = movers(state, state.stones[state.player], state.stones[1 - state.player])
    count = list_moves(actions, 0, up, 0)
    count = list_moves(actions, count, right, 1)
    count = list_moves(actions, count, down, 2)
    return list_moves(actions, count, left, 3)


@compiled
def target(columns, cell, direction):
    """The cell beside a cell."""
    if direction == 0:
        return cell - columns
    if direction == 2:
        return cell + columns
    return cell + 2 - direction


@compiled
def apply(state, action):
    cell, mover = action >> 2, state.player
    to = np.int64(1) << target(state.columns, cell, action & 3)
    state.stones[mover] ^= (np.int64(1) << cell) | to
    state.stones[1 - mover] ^= to
    state.player = 1 - mover


@compiled
def terminal(state):
    up, right, down, left = movers(state, state.stones[state.player], state.stones[1 - state.player])
    return up | right | down | left == 0


@compiled
def rewards(state, out):
    out[state.player] = 0.0
    out[1 - state.player] = 1.0


@compiled
def playout(state, rng):
    """Random moves with the whole position in registers, drawn as they would be from a list."""
    own, other, plies = state.stones[state.player], state.stones[1 - state.player], 0
    while True:
        up, right, down, left = movers(state, own, other)
        ups, rights, downs = count_bits(up), count_bits(right), count_bits(down)
        total = ups + rights + downs + count_bits(left)
        if total == 0:
            break
        rank = random_below(rng, total) if total > 1 else 0
        direction, stones = 0, up
        if rank >= ups:
            rank -= ups
            direction, stones = 1, right
            if rank >= rights:
                rank -= rights
                direction, stones = 2, down
                if rank >= downs:
                    rank -= downs
                    direction, stones = 3, left
        cell = nth_bit(stones, rank)
        to = np.int64(1) << target(state.columns, cell, direction)
        own, other = other ^ to, own ^ ((np.int64(1) << cell) | to)
        plies += 1
    last = state.player ^ (plies & 1)
    state.player = last
    state.stones[last], state.stones[1 - last] = own, other
    return plies


@compiled
def key(state):
    return mix(mix(state.player, state.stones[0]), state.stones[1])


def marks(state: Board) -> list[str]:
    """What lies on every cell: ``O``, ``X`` or a dot."""
    first, second = (int(stones) for stones in state.stones)
    cells = range(int(state.rows * state.columns))
    return ["O" if first >> cell & 1 else "X" if second >> cell & 1 else "." for cell in cells]


def cell_name(cell: int, rows: int, columns: int) -> str:
    """Columns are letters, rows are numbers from the bottom."""
    return f"{chr(ord('a') + cell % columns)}{rows - cell // columns}"


def squares(state: Board, action: int) -> tuple[str, str]:
    """Where a move begins and ends."""
    cell, rows, columns = action // 4, int(state.rows), int(state.columns)
    return cell_name(cell, rows, columns), cell_name(int(target(columns, cell, action % 4)), rows, columns)


def format_action(state: Board, action: int) -> str:
    return "".join(squares(state, action))


def render(state: Board, observer: int | None = None) -> str:
    return draw_board(int(state.rows), int(state.columns), marks(state))


def draw_board(rows: int, columns: int, cells: list[str]) -> str:
    """The cells row by row, with the names of rows and columns."""
    lines = [f"{rows - y:2d} " + " ".join(cells[columns * y : columns * (y + 1)]) for y in range(rows)]
    return "\n".join([*lines, "   " + " ".join(chr(ord("a") + x) for x in range(columns))])
