"""General game playing on the command line: ``ggp serve``, ``ggp match`` and ``gdl info``."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from icarus.errors import IcarusError
from icarus.terminal import compile_loop, compiling, complain

SHEET_HELP = "a rule sheet (.kif), or gdl:NAME for one of ours"
Sheet = Annotated[str, typer.Argument(metavar="SHEET", show_default=False, help=SHEET_HELP)]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]

ggp = typer.Typer(no_args_is_help=True, help="General game playing over HTTP: a player, and a game manager.")
gdl = typer.Typer(no_args_is_help=True, help="Rule sheets in the Game Description Language.")


def add_commands(app: typer.Typer) -> None:
    """Add both groups to the main command."""
    app.add_typer(ggp, name="ggp")
    app.add_typer(gdl, name="gdl")


@gdl.callback()
def gdl_group() -> None:
    """Rule sheets in the Game Description Language."""


@gdl.command()
def info(sheet: Sheet, as_json: AsJson = False) -> None:
    """Build a sheet and say what it is: roles, size before and after simplification, time to build, speed, what is hidden."""
    from icarus.gdl.info import sheet_info
    from icarus.gdl.sheets import find_sheet

    with compiling("rule sheets (once)"):
        found = sheet_info(find_sheet(sheet))
    print(json.dumps(found.to_dict(), indent=2) if as_json else found)


def usual_strategy(algorithm: str | None) -> str:
    """What a player searches with where no strategy was named: nothing under an algorithm that brings its own, or names one."""
    from icarus.algorithm import ALGORITHMS
    from icarus.ggp.protocol import Settings

    found = ALGORITHMS.get((algorithm or "uct").partition("(")[0].strip())
    own = found is not None and (found.walks or found.usual_strategy != "-")
    return "-" if own or "[" in (algorithm or "") else Settings.strategy


@ggp.command()
def serve(
    port: Annotated[int, typer.Option(help="0 takes any free one")] = 9147,
    host: Annotated[str, typer.Option(help="where to listen; 0.0.0.0 for players of other machines")] = "127.0.0.1",
    strategy: Annotated[
        str | None,
        typer.Option(help="ggp-uct, ggp-rave-mast, ... or an expression", show_default="what was tuned, or ggp-grave-mast"),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="uct, mo, ...", show_default="uct; mo where it must; one role: a race of nrpa and nmcs")
    ] = None,
    lanes: Annotated[int | None, typer.Option(help="playouts in lockstep", show_default="by the size of the sheet")] = None,
    threads: Annotated[int, typer.Option(help="threads of each match")] = 1,
    final: Annotated[str, typer.Option(help="robust, max, max-robust or secure")] = "max",
    memory: Annotated[int, typer.Option(help="bytes for the records of each match")] = 1 << 30,
    matches: Annotated[int | None, typer.Option(help="matches at once; more are busy", show_default="one per processor")] = None,
    iterations: Annotated[
        int | None, typer.Option(help="at most so many for each move", show_default="as the clock allows")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="of every search", show_default="random")] = None,
    managed: Annotated[bool, typer.Option("--managed", help="answer when decided; with --final robust")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="log lines of JSON to standard output")] = False,
) -> None:
    """Play matches that a game manager starts, until Ctrl-C.  One line per message is logged to standard error."""
    from icarus.ggp.protocol import Settings
    from icarus.ggp.server import PlayerServer
    from icarus.network.searching import network_search

    processors = os.cpu_count() or 1
    if matches is not None and matches < 1:
        raise IcarusError(f"--matches {matches}: at least 1 is needed")
    if not 0 <= port < 1 << 16:
        raise IcarusError(f"--port {port}: ports are 0 to {(1 << 16) - 1}")
    if managed and final != "robust":
        raise IcarusError(f"--managed goes by visits, and --final {final} does not; add --final robust")
    if network_search({"algorithm": algorithm}):
        raise IcarusError(f"--algorithm {algorithm}: a network knows one game, and a general player meets all of them")
    compile_loop()
    tuned = strategy is None and algorithm is None
    named = strategy or usual_strategy(algorithm)
    settings = Settings(named, algorithm, lanes, threads, memory, final, iterations, seed, tuned, managed)
    with compiling("rule sheets (once, about a minute)", announce=False):
        player = PlayerServer(
            host,
            port,
            settings=settings,
            matches=matches or processors,
            ponder_at_most=processors // threads or 1,
            log=log(as_json),
        )
    log(as_json)("", f"listening at {player.url}")
    try:
        player.serve()
    except KeyboardInterrupt:
        log(as_json)("", "ended")
    finally:
        player.close()


def log(as_json: bool) -> Callable[[str, str], None]:
    """One line for each thing that happens."""
    writing = threading.Lock()

    def line(match: str, text: str) -> None:
        with writing:
            if as_json:
                print(json.dumps({"time": round(time.time(), 3), "match": match, "text": text}), flush=True)
            else:
                print(time.strftime("%H:%M:%S"), *([match] if match else []), " ".join(text.split()), file=sys.stderr, flush=True)

    return line


@ggp.command()
def match(
    sheet: Sheet,
    players: Annotated[
        list[str],
        typer.Argument(metavar="URL...", show_default=False, help="a player for each role, such as http://host:9147, or random"),
    ],
    start_clock: Annotated[float, typer.Option(help="seconds before the first move")] = 5,
    play_clock: Annotated[float, typer.Option(help="seconds for each move")] = 1,
    record: Annotated[Path | None, typer.Option(help="the match record, .json or .xml", show_default="MATCH.json")] = None,
    name: Annotated[str | None, typer.Option("--match", help="the name of the match", show_default="from sheet and time")] = None,
    seed: Annotated[int | None, typer.Option(help="of the random moves", show_default="random")] = None,
    as_json: AsJson = False,
) -> None:
    """Referee a match between GGP players and write its record.  Ctrl-C aborts the match and keeps the record so far."""
    from icarus.gdl.reader import read_text
    from icarus.gdl.sheets import find_sheet
    from icarus.ggp.manager import Manager, milliseconds

    path = find_sheet(sheet)
    chosen = name or f"icarus.{path.stem}.{milliseconds()}"
    if not chosen or any(letter.isspace() or letter in "();" for letter in chosen):
        raise IcarusError(f"--match {chosen!r}: the name of a match has no spaces and no parentheses")
    manager = Manager(
        read_text(path),
        sheet,
        players,
        start_clock=start_clock,
        play_clock=play_clock,
        match=chosen,
        seed=seed,
        log=complain,
    )
    file = record or Path(f"{chosen}.json")
    try:
        result = manager.run()
    finally:
        if manager.record.errors:  # the match has begun
            manager.record.write(file)
    if as_json:
        print(result.to_json(indent=2))
        return
    errors = result.error_counts
    for role, player, goal in zip(result.roles, result.players, result.goals or [], strict=False):
        print(f"{role} ({player}): {goal}" + (f", {errors[role]} errors" if errors[role] else ""))
    print(f"{len(result.moves)} steps; the record is {file}")
