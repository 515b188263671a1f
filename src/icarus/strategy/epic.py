"""Episodic information capture and reuse (Specification 7 of icarus-2014).

A record belongs to a position-in-episode (equation 17): the label of the current episode and the moves since it began, as the
player about to act saw them. Episodes come from the game and are counted from its start, so an episode may have begun before
the root; those moves belong to the key.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.jit import compiled
from icarus.jit.randomness import chain
from icarus.strategy.base import EXPLORATION, KEPT, Capture, Enhancement, Policy, require, tries
from icarus.strategy.policy.ucb1 import UCB1


@compiled
def position_in_episode(step, keys, p):
    key = step.label
    for ply in range(step.episode, step.ply):
        if step.moves[ply] >= 0:
            key = chain(key, step.moves[ply])
    keys[0] = key
    return 1


@dataclass(frozen=True, repr=False)
class EPIC(Enhancement):
    """UCB1 with availability on positions-in-episode; ``c`` = 0.7 as in icarus-2014."""

    c: float = 0.7
    policy: Policy | None = None
    keep: float = 1.0

    of_default_policy = ("c",)
    grid = tries(c=EXPLORATION, keep=KEPT)
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        return Capture(read=position_in_episode, needs=("episode",), records="one per position-in-episode (EPIC-1)")

    @property
    def reuse(self) -> Policy:
        return self.policy or UCB1(c=self.c)
