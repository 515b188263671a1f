"""The rule sheets that come with Icarus: the fifteen games of rave-variants-ggp-2016, a few small ones, and some that are too
large for a network.

``gdl:NAME`` names one wherever a game or a sheet is asked for: ``icarus search gdl:zhadu``.
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from icarus.errors import GameError

PREFIX = "gdl:"
FOLDER = Path(__file__).parent
#: sheets for which it is known that a network takes too long
LARGE = FOLDER / "large"


def sheet_names() -> list[str]:
    """The names of the sheets that have a network, in alphabetical order."""
    return sorted(path.stem for path in FOLDER.glob("*.kif"))


def large_sheet_names() -> list[str]:
    """The names of those that are too large for one."""
    return sorted(path.stem for path in LARGE.glob("*.kif"))


def find_sheet(text: str) -> Path:
    """The file of a sheet: ``gdl:NAME`` is one of ours, anything else is a path."""
    if not text.startswith(PREFIX):
        return Path(text)
    name, large = text.removeprefix(PREFIX), large_sheet_names()
    known = sorted([*sheet_names(), *large])
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.5) or known
        raise GameError(f"there is no sheet {text!r}; there is {', '.join(PREFIX + other for other in near)}")
    return (LARGE if name in large else FOLDER) / f"{name}.kif"
