"""Where a figure stands among those of other games: in words, and as small drawings."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from icarus.arena.report import _text
from icarus.playtest.figures import Figure

SHARES = ("draws", "decisiveness", "drama", "luck", "repetitions", "stalemates")  #: figures that are shares


@cache
def usual() -> dict[str, dict[str, float]]:
    """What was measured on games that come with Icarus: figures by game."""
    data: dict[str, dict[str, float]] = json.loads((files("icarus.playtest") / "usual.json").read_text(encoding="utf-8"))
    return data


def usually(name: str) -> str:
    """What is usual, in words; nothing where it was not measured."""
    values = _usual_values(name).values()
    if not values:
        return ""
    least, most = (f"{100 * value:.0f} %" if name in SHARES else f"{value:g}" for value in (min(values), max(values)))
    return f"Usual here: {least} to {most}." if least != most else f"Usual here: {least}."


def strip(name: str, figure: Figure) -> str:
    """The interval on a line with the other games as strokes."""
    others = _usual_values(name)
    top = 1.0 if name in SHARES else 1.1 * max([*others.values(), min(figure.high, 3 * figure.score), figure.score, 1e-9])
    x, low, high = (8 + 204 * min(max(value, 0.0) / top, 1.0) for value in (figure.score, figure.low, figure.high))
    strokes = "".join(
        f'<path d="M{8 + 204 * value / top:.1f} 6V22"><title>{_text(game)}: {value:g}</title></path>'
        for game, value in others.items()
    )
    end = "100 %" if name in SHARES else f"{top:.3g}"
    return (
        f'<svg viewBox="0 0 220 36" width="220" role="img" aria-label="{_text(name)} among other games">'
        f'<path d="M8 14H212" stroke="#d9dee5" stroke-width="1.5"/><g stroke="#a6b0bc" stroke-width="2">{strokes}</g>'
        f'<path d="M{low:.1f} 14H{high:.1f}" stroke="#1d2530" stroke-width="5" stroke-linecap="round"/>'
        f'<circle cx="{x:.1f}" cy="14" r="5" fill="#1a7f4b"/><g font-size="9" fill="#5b6673"><text x="8" y="34">0</text>'
        f'<text x="212" y="34" text-anchor="end">{end}</text></g></svg>'
    )


def curve(values: list[Figure]) -> str:
    known = [(35 + 38 * i, value) for i, value in enumerate(values) if value.count]
    top = max([*(min(value.high, 2 * value.score) for _, value in known), 1.0])

    def y(value: float) -> float:
        return 90 - 80 * min(value, top) / top

    points = " ".join(f"{x},{y(value.score):.1f}" for x, value in known)
    bars = "".join(f"M{x} {y(value.low):.1f}V{y(value.high):.1f}" for x, value in known if value.count > 1)
    return (
        '<figure><svg viewBox="0 0 400 108" width="480" role="img" aria-label="legal moves over the game">'
        '<path d="M30 8V90H385" fill="none" stroke="#d9dee5" stroke-width="1.5"/>'
        f'<path d="{bars}" stroke="#a6b0bc" stroke-width="4" stroke-linecap="round"/>'
        f'<polyline points="{points}" fill="none" stroke="#1d2530" stroke-width="2" stroke-linejoin="round"/>'
        f'<g font-size="9" fill="#5b6673"><text x="26" y="13" text-anchor="end">{top:.3g}</text>'
        '<text x="26" y="93" text-anchor="end">0</text><text x="35" y="104">start</text>'
        '<text x="385" y="104" text-anchor="end">end of the game</text></g></svg></figure>'
    )


def _usual_values(name: str) -> dict[str, float]:
    return {game: row[name] for game, row in usual().items() if name in row and row[name] == row[name]}
