"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

ALLOW_HELP = "a file (.py, .kif) or module that names from outside may lead to, or openspiel (may be repeated)"
Allow = Annotated[list[str] | None, typer.Option(metavar="FILE", help=ALLOW_HELP, show_default="built-in names only")]
