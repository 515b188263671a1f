"""Tron: two riders leave walls behind them, and whoever runs into one loses.

Both choose a direction at the same time, north, east, south or west, among those whose next cell is free; a rider that is shut in
rides straight into a wall (it has one action, ``CRASH``).  Then both move at once.  A rider that crashes loses, and if both do,
also by meeting on one cell, it is a draw.  Where a rider has been is a wall from then on.

``map`` is a size such as ``8x6``, with riders in opposite corners, or the rows of a board, separated by semicolons: ``.`` is
free, ``#`` a wall, ``1`` and ``2`` the riders.  Player 0 chooses first, unseen: player 1 sees ``HIDDEN``, and with its own choice
both (``8 * (first + 1) + second``).
"""

from __future__ import annotations

import re

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, random_below, size_of

NORTH, EAST, SOUTH, WEST, CRASH = range(5)
NAMES = ("north", "east", "south", "west", "crash")
HIDDEN = 2**30
MOST = 40  #: rows, columns


class Board(Layout):
    columns = Word()
    rows = Word()
    choice = Word()  #: player 0's direction + 1 until player 1 has chosen, else 0
    crashed = Word()  #: bit p: player p has crashed
    heads = Words(2)  #: the cells of the riders
    cells = Words()  #: 0 free, 1 wall, 2 and 3 where the riders have been


def tron(map: str = "8x8") -> Game:
    """``map``: a size (``8x6``) or rows such as ``"1..;.#.;..2"``."""
    columns, rows, heads, cells = read_map(map)
    return Game(
        name=f"tron('{map}')",
        summary=f"leave a wall behind you on a board of {columns} x {rows}, and do not run into one",
        players=2,
        parameters=(columns, rows, 0, 0, *heads, *cells),
        layout=Board,
        state_size=size_of(Board) + columns * rows,
        max_actions=4,
        max_plies=columns * rows + 2,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize,
        observe=observe,
        simultaneous=simultaneous,
        view=view,
        render=render,
        format_action=format_action,
        format_move=format_move,
        unveils=unveils,
        player_names=("1", "2"),
    )


def read_map(text: str) -> tuple[int, int, list[int], list[int]]:
    """Columns, rows, the riders' cells and what lies on every cell."""
    example = "write a size such as '8x6', or rows such as '1..;.#.;..2'"
    size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", text)
    if size:
        columns, rows = int(size[1]), int(size[2])
        board = "1" + "." * (columns * rows - 2) + "2"
    else:
        lines = text.split(";")
        columns, rows, board = len(lines[0]), len(lines), "".join(lines)
        if len({len(line) for line in lines}) != 1 or not re.fullmatch(r"[.#12]+", board):
            raise GameError(f"the map {text[:60]!r} of tron does not read; {example}")
    if not (2 <= columns <= MOST and 2 <= rows <= MOST) or board.count("1") != 1 or board.count("2") != 1:
        raise GameError(f"a map of tron has 2 to {MOST} rows and columns and one rider of each; {example}")
    return columns, rows, [board.index("1"), board.index("2")], [".#12".index(cell) for cell in board]


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return 0 if state.choice == 0 else 1


@compiled
def next_cell(state, who, direction):
    """The cell that a rider comes to; -1 off the board."""
    row, column = state.heads[who] // state.columns, state.heads[who] % state.columns
    if direction == NORTH:
        row -= 1
    elif direction == EAST:
        column += 1
    elif direction == SOUTH:
        row += 1
    else:
        column -= 1
    if row < 0 or row >= state.rows or column < 0 or column >= state.columns or direction == CRASH:
        return -1
    return row * state.columns + column


@compiled
def is_free(state, cell):
    return cell >= 0 and state.cells[cell] == 0


@compiled
def directions(state, who, actions):
    """The directions in which the next cell is free, or CRASH; returns how many there are."""
    count = 0
    for direction in range(4):
        if is_free(state, next_cell(state, who, direction)):
            actions[count] = direction
            count += 1
    if count == 0:
        actions[0] = CRASH
        count = 1
    return count


@compiled
def legal(state, actions):
    return directions(state, player(state), actions)


@compiled
def apply(state, action):
    if state.choice == 0:
        state.choice = action + 1
        return
    first, second = next_cell(state, 0, state.choice - 1), next_cell(state, 1, action)
    state.choice = 0
    if first < 0 or first == second:
        state.crashed |= 1
    if second < 0 or first == second:
        state.crashed |= 2
    if first >= 0:
        state.cells[first] = 2
        state.heads[0] = first
    if second >= 0:
        state.cells[second] = 3
        state.heads[1] = second


@compiled
def terminal(state):
    return state.crashed != 0


@compiled
def rewards(state, out):
    out[0] = 0.5 if state.crashed == 3 else 0.0 if state.crashed == 1 else 1.0
    out[1] = 1.0 - out[0]


@compiled
def determinize(state, observer, rng):
    if observer == 1 and state.choice != 0:
        free = 0
        for direction in range(4):
            free += is_free(state, next_cell(state, 0, direction))
        if free == 0:
            return
        skip = random_below(rng, free)
        direction = 0
        while skip > 0 or not is_free(state, next_cell(state, 0, direction)):
            skip -= is_free(state, next_cell(state, 0, direction))
            direction += 1
        state.choice = direction + 1


@compiled
def observe(state, action, observer):
    if observer == 0:
        return action
    return HIDDEN if state.choice == 0 else 8 * state.choice + action


@compiled
def simultaneous(state):
    return 1


def view(state: Board, observer: int) -> object:
    choice = int(state.choice) if observer == 0 else bool(state.choice)
    return choice, int(state.crashed), *map(int, state.heads), *map(int, state.cells)


def render(state: Board, observer: int | None = None) -> str:
    columns, cells = int(state.columns), [".#ab"[int(cell)] for cell in state.cells]
    for who in range(2):
        cells[int(state.heads[who])] = "12"[who]
    lines = ["".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    if state.choice:
        lines.append("1 has chosen" if observer == 1 else f"1 has chosen {NAMES[int(state.choice) - 1]}")
    return "\n".join(lines)


def format_action(state: Board, action: int) -> str:
    return NAMES[action]


def format_move(state: Board, move: int, observer: int) -> str:
    return "a direction" if move == HIDDEN else NAMES[move % 8]


def unveils(state: Board, move: int, observer: int) -> dict[int, int]:
    """With its own choice the second player sees the first's."""
    return {0: 1} if observer == 1 and state.choice != 0 else {}
