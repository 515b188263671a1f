"""``icarus learn``."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from icarus.errors import SearchError
from icarus.options import seconds_of
from icarus.terminal import compiling, complain, out, progress_bar, stopping

GAMES = 40


def add_commands(app: typer.Typer) -> None:
    app.command()(learn)


def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", show_default=False, help="such as breakthrough or 'hex(7)'")],
    what: Annotated[str, typer.Option(help="playout: how playouts choose; evaluation: what positions are worth")] = "playout",
    duration: Annotated[str, typer.Option("--time", help="how long: 30s, 10m, 1h")] = "1m",
    method: Annotated[
        str,
        typer.Option(help="of a playout: balancing, policy-gradient or sarsa; of an evaluation: td", show_default="the first"),
    ] = "",
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="where the weights go", show_default="GAME-WHAT.npz")
    ] = None,
    games: Annotated[int, typer.Option(help="of the match against the unlearned at the end; 0: none")] = GAMES,
    iterations: Annotated[int, typer.Option(help="for each move of that match")] = 300,
    seed: Annotated[int, typer.Option(help="the same seed learns from the same games")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Learn weights for a game's features, write them to a file that a strategy names, and play a match against who has not.

    Features("FILE") are playouts, Dyna2("FILE") values of moves, Cutoff(8, evaluation="FILE") is an evaluation.

    Ctrl-C keeps what was learned.
    """
    from icarus.learning.learner import Learner, play_match
    from icarus.loading import load

    seconds, found = seconds_of(duration), load(game)
    file = output or Path(f"{re.sub(r'[^A-Za-z0-9]+', '-', found.name).strip('-')}-{what}.npz")
    if not file.parent.is_dir():
        raise SearchError(f"--output {file}: there is no folder {str(file.parent)!r}")
    if games < 0 or iterations < 1:
        raise SearchError(f"--games {games} --iterations {iterations}: at least 0 and 1")
    learner = Learner(found, what=what, method=method, seed=seed)
    pressed = False

    def stop() -> None:
        nonlocal pressed
        pressed = True

    with compiling(f"{found.name} and what learns (once)"):
        learner.step()
    with stopping(stop) as interrupted, progress_bar(f"learning {found.name}") as show:
        learner.run(seconds, show, lambda: pressed)
        learner.weights.save(file)
        learned, plain = strategies(what, str(file), learner.method, evaluates=found.evaluate is not None)
        match = None if pressed or not games else play_match(found, learned, plain, games, iterations, lambda: pressed)
    told = {
        "game": found.name, "what": what, "method": learner.method, "file": str(file), "steps": learner.steps,
        "curve": learner.curve, "match": None if match is None else asdict(match),
    }  # fmt: skip
    if as_json:
        print(json.dumps(told, indent=2))
    else:
        out().print(f"{found.name}: {learner.steps} steps of {learner.method}, {len(learner.values)} weights in {file}")
        out().print("error   " + "  ".join(f"{at:.0f}s {error:.4f}" for at, error in learner.curve[-10:]))
        if match is not None and match.games:
            out().print(
                f"{learned} against {plain}: {match.points / match.games:.0%} of {match.games}"
                f" ({match.low:.0%}-{match.high:.0%}) at {iterations} iterations"
            )
    if interrupted():
        complain(f"interrupted: {file} has what was learned so far")
        raise SystemExit(130)


def strategies(what: str, file: str, method: str, *, evaluates: bool) -> tuple[str, str]:
    """Who has learned, and who has not: an evaluation meets the game's own if there is one, else plain playouts."""
    if method == "sarsa":
        return f'Baseline() >> Dyna2("{file}")', "Baseline()"
    if what == "playout":
        return f'Baseline() >> Features("{file}")', "Baseline()"
    return f'Baseline() >> Cutoff(4, evaluation="{file}")', "Baseline() >> Cutoff(4)" if evaluates else "Baseline()"
