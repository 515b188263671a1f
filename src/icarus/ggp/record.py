"""The record of a match, in the format that GGP servers publish: states, moves, errors, times and goals, as JSON or XML."""

from __future__ import annotations

import json
import secrets
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from icarus.errors import IcarusError
from icarus.ggp.messages import format_list


@dataclass
class Record:
    """A match from its first state on.  Times are milliseconds since 1970, clocks seconds.

    ``errors`` has a row for the START and one for every step, with an entry for each role: nothing, ``TO`` (no answer in time),
    ``IL ...`` (an answer that is not legal) or ``CE`` (no connection).
    """

    match: str
    sheet: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    start_clock: float
    play_clock: float
    start_time: int
    states: list[list[str]] = field(default_factory=list)
    state_times: list[int] = field(default_factory=list)
    moves: list[list[str]] = field(default_factory=list)
    errors: list[list[str]] = field(default_factory=list)
    goals: list[int] | None = None
    aborted: bool = False
    token: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def error_counts(self) -> dict[str, int]:
        """How many errors each role made."""
        return {role: sum(bool(row[i]) for row in self.errors) for i, role in enumerate(self.roles)}

    def as_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "matchId": self.match,
            "randomToken": self.token,
            "gameMetaURL": self.sheet,
            "gameRoleNames": list(self.roles),
            "startTime": self.start_time,
            "previewClock": -1,
            "startClock": self.start_clock,
            "playClock": self.play_clock,
            "playerNamesFromHost": list(self.players),
            "scrambled": False,
            "isCompleted": self.goals is not None,
            "isAborted": self.aborted,
            "states": [format_list(state) for state in self.states],
            "stateTimes": self.state_times,
            "moves": self.moves,
            "errors": self.errors,
        }
        return fields if self.goals is None else fields | {"goalValues": self.goals}

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.as_dict(), indent=indent)

    def to_xml(self) -> str:
        match = ET.Element("match")
        for name, value in self.as_dict().items():
            _add(match, name, value)
        ET.indent(match)
        return ET.tostring(match, encoding="unicode", xml_declaration=True) + "\n"

    def write(self, file: Path) -> None:
        """Write the record; the ending of the file's name says how."""
        text = self.to_xml() if file.suffix == ".xml" else self.to_json(indent=2) + "\n"
        try:
            file.write_text(text, encoding="utf-8")
        except OSError as problem:
            raise IcarusError(f"cannot write the match record {str(file)!r}: {problem.strerror}") from None


def _add(parent: ET.Element, name: str, value: Any) -> None:
    """A list is an element for each of its entries, named in the singular."""
    element = ET.SubElement(parent, name)
    if isinstance(value, list):
        for entry in value:
            _add(element, name.removesuffix("s") if name.endswith("s") else "entry", entry)
    else:
        element.text = str(value).lower() if isinstance(value, bool) else str(value)
