"""The papers' figures, drawn from our games: grouped bars with intervals, heat maps, curves, tables."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np

from icarus.arena.effects import FACTORS
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Results, cell_name
from icarus.arena.statistics import Tally, compare
from icarus.errors import needing

COLOURS = ("#4878d0", "#ee854a", "#6acc64", "#d65f5f", "#956cb4", "#8c613c", "#dc7ec0", "#797979", "#d5bb67", "#82c6e2")
FORMATS = (".png", ".svg", ".pdf")


def numbers(results: Results) -> list[dict[str, Any]]:
    """The numbers behind the figure, one row per bar, square or point; beside the paper's, where those are known."""
    published = results.experiment.published
    rows = _numbers(results)
    if not published:
        return rows
    return [{**row, "published": published.get(cell_name(row["row"], row["column"]), math.nan)} for row in rows]


def _numbers(results: Results) -> list[dict[str, Any]]:
    experiment, draws = results.experiment, results.experiment.draws
    rows: list[dict[str, Any]] = []
    for row in results.rows():
        if experiment.layout == "measure":
            for label in experiment.labels:
                value = (
                    next(iter(dict(results.records[f"{row} · {label}"][0].values)), "")
                    if results.records[f"{row} · {label}"]
                    else ""
                )
                found = results.values(row, label, value) if value else []
                error = float(np.std(found, ddof=1)) / math.sqrt(len(found)) if len(found) > 1 else math.nan
                mean = float(np.mean(found)) if found else math.nan
                rows.append({"row": row, "column": label, "trials": len(found), "mean": mean, "standard_error": error})
        elif experiment.layout == "round-robin":
            for a in experiment.labels:
                for b in experiment.labels:
                    rows.append(_line(row, a, results.tally(row, a, b), draws, opponent=b, seat="first"))
            for a in experiment.labels:
                for seat, name in ((0, "first"), (1, "second")):
                    rows.append(_line(row, a, results.seat_total(row, a, seat), draws, opponent="all", seat=name))
                rows.append(_line(row, a, results.total(row, a), draws, opponent="all", seat="both"))
        elif experiment.figure == "effects":
            for letter, name in FACTORS.items():
                for present in (False, True):
                    tally = results.with_factor(row, letter, present)
                    rows.append(_line(row, f"{'with' if present else 'without'} {name}", tally, draws))
        else:
            rows.extend(_line(row, label, results.tally(row, label), draws) for label in experiment.labels)
    return rows


def _line(row: str, column: str, tally: Tally, draws: str, **more: Any) -> dict[str, Any]:
    low, high = tally.interval(draws) if tally.games else (math.nan, math.nan)
    counts = {"games": tally.games, "wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
    return {"row": row, "column": column, **more, **counts, "rate": tally.rate(draws), "low": low, "high": high}


def write_numbers(results: Results, file: Path) -> None:
    rows = numbers(results)
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]) if rows else ["row"])
        writer.writeheader()
        writer.writerows({key: round(v, 5) if isinstance(v, float) else v for key, v in row.items()} for row in rows)


def check_file(file: Path) -> None:
    """Refuse, before anything is played, a place where no figure can be written."""
    if file.suffix not in FORMATS:
        raise ArenaError(f"cannot draw {file.name!r}; the name must end in {', '.join(FORMATS)}")
    if not file.parent.is_dir():
        raise ArenaError(f"the figure cannot be written to {file}: there is no folder {file.parent}")


def draw(results: Results, file: Path) -> None:
    """Draw the figure of an experiment; the file's ending decides the format."""
    with needing("figures", "matplotlib", extra="plot"):
        import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    drawers = {
        "bars": _bars, "effects": _effects, "heatmap": _heatmap, "averages": _averages, "curves": _curves,
        "categories": _categories, "table": _table,
    }  # fmt: skip
    with plt.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "icarus"}):
        figure = drawers[results.experiment.figure](plt, results)
        figure.suptitle(f"{results.experiment.title}  ({results.experiment.paper})", fontsize=11)
        metadata = {"Date": None} if file.suffix == ".svg" else None
        try:
            figure.savefig(file, dpi=130, bbox_inches="tight", metadata=metadata)
        except OSError as problem:
            raise ArenaError(f"the figure cannot be written to {file}: {problem.strerror}") from None
        finally:
            plt.close(figure)


def _panels(plt: Any, number: int, width: float = 5.2, height: float = 2.6, columns: int = 2) -> tuple[Any, list[Any]]:
    columns = min(columns, max(number, 1))
    lines = max(math.ceil(number / columns), 1)
    figure, axes = plt.subplots(
        lines, columns, figsize=(width * columns, height * lines + 0.3), squeeze=False, layout="constrained"
    )
    flat = list(axes.flat)
    for extra in flat[number:]:
        extra.set_visible(False)
    return figure, flat


def _percent_axis(axis: Any, label: str) -> None:
    axis.set_ylabel(f"{label} (%)")
    axis.grid(axis="y", alpha=0.3)
    axis.set_axisbelow(True)


