"""What tuning found for a game, kept in the user's folder: used, and mentioned, where a command is not told otherwise.

``icarus tune GAME --save`` writes it, ``icarus tune GAME --strength --save`` its levels.  One JSON file per game, in
``$ICARUS_PRESETS`` or in ``icarus/presets`` of the user's configuration folder; deleting the file forgets it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from icarus.errors import IcarusError
from icarus.game import Game

FORMAT = 1
PLAYER = ("algorithm", "strategy", "final", "transpositions", "keep")  #: what says which player it is


@dataclass(frozen=True)
class Level:
    """One step of a ladder of strengths: a share of the budget, a strength, and the rating that was measured."""

    strength: float
    iterations: int | None
    seconds: float | None
    rating: float


@dataclass(frozen=True)
class Preset:
    """A player for a game without its budget, and how it was found."""

    game: str
    algorithm: str = ""
    strategy: str = ""
    final: str = ""
    transpositions: bool = False
    keep: bool = False
    #: one line for people: score, interval, games, and the budget of a decision at which it was measured
    found: str = ""
    #: a ladder from weak to strong
    levels: tuple[Level, ...] = ()
    #: of a rule sheet: what its rules are, however they are printed; a match names no sheet
    rules: str = ""
    #: of the game: players, actions, what is hidden; another game of the same name is not this one
    fingerprint: str = ""

    @property
    def expression(self) -> str:
        """The player as it is written, without its budget."""
        return f"{self.algorithm}[{self.strategy or '-'}]"

    def mention(self, otherwise: str = "--strategy -") -> str:
        """What a command says when it uses the preset, with the option that does without it."""
        return f"{self.game}: using its preset {self.expression} ({self.found}); {otherwise} for the plain search"


def folder() -> Path:
    """Where presets are kept."""
    if "ICARUS_PRESETS" in os.environ:
        return Path(os.environ["ICARUS_PRESETS"])
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home())
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "icarus" / "presets"


def file_of(name: str) -> Path:
    return folder() / f"{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-').lower() or 'game'}.json"


def fingerprint(game: Game) -> str:
    hidden = "hidden" if game.hidden_information else "open"
    return f"{game.players} players, {game.max_actions} actions, {game.state_size} words, {hidden}"


def save(game: Game, preset: Preset) -> Path:
    """Keep a preset; what is not given (empty) stays as it was.  The levels of another player are none of this one."""
    before = find(game)
    if before is not None:
        if not preset.strategy:
            preset = replace(preset, found=before.found, **{name: getattr(before, name) for name in PLAYER})
        if not preset.levels and all(getattr(preset, name) == getattr(before, name) for name in PLAYER):
            preset = replace(preset, levels=before.levels)
    preset = replace(preset, fingerprint=fingerprint(game))
    file = file_of(game.name)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps({"format": FORMAT, **asdict(preset)}, indent=2) + "\n", encoding="utf-8")
        draft.replace(file)  # whole or not at all
    except OSError as problem:
        raise IcarusError(f"cannot keep the preset in {file}: {problem.strerror or problem}") from None
    return file


def rules_digest(text: str) -> str:
    """What a rule sheet says, whatever its spaces, comments and capitals."""
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower())
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:24]


def find_rules(text: str) -> Preset | None:
    """The preset of a sheet with these rules."""
    digest = rules_digest(text)
    for file in sorted(folder().glob("*.json")) if folder().is_dir() else []:
        found = _read(file)
        if found is not None and found.rules == digest:
            return found
    return None


def find(game: Game) -> Preset | None:
    """The preset of a game, if there is one that reads and is of this game."""
    preset = _read(file_of(game.name))
    return preset if preset is not None and preset.game == game.name and preset.fingerprint == fingerprint(game) else None


def _read(file: Path) -> Preset | None:
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if data.pop("format", None) != FORMAT:
            return None
        levels = tuple(Level(**level) for level in data.pop("levels", ()))
        return Preset(**data, levels=levels)
    except (OSError, ValueError, TypeError, AttributeError):
        return None
