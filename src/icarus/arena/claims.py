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

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import stats

from icarus.arena.effects import effects_of
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, Results, cell_name
from icarus.arena.match import GameRecord, outcome
from icarus.arena.schedule import Schedule
from icarus.arena.statistics import LEVEL, Difference, Tally, compare, paired

HOLDS, REFUTED, OPEN = "reproduced", "not reproduced", "undecided"
SMALL = 0.02  #: a difference below this is none
TIE = 0.05  #: "the same": about what a paper with 1 000 games can see
SLACK = 0.03  #: the papers' own half width
STANDARD = 3  #: about as many standard errors as half of an interval that holds together with others
ENOUGH = 30  #: common games from which on Student's interval is trusted
UNBEATEN = 100
PRIVATE = ("cells", "to_hold", "to_refute")  #: what only the choice of games needs (sequential.py)
SPREAD = 5  #: trials beyond the first of their row from which on the spread between trials is known


@dataclass(frozen=True)
class Statement:
    """One comparison of a claim."""

    text: str
    verdict: str
    #: more games in each cell that would probably decide it
    needed: int = 0
    #: the difference, ratio or rate that was judged, with its interval
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    #: the cells whose games it compares
    cells: frozenset[str] = frozenset()
    #: more games in each cell that would confirm or refute it, were the truth a standard error on that side of what was seen
    to_hold: float = 0.0
    to_refute: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """What the games say about a claim."""

    id: str
    claim: str
    statements: tuple[Statement, ...]
    #: share of the paper's budget at which the games were played
    budget: float = 1.0

    @property
    def verdict(self) -> str:
        """Undecided, whatever the games say, if they were played with another budget than the paper's."""
        return self.at_this_budget if self.budget == 1 else OPEN

    @property
    def at_this_budget(self) -> str:
        found = {statement.verdict for statement in self.statements}
        if REFUTED in found:
            return REFUTED
        return HOLDS if found == {HOLDS} else OPEN

    @property
    def needed(self) -> int:
        """More games per cell, as far as they can be foreseen."""
        return max((statement.needed for statement in self.statements if statement.verdict == OPEN), default=0)

    @property
    def undecided_cells(self) -> set[str]:
        """The cells in which more games can still decide something; none if the claim is decided."""
        if self.at_this_budget != OPEN:
            return set()
        return set().union(*(statement.cells for statement in self.statements if statement.verdict == OPEN))

    def as_dict(self) -> dict[str, Any]:
        statements = [
            {name: value for name, value in statement.__dict__.items() if name not in PRIVATE} for statement in self.statements
        ]
        more = self.needed if self.verdict == OPEN else 0
        return {
            "id": self.id,
            "claim": self.claim,
            "verdict": self.verdict,
            "games_needed": more,
            "budget": self.budget,
            "at_this_budget": self.at_this_budget,
            "statements": statements,
        }


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


def further(games: float, half: float, margin: float) -> float:
    """How many more games bring half of an interval below a margin that is a standard error larger than it looks."""
    hoped = margin + half / STANDARD
    return max(games * ((half / hoped) ** 2 - 1), 1.0) if hoped > 0 else math.inf


def _statements(results: Results, claim: dict[str, Any], level: float) -> tuple[Statement, ...]:
    """Every statement of a claim, with the cells that were looked at for it."""
    noted = _Noting(results)
    found = []
    for check in claim["checks"]:
        for statement in _Judge(noted, level).statements(check):
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


