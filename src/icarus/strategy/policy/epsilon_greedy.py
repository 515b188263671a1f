"""Epsilon-greedy (MAST-epsilon-greedy-4 of icarus-2014): mostly one of the best averages, sometimes anything."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import SMALL_SHARES, Policy, require, tries


@compiled
def epsilon_greedy(arms, values, p):
    largest = 0.0
    for i in range(arms.size):
        values[i] = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1.0
        largest = max(largest, values[i])
    best = 0.0
    for i in range(arms.size):
        best += 1.0 if values[i] == largest else 0.0
    rest = p.epsilon / arms.size
    top = rest + (1.0 - p.epsilon) / best
    for i in range(arms.size):
        values[i] = top if values[i] == largest else rest


@dataclass(frozen=True, repr=False)
class EpsilonGreedy(Policy):
    """``epsilon U[A] + (1 - epsilon) U[arg max v]`` where ``v = q / n``, or 1 for an action without visits.

    ``epsilon`` = 0.2 as in bandits-2013; rave-variants-2016 takes 0.4.
    """

    epsilon: float = 0.2

    grid = tries(epsilon=SMALL_SHARES)

    function = staticmethod(epsilon_greedy)
    shape = w.DISTRIBUTION
    formula = "epsilon U[A] + (1 - epsilon) U[arg max v], v = q/n or 1"

    def __post_init__(self) -> None:
        require(self, "epsilon", 0, 1)
