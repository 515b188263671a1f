"""Searching a space with noisy evaluations: the N-tuple bandit evolutionary algorithm, and two yardsticks.

S. M. Lucas, J. Liu and D. Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation" (2018): a model
keeps the mean score of every value of every dimension, of every pair of values, and of every whole point; what one evaluation
tells about a point it thus tells about all that share a part with it.  From the current point, the neighbour with the best upper
confidence bound is evaluated next.

All searchers have the same three functions: ``propose`` a point, be ``tell``-ed its score, and name the ``best`` points.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations
from typing import Protocol

import numpy as np

from icarus.tune.space import NOT_THERE, Point, Space

EXPLORATION = 0.5  #: of the confidence bound; scores are 0 to 1
NEIGHBOURS = 50
PRIOR = 2.0  #: evaluations at the overall mean that every tuple begins with, when points are ranked


class Searcher(Protocol):
    """What proposes points and learns from their scores."""

    def propose(self) -> Point: ...
    def tell(self, point: Point, score: float) -> None: ...
    def best(self, number: int) -> list[Point]: ...


class TupleModel:
    """Totals of scores by tuples of (dimension, value): single ones, pairs, and the whole point."""

    def __init__(self) -> None:
        self.totals: dict[tuple[tuple[int, int], ...], list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.seen: dict[Point, int] = defaultdict(int)
        self.evaluations, self.points = 0, 0.0

    def tuples(self, point: Point) -> list[tuple[tuple[int, int], ...]]:
        present = [(i, value) for i, value in enumerate(point) if value != NOT_THERE]
        found: list[tuple[tuple[int, int], ...]] = [(one,) for one in present]
        found += list(combinations(present, 2))
        if len(present) > 2:
            found.append(tuple(present))
        return found

    def tell(self, point: Point, score: float) -> None:
        self.seen[point] += 1
        self.evaluations += 1
        self.points += score
        for key in self.tuples(point):
            cell = self.totals[key]
            cell[0] += 1
            cell[1] += score

    def bound(self, point: Point) -> float:
        """The upper confidence bound: the mean over all tuples of mean score and exploration."""
        wide = EXPLORATION * math.sqrt(math.log(1 + max(self.evaluations, 1)))
        keys = self.tuples(point)
        total = 0.0
        for key in keys:
            count, points = self.totals.get(key, (0.0, 0.0))
            total += (points / count if count else 0.5) + wide / math.sqrt(count + 0.5)
        return total / len(keys)

    def estimate(self, point: Point) -> float:
        """The score that the tuples promise, each drawn towards the overall mean as long as it was seen seldom."""
        overall = self.points / max(self.evaluations, 1)
        keys = self.tuples(point)
        means = []
        for key in keys:
            count, points = self.totals.get(key, (0.0, 0.0))
            means.append((points + PRIOR * overall) / (count + PRIOR))
        return sum(means) / len(means)

    def best(self, number: int) -> list[Point]:
        ranked = sorted(self.seen, key=lambda point: (-self.estimate(point), point))
        return ranked[:number]


class NTBEA:
    """One run of the algorithm."""

    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self.space, self.rng, self.model = space, rng, TupleModel()
        self.current: Point | None = None

    def propose(self) -> Point:
        if self.current is None:
            self.current = self.space.random_point(self.rng)
            return self.current
        around = {self.space.neighbour(self.current, self.rng) for _ in range(NEIGHBOURS)} | {self.current}
        for point in sorted(around, key=lambda p: (-self.model.bound(p), p)):
            if self.space.serves(point):
                self.current = point
                break
        return self.current

    def tell(self, point: Point, score: float) -> None:
        self.model.tell(point, score)

    def best(self, number: int) -> list[Point]:
        return self.model.best(number)


class RandomSearch:
    """Points at random; the best mean wins.  The yardstick that every method has to beat."""

    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self.space, self.rng = space, rng
        self.totals: dict[Point, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def propose(self) -> Point:
        return self.space.random_point(self.rng)

    def tell(self, point: Point, score: float) -> None:
        self.totals[point][0] += 1
        self.totals[point][1] += score

    def best(self, number: int) -> list[Point]:
        return sorted(self.totals, key=lambda p: (-self._mean(p), p))[:number]

    def _mean(self, point: Point) -> float:
        count, points = self.totals[point]
        return (points + 0.5) / (count + 1)


class SequentialHalving(RandomSearch):
    """A sample of points, all evaluated equally often; the worse half goes, and the rest gets the next share of the evaluations.

    Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits" (2013).
    """

    SAMPLE = 32

    def __init__(self, space: Space, rng: np.random.Generator, evaluations: int = 0) -> None:
        super().__init__(space, rng)
        self.alive = list(dict.fromkeys(space.random_point(rng) for _ in range(self.SAMPLE)))
        rounds = max(math.ceil(math.log2(max(len(self.alive), 2))), 1)
        self.share = max((evaluations or 4 * len(self.alive)) // rounds, len(self.alive))
        self.queue: list[Point] = []
        self._fill()

    def _fill(self) -> None:
        self.queue = self.alive * max(self.share // len(self.alive), 1)

    def propose(self) -> Point:
        if not self.queue:
            if len(self.alive) > 1:
                self.alive = sorted(self.alive, key=lambda p: (-self._mean(p), p))[: math.ceil(len(self.alive) / 2)]
            self._fill()
        return self.queue.pop(0)

    def best(self, number: int) -> list[Point]:
        first = sorted((p for p in self.alive if p in self.totals), key=lambda p: (-self._mean(p), p))
        rest = [p for p in super().best(number + len(first)) if p not in first]
        return [*first, *rest][:number]


METHODS = {"ntbea": NTBEA, "random": RandomSearch, "halving": SequentialHalving}