def _points(tallies: list[Tally], draws: str) -> tuple[list[float], list[list[float]]]:
    """Rates and error bars in per cent; nothing where nothing was played."""
    rates, errors = [], [[], []]  # type: tuple[list[float], list[list[float]]]
    for tally in tallies:
        rate = 100 * tally.rate(draws)
        low, high = tally.interval(draws) if tally.games else (math.nan, math.nan)
        rates.append(rate)
        errors[0].append(max(rate - 100 * low, 0) if tally.games else math.nan)
        errors[1].append(max(100 * high - rate, 0) if tally.games else math.nan)
    return rates, errors


def _bars(plt: Any, results: Results) -> Any:
    experiment = results.experiment
    rows, labels = results.rows(), experiment.labels
    if experiment.layout == "measure":
        return _measured_bars(plt, results)
    figure, axes = _panels(plt, len(rows), width=max(3.6, 0.45 * len(labels) + 1))
    for row, axis in zip(rows, axes, strict=False):
        tallies = [results.tally(row, label) for label in labels]
        rates, errors = _points(tallies, experiment.draws)
        colours = [COLOURS[0] if i else "#b0b0b0" for i in range(len(labels))]
        axis.bar(range(len(labels)), rates, yerr=errors, color=colours, capsize=2, error_kw={"lw": 1})
        if tallies[0].games:  # the band of evenly matched players, as in figure 4 of icarus-2014
            low, high = tallies[0].interval(experiment.draws)
            for edge in (low, high):
                axis.axhline(100 * edge, ls="--", lw=0.8, color="#555555")
        axis.set_xticks(range(len(labels)), labels, rotation=60 if len(labels) > 6 else 0)
        games = max(tally.games for tally in tallies)
        axis.set_title(f"{row}  ({games} games each)")
        _percent_axis(axis, experiment.y_label)
    return figure


def _measured_bars(plt: Any, results: Results) -> Any:
    lines = numbers(results)
    rows, labels = results.rows(), results.experiment.labels
    figure, (axis,) = _panels(plt, 1, width=6.5, height=3.4, columns=1)
    width = 0.8 / len(labels)
    for i, label in enumerate(labels):
        mine = [line for line in lines if line["column"] == label]
        x = [rows.index(line["row"]) + (i - (len(labels) - 1) / 2) * width for line in mine]
        errors = [1.96 * line["standard_error"] for line in mine]
        axis.bar(x, [line["mean"] for line in mine], width, yerr=errors, label=label, color=COLOURS[i], capsize=2)
    axis.set_xticks(range(len(rows)), rows)
    axis.set_ylabel(results.experiment.y_label)
    axis.legend(frameon=False)
    return figure


def _effects(plt: Any, results: Results) -> Any:
    rows, draws = results.rows(), results.experiment.draws
    figure, axes = _panels(plt, len(rows), width=3.8)
    for row, axis in zip(rows, axes, strict=False):
        for i, (letter, name) in enumerate(FACTORS.items()):
            tallies = [results.with_factor(row, letter, present) for present in (False, True)]
            rates, errors = _points(tallies, draws)
            axis.bar(
                [i - 0.2, i + 0.2], rates, 0.38, yerr=errors, color=["#d9d9d9", COLOURS[0]], hatch=["///", ""],
                edgecolor="#555555", lw=0.5, capsize=2,
            )  # fmt: skip
            mark = "*" if compare(tallies[1], tallies[0], draws).significant else ""
            axis.annotate(name + mark, (i, -0.02), xycoords=("data", "axes fraction"), ha="center", va="top")
        axis.set_xticks([])
        axis.set_title(f"{row}  ({sum(results.with_factor(row, 'N', p).games for p in (True, False))} games)")
        _percent_axis(axis, "games won")
    return figure


def _heatmap(plt: Any, results: Results) -> Any:
    experiment = results.experiment
    labels, rows = experiment.labels, results.rows()
    figure, axes = _panels(plt, len(rows), width=6.2, height=4.8, columns=1)
    for row, axis in zip(rows, axes, strict=False):
        grid = np.array([[results.tally(row, a, b).rate(experiment.draws) for b in labels] for a in labels])
        picture = axis.imshow(grid, cmap="gray", vmin=0, vmax=1)
        for (i, j), value in np.ndenumerate(grid):
            if not math.isnan(value):
                axis.text(j, i, f"{100 * value:.0f}", ha="center", va="center", color="black" if value > 0.5 else "white")
        axis.set_xticks(range(len(labels)), labels, rotation=30, ha="right")
        axis.set_yticks(range(len(labels)), labels)
        axis.set_xlabel(experiment.x_label)
        axis.set_ylabel(experiment.y_label)
        axis.set_title(f"{row}: score of the player on the left, in %")
        figure.colorbar(picture, ax=axis, shrink=0.8)
    return figure


