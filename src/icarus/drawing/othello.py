"""Othello: black and white discs on a green board; dots where the player may place one."""

from __future__ import annotations

from icarus.drawing.kit import button, caption, choices, clickable, coordinates, letters, seen, square, status, tag
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.othello import PASS, format_action

CELL, LEFT, TOP, SIZE = 52, 34, 16, 8
EDGE = CELL * SIZE


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    black, white = (int(position.named.discs[player]) for player in range(2))
    parts = [tag("rect", x=LEFT, y=TOP, width=EDGE, height=EDGE, rx=6, fill="var(--felt)", stroke="var(--edge)")]
    lines = [f"M{LEFT + CELL * i},{TOP}v{EDGE}M{LEFT},{TOP + CELL * i}h{EDGE}" for i in range(1, SIZE)]
    parts.append(tag("path", d="".join(lines), stroke="var(--edge)", stroke_opacity=0.55, fill="none"))
    parts += [tag("circle", cx=LEFT + CELL * x, cy=TOP + CELL * y, r=3.5, fill="var(--edge)") for x in (2, 6) for y in (2, 6)]
    for cell in range(SIZE * SIZE):
        if (black | white) >> cell & 1:
            parts.append(disc(cell, black >> cell & 1))
    last = [move for _, move in seen(position, observer) if move != PASS][-1:]
    parts += [tag("circle", cx=x, cy=y, r=5, fill="var(--accent)") for x, y in map(middle, last)]
    can = choices(position, observer)
    for cell in range(SIZE * SIZE):
        x, y = middle(cell)
        cover = tag("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, class_="cover")
        if cell in can:
            parts.append(clickable(cell, can[cell], cover, tag("circle", cx=x, cy=y, r=7, class_="hint"), data_square=can[cell]))
        elif not (black | white) >> cell & 1:
            parts.append(square(format_action(position.named, cell), cover))
    parts += coordinates(letters(SIZE), [str(y + 1) for y in range(SIZE)], LEFT, TOP, CELL)
    score = f"Black {black.bit_count()}, White {white.bit_count()}"
    parts.append(caption(f"{score}: {status(position, observer)}", LEFT + EDGE / 2, TOP + EDGE + 42))
    if PASS in can:
        parts.append(button(PASS, "pass", LEFT + EDGE / 2 - 60, TOP + EDGE / 2 - 18, 120, 36))
    return whole(position, observer, LEFT + EDGE + 16, TOP + EDGE + 60, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {cell: [format_action(position.named, cell)] for cell in position.legal() if cell != PASS}


def middle(cell: int) -> tuple[float, float]:
    return LEFT + CELL * (cell % SIZE + 0.5), TOP + CELL * (cell // SIZE + 0.5)


def disc(cell: int, black: int) -> str:
    x, y = middle(cell)
    return tag("circle", cx=x, cy=y, r=0.41 * CELL, fill=f"var(--{'dark' if black else 'light'})", stroke="var(--edge)")
