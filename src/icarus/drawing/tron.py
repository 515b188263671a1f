"""Tron: the board with both trails, and a button for every direction."""

from __future__ import annotations

from icarus.drawing.kit import button, caption, choices, panel, tag
from icarus.drawing.kit import picture as whole
from icarus.game import Position

ACROSS = 440.0


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    columns, rows = int(state.columns), int(state.rows)
    side = min((ACROSS - 40) / columns, 40.0)
    left = (ACROSS - side * columns) / 2
    parts = [panel(left - 6, 14, side * columns + 12, side * rows + 12, 10, "board")]
    for cell, what in enumerate(state.cells):
        x, y = left + side * (cell % columns), 20 + side * (cell // columns)
        fill = ("none", "var(--line)", "var(--one)", "var(--two)")[int(what)]
        parts.append(
            tag(
                "rect", x=x + 1, y=y + 1, width=side - 2, height=side - 2, rx=2, fill=fill, stroke="var(--line)", stroke_width=0.5
            )
        )
    for who in range(2):
        head = int(state.heads[who])
        x, y = left + side * (head % columns + 0.5), 20 + side * (head // columns + 0.5)
        parts.append(tag("circle", cx=x, cy=y, r=side / 3, fill="var(--light)", stroke=f"var(--{('one', 'two')[who]})"))
    top = 20 + side * rows + 26
    offered = list(choices(position, observer).items())
    for i, (action, label) in enumerate(offered):
        parts.append(button(action, label, ACROSS / 2 - 51 * len(offered) + 102 * i, top, 96))
    line = table_line(position, observer)
    parts.append(caption(line, ACROSS / 2, top + 64))
    return whole(position, observer, ACROSS, top + 86, parts, line)


def keys(position: Position) -> dict[int, list[str]]:
    return {}


def table_line(position: Position, observer: int | None) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return "both have crashed" if rewards[0] == rewards[1] else f"{names[rewards.index(0)]} has crashed"
    return "your move" if observer == position.player else f"{names[position.player]} to move"
