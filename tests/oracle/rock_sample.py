"""What a rover in RockSample can expect, exactly: every plan of so many steps over what it believes."""

from __future__ import annotations

from functools import cache

STEPS = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
Belief = tuple[float | None, ...]  #: of each rock: how likely it is good; None: it is gone


def values(n: int, rocks: tuple[tuple[int, int], ...], place: tuple[int, int], belief: Belief, steps: int) -> dict[str, float]:
    """What each action brings in the end, if all later ones are the best, with this many steps to go."""
    found = {}
    x, y = place
    for name, (east, north) in STEPS.items():
        there = x + east, y + north
        if there[0] == n:
            found[name] = 10.0
        elif there[0] >= 0 and 0 <= there[1] < n:
            found[name] = 0.95 * best(n, rocks, there, belief, steps - 1)
    for rock, known in enumerate(belief):
        if known is None:
            continue
        if rocks[rock] == place:
            rest = 0.95 * best(n, rocks, place, changed(belief, rock, None), steps - 1)
            found["take"] = 10 * known - 10 * (1 - known) + rest
        distance = ((rocks[rock][0] - x) ** 2 + (rocks[rock][1] - y) ** 2) ** 0.5
        right = (1 + 2 ** (-distance / 20)) / 2
        value = 0.0
        for if_good, if_bad in ((right, 1 - right), (1 - right, right)):
            odds = known * if_good + (1 - known) * if_bad
            if odds > 0:
                value += odds * best(n, rocks, place, changed(belief, rock, known * if_good / odds), steps - 1)
        found[f"check {rock + 1}"] = 0.95 * value
    return found


def changed(belief: Belief, rock: int, known: float | None) -> Belief:
    return (*belief[:rock], known if known is None else round(known, 9), *belief[rock + 1 :])


@cache
def best(n: int, rocks: tuple[tuple[int, int], ...], place: tuple[int, int], belief: Belief, steps: int) -> float:
    return max(values(n, rocks, place, belief, steps).values()) if steps > 0 else 0.0
