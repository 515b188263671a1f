"""Gibbs sampling (MAST-4 of icarus-2014; equation 3 of bandits-2013): the better the average, the likelier the action."""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import exp_of_small
from icarus.jit import compiled
from icarus.strategy.base import TEMPERATURES, Inlined, Policy, require, tries


@compiled
def gibbs(arms, values, p):
    largest = 0.0
    for i in range(arms.size):
        values[i] = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1.0
        largest = max(largest, values[i])
    # relative to the best, so that a small tau cannot overflow
    if p.tau >= 1.0:
        share = 1.0 / p.tau
        for i in range(arms.size):
            values[i] = exp_of_small((values[i] - largest) * share)
    else:
        for i in range(arms.size):
            values[i] = math.exp((values[i] - largest) / p.tau)


@dataclass(frozen=True, repr=False)
class Gibbs(Policy):
    """``exp(v / tau)``, normalised, where ``v = q / n``, or 1 for an action without visits; ``tau`` = 1 as in icarus-2014.

    As tau falls to 0 the policy becomes greedy, as it grows it becomes uniform.
    """

    tau: float = 1.0

    grid = tries(tau=TEMPERATURES)

    function = staticmethod(gibbs)
    shape = w.DISTRIBUTION
    inlined = Inlined(w.INLINED_GIBBS, of=gibbs, when=lambda policy: policy.tau >= 1)
    formula = "exp(v/tau) / sum_b exp(v(b)/tau), v = q/n or 1"

    def __post_init__(self) -> None:
        require(self, "tau", 0, above=True)
