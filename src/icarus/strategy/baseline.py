"""The baseline: UCT with perfect information, information set MCTS otherwise (Specification 1 of icarus-2014).

The record of an action is the whole move history up to it, so records form a tree.  The engine keeps these records itself,
since every combination needs them to tell selection, expansion and simulation apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.strategy.icarus import Capture, Enhancement, Policy, require
from icarus.strategy.policy.ucb1 import UCB1


@dataclass(frozen=True, repr=False)
class Baseline(Enhancement):
    """UCB1 with availability on move histories; ``c`` = 0.7 as in icarus-2014."""

    c: float = 0.7
    policy: Policy | None = None

    is_baseline = True
    of_default_policy = ("c",)

    def __post_init__(self) -> None:
        require(self, "c", 0)
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        return Capture(records="one per move history (Base-1)")

    @property
    def reuse(self) -> Policy:
        return self.policy or UCB1(c=self.c)
