"""RockSample: its rules beside a plain model, beliefs by Bayes' rule, and a search beside the exact values of all plans."""

from __future__ import annotations

import random

import pytest

import icarus
from icarus.errors import GameError
from icarus.game import ENVIRONMENT
from icarus.games.rock_sample import BAD, GOOD, MAPS, rock_sample, scattered
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import load
from tests.oracle.rock_sample import values


@pytest.mark.parametrize("size", [(2, 1), (4, 5), (7, 8)])
def test_points_are_those_of_a_plain_model(size: tuple[int, int]) -> None:
    """Random games: where the rover is, what it may do, and what all of it brings, discounted."""
    n, k = size
    rocks, rng = list(MAPS.get(size) or scattered(n, k)), random.Random(3)
    assert len(set(rocks)) == k and all(0 <= x < n and 0 <= y < n for x, y in rocks)
    for seed in range(10 if JIT else 4):
        position = rock_sample(n, k).start(seed)
        good = [bool(word) for word in position.named.good[:k]]
        x, y, steps, points, gone, left = 0, n // 2, 0, 0.0, set(), False
        while not position.is_terminal:
            legal = {position.format_action(action): action for action in position.legal()}
            expected = {"e"} | {f"check {rock + 1}" for rock in range(k) if rock not in gone}
            expected |= {label for label, fits in (("n", y < n - 1), ("s", y > 0), ("w", x > 0)) if fits}
            here = rocks.index((x, y)) if (x, y) in rocks else -1
            expected |= {"take"} if here >= 0 and here not in gone else set()
            assert set(legal) == expected
            label = rng.choice(sorted(legal))
            position.apply(legal[label])
            if label == "take":
                points += 0.95**steps * (10 if good[here] else -10)
                gone.add(here)
            elif label == "e" and x == n - 1:
                points, left = points + 0.95**steps * 10, True
            elif not label.startswith("check"):
                x, y = x + {"e": 1, "w": -1}.get(label, 0), y + {"n": 1, "s": -1}.get(label, 0)
            else:
                assert position.player == ENVIRONMENT
                position.apply(
                    rng.choice([action for action, odds in zip(position.legal(), position.chance(), strict=True) if odds > 0])
                )
            steps += 1
        assert position.score() == pytest.approx(points) and (left or steps == 4 * (n + k))


def test_a_determinization_draws_rocks_by_bayes_rule() -> None:
    """Two checks from a distance say good, and one says bad: how many of many worlds have a good rock?"""
    position = rock_sample(5, 2).start(1)
    x, y = scattered(5, 2)[0]
    right = (1 + 2 ** (-((x**2 + (y - 2) ** 2) ** 0.5) / 20)) / 2
    for outcome in (GOOD, BAD, GOOD):
        position.apply(position.parse_action("check 1"))
        position.apply(outcome)
    expected = right / (right + (1 - right))  # one good and one bad check cancel out
    assert float(position.named.belief[0]) == pytest.approx(expected)
    draws, rng = 2000 if JIT else 500, seeded(1, stream=0)
    worlds = [position.determinize(0, rng) for _ in range(draws)]
    found = sum(int(world.named.good[0]) for world in worlds) / draws
    other = sum(int(world.named.good[1]) for world in worlds) / draws
    assert abs(found - expected) < 5 * (expected * (1 - expected) / draws) ** 0.5
    assert abs(other - 0.5) < 5 * (0.25 / draws) ** 0.5


@pytest.mark.skipif(not JIT, reason="too slow without machine code")
def test_a_search_finds_the_best_first_step() -> None:
    """Two rocks near by: to go and take, to check first, or to leave?"""
    rocks = tuple(scattered(2, 2))
    exact = values(2, rocks, (0, 1), (0.5, 0.5), 7)
    result = icarus.search("rock_sample(2,2)", iterations=40_000, seed=1)
    assert exact[result.best.label] == max(exact.values()), exact


def test_what_is_no_map_is_one_line() -> None:
    for name in ("rock_sample(1,1)", "rock_sample(4,17)", "rock_sample(2,5)"):
        with pytest.raises(GameError, match="2 to 30 cells"):
            load(name)
