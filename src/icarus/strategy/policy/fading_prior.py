"""A prior that fades (section V-B8 of mcts-survey-2012): the game's heuristic in the place of visits that are still missing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.strategy.base import EXPLORATION, HEURISTIC, PRIOR_WEIGHTS, Policy, require, tries


@compiled
def fading_prior(arms, values, p):
    for i in range(arms.size):
        n = arms.baseline_visits[i]
        if n > 0.0:
            weight = max(0.0, (p.k - n) / p.k) if p.k > 0.0 else 0.0
            mean = (1.0 - weight) * arms.baseline_reward[i] / n + weight * arms.reward[i]
            values[i] = mean + p.c * math.sqrt(logarithm(int(arms.baseline_available[i])) / n)
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class FadingPrior(Policy):
    """``(1 - b) Q / N + b H + c sqrt(ln M / N)``, ``b = max(0, (k - N) / k)``: gone after ``k`` visits; 0 is UCB1."""

    k: float = 20.0
    c: float = 0.7

    grid = tries(k=PRIOR_WEIGHTS, c=EXPLORATION)

    function = staticmethod(fading_prior)
    kinds = HEURISTIC
    follows_baseline = True
    formula = "(1 - b) Q/N + b H + c sqrt(ln M / N), b = max(0, (k - N) / k)"

    def __post_init__(self) -> None:
        require(self, "k", 0)
        require(self, "c", 0)
