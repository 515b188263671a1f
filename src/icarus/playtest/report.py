"""The page of a playtest: every figure with a sentence that says what it means and what is usual, and games to click through."""

from __future__ import annotations

import math
from typing import Any

from icarus.arena.match import replay
from icarus.arena.report import _table, _text
from icarus.arena.schedule import seatings
from icarus.drawing import draw
from icarus.errors import IcarusError
from icarus.game import ENVIRONMENT, Position
from icarus.playtest.charts import SHARES, curve, strip, usual, usually
from icarus.playtest.figures import Figure
from icarus.playtest.findings import findings, listed, percent, uneven
from icarus.playtest.result import WON, Playtest
from icarus.playtest.study import WANTED
from icarus.trust import OWN
from icarus.tune.report import page

FRAMES = 120  #: of a game that are drawn
STYLE = """<style>.figure { display: flex; gap: 1rem; justify-content: space-between; align-items: center; flex-wrap: wrap; }
.figure > div { flex: 1 1 24rem; } .figure svg { flex: none; } .usual th, .usual td { padding: .2rem .35rem; font-size: .8rem; }
.sample { max-width: 26rem; margin: 1rem 0; }</style>"""
COLUMNS = ("length", "branching", "draws", "first seat", "decisiveness", "drama", "lead changes", "skill steps", "luck")

SCRIPT = """
for (const game of document.querySelectorAll(".sample")) {
  const frames = [...game.querySelectorAll(".frame")], label = game.querySelector(".at");
  let at = 0;
  const show = (n) => { at = Math.min(Math.max(n, 0), frames.length - 1);
    frames.forEach((f, i) => { f.hidden = i !== at; }); label.textContent = `${at} of ${frames.length - 1}`; };
  game.querySelector(".back").onclick = () => show(at - 1);
  game.querySelector(".on").onclick = () => show(at + 1);
  show(0);
}
"""


def summary(found: Playtest) -> dict[str, float]:
    """The figures that games are compared by."""
    figures = found.portrait
    return {
        "length": round(figures.length.score, 1),
        "branching": round(figures.branching.score, 1),
        "draws": round(figures.draws.score, 3),
        "first seat": round(figures.seats[0].score, 3) if figures.seats else math.nan,
        "decisiveness": round(figures.decisiveness.score, 2),
        "drama": round(figures.drama.score, 2),
        "lead changes": round(figures.lead_changes.score, 2),
        "skill steps": found.steps,
        "luck": round(found.luck.score, 3),
        "repetitions": round(figures.repetitions.score, 3),
        "stalemates": round(figures.stalemates.score, 3),
    }


def report(found: Playtest) -> str:
    """The whole page."""
    figures = found.portrait
    parts = [
        STYLE,
        f"<h1>Playtest of {_text(found.game)}</h1>",
        f"<p class=soft>{found.total_games:,} games; {figures.games:,} of them between equal searches of {found.iterations:,} "
        f"iterations per decision, from which the figures come. Intervals are 95 %.</p>",
        "" if figures.games >= WANTED else f"<p>Fewer than {WANTED} games: take everything here as a first impression.</p>",
        _in_short(found),
        "<h2>The figures</h2><p>Grey strokes are the games that come with Icarus, measured in the same way; the black bar is the "
        "interval of this one.</p>",
        *(_line(name, figure, text) for name, figure, text in sentences(found)),
        "<h2>How wide the game is</h2><p>Legal moves by tenths of the game, with intervals.</p>",
        curve(figures.branching_by_part),
        "<h2>Balance of seats</h2>",
        _seats(found),
        "<h2>Skill</h2>",
        f"<p>{_skill(found)}</p>",
        _table([{"iterations": f"{n:,}", "against half of them": percent(f), "deals": f.count} for n, f in found.ladder]),
        "<h2>Moves</h2>",
        f"<p>Never played, although random players would hardly have left out any of them: {_text(_some(figures.never))}.</p>",
        f"<p>Always played when possible, although there were others: {_text(_some(figures.always))}.</p>",
        _restricted(found),
        "<h2>What is usual</h2><p>Measured in the same way on games that come with Icarus.</p><div class=usual>",
        _table(
            [
                _compared(f"{found.game} (this one)", {**summary(found), "games": figures.games}),
                *(_compared(game, row) for game, row in usual().items()),
            ]
        ),
        "</div><h2>Games to look at</h2><p>One of middle length, and the longest.</p>",
        *(_sample(record) for record in found.samples),
        f"<script>{SCRIPT}</script>",
    ]
    return page(f"Playtest of {found.game}", parts)


def _compared(game: str, row: dict[str, float]) -> dict[str, str]:
    """A row of the table of games; as many digits as say something."""
    known = {name: row.get(name, math.nan) for name in (*COLUMNS, "games")}
    return {"game": game, **{name: "–" if math.isnan(value) else f"{value:,.4g}" for name, value in known.items()}}


