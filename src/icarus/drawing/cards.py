"""Playing cards: faces, backs, and hands that are fanned out."""

from __future__ import annotations

from collections.abc import Sequence

from icarus.drawing.kit import tag, words

WIDTH, HEIGHT = 62.0, 90.0
SYMBOLS = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}


def face(rank: str, symbol: str = "", width: float = WIDTH, dim: bool = False, red: bool = False) -> str:
    """A card face up, its upper left corner at (0, 0); without a symbol the rank is larger: in a hand only it is seen."""
    height = width * HEIGHT / WIDTH
    ink = f"fill:var(--{'red' if red else 'black'})"
    size = (0.3 if symbol else 0.4) * width * (0.8 if len(rank) > 1 else 1)
    left = (0.2 if symbol else 0.24) * width
    middle = left + (0.05 * width if len(rank) > 1 else 0)
    parts = [body(width, "card"), words(rank, middle, left, size, style=ink + ";font-weight:600")]
    if symbol:
        parts.append(words(symbol, 0.2 * width, 0.48 * width, 0.26 * width, style=ink))
        parts.append(words(symbol, 0.58 * width, 0.64 * height, 0.52 * width, style=ink))
    return tag("g", *parts, opacity=0.55 if dim else None)


def suited(rank: str, suit: str, width: float = WIDTH, dim: bool = False) -> str:
    """A card of one of the suits C D S H."""
    return face(rank, SYMBOLS[suit], width, dim, red=suit in "DH")


def back(width: float = WIDTH) -> str:
    """A card face down."""
    height = width * HEIGHT / WIDTH
    inset = 0.1 * width
    frame = tag(
        "rect",
        x=inset,
        y=inset,
        width=width - 2 * inset,
        height=height - 2 * inset,
        rx=0.05 * width,
        fill="none",
        stroke="var(--light)",
        stroke_opacity=0.55,
    )
    return body(width, "back") + frame


def body(width: float, fill: str) -> str:
    return tag(
        "rect",
        width=width,
        height=width * HEIGHT / WIDTH,
        rx=0.1 * width,
        fill=f"var(--{fill})",
        stroke="var(--edge)",
        stroke_width=1,
    )


def mark(width: float = WIDTH) -> str:
    """The frame that shows a chosen card."""
    height = width * HEIGHT / WIDTH
    return tag("rect", x=1.5, y=1.5, width=width - 3, height=height - 3, rx=0.09 * width, class_="mark")


def at(x: float, y: float, *inside: str, turn: float = 0) -> str:
    """Something moved to a place, and turned around it by so many degrees."""
    return tag("g", *inside, transform=f"translate({x:.1f},{y:.1f})" + (f" rotate({turn:g})" if turn else ""))


def rows(
    cards: Sequence[str], x: float, y: float, space: float, width: float, lifted: Sequence[bool] = (), each: int = 7
) -> list[str]:
    """Cards in as few rows as there is room for, so that each can be hit."""
    number = max(1, -(-len(cards) // each))
    size = -(-len(cards) // number)
    high = width * HEIGHT / WIDTH + 8
    parts = []
    for i in range(number):
        part = slice(i * size, (i + 1) * size)
        parts += fan(cards[part], x, y + i * high, space, width, lifted[part])
    return parts


def fan(cards: Sequence[str], x: float, y: float, space: float, width: float = WIDTH, lifted: Sequence[bool] = ()) -> list[str]:
    """Cards side by side around the middle x, overlapping where there is not enough space; slightly arched."""
    step = min(width + 4, (space - width) / max(len(cards) - 1, 1))
    left = x - (step * (len(cards) - 1) + width) / 2
    middle = (len(cards) - 1) / 2
    parts = []
    for i, card in enumerate(cards):
        off = (i - middle) / max(middle, 1)
        rise = (0.13 * width) * off * off - (0.22 * width if i < len(lifted) and lifted[i] else 0)
        parts.append(at(left + step * i, y + rise, card, turn=2.5 * off if step < width else 0))
    return parts
