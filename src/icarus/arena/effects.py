"""What each enhancement adds, over all combinations of Table 1: the analysis of variance of section 8 of icarus-2014."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from icarus.arena.experiment import Results
from icarus.arena.statistics import LEVEL, Effect, anova

FACTORS = {"N": "NAST", "R": "RAVE", "M": "MAST", "L": "LGRF"}
ALL_ROWS = "all"


def effects_of(results: Results, rows: list[str] | None = None, level: float = LEVEL) -> list[Effect]:
    """Main effects over these rows (default: all that were played), in the order of Table 1; rows are the blocks."""
    cells = {
        (row, frozenset(label) & set(FACTORS)): results.tally(row, label)
        for row in (results.rows() if rows is None else rows)
        for label in results.experiment.labels
    }
    found = {effect.factor: effect for effect in anova(cells, results.experiment.draws, level)}
    return [found[letter] for letter in FACTORS if letter in found]


def has_factors(results: Results) -> bool:
    """The columns of the figure are combinations of enhancements, named by their letters."""
    labels = [label for label in results.experiment.labels if label != "-"]
    return all(set(label) <= set(FACTORS) for label in labels) and any(len(label) > 1 for label in labels)


def analysis(results: Results) -> list[dict[str, Any]]:
    """The table of the analysis, over all rows and for each; empty where the columns are no combinations."""
    if not has_factors(results):
        return []
    played = results.rows()
    parts = [(ALL_ROWS, played), *((row, [row]) for row in played if len(played) > 1)]
    return [
        {
            "row": name,
            "enhancement": FACTORS[effect.factor],
            "effect": effect.estimate,
            "low": effect.low,
            "high": effect.high,
            "F": effect.f,
            "p": effect.p,
        }
        for name, rows in parts
        for effect in effects_of(results, rows)
    ]


def write_analysis(results: Results, file: Path) -> None:
    """Write the table as CSV; nothing where there is none."""
    rows = analysis(results)
    if not rows:
        return
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(
            {key: f"{value:.5g}" if isinstance(value, float) else value for key, value in row.items()} for row in rows
        )
