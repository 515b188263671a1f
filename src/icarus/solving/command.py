"""``icarus solve``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from icarus.errors import SearchError
from icarus.terminal import compiling, out, stopping

if TYPE_CHECKING:
    from icarus.solving.solution import Solution

SHOWN_MOVES = 40  #: of the best line, while it is searched


def add_commands(app: typer.Typer) -> None:
    app.command()(solve)


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", show_default=False, help="of one player: 'morpion(5D)', 'samegame(1)', puzzle.py, rules.kif"
        ),
    ],
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="nrpa(level), nmcs(level), nmcs(2)[MAST()], sp(restarts), uct, …",
            show_default="nrpa(3); nmcs(2) for rule sheets; uct with chance",
        ),
    ] = None,
    strategy: Annotated[str, typer.Option(help="how playouts and trees choose, such as 'MAST()'")] = "-",
    seconds: Annotated[
        float | None, typer.Option("--time", help="seconds to search", show_default="10, unless --runs or --iterations is given")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="complete runs of the algorithm, each from the start")] = None,
    iterations: Annotated[
        int | None, typer.Option(help="playouts of a run, for algorithms that do not end by themselves", show_default="10000")
    ] = None,
    threads: Annotated[int, typer.Option(help="processors to use, each for searches of its own")] = 1,
    together: Annotated[
        bool, typer.Option("--together", help="all threads on one search: parallel nested search (nmcs)")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="gives the same answer again on one thread", show_default="random")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="keep the best in this file")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on from what the file of --save holds")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Find the best sequence of moves in a game of one player: a puzzle, a route, a schedule.  Ctrl-C keeps what was found."""
    from icarus.loading import load
    from icarus.solving.solver import Solver

    for option, value in (("--time", seconds), ("--runs", runs), ("--iterations", iterations)):
        if value is not None and not value > 0:
            raise SearchError(f"{option} {value}: must be above zero")
    if resume and save is None:
        raise SearchError("--resume: from which file? Name it with --save FILE")
    if seconds is None and runs is None and iterations is None:
        seconds = 10.0
    with compiling(f"{game} and the algorithm (once)"):
        solver = Solver(
            load(game),
            algorithm=algorithm,
            strategy=strategy,
            threads=threads,
            together=together,
            seed=seed,
            save=save,
            resume=resume,
        )
    with watching(quiet=as_json) as show, stopping(solver.stop):
        solution = solver.run(seconds=seconds, runs=runs, iterations=iterations, progress=show)
    if as_json:
        print(solution.to_json(indent=2))
    else:
        out().print(solution)
    if solution.unsaved:
        raise SearchError(solution.unsaved)


@contextmanager
def watching(quiet: bool) -> Iterator[Callable[[Solution, float], None]]:
    """On a terminal the best so far, its line and how it came about, ever anew; elsewhere a line for each improvement."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        told, complaint = 0, ""

        def write(solution: Solution, share: float) -> None:
            nonlocal told, complaint
            if quiet:
                return
            if solution.unsaved not in ("", complaint):
                complaint = solution.unsaved
                print(f"{complaint}; tried again soon", file=sys.stderr, flush=True)
            for found in solution.improvements[told:]:
                print(f"{found.seconds:9.2f} s  {found.score:g}  after {found.playouts:,} playouts", file=sys.stderr, flush=True)
            told = len(solution.improvements)

        yield write
        return
    with Live(console=console, transient=True, refresh_per_second=8) as live:

        def draw(solution: Solution, share: float) -> None:
            score = "nothing yet" if solution.score is None else f"{solution.score:g}"
            rate = solution.playouts / max(solution.seconds, 1e-9)
            more = f" … {len(solution.moves) - SHOWN_MOVES} more" if len(solution.moves) > SHOWN_MOVES else ""
            runs = f", {len(solution.scores)} runs, mean {solution.mean:.4g}" if solution.scores else ""
            live.update(
                Group(
                    Text(f"{solution.game}: {score}  [{solution.algorithm}]", style="bold"),
                    Text(" ".join(solution.moves[:SHOWN_MOVES]) + more),
                    Text("\n".join(solution.plot())),
                    Text(f"{solution.playouts:,} playouts, {rate:,.0f}/s, {solution.seconds:.0f} s{runs}; Ctrl-C keeps the best"),
                    Text(f"{solution.unsaved}; tried again soon" if solution.unsaved else "", style="red"),
                    ProgressBar(total=1.0, completed=share, width=60),
                )
            )

        yield draw
