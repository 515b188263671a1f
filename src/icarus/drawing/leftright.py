"""LeftRight: how many steps have gone each way, and a button for either."""

from __future__ import annotations

from icarus.drawing.kit import button, caption, choices, panel, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position

WIDTH, HEIGHT = 340, 180
BUTTON = 44  #: high enough for a finger


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    length, lefts, steps = int(state.length), int(state.lefts), int(state.steps)
    bar = WIDTH - 40
    parts = [panel(20, 24, bar, 26, 6)]
    parts.append(tag("rect", x=20, y=24, width=bar * lefts / length, height=26, rx=6, fill="var(--one)"))
    rights = bar * (steps - lefts) / length
    parts.append(tag("rect", x=20 + bar - rights, y=24, width=rights, height=26, rx=6, fill="var(--two)"))
    parts.append(words(f"{lefts} left", 20, 68, 14, "start", class_="soft"))
    parts.append(words(f"{steps - lefts} right", 20 + bar, 68, 14, "end", class_="soft"))
    for action, label in choices(position, observer).items():
        parts.append(button(action, label, 30 + 150 * action, 88, 130, BUTTON))
    parts.append(caption(f"{steps} of {length} steps", WIDTH / 2, 158))
    return whole(position, observer, WIDTH, HEIGHT, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {}
