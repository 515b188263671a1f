"""Does a sample follow a distribution, and do two follow the same?

Chi-square tests, with false alarms rarer than one in a million for a whole report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

from scipy.stats import chi2

FALSE_ALARM = 1e-6
EXPECTED = 8  #: rarer values are lumped together, since the statistic is only near chi-square where enough is expected


def misfit(samples: Iterable[Hashable], expected: Mapping[Hashable, float], tests: int = 1) -> str:
    """What is wrong with the samples, given the probabilities of all possible values; "" if nothing is.

    ``tests``: how many such tests a report may hold.
    """
    counts = Counter(samples)
    total = counts.total()
    impossible = [value for value in counts if expected.get(value, 0.0) == 0.0]
    if impossible:
        return f"{counts[impossible[0]]} of {total} draws are impossible"
    rare = [value for value, p in expected.items() if total * p < EXPECTED]
    cells = [(counts[value], total * p) for value, p in expected.items() if total * p >= EXPECTED]
    if rare:
        lump = (sum(counts[value] for value in rare), total * sum(expected[value] for value in rare))
        if lump[1] >= EXPECTED:
            cells.append(lump)
    if len(cells) < 2:
        return ""
    statistic = sum((count - mean) ** 2 / mean for count, mean in cells)
    bound = float(chi2.isf(FALSE_ALARM / tests, len(cells) - 1))
    if statistic < bound:
        return ""
    worst = max(cells, key=lambda cell: abs(cell[0] - cell[1]) / cell[1] ** 0.5)
    found = f"one value came {worst[0]} times where {worst[1]:.0f} are expected"
    return f"of {total} draws {found} (chi-square {statistic:.0f} > {bound:.0f})"


def disagreement(first: Iterable[Hashable], second: Iterable[Hashable]) -> str:
    """What is wrong with the claim that two samples have the same distribution; "" if nothing is."""
    counts = Counter(first), Counter(second)
    sizes = [count.total() for count in counts]
    both = counts[0] + counts[1]
    share = min(sizes) / sum(sizes)
    common = [value for value, number in both.items() if number * share >= EXPECTED]
    cells = [(counts[0][value], counts[1][value]) for value in common]
    rest = (sizes[0] - sum(a for a, _ in cells), sizes[1] - sum(b for _, b in cells))
    if sum(rest) * share >= EXPECTED:
        cells.append(rest)
    if len(cells) < 2:
        return ""
    statistic = 0.0
    for cell in cells:
        for number, size in zip(cell, sizes, strict=True):
            mean = sum(cell) * size / sum(sizes)
            statistic += (number - mean) ** 2 / mean
    bound = float(chi2.isf(FALSE_ALARM, len(cells) - 1))
    if statistic < bound:
        return ""
    worst = max(cells, key=lambda cell: abs(cell[0] / sizes[0] - cell[1] / sizes[1]))
    found = f"one result came {worst[0]} times of {sizes[0]} and {worst[1]} times of {sizes[1]}"
    return f"{found} (chi-square {statistic:.0f} > {bound:.0f})"
