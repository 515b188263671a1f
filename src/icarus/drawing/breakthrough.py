"""Breakthrough: pawns on a chequered board."""

from __future__ import annotations

from icarus.drawing.chequered import board
from icarus.drawing.kit import seen, tag
from icarus.game import Position
from icarus.games.breakthrough import square_name

#: a pawn around (0, 0)
PAWN = "M-13,17q0,-5 6,-8q4,-3 4,-9h-4q0,-3 3,-4a7,7 0 1 1 8,0q3,1 3,4h-4q0,6 4,9q6,3 6,8z"


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    white, black = (int(pawns) for pawns in state.pawns)

    def piece(column: int, row: int) -> str:
        here = 1 << 8 * row + column
        colour = "light" if white & here else "dark" if black & here else ""
        return tag("path", d=PAWN, fill=f"var(--{colour})", stroke="var(--edge)", stroke_width=1.5) if colour else ""

    last = [name for _, move in seen(position, observer)[-1:] for name in (square_name(move // 64), square_name(move % 64))]
    return board(position, observer, seat, int(state.columns), int(state.rows), piece, keys(position), last)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [square_name(action // 64), square_name(action % 64)] for action in position.legal()}
