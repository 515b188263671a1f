"""Checks of what was measured: searches of played games, speeds, sizes, scores of puzzles, and what all of it takes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import stats

from icarus.arena.experiment import Results, cell_name
from icarus.arena.statement import ENOUGH, HOLDS, OPEN, REFUTED, SPREAD, Statement, further


class Measurements:
    """A method per kind of check (claims.py says what each means)."""

    KINDS = ("visits", "deeper", "total", "reaches", "slower", "at_least", "falls", "times", "exceeds", "published", "days")

    def __init__(self, results: Results, level: float) -> None:
        self.results, self.level = results, level

    def rows(self, check: dict[str, Any]) -> list[str]:
        return check.get("rows") or [row.name for row in self.results.experiment.rows]

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
