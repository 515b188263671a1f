"""The arena on the command line: ``match``, ``tournament``, ``replay``, ``reproduce`` and ``demo``."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from icarus.arena.errors import ArenaError, PlayerError
from icarus.errors import MissingPackage
from icarus.options import Allow, seconds_of
from icarus.terminal import compile_loop, compiling, complain, out
from icarus.trust import Trust, allowing

if TYPE_CHECKING:
    from icarus.arena.experiment import Results
    from icarus.arena.runner import Run
    from icarus.arena.schedule import Schedule
    from icarus.arena.statement import Verdict
    from icarus.arena.tournament import MatchResult

GameName = Annotated[str, typer.Argument(metavar="GAME", show_default=False, help="such as othello or 'phantom(4,4,4)'")]
Players = Annotated[
    list[str], typer.Argument(metavar="PLAYER...", show_default=False, help="such as 'mo[NRML]@5000', 'uct@1s' or random")
]
Games = Annotated[int, typer.Option(help="games to play")]
Seed = Annotated[int, typer.Option(help="the same seed gives the same games, on any number of processes")]
Seats = Annotated[str, typer.Option(help="rotate, all, one (the first player against the rest), or players by seat: 0,1,1")]
Draws = Annotated[str, typer.Option(help="a draw counts half a win (half) or as a loss (loss)")]
Jobs = Annotated[int | None, typer.Option(help="processes", show_default="one per processor")]
Folder = Annotated[Path | None, typer.Option("--store", help="keep all games in this folder", show_default=False)]
Resume = Annotated[bool, typer.Option("--resume", help="continue in a folder that already holds games")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Cluster = Annotated[str | None, typer.Option(help="play on this Ray cluster (auto: the local one)", show_default=False)]

BAR = 20  #: characters of the progress bar
DEMO = "first-look"  #: the experiment of the demo
EVERYTHING = "all"  #: in place of an experiment


def add_commands(app: typer.Typer) -> None:
    """Add the arena's commands to the main command."""
    for command in (match, tournament, replay, reproduce, demo):
        app.command()(command)


