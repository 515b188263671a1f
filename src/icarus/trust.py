"""Whose word a name is.

A name can lead to code: ``mygame.py``, ``package.module:name``, a strategy's ``file.py:Name()``.  On a person's own command line,
and in a program that calls :func:`icarus.load`, that is what it is for.  A name that came through any other door (the engine
protocol, a web socket, a saved game, a folder of results) leads to what is built in, and to the files that whoever opened the
door allowed.  docs/security.md lists the doors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from icarus.errors import GameError, IcarusError

if TYPE_CHECKING:
    from icarus.game import Game

LONGEST = 2000  #: characters of an outsider's name
NETWORKS = re.compile(r"\[\s*([^\[\]]+\.onnx)\s*\]")  #: the file of a player's network
USERS_OWN = re.compile(r"([\w./~\\-]+\.py):([A-Za-z_]\w*)")  #: a class or a function in a user's file
WEIGHTS = re.compile(r"""["']([^"']+\.npz)["']""")  #: a file that a strategy reads its weights from


class NotAllowed(IcarusError):
    """A name from outside that leads to code which is not built in."""


@dataclass(frozen=True)
class Trust:
    """What names may lead to beside what is built in: everything, or these files and modules."""

    everything: bool = False
    files: frozenset[Path] = frozenset()
    modules: frozenset[str] = frozenset()
    #: how large an outsider's game may be: words of state, actions of one decision, plies
    state_words: int = 1 << 17
    actions: int = 10_000
    plies: int = 20_000

    def check_file(self, file: str | Path) -> None:
        """Refuse a file that was not allowed, before it is looked for."""
        try:
            known = self.everything or Path(file).resolve() in self.files
        except (OSError, ValueError, RuntimeError):  # no path at all
            known = False
        if not known:
            raise NotAllowed(f"the file {str(file)[:200]!r} is not allowed here; who starts this can add it: --allow FILE")

    def check_module(self, name: str) -> None:
        """Refuse a module that was not allowed, before it is imported."""
        if not self.everything and name not in self.modules:
            raise NotAllowed(f"{name[:200]!r} is neither built in nor allowed here; who starts this can add it: --allow NAME")

    def check_text(self, text: str) -> None:
        if not self.everything and len(text) > LONGEST:
            raise NotAllowed(f"a name of {len(text)} characters is longer than {LONGEST}")

    def check_size(self, game: Game) -> None:
        """Refuse a game that would take more memory than a game on a table needs."""
        if self.everything:
            return
        for name, most in (("state_size", self.state_words), ("max_actions", self.actions), ("max_plies", self.plies)):
            if getattr(game, name) > most:
                raise GameError(f"{game.name} is too large to be played here: {name} is {getattr(game, name)}, at most {most}")


OWN = Trust(everything=True)  #: a person's own command line, or a program that calls us
OUTSIDE = Trust()  #: anybody else


def allowing(given: Iterable[str] | None) -> Trust:
    """An outsider's names may lead to these, too: files, modules by their dotted names, ``openspiel`` for OpenSpiel's games."""
    files = [text for text in given or () if text.endswith((".py", ".kif", ".onnx", ".npz"))]
    modules = [text for text in given or () if text not in files]
    for file in files:
        if not Path(file).is_file():
            raise IcarusError(f"--allow {file}: there is no such file")
    for name in modules:
        if not all(part.isidentifier() for part in name.split(".")):
            raise IcarusError(f"--allow {name}: neither a file (.py, .kif, .onnx, .npz) nor the name of a module")
    return Trust(files=frozenset(Path(file).resolve() for file in files), modules=frozenset(modules))


def code_named_in(texts: Iterable[str]) -> list[str]:
    """What ``--allow`` takes so that these names of games and players lead to code of one's own; built-in ones need nothing."""
    return list(dict.fromkeys(code for text in texts for code in _code_of(text)))


def _code_of(text: str) -> list[str]:
    found = [match[0] for match in USERS_OWN.findall(text)] + NETWORKS.findall(text) + WEIGHTS.findall(text)
    place = text.strip().partition("(")[0].strip()
    module, colon, _ = place.rpartition(":")
    if place.endswith((".py", ".kif")):
        found.append(place)
    elif not found and colon and module != "gdl" and all(part.isidentifier() for part in module.split(".")):
        found.append(module)
    return found
