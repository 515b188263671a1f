"""Lines of Action: men on a chequered board."""

from __future__ import annotations

from icarus.drawing.breakthrough import keys
from icarus.drawing.chequered import board, man
from icarus.drawing.kit import seen
from icarus.game import Position
from icarus.games.breakthrough import square_name

__all__ = ["keys", "picture"]


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    black, white = (int(pieces) for pieces in position.named.pieces)

    def piece(column: int, row: int) -> str:
        here = 1 << 8 * row + column
        return man("dark" if black & here else "light") if (black | white) & here else ""

    last = [name for _, move in seen(position, observer)[-1:] for name in (square_name(move // 64), square_name(move % 64))]
    return board(position, observer, seat, 8, 8, piece, keys(position), last)
