"""The report of a tuning: one HTML file with everything in it."""

from __future__ import annotations

import platform
import time
from typing import Any

import icarus
from icarus.arena.report import STYLE, _table, _text
from icarus.tune.result import Tuning


def report(found: Tuning) -> str:
    """The whole page."""
    kind = "good" if found.evidence else "open"
    name = f"Tuning of {found.game}"
    setup = {
        "default": found.default,
        "opponent of the candidates": found.opponent,
        "space": found.space.text,
        "players in it": f"{found.space.size:,}",
        "games": f"{found.total_games:,}, of which {found.games:,} confirm",
        "seed": found.seed,
        "intervals": "95 %; a deal in all seatings is one observation; the race's hold at any time",
        "made": f"{time.strftime('%Y-%m-%d')} with icarus {icarus.__version__}, Python {platform.python_version()}",
    }
    left_out = found.space.left_out
    settle = ""
    if found.needed is not None:
        settle = f"<p>About {found.needed:,} games would usually settle a difference as large as this one.</p>"
    parts = [
        f"<h1>{_text(name)}</h1>",
        f'<div class="claim {kind}"><b>{"evidence" if found.evidence else "no evidence"}</b><br>{_text(found.verdict)}</div>',
        f"<p>To be used as:</p><pre>{_text(found.recommended)}</pre>",
        settle,
        "<h2>Confirmation</h2>",
        _bar(found.score, found.low, found.high),
        f"<p>The same games again:</p><pre>{_text(found.replay)}</pre>",
        "<h2>Race</h2>",
        "<p>All play the same deals. Speed is iterations per second; at a budget of time a slow player has paid for it.</p>",
        _table(_race(found)),
        "<h2>What each choice adds</h2>",
        "<p>A linear model over the deals of the search: points of score (of 100) beside the alternative that was tried most. "
        "The search prefers what looks good, so that these are hints, not tests.</p>",
        _table(_effects(found)),
        f"<h2>Left out</h2><p>What this game cannot serve:</p><div class=words>{_table(left_out)}</div>" if left_out else "",
        "<h2>Set-up</h2><table>",
        *(f"<tr><td>{_text(key)}</td><td>{_text(value)}</td></tr>" for key, value in setup.items()),
        "</table>",
    ]
    return page(name, parts)


def page(title: str, parts: list[str]) -> str:
    """A page of its own, in the arena's style."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{_text(title)}</title>'
    style = f"<style>{STYLE} pre {{ background: #f4f6f8; padding: .6rem; overflow-x: auto; white-space: pre-wrap; }} "
    # players are long: they wrap, so that the columns behind them are seen
    style += (
        "th { white-space: normal; vertical-align: bottom; } .words th, .words td { text-align: left; white-space: normal; } "
    )
    style += (
        "td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; } td { vertical-align: top; }</style>"
    )
    return f'<!doctype html><html lang="en"><head>{head}{style}</head><body>{"".join(parts)}</body></html>\n'


def _race(found: Tuning) -> list[dict[str, Any]]:
    ranked = sorted(found.race, key=lambda e: (bool(e.out), -e.mean))
    reference = next((e.speed for e in found.race if e.why == "default" and e.speed), 0.0)
    return [
        {
            "player": str(e.player),
            "from": e.why,
            "deals": len(e.scores),
            "score": f"{100 * e.mean:.1f} %" if e.scores else "–",
            "interval": "" if e.known or not e.scores else f"{100 * e.low:.0f} – {100 * e.high:.0f}",
            "iterations/s": f"{e.speed:,.0f}" if e.speed else "–",
            "beside the default": f"{e.speed / reference:.2f}" if reference and e.speed else "–",
            "out": e.out,
        }
        for e in ranked
    ]


def _effects(found: Tuning) -> list[dict[str, Any]]:
    """One row per alternative; the one that the others are beside comes first, and a name stands once."""
    rows, last = [], ""
    for effect in found.effects:
        compared = not effect["effect"] == effect["low"] == effect["high"] == 0
        rows.append(
            {
                "choice": "" if effect["dimension"] == last else effect["dimension"],
                "alternative": effect["value"],
                "deals": effect["deals"],
                "points": f"{100 * effect['effect']:+.0f}" if compared else "·",
                "95 % interval": f"{100 * effect['low']:+.0f} to {100 * effect['high']:+.0f}" if compared else "",
            }
        )
        last = effect["dimension"]
    return rows


def _bar(score: float, low: float, high: float) -> str:
    """A score with its interval beside parity, drawn."""
    x, a, b = (20 + 360 * value for value in (score, low, high))
    return (
        '<figure><svg viewBox="0 0 400 46" width="400" role="img" aria-label="score and interval">'
        '<line x1="20" y1="24" x2="380" y2="24" stroke="#d9dee5" stroke-width="2"/>'
        '<line x1="200" y1="8" x2="200" y2="40" stroke="#5b6673" stroke-dasharray="3 3"/>'
        f'<line x1="{a:.1f}" y1="24" x2="{b:.1f}" y2="24" stroke="#1d2530" stroke-width="6" stroke-linecap="round"/>'
        f'<circle cx="{x:.1f}" cy="24" r="6" fill="#1a7f4b"/>'
        f'<text x="20" y="44" font-size="10">0</text><text x="374" y="44" font-size="10">1</text></svg>'
        f"<figcaption>{100 * score:.1f} % ({100 * low:.1f} – {100 * high:.1f}); the dashed line is parity</figcaption></figure>"
    )
