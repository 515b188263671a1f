"""The command line: one command, small subcommands, ``--json`` on each.

Results go to standard output, progress and complaints to standard error.  Whatever a user can put right is one line that begins
with ``icarus:``, and exit code 2.  Modules are imported where they are needed, so that a command starts quickly.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from icarus import __version__
from icarus.arena.book_commands import add_commands as add_book_commands
from icarus.arena.commands import add_commands as add_arena_commands
from icarus.arena.equilibrium_commands import add_commands as add_equilibrium_commands
from icarus.errors import IcarusError, SearchError
from icarus.ggp.commands import add_commands as add_ggp_commands
from icarus.learning.command import add_commands as add_learn_commands
from icarus.options import Allow
from icarus.play.command import add_commands as add_play_commands
from icarus.playtest.commands import add_commands as add_playtest_commands
from icarus.solving.command import add_commands as add_solve_commands
from icarus.terminal import compile_loop, compiling, complain, out, progress_bar, stopping
from icarus.tune.commands import add_commands as add_tune_commands
from icarus.web.commands import add_commands as add_web_commands

INTERRUPTED = 130  #: the exit code of what Ctrl-C has ended


class OneLineErrors(TyperGroup):
    """Says in one line what is wrong with an option, or what Icarus refuses."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *where: complain(f"warning: {message}")
            try:
                code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
                if code == INTERRUPTED:  # what typer makes of Ctrl-C
                    complain("interrupted")
            except IcarusError as problem:
                complain(str(problem))
                code = 2
            except typer.TyperException as problem:
                text = problem.format_message() if hasattr(problem, "format_message") else str(problem)
                if text:  # without a command, help has been shown and there is nothing to say
                    complain(text)
                code = 2
            except (typer.Abort, KeyboardInterrupt):
                complain("interrupted")
                code = INTERRUPTED
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


app = typer.Typer(
    cls=OneLineErrors,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    app(prog_name="icarus")


def print_version(wanted: bool) -> None:
    if wanted:
        print(f"icarus {__version__}")
        raise typer.Exit()


@app.callback()
def icarus(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=print_version, help="print the version")] = False,
) -> None:
    """Monte Carlo tree search on any game."""


