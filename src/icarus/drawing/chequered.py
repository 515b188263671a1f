"""What the games on a chequered board share: the squares, the men, and moves from square to square."""

from __future__ import annotations

from collections.abc import Callable

from icarus.drawing.kit import caption, coordinates, letters, panel, square, starts, status, tag
from icarus.drawing.kit import picture as whole
from icarus.game import Position

CELL, LEFT, TOP = 54, 34, 16


def board(
    position: Position,
    observer: int | None,
    seat: int | None,
    columns: int,
    rows: int,
    piece: Callable[[int, int], str],
    keys: dict[int, list[str]],
    last: list[str],
) -> str:
    """The whole drawing; ``piece`` gives what stands in a column and row, counted from a1, as SVG around (0, 0)."""
    flipped = seat == 1  # who plays down the board looks at it from there
    first = starts(position, observer, keys)
    width, height = CELL * columns, CELL * rows
    parts = [panel(LEFT, TOP, width, height, 4)]
    for row in range(rows):
        for column in range(columns):
            name = f"{letters(columns)[column]}{row + 1}"
            x = LEFT + CELL * (columns - 1 - column if flipped else column)
            y = TOP + CELL * (row if flipped else rows - 1 - row)
            shade = "shade" if (row + column) % 2 == 0 else "board"
            inside = [tag("rect", x=x, y=y, width=CELL, height=CELL, fill=f"var(--{shade})")]
            if name in last:
                inside.append(tag("rect", x=x, y=y, width=CELL, height=CELL, class_="last"))
            if standing := piece(column, row):
                inside.append(tag("g", standing, transform=f"translate({x + CELL / 2},{y + CELL / 2})"))
            inside.append(tag("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=4, class_="mark"))
            parts.append(square(name, *inside, can=name in first))
    parts.append(tag("rect", x=LEFT, y=TOP, width=width, height=height, rx=4, fill="none", stroke="var(--edge)"))
    names, numbers = letters(columns), [str(row + 1) for row in range(rows)]
    if flipped:
        parts += coordinates(names[::-1], numbers, LEFT, TOP, CELL)
    else:
        parts += coordinates(names, numbers[::-1], LEFT, TOP, CELL)
    parts.append(caption(status(position, observer), LEFT + width / 2, TOP + height + 42))
    return whole(position, observer, max(LEFT + width + 16, 240), TOP + height + 60, parts)


def man(colour: str) -> str:
    """A round piece, ``dark`` or ``light``."""
    ring = tag("circle", r=0.25 * CELL, fill="none", stroke="var(--edge)", stroke_opacity=0.7)
    return tag("circle", r=0.37 * CELL, fill=f"var(--{colour})", stroke="var(--edge)", stroke_width=1.5) + ring
