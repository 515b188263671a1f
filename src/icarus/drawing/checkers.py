"""Checkers: men and kings on the dark squares."""

from __future__ import annotations

from icarus.drawing.chequered import board, man
from icarus.drawing.kit import seen, tag
from icarus.game import Position
from icarus.games.checkers import GAPPED, SQUARES, square_name

CROWN = "M-9,6v-12l5,5l4,-7l4,7l5,-5v12z"


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    sides, kings = [int(position.named.pieces[player]) for player in range(2)], int(position.named.kings)

    def piece(column: int, row: int) -> str:
        square = SQUARES.get(f"{'abcdefgh'[column]}{row + 1}")
        bit = 0 if square is None else 1 << int(GAPPED[square])
        owner = next((player for player, side in enumerate(sides) if side & bit), None)
        if owner is None:
            return ""
        crown = tag("path", d=CROWN, fill=f"var(--{('light', 'dark')[owner]})", stroke="var(--edge)") if kings & bit else ""
        return man(("dark", "light")[owner]) + crown

    last = [name for _, move in seen(position, observer)[-1:] for name in (square_name(move // 32), square_name(move % 32))]
    return board(position, observer, seat, 8, 8, piece, keys(position), last)


def keys(position: Position) -> dict[int, list[str]]:
    return {action: [square_name(action // 32), square_name(action % 32)] for action in position.legal()}
