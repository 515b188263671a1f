"""m,n,k-games: two players put marks on a grid, and the first with k in a row wins.  Tic-tac-toe is ``mnk(3,3,3)``.

``m`` columns, ``n`` rows.  Cells are numbered row by row from the top left::

    0 1 2
    3 4 5
    6 7 8

More than k in a row wins too.  A full board without a line is a draw.  Perfect information.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, size_of


class Grid(Layout):
    """What every such game has; the parameters come first."""

    columns = Word()
    rows = Word()
    length = Word()  #: in a row to win
    plies = Word()  #: marks on the board
    winner = Word()  #: 0 nobody yet, else player + 1


class Board(Grid):
    marks = Words()  #: one word per cell: 0 empty, else player + 1


def mnk(m: int = 3, n: int = 3, k: int = 3) -> Game:
    """``m`` columns (1-26), ``n`` rows (1-26), ``k`` in a row to win."""
    check_size(m, n, k)
    return Game(
        name=f"mnk({m},{n},{k})",
        summary=f"{k} in a row on a board of {m} x {n}",
        players=2,
        parameters=(m, n, k),
        layout=Board,
        state_size=size_of(Board) + m * n,
        max_actions=m * n,
        max_plies=m * n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        observation=observation,
        observation_shape=(2, n, m),
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
    )


def tic_tac_toe() -> Game:
    """Three in a row on a board of 3 x 3."""
    return mnk(3, 3, 3)


def check_size(m: int, n: int, k: int) -> None:
    if not (1 <= m <= 26 and 1 <= n <= 26):
        raise GameError(f"the board must have 1 to 26 columns and rows, not {m} x {n}")
    if not 1 <= k <= max(m, n):
        raise GameError(f"k={k} in a row does not fit on a board of {m} x {n}; use 1 to {max(m, n)}")


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    count = 0
    for cell in range(state.columns * state.rows):
        if state.marks[cell] == 0:
            actions[count] = cell
            count += 1
    return count


@compiled
def run(state, x, y, dx, dy, mark):
    """How many marks of one kind lie from (x, y), exclusive, in one direction."""
    columns, rows = state.columns, state.rows
    count = 0
    x += dx
    y += dy
    cell = y * columns + x
    while x >= 0 and x < columns and y >= 0 and y < rows and state.marks[cell] == mark:
        count += 1
        x += dx
        y += dy
        cell += dy * columns + dx
    return count


@compiled
def completes_line(state, cell, mark):
    """Would this mark on this cell make a line?"""
    x, y = cell, 0
    while x >= state.columns:  # cheaper than a division for boards of this size
        x -= state.columns
        y += 1
    need = state.length - 1
    return (
        run(state, x, y, 1, 0, mark) + run(state, x, y, -1, 0, mark) >= need
        or run(state, x, y, 0, 1, mark) + run(state, x, y, 0, -1, mark) >= need
        or run(state, x, y, 1, 1, mark) + run(state, x, y, -1, -1, mark) >= need
        or run(state, x, y, 1, -1, mark) + run(state, x, y, -1, 1, mark) >= need
    )


@compiled
def apply(state, action):
    mark = (state.plies & 1) + 1
    state.marks[action] = mark
    state.plies += 1
    if state.plies >= 2 * state.length - 1 and completes_line(state, action, mark):
        state.winner = mark


@compiled
def terminal(state):
    return state.winner != 0 or state.plies == state.columns * state.rows


@compiled
def rewards(state, out):
    if state.winner == 0:
        out[0] = out[1] = 0.5
    else:
        out[0] = 1.0 if state.winner == 1 else 0.0
        out[1] = 1.0 - out[0]


def cell_name(state: Grid, cell: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return f"{chr(ord('a') + cell % int(state.columns))}{cell // int(state.columns) + 1}"


@compiled
def observation(state, observer, out):
    """A plane of the observer's marks and one of the other's."""
    cells = state.columns * state.rows
    for cell in range(cells):
        mark = state.marks[cell]
        out[cell] = 1.0 if mark == observer + 1 else 0.0
        out[cells + cell] = 1.0 if mark == 2 - observer else 0.0


def format_action(state: Grid, action: int) -> str:
    return cell_name(state, action)


def render(state: Board, observer: int | None = None) -> str:
    return draw_board(state, [".XO"[int(mark)] for mark in state.marks])


def draw_board(state: Grid, marks: list[str]) -> str:
    columns, rows = int(state.columns), int(state.rows)
    lines = ["   " + " ".join(chr(ord("a") + x) for x in range(columns))]
    for y in range(rows):
        lines.append(f"{y + 1:2d} " + " ".join(marks[y * columns : (y + 1) * columns]))
    return "\n".join(lines)
