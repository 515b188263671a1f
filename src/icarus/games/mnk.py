"""m,n,k-games: two players put marks on a grid, and the first with k in a row wins.  Tic-tac-toe is ``mnk(3,3,3)``.

``m`` columns, ``n`` rows.  Cells are numbered row by row from the top left::

    0 1 2
    3 4 5
    6 7 8

More than k in a row wins too.  A full board without a line is a draw.  Perfect information.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, State, compiled

# state: parameters, then counters, then the board
COLUMNS, ROWS, LENGTH = 0, 1, 2
PLIES = 3  #: marks on the board
WINNER = 4  #: 0 nobody yet, else player + 1
BOARD = 5  #: one word per cell: 0 empty, else player + 1


def mnk(m: int = 3, n: int = 3, k: int = 3) -> Game:
    """``m`` columns (1-26), ``n`` rows (1-26), ``k`` in a row to win."""
    check_size(m, n, k)
    return Game(
        name=f"mnk({m},{n},{k})",
        summary=f"{k} in a row on a board of {m} x {n}",
        players=2,
        parameters=(m, n, k),
        state_size=BOARD + m * n,
        max_actions=m * n,
        max_plies=m * n,
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
    return state[PLIES] & 1


@compiled
def legal(state, actions):
    count = 0
    for cell in range(state[COLUMNS] * state[ROWS]):
        if state[BOARD + cell] == 0:
            actions[count] = cell
            count += 1
    return count


@compiled
def run(state, x, y, dx, dy, mark):
    """How many marks of one kind lie from (x, y), exclusive, in one direction."""
    columns, rows = state[COLUMNS], state[ROWS]
    count = 0
    x += dx
    y += dy
    cell = BOARD + y * columns + x
    while x >= 0 and x < columns and y >= 0 and y < rows and state[cell] == mark:
        count += 1
        x += dx
        y += dy
        cell += dy * columns + dx
    return count


@compiled
def completes_line(state, cell, mark):
    """Would this mark on this cell make a line?"""
    x, y = cell, 0
    while x >= state[COLUMNS]:  # cheaper than a division for boards of this size
        x -= state[COLUMNS]
        y += 1
    need = state[LENGTH] - 1
    return (
        run(state, x, y, 1, 0, mark) + run(state, x, y, -1, 0, mark) >= need
        or run(state, x, y, 0, 1, mark) + run(state, x, y, 0, -1, mark) >= need
        or run(state, x, y, 1, 1, mark) + run(state, x, y, -1, -1, mark) >= need
        or run(state, x, y, 1, -1, mark) + run(state, x, y, -1, 1, mark) >= need
    )


@compiled
def apply(state, action):
    mark = (state[PLIES] & 1) + 1
    state[BOARD + action] = mark
    state[PLIES] += 1
    if state[PLIES] >= 2 * state[LENGTH] - 1 and completes_line(state, action, mark):
        state[WINNER] = mark


@compiled
def terminal(state):
    return state[WINNER] != 0 or state[PLIES] == state[COLUMNS] * state[ROWS]


@compiled
def rewards(state, out):
    if state[WINNER] == 0:
        out[0] = out[1] = 0.5
    else:
        out[0] = 1.0 if state[WINNER] == 1 else 0.0
        out[1] = 1.0 - out[0]


def cell_name(state: State, cell: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return f"{chr(ord('a') + cell % int(state[COLUMNS]))}{cell // int(state[COLUMNS]) + 1}"


def format_action(state: State, action: int) -> str:
    return cell_name(state, action)


def render(state: State, observer: int | None = None) -> str:
    return draw_board(state, [".XO"[int(mark)] for mark in state[BOARD:]])


def draw_board(state: State, marks: list[str]) -> str:
    columns, rows = int(state[COLUMNS]), int(state[ROWS])
    lines = ["   " + " ".join(chr(ord("a") + x) for x in range(columns))]
    for y in range(rows):
        lines.append(f"{y + 1:2d} " + " ".join(marks[y * columns : (y + 1) * columns]))
    return "\n".join(lines)
