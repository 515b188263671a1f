"""What the conformance suite found, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from icarus.errors import GameError
from icarus.markup import html_table

Status = Literal["passed", "failed", "not applicable"]
MARKS: dict[Status, str] = {"passed": "ok", "failed": "FAILED", "not applicable": "-"}
STYLES: dict[Status, str] = {"passed": "green", "failed": "bold red", "not applicable": "dim"}


@dataclass(frozen=True)
class Check:
    """One statement about a game.  A failure has seed and ply of the first case that breaks it, and one line of detail."""

    name: str
    meaning: str
    status: Status
    #: how many cases were looked at
    cases: int
    seed: int | None = None
    ply: int | None = None
    #: what is wrong, or why the statement does not apply
    detail: str = ""

    @property
    def where(self) -> str:
        parts = [f"{name} {value}" for name, value in (("seed", self.seed), ("ply", self.ply)) if value is not None]
        return ", ".join(parts)

    @property
    def told(self) -> str:
        """What a table says of it: what it states and what is wrong, or why it does not apply."""
        if self.status == "failed":
            return f"{self.meaning}\n{self.where}: {self.detail}" if self.where else f"{self.meaning}\n{self.detail}"
        return self.detail if self.status == "not applicable" else self.meaning

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        return f"{self.name}{place}: {self.detail or self.status}"


@dataclass(frozen=True, repr=False)
class Report:
    """All checks of a game, in the order in which a game should be put right."""

    game: str
    seed: int
    games: int
    seconds: float
    checks: list[Check]
    #: determinizations for which the game itself says that it found nothing that agrees with what was seen; they are left out
    unexplained: int = 0

    @property
    def passed(self) -> bool:
        """Is nothing wrong?"""
        return not self.failures

    @property
    def failures(self) -> list[Check]:
        return [check for check in self.checks if check.status == "failed"]

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def raise_for_failures(self) -> None:
        """Raise GameError, in one line, if a check has failed."""
        if self.failures:
            raise GameError(f"the game {self.game} breaks its contract: {'; '.join(map(str, self.failures))}")

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "passed": self.passed}

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.as_dict(), indent=indent)

    @property
    def title(self) -> str:
        counts = {status: sum(check.status == status for check in self.checks) for status in STYLES}
        told = ", ".join(f"{number} {status}" for status, number in counts.items() if number)
        lost = f"; nothing found for {self.unexplained} determinizations" if self.unexplained else ""
        return f"{self.game}: {told}  [{self.games} random games from seed {self.seed}, {self.seconds:.1f} s{lost}]"

    def _repr_html_(self) -> str:
        rows = [(check.name, MARKS[check.status], f"{check.cases:,}" if check.cases else "", check.told) for check in self.checks]
        return html_table(self.title, ("check", "", "cases", "meaning"), rows)

    def __repr__(self) -> str:
        return f"<Report {self.title}>"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        table = Table(title=Text(self.title), title_justify="left")
        table.add_column("check", no_wrap=True)
        table.add_column("", no_wrap=True)
        table.add_column("cases", justify="right")
        table.add_column("meaning")
        for check in self.checks:
            told = Text(check.told, STYLES["not applicable"] if check.status == "not applicable" else "")
            if check.status == "failed":
                told.stylize(STYLES["failed"], len(check.meaning))
            table.add_row(
                check.name, Text(MARKS[check.status], STYLES[check.status]), f"{check.cases:,}" if check.cases else "", told
            )
        yield table
