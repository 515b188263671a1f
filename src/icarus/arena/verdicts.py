"""The verdicts on all claims of the papers so far, from the results files that come with the package (``results/*.json``)."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from icarus.arena.claims import cells_of, exhausted, verdicts
from icarus.arena.compact import Compact, read_compact
from icarus.arena.experiment import Results, names, read_experiment
from icarus.arena.match import GameRecord
from icarus.arena.reproduce import duration
from icarus.arena.statement import HOLDS, OPEN, REFUTED, Statement, Verdict

FOLDER = "results"  #: within the package, a file per experiment


@dataclass(frozen=True)
class Claim:
    """What a paper says, and what the games say about it."""

    id: str
    paper: str
    text: str
    verdict: str
    games: int = 0
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    #: what the games took, by the clock of one process
    seconds: float = 0.0
    #: every comparison that is open has had all of the paper's games ...
    complete: bool = False
    #: ... or one of them has, so that the claim cannot be confirmed any more: games of the others could only refute it
    unconfirmable: bool = False
    #: the comparisons behind the verdict, by the part of the claim to which they belong
    comparisons: tuple[tuple[str, Statement], ...] = ()
    #: tests of the project that hold the claim to its letter
    test: str = ""

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        """For tables: name, verdict, games, effect, interval, cost."""
        interval = "" if self.low is None or self.high is None else f"{self.low:+.3g} … {self.high:+.3g}"
        effect = "" if self.effect is None else f"{self.effect:+.3g}"
        games = f"{self.games:,}" if self.games else "by test" if self.test else "none"
        ending = " after all games" if self.complete else ", not to be confirmed" if self.unconfirmable else ""
        verdict = self.verdict + ending
        return self.id, verdict, games, effect, interval, duration(self.seconds) if self.seconds else ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "claim": self.id,
            "paper": self.paper,
            "verdict": self.verdict,
            "games": self.games,
            "effect": self.effect,
            "low": self.low,
            "high": self.high,
            "seconds": round(self.seconds),
            "complete": self.complete,
            "unconfirmable": self.unconfirmable,
            "text": self.text,
            "test": self.test or None,
        }


def all_claims() -> list[Claim]:
    """Every claim of the five papers, in their order."""
    judged: dict[str, list[_Judged]] = {}
    for part in _judged():
        judged.setdefault(base_of(part.verdict.id), []).append(part)
    return [
        _claim(name, paper, said, judged.get(name, [])) for paper, claims in listed().items() for name, said in claims.items()
    ]


def base_of(name: str) -> str:
    """S4 for S4a."""
    found = re.match(r"[A-Z]\d+", name)
    return found[0] if found else name


class _Judged(NamedTuple):
    """The verdict of an experiment on a claim or a part of it, with the games on which it rests."""

    verdict: Verdict
    games: list[GameRecord]
    #: the comparisons that are open after as many games as the paper played
    exhausted: tuple[Statement, ...] = ()

    @property
    def complete(self) -> bool:
        return self.verdict.verdict == OPEN and set(self.exhausted) == set(self.verdict.open)


def _claim(name: str, paper: str, said: str | dict[str, str], judged: list[_Judged]) -> Claim:
    text, test = (said, "") if isinstance(said, str) else (said["text"], said["test"])
    if test and not judged:
        return Claim(name, paper, text, HOLDS, test=test)
    found = {part.verdict.verdict for part in judged}
    verdict = REFUTED if REFUTED in found else HOLDS if found == {HOLDS} else OPEN
    comparisons = tuple((part.verdict.id, statement) for part in judged for statement in part.verdict.statements)
    over = [statement for part in judged if verdict == OPEN for statement in part.exhausted]
    telling = _telling(over or [statement for _, statement in comparisons], verdict)
    played = {(record.cell, record.number): record for part in judged for record in part.games}
    complete = verdict == OPEN and bool(judged) and all(part.complete for part in judged if part.verdict.verdict == OPEN)
    # exact, so that it does not depend on the order of the games
    seconds = math.fsum(record.elapsed for record in played.values())
    judgement = Claim(
        name, paper, text, verdict, len(played), seconds=seconds, complete=complete, unconfirmable=bool(over),
        comparisons=comparisons, test=test,
    )  # fmt: skip
    return judgement if telling is None else replace(judgement, effect=telling.effect, low=telling.low, high=telling.high)


def _telling(statements: list[Statement], verdict: str) -> Statement | None:
    """The statement on which a verdict rests: the first that was refuted or is open, else the first."""
    measured = [statement for statement in statements if statement.effect is not None]
    return next((s for s in measured if s.verdict == verdict), measured[0] if measured else None)


def known(name: str) -> tuple[Results, Compact] | None:
    """What the package's results file has of an experiment; None where there is none."""
    experiment = read_experiment(name)
    file = results_file(experiment.data or name)
    if not file.is_file():
        return None
    held = read_compact(file, experiment.schedule())
    return Results(experiment, experiment.schedule(budget=held.budget, seed=held.seed), held.records), held


def _judged() -> Iterator[_Judged]:
    """The verdicts of all experiments."""
    for name in names():
        found = known(name)
        if found is None:
            unknown = Statement(f"{name}: not played", OPEN)
            yield from (_Judged(Verdict(claim["id"], claim["text"], (unknown,)), []) for claim in read_experiment(name).claims)
            continue
        results, held = found
        schedule = results.schedule
        cells = cells_of(results.experiment, schedule)
        for verdict in verdicts(results, held.budget, held.looks):
            games = [record for cell in cells[verdict.id] for record in results.of_cell(cell)]
            yield _Judged(verdict, games, tuple(exhausted(verdict, results)))


def results_file(experiment: str) -> Path:
    """Where the package keeps what is known of an experiment."""
    return Path(str(resources.files("icarus.arena"))) / FOLDER / f"{experiment}.json"


@cache
def listed() -> dict[str, dict[str, Any]]:
    """What is in the table of verdicts: every claim of every paper, by its name."""
    return tomllib.loads((resources.files("icarus.arena") / "claims.toml").read_text(encoding="utf-8"))


def markdown(claims: list[Claim]) -> str:
    """The table of the page."""
    lines = [
        "| claim | paper | what it says | verdict | games | effect | 95 % interval | cost |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for claim in claims:
        name, verdict, games, effect, interval, cost = claim.cells
        shown = f"**{verdict}**" if claim.verdict != OPEN else verdict
        lines.append(f"| {name} | {claim.paper} | {claim.text} | {shown} | {games} | {effect} | {interval} | {cost} |")
    return "\n".join(lines)


def listing(claims: list[Claim]) -> str:
    """Every comparison behind the verdicts, for a page of its own."""
    lines = []
    for claim in claims:
        verdict = claim.cells[1]
        lines += [f"## {claim.id}: {verdict}", "", f"{claim.text} ({claim.paper}).", ""]
        if claim.test:
            lines += [f"Held to its letter by `{claim.test}`.", ""]
        for part, statement in claim.comparisons:
            prefix = "" if part == claim.id else f"{part}, "
            lines.append(f"- {prefix}*{statement.verdict}*: {statement.text}")
        lines += [""] if claim.comparisons else []
    return "\n".join(lines)
