"""Any game: the text that the game itself gives for a position, set in type."""

from __future__ import annotations

from icarus.drawing.kit import picture as whole
from icarus.drawing.kit import status, tag, words
from icarus.game import Position

SIZE, LEADING = 15, 20
ADVANCE = 0.602 * SIZE  #: of one character of a monospaced face
MARGIN = 20
#: longer texts are cut: a drawing is to be looked at
MAX_LINES, MAX_COLUMNS = 60, 160


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    lines = [line[:MAX_COLUMNS] for line in position.render(observer).splitlines()]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], f"… {len(lines) - MAX_LINES + 1} more lines"]
    width = max(320.0, 2 * MARGIN + ADVANCE * max((len(line) for line in lines), default=0))
    height = 2 * MARGIN + LEADING * len(lines) + 28
    parts = [tag("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=10, fill="var(--board)", stroke="var(--line)")]
    parts.append(words(status(position, observer), MARGIN, MARGIN, 15, "start", class_="strong"))
    for i, line in enumerate(lines):
        parts.append(words(line, MARGIN, MARGIN + 28 + LEADING * (i + 0.4), SIZE, "start", class_="mono", xml__space="preserve"))
    return whole(position, observer, width, height, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {}
