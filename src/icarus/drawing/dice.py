"""A die, seen from above."""

from __future__ import annotations

from icarus.drawing.kit import tag, words

#: where the pips of each face are, in thirds from the middle
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def die(x: float, y: float, size: float, face: int | None, colour: str = "ink") -> str:
    """A die with its pips (a number beyond six); without a face it is covered."""
    fill = "var(--back)" if face is None else "var(--card)"
    parts = [tag("rect", x=x, y=y, width=size, height=size, rx=0.2 * size, fill=fill, stroke="var(--edge)", stroke_width=1.5)]
    middle_x, middle_y = x + size / 2, y + size / 2
    if face is None:
        parts.append(words("?", middle_x, middle_y, 0.55 * size, style="fill:var(--light)"))
    elif face in PIPS:
        for dx, dy in PIPS[face]:
            spot = tag("circle", cx=middle_x + 0.27 * size * dx, cy=middle_y + 0.27 * size * dy, r=0.09 * size)
            parts.append(spot.replace("/>", f' fill="var(--{colour})"/>'))
    else:
        parts.append(words(str(face), middle_x, middle_y, 0.5 * size, style="fill:var(--black);font-weight:600"))
    return "".join(parts)
