"""Regret matching for simultaneous decisions (Hart and Mas-Colell 2000; as outcome sampling in Lanctot et al. 2013).

An action is played in proportion to how much more it would have brought than what was played.  What it would have brought is
estimated by its rewards, each divided by the probability of the choice; the share ``gamma`` of choices is uniform, so that no
probability is zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import COUNTED, Policy, require, tries
from icarus.strategy.statistic import Importance


@compiled
def regret_matching(arms, values, p):
    size, played, total = arms.size, 0.0, 0.0
    for i in range(size):
        played += arms.reward[i]
    for i in range(size):
        values[i] = max(arms.statistic[i] - played, 0.0)
        total += values[i]
    for i in range(size):
        share = values[i] / total if total > 0.0 else 1.0 / size
        values[i] = p.gamma / size + (1.0 - p.gamma) * share


@dataclass(frozen=True, repr=False)
class RegretMatching(Policy):
    """``gamma/K + (1 - gamma) r+(a) / sum_b r+(b)`` with the regret ``r(a) = s(a) - sum_b q(b)``; ``gamma`` = 0.1."""

    gamma: float = 0.1

    grid = tries(gamma=(0.05, 0.1, 0.2))

    function = staticmethod(regret_matching)
    shape = w.DISTRIBUTION
    kinds = COUNTED
    statistics = (Importance(),)
    formula = "gamma/K + (1 - gamma) r+(a) / sum_b r+(b), r(a) = s(a) - sum_b q(b)"

    def __post_init__(self) -> None:
        require(self, "gamma", 0, 1, above=True)
