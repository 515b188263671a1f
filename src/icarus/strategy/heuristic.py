"""The game's own judgement as an enhancement that keeps nothing: an action is worth what the game's ``heuristic`` says.

In simulations it makes heavy playouts: ``Baseline() >> Heuristic(policy=EpsilonGreedy(0.3))``.  In the tree it is one half of
progressive bias and progressive unpruning.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.strategy.base import Capture, Enhancement, Policy
from icarus.strategy.policy.greedy import Greedy


@dataclass(frozen=True, repr=False)
class Heuristic(Enhancement):
    """The action that looks best, or whatever a policy makes of how good each one looks."""

    policy: Policy | None = None

    @property
    def capture(self) -> Capture:
        return Capture(kind=w.KEEPS_NOTHING, needs=("heuristic",), records="none: the game's heuristic is asked")

    @property
    def reuse(self) -> Policy:
        return self.policy or Greedy()