def _averages(plt: Any, results: Results) -> Any:
    experiment = results.experiment
    row = experiment.rows[0].name
    sides: list[tuple[str, Any]] = [
        ("first player", lambda label: results.seat_total(row, label, 0)),
        ("second player", lambda label: results.seat_total(row, label, 1)),
        ("both", lambda label: results.total(row, label)),
    ]
    figure, axes = _panels(plt, 3, width=3.8, height=3.4, columns=3)
    for (title, tally), axis in zip(sides, axes, strict=True):
        tallies = [tally(label) for label in experiment.labels]
        rates, errors = _points(tallies, experiment.draws)
        axis.bar(range(len(rates)), rates, yerr=errors, color=COLOURS[: len(rates)], capsize=2)
        axis.set_xticks(range(len(rates)), experiment.labels, rotation=40, ha="right")
        axis.set_title(f"{title}  ({max(t.games for t in tallies)} games each)")
        _percent_axis(axis, experiment.y_label)
    return figure


def _curves(plt: Any, results: Results) -> Any:
    experiment = results.experiment
    figure, (axis,) = _panels(plt, 1, width=6.5, height=3.8, columns=1)
    x = [float(label) for label in experiment.labels]
    measured = numbers(results) if experiment.layout == "measure" else []
    for i, row in enumerate(results.rows()):
        if measured:
            mine = [line for line in measured if line["row"] == row]
            values, errors = [line["mean"] for line in mine], [[1.96 * line["standard_error"] for line in mine]] * 2
        else:
            values, errors = _points([results.tally(row, label) for label in experiment.labels], experiment.draws)
        axis.errorbar(x, values, yerr=errors, label=row, marker="o", ms=3, lw=1.2, capsize=2, color=COLOURS[i % len(COLOURS)])
    axis.set_xlabel(experiment.x_label)
    if measured:
        axis.set_yscale("log")
        axis.set_ylabel(experiment.y_label)
        axis.set_xticks(x)
    else:
        if max(x) / min(x) > 20:
            axis.set_xscale("log")
        _percent_axis(axis, experiment.y_label)
    axis.legend(frameon=False, fontsize=8)
    return figure


def categories(results: Results) -> dict[str, dict[str, Tally]]:
    """Deals by whether cheating beats determinization there (figure 11 of ismcts-2012): category -> column -> results."""
    row = results.experiment.rows[0].name
    by_deal: dict[int, dict[str, Tally]] = {}
    for label in results.experiment.labels:
        cell = results.schedule.cell(f"{row} · {label}")
        for record in results.records[cell.name]:
            won = record.rewards[record.seating.index(0)] == 1.0
            tallies = by_deal.setdefault(cell.deal(record.number), {})
            tallies[label] = tallies.get(label, Tally()) + Tally(int(won), 0, int(not won))
    found: dict[str, dict[str, Tally]] = {"> 0": {}, "≈ 0": {}, "< 0": {}}
    for tallies in by_deal.values():
        difference = compare(tallies.get("cheating UCT", Tally()), tallies.get("determinized UCT", Tally()))
        name = "≈ 0" if not difference.significant else "> 0" if difference.estimate > 0 else "< 0"
        for label, tally in tallies.items():
            found[name][label] = found[name].get(label, Tally()) + tally
    return found


def _categories(plt: Any, results: Results) -> Any:
    figure, axes = _panels(plt, 2, width=3.6, height=3.2)
    found = categories(results)
    for name, axis in zip(("> 0", "≈ 0"), axes, strict=True):
        labels = list(found[name])
        rates, errors = _points([found[name][label] for label in labels], "half")
        axis.bar(range(len(labels)), rates, yerr=errors, color=COLOURS[: len(labels)], capsize=2)
        axis.set_xticks(range(len(labels)), labels, rotation=20)
        axis.set_title(f"deals with cheating minus determinized {name}")
        _percent_axis(axis, "games won")
    return figure


def _table(plt: Any, results: Results) -> Any:
    """A table as in rave-2016: rates with the half width of their interval, shaded by how far they are from a half."""
    lines, rows, labels = numbers(results), results.rows(), results.experiment.labels
    figure, (axis,) = _panels(plt, 1, width=1.3 * len(labels) + 2, height=0.3 * len(rows) + 1.2, columns=1)
    measured = results.experiment.layout == "measure"
    shades = np.full((len(rows), len(labels)), math.nan)
    for line in lines:
        i, j = rows.index(line["row"]), labels.index(line["column"])
        value = line["mean"] if measured else line["rate"]
        if math.isnan(value):
            continue
        half = 1.96 * line["standard_error"] if measured else (line["high"] - line["low"]) / 2
        shades[i, j] = 0.5 if measured else value
        text = f"{value:,.3g} ± {half:.2g}" if measured and value < 1000 else f"{value:,.0f} ± {half:,.0f}"
        axis.text(j, i, text if measured else f"{100 * value:.1f} ± {100 * half:.1f}", ha="center", va="center")
    axis.imshow(shades, cmap="RdBu", vmin=-0.25, vmax=1.25, aspect="auto")
    axis.set_xticks(range(len(labels)), labels, rotation=20 if max(map(len, labels)) > 12 else 0)
    axis.xaxis.tick_top()
    axis.set_yticks(range(len(rows)), rows)
    axis.tick_params(length=0)
    axis.set_xlabel(results.experiment.y_label if measured else f"{results.experiment.x_label or 'games won'} (%)")
    for spine in axis.spines.values():
        spine.set_visible(False)
    return figure
