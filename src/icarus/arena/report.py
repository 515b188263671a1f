"""A report for people: one HTML file with everything in it, for a browser and for paper."""

from __future__ import annotations

import html
import math
import platform
import time
from pathlib import Path
from typing import Any

import icarus
from icarus.arena.effects import analysis
from icarus.arena.experiment import Results
from icarus.arena.figures import numbers
from icarus.arena.statement import HOLDS, OPEN, REFUTED, Verdict

STYLE = """
:root { color-scheme: light; --ink: #1d2530; --soft: #5b6673; --line: #d9dee5; --good: #1a7f4b; --bad: #b42318; --open: #8a6100; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; max-width: 60rem; margin: 2rem auto; }
body { padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .2rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
.soft { color: var(--soft); }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
.claim { border-left: 4px solid var(--line); padding: .3rem .8rem; margin: .7rem 0; break-inside: avoid; }
.claim.good { border-color: var(--good); } .claim.bad { border-color: var(--bad); } .claim.open { border-color: var(--open); }
.claim b { font-weight: 600; } .good > b { color: var(--good); } .bad > b { color: var(--bad); } .open > b { color: var(--open); }
ul { margin: .3rem 0; padding-left: 1.2rem; } li { font-size: .9rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
tr { break-inside: avoid; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } h2 { break-after: avoid; } }
"""
CLASSES = {HOLDS: "good", REFUTED: "bad", OPEN: "open"}


def write_report(results: Results, found: list[Verdict], file: Path, *, budget: float, seconds: float) -> None:
    """Write the report of an experiment; the figure must lie beside it as ``.svg``."""
    file.write_text(
        report(results, found, file.with_suffix(".svg").read_text(encoding="utf-8"), budget, seconds), encoding="utf-8"
    )


def report(results: Results, found: list[Verdict], figure: str, budget: float, seconds: float) -> str:
    experiment = results.experiment
    picture = figure[figure.index("<svg") :]
    setup = {
        "paper": experiment.paper,
        "games": f"{results.games:,} here, {experiment.games:,} per cell in the paper",
        "seed": results.schedule.seed,
        "budget": "the paper's"
        if budget == 1
        else f"{100 * budget:g} % of the paper's: claims about the full budget are not tested",
        "draws": "count half" if experiment.draws == "half" else "count as losses",
        "intervals": "95 %, Clopper–Pearson; those behind a verdict hold together",
        "made": f"{time.strftime('%Y-%m-%d')} with icarus {icarus.__version__}, Python {platform.python_version()}",
    }
    parts = [
        f"<h1>{_text(experiment.title)}</h1><p class=soft>{_text(experiment.name)} · {_text(experiment.paper)}</p>",
        f"<figure>{picture}</figure>",
        "<h2>Verdicts</h2>",
        *(_claim(verdict) for verdict in found),
        "" if found else "<p>The paper makes no claim about this figure that could be checked.</p>",
        "<h2>Set-up</h2><table>",
        *(f"<tr><td>{_text(name)}</td><td>{_text(value)}</td></tr>" for name, value in setup.items()),
        "</table>",
        f"<p>{_text(experiment.notes)}</p>" if experiment.notes else "",
        "<h2>Players</h2>",
        _table(_players(results)),
        *_variance(results),
        "<h2>Numbers</h2>",
        _table(numbers(results)),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{_text(experiment.name)}</title>'
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{"".join(parts)}</body></html>\n'


def remark(verdict: Verdict) -> str:
    """What else is to be said of a verdict, for people."""
    if verdict.budget != 1:
        return f" ({verdict.at_this_budget} at {100 * verdict.budget:g} % of the paper's budget)"
    if verdict.verdict == OPEN and verdict.needed:
        return f" (about {verdict.needed:,} more games per cell would decide)"
    return ""


def _claim(verdict: Verdict) -> str:
    lines = "".join(f"<li>{_text(s.text)} <span class=soft>({_text(s.verdict)})</span></li>" for s in verdict.statements)
    more = remark(verdict)
    kind = CLASSES[verdict.verdict]
    return (
        f'<div class="claim {kind}"><b>{_text(verdict.verdict)}</b>{more}<br>{_text(verdict.id)}: {_text(verdict.claim)}'
        f"<ul>{lines}</ul></div>"
    )


def _variance(results: Results) -> list[str]:
    rows = analysis(results)
    if not rows:
        return []
    shown = [{**row, "p": f"{row['p']:.2g}"} for row in rows]
    text = "What each enhancement adds to the score, whatever the others are: a linear model over single games, partial F tests."
    return ["<h2>Analysis of variance</h2>", f"<p>{text}</p>", _table(shown)]


def _players(results: Results) -> list[dict[str, Any]]:
    return [
        {"cell": cell.name, "game": cell.game, "players": " v ".join(cell.players), "played": len(results.records[cell.name])}
        for cell in results.schedule.cells
        if results.records[cell.name]
    ]


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "<p>none</p>"
    head = "".join(f"<th>{_text(name)}</th>" for name in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{_text(_number(value))}</td>" for value in row.values()) + "</tr>" for row in rows)
    return f"<div class=table><table><tr>{head}</tr>{body}</table></div>"


def _number(value: Any) -> str:
    if isinstance(value, float):
        if math.isnan(value):
            return "–"
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.0f}"
    return str(value)


def _text(value: object) -> str:
    return html.escape(str(value))
