"""Hex: a rhombus of hexagons whose sides have the colours of the players who connect them."""

from __future__ import annotations

from math import sqrt

from icarus.drawing.kit import caption, choices, clickable, group, letters, seen, square, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.hex import stones

RADIUS = 24.0  #: of a hexagon, centre to corner
STEP = sqrt(3) * RADIUS  #: from a cell to the next in its row
LEFT, TOP = 46.0, 46.0
LETTER = 10.2  #: of the line below, on average
COLOURS = {"X": "one", "O": "two"}
#: the corners from the top, clockwise, as steps from the centre
CORNERS = ((0, -1.0), (0.5, -0.5), (0.5, 0.5), (0, 1.0), (-0.5, 0.5), (-0.5, -0.5))


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    last = [move for _, move in seen(position, observer)][-1:]
    return board(position, observer, int(state.n), stones(state), last, line(position, observer))


def board(position: Position, observer: int | None, n: int, marks: list[str], last: list[int], text: str) -> str:
    """The rhombus with these stones; ``last``: the cell that is marked."""
    width, height = middle(n - 1, n - 1)[0] + STEP, middle(0, n - 1)[1] + RADIUS
    # each side as a line around the corners of its cells; the corners of the board belong to both
    top = [corner(x, 0, i) for x in range(n) for i in (5, 0)] + [corner(n - 1, 0, 1)]
    right = [corner(n - 1, y, i) for y in range(n) for i in (1, 2)]
    bottom = [corner(x, n - 1, i) for x in range(n) for i in (4, 3)] + [corner(n - 1, n - 1, 2)]
    left = [corner(0, y, i) for y in range(n) for i in (5, 4)]
    parts = [
        tag("path", d=path(points), stroke=f"var(--{colour})", stroke_width=9, fill="none", stroke_linejoin="round")
        for points, colour in ((top, "one"), (bottom, "one"), (left, "two"), (right, "two"))
    ]
    can = choices(position, observer)
    for y in range(n):
        for x in range(n):
            cell = n * y + x
            cx, cy = middle(x, y)
            outline = path([corner(x, y, i) for i in range(6)]) + "Z"
            inside = [tag("path", d=outline, fill="var(--board)", stroke="var(--line)", stroke_width=1.5)]
            if marks[cell] != ".":
                inside.append(tag("circle", cx=cx, cy=cy, r=0.62 * RADIUS, fill=f"var(--{COLOURS[marks[cell]]})"))
            if cell in last:
                inside.append(tag("circle", cx=cx, cy=cy, r=0.22 * RADIUS, fill="var(--board)"))
            if cell in can:
                colour = ("one", "two")[position.player]
                inside.append(tag("circle", cx=cx, cy=cy, r=0.62 * RADIUS, fill=f"var(--{colour})", class_="ghost"))
                parts.append(clickable(cell, can[cell], *inside, data_square=can[cell]))
            else:
                parts.append(square(position.format_action(cell), *inside))
    parts += [words(name, middle(x, 0)[0] - STEP / 2, TOP - 1.5 * RADIUS, 13, class_="soft") for x, name in enumerate(letters(n))]
    parts += [words(str(y + 1), middle(0, y)[0] - 0.95 * STEP, middle(0, y)[1], 13, class_="soft") for y in range(n)]
    lines = text.split("; ")
    across = max(width, 300.0, LETTER * max(map(len, lines)))
    below = [caption(text, across / 2, height + 28 + 22 * i) for i, text in enumerate(lines)]
    placed = group(*parts, transform=f"translate({(across - width) / 2:.1f},0)")
    return whole(position, observer, across, height + 26 + 22 * len(lines), [placed, *below])


def line(position: Position, observer: int | None) -> str:
    if position.is_terminal:
        return status(position, observer)
    return f"{status(position, observer)}, connecting {('top and bottom', 'left and right')[position.player]}"


def keys(position: Position) -> dict[int, list[str]]:
    return {cell: [position.format_action(cell)] for cell in position.legal()}


def middle(x: int, y: int) -> tuple[float, float]:
    return LEFT + STEP * (x + y / 2 + 0.5), TOP + RADIUS * 1.5 * y


def corner(x: int, y: int, i: int) -> tuple[float, float]:
    cx, cy = middle(x, y)
    return cx + CORNERS[i][0] * STEP, cy + CORNERS[i][1] * RADIUS


def path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