def match(
    game: GameName,
    players: Players,
    games: Games = 100,
    seed: Seed = 0,
    seats: Seats = "rotate",
    draws: Draws = "half",
    margin: Annotated[
        float | None, typer.Option(help="stop when settled: better, worse, or equal within this (0.03: three points)")
    ] = None,
    opening: Annotated[int, typer.Option(help="random moves at the start of each deal, the same for all seatings")] = 0,
    jobs: Jobs = None,
    store: Folder = None,
    resume: Resume = False,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Let players play a game against each other.  Ctrl-C keeps what is done."""
    from icarus.arena.schedule import read_seats
    from icarus.arena.tournament import match as play

    _check_draws(draws)
    _compile(players)
    with _pointing(), _progress(game) as show:
        result = play(
            game, players, games, seed=seed, seats=read_seats(seats), draws=draws, margin=margin, opening=opening, jobs=jobs,
            folder=store, resume=resume, progress=show, cluster=cluster,
        )  # fmt: skip
    _print_result(result, as_json)


def tournament(
    game: GameName,
    players: Players,
    games: Annotated[int, typer.Option(help="games of each pair")] = 100,
    seed: Seed = 0,
    seats: Seats = "rotate",
    draws: Draws = "half",
    jobs: Jobs = None,
    store: Folder = None,
    resume: Resume = False,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Let everybody play against everybody else, and rate them."""
    from icarus.arena.schedule import read_seats
    from icarus.arena.tournament import tournament as play

    _check_draws(draws)
    _compile(players)
    with _pointing(), _progress(game) as show:
        result = play(
            game, players, games, seed=seed, seats=read_seats(seats), draws=draws, jobs=jobs, folder=store, resume=resume,
            progress=show, cluster=cluster,
        )  # fmt: skip
    _print_result(result, as_json, pairs=True)


def replay(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", show_default=False, help="a store of games")],
    number: Annotated[int | None, typer.Option("--game", help="show this game move by move", show_default=False)] = None,
    cell: Annotated[str | None, typer.Option(help="of this pairing", show_default="the first")] = None,
    export: Annotated[Path | None, typer.Option(help="write all games to a .csv or .parquet file", show_default=False)] = None,
    rescue: Annotated[Path | None, typer.Option(help="save what can be read of a damaged store", show_default=False)] = None,
    allow: Allow = None,
    as_json: AsJson = False,
) -> None:
    """Replay stored games and check every move, all dice and the results; or show one, export them, rescue them."""
    from icarus.arena.match import replay as play_again
    from icarus.arena.store import Store
    from icarus.arena.store import rescue as save

    trust = allowing(allow)
    if rescue is not None:
        saved = save(folder, rescue)
        print(json.dumps({"saved": saved, "folder": str(rescue)}) if as_json else f"{saved} games saved in {rescue}")
        return
    with Store.read(folder) as store:
        if export is not None:
            written = store.export(export)
            print(json.dumps({"games": written, "file": str(export)}) if as_json else f"{written} games written to {export}")
            return
        if number is not None:
            _show_game(store.records(cell), number, trust)
            return
        checked, measured = 0, 0
        for record in store.records(cell):
            if record.moves:
                play_again(record, trust=trust)
                checked += 1
            else:
                measured += 1
    if as_json:
        print(json.dumps({"games": checked, "measurements": measured, "faults": 0}))
    else:
        print(f"{checked} games replayed: all moves legal, all dice and results right")


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", show_default=False, help="such as icarus-fig4; all: whatever decides a claim soonest"),
    ] = None,
    show_list: Annotated[bool, typer.Option("--list", help="list all experiments")] = False,
    scale: Annotated[float, typer.Option(help="share of the paper's games to play")] = 1.0,
    budget: Annotated[float, typer.Option(help="share of the paper's iterations or seconds; 1 to test its claims")] = 1.0,
    row: Annotated[
        list[str] | None, typer.Option(help="only this game of the figure (may be repeated)", show_default="all")
    ] = None,
    claims: Annotated[str, typer.Option(help="only the games that these claims need, such as I4,I5", show_default="all")] = "",
    sequential: Annotated[
        bool, typer.Option("--sequential", help="look at the verdicts on the way and stop what is decided")
    ] = False,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="the simulations that the paper's players did, instead of its clock")
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option(help="a small results file to continue and keep up to date; of all: a folder", show_default="none"),
    ] = None,
    time: Annotated[
        str | None, typer.Option(help="of all: begin nothing after this long: 90s, 30m, 8h", show_default="no end")
    ] = None,
    nice: Annotated[bool, typer.Option("--nice", help="with the lowest priority, beside other work")] = False,
    show_verdicts: Annotated[bool, typer.Option("--verdicts", help="the verdicts on all claims so far, in a table")] = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    output: Annotated[Path | None, typer.Option(help="folder", show_default="icarus-results/NAME")] = None,
    resume: Resume = False,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play an experiment of the papers and judge its claims.  Ctrl-C keeps what is done, --resume continues."""
    from icarus.arena.experiment import names, read_experiment

    if show_list:
        _list_experiments([read_experiment(known) for known in names()], as_json)
        return
    if show_verdicts:
        _show_verdicts(as_json)
        return
    if name is None:
        raise ArenaError("name an experiment, such as icarus-fig4; --list shows them")
    if nice:
        os.nice(19)
    if name == EVERYTHING:
        if row or scale != 1 or seed or resume or cluster:
            raise ArenaError("reproduce all: --row, --scale, --seed, --resume and --cluster belong to one experiment")
        _compile(["mo@1"])
        _campaign(claims, results, output, time, budget, jobs, as_json)
        return
    if time is not None:
        raise ArenaError(f"--time belongs to `icarus reproduce {EVERYTHING}`; --scale plays a share of the games")
    from icarus.arena.effects import analysis
    from icarus.arena.reproduce import duration
    from icarus.arena.reproduce import reproduce as play

    def say(schedule: Schedule, seconds: float) -> None:
        cells = sum(1 for cell in schedule.cells if cell.games)
        print(f"{name}: {schedule.games:,} games in {cells} cells, about {duration(seconds)}", file=sys.stderr, flush=True)

    read_experiment(name)
    _compile(["mo@1"])
    with _pointing(), _progress(name) as show:
        found = play(
            name, scale=scale, budget=budget, seed=seed, rows=row or (), claims=claims.replace(",", " ").split(),
            sequential=sequential, as_published=as_published, results_file=results, jobs=jobs, folder=output, resume=resume,
            progress=show, before=say, say=complain, cluster=cluster,
        )  # fmt: skip
    if as_json:
        about = {"name": name, "games": found.results.games, "folder": str(found.folder)}
        judged = {"verdicts": [verdict.as_dict() for verdict in found.verdicts]}
        print(json.dumps({**about, **judged, "anova": analysis(found.results)}, indent=2))
        return
    for verdict in found.verdicts:
        _print_verdict(verdict)
    if found.run.ended == "interrupted":
        print("interrupted: everything played so far is stored, --resume continues", file=sys.stderr)
    print(f"{found.folder / name}.html has the figure, the numbers and the verdicts")


def _campaign(
    claims: str, results: Path | None, output: Path | None, time: str | None, budget: float, jobs: int | None, as_json: bool
) -> None:
    """All experiments at once; a line per step, and what is open at the end."""
    from icarus.arena.campaign import campaign, open_steps
    from icarus.arena.reproduce import duration

    games = output or Path("icarus-results")
    folder = results or games / "results"
    if folder.is_file():
        raise ArenaError(f"--results {folder}: a file; `icarus reproduce {EVERYTHING}` keeps a file per experiment in a folder")
    wanted = claims.replace(",", " ").split()
    with _progress(EVERYTHING) as show:
        for step, verdict in campaign(
            folder, wanted, games=games, seconds=None if time is None else seconds_of(time), budget=budget, jobs=jobs,
            progress=show, say=complain,
        ):  # fmt: skip
            complain(f"{step.experiment}, {step.claim} {verdict.at_this_budget}; {step.told(verdict)}")
    left = sorted(open_steps(folder, wanted, budget), key=lambda step: step.seconds)
    if as_json:
        print(json.dumps({"folder": str(folder), "open": [asdict(step) for step in left]}, indent=2))
        return
    table = Table("claim", "experiment", "what goes on next", "about", title="What more games can decide")
    for step in left:
        table.add_row(step.claim, step.experiment, step.comparison, duration(step.seconds) if step.seconds < math.inf else "")
    out().print(table if left else "nothing is open that more games can decide")
    print(f"{folder} has the results")


def _show_verdicts(as_json: bool) -> None:
    from icarus.arena.statement import HOLDS, OPEN, REFUTED
    from icarus.arena.verdicts import all_claims

    found = all_claims()
    if as_json:
        print(json.dumps([claim.as_dict() for claim in found], indent=2, ensure_ascii=False))
        return
    table = Table("claim", "verdict", "games", "effect", "95 % interval", "cost", "what it says", title="The papers' claims")
    for claim in found:
        table.add_row(*claim.cells, claim.text)
    out().print(table)
    counts = ", ".join(f"{sum(claim.verdict == kind for claim in found)} {kind}" for kind in (HOLDS, REFUTED, OPEN))
    out().print(f"{len(found)} claims: {counts}")


def demo(
    picture: Annotated[Path, typer.Option(help="where the figure goes (.png, .svg or .pdf)")] = Path("icarus-demo.png"),
    games: Annotated[int | None, typer.Option(help="games for each bar of the figure", show_default="about two minutes")] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Play a small experiment: which enhancements help in a card game and in a board game?  Ends with a table and a figure."""
    from icarus.arena.claims import verdicts
    from icarus.arena.experiment import Results, read_experiment
    from icarus.arena.figures import check_file, draw, numbers
    from icarus.arena.runner import run, warm

    experiment = read_experiment(DEMO)
    if games is not None and games < 1:
        raise ArenaError(f"--games {games}: at least one game must be played")
    check_file(picture)
    schedule = experiment.schedule(1.0 if games is None else games / experiment.games, seed=seed)
    compile_loop()
    with compiling("games and strategies (once)"):
        warm(schedule)
    with _progress(DEMO) as show:
        state = run(schedule, jobs=jobs, progress=show)
    if not state.records:
        raise ArenaError("interrupted before the first game was finished; nothing can be shown")
    results = Results(experiment, schedule, state.records)
    found = verdicts(results)
    problem = ""
    try:
        draw(results, picture)
    except (ArenaError, MissingPackage) as error:  # the table does not need matplotlib
        problem = str(error)
    if as_json:
        rows = [{k: v if v == v else None for k, v in row.items()} for row in numbers(results)]
        judged = [verdict.as_dict() for verdict in found]
        print(
            json.dumps(
                {
                    "name": DEMO,
                    "seed": seed,
                    "games": results.games,
                    "picture": None if problem else str(picture),
                    "numbers": rows,
                    "verdicts": judged,
                },
                indent=2,
            )
        )
    else:
        out().print(_table_of(results))
        for verdict in found:
            _print_verdict(verdict)
    if state.ended == "interrupted":
        complain("interrupted: this is what was played until then")
    if problem:
        complain(problem)
    elif not as_json:
        print(f"the figure is {picture}")


