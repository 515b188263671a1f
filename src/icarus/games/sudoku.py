"""Sudoku as a game of one player: fill the cell with the fewest possible numbers, until all are filled or one has none left.

A grid of order n has n² x n² cells in blocks of n x n; each row, column and block holds every number from 1 to n² once.  The next
cell is always the first of those with the fewest candidates, so that an action is only the number in it.  The score is the number
of cells that are filled: all of them, if the puzzle is solved.  Nothing is assumed about how many solutions there are.

An action is ``n² cell + number - 1``; cells are numbered row by row.
"""

from __future__ import annotations

import random

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, size_of
from icarus.games._bits import count_bits, lowest
from icarus.games._svg import box, button, image, line, text

MOST_ORDER = 5
MOST_SIDE = MOST_ORDER * MOST_ORDER
CLUES = 0.37  #: the share of cells that a generated puzzle shows
NUMBERS = "123456789ABCDEFGHIJKLMNOP"


class Cells(Layout):
    """The parameters come first: the order, then the numbers of the start, 0 for an empty cell."""

    order = Word()
    filled = Word()
    cell = Word()  #: the next one
    open = Word()  #: its candidates, as bits
    empty = Word()  #: how many cells are empty
    row = Words(MOST_SIDE)  #: the numbers of each row, as bits ...
    column = Words(MOST_SIDE)
    block = Words(MOST_SIDE)
    number = Words()  #: of each cell, 0: empty; then the empty cells


def sudoku(n: int = 3, grid: int | str = 0) -> Game:
    """``n``: the order (2-5; 3 is the usual 9 x 9).  ``grid``: a seed for a generated puzzle, or its n⁴ cells row by row: numbers
    1-9, A-P for 10-25, and 0 or . for an empty one."""
    if not 2 <= n <= MOST_ORDER:
        raise GameError(f"sudoku has the orders 2 to {MOST_ORDER} (3 is 9 x 9, 4 is 16 x 16), not {n}")
    side = n * n
    cells = generated(n, grid) if isinstance(grid, int) else read_grid(n, grid)
    check_clues(n, cells)
    name = str(grid) if isinstance(grid, int) else "'" + "".join(NUMBERS[cell - 1] if cell else "." for cell in cells) + "'"
    size = size_of(Cells)
    return Game(
        name=f"sudoku({n},{name})",
        summary=f"Sudoku of {side} x {side}: fill the grid so that rows, columns and blocks hold every number once",
        players=1,
        parameters=(n, *[0] * (size - 1), *cells),
        layout=Cells,
        state_size=size + 2 * side * side,
        max_actions=side,
        max_plies=side * side,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Player",),
    )


