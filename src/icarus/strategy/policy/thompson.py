"""Thompson sampling (Thompson 1933; Chapelle and Li 2011; section V-A5 of mcts-survey-2012).

Each arm draws a value from what its rewards let one believe, and the largest is played: an action is chosen as often as it may
be the best one.  With wins and losses the belief is a beta distribution; a reward between counts as a part of each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.jit import compiled
from icarus.jit.randomness import random_unit
from icarus.strategy.base import AVERAGES, Policy, require, tries


@compiled
def random_normal(rng):
    """A standard normal number (Box and Muller)."""
    return math.sqrt(-2.0 * math.log(1.0 - random_unit(rng))) * math.cos(2.0 * math.pi * random_unit(rng))


@compiled
def random_gamma(shape, rng):
    """A number from the gamma distribution of this shape (Marsaglia and Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(rng)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = random_normal(rng)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(1.0 - random_unit(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return boost * d * v


@compiled
def thompson(arms, values, p):
    for i in range(arms.size):
        won = random_gamma(p.wins + arms.reward[i], arms.rng)
        lost = random_gamma(p.losses + max(arms.visits[i] - arms.reward[i], 0.0), arms.rng)
        values[i] = won / (won + lost)


@dataclass(frozen=True, repr=False)
class Thompson(Policy):
    """A draw from Beta(``wins`` + q, ``losses`` + n - q) for each action; 1 and 1 say that nothing is known at first."""

    wins: float = 1.0
    losses: float = 1.0

    grid = tries(wins=(0.5, 1.0, 2.0), losses=(0.5, 1.0, 2.0))

    function = staticmethod(thompson)
    kinds = AVERAGES
    formula = "x ~ Beta(wins + q, losses + n - q)"

    def __post_init__(self) -> None:
        require(self, "wins", 0, above=True)
        require(self, "losses", 0, above=True)
