"""Opening books on the command line: ``book``."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from icarus.arena.errors import ArenaError
from icarus.terminal import complain

GameName = Annotated[str, typer.Argument(metavar="GAME", show_default=False, help="such as connect_four or 'hex(7)'")]


def add_commands(app: typer.Typer) -> None:
    app.command()(book)


def book(
    game: GameName,
    output: Annotated[Path, typer.Option(help="the file; what is in it already is kept")] = Path("book.json"),
    plies: Annotated[int, typer.Option(help="how deep the book goes")] = 4,
    replies: Annotated[int, typer.Option(help="how many replies are followed in each position")] = 2,
    iterations: Annotated[int | None, typer.Option(help="for each position", show_default="10000 without --time")] = None,
    seconds: Annotated[float | None, typer.Option("--time", help="for each position, in seconds", show_default=False)] = None,
    strategy: Annotated[str, typer.Option(help="as for `icarus search`")] = "-",
    games: Annotated[
        int | None,
        typer.Option(help="grow the book by so many games of the search against itself (meta-MCTS)", show_default=False),
    ] = None,
    method: Annotated[str, typer.Option(help="of --games: quasi-best-first or beta")] = "quasi-best-first",
    seed: Annotated[int, typer.Option(help="the same seed gives the same book")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Search the opening for long and write it down.  `uct@1s,book=FILE` plays from it.  Ctrl-C keeps what is done."""
    from icarus.arena.book import Book, check_game, grow, read_book
    from icarus.arena.book_games import METHODS, grow_by_games
    from icarus.game import Position
    from icarus.loading import load
    from icarus.search import Search

    found = load(game)
    check_game(found)
    if plies < 1 or replies < 1:
        raise ArenaError(f"--plies {plies} --replies {replies}: both must be at least 1")
    if method not in METHODS:
        raise ArenaError(f"--method {method}: there are {' and '.join(METHODS)}")
    if games is not None and games < 1:
        raise ArenaError(f"--games {games}: must be at least 1")
    if not output.parent.is_dir():
        raise ArenaError(f"--output {output}: there is no folder {str(output.parent)!r}")
    known = read_book(str(output)) if output.exists() else Book(found.name)
    known.check(found)
    if iterations is None and seconds is None:
        iterations = 10_000

    def search(position: Position, number: int) -> Search:
        return Search(position, strategy=strategy, seed=seed * 1_000_003 + number)

    def decide(position: Position, number: int) -> int:
        result = search(position, number).run(iterations=iterations, seconds=seconds)
        if result.stopped_by == "interrupt":
            raise KeyboardInterrupt
        return result.best.action

    if games is None:
        growing = grow(known, found, search, iterations=iterations, seconds=seconds, plies=plies, replies=replies)
    else:
        growing = grow_by_games(known, found, decide, games=games, plies=plies, method=method, seed=seed)
    before, begun, interrupted = len(known.moves), time.perf_counter(), False
    try:
        for left in growing:
            known.save(output)
            if sys.stderr.isatty():
                print(
                    f"\r{len(known.moves)} positions, {left} {'waiting' if games is None else 'games to play'}   ",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
    except KeyboardInterrupt:
        interrupted = True
    known.save(output)
    told = {
        "game": found.name,
        "file": str(output),
        "positions": len(known.moves),
        "new": len(known.moves) - before,
        "seconds": round(time.perf_counter() - begun, 3),
    }
    if as_json:
        print(json.dumps(told, indent=2))
    else:
        print(f"{found.name}: {told['positions']} positions, {told['new']} of them new, in {output}")
    if interrupted:
        complain("interrupted: the book has what was searched so far; the same command goes on")
        raise SystemExit(130)
