"""Running an experiment of the papers: what it will cost, the games, the figure, the numbers, the verdicts, the report."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from icarus.arena.claims import cells_of, verdicts
from icarus.arena.compact import Compact, engine_digest, read_compact, same_players, write_compact
from icarus.arena.effects import write_analysis
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, Results, names, read_experiment
from icarus.arena.figures import draw, write_numbers
from icarus.arena.match import GameRecord
from icarus.arena.players import read_player
from icarus.arena.report import write_report
from icarus.arena.runner import Run, run
from icarus.arena.schedule import GAME, Schedule, game_named
from icarus.arena.sequential import looks_of, next_part, shortened
from icarus.arena.sharing import with_shared
from icarus.arena.statement import Verdict
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
    claims: Sequence[str] = (),
    sequential: bool = False,
    as_published: bool = False,
    results_file: Path | None = None,
    jobs: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Run], None] | None = None,
    before: Callable[[Schedule, float], None] | None = None,
    say: Callable[[str], None] = lambda text: None,
    cluster: str | None = None,
) -> Reproduction:
    """Play an experiment and judge its claims; ``before(schedule, seconds)`` is told the expected cost.

    ``claims``: only the games that these need (``I5`` means I5a and I5b).  ``sequential``: look at the verdicts on the way, and
    play next what decides a claim with the fewest games (sequential.py).  ``as_published``: the paper's simulations instead of
    its clock.
    ``results_file``: a file to continue and to keep up to date (icarus.arena.compact).
    """
    experiment = read_experiment(name)
    whole = experiment.schedule(scale, budget, seed, rows, as_published=as_published)
    experiment.check(rows)
    found = play_on(
        experiment, whole, budget, claims, sequential=sequential, results_file=results_file, jobs=jobs, folder=folder,
        resume=resume, progress=progress, before=before, say=say, cluster=cluster,
    )  # fmt: skip
    if not found.results.games:
        raise ArenaError(f"no game of {name} is finished yet; nothing can be shown")
    write_everything(found.results, found.verdicts, found.folder, budget=budget, jobs_seconds=found.run.seconds)
    return found


def play_on(
    experiment: Experiment,
    whole: Schedule,
    budget: float = 1.0,
    claims: Sequence[str] = (),
    *,
    sequential: bool = False,
    parts: float = math.inf,
    results_file: Path | None = None,
    jobs: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[Run], None] | None = None,
    before: Callable[[Schedule, float], None] | None = None,
    say: Callable[[str], None] = lambda text: None,
    cluster: str | None = None,
) -> Reproduction:
    """The games of an experiment and what they say, without figure and report; a sequential run ends after so many ``parts``."""
    needed = chosen_claims(experiment, whole, claims)
    target = Path(folder) if folder is not None else Path("icarus-results") / (experiment.data or experiment.name)
    looks = max((len(looks_of(cell.games)) for cell in whole.cells), default=1) if sequential else 1
    compact = Compact(experiment.data or experiment.name, whole.seed, budget, looks)
    allowed = set().union(*needed.values()) if claims or sequential else {cell.name for cell in whole.cells}
    if results_file is not None and results_file.exists():
        compact = known_results(results_file, compact, whole, allowed, say)
    if results_file is not None:
        compact = with_shared(compact, whole, allowed, results_file.parent, say)
    quick = not about_searches(claim for claim in experiment.claims if claim["id"] in needed)
    part: Schedule | None = shortened(whole, {name: whole.cell(name).games for name in allowed})
    state = Run(whole, ended="finished")
    with Store.open(target, whole, resume=resume) as store:
        while True:
            results, found = judged(experiment, whole, [*compact.records, *store.records()], budget, compact.looks)
            if results_file is not None and results.games:
                kept = replace(compact, engine=engine_digest(), records=[r for held in results.records.values() for r in held])
                write_compact(results_file, kept, whole, searches=about_searches(claims_of_file(experiment)))
            if sequential and state.ended != "interrupted":
                part = next_part(whole, results, [v for v in found if v.id in needed], allowed)
            if part is None or state.ended == "interrupted" or not parts:
                return Reproduction(experiment, results, found, state, target)
            if before is not None:
                before(part, expected_seconds(part, jobs, held_of(results)))
            state = run(
                sooner(part) if quick else part, jobs=jobs, store=store, progress=progress, cluster=cluster, known=compact.records
            )
            parts -= 1
            if not sequential:
                part = None


def judged(
    experiment: Experiment, whole: Schedule, records: Sequence[GameRecord], budget: float, looks: int
) -> tuple[Results, list[Verdict]]:
    """The games, each of them once, and what they say."""
    held = {(record.cell, record.number): record for record in records}
    results = Results(experiment, whole, list(held.values()))
    return results, verdicts(results, budget, looks)


def held_of(results: Results) -> set[tuple[str, int]]:
    return {(record.cell, record.number) for held in results.records.values() for record in held}


def chosen_claims(experiment: Experiment, schedule: Schedule, claims: Sequence[str]) -> dict[str, set[str]]:
    """The claims that are asked for (default: all), each with the cells that it needs."""
    cells = cells_of(experiment, schedule)
    for claim in claims:
        if not any(known.startswith(claim) for known in cells):
            raise ArenaError(f"{experiment.name} has no claim {claim!r}; its claims are {', '.join(cells) or 'none'}")
    return {known: cells[known] for known in cells if not claims or known.startswith(tuple(claims))}


def known_results(file: Path, own: Compact, schedule: Schedule, cells: set[str], say: Callable[[str], None]) -> Compact:
    """What a results file knows; it is refused where its games cannot be continued by this version's players."""
    found = read_compact(file, schedule)
    if (found.experiment, found.seed, found.budget) != (own.experiment, own.seed, own.budget):
        raise ArenaError(
            f"{file} holds {found.experiment} with seed {found.seed} at {found.budget:g} of the budget, "
            f"not {own.experiment} with seed {own.seed} at {own.budget:g}; name another file"
        )
    if found.engine != engine_digest():
        played = sorted({record.cell for record in found.records if schedule.cell(record.cell).kind == GAME} & cells)
        say(f"{file.name} was played by another version: playing the first game of {len(played)} cells again")
        if not same_players(found, sooner(schedule), played):
            raise ArenaError(f"{file} was played by a version whose players play otherwise; begin a new file")
        say("every move is the same: the players are equal, and the file is continued")
    return replace(found, looks=max(found.looks, own.looks))


