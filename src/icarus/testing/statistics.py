"""Does a sample follow a distribution?  The chi-square test, with false alarms rarer than one in a million for a whole report."""

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