# --- what people see -------------------------------------------------------------------------------------------------


def _compile(players: list[str]) -> None:
    """Say so if the search loop has to be compiled first; the clock's thread ends before processes are forked."""
    from icarus.arena.players import RANDOM, read_player
    from icarus.search import warm_up

    with _pointing():
        read = [read_player(player) for player in players]
    if any(player.algorithm != RANDOM for player in read):
        with compiling("the search loop (once)"):
            warm_up()


def _check_draws(draws: str) -> None:
    if draws not in ("half", "loss"):
        raise ArenaError(f"--draws {draws}: choose half or loss")


@contextmanager
def _pointing() -> Iterator[None]:
    """An error in a player is shown with the place, on its own lines."""
    try:
        yield
    except PlayerError as problem:
        if problem.at is None:
            raise
        print(f"icarus: {problem}", file=sys.stderr)
        raise typer.Exit(2) from None


@contextmanager
def _progress(title: str) -> Iterator[Callable[[Run], None]]:
    """A bar on a terminal, with games, time left and running result.  No thread of its own, so that processes can be forked."""
    from icarus.arena.reproduce import duration
    from icarus.arena.tournament import tally_of

    console = Console(stderr=True, highlight=False)

    def show(state: Run) -> None:
        if not console.is_terminal:
            return
        left = state.seconds_left
        share = len(state.records) / max(state.schedule.games, 1)
        bar = "━" * round(BAR * share) + "╌" * (BAR - round(BAR * share))
        text = f"{title} {bar} {len(state.records):,} of {state.schedule.games:,} games"
        text += f", {duration(left)} left" if left is not None else ""
        if len(state.schedule.cells) == 1:
            cell = state.schedule.cells[0]
            text += "; " + ", ".join(
                f"{n} {100 * tally_of(cell, state.records, i).rate():.1f} %" for i, n in enumerate(cell.players)
            )
        console.file.write("\r\x1b[K" + text[: console.width - 1])
        console.file.flush()

    try:
        yield show
    finally:
        if console.is_terminal:
            console.file.write("\r\x1b[K")
            console.file.flush()