class _Judge:
    def __init__(self, results: Results, level: float) -> None:
        self.results, self.level, self.draws = results, level, results.experiment.draws
        self.round_robin = results.experiment.layout == "round-robin"

    def statements(self, check: dict[str, Any]) -> Iterator[Statement]:
        kinds: dict[str, Callable[[dict[str, Any]], Iterator[Statement]]] = {
            "better": self.better, "not_worse": self.not_worse, "same": self.same, "factor": self.factor, "rate": self.rate,
            "difference": self.difference, "gain": self.gain, "unbeaten": self.unbeaten, "row_better": self.row_better,
            "beats_opponent": self.beats_opponent, "loses_to_opponent": self.loses_to_opponent,
            "holds_against_opponent": self.holds_against_opponent, "average": self.average,
            "anova": self.variance, "visits": self.visits, "deeper": self.deeper,
            "total": self.total, "reaches": self.reaches,
            "slower": self.slower, "at_least": self.at_least, "falls": self.falls, "times": self.times,
            "exceeds": self.exceeds, "published": self.published, "days": self.days,
        }  # fmt: skip
        for kind, judge in kinds.items():
            if kind in check:
                yield from judge(check)
                return
        raise ArenaError(f"{self.results.experiment.name}: the check {check} is of no known kind")

    def rows(self, check: dict[str, Any]) -> list[str]:
        return check.get("rows") or [row.name for row in self.results.experiment.rows]

    # --- differences -------------------------------------------------------------------------------------------------

    def between(self, row: str, a: str, b: str, seat: int | None = None) -> Difference:
        """Score of A minus score of B; over common deals where they play the same opponent."""
        if self.round_robin:
            return self.in_round_robin(row, a, b, seat)
        return self.of_cells(cell_name(row, a), cell_name(row, b))

    def of_cells(self, first: str, second: str) -> Difference:
        sides = [self.scores(name) for name in (first, second)]
        common = sorted(set(sides[0]) & set(sides[1]))
        if len(common) >= ENOUGH:
            return paired([sides[0][n] for n in common], [sides[1][n] for n in common], self.level)
        return compare(self.results.cell_tally(first), self.results.cell_tally(second), self.draws, self.level)

    def scores(self, name: str) -> dict[int, float]:
        """The scores of a cell's player, game by game."""
        cell = self.results.schedule.cell(name)
        found = {record.number: outcome(cell, record, 0) for record in self.results.of_cell(name)}
        return {number: 0.0 if self.draws == "loss" and score == 0.5 else score for number, score in found.items()}

    def in_round_robin(self, row: str, a: str, b: str, seat: int | None) -> Difference:
        """Totals over all opponents.  Games between A and B count for both, so the spread is taken game by game."""
        seats = (0, 1) if seat is None else (seat,)
        labels = self.results.experiment.labels
        totals = {x: sum((self.results.seat_total(row, x, s) for s in seats), Tally()) for x in (a, b)}
        if not totals[a].games or not totals[b].games:
            return Difference(math.nan, -1.0, 1.0, 1.0, 0)
        weight = {a: 1 / totals[a].games, b: -1 / totals[b].games}
        variance = 0.0
        for first in labels:
            for second in labels:
                share = [weight.get(label, 0.0) if s in seats else 0.0 for s, label in enumerate((first, second))]
                tally = self.results.tally(row, first, second)
                if first == second or not any(share) or not tally.games:
                    continue
                values = np.repeat([1.0, 0.5, 0.0], [tally.wins + 1, tally.draws, tally.losses + 1])
                half = values if self.draws == "half" else np.where(values == 0.5, 0.0, values)
                other = 1 - values if self.draws == "half" else np.where(values == 0.0, 1.0, 0.0)
                variance += tally.games * float(np.var(share[0] * half + share[1] * other))
        estimate = totals[a].rate(self.draws) - totals[b].rate(self.draws)
        half_width = float(stats.norm.isf((1 - self.level) / 2)) * math.sqrt(variance)
        p = 2 * float(stats.norm.sf(abs(estimate) / math.sqrt(variance))) if variance else 1.0
        # games per cell, twice: what ``state`` reckons with
        cells = len(seats) * (len(labels) - 1)
        return Difference(estimate, estimate - half_width, estimate + half_width, p, 2 * totals[a].games // cells)

    def state(
        self, what: str, found: Difference, holds: bool, refuted: bool, target: float, toward: tuple[float, float]
    ) -> Statement:
        """``toward``: how far the estimate is on the side that confirms, and on the side that refutes."""
        if found.games == 0 or math.isnan(found.estimate):
            return Statement(f"{what}: not played", OPEN)
        text = f"{what}: {100 * found.estimate:+.1f} points [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
        measured = found.estimate, found.low, found.high
        if holds or refuted:
            return Statement(text, HOLDS if holds else REFUTED, 0, *measured)
        games = found.games / 2
        half = (found.high - found.low) / 2
        more = math.ceil(games * ((half / max(abs(target), 0.005)) ** 2 - 1)) if half > abs(target) else 1
        to_hold, to_refute = (further(games, half, margin) for margin in toward)
        return Statement(text, OPEN, more, *measured, to_hold=to_hold, to_refute=to_refute)

    def is_better(self, what: str, found: Difference) -> Statement:
        target = found.estimate if found.estimate > SMALL else SMALL
        return self.state(what, found, found.low > 0, found.high < SMALL, target, (found.estimate, SMALL - found.estimate))

    def is_same(self, what: str, found: Difference) -> Statement:
        within, beyond = found.low > -TIE and found.high < TIE, found.low > TIE or found.high < -TIE
        room = TIE - abs(found.estimate)
        return self.state(what, found, within, beyond, max(room, 0.0), (room, -room))

    def is_not_worse(self, what: str, found: Difference) -> Statement:
        toward = SLACK + found.estimate, -found.estimate
        return self.state(what, found, found.low > -SLACK, found.high < 0, SLACK + found.estimate, toward)

    def is_value(self, what: str, found: Difference, value: float) -> Statement:
        narrow = (found.high - found.low) / 2 <= TIE
        outside = not found.low - SLACK <= value <= found.high + SLACK
        inside = found.low - SLACK / 3 <= value <= found.high + SLACK / 3
        off = abs(found.estimate - value)
        toward = TIE if off < TIE + SLACK / 3 else -math.inf, off - SLACK
        return self.state(f"{what}, published {100 * value:.1f}", found, inside and narrow, outside, TIE, toward)

    def better(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            for other in check["than"]:
                yield self.is_better(f"{row}: {check['better']} over {other}", self.between(row, check["better"], other))

    def not_worse(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            for other in check["than"]:
                name = check["not_worse"]
                yield self.is_not_worse(f"{row}: {name} not below {other}", self.between(row, name, other))

    def same(self, check: dict[str, Any]) -> Iterator[Statement]:
        a, b = check["same"]
        for row in self.rows(check):
            yield self.is_same(f"{row}: {a} like {b}", self.between(row, a, b))

    def difference(self, check: dict[str, Any]) -> Iterator[Statement]:
        a, b = check["difference"]
        for row in self.rows(check):
            found = self.between(row, a, b, check.get("seat"))
            yield self.is_value(f"{row}: {a} - {b}", found, check["value"])

    def rate(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            tally = self.results.tally(row, check["rate"])
            low, high = tally.interval(self.draws, self.level) if tally.games else (0.0, 1.0)
            found = Difference(tally.rate(self.draws), low, high, 1.0, 2 * tally.games)
            yield self.is_value(f"{row}: {check['rate']}", found, check["value"])

    def over_even(self, row: str, label: str, sign: int = 1) -> Difference:
        """A's score minus a half, or the reverse."""
        tally = self.results.tally(row, label)
        if not tally.games:
            return Difference(math.nan, -1.0, 1.0, 1.0, 0)
        low, high = tally.interval(self.draws, self.level)
        ends = sorted((sign * (low - 0.5), sign * (high - 0.5)))
        return Difference(sign * (tally.rate(self.draws) - 0.5), ends[0], ends[1], 1.0, 2 * tally.games)

    def beats_opponent(self, check: dict[str, Any]) -> Iterator[Statement]:
        name = check["beats_opponent"]
        for row in self.rows(check):
            yield self.is_better(f"{row}: {name} over a half", self.over_even(row, name))

    def loses_to_opponent(self, check: dict[str, Any]) -> Iterator[Statement]:
        name = check["loses_to_opponent"]
        for row in self.rows(check):
            yield self.is_better(f"{row}: {name} below a half by", self.over_even(row, name, -1))

    def holds_against_opponent(self, check: dict[str, Any]) -> Iterator[Statement]:
        name = check["holds_against_opponent"]
        for row in self.rows(check):
            yield self.is_not_worse(f"{row}: {name} not below a half", self.over_even(row, name))

    def average(self, check: dict[str, Any]) -> Iterator[Statement]:
        """Over all rows, each of which weighs the same; nothing is known before all of them have been played."""
        name, rows = check["average"], self.rows(check)
        for other in check.get("over", []):
            found = _mean_of([self.between(row, name, other) for row in rows])
            small = SMALL / 2  # a mean over many games is known better than a single one
            target = found.estimate if found.estimate > small else small
            toward = found.estimate, small - found.estimate
            yield self.state(f"mean of {name} - {other}", found, found.low > 0, found.high < small, target, toward)
        if "value" in check:
            found = _mean_of([self.over_even(row, name) for row in rows])
            shifted = Difference(found.estimate + 0.5, found.low + 0.5, found.high + 0.5, found.p, found.games)
            yield self.is_value(f"mean of {name}", shifted, check["value"])

    def row_better(self, check: dict[str, Any]) -> Iterator[Statement]:
        for label in check["labels"]:
            found = self.of_cells(cell_name(check["row_better"], label), cell_name(check["than_row"], label))
            yield self.is_better(f"{check['row_better']} over {check['than_row']} at {label}", found)

    def factor(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            found = self.of_factor(row, check["factor"])
            effect = check["effect"]
            what = f"{row}: {check['factor']} {effect}"
            turned = Difference(-found.estimate, -found.high, -found.low, found.p, found.games)
            if effect == "up":
                judged = self.is_better(what, found)
            elif effect == "down":
                shown = self.state(what, found, True, False, 1, (0, 0))
                judged = replace(
                    self.is_better(what, turned), text=shown.text, effect=shown.effect, low=shown.low, high=shown.high
                )
            elif effect == "none":
                judged = self.is_same(what, found)
            else:
                judged = self.is_not_worse(what, found)
            if self.lacking(row):
                short = replace(
                    judged, text=f"{what}: some combinations were not played", verdict=OPEN, effect=None, low=None, high=None
                )
                judged = short if judged.verdict == OPEN else replace(short, to_hold=1.0, to_refute=1.0)
            yield judged

    def lacking(self, row: str) -> bool:
        """Is there a combination of enhancements without a game?"""
        return not all(self.results.of_cell(cell_name(row, label)) for label in self.results.experiment.labels)

    def of_factor(self, row: str, factor: str) -> Difference:
        """All combinations with an enhancement against all without, each of which weighs the same; deal by deal where that goes.

        Without games of all combinations it is only a guess, for the choice of the next games: those of what was played.
        """
        labels = self.results.experiment.labels
        if self.lacking(row):
            with_it, without = (self.results.with_factor(row, factor, present) for present in (True, False))
            played = (with_it.games + without.games) // len(labels)
            return replace(compare(with_it, without, self.draws, self.level), games=2 * played)
        scores = {label: self.scores(cell_name(row, label)) for label in labels}
        common = sorted(set.intersection(*(set(found) for found in scores.values())))
        if len(common) >= ENOUGH:
            on, off = (
                [float(np.mean([scores[label][n] for label in labels if (factor in label) == present])) for n in common]
                for present in (True, False)
            )
            return replace(paired(on, off, self.level), games=2 * len(common))
        estimate = variance = 0.0
        for present in (True, False):
            side = [list(scores[label].values()) for label in labels if (factor in label) == present]
            estimate += (1 if present else -1) * float(np.mean([np.mean(found) for found in side]))
            # a win and a loss more, so that a few equal games do not count as certain
            variance += sum(float(np.var([*found, 0.0, 1.0])) / len(found) for found in side) / len(side) ** 2
        half = float(stats.norm.isf((1 - self.level) / 2)) * math.sqrt(variance)
        return Difference(estimate, estimate - half, estimate + half, 1.0, 2 * min(map(len, scores.values())))

    def gain(self, check: dict[str, Any]) -> Iterator[Statement]:
        a, b, most = check["gain"], check["over"], check["most_in"]
        for row in self.rows(check):
            if row == most:
                continue
            there, here = self.between(most, a, b), self.between(row, a, b)
            estimate = there.estimate - here.estimate
            half = math.hypot((there.high - there.low) / 2, (here.high - here.low) / 2)
            games = min(there.games, here.games)
            found = Difference(estimate, estimate - half, estimate + half, 1.0, games)
            yield self.is_better(f"gain in {most} over that in {row}", found)

    def unbeaten(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            for name in check["unbeaten"]:
                tallies = [self.results.tally(row, name, other) for other in check["by"]]
                tallies += [self.results.tally(row, other, name, 1) for other in check["by"]]
                total = sum(tallies, Tally())
                text = f"{row}: {name} lost {total.losses} of {total.games}"
                verdict = REFUTED if total.losses else HOLDS if total.games >= UNBEATEN else OPEN
                yield Statement(text, verdict, math.ceil(max(UNBEATEN - total.games, 0) / max(len(tallies), 1)))

    def variance(self, check: dict[str, Any]) -> Iterator[Statement]:
        rows, labels = self.rows(check), self.results.experiment.labels
        games = min(self.results.tally(row, label).games for row in rows for label in labels)
        effect = (
            next((e for e in effects_of(self.results, rows, self.level) if e.factor == check["anova"]), None) if games else None
        )
        if effect is None:
            yield Statement(f"{check['anova']} over all rows: not played", OPEN)
            return
        sure = effect.estimate > 0 and effect.p < check["p"]
        found = Difference(effect.estimate, effect.low, effect.high, effect.p, 2 * games)
        what = f"{check['anova']} over all rows (F = {effect.f:.1f}, p = {effect.p:.2g})"
        toward = effect.estimate, SMALL - effect.estimate
        yield self.state(what, found, sure, effect.high < SMALL, max(effect.estimate, SMALL) / 2, toward)

    # --- searches of played games ------------------------------------------------------------------------------------

    def of_searches(self, row: str, label: str, value: str) -> dict[int, float]:
        """What the searches of a column's player were like, game by game: ``share`` or ``depth``."""
        records = self.results.of_cell(cell_name(row, label))
        found = {record.number: float(getattr(record, value)[record.seating.index(0)]) for record in records}
        return {number: number_found for number, number_found in found.items() if number_found > 0}

    def paired_searches(self, row: str, a: str, b: str, value: str) -> list[tuple[float, float]]:
        first, second = self.of_searches(row, a, value), self.of_searches(row, b, value)
        return [(first[n], second[n]) for n in sorted(set(first) & set(second))]

    def visits(self, check: dict[str, Any]) -> Iterator[Statement]:
        name, low, high = check["visits"], check.get("low", 0.0), check.get("high", math.inf)
        for other in check["over"]:
            groups = {"all": self.rows(check)} if check.get("together") else {row: [row] for row in self.rows(check)}
            for group, rows in groups.items():
                found = [[a / b for a, b in self.paired_searches(row, name, other, "share")] for row in rows]
                yield self.is_mean_ratio(f"{group}: visits of the chosen move, {name} over {other}, ×", found, low, high)

    def deeper(self, check: dict[str, Any]) -> Iterator[Statement]:
        name, low, high = check["deeper"], check["low"], check.get("high", math.inf)
        for other in check["than"]:
            plies = [[a - b for a, b in self.paired_searches(row, name, other, "depth")] for row in self.rows(check)]
            what = f"deepest node of {name} below that of {other}, plies:"
            if sum(map(len, plies)) < ENOUGH or min(map(len, plies)) < 2:
                yield Statement(f"{what} not played often enough", OPEN, ENOUGH)
                continue
            middle, half = mean_of_rows(plies, self.level)
            text = f"{what} {middle:+.2f} [{middle - half:+.2f}, {middle + half:+.2f}]"
            measured = middle, middle - half, middle + half
            yield self.between_bounds(text, measured, half, min(map(len, plies)), low, high)

    def days(self, check: dict[str, Any]) -> Iterator[Statement]:
        """What all games would take on one core, by the mean of those of each row that were played."""
        experiment = self.results.experiment
        rows = {
            row: [record.elapsed for label in experiment.labels for record in self.results.of_cell(cell_name(row, label))]
            for row in self.rows(check)
        }
        missing = [row for row, played in rows.items() if not played]
        if missing:
            yield Statement(f"{', '.join(missing)}: not played", OPEN, 1)
            return
        total = sum(sum(played) / len(played) for played in rows.values()) * len(experiment.labels) * experiment.games
        found = total / 86400
        fits = check["days"] / 2 <= found <= check["days"] * 2
        text = f"all games on one core: {found:.3g} days, published {check['days']:g}"
        yield Statement(text, HOLDS if fits else REFUTED, 0, found)

    # --- measured numbers --------------------------------------------------------------------------------------------

    def slower(self, check: dict[str, Any]) -> Iterator[Statement]:
        low, high = check.get("low", 0.0), check.get("high", math.inf)
        for row in self.rows(check):
            ratios = self.ratios(row, check["than"], check["slower"], "speed")
            yield self.is_ratio(f"{row}: {check['slower']} against {check['than']}, time per iteration ×", ratios, low, high)

    def falls(self, check: dict[str, Any]) -> Iterator[Statement]:
        labels = self.results.experiment.labels
        for row in self.rows(check):
            for before, after in pairwise(labels):
                what = f"{row}: {check['falls']} at {before} over those at {after}, ×"
                yield self.is_ratio(what, self.ratios(row, before, after, check["falls"]), check["by"], math.inf)

    def times(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            what = f"{row}: {check['times']} of {check['of']} over those of {check['over']}, ×"
            ratios = self.ratios(row, check["of"], check["over"], check["times"])
            yield self.is_ratio(what, ratios, check["low"], check.get("high", math.inf))

    def exceeds(self, check: dict[str, Any]) -> Iterator[Statement]:
        for name, value in self.results.experiment.published.items():
            row, _, label = name.partition(" · ")
            ratios = [found / value for found in self.results.values(row, label, check["exceeds"])]
            yield self.is_ratio(f"{name}: {check['exceeds']} over the published {value:g}, ×", ratios, check["by"], math.inf)

    def ratios(self, row: str, of: str, over: str, value: str) -> list[float]:
        """What one column measured over what another did, trial by trial: the same deal, the same moment of the game."""
        one, other = (
            {record.number: dict(record.values)[value] for record in self.results.of_cell(cell_name(row, label))}
            for label in (of, over)
        )
        found = (one[number] / other[number] for number in sorted(one.keys() & other.keys()))
        return [ratio for ratio in found if not math.isnan(ratio)]

    def is_ratio(self, what: str, ratios: list[float], low: float, high: float) -> Statement:
        return self.is_mean_ratio(what, [ratios], low, high)

    def is_mean_ratio(self, what: str, rows: list[list[float]], low: float, high: float) -> Statement:
        """Is the geometric mean of some ratios between two bounds?"""
        if min(map(len, rows)) < 2:
            return Statement(f"{what}: not measured", OPEN, 2)
        middle, half = mean_of_rows([[math.log(ratio) for ratio in ratios] for ratios in rows], self.level)
        with np.errstate(over="ignore"):  # two measurements say next to nothing
            bounds = float(np.exp(middle - half)), float(np.exp(middle + half))
        text = f"{what} {math.exp(middle):.3g} [{bounds[0]:.3g}, {bounds[1]:.3g}]"
        with np.errstate(divide="ignore"):  # a bound of 0 is none
            ends = float(np.log(low)), float(np.log(high))
        found = self.between_bounds(text, (middle, middle - half, middle + half), half, min(map(len, rows)), *ends)
        return replace(found, effect=math.exp(middle), low=bounds[0], high=bounds[1])

    def between_bounds(
        self, text: str, measured: tuple[float, float, float], half: float, each: int, low: float, high: float
    ) -> Statement:
        """Does a measured mean lie between two bounds, with all of its interval?"""
        middle, least, most = measured
        if low <= least and most <= high:
            return Statement(text, HOLDS, 0, *measured)
        if most < low or least > high:
            return Statement(text, REFUTED, 0, *measured)
        inside = min(middle - low, high - middle)
        to_hold, to_refute = further(each, half, inside), further(each, half, -inside)
        return Statement(text, OPEN, each, *measured, to_hold=to_hold, to_refute=to_refute)

    def at_least(self, check: dict[str, Any]) -> Iterator[Statement]:
        for row in self.rows(check):
            for label in self.results.experiment.labels:
                speeds = self.results.values(row, label, "speed")
                if not speeds:
                    yield Statement(f"{row}: {label}: not measured", OPEN, 2)
                    continue
                mean = float(np.mean(speeds))
                yield Statement(f"{row}: {label} {mean:,.0f} per second", HOLDS if mean >= check["at_least"] else REFUTED)

    def total(self, check: dict[str, Any]) -> Iterator[Statement]:
        """The sum over the rows of the means; the spread between trials is taken to be that of all rows measured twice."""
        label, least = check["total"], check["at_least"]
        found = [self.results.values(row, label, check["value"]) for row in self.rows(check)]
        what, freedom = f"{label}: {check['value']} in total", sum(len(trials) - 1 for trials in found if trials)
        if not all(found) or freedom < SPREAD:
            yield Statement(f"{what}: not measured often enough", OPEN, 2)
            return
        total = sum(float(np.mean(trials)) for trials in found)
        variance = sum(float(np.var(trials)) * len(trials) for trials in found) / freedom
        error = math.sqrt(sum(variance / len(trials) for trials in found))
        half = float(stats.t.isf((1 - self.level) / 2, freedom)) * error
        judged = HOLDS if total - half >= least else REFUTED if total + half < least else OPEN
        text = f"{what} {total:,.0f} [{total - half:,.0f}, {total + half:,.0f}], published {least:,}"
        more = 0 if judged != OPEN else min(map(len, found))
        yield Statement(text, judged, more, total, total - half, total + half)

    def reaches(self, check: dict[str, Any]) -> Iterator[Statement]:
        labels, rows = check["reaches"], self.rows(check)
        best = [max(max(self.results.values(row, label, check["what"]), default=-math.inf) for label in labels) for row in rows]
        what = f"{', '.join(rows) if len(rows) < 4 else f'{len(rows)} rows'}: the best of {' and '.join(labels)}"
        if not all(map(math.isfinite, best)):
            yield Statement(f"{what}: not measured", OPEN, 1)
            return
        text = f"{what} {sum(best):,g}, published {check['value']:,}"
        yield Statement(text, HOLDS if sum(best) >= check["value"] else OPEN, 0, sum(best))

    def published(self, check: dict[str, Any]) -> Iterator[Statement]:
        for name, value in self.results.experiment.published.items():
            row, _, label = name.partition(" · ")
            found = self.results.values(row, label, check["published"])
            if len(found) < 2:
                yield Statement(f"{name}: not measured", OPEN, 2)
                continue
            mean, error = float(np.mean(found)), float(np.std(found, ddof=1)) / math.sqrt(len(found))
            room, half = check["within"] * value, float(stats.t.isf((1 - self.level) / 2, len(found) - 1)) * error
            text = f"{name}: {mean:.1f} ± {half:.1f}, published {value:g}"
            enough = len(found) >= ENOUGH
            inside, outside = enough and abs(mean - value) + half <= 2 * room, enough and abs(mean - value) - half > room
            more = math.ceil(len(found) * ((half / room) ** 2 - 1)) if half > room else max(len(found), ENOUGH - len(found))
            judged = HOLDS if inside else REFUTED if outside else OPEN
            yield Statement(text, judged, 0 if judged != OPEN else more, mean, mean - half, mean + half)


def mean_of_rows(rows: list[list[float]], level: float) -> tuple[float, float]:
    """The mean of the rows' means, and half of its interval.

    Every row weighs the same, however many games it has had so far: where some were played more often than others, a mean over
    all games would move with what was played.  Degrees of freedom are Welch's; with one row it is Student's interval.
    """
    errors = np.array([np.var(found, ddof=1) / len(found) for found in rows])
    spread = float((errors**2 / np.array([len(found) - 1 for found in rows])).sum())
    freedom = float(errors.sum()) ** 2 / spread if spread else 1.0
    half = float(stats.t.isf((1 - level) / 2, freedom)) * math.sqrt(float(errors.sum())) / len(rows)
    return float(np.mean([np.mean(found) for found in rows])), half


def _mean_of(found: list[Difference]) -> Difference:
    """The mean of independent differences."""
    if any(math.isnan(one.estimate) for one in found):
        return Difference(math.nan, -1.0, 1.0, 1.0, 0)
    estimate = sum(one.estimate for one in found) / len(found)
    half = math.hypot(*((one.high - one.low) / 2 for one in found)) / len(found)
    return Difference(estimate, estimate - half, estimate + half, 1.0, min(one.games for one in found))
