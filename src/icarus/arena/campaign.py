"""All claims of the papers at once: the next games are always those of the open claim that is cheapest to decide.

A step is the games up to the next look at one comparison of one experiment (sequential.py), after which everything is judged
anew.  The results files of all experiments lie in one folder, so that a campaign can be interrupted, and continued elsewhere.
A claim that has fallen in one of its parts needs no games for the others, and one that all games of a comparison have left open
is played on only where it is named.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from icarus.arena.claims import exhausted
from icarus.arena.compact import Compact, read_compact
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, names, read_experiment
from icarus.arena.match import GameRecord
from icarus.arena.reproduce import judged, play_on
from icarus.arena.runner import Run
from icarus.arena.schedule import GAME, Schedule
from icarus.arena.sequential import LOOKS, Market
from icarus.arena.sharing import shared
from icarus.arena.statement import REFUTED, Verdict
from icarus.arena.verdicts import base_of, listed


@dataclass(frozen=True)
class Step:
    """What may be played next: a claim of an experiment, and what deciding it would probably cost."""

    seconds: float
    experiment: str
    claim: str
    comparison: str

    def told(self, verdict: Verdict) -> str:
        """The same comparison after the step."""
        what = self.comparison.rpartition(":")[0]
        return next(statement.text for statement in verdict.statements if statement.text.startswith(f"{what}:"))


def campaign(
    folder: Path,
    claims: Sequence[str] = (),
    *,
    games: Path,
    seconds: float | None = None,
    budget: float = 1.0,
    jobs: int | None = None,
    progress: Callable[[Run], None] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[tuple[Step, Verdict]]:
    """Play step after step, and yield each with the verdict on its claim, until nothing is open or the time is over.

    ``folder``: the results files.  ``games``: where the stores of games are kept.  ``seconds``: no step begins after so many.
    Experiments by the clock are played with the paper's simulations where it says how many they were (``--as-published``).
    """
    begun = time.monotonic()
    while seconds is None or time.monotonic() - begun < seconds:
        steps = open_steps(folder, claims, budget)
        if not steps:
            return
        step = min(steps, key=lambda step: step.seconds)
        experiment = read_experiment(step.experiment)
        store = games / (experiment.data or experiment.name)
        found = play_on(
            experiment, whole_of(experiment, budget), budget, [step.claim], sequential=True, parts=1, jobs=jobs, folder=store,
            resume=store.exists(), results_file=file_of(folder, experiment), progress=progress, say=say,
        )  # fmt: skip
        yield step, next(verdict for verdict in found.verdicts if verdict.id == step.claim)
        if found.run.ended == "interrupted":
            return


def open_steps(folder: Path, claims: Sequence[str] = (), budget: float = 1.0) -> list[Step]:
    """A step for every claim, or part of one, that more games can decide: of those named, or of all in the table of verdicts."""
    in_table = {name for of_paper in listed().values() for name in of_paper}
    found: dict[str, list[Step | None]] = {}
    over = set()
    for experiment in map(read_experiment, names()):
        if experiment.layout == "measure":  # its trials want a machine to themselves: one command each
            continue
        ids = [claim["id"] for claim in experiment.claims]
        wanted = [name for name in ids if (name.startswith(tuple(claims)) if claims else base_of(name) in in_table)]
        if not wanted:
            continue
        whole = whole_of(experiment, budget)
        results, judgement = judged(experiment, whole, known_games(folder, experiment, whole, budget), budget, len(LOOKS))
        market = Market(whole, results, {cell.name for cell in whole.cells if cell.kind == GAME})
        for verdict in judgement:
            offer = market.offer(verdict) if verdict.id in wanted else None
            step = None if offer is None else Step(offer.seconds, experiment.name, verdict.id, offer.statement.text)
            found.setdefault(base_of(verdict.id), []).append(step)
            if verdict.at_this_budget == REFUTED or (exhausted(verdict, results) and not claims):
                over.add(base_of(verdict.id))
    if claims and not found:
        raise ArenaError(f"no experiment has a claim {', '.join(claims)}; `icarus reproduce --list` shows them")
    return [step for claim, parts in found.items() if claim not in over for step in parts if step is not None]


def whole_of(experiment: Experiment, budget: float) -> Schedule:
    by_clock = bool(experiment.simulations or experiment.per_second)
    return experiment.schedule(budget=budget, as_published=by_clock)


def known_games(folder: Path, experiment: Experiment, whole: Schedule, budget: float) -> list[GameRecord]:
    """What is in the results file, or will be, since another one has it."""
    file = file_of(folder, experiment)
    own = read_compact(file, whole) if file.exists() else Compact(experiment.data or experiment.name, whole.seed, budget)
    others = shared(own, whole, [cell.name for cell in whole.cells], folder)
    return [*own.records, *(record for found in others for _, _, taken in found.games for record in taken)]


def file_of(folder: Path, experiment: Experiment) -> Path:
    return folder / f"{experiment.data or experiment.name}.json"
