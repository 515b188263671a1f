"""Clobber: stones on a chequered board."""

from __future__ import annotations

from icarus.drawing.chequered import board, man
from icarus.drawing.kit import seen
from icarus.game import Position
from icarus.games.clobber import marks, squares

COLOURS = {"O": "light", "X": "dark"}


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    rows, columns, cells = int(state.rows), int(state.columns), marks(state)

    def piece(column: int, row: int) -> str:
        mark = cells[columns * (rows - 1 - row) + column]
        return man(COLOURS[mark]) if mark in COLOURS else ""

    last = [name for _, move in seen(position, observer)[-1:] for name in squares(state, move)]
    return board(position, observer, seat, columns, rows, piece, keys(position), last)


def keys(position: Position) -> dict[int, list[str]]:
    state = position.named
    return {action: list(squares(state, action)) for action in position.legal()}
