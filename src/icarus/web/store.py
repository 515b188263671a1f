"""Tables on disk: one file each, replaced in one step, so that a server that is killed at any moment finds them again."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from icarus.errors import IcarusError

NAME = re.compile(r"[A-Za-z0-9_-]{16,40}")


class Store:
    """A folder of tables.  It holds invitations, so only its owner may read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as problem:
            raise IcarusError(
                f"tables cannot be kept in {str(folder)!r}: {problem.strerror}; choose another with --tables"
            ) from None

    def save(self, data: dict[str, Any]) -> None:
        """Either the old file or the new one is there, whatever happens."""
        text = json.dumps(data)
        handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, self._file(data["name"]))
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def load(self, name: str) -> dict[str, Any] | None:
        """The table of this name, or None if there is none that can be read."""
        if not NAME.fullmatch(name):
            return None
        try:
            data = json.loads(self._file(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) else None

    def remove(self, name: str) -> None:
        self._file(name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """All tables, the one that has rested longest first."""
        files = [file for file in self.folder.glob("*.json") if NAME.fullmatch(file.stem)]
        return [file.stem for file in sorted(files, key=_age)]

    def touched(self, name: str) -> float:
        return _age(self._file(name))

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # removed in the meantime
        return 0.0
