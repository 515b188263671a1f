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
from typing import Any

from icarus.arena.claims import HOLDS, OPEN, REFUTED, Statement, Verdict, cells_of, verdicts
from icarus.arena.compact import read_compact
from icarus.arena.experiment import Results, names, read_experiment
from icarus.arena.match import GameRecord
from icarus.arena.reproduce import duration

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
    #: tests of the project that hold the claim to its letter
    test: str = ""

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        """For tables: name, verdict, games, effect, interval, cost."""
        interval = "" if self.low is None or self.high is None else f"{self.low:+.3g} … {self.high:+.3g}"
        effect = "" if self.effect is None else f"{self.effect:+.3g}"
        games = f"{self.games:,}" if self.games else "by test" if self.test else "none"
        return self.id, self.verdict, games, effect, interval, duration(self.seconds) if self.seconds else ""

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
            "text": self.text,
            "test": self.test or None,
        }


def all_claims() -> list[Claim]:
    """Every claim of the five papers, in their order."""
    judged: dict[str, list[tuple[Verdict, list[GameRecord]]]] = {}
    for verdict, games in _judged():
        judged.setdefault(base_of(verdict.id), []).append((verdict, games))
    return [
        _claim(name, paper, said, judged.get(name, [])) for paper, claims in _listed().items() for name, said in claims.items()
    ]


def base_of(name: str) -> str:
    """S4 for S4a."""
    found = re.match(r"[A-Z]\d+", name)
    return found[0] if found else name


def _claim(name: str, paper: str, said: str | dict[str, str], judged: list[tuple[Verdict, list[GameRecord]]]) -> Claim:
    text, test = (said, "") if isinstance(said, str) else (said["text"], said["test"])
    if test and not judged:
        return Claim(name, paper, text, HOLDS, test=test)
    found = {verdict.verdict for verdict, _ in judged}
    verdict = REFUTED if REFUTED in found else HOLDS if found == {HOLDS} else OPEN
    telling = _telling([s for one, _ in judged for s in one.statements], verdict)
    played = {(record.cell, record.number): record for _, games in judged for record in games}
    # exact, so that it does not depend on the order of the games
    seconds = math.fsum(record.elapsed for record in played.values())
    judgement = Claim(name, paper, text, verdict, len(played), seconds=seconds, test=test)
    return judgement if telling is None else replace(judgement, effect=telling.effect, low=telling.low, high=telling.high)


def _telling(statements: list[Statement], verdict: str) -> Statement | None:
    """The statement on which a verdict rests: the first that was refuted or is open, else the first."""
    measured = [statement for statement in statements if statement.effect is not None]
    return next((s for s in measured if s.verdict == verdict), measured[0] if measured else None)


def _judged() -> Iterator[tuple[Verdict, list[GameRecord]]]:
    """The verdicts of all experiments, with the games on which each rests."""
    for name in names():
        experiment = read_experiment(name)
        file = results_file(experiment.data or name)
        if not file.is_file():
            unknown = Statement(f"{name}: not played", OPEN)
            yield from ((Verdict(claim["id"], claim["text"], (unknown,)), []) for claim in experiment.claims)
            continue
        held = read_compact(file, experiment.schedule())
        schedule = experiment.schedule(budget=held.budget, seed=held.seed)
        results = Results(experiment, schedule, held.records)
        cells = cells_of(experiment, schedule)
        for verdict in verdicts(results, held.budget, held.looks):
            yield verdict, [record for cell in cells[verdict.id] for record in results.of_cell(cell)]


def results_file(experiment: str) -> Path:
    """Where the package keeps what is known of an experiment."""
    return Path(str(resources.files("icarus.arena"))) / FOLDER / f"{experiment}.json"


@cache
def _listed() -> dict[str, dict[str, Any]]:
    return tomllib.loads((resources.files("icarus.arena") / "claims.toml").read_text(encoding="utf-8"))


def markdown(claims: list[Claim]) -> str:
    """The table of the page."""
    lines = [
        "| claim | paper | what it says | verdict | games | effect | 95 % interval | cost |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for claim in claims:
        name, verdict, games, effect, interval, cost = claim.cells
        shown = f"**{verdict}**" if verdict != OPEN else verdict
        lines.append(f"| {name} | {claim.paper} | {claim.text} | {shown} | {games} | {effect} | {interval} | {cost} |")
    return "\n".join(lines)
