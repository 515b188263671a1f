"""Go and its relatives: black and white stones on the crossings of lines."""

from __future__ import annotations

from icarus.drawing.kit import button, caption, choices, clickable, coordinates, seen, status, tag
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.go import letters, marks

CELL, LEFT, TOP = 38, 34, 16
COLOURS = {"X": "dark", "O": "light"}


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    last = [move for _, move in seen(position, observer)][-1:]
    return board(position, observer, marks(position.named), last, status(position, observer))


def board(position: Position, observer: int | None, stones: list[str], last: list[int], line: str) -> str:
    """The crossings with these stones, the last one marked, and a line of text below."""
    n = int(position.named.n)
    edge, can = CELL * n, choices(position, observer)
    parts = [tag("rect", x=LEFT, y=TOP, width=edge, height=edge, rx=6, fill="var(--frame)", stroke="var(--edge)")]
    half, far = CELL / 2, edge - CELL
    lines = [f"M{LEFT + half + CELL * i},{TOP + half}v{far}M{LEFT + half},{TOP + half + CELL * i}h{far}" for i in range(n)]
    parts.append(tag("path", d="".join(lines), stroke="var(--edge)", fill="none"))
    for point, mark in enumerate(stones):
        x, y = LEFT + CELL * (point % n + 0.5), TOP + CELL * (n - 0.5 - point // n)
        if mark in COLOURS:
            parts.append(stone(x, y, COLOURS[mark]))
            if point in last:
                parts.append(tag("circle", cx=x, cy=y, r=5, fill="var(--accent)"))
        if point in can:
            cover = tag("rect", x=x - half, y=y - half, width=CELL, height=CELL, class_="cover")
            ghost = tag("g", stone(x, y, ("dark", "light")[position.player]), class_="ghost")
            parts.append(clickable(point, can[point], cover, ghost, data_square=can[point]))
    parts += coordinates(list(letters(n)), [str(n - y) for y in range(n)], LEFT, TOP, CELL)
    middle, width = LEFT + edge / 2, max(LEFT + edge + 16, 260)
    parts.append(caption(line, max(middle, 130), TOP + edge + 42))
    if n * n in can:
        parts.append(button(n * n, can[n * n], max(middle, 130) - 50, TOP + edge + 60, 100))
    return whole(position, observer, width, TOP + edge + 104, parts, line)


def stone(x: float, y: float, colour: str) -> str:
    return tag("circle", cx=x, cy=y, r=0.46 * CELL, fill=f"var(--{colour})", stroke="var(--edge)")


def keys(position: Position) -> dict[int, list[str]]:
    points = int(position.named.n) ** 2
    return {action: [position.format_action(action)] for action in position.legal() if action < points}
