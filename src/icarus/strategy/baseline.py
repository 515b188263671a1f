"""The baseline: UCT with perfect information, information set MCTS otherwise (Specification 1 of icarus-2014).

The record of an action is the whole move history up to it, so records form a tree.  The engine keeps these records itself,
since every combination needs them to tell selection, expansion and simulation apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from icarus.errors import StrategyError
from icarus.strategy.base import EXPLORATION, Capture, Enhancement, Policy, require, tries, write_value
from icarus.strategy.policy.ucb1 import UCB1
from icarus.strategy.seams import Backup, LeafRule, Outcomes, Prior, RewardMap

if TYPE_CHECKING:
    from icarus.game import Game


#: what stands in the baseline's fields
SEAMS = {
    "simultaneous": Policy,
    "leaf": LeafRule,
    "prior": Prior,
    "backup": Backup,
    "rewards": RewardMap,
    "outcomes": Outcomes,
}


@dataclass(frozen=True, repr=False)
class Baseline(Enhancement):
    """UCB1 with availability on move histories; ``c`` = 0.7 as in icarus-2014.

    ``simultaneous`` decides where players choose at the same time: EXP3 by default, as in ismcts-2012; ``UCB1()`` is
    decoupled UCT. ``leaf``, ``prior`` and ``backup`` replace where the tree ends, what a node begins with and what is backed
    up, ``rewards`` what a playout is worth to whom, and ``outcomes`` bounds how many outcomes of the environment are looked at
    (seams.py).
    """

    c: float = 0.7
    policy: Policy | None = None
    simultaneous: Policy | None = None
    leaf: LeafRule | None = None
    prior: Prior | None = None
    backup: Backup | None = None
    rewards: RewardMap | None = None
    outcomes: Outcomes | None = None

    is_baseline = True
    of_default_policy: ClassVar[tuple[str, ...]] = ("c",)
    grid = tries(c=EXPLORATION)
    place = "tree"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        for name, kind in SEAMS.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise StrategyError(f"Baseline: {name}={write_value(value)} is not a {kind.__name__}")
        super().__post_init__()
        if self.backup is not None and self.reuse.backup is not None:
            raise StrategyError(f"Baseline: {self.reuse} has a backup of its own and goes without backup={self.backup}")

    def check(self, game: Game) -> None:
        super().check(game)
        for name in SEAMS:
            value = getattr(self, name)
            if value is not None:
                value.check(game)

    @property
    def capture(self) -> Capture:
        return Capture(records="one per move history (Base-1)")

    @property
    def reuse(self) -> Policy:
        return self.policy or UCB1(c=self.c)
