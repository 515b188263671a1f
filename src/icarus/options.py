"""Options that several commands share."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from icarus.errors import IcarusError

ALLOW_HELP = "a file (.py, .kif) or module that names from outside may lead to, or openspiel (may be repeated)"
Allow = Annotated[list[str] | None, typer.Option(metavar="FILE", help=ALLOW_HELP, show_default="built-in names only")]

_NUMBER = r"(\d+(?:\.\d+)?)"
_TIME = re.compile(rf"{_NUMBER}|(?:{_NUMBER}h)?(?:{_NUMBER}m)?(?:{_NUMBER}s)?")


def seconds_of(text: str) -> float:
    """``90``, ``90s``, ``10m``, ``1.5h``, ``2h30m``."""
    match = _TIME.fullmatch(text.replace(" ", ""))
    plain, hours, minutes, seconds = (float(part or 0) for part in (match.groups() if match else [None] * 4))
    total = plain + 3600 * hours + 60 * minutes + seconds
    if total <= 0:
        raise IcarusError(f"--time {text}: write for example 30s, 10m or 1h30m")
    return total
