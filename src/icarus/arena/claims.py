"""From games to verdicts: is a paper's claim reproduced, not reproduced, or undecided, and how many games would decide it?

A claim is a list of checks, and a check becomes one statement for each row and opponent that it names.  A claim is *reproduced*
if all of its statements hold, *not reproduced* if one of them is refuted, and *undecided* otherwise.  One of many intervals is
soon wrong, so a statement is refuted only by an interval that holds together with those of all others of its claim (Bonferroni).
It holds by its own interval: a claim that is false has a false statement, and that one would have to hold by mistake.

=========================================  ====================================================================================
``better = A, than = [B, …]``              the interval of A - B is above zero; refuted if it is below 2 points
``not_worse = A, than = [B, …]``           it is above -3 points; refuted if it is below zero
``same = [A, B]``                          it lies within 5 points of zero; refuted if it is beyond them
``factor = N, effect = up|down|none|…``    the same for all combinations with and without an enhancement
``rate = A, value = x``                    the published rate is in the interval; refuted if it is 3 points outside
``difference = [A, B], value = x``         the same for a published difference
``gain = A, over = B, most_in = row``      A - B is larger there than in every other row
``unbeaten = [A, …], by = [B, …]``         not one loss in at least 100 games
``beats_opponent = A``                     A's score is above a half; refuted if it is below 52 %
``loses_to_opponent = A``                  it is below a half; refuted if it is above 48 %
``holds_against_opponent = A``             it is above 47 %; refuted if it is below a half
``average = A, over = [B, …]``             the mean of A - B over the rows is above zero; refuted if it is below one point
``average = A, value = x``                 the published mean over the rows is in its interval; refuted if it is 3 points outside
``anova = N, p = x``                       over all rows N adds to the score, at this level; refuted if it adds less than 2 points
``visits = A, over = [B, …]``              A's share of visits for its chosen move over B's is between ``low`` and ``high``
``deeper = A, than = [B, …]``              A's deepest node is between ``low`` and ``high`` plies below B's, over all rows
``days = x``                               all games of the experiment take the published processor time, within a factor of two
``slower, at_least, falls, times,
exceeds, published``                       of measured numbers
``total = A, at_least = x``                what A measured, summed over the rows, is above x; refuted if it is below
``reaches = [A, …], value = x``            the best of all trials of A, … does, summed over the rows; never refuted: more might
=========================================  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from icarus.arena.differences import Differences
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, Results
from icarus.arena.match import GameRecord
from icarus.arena.measurements import Measurements
from icarus.arena.schedule import Schedule
from icarus.arena.statement import HOLDS, Statement, Verdict
from icarus.arena.statistics import LEVEL


def verdicts(results: Results, budget: float = 1.0, looks: int = 1) -> list[Verdict]:
    """A verdict on every claim of an experiment, played at this share of the paper's budget.

    ``looks``: how often the verdicts may be looked at while games are being played; the intervals of all of them hold together.
    """
    found = []
    for claim in results.experiment.claims:
        alone = _statements(results, claim, 1 - (1 - LEVEL) / looks)
        together = _statements(results, claim, 1 - (1 - LEVEL) / (max(len(alone), 1) * looks))
        statements = tuple(own if own.verdict == HOLDS else joint for own, joint in zip(alone, together, strict=True))
        found.append(Verdict(claim["id"], claim["text"], statements, budget))
    return found


def _statements(results: Results, claim: dict[str, Any], level: float) -> tuple[Statement, ...]:
    """Every statement of a claim, with the cells that were looked at for it."""
    noted = _Noting(results)
    found = []
    for check in claim["checks"]:
        for statement in _judge(noted, level, check):
            found.append(replace(statement, cells=frozenset(noted.taken())))
    return tuple(found)


def cells_of(experiment: Experiment, schedule: Schedule) -> dict[str, set[str]]:
    """The cells on which each claim of an experiment depends: those that its checks look at."""
    known = {cell.name for cell in schedule.cells}
    nothing = Results(experiment, schedule, [])
    return {
        claim["id"]: known & set().union(*(statement.cells for statement in _statements(nothing, claim, LEVEL)))
        for claim in experiment.claims
    }


def exhausted(verdict: Verdict, results: Results) -> list[Statement]:
    """The open comparisons that have had all of the paper's games: the claim cannot be confirmed any more."""

    def over(statement: Statement) -> bool:
        cells = [results.schedule.cell(name) for name in statement.cells]
        return bool(cells) and all(len(results.of_cell(cell.name)) >= cell.games for cell in cells)

    return [statement for statement in verdict.open if over(statement)]


class _Noting(Results):
    """The games of others; notes the cells that are asked for."""

    def __init__(self, held: Results) -> None:
        super().__init__(held.experiment, held.schedule, [])
        self.records = held.records
        self._seen: set[str] = set()

    def of_cell(self, name: str) -> list[GameRecord]:
        self._seen.add(name)
        return super().of_cell(name)

    def taken(self) -> set[str]:
        """The cells that were asked for since the last call."""
        seen, self._seen = self._seen, set()
        return seen


def _judge(results: Results, level: float, check: dict[str, Any]) -> Iterator[Statement]:
    """What one check says of each row and opponent that it names."""
    for judge in (Differences(results, level), Measurements(results, level)):
        for kind in judge.KINDS:
            if kind in check:
                yield from getattr(judge, kind)(check)
                return
    raise ArenaError(f"{results.experiment.name}: the check {check} is of no known kind")
