"""What each alternative of a space adds to the score: a linear model over the evaluations of a search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from icarus.arena.statistics import LEVEL
from icarus.tune.space import Point, Space


def effects(space: Space, evaluated: dict[Point, list[float]]) -> list[dict[str, Any]]:
    """A least-squares fit of scores to alternatives; each alternative beside the most used one of its dimension."""
    rows = [(point, score) for point, scores in evaluated.items() for score in scores]
    columns: list[tuple[int, int]] = []
    reference: dict[int, int] = {}
    for number in range(len(space.dimensions)):
        used: dict[int, int] = {}
        for point, _ in rows:
            if point[number] >= 0:
                used[point[number]] = used.get(point[number], 0) + 1
        if len(used) > 1:
            reference[number] = max(used, key=lambda value: used[value])
            columns += [(number, value) for value in sorted(used) if value != reference[number]]
    if not columns or len(rows) < 2:
        return []
    design = np.array([[1.0, *(float(point[d] == v) for d, v in columns)] for point, _ in rows])
    scores = np.array([score for _, score in rows])
    inverse = np.linalg.pinv(design.T @ design)
    solution = inverse @ design.T @ scores
    freedom = len(rows) - int(np.linalg.matrix_rank(design))
    noise = float(((scores - design @ solution) ** 2).sum()) / freedom if freedom > 0 else math.nan
    wide = float(stats.t.isf((1 - LEVEL) / 2, freedom)) if freedom > 0 else math.nan
    found = []
    for number, reference_value in reference.items():
        name = space.dimensions[number].name
        uses = sum(point[number] == reference_value for point, _ in rows)
        found.append({"dimension": name, "value": space.dimensions[number].values[reference_value], "deals": uses,
                      "effect": 0.0, "low": 0.0, "high": 0.0})  # fmt: skip
        for column, (dimension, value) in enumerate(columns, 1):
            if dimension == number:
                half = wide * math.sqrt(max(noise * inverse[column, column], 0.0))
                estimate = float(solution[column])
                found.append({"dimension": name, "value": space.dimensions[number].values[value],
                              "deals": sum(point[number] == value for point, _ in rows),
                              "effect": estimate, "low": estimate - half, "high": estimate + half})  # fmt: skip
    return found
