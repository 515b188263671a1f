"""Checks of scores: who is better, the same, or as good as published, by how the games ended."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from icarus.arena.effects import effects_of
from icarus.arena.experiment import Results, cell_name
from icarus.arena.match import outcome
from icarus.arena.statement import ENOUGH, HOLDS, OPEN, REFUTED, SLACK, SMALL, TIE, UNBEATEN, Statement, further
from icarus.arena.statistics import Difference, Tally, compare, paired


class Differences:
    """A method per kind of check (claims.py says what each means)."""

    KINDS = (
        "better", "not_worse", "same", "factor", "rate", "difference", "gain", "unbeaten", "row_better", "beats_opponent",
        "loses_to_opponent", "holds_against_opponent", "average", "anova",
    )  # fmt: skip

    def __init__(self, results: Results, level: float) -> None:
        self.results, self.level, self.draws = results, level, results.experiment.draws
        self.round_robin = results.experiment.layout == "round-robin"

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

    def anova(self, check: dict[str, Any]) -> Iterator[Statement]:
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


def _mean_of(found: list[Difference]) -> Difference:
    """The mean of independent differences."""
    if any(math.isnan(one.estimate) for one in found):
        return Difference(math.nan, -1.0, 1.0, 1.0, 0)
    estimate = sum(one.estimate for one in found) / len(found)
    half = math.hypot(*((one.high - one.low) / 2 for one in found)) / len(found)
    return Difference(estimate, estimate - half, estimate + half, 1.0, min(one.games for one in found))
