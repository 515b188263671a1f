"""Crosses and noughts on a grid: tic-tac-toe and its relatives, and what ``phantom`` shares with them."""

from __future__ import annotations

from icarus.drawing.kit import caption, choices, clickable, coordinates, letters, panel, seen, square, status, tag
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.mnk import Board, cell_name

CELL, LEFT, TOP = 60, 34, 16


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    marks = [int(mark) for mark in position.named.marks]
    last = [move for _, move in seen(position, observer)][-1:]
    return board(position, observer, marks, last, unknown=set(), line=status(position, observer))


def keys(position: Position) -> dict[int, list[str]]:
    return {cell: [cell_name(position.named, cell)] for cell in position.legal()}


def board(position: Position, observer: int | None, marks: list[int], last: list[int], unknown: set[int], line: str) -> str:
    """The grid with its marks (0 none, else player + 1); ``unknown`` cells may hold more than is drawn."""
    state = position.named
    columns, rows = int(state.columns), int(state.rows)
    width, height = CELL * columns, CELL * rows
    parts = [panel(LEFT, TOP, width, height, 8)]
    parts += [cell_box(cell, columns, fill="var(--shade)", fill_opacity=0.75) for cell in sorted(unknown)]
    parts += [cell_box(cell, columns, class_="last") for cell in last]
    parts += [cell_box(cell, columns, fill="var(--accent)", opacity=0.3) for cell in sorted(winning_cells(state))]
    lines = [f"M{LEFT + CELL * x},{TOP}v{height}" for x in range(1, columns)]
    lines += [f"M{LEFT},{TOP + CELL * y}h{width}" for y in range(1, rows)]
    parts.append(tag("path", d="".join(lines), stroke="var(--line)", fill="none"))
    parts += [mark(cell, columns, owner - 1) for cell, owner in enumerate(marks) if owner]
    can = choices(position, observer)
    for cell in range(columns * rows):
        cover = cell_box(cell, columns, class_="cover")
        if cell in can:
            ghost = tag("g", mark(cell, columns, position.player), class_="ghost")
            parts.append(clickable(cell, can[cell], cover, ghost, data_square=can[cell]))
        elif not marks[cell]:
            parts.append(square(cell_name(state, cell), cover))
    parts += coordinates(letters(columns), [str(y + 1) for y in range(rows)], LEFT, TOP, CELL)
    parts.append(caption(line, LEFT + width / 2, TOP + height + 42))
    whole_width = max(LEFT + width + 16, 240)
    return whole(position, observer, whole_width, TOP + height + 60, parts, line)


def cell_box(cell: int, columns: int, **attributes: object) -> str:
    x, y = LEFT + CELL * (cell % columns), TOP + CELL * (cell // columns)
    return tag("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=5, **attributes)


def mark(cell: int, columns: int, player: int) -> str:
    x, y = LEFT + CELL * (cell % columns + 0.5), TOP + CELL * (cell // columns + 0.5)
    reach = 0.25 * CELL
    if player == 1:
        return tag("circle", cx=x, cy=y, r=reach, fill="none", stroke="var(--two)", stroke_width=6)
    strokes = f"M{x - reach},{y - reach}l{2 * reach},{2 * reach}m0,{-2 * reach}l{-2 * reach},{2 * reach}"
    return tag("path", d=strokes, stroke="var(--one)", stroke_width=6, stroke_linecap="round", fill="none")


def winning_cells(state: Board) -> set[int]:
    """The cells of the lines that have won the game; none while it goes on."""
    columns, rows, length, winner = map(int, (state.columns, state.rows, state.length, state.winner))
    won: set[int] = set()
    if winner:
        for x in range(columns):
            for y in range(rows):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [(x + i * dx, y + i * dy) for i in range(length)]
                    if all(0 <= a < columns and 0 <= b < rows and state.marks[b * columns + a] == winner for a, b in line):
                        won |= {b * columns + a for a, b in line}
    return won
