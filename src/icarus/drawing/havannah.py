"""Havannah: a hexagon of hexagons."""

from __future__ import annotations

from math import sqrt

from icarus.drawing.kit import caption, choices, clickable, seen, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.havannah import rows

RADIUS = 20.0  #: of a hexagon, centre to corner
STEP = sqrt(3) * RADIUS  #: from a cell to the next in its row
EDGE = 40.0
COLOURS = {"X": "one", "O": "two"}


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    n = int(state.n)
    width, height = 2 * EDGE + STEP * (2 * n - 1), 2 * EDGE + 1.5 * RADIUS * (2 * n - 2) + 2 * RADIUS
    last, can, parts = [move for _, move in seen(position, observer)][-1:], choices(position, observer), []
    for y, row in enumerate(rows(state)):
        cy = EDGE + RADIUS * (1 + 1.5 * y)
        for i, (cell, mark) in enumerate(row):
            cx = EDGE + STEP * (i + 0.5 + abs(n - 1 - y) / 2)
            inside = [tag("path", d=hexagon(cx, cy), fill="var(--board)", stroke="var(--line)", stroke_width=1.5)]
            if mark in COLOURS:
                inside.append(tag("circle", cx=cx, cy=cy, r=0.62 * RADIUS, fill=f"var(--{COLOURS[mark]})"))
            if cell in last:
                inside.append(tag("circle", cx=cx, cy=cy, r=0.22 * RADIUS, fill="var(--board)"))
            if cell in can:
                colour = ("one", "two")[position.player]
                inside.append(tag("circle", cx=cx, cy=cy, r=0.62 * RADIUS, fill=f"var(--{colour})", class_="ghost"))
                parts.append(clickable(cell, can[cell], *inside, data_square=can[cell]))
            else:
                parts += inside
        parts.append(words(str(y + 1), EDGE + STEP * (abs(n - 1 - y) / 2) - 12, cy, 12, class_="soft"))
    parts.append(caption(status(position, observer), width / 2, height))
    return whole(position, observer, width, height + 20, parts)


def hexagon(cx: float, cy: float) -> str:
    across, down = STEP / 2, RADIUS / 2
    right = f"l{across:.1f},{down:.1f}v{RADIUS:.1f}l{-across:.1f},{down:.1f}"
    return f"M{cx:.1f},{cy - RADIUS:.1f}{right}l{-across:.1f},{-down:.1f}v{-RADIUS:.1f}Z"


def keys(position: Position) -> dict[int, list[str]]:
    return {cell: [position.format_action(cell)] for cell in position.legal()}
