"""Running an experiment of the papers: what it will cost, the games, the figure, the numbers, the verdicts, the report."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from icarus.arena.claims import Verdict, verdicts
from icarus.arena.effects import write_analysis
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, Results, read_experiment
from icarus.arena.figures import draw, write_numbers
from icarus.arena.players import read_player
from icarus.arena.report import write_report
from icarus.arena.runner import Run, run
from icarus.arena.schedule import GAME, Schedule, game_named
from icarus.arena.store import Store
from icarus.game import ENVIRONMENT, play_to_decision, step_randomly
from icarus.jit.randomness import seeded

PROBE = 200  #: iterations of the searches that measure speed


@dataclass(frozen=True)
class Reproduction:
    """What came out, and where it is."""

    experiment: Experiment
    results: Results
    verdicts: list[Verdict]
    run: Run
    folder: Path


def reproduce(
    name: str,
    *,
    scale: float = 1.0,
    budget: float = 1.0,
    seed: int = 0,
    rows: Sequence[str] = (),
    jobs: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Run], None] | None = None,
    before: Callable[[Schedule, float], None] | None = None,
    cluster: str | None = None,
) -> Reproduction:
    """Play an experiment and judge its claims; ``before(schedule, seconds)`` is told the expected cost."""
    experiment = read_experiment(name)
    schedule = experiment.schedule(scale, budget, seed, rows)
    experiment.check(rows)
    target = Path(folder) if folder is not None else Path("icarus-results") / (experiment.data or experiment.name)
    with Store.open(target, schedule, resume=resume) as store:
        if before is not None:
            before(schedule, expected_seconds(schedule, jobs, store.finished()))
        state = run(schedule, jobs=jobs, store=store, progress=progress, cluster=cluster)
    results = Results(experiment, schedule, state.records)
    if not results.games:
        raise ArenaError(f"no game of {name} is finished yet; nothing can be shown")
    found = verdicts(results, budget)
    write_everything(results, found, target, budget=budget, jobs_seconds=state.seconds)
    return Reproduction(experiment, results, found, state, target)


def write_everything(results: Results, found: list[Verdict], folder: Path, *, budget: float, jobs_seconds: float) -> None:
    """Figure, numbers, verdicts and report, beside the games."""
    name = results.experiment.name
    draw(results, folder / f"{name}.png")
    draw(results, folder / f"{name}.svg")
    write_numbers(results, folder / f"{name}.csv")
    write_analysis(results, folder / f"{name}-anova.csv")
    text = json.dumps([verdict.as_dict() for verdict in found], indent=2, ensure_ascii=False)
    (folder / f"{name}-verdicts.json").write_text(text + "\n", encoding="utf-8")
    write_report(results, found, folder / f"{name}.html", budget=budget, seconds=jobs_seconds)


# --- what it will cost -----------------------------------------------------------------------------------------------


def expected_seconds(schedule: Schedule, jobs: int | None, held: set[tuple[str, int]] | None = None) -> float:
    """About how long the games that are not held yet will take, from one random game and one short search per game and player."""
    decisions: dict[str, list[int]] = {}
    speeds: dict[tuple[str, str, str], float] = {}
    total = 0.0
    held = held or set()
    for cell in schedule.cells:
        missing = cell.games - sum(1 for number in range(cell.games) if (cell.name, number) in held)
        if not missing:
            continue
        if cell.kind == GAME and cell.game not in decisions:
            decisions[cell.game] = _decisions(cell.game)
        for seat, index in enumerate(cell.seatings[0] if cell.kind == GAME else (0,)):
            player = read_player(cell.players[index])
            if not player.searches:
                continue
            number = decisions[cell.game][seat] if cell.kind == GAME else 1
            if player.seconds is not None:
                total += missing * number * player.seconds
                continue
            key = (cell.game, player.named, player.strategy)
            if key not in speeds:
                speeds[key] = _seconds_per_iteration(cell.game, cell.players[index])
            total += missing * number * (player.iterations or 0) * speeds[key]
    return total / max(min(jobs or os.cpu_count() or 1, os.cpu_count() or 1), 1)


def _decisions(game: str) -> list[int]:
    """How often each seat has a choice in a random game."""
    rng, position = seeded(0, stream=8), game_named(game).start(0)
    counts = [0] * position.game.players
    while not position.is_terminal:
        if position.player != ENVIRONMENT and len(position.legal()) > 1:
            counts[position.player] += 1
        step_randomly(position, rng)
    return counts


def _seconds_per_iteration(game: str, name: str) -> float:
    position = play_to_decision(game_named(game).start(0), seeded(0, stream=9))
    player = read_player(name)
    player.search(position, position.player, 0).run(iterations=1)
    result = player.search(position, position.player, 0).run(iterations=PROBE)
    # a game is shorter and shorter to its end: half of what the first decision takes, on average
    return 0.5 * result.seconds / result.iterations


def duration(seconds: float) -> str:
    """``1 h 20 min``, for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"
