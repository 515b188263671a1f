"""Options that several commands share."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from icarus.errors import IcarusError

ALLOW_HELP = "a file (.py, .kif) or module that names from outside may lead to, or openspiel (may be repeated)"
Allow = Annotated[list[str] | None, typer.Option(metavar="FILE", help=ALLOW_HELP, show_default="built-in names only")]

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """``90``, ``90s``, ``10m``, ``2h``."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smh]?)\s*", text)
    if match is None or float(match[1]) <= 0:
        raise IcarusError(f"--time {text}: write for example 30s, 10m or 1h")
    return float(match[1]) * UNITS[match[2] or "s"]