GAME_HELP = "a name (othello, 'phantom(4,4,4)', gdl:zhadu), a file (mygame.py, rules.kif) or package.module:name"
STRATEGY_HELP = "such as 'RAVE(k=250) >> MAST()', or a name of icarus-2014's Table 1"
ALGORITHM_HELP = (
    "uct, uct(solve), uct(transpositions=2), flat, flat-ucb, determinized(d), ensemble(d), cheating, cheating-ensemble(d), "
    "epimc(d), ris, pns, mcpns, so, pom or mo; for one player nmcs(level), nrpa(level), sp(restarts)"
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Seed = Annotated[int, typer.Option(help="the same seed gives the same answer on one thread")]


# --- games -----------------------------------------------------------------------------------------------------------


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games that come with Icarus."""
    from rich.table import Table

    from icarus.gdl.sheets import PREFIX, large_sheet_names, sheet_names
    from icarus.loading import GAMES

    rows = [describe(name) for name in GAMES]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    sheets = " ".join(PREFIX + name for name in sorted([*sheet_names(), *large_sheet_names()]))
    caption = f"rule sheets: {sheets}\nyour own: a .py file, a rule sheet (.kif) or package.module:name"
    table = Table(caption=caption, caption_justify="left")
    for column in ("game", "players", "hidden", "chance", "simultaneous", "what it is"):
        table.add_column(column, justify="right" if column == "players" else "left")
    for row in rows:
        marks = ["✓" if row[key] else "" for key in ("hidden_information", "chance", "simultaneous")]
        table.add_row(row["name"] + row["parameters"], str(row["players"]), *marks, row["summary"])
    out().print(table)


def describe(name: str) -> dict[str, Any]:
    """What the list says of a game, with its parameters at their defaults."""
    from icarus.loading import GAMES, load

    module, _, factory = GAMES[name].partition(":")
    signature = inspect.signature(getattr(importlib.import_module(module), factory))
    given = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in signature.parameters.values()]
    game = load(name)
    return {
        "name": name,
        "parameters": f"({', '.join(given)})" if given else "",
        "players": game.players,
        "hidden_information": game.hidden_information,
        "chance": game.stochastic,
        "simultaneous": game.simultaneous_moves,
        "partially_observable_moves": game.partially_observable_moves,
        "max_actions": game.max_actions,
        "max_plies": game.max_plies,
        "summary": game.summary,
    }


# --- search ----------------------------------------------------------------------------------------------------------


@app.command()
def search(
    game: GameName,
    algorithm: Annotated[str | None, typer.Option(help=ALGORITHM_HELP, show_default="uct; mo where something is hidden")] = None,
    strategy: Annotated[str | None, typer.Option(help=STRATEGY_HELP, show_default="the game's preset, or -")] = None,
    iterations: Annotated[int | None, typer.Option(help="a budget in iterations", show_default="10000 without --time")] = None,
    seconds: Annotated[float | None, typer.Option("--time", help="a budget in seconds", show_default=False)] = None,
    threads: Annotated[int, typer.Option(help="processors to use")] = 1,
    parallel: Annotated[str, typer.Option(help="threads share a tree (tree) or grow one each (root)")] = "tree",
    lanes: Annotated[
        int | None, typer.Option(help="playouts in lockstep; more than one adds virtual loss", show_default="1; for sheets more")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="gives the same answer again on one thread", show_default="random")] = None,
    moves: Annotated[str, typer.Option(help="moves from the start to the position, separated by spaces or commas")] = "",
    observer: Annotated[int | None, typer.Option(help="the player whose knowledge is used", show_default="who acts")] = None,
    final: Annotated[
        str | None, typer.Option(help="robust, max, max-robust, secure, mixed or vote", show_default="robust; max for flat")
    ] = None,
    chance: Annotated[str, typer.Option(help="outcomes by sampling (sample) or by even visits (even)")] = "sample",
    memory: Annotated[int | None, typer.Option(help="bytes for records", show_default="1 GiB")] = None,
    solve: Annotated[bool, typer.Option("--solve", help="prove what can be proven; as in 'uct(solve)'")] = False,
    belief: Annotated[
        str | None,
        typer.Option(
            help="weigh what others may hold by a model of their moves: a strategy (MAST()), a player (mo@100, mccfr@10000), "
            "or a file of `icarus equilibrium`",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search a position and print the best move with its statistics.  Ctrl-C ends the search with the answer so far."""
    import numpy as np

    from icarus.arena.believing import belief_named
    from icarus.loading import load
    from icarus.moves import play_moves
    from icarus.network.searching import NetworkSearch, network_search
    from icarus.preset import find as find_preset
    from icarus.result import Progress
    from icarus.search import DEFAULT_MEMORY, Search, default_lanes
    from icarus.tools.warmup import LOOP, QUIET_LOOP, is_compiled

    if iterations is None and seconds is None:
        iterations = 10_000
    for option, budget in (("--iterations", iterations), ("--time", seconds)):
        if budget is not None and not budget > 0:
            raise SearchError(f"{option} {budget}: a search needs a budget above zero")
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    chosen = load(game)
    transpositions = False
    if strategy is None and algorithm is None and (tuned := find_preset(chosen)) is not None and tuned.strategy:
        algorithm, strategy, transpositions = tuned.algorithm or None, tuned.strategy, tuned.transpositions
        final = final or tuned.final or None
        complain(tuned.mention())
    strategy = strategy or "-"
    # the baseline alone has a loop of its own where nothing is hidden, which is compiled in a third of the time
    known = is_compiled(("kernel", LOOP)) or (strategy == "-" and is_compiled(("kernel", QUIET_LOOP)))
    with compiling(f"{game} and the search loop (once, up to a minute)", announce=not known):
        position = play_moves(chosen.start(seed), moves, seed)
        searching: Search | NetworkSearch
        if network_search({"algorithm": algorithm}):
            others = {
                "--strategy": strategy != "-", "--threads": threads != 1, "--parallel": parallel != "tree",
                "--chance": chance != "sample", "--solve": solve, "--belief": belief is not None,
            }  # fmt: skip
            if any(others.values()):
                strange = ", ".join(option for option, given in others.items() if given)
                raise SearchError(f"{strange}: no option of a search with a network ({algorithm})")
            searching = NetworkSearch(
                position,
                algorithm=algorithm or "puct",
                observer=observer,
                seed=seed,
                final=final,
                batch=lanes,
                memory=DEFAULT_MEMORY if memory is None else memory,
            )
        else:
            searching = Search(
                position,
                algorithm=algorithm,
                strategy=strategy,
                observer=observer,
                seed=seed,
                threads=threads,
                parallel=parallel,
                lanes=default_lanes(position.game, iterations) if lanes is None else lanes,
                chance=chance,
                memory=DEFAULT_MEMORY if memory is None else memory,
                final=final,
                solve=solve or None,
                transpositions=transpositions,
                belief=None if belief is None else belief_named(belief, chosen),
            )
    with progress_bar(f"searching {position.game.name}") as show, stopping(searching.stop) as stopped:

        def progress(state: Progress) -> None:
            show(state.share)
            if stopped():
                searching.stop()

        result = searching.run(iterations=iterations, seconds=seconds, progress=progress)
    if result.unexplained:
        complain(f"warning: {result.caution}")
    if as_json:
        print(result.to_json(indent=2))
        return
    everything = searching.algorithm.cheats or not position.game.hidden_information
    out().print(position.render(None if everything else searching.observer), markup=False)
    out().print(result)


# --- check, explain --------------------------------------------------------------------------------------------------


@app.command()
def check(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help=GAME_HELP, show_default=False)] = None,
    folder: Annotated[
        Path | None, typer.Option("--all", metavar="FOLDER", help="every rule sheet of a folder, in parallel")
    ] = None,
    games: Annotated[int, typer.Option(help="random games to play (of each)")] = 100,
    seed: Annotated[int, typer.Option(help="the first seed")] = 0,
    seconds: Annotated[
        float | None,
        typer.Option(help="about how long it may take; a slow game is looked at in fewer cases", show_default="no limit"),
    ] = None,
    timeout: Annotated[float, typer.Option(help="with --all: seconds after which a sheet is given up")] = 600.0,
    processes: Annotated[int | None, typer.Option(help="with --all: sheets at once", show_default="one per processor")] = None,
    as_json: AsJson = False,
) -> None:
    """Play random games and check that a game keeps its contract: bounds, rewards, determinizations, views, no peeking."""
    from icarus.loading import load
    from icarus.testing import check_game

    if games < 1:
        raise IcarusError(f"--games {games}: at least 1 is needed")
    if seconds is not None and not seconds > 0:
        raise IcarusError(f"--seconds {seconds:g}: it must be above 0")
    if (game is None) == (folder is None):
        raise IcarusError("name one GAME, or a folder with --all")
    if folder is not None:
        check_all(folder, games, seed, timeout, processes, as_json)
        return
    assert game is not None
    checked = load(game)
    compile_loop()
    with progress_bar(f"checking {game}") as show:
        report = check_game(checked, games=games, seed=seed, seconds=seconds, progress=show)
    if as_json:
        print(report.to_json(indent=2))
    else:
        out().print(report)
    report.raise_for_failures()


