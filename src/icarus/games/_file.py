"""Files that a game is made from: a formula, a tour."""

from __future__ import annotations

from pathlib import Path

from icarus.errors import GameError


def read_lines(file: Path, what: str) -> list[str]:
    """The lines of a text file."""
    try:
        return file.read_text().splitlines()
    except OSError as problem:
        raise GameError(f"cannot read the {what} {str(file)!r}: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise GameError(f"cannot read the {what} {str(file)!r}: it is not a text") from None
