"""Amazons: queens and arrows on a chequered board; a move is a click on two squares, an arrow on one."""

from __future__ import annotations

from icarus.drawing.chequered import CELL, board
from icarus.drawing.kit import seen, tag
from icarus.game import Position
from icarus.games.amazons import marks, square_name

#: a crown around (0, 0)
CROWN = "M-15,13l-4,-24l9,10l10,-16l10,16l9,-10l-4,24z"


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    n = int(state.n)
    squares = marks(state)

    def piece(column: int, row: int) -> str:
        mark = squares[n - 1 - row][column]
        if mark == "*":
            return tag("circle", r=0.2 * CELL, fill="var(--accent)")
        colour = {"X": "light", "O": "dark"}.get(mark)
        return tag("path", d=CROWN, fill=f"var(--{colour})", stroke="var(--edge)", stroke_width=1.5) if colour else ""

    last = [square_name(state, place) for _, move in seen(position, observer)[-1:] for place in (move >> 8, move & 255) if place]
    return board(position, observer, seat, n, n, piece, keys(position), last)


def keys(position: Position) -> dict[int, list[str]]:
    state = position.named
    return {action: [square_name(state, place) for place in (action >> 8, action & 255) if place] for action in position.legal()}
