"""Equilibria on the command line: ``equilibrium`` and ``exploit``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from icarus.arena.errors import ArenaError
from icarus.errors import needing
from icarus.terminal import compile_loop, compiling, complain, out, progress_bar

if TYPE_CHECKING:
    from icarus.arena.exploit import Exploited
    from icarus.arena.players import Player

GameName = Annotated[str, typer.Argument(metavar="GAME", show_default=False, help="such as kuhn_poker or 'goofspiel(4)'")]
Seed = Annotated[int, typer.Option(help="the same seed gives the same answer")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]


def add_commands(app: typer.Typer) -> None:
    for command in (equilibrium, exploit):
        app.command()(command)


def equilibrium(
    game: GameName,
    iterations: Annotated[int | None, typer.Option(help="a budget in iterations", show_default="100000 without --time")] = None,
    seconds: Annotated[float | None, typer.Option("--time", help="a budget in seconds", show_default=False)] = None,
    sampling: Annotated[str, typer.Option(help="external or outcome")] = "external",
    output: Annotated[Path | None, typer.Option(help="write the strategy to this .npz file", show_default=False)] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Find an equilibrium by Monte Carlo counterfactual regret minimization.  Ctrl-C ends it with the strategy so far."""
    from icarus.equilibrium import Mccfr
    from icarus.equilibrium.average import SUFFIX
    from icarus.loading import load

    if output is not None and (output.suffix != SUFFIX or not output.parent.is_dir()):
        raise ArenaError(f"--output {output}: a file in a folder that is there, with a name that ends in {SUFFIX}")
    if iterations is None and seconds is None:
        iterations = 100_000
    with compiling("the solver"):
        solver = Mccfr(load(game), sampling=sampling, seed=seed)
    with progress_bar(f"solving {solver.game.name}") as show:
        solver.run(iterations=iterations, seconds=seconds, progress=show)
    strategy = solver.average()
    if output is not None:
        strategy.save(output)
    told = {
        "game": solver.game.name,
        "solver": str(solver),
        "iterations": solver.iterations,
        "seconds": round(solver.seconds, 3),
        "information_sets": solver.information_sets,
        "file": None if output is None else str(output),
    }
    if as_json:
        print(json.dumps(told, indent=2))
    else:
        rate = solver.iterations / max(solver.seconds, 1e-9)
        print(
            f"{solver.game.name}: {solver.iterations:,} iterations of {solver}, {solver.information_sets:,} information sets met"
        )
        print(f"{rate:,.0f} iterations per second" + (f"; the strategy is in {output}" if output is not None else ""))
    if solver.stopped:
        complain("interrupted: this is the strategy until then")


def exploit(
    player: Annotated[str, typer.Argument(metavar="PLAYER", show_default=False, help="such as 'mo@1000,mixed' or mccfr@100000")],
    game: GameName,
    searches: Annotated[int, typer.Option(help="searches of each information set, for players that search")] = 8,
    games: Annotated[
        int | None, typer.Option(help="for games of any size: a lower bound, by so many games in every seat", show_default=False)
    ] = None,
    budgets: Annotated[
        str | None, typer.Option(help="the same player with these iterations: 100,1000,10000", show_default=False)
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="draw exploitability over iterations", show_default=False)] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure how exploitable a player is: what a best response gains, exactly where the game is small.

    With --games a search plays against the player instead, in which the others act as the player does: a lower bound.
    """
    from icarus.arena.exploit import check_honest
    from icarus.arena.exploit import exploit as measure
    from icarus.arena.figures import check_file
    from icarus.arena.players import read_player
    from icarus.arena.respond import respond
    from icarus.equilibrium import whole_tree
    from icarus.loading import load

    named, chosen = read_player(player), load(game)
    players = [named]
    if budgets is not None:
        if named.iterations is None:
            raise ArenaError(f"--budgets: {named} has no number of iterations that could be changed")
        players = [named.scaled(budget / named.iterations) for budget in read_budgets(budgets)]
    if picture is not None:
        check_file(picture)
    check_honest(named, chosen)
    if named.searches or games is not None:
        compile_loop()
    rows: list[Exploited] = []
    with progress_bar(f"the tree of {chosen.name}") as show:
        tree = whole_tree(chosen) if games is None else None
        try:
            for number, one in enumerate(players):

                def told(done: float, number: int = number, one: Player = one) -> None:
                    show((number + done) / len(players), f"searching as {one}")

                if games is None:
                    found = measure(one, chosen, searches=searches, seed=seed, tree=tree, progress=told)
                else:
                    found = respond(one, chosen, games=games, seed=seed, progress=told)
                rows.append(found)
        except KeyboardInterrupt:
            if not rows:
                raise
            complain("interrupted: these are finished")
    if picture is not None:
        draw(rows, players, picture)
    if as_json:
        print(json.dumps([row.as_dict() for row in rows] if budgets is not None else rows[0].as_dict(), indent=2))
        return
    out().print(table_of(rows))


def read_budgets(text: str) -> list[int]:
    try:
        found = [int(part.strip().replace("_", "")) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise ArenaError(f"--budgets {text!r}: numbers of iterations were expected, such as 100,1000,10000")
    return found


def table_of(rows: list[Exploited]) -> Table:
    """The measurements for people."""
    table = Table(title=f"exploitability in {rows[0].game}, in rewards from 0 to 1", title_justify="left")
    for column in ("player", "exploitability", "low", "high", "its rewards", "best responses"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for row in rows:
        high = "" if row.high is None else f"{row.high:.5f}"
        seats = [" ".join(f"{value:.4f}" for value in values) for values in (row.values, row.responses)]
        table.add_row(escape(row.player), f"{row.exploitability:.5f}", f"{row.low:.5f}", high, *seats)
    return table


def draw(rows: list[Exploited], players: list[Player], file: Path) -> None:
    """Exploitability over iterations."""
    with needing("figures", "matplotlib", extra="plot"):
        import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    budgets = [player.iterations or 1 for player in players[: len(rows)]]
    figure, axis = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    highs = [row.exploitability if row.high is None else row.high for row in rows]
    axis.plot(budgets, [row.exploitability for row in rows], marker="o")
    axis.fill_between(budgets, [row.low for row in rows], highs, alpha=0.2)
    axis.set(
        xscale="log", xlabel="iterations", ylabel="exploitability", title=f"{rows[0].player.partition('@')[0]} in {rows[0].game}"
    )
    axis.set_ylim(bottom=0)
    try:
        figure.savefig(file, dpi=130)
    except OSError as problem:
        raise ArenaError(f"the figure cannot be written to {file}: {problem.strerror}") from None
    finally:
        plt.close(figure)