def generated(n: int, seed: int, clues: float = CLUES) -> list[int]:
    """A puzzle that can be solved: some cells of a full grid, whose numbers, rows and columns were shuffled."""
    rng, side = random.Random(seed), n * n

    def shuffled() -> list[int]:
        bands = rng.sample(range(n), n)
        return [n * band + line for band in bands for line in rng.sample(range(n), n)]

    rows, columns, numbers = shuffled(), shuffled(), rng.sample(range(1, side + 1), side)
    full = [numbers[(n * (r % n) + r // n + c) % side] for r in rows for c in columns]
    shown = set(rng.sample(range(side * side), round(clues * side * side)))
    return [number if place in shown else 0 for place, number in enumerate(full)]


def read_grid(n: int, grid: str) -> list[int]:
    side, text = n * n, "".join(str(grid).split()).upper()
    if len(text) != side * side:
        raise GameError(f"sudoku({n}): the grid has {len(text)} cells; {side} x {side} are {side * side}, row by row")
    cells = [0 if character in "0." else NUMBERS.find(character) + 1 for character in text]
    for place, (cell, character) in enumerate(zip(cells, text, strict=True)):
        if (cell == 0 and character not in "0.") or cell > side:
            raise GameError(f"sudoku({n}): cell {place + 1} is {character!r}; write {NUMBERS[:side]} or . for an empty one")
    if 0 not in cells:
        raise GameError(f"sudoku({n}): the grid has no empty cell")
    return cells


def check_clues(n: int, cells: list[int]) -> None:
    side, seen = n * n, set()
    for place, number in enumerate(cells):
        row, column = divmod(place, side)
        for unit in (("row", row), ("column", column), ("block", n * (row // n) + column // n)):
            if number and (*unit, number) in seen:
                raise GameError(f"sudoku({n}): {unit[0]} {unit[1] + 1} has the number {number} twice")
            seen.add((*unit, number))


@compiled
def block_of(state, row, column):
    return state.order * (row // state.order) + column // state.order


@compiled
def put(state, place, number):
    side = state.order * state.order
    row = place // side
    column = place - side * row
    bit = 1 << (number - 1)
    state.number[place] = number
    state.row[row] |= bit
    state.column[column] |= bit
    state.block[block_of(state, row, column)] |= bit
    state.filled += 1


@compiled
def initial(state, rng):
    side = state.order * state.order
    cells = side * side
    for place in range(cells):
        if state.number[place] != 0:
            put(state, place, state.number[place])
        else:
            state.number[cells + state.empty] = place
            state.empty += 1
    find_cell(state)


@compiled
def find_cell(state):
    """The first empty cell with the fewest candidates."""
    order = state.order
    side = order * order
    cells, every = side * side, (1 << side) - 1
    fewest = side + 1
    for i in range(state.empty):
        place = state.number[cells + i]
        row = place // side
        column = place - side * row
        possible = every & ~(state.row[row] | state.column[column] | state.block[block_of(state, row, column)])
        number = count_bits(possible)
        if number < fewest:
            fewest = number
            state.cell = place
            state.open = possible
            if number == 0:
                break


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    side, count, left = state.order * state.order, 0, state.open
    while left != 0:
        actions[count] = side * state.cell + lowest(left)
        count += 1
        left &= left - 1
    return count


@compiled
def apply(state, action):
    side = state.order * state.order
    cells, place = side * side, action // side
    put(state, place, action - side * place + 1)
    kept = 0
    for i in range(state.empty):
        other = state.number[cells + i]
        state.number[cells + kept] = other
        kept += other != place
    state.number[cells + kept] = 0
    state.empty = kept
    state.open = 0
    if kept > 0:
        find_cell(state)


@compiled
def terminal(state):
    return state.open == 0


@compiled
def rewards(state, out):
    side = state.order * state.order
    out[0] = state.filled / (side * side)


@compiled
def score(state):
    return float(state.filled)


def format_action(state: Cells, action: int) -> str:
    side = int(state.order) ** 2
    place, number = divmod(action, side)
    return f"r{place // side + 1}c{place % side + 1}={NUMBERS[number]}"


def rows(state: Cells) -> list[str]:
    side = int(state.order) ** 2
    numbers = [int(number) for number in state.number[: side * side]]
    return ["".join(NUMBERS[number - 1] if number else "." for number in numbers[side * r : side * (r + 1)]) for r in range(side)]


def render(state: Cells, observer: int | None = None) -> str:
    n, lines = int(state.order), []
    for r, row in enumerate(rows(state)):
        if r and r % n == 0:
            lines.append("-" * (n * n + n - 1))
        lines.append("|".join(row[n * block : n * (block + 1)] for block in range(n)))
    return "\n".join([*lines, f"{int(state.filled)} of {n**4} cells are filled"])


def draw(state: Cells, observer: int | None) -> str:
    """The grid; the cell that is next is marked, and its candidates are below."""
    n, size = int(state.order), 30
    side = n * n
    whole = size * side
    parts = []
    if int(state.open):
        r, c = divmod(int(state.cell), side)
        parts.append(box(size * c, size * r, size, size, "shade", 0))
    for i in range(side + 1):
        width = 2.5 if i % n == 0 else 0.8
        parts += [line(size * i, 0, size * i, whole, width=width), line(0, size * i, whole, size * i, width=width)]
    for r, row in enumerate(rows(state)):
        parts += [text(number, size * (c + 0.5), size * (r + 0.5), 18) for c, number in enumerate(row) if number != "."]
    for i, number in enumerate(k for k in range(side) if int(state.open) >> k & 1):
        label = format_action(state, side * int(state.cell) + number)
        parts.append(button(label, size * i + 2, whole + 10, size - 4, NUMBERS[number]))
    return image(whole, whole + 46, *parts)
