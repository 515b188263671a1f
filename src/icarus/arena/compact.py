"""Results in a small file: a digit per game.

Enough to judge an experiment's claims, to draw its figure and to continue it on another machine, without the games themselves.  A
cell is a text with one character per game, by number: ``3 a + b`` for the outcomes (0 loss, 1 draw, 2 win) of its two players, or
a point where the game is missing.  Claims about searches need the share of visits and the depth of each game as well, and
measurements their values.  ``seconds`` is what the games of a cell took in all.  ``engine`` names the sources that played;
``first`` is a digest of every cell's first game, by which another engine can prove that its players are the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, outcome, play_task
from icarus.arena.schedule import GAME, Cell, Schedule

FORMAT = 1
MISSING = "."
SEARCHED = {"share": 1000, "depth": 10}  #: what is kept of searches, in which fraction
PACKAGE = Path(__file__).parents[1]
#: what decides how a player plays
PLAYING = (
    "jit", "engine", "strategy", "games", "gdl", "game.py", "algorithm.py", "search", "belief", "drawn.py", "confident.py",
    "proofs", "one_player", "planning", "equilibrium", "network", "encoding.py",
)  # fmt: skip


@dataclass
class Compact:
    """What a results file says."""

    experiment: str
    seed: int
    budget: float = 1.0
    #: how often the verdicts were looked at while games were being played (claims.verdicts)
    looks: int = 1
    engine: str = ""
    records: list[GameRecord] = field(default_factory=list)
    first: dict[str, str] = field(default_factory=dict)


@cache
def engine_digest() -> str:
    """A name for the sources that decide how players play."""
    sources = [source for name in PLAYING for source in (PACKAGE / name,) if source.is_file()]
    sources += [source for name in PLAYING for source in (PACKAGE / name).rglob("*.py")]
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(str(source.relative_to(PACKAGE)).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


# --- writing ---------------------------------------------------------------------------------------------------------


def write_compact(file: Path, results: Compact, schedule: Schedule, *, searches: bool) -> None:
    """Write a results file, in one step; ``searches``: some claim is about the searches."""
    cells: dict[str, Any] = {}
    by_cell: dict[str, dict[int, GameRecord]] = {}
    for record in results.records:
        by_cell.setdefault(record.cell, {})[record.number] = record
    first = dict(results.first)
    for name, records in sorted(by_cell.items()):
        cell = schedule.cell(name)
        ordered = [records[number] for number in sorted(records)]
        digits = [_digit(cell, records[n]) if n in records else MISSING for n in range(max(records) + 1)]
        cells[name] = {"games": "".join(digits), "seconds": _short(sum(record.elapsed for record in ordered))}
        if cell.kind != GAME:
            names = [value for value, _ in ordered[0].values]
            cells[name]["values"] = {value: [_short(dict(record.values)[value]) for record in ordered] for value in names}
        elif searches:
            for value, fraction in SEARCHED.items():
                cells[name][value] = [round(fraction * getattr(record, value)[record.seating.index(0)]) for record in ordered]
        if cell.kind == GAME and 0 in records and records[0].moves:
            first[name] = _digest(records[0])
    about = {
        "format": FORMAT,
        "experiment": results.experiment,
        "seed": results.seed,
        "budget": results.budget,
        "looks": results.looks,
        "engine": results.engine,
    }
    # a line per cell, so that what a continued run adds can be read as a difference
    lines = [f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(found)}" for name, found in cells.items()]
    head = json.dumps(about, ensure_ascii=False)[:-1]
    text = f'{head},\n  "first": {json.dumps(first, ensure_ascii=False)},\n  "cells": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    half = file.with_suffix(".half")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(text, encoding="utf-8")
        os.replace(half, file)
    except OSError as problem:
        raise ArenaError(f"{file} cannot be written: {problem.strerror}") from None


def _digit(cell: Cell, record: GameRecord) -> str:
    if cell.kind != GAME:
        return "0"
    outcomes = [int(2 * outcome(cell, record, player)) for player in range(min(len(cell.players), 2))]
    return str(outcomes[0] if len(outcomes) == 1 else 3 * outcomes[0] + outcomes[1])


def _digest(record: GameRecord) -> str:
    return hashlib.sha256(" ".join(map(str, record.moves)).encode()).hexdigest()[:12]


def _short(value: float) -> float:
    return float(f"{value:.6g}")


# --- reading ---------------------------------------------------------------------------------------------------------


def read_compact(file: Path, schedule: Schedule) -> Compact:
    """What a results file says; its games come back as records that know how they ended, and not how they went."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise ArenaError(f"{file} has the format {found['format']!r}; this version of icarus reads {FORMAT}")
        records = [
            record
            for name, held in found["cells"].items()
            if any(cell.name == name for cell in schedule.cells)
            for record in _records(schedule.cell(name), held)
        ]
        return Compact(
            experiment=str(found["experiment"]),
            seed=int(found["seed"]),
            budget=float(found["budget"]),
            looks=int(found["looks"]),
            engine=str(found["engine"]),
            records=records,
            first={str(name): str(digest) for name, digest in found["first"].items()},
        )
    except OSError as problem:
        raise ArenaError(f"{file} cannot be read: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise ArenaError(f"{file} is no results file of an experiment") from None


def _records(cell: Cell, held: dict[str, Any]) -> Iterable[GameRecord]:
    numbers = [number for number, digit in enumerate(held["games"]) if digit != MISSING]
    for place, number in enumerate(numbers):
        seating = cell.seating(number)
        nothing = (0.0,) * len(seating)
        searched = {
            value: tuple(held[value][place] / fraction if seat == seating.index(0) else 0.0 for seat in range(len(seating)))
            for value, fraction in SEARCHED.items()
            if value in held
        }
        values = tuple((name, float(found[place])) for name, found in held.get("values", {}).items())
        yield GameRecord(
            cell=cell.name,
            number=number,
            game=cell.game,
            seed=0,
            seats=tuple(cell.players[i] for i in seating),
            seating=seating,
            moves=(),
            rewards=nothing if cell.kind != GAME else rewards_of(cell, seating, int(held["games"][number])),
            decisions=(0,) * len(seating),
            iterations=(0,) * len(seating),
            seconds=nothing,
            share=searched.get("share", nothing),
            depth=searched.get("depth", nothing),
            elapsed=float(held.get("seconds", 0.0)) / len(numbers),  # their mean: the sum is what counts
            values=values,
        )


def rewards_of(cell: Cell, seating: tuple[int, ...], digit: int) -> tuple[float, ...]:
    """Rewards by seat that count as these outcomes (match.outcome)."""
    if len(cell.players) == 1:
        return tuple(digit / 2 for _ in seating)
    first, second = divmod(digit, 3)
    if first == second == 1:
        return tuple(0.5 for _ in seating)
    if first == second == 2:  # equal first: one seat of each; somebody else is below them
        best = {seating.index(0), seating.index(1)}
        return tuple(1.0 if seat in best else 0.0 for seat in range(len(seating)))
    return tuple(float((player == 0) == (first > second)) for player in seating)


# --- another engine --------------------------------------------------------------------------------------------------


def same_players(compact: Compact, schedule: Schedule, cells: Iterable[str]) -> bool:
    """Do this version's players play the first game of each of these cells as those of the file did, move by move?"""
    return all(name in compact.first and _digest(play_task(schedule, name, 0)) == compact.first[name] for name in cells)
