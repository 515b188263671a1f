"""The searchers on a bandit whose means are known: NTBEA finds the best point, sooner than the yardsticks."""

from __future__ import annotations

import numpy as np

from icarus.arena.players import Player
from icarus.tune.ntbea import NTBEA, RandomSearch, Searcher, SequentialHalving, TupleModel
from icarus.tune.space import Point, Space
from icarus.tune.template import read_space

#: 5 x 5 x 4 players, of which one is best: k in the middle, a small c, NAST with n = 3
TEMPLATE = "RAVE(k={1,10,100,1000,10000}, c={0.1,0.4,0.7,1,2}) >> NAST(n={1,2,3,4})"
BEST = (2, 1, 2)


def mean(point: Point) -> float:
    """The score of a point: it falls with the distance in each dimension."""
    return 0.75 - 0.09 * sum(abs(a - b) for a, b in zip(point, BEST, strict=True))


def regret(searcher: Searcher, evaluations: int, rng: np.random.Generator) -> float:
    """How much worse the recommended point is than the best, after so many won or lost games."""
    for _ in range(evaluations):
        point = searcher.propose()
        searcher.tell(point, float(rng.random() < mean(point)))
    return mean(BEST) - mean(searcher.best(1)[0])


def space() -> Space:
    return read_space(TEMPLATE, Player(iterations=1))


def regrets(kind: type, evaluations: int, runs: int) -> list[float]:
    found = []
    for run in range(runs):
        rng = np.random.default_rng(run)
        options = {"evaluations": evaluations} if kind is SequentialHalving else {}
        found.append(regret(kind(space(), rng, **options), evaluations, rng))
    return found


def test_the_model_shares_what_one_point_tells_with_its_relatives() -> None:
    model = TupleModel()
    for _ in range(20):
        model.tell((0, 0, 0), 1.0)
        model.tell((4, 4, 3), 0.0)
    assert model.estimate((0, 1, 1)) > 0.5 > model.estimate((4, 1, 1))
    assert model.best(1) == [(0, 0, 0)]
    assert model.bound((2, 2, 2)) > model.bound((4, 4, 3))  # what is unknown is worth a try


def test_ntbea_ends_close_to_the_optimum() -> None:
    found = regrets(NTBEA, 200, 5)
    assert np.mean(found) < 0.15  # a point at random is 0.36 below the best


def test_ntbea_beats_random_search_and_halving_at_equal_budgets() -> None:
    ntbea, random, halving = (np.mean(regrets(kind, 100, 8)) for kind in (NTBEA, RandomSearch, SequentialHalving))
    assert ntbea < random and ntbea < halving


def test_halving_spends_on_what_is_left() -> None:
    rng = np.random.default_rng(1)
    searcher = SequentialHalving(space(), rng, evaluations=160)
    begun = len(searcher.alive)
    regret(searcher, 160, rng)
    assert len(searcher.alive) <= begun // 8