def sentences(found: Playtest) -> list[tuple[str, Figure | None, str]]:
    """Name, figure and meaning, for the page and for people who read the terminal."""
    figures = found.portrait
    lines: list[tuple[str, Figure | None, str]] = [
        ("length", figures.length, f"decisions of a game, from {figures.shortest} to {figures.longest}."),
        ("branching", figures.branching, "legal moves at a decision: below 3 there is little to choose, above 50 much to learn."),
    ]
    if figures.seats:
        lines += [
            ("draws", figures.draws, "share of games without a winner."),
            ("decisiveness", figures.decisiveness,
             "share of the game after which the winner was known: near 0 the rest is a formality, near 100 % the end decides."),
            ("drama", figures.drama, "how far behind the winner was at worst: 0 never, 100 % without hope."),
            ("lead changes", figures.lead_changes, "how often the favourite changed in a game."),
            ("luck", figures_luck(found),
             "share of deals that one seat won in all seatings, whoever sat there: high if deals or seats decide; chance alone "
             f"would make it {100 * _by_chance(found):.0f} %."),
        ]  # fmt: skip
    lines += [
        ("repetitions", figures.repetitions, "share of games in which a position came back: where it is high, games can loop."),
    ]
    if figures.seats:
        lines.append(
            (
                "stalemates",
                figures.stalemates,
                "share of games in which for two rounds nobody had more than one move to choose from.",
            )
        )
    if found.proven:
        lines.append(("proven", None, f"with perfect play the player who moves first has a {found.proven}; this is exact."))
    return lines


def figures_luck(found: Playtest) -> Figure | None:
    return found.luck if found.luck.count else None


def _line(name: str, figure: Figure | None, text: str) -> str:
    """A figure with its meaning on the left, and where it stands among other games on the right."""
    if figure is not None and math.isnan(figure.score):
        return ""
    number = f"<b>{_text(shown(name, figure))}</b>" if figure is not None else ""
    drawn = "" if figure is None else strip(name, figure)
    return (
        f'<div class="claim figure"><div><b>{_text(name)}</b> {number}<br>{_text(text)} '
        f"<span class=soft>{_text(usually(name))}</span></div>{drawn}</div>"
    )


def shown(name: str, figure: Figure) -> str:
    return percent(figure) if name in SHARES else str(figure)


def _in_short(found: Playtest) -> str:
    told = findings(found)
    if not told:
        return '<div class="claim good"><b>In short</b><br>Nothing stands out in these games.</div>'
    return f'<div class="claim open"><b>In short</b><ul>{"".join(f"<li>{_text(line)}</li>" for line in told)}</ul></div>'


def _by_chance(found: Playtest) -> float:
    """How often the same one of even seats wins a deal in all of its seatings, by chance."""
    seats = len(found.portrait.seats)
    return float(seats ** (1 - len(seatings(2, seats))))


def _seats(found: Playtest) -> str:
    seats = found.portrait.seats
    if not seats:
        return "<p>A game for one.</p>"
    even = 1 / len(seats)
    rows = [{"seat": role, "share of wins": percent(s)} for role, s in zip(found.roles, seats, strict=True)]
    named = [role for role, _ in uneven(found)]
    said = f"More or less than an even share: {_text(' and '.join(named))}." if named else (
        "No seat has an advantage that these games show.")  # fmt: skip
    return f"<p>{said} An even share is {100 * even:.0f} %.</p>{_table(rows)}"


def _skill(found: Playtest) -> str:
    if not found.ladder:
        return "A game for one: no ladder."
    least, most = found.steps_range
    text = f"{found.steps} of {len(found.ladder)} doublings of thinking time score at least {100 * WON:.0f} % "
    text += f"(by the intervals: {least} surely, {most} perhaps). "
    text += f"The quickest search scores {percent(found.beats_random)} against random moves. "
    return text + "Many steps: a game that rewards thinking; none: luck, or a game that is soon understood."


def _restricted(found: Playtest) -> str:
    if not found.restricted:
        return ""
    rows = [{"never": label, "score": percent(f), "deals": f.count} for label, f in found.restricted]
    text = (
        "A player who never plays a move (one of the favourites, or what --never names), against one who may: the further below "
        "50 %, the more it is worth."
    )
    return f"<p>{text}</p>{_table(rows)}"


def _some(labels: list[str], most: int = 30) -> str:
    return listed(labels, most) if labels else "none"


def _sample(record: Any) -> str:
    """A game as drawings, one per move."""
    frames: list[str] = []

    def look(position: Position, action: int) -> None:
        if len(frames) < FRAMES:
            who = "chance" if position.player == ENVIRONMENT else position.game.player_labels[position.player]
            frames.append(
                f"<div class=frame hidden>{_picture(position)}<p>{_text(who)}: {_text(position.format_action(action))}</p></div>"
            )

    end = replay(record, look, trust=OWN)
    frames.append(
        f"<div class=frame hidden>{_picture(end)}<p>the end: {_text(', '.join(f'{r:g}' for r in record.rewards))}</p></div>"
    )
    buttons = "<button class=back type=button>back</button> <button class=on type=button>on</button> <span class=at></span>"
    return f"<div class=sample><p>{buttons}</p>{''.join(frames)}</div>"


def _picture(position: Position) -> str:
    try:
        return draw(position)
    except IcarusError:
        return f"<pre>{_text(position.render())}</pre>"
