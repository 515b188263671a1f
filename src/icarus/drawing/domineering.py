"""Domineering: dominoes of two colours on a chequered board; a move is a click on each of its two squares."""

from __future__ import annotations

from icarus.drawing.chequered import CELL, board
from icarus.drawing.kit import seen, tag
from icarus.game import Position
from icarus.games.domineering import marks, squares

COLOURS = {"V": "one", "H": "two"}


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    rows, columns, cells = int(state.rows), int(state.columns), marks(state)

    def piece(column: int, row: int) -> str:
        cell = columns * (rows - 1 - row) + column
        if cells[cell] not in COLOURS:
            return ""
        half = 0.5 * CELL - 4
        return tag("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=5, fill=f"var(--{COLOURS[cells[cell]]})")

    last = [name for _, move in seen(position, observer)[-1:] for name in squares(state, move)]
    return board(position, observer, seat, columns, rows, piece, keys(position), last)


def keys(position: Position) -> dict[int, list[str]]:
    state = position.named
    return {action: list(squares(state, action)) for action in position.legal()}
