"""Every rule sheet of a folder through the conformance suite, each in a process of its own.

A process can be ended, whatever a sheet does; and what it prints with ``--json`` is all that is known of the sheet here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from rich.console import Console, ConsoleOptions
from rich.table import Table
from rich.text import Text

from icarus.errors import GameError

SUFFIXES = (".kif", ".gdl")
STYLES = {"passed": "green", "failed": "bold red", "refused": "red", "too long": "yellow"}


@dataclass(frozen=True)
class Outcome:
    """What became of one file.  ``refused``: it cannot be played; ``too long``: its process was ended."""

    file: str
    status: Literal["passed", "failed", "refused", "too long"]
    seconds: float
    #: random games that there was time for
    games: int = 0
    #: how many checks passed, failed and did not apply
    counts: dict[str, int] = field(default_factory=dict)
    #: why not passed, in one line
    detail: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class FolderReport:
    """All files of a folder, in alphabetical order."""

    folder: str
    outcomes: list[Outcome]
    seconds: float

    @property
    def passed(self) -> bool:
        return all(outcome.status == "passed" for outcome in self.outcomes)

    def raise_for_failures(self) -> None:
        """Raise GameError, in one line, if anything is wrong."""
        bad = [outcome for outcome in self.outcomes if outcome.status != "passed"]
        if bad:
            names = ", ".join(Path(outcome.file).name for outcome in bad[:8]) + (" …" if len(bad) > 8 else "")
            raise GameError(f"{len(bad)} of {len(self.outcomes)} sheets in {self.folder} did not pass: {names}")

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "passed": self.passed}

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.as_dict(), indent=indent)

    @property
    def title(self) -> str:
        counts = {status: sum(outcome.status == status for outcome in self.outcomes) for status in STYLES}
        told = ", ".join(f"{number} {status}" for status, number in counts.items() if number)
        return f"{self.folder}: {told}  [{len(self.outcomes)} sheets, {self.seconds:.0f} s]"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        table = Table(title=Text(self.title), title_justify="left")
        table.add_column("sheet", no_wrap=True)
        table.add_column("", no_wrap=True)
        table.add_column("games", justify="right", no_wrap=True)
        table.add_column("checks", justify="right", no_wrap=True)
        table.add_column("seconds", justify="right", no_wrap=True)
        table.add_column("what is wrong")
        for outcome in self.outcomes:
            told = [outcome.detail] if outcome.detail else list(outcome.warnings[:1])
            table.add_row(
                Path(outcome.file).name,
                Text(outcome.status, STYLES[outcome.status]),
                str(outcome.games or ""),
                str(outcome.counts.get("passed", "")),
                f"{outcome.seconds:.1f}",
                Text(" ".join(told), "" if outcome.detail else "dim"),
            )
        yield table


#: of the time of a sheet that its checks may take: reading and compiling it, and the last case, come on top
SHARE = 0.6


def check_folder(
    folder: str | Path,
    *,
    games: int = 100,
    seed: int = 0,
    processes: int | None = None,
    timeout: float = 600.0,
    progress: Callable[[float, str], None] | None = None,
) -> FolderReport:
    """Check every sheet of a folder, several at once; one that takes more than ``timeout`` seconds is given up."""
    files = sheet_files(Path(folder))
    begun, told = time.perf_counter(), progress or (lambda share, text: None)
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(processes or os.cpu_count() or 1) as pool:
        running = [pool.submit(check_file, file, games, seed, timeout) for file in files]
        try:
            for done in as_completed(running):
                outcomes.append(done.result())
                told(len(outcomes) / len(files), Path(outcomes[-1].file).name)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return FolderReport(str(folder), sorted(outcomes, key=lambda outcome: outcome.file), time.perf_counter() - begun)


def sheet_files(folder: Path) -> list[Path]:
    """The sheets of a folder, large ones first: they take longest, and would keep everybody waiting at the end."""
    if not folder.is_dir():
        raise GameError(f"there is no folder {str(folder)!r}")
    files = [file for file in folder.iterdir() if file.suffix in SUFFIXES]
    if not files:
        raise GameError(f"there is no rule sheet in {str(folder)!r}: no file ends in {', '.join(SUFFIXES)}")
    return sorted(files, key=lambda file: -file.stat().st_size)


def check_file(file: Path, games: int, seed: int, timeout: float) -> Outcome:
    """One file, checked by the command line in a process of its own."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "icarus", "check", str(file), "--games", str(games), "--seed", str(seed), "--json"]
    command += ["--seconds", f"{timeout * SHARE:g}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Outcome(str(file), "too long", time.perf_counter() - begun, detail=f"takes more than {timeout:g} s")
    seconds = time.perf_counter() - begun
    lines = [line.removeprefix("icarus: ") for line in done.stderr.splitlines() if line.startswith("icarus: ")]
    warnings = tuple(line.removeprefix("warning: ") for line in lines if line.startswith("warning: "))
    wrong = [line for line in lines if not line.startswith(("warning: ", "compiling "))]
    try:
        told = json.loads(done.stdout)
        checks, games = told["checks"], told["games"]
    except (ValueError, KeyError, TypeError):
        detail = wrong[-1] if wrong else f"its process ended with code {done.returncode}"
        return Outcome(str(file), "refused", seconds, detail=detail, warnings=warnings)
    counts = {status: sum(check["status"] == status for check in checks) for status in ("passed", "failed", "not applicable")}
    failed = "; ".join(f"{check['name']}: {check['detail']}" for check in checks if check["status"] == "failed")
    if told["unexplained"]:
        warnings += (f"nothing found for {told['unexplained']} determinizations",)
    return Outcome(str(file), "failed" if failed else "passed", seconds, games, counts, failed, warnings)
