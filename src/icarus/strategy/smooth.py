"""Smooth UCT (Heinrich and Silver, *Smooth UCT Search in Computer Poker*, 2015): the tree of the baseline with a smoother choice.

The records are the baseline's; a decision follows UCB1 or the average of all decisions before it (policy/smooth.py).  Started
from all deals at once (``selfplay[Smooth()]``) the average strategy approaches an equilibrium of small poker games; at a decision
of a game (``so[Smooth()]@N,mixed``) it is a search that mixes its moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.base import EXPLORATION, Policy, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.policy.smooth import SmoothUCB


@dataclass(frozen=True, repr=False)
class Smooth(Baseline):
    """UCB1 or the average so far, on move histories; ``c``, ``gamma``, ``eta`` and ``d`` are those of SmoothUCB."""

    gamma: float = 0.1
    eta: float = 0.9
    d: float = 0.001

    grid = tries(c=EXPLORATION, gamma=(0.05, 0.1, 0.2), eta=(0.5, 0.7, 0.9), d=(0.0001, 0.001, 0.01))

    of_default_policy = ("c", "gamma", "eta", "d")

    @property
    def reuse(self) -> Policy:
        return self.policy or SmoothUCB(self.c, self.gamma, self.eta, self.d)
