"""``icarus tune``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from icarus.arena.commands import AsJson, Cluster, GameName, Jobs, Resume, Seed, _pointing
from icarus.terminal import compile_loop, complain, out
from icarus.tune.errors import TuneError

if TYPE_CHECKING:
    from icarus.tune.result import Step, Tuning

SPACE_HELP = "a template such as '{Baseline, RAVE(k={50,250})} >> {Uniform, MAST} x c={0.4,0.7,1}', or a TOML file"


def add_commands(app: typer.Typer) -> None:
    app.command()(tune)
    app.command()(discover)


def tune(
    game: GameName,
    budget: Annotated[str, typer.Option(help="time for everything (30m, 2h), or a number of games (2000games)")] = "30m",
    at: Annotated[str, typer.Option(help="budget of a decision: iterations (2000) or time (1s)")] = "2000",
    opponent: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="whom candidates play", show_default="the default")
    ] = None,
    space: Annotated[str | None, typer.Option(metavar="FILE", help=SPACE_HELP, show_default="all declared grids")] = None,
    method: Annotated[
        str | None, typer.Option(help="how the space is searched: ntbea, random or halving", show_default="ntbea")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="independent runs of the search", show_default="4")] = None,
    opening: Annotated[
        int | None, typer.Option(help="random moves at the start of each deal", show_default="some, if all games begin alike")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    folder: Annotated[
        Path | None, typer.Option(help="where games and report are kept", show_default="icarus-results/tune-GAME, levels-GAME")
    ] = None,
    resume: Resume = False,
    save: Annotated[bool, typer.Option("--save", help="make the winner the game's preset, if there is evidence")] = False,
    strength: Annotated[
        bool, typer.Option("--strength", help="instead calibrate a ladder of levels, from weak to --at's full strength")
    ] = False,
    levels: Annotated[int | None, typer.Option(help="with --strength: steps of the ladder", show_default="8")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the strategy that plays a game best, and confirm it with fresh games.  Ctrl-C keeps what is done."""
    from icarus.arena.schedule import game_named
    from icarus.preset import find
    from icarus.tune.report import report
    from icarus.tune.study import RUNS
    from icarus.tune.study import tune as search

    loaded = game_named(game)
    if strength:
        searching = {"--opponent": opponent, "--space": space, "--method": method, "--runs": runs, "--opening": opening}
        given = [name for name, value in searching.items() if value is not None]
        if given:
            raise TuneError(f"{given[0]} says how a space is searched; with --strength levels of one player are measured")
        place = folder or Path("icarus-results") / f"levels-{plain(game)}"
        calibrate(game, budget, at, 8 if levels is None else levels, seed, jobs, cluster, place, resume, save, as_json)
        return
    if levels is not None:
        raise TuneError(f"--levels {levels}: levels are measured with --strength")
    place = folder or Path("icarus-results") / f"tune-{plain(game)}"
    compile_loop()
    with _pointing():
        try:
            with live(f"tuning {game}") as show:
                found = search(
                    game, budget=budget, at=at, opponent=opponent, space=space, seed=seed, method=method or "ntbea",
                    runs=RUNS if runs is None else runs,
                    opening=opening, jobs=jobs, cluster=cluster, folder=place, resume=resume, progress=show,
                )  # fmt: skip
        except KeyboardInterrupt:
            complain(f"interrupted: all games are in {place}; the same command with --resume goes on")
            raise typer.Exit(130) from None
    page = place / "report.html"
    page.write_text(report(found), encoding="utf-8")
    saved = ""
    if save and found.evidence:
        before = find(loaded)
        saved = str(keep(loaded.name, found))
        after = find(loaded)
        if before is not None and before.levels and after is not None and not after.levels:
            complain(f"{game}: its levels were those of another player and are gone; --strength --save measures new ones")
    if as_json:
        print(json.dumps({**found.as_dict(), "report": str(page), "preset": saved or None}, indent=2))
        return
    print_tuning(found)
    if save:
        print(f"the preset is {saved}" if saved else "nothing was saved: without evidence the default stays")
    print(f"the report is {page}")