def _print_result(result: MatchResult, as_json: bool, pairs: bool = False) -> None:
    if as_json:
        print(json.dumps(result.as_dict(), indent=2))
        return
    table = Table(title=result.title, title_justify="left")
    found = {rating.name: rating for rating in _ratings(result)} if pairs else {}
    for column in [*result.columns, *(["rating"] if found else [])]:
        table.add_column(column, justify="left" if column == "player" else "right")
    for standing in result.standings:
        rating = [f"{found[standing.name].strength:.1f} ± {found[standing.name].uncertainty:.1f}"] if found else []
        # [net.onnx] is part of a player's name, not a style
        table.add_row(*map(escape, standing.cells), *rating)
    out().print(table)
    for standing in result.standings:
        for line in standing.lines:
            print(line)
    if result.verdict:
        print(f"{result.standings[0].name} is {result.verdict}" if result.verdict != "undecided" else "undecided")
    if result.run.ended == "interrupted":
        print("interrupted: this is what was played until then", file=sys.stderr)


def _ratings(result: MatchResult) -> list[Any]:
    from icarus.arena.ratings import ratings

    try:
        return ratings(result.run.records)
    except MissingPackage:
        return []


def _table_of(results: Results) -> Table:
    """The bars of an experiment as a table."""
    from icarus.arena.figures import numbers

    experiment = results.experiment
    table = Table(title=experiment.title, title_justify="left", caption=experiment.notes, caption_justify="left")
    for column in ("game", experiment.x_label, "games", "wins", "draws", "losses", "score", "95 % interval"):
        table.add_column(column, justify="left" if column in ("game", experiment.x_label) else "right")
    table.add_column("0" + " " * 9 + "½" + " " * 9 + "1")
    rows = [row for row in numbers(results) if row["games"]]
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        counts = [str(row[key]) for key in ("games", "wins", "draws", "losses")]
        interval = f"{100 * row['low']:.1f} – {100 * row['high']:.1f}"
        last = following is not None and following["row"] != row["row"]
        bar = "█" * round(21 * row["rate"])
        table.add_row(row["row"], row["column"], *counts, f"{100 * row['rate']:.1f} %", interval, bar, end_section=last)
    return table