def check_all(folder: Path, games: int, seed: int, timeout: float, processes: int | None, as_json: bool) -> None:
    from icarus.testing.folder import check_folder

    if timeout <= 0 or (processes is not None and processes < 1):
        raise IcarusError("--timeout and --processes are above 0")
    compile_loop()  # once, not in every process
    with progress_bar(f"checking {folder}") as show:
        report = check_folder(folder, games=games, seed=seed, processes=processes, timeout=timeout, progress=show)
    if as_json:
        print(report.to_json(indent=2))
    else:
        out().print(report)
    report.raise_for_failures()


@app.command()
def explain(
    strategy: Annotated[str, typer.Argument(metavar="EXPR", help=STRATEGY_HELP, show_default=False)],
    game: GameName,
    iterations: Annotated[int, typer.Option(help="iterations of the search that is measured")] = 2000,
    seed: Seed = 0,
    picture: Annotated[Path | None, typer.Option(help="draw which nodes share information", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Show which records a strategy reads and writes in each phase of a search, and who decides how often."""
    from icarus.explain import explain as explained
    from icarus.loading import load
    from icarus.strategy.expression import read_strategy

    meaning, explored = read_strategy(strategy), load(game)
    compile_loop()
    with compiling(f"and searching {game}"):
        report = explained(meaning, explored, iterations=iterations, seed=seed)
    if picture is not None:
        report.draw(picture)
    if as_json:
        print(report.to_json(indent=2))
    else:
        out().print(report)


# --- bench, warmup ---------------------------------------------------------------------------------------------------


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", show_default="those with a limit")] = None,
    against: Annotated[str, typer.Option(help="playouts (random, of the same game) or openspiel (its C++ MCTSBot)")] = "playouts",
    iterations: Annotated[int, typer.Option(help="iterations of each search")] = 10_000,
    rounds: Annotated[int, typer.Option(help="how often the two sides take turns; the best of each counts")] = 7,
    as_json: AsJson = False,
) -> None:
    """Measure searches per second beside random playouts of the same game, or beside OpenSpiel's bot."""
    from icarus.tools.bench import against_openspiel, against_playouts, table_of

    sides = {"playouts": against_playouts, "openspiel": against_openspiel}
    if against not in sides:
        raise SearchError(f"--against {against}: choose playouts or openspiel")
    if iterations < 1 or rounds < 1:
        raise SearchError(f"--iterations {iterations}, --rounds {rounds}: both must be at least 1")
    compile_loop()
    with progress_bar("measuring") as show:
        rows = sides[against](games or [], iterations=iterations, rounds=rounds, progress=show)
    if as_json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    else:
        out().print(table_of(rows))
    if any(row.passed is False for row in rows):
        raise typer.Exit(1)


@app.command()
def warmup(
    processes: Annotated[int | None, typer.Option(help="processes to compile with", show_default="all processors")] = None,
    as_json: AsJson = False,
) -> None:
    """Compile everything now: the search loop, the strategies and all games.  Later runs start at once."""
    from icarus.tools.warmup import title, warm_up

    if processes is not None and processes < 1:
        raise IcarusError(f"--processes {processes}: at least 1 is needed")
    begun = time.perf_counter()
    with progress_bar("compiling") as show:
        pieces = warm_up(lambda piece, done, total: show(done / total, f"compiled {title(piece)}"), processes)
    seconds = time.perf_counter() - begun
    if as_json:
        print(json.dumps({"pieces": pieces, "seconds": round(seconds, 2)}))
    else:
        print(f"{pieces} pieces compiled in {seconds:.0f} s")


@app.command()
def engine(allow: Allow = None) -> None:
    """Answer lines of JSON on standard input: a game in any language asks for moves and analysis ({"cmd": "help"})."""
    from icarus.bridges.engine import serve
    from icarus.trust import allowing

    serve(sys.stdin.buffer, sys.stdout, allowing(allow))


add_arena_commands(app)  # match, tournament, replay, reproduce, demo
add_equilibrium_commands(app)  # equilibrium, exploit
add_book_commands(app)  # book
add_play_commands(app)  # play
add_solve_commands(app)  # solve
add_ggp_commands(app)  # ggp serve, ggp match, gdl info
add_web_commands(app)  # serve
add_tune_commands(app)  # tune
add_learn_commands(app)  # learn
add_playtest_commands(app)  # playtest

if __name__ == "__main__":
    main()
