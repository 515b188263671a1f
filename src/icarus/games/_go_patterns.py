"""The patterns of 3 x 3 points that MoGo plays in playouts (Gelly, Wang, Munos and Teytaud 2006, figures 3 to 7).

They are about who meets whom, whichever colour is to move; the point in the middle is played.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: ``X`` one colour, ``O`` the other, ``.`` empty, ``x`` not X, ``o`` not O, ``?`` anything on the board, ``#`` the edge
SHAPES = (
    # hane: around a stone
    "XOX" "..." "???",
    "XO." "..." "?.?",
    "XO?" "X.." "o.?",
    # cut: between two stones
    "XO?" "O.x" "?x?",
    "XO?" "O.X" "???",
    "?X?" "O.O" "xxx",
    # along the edge
    "X.?" "O.?" "###",
    "?X?" "o.O" "###",
    "?XO" "o.o" "###",
    "?OX" "X.O" "###",
    "XO?" "o.?" "###",
)  # fmt: skip

#: what may be on a point, by the numbers of the colours: 0 empty, 1 and 2 the colours, 3 outside
MEANING = {".": (0,), "X": (1,), "O": (2,), "x": (0, 2), "o": (0, 1), "?": (0, 1, 2), "#": (3,)}
SWAPPED = str.maketrans("XOxo", "OXox")


def _turned(shape: str) -> set[str]:
    """The shape in all eight directions."""
    rows = [shape[3 * y : 3 * y + 3] for y in range(3)]
    found = set()
    for _ in range(4):
        rows = ["".join(row[x] for row in reversed(rows)) for x in range(3)]
        found |= {"".join(rows), "".join(row[::-1] for row in rows)}
    return found


def _fits(symbols: str) -> npt.NDArray[np.bool_]:
    """Which codes of neighbouring points fit these symbols, the first point in the lowest two bits."""
    fits = np.ones(1, bool)
    for symbol in symbols:
        one = np.zeros(4, bool)
        one[list(MEANING[symbol])] = True
        fits = np.outer(one, fits).ravel()
    return fits


def _table() -> npt.NDArray[np.int64]:
    """A bit for each code of the eight points around one, two bits per point, row by row."""
    found = np.zeros((256, 256), bool)
    for shape in SHAPES:
        for colours in (shape, shape.translate(SWAPPED)):
            for turned in _turned(colours):
                around = turned[:4] + turned[5:]
                found |= np.outer(_fits(around[4:]), _fits(around[:4]))
    bits = np.packbits(found.ravel(), bitorder="little")
    words: npt.NDArray[np.int64] = bits.view("<i8").astype(np.int64)
    return words


PATTERNS = _table()
