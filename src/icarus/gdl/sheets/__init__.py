"""The rule sheets that come with Icarus: the fifteen games of rave-variants-ggp-2016 and a few small ones.

``gdl:NAME`` names one wherever a game or a sheet is asked for: ``icarus search gdl:zhadu``.
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from icarus.errors import GameError

PREFIX = "gdl:"


def sheet_names() -> list[str]:
    """The names of the sheets, in alphabetical order."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.kif"))


def find_sheet(text: str) -> Path:
    """The file of a sheet: ``gdl:NAME`` is one of ours, anything else is a path."""
    if not text.startswith(PREFIX):
        return Path(text)
    name, known = text.removeprefix(PREFIX), sheet_names()
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.5) or known
        raise GameError(f"there is no sheet {text!r}; there is {', '.join(PREFIX + other for other in near)}")
    return Path(__file__).parent / f"{name}.kif"
