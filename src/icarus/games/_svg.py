"""The few pieces of SVG that puzzles draw themselves with (see icarus.drawing.own for what a drawing may be)."""

from __future__ import annotations

from html import escape


def image(width: float, height: float, *parts: str) -> str:
    """A whole drawing, with a little space around it."""
    box = f"-4 -4 {width + 8:g} {height + 8:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{"".join(parts)}</svg>'


def text(content: object, x: float, y: float, size: float = 16, kind: str = "") -> str:
    """Words around a point."""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" dominant-baseline="central"'
    return f"<text {place}{f' class={kind!r}' if kind else ''}>{escape(str(content))}</text>"


def box(x: float, y: float, width: float, height: float, colour: str, radius: float = 4) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="var(--{colour})"/>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = "ink", width: float = 1.0) -> str:
    ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
    return f'<line {ends} stroke="var(--{colour})" stroke-width="{width:g}"/>'


def dot(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="var(--{colour})"/>'


def action(label: str, *parts: str) -> str:
    """What is clicked for the action that people call this."""
    return f'<g data-action="{escape(label)}">{"".join(parts)}</g>'


def button(label: str, x: float, y: float, width: float, shown: str = "") -> str:
    face = f'<rect class="face" x="{x:g}" y="{y:g}" width="{width:g}" height="32" rx="16"/>'
    return f'<g class="button" data-action="{escape(label)}">{face}{text(shown or label, x + width / 2, y + 16, 14)}</g>'
