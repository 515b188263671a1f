"""Domineering: player 0 puts dominoes on the board upright, player 1 lying, and whoever has no room loses.

Cells are numbered row by row from the top left, ``a`` is the left column and row 1 the lowest.  A domino covers two
empty cells: one below the other for player 0, side by side for player 1.  There are no draws.  Perfect information.

Action = ``2 * cell + player``, where the cell is the upper or left one of the two: a place of an upright domino is not
the place of a lying one.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import all_but_column, count_bits, first_rows, lowest, nth_bit
from icarus.games.clobber import cell_name, check_size, draw_board


class Board(Layout):
    """A position; the parameters come first.  Sets of cells: cell i = bit i."""

    rows = Word()
    columns = Word()
    empty = Word()
    dominoes = Words(2)  #: the upper or left cells of the dominoes of each player
    player = Word()  #: who acts
    not_right = Word()  #: all cells but those of the right column
    not_bottom = Word()


def domineering(m: int = 8, n: int = 8) -> Game:
    """``m`` rows (2 or more) and ``n`` columns (26 at most), at most 64 cells."""
    check_size(m, n)
    if m < 2:
        raise GameError("there must be 2 rows or more: upright dominoes have no room in one")
    return Game(
        name=f"domineering({m},{n})",
        summary=f"dominoes on a board of {m} rows and {n} columns, upright against lying; who has no room loses",
        players=2,
        parameters=(m, n),
        layout=Board,
        state_size=size_of(Board),
        max_actions=m * n,
        max_plies=m * n // 2,
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
        player_names=("Vertical", "Horizontal"),
    )


@compiled
def initial(state, rng):
    state.empty = first_rows(state.rows, state.columns)
    state.not_right = all_but_column(state.rows, state.columns, state.columns - 1)
    state.not_bottom = first_rows(state.rows - 1, state.columns)


@compiled
def player(state):
    return state.player


@compiled
def places(state, empty, player):
    """Where the player can put a domino: the upper or left cells."""
    if player == 0:
        return empty & (empty >> state.columns) & state.not_bottom
    return empty & (empty >> 1) & state.not_right


@compiled
def legal(state, actions):
    cells, count = places(state, state.empty, state.player), 0
    while cells != 0:
        actions[count] = 2 * lowest(cells) + state.player
        count += 1
        cells &= cells - 1
    return count


@compiled
def covered(state, first, player):
    """Both cells of a domino, as a set."""
    return first | (first << (state.columns if player == 0 else 1))


@compiled
def apply(state, action):
    first = np.int64(1) << (action >> 1)
    state.empty ^= covered(state, first, state.player)
    state.dominoes[state.player] |= first
    state.player = 1 - state.player


@compiled
def terminal(state):
    return places(state, state.empty, state.player) == 0


@compiled
def rewards(state, out):
    out[state.player] = 0.0
    out[1 - state.player] = 1.0


@compiled
def playout(state, rng):
    """Random dominoes with the empty cells in a register, drawn as they would be from a list."""
    empty, mover, plies = state.empty, state.player, 0
    cells = places(state, empty, mover)
    while cells != 0:
        count = count_bits(cells)
        first = np.int64(1) << nth_bit(cells, random_below(rng, count) if count > 1 else 0)
        empty ^= covered(state, first, mover)
        state.dominoes[mover] |= first
        mover = 1 - mover
        plies += 1
        cells = places(state, empty, mover)
    state.empty, state.player = empty, mover
    return plies


@compiled
def key(state):
    """Whose dominoes cover the board makes no difference."""
    return mix(state.player, state.empty)


def marks(state: Board) -> list[str]:
    """What lies on every cell: ``V`` or ``H`` for a half of a domino, or a dot."""
    found = ["."] * int(state.rows * state.columns)
    for owner, step in ((0, int(state.columns)), (1, 1)):
        for cell in range(len(found)):
            if int(state.dominoes[owner]) >> cell & 1:
                found[cell] = found[cell + step] = "VH"[owner]
    return found


def squares(state: Board, action: int) -> tuple[str, str]:
    """The two cells of a domino."""
    cell, rows, columns = action // 2, int(state.rows), int(state.columns)
    return cell_name(cell, rows, columns), cell_name(cell + (columns if action % 2 == 0 else 1), rows, columns)


def format_action(state: Board, action: int) -> str:
    return "".join(squares(state, action))


def render(state: Board, observer: int | None = None) -> str:
    return draw_board(int(state.rows), int(state.columns), marks(state))
