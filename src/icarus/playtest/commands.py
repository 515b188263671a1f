"""``icarus playtest``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from icarus.arena.commands import AsJson, GameName, Jobs, Seed
from icarus.arena.store import FILE
from icarus.terminal import compile_loop, complain, out, progress_bar


def add_commands(app: typer.Typer) -> None:
    app.command()(playtest)


def playtest(
    game: GameName,
    time: Annotated[str, typer.Option("--time", help="time for everything (10m, 90s), or a number of games (200games)")] = "10m",
    output: Annotated[
        Path | None, typer.Option(help="where the page goes", show_default="icarus-results/playtest-GAME.html")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="where games are kept for --resume", show_default="icarus-results/playtest-GAME")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the games of a playtest that was ended")] = False,
    never: Annotated[
        list[str] | None,
        typer.Option(metavar="MOVE", help="what is this move worth? (may be repeated)", show_default="the three favourites"),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Is a game any good?  Plays it with itself: length, balance, drama, skill, moves nobody plays; one page for its designer."""
    from icarus.arena.schedule import game_named
    from icarus.playtest.findings import findings, percent
    from icarus.playtest.report import report, sentences, shown
    from icarus.playtest.study import playtest as test
    from icarus.tune.commands import plain

    game_named(game)
    place = folder or Path("icarus-results") / f"playtest-{plain(game)}"
    if folder is None and not resume:  # a game that is being designed is tested again and again
        forget(place)
    compile_loop()
    try:
        with progress_bar(f"playtesting {game}") as show:
            found = test(
                game, time_limit=time, seed=seed, jobs=jobs, never=never or (), folder=place, resume=resume, progress=show
            )
    except KeyboardInterrupt:
        complain(f"interrupted: all games are in {place}; the same command with --resume goes on")
        raise typer.Exit(130) from None
    page = output or Path("icarus-results") / f"playtest-{plain(game)}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(report(found), encoding="utf-8")
    if as_json:
        print(json.dumps({**clean(found.as_dict()), "findings": findings(found), "report": str(page)}, indent=2))
        return
    table = Table(title=f"{game}, {found.total_games:,} games, seed {seed}", title_justify="left", show_lines=True)
    for column in ("figure", "95 % interval", "what it means"):
        table.add_column(column)
    for name, figure, text in sentences(found):
        if figure is None or not math.isnan(figure.score):
            table.add_row(name, "" if figure is None else shown(name, figure), text)
    for role, seat in zip(found.roles, found.portrait.seats, strict=bool(found.portrait.seats)):
        table.add_row(escape(role), percent(seat), f"share of wins; even is {100 / len(found.portrait.seats):.0f} %")
    for label, score in found.restricted:
        table.add_row(
            f"never {escape(label)}", percent(score), "score of a player who never plays it: below 50 % as far as it is worth"
        )
    if found.ladder:
        least, most = found.steps_range
        told = f"of {len(found.ladder)} doublings of thinking time, those that score 60 %; surely, and perhaps"
        table.add_row("skill", f"{found.steps} ({least} – {most})", told)
    out().print(table)
    for line in findings(found) or ["Nothing stands out in these games."]:
        print(f"- {line}")
    print(f"the page is {page}")


def forget(folder: Path) -> None:
    """Remove the games of the playtest before, which are of no use beside the page that they made."""
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE}{suffix}").unlink(missing_ok=True)


def clean(value: Any) -> Any:
    """The same without NaN, which JSON does not know."""
    if isinstance(value, dict):
        return {key: clean(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [clean(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
