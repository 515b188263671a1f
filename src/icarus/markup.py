"""Tables in HTML, for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


class Bar(float):
    """A cell that is a bar: a share from 0 to 1."""


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str | Bar]], bold: int | None = None) -> str:
    """A table; texts are escaped, lines of a text stay lines, and the row of this number is set in bold."""
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(
        f'<tr style="font-weight:{"bold" if number == bold else "normal"}">{"".join(map(_cell, row))}</tr>'
        for number, row in enumerate(rows)
    )
    return f"<table><caption>{html.escape(caption)}</caption><tr>{top}</tr>{body}</table>"


def _cell(content: str | Bar) -> str:
    if isinstance(content, Bar):
        return f'<td><div style="background:#4878d0;height:0.8em;width:{120 * content:.0f}px"></div></td>'
    return f"<td>{html.escape(content).replace(chr(10), '<br>')}</td>"
