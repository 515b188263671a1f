"""Continuous parameters between the values of their grids: CMA-ES (N. Hansen and A. Ostermeier, 2001), evaluated by games."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from icarus.arena.players import Player
from icarus.tune.space import Point

if TYPE_CHECKING:
    from icarus.tune.study import Study

WIDTH = 0.2  #: of the first generation, as a share of the logarithmic range
DEALS = 2  #: for each of a generation


def refine(study: Study, point: Point, share: float) -> Player:
    """The player at a point with its continuous parameters refined; parameters are searched by their logarithms."""
    import cmaes

    space = study.space
    dimensions = space.continuous_at(point)
    lows, highs = (np.log([space.bounds(d)[end] for d in dimensions]) for end in (0, 1))

    def values(x: np.ndarray) -> dict[int, float]:
        return {
            d: float(np.exp(low + float(t) * (high - low))) for d, t, low, high in zip(dimensions, x, lows, highs, strict=False)
        }

    start = [math.log(float(space.dimensions[d].values[point[d]])) for d in dimensions]
    middle = (np.array(start) - lows) / (highs - lows)
    bounds = np.array([[0.0, 1.0]] * max(len(dimensions), 2))
    if len(dimensions) == 1:  # the algorithm needs two dimensions; the second one changes nothing
        middle = np.append(middle, 0.5)
    optimizer = cmaes.CMA(mean=middle, sigma=WIDTH, bounds=bounds, seed=study.duels.seed & (2**31 - 1))
    deal = 0
    while study.ledger.left("refine", share) > 0:
        generation = [optimizer.ask() for _ in range(optimizer.population_size)]
        players = [space.player(point, values(x)) for x in generation]
        wanted = [(player, deal + i) for player in players for i in range(DEALS)]
        scores = study._round("refine", wanted, share, study._search_table)
        optimizer.tell([(x, -sum(scores[n * DEALS : (n + 1) * DEALS]) / DEALS) for n, x in enumerate(generation)])
        deal += DEALS
    return space.player(point, values(optimizer.mean))