def _print_verdict(verdict: Verdict) -> None:
    from icarus.arena.report import remark

    style = {"reproduced": "green", "not reproduced": "red"}.get(verdict.verdict, "yellow")
    console = out()
    console.print(f"[bold {style}]{verdict.verdict}[/]{remark(verdict)}  {verdict.id}: {verdict.claim}")
    for statement in verdict.statements:
        console.print(f"    {statement.text}  [dim]({statement.verdict})[/]")


def _list_experiments(experiments: list[Any], as_json: bool) -> None:
    rows = [
        {
            "name": e.name,
            "title": e.title,
            "paper": e.paper,
            "figure": e.figure,
            "games_per_cell": e.games,
            "rows": [row.name for row in e.rows],
            "claims": [claim["id"] for claim in e.claims],
        }
        for e in experiments
    ]
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    table = Table()
    for column in ("experiment", "what", "games per cell", "claims"):
        table.add_column(column, justify="right" if column == "games per cell" else "left")
    for row in rows:
        table.add_row(row["name"], row["title"], f"{row['games_per_cell']:,}", " ".join(row["claims"]))
    out().print(table)


def _show_game(records: Iterator[Any], number: int, trust: Trust) -> None:
    from icarus.arena.match import BEST_PLAYOUT, SCORE
    from icarus.arena.match import replay as play_again
    from icarus.game import ENVIRONMENT, Position
    from icarus.search.line import labels_of

    record = next((record for record in records if record.number == number), None)
    if record is None:
        raise ArenaError(f"there is no game {number} in this store")

    def show(position: Position, action: int) -> None:
        actor = position.player
        who = "environment" if actor == ENVIRONMENT else f"{position.game.player_labels[actor]} ({record.seats[actor]})"
        print(f"{len(position.history) + 1:4d}. {who}: {position.format_action(action)}")

    end = play_again(record, show, trust)
    print(end.render())
    print("rewards:", ", ".join(f"{label} {r:g}" for label, r in zip(end.game.player_labels, record.rewards, strict=True)))
    noted = dict(record.values)
    if SCORE in noted:
        print(f"score: {noted[SCORE]:g}")
    if record.best_moves:
        print(f"best playout: {noted[BEST_PLAYOUT]:g} by {' '.join(labels_of(end.game.start(record.seed), record.best_moves))}")