def claims_of_file(experiment: Experiment) -> list[dict[str, Any]]:
    """The claims that rest on the same games: of every figure that shows them."""
    base = experiment.data or experiment.name
    sharing = (other for other in map(read_experiment, names()) if base in (other.data, other.name))
    return [claim for other in (experiment, *sharing) for claim in other.claims]


def about_searches(claims: Iterable[dict[str, Any]]) -> bool:
    """Is some claim about the searches, not the outcomes, of games?"""
    return any(kind in check for claim in claims for check in claim["checks"] for kind in ("visits", "deeper"))


def sooner(schedule: Schedule) -> Schedule:
    """The same moves in less time, by players whose searches end when their move is decided."""
    games = (cell for cell in schedule.cells if cell.kind == GAME)
    quick = {cell.name: tuple(str(read_player(player).sooner()) for player in cell.players) for cell in games}
    return Schedule(tuple(replace(cell, players=quick.get(cell.name, cell.players)) for cell in schedule.cells), schedule.seed)


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
    """In processor time, the best of three: what else the machine does must not count."""
    position = play_to_decision(game_named(game).start(0), seeded(0, stream=9))
    player = read_player(name)
    player.search(position, position.player, 0).run(iterations=1)
    spent = []
    for _ in range(3):
        search = player.search(position, position.player, 0)
        begun = time.process_time()
        result = search.run(iterations=PROBE)
        spent.append((time.process_time() - begun) / result.iterations)
    # a game is shorter and shorter to its end: half of what the first decision takes, on average
    return 0.5 * min(spent)


def duration(seconds: float) -> str:
    """``1 h 20 min``, for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"