def calibrate(
    game: str,
    budget: str,
    at: str,
    levels: int,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    folder: Path,
    resume: bool,
    save: bool,
    as_json: bool,
) -> None:
    """``--strength``: a ladder of levels."""
    from icarus.arena.schedule import game_named
    from icarus.preset import Preset
    from icarus.preset import save as write
    from icarus.tune.ladder import make_ladder, preset_levels

    compile_loop()
    try:
        with live(f"levels of {game}") as show:
            ladder = make_ladder(
                game, budget=budget, at=at, levels=levels, seed=seed, jobs=jobs, cluster=cluster, folder=folder, resume=resume,
                progress=show,
            )  # fmt: skip
    except KeyboardInterrupt:
        complain(f"interrupted: all games are in {folder}; the same command with --resume goes on")
        raise typer.Exit(130) from None
    loaded = game_named(game)
    file = write(loaded, Preset(loaded.name, levels=preset_levels(ladder), rules=rules_of(game))) if save else None
    if as_json:
        print(json.dumps({**ladder.as_dict(), "preset": None if file is None else str(file)}, indent=2))
        return
    title = f"{game}: {len(ladder.levels)} levels over {ladder.span:.0f} points of rating, {ladder.games:,} games"
    table = Table(title=title, title_justify="left")
    for column in ("level", "player", "rating", "against the one below", "misses a win in one", "loses a won ending"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for number, level in enumerate(ladder.levels, 1):
        score = (
            "" if level.score != level.score else f"{100 * level.score:.0f} % ({100 * level.low:.0f} – {100 * level.high:.0f})"
        )
        faults = [f"{100 * level.blunders[f]:.1f} %" if f in level.blunders else "–" for f in ("missed", "thrown_away")]
        table.add_row(str(number), str(level.player), f"{level.rating:.0f} ± {level.error:.0f}", score, *faults)
    out().print(table)
    print("every level beats the one below" if ladder.monotone else "the ladder is not monotone: give it more games")
    print(
        f"the preset is {file}"
        if file is not None
        else "--save keeps it: `icarus play GAME --level 3` and the browser then use it"
    )


def discover(
    train: Annotated[list[str], typer.Option(help="a game to search on (may be repeated)", show_default=False)],
    test: Annotated[list[str], typer.Option(help="a game for the frozen test (may be repeated)", show_default=False)],
    at: Annotated[str, typer.Option(help="budget of a decision: iterations (200) or time (1s)")] = "200",
    deals: Annotated[int, typer.Option(help="evaluations on the training games, of new and of published strategies each")] = 200,
    games: Annotated[int, typer.Option(help="games on each test game")] = 1000,
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    folder: Annotated[Path, typer.Option(help="where games and report are kept")] = Path("icarus-results/discover"),
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    """Look for a strategy that beats the best published one: evolution on training games, a frozen test on others."""
    from icarus.tune.discover import discover as search
    from icarus.tune.discovery import report

    compile_loop()
    try:
        with live("discovering") as show:
            found = search(
                train, test, at=at, deals=deals, games=games, seed=seed, jobs=jobs, cluster=cluster, folder=folder, resume=resume,
                progress=show,
            )  # fmt: skip
    except KeyboardInterrupt:
        complain(f"interrupted: all games are in {folder}; the same command with --resume goes on")
        raise typer.Exit(130) from None
    page = folder / "report.md"
    page.write_text(report(found), encoding="utf-8")
    if as_json:
        print(json.dumps({**found.as_dict(), "report": str(page)}, indent=2))
        return
    print(found.verdict)
    for result in [*found.results, *found.ablation]:
        interval = f"({100 * result.low:.1f} – {100 * result.high:.1f})"
        print(f"  {result.game}, {result.what}: {100 * result.score:.1f} % {interval}, p {result.adjusted:.2g} after Holm")
    print(f"the report is {page}")


def keep(name: str, found: Tuning) -> Path:
    """The winner as the game's preset."""
    from icarus.arena.schedule import game_named
    from icarus.preset import Preset, save

    winner = found.winner
    told = f"{100 * found.score:.0f} % ({100 * found.low:.0f} – {100 * found.high:.0f}) against the default "
    told += f"in {found.games:,} games at "
    told += str(winner.iterations) if winner.iterations is not None else f"{winner.seconds:g}s"
    preset = Preset(
        name,
        winner.named,
        winner.strategy,
        winner.final,
        winner.transpositions,
        winner.keep,
        told,
        rules=rules_of(found.game),
    )
    return save(game_named(found.game), preset)


def rules_of(place: str) -> str:
    """What the rules of a sheet are known by; nothing for other games."""
    from icarus.gdl.reader import read_text
    from icarus.gdl.sheets import find_sheet
    from icarus.preset import rules_digest

    if not place.startswith("gdl:") and not place.endswith(".kif"):
        return ""
    return rules_digest(read_text(find_sheet(place)))


def plain(name: str) -> str:
    """A name for a folder."""
    return re.sub(r"[^A-Za-z0-9]+", "-", Path(name).name).strip("-").lower() or "game"


def print_tuning(found: Tuning) -> None:
    table = Table(title=f"{found.game}, {found.total_games:,} games, seed {found.seed}", title_justify="left")
    for column in ("player", "from", "deals", "score", "iterations/s", ""):
        table.add_column(column, justify="left" if column in ("player", "from", "") else "right", overflow="fold")
    for entry in sorted(found.race, key=lambda e: (bool(e.out), -e.mean)):
        speed = f"{entry.speed:,.0f}" if entry.speed else "–"
        table.add_row(
            str(entry.player), entry.why, str(len(entry.scores)), f"{100 * entry.mean:.1f} %", speed, "out" if entry.out else ""
        )
    console = out()
    console.print(table)
    print(found.verdict)
    if found.needed is not None:
        print(f"about {found.needed:,} games would usually settle a difference as large as this")
    print(f"use: {found.recommended}")
    if left_out := [row["alternative"] for row in found.space.left_out]:
        print(f"left out, since the game cannot serve it (the report says why): {'; '.join(left_out)}")
    print(f"the same games again: {found.replay}")


@contextmanager
def live(title: str) -> Iterator[Callable[[Step], None]]:
    """A table that is drawn anew as games are finished, on a terminal.  No thread of its own, so that processes can be forked."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda step: None
        return
    with Live(console=console, auto_refresh=False, transient=True) as shown:

        def show(step: Step) -> None:
            table = Table(title=f"{title}: {step.phase} {100 * step.share:.0f} %, {step.games:,} games", title_justify="left")
            for column in ("player", "deals", "score", ""):
                table.add_column(column, justify="left" if column in ("player", "") else "right")
            for player, deals, score, note in step.table:
                table.add_row(player, str(deals), f"{100 * score:.1f} %", note)
            shown.update(table, refresh=True)

        yield show
