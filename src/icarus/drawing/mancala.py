"""Mancala: two rows of pits between two stores, each with its number of seeds."""

from __future__ import annotations

from icarus.drawing.kit import caption, choices, clickable, panel, seen, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.mancala import AROUND, PITS

PIT, LEFT, TOP = 58, 20, 20
WIDTH = 2 * LEFT + PIT * (PITS + 2)


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    numbers = [int(number) for number in position.named.seeds]
    can, last = choices(position, observer), [move for _, move in seen(position, observer)][-1:]
    parts = [panel(LEFT - 8, TOP - 8, WIDTH - 2 * LEFT + 16, 2 * PIT + 16, 24, "frame")]
    for pit, number in enumerate(numbers):
        x, y = middle(pit)
        ring = tag("circle", cx=x, cy=y, r=0.44 * PIT, fill="var(--board)", stroke="var(--edge)")
        inside = [ring, words(str(number), x, y, 20, class_="strong" if number else "soft")]
        if pit in last:
            inside.append(tag("circle", cx=x, cy=y, r=0.44 * PIT, class_="last"))
        if pit in can:
            mark = tag("circle", cx=x, cy=y, r=0.44 * PIT, class_="mark")
            parts.append(clickable(pit, can[pit], *inside, mark, class_="can", data_square=can[pit]))
        else:
            parts += inside
    parts.append(caption(status(position, observer), WIDTH / 2, TOP + 2 * PIT + 34))
    return whole(position, observer, WIDTH, TOP + 2 * PIT + 54, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {pit: [str(pit)] for pit in position.legal()}


def middle(pit: int) -> tuple[float, float]:
    """Where a pit is drawn: player 0's along the bottom from the left, player 1's back along the top."""
    if pit in (0, PITS + 1):
        return LEFT + PIT * (0.5 if pit == 0 else PITS + 1.5), TOP + PIT
    column = pit if pit <= PITS else AROUND - pit
    return LEFT + PIT * (column + 0.5), TOP + PIT * (1.5 if pit <= PITS else 0.5)
