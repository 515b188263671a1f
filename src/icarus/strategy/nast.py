"""N-gram average sampling technique (Specification 5 of icarus-2014; section III-B of bandits-2013).

A record belongs to n consecutive moves: the last n - 1 as the player about to act saw them, and its action.  n = 1 is MAST with
UCB1.  As long as fewer than n - 1 moves have been made since the root there is no n-gram, and the choice is uniform.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.jit import compiled
from icarus.strategy.base import EXPLORATION, KEPT, Capture, Enhancement, Policy, require, tries
from icarus.strategy.policy.ucb1_sum import UCB1Sum
from icarus.strategy.step import last_moves


@compiled
def previous_moves(step, keys, p):
    return last_moves(step, int(p.n) - 1, keys, 0)


@dataclass(frozen=True, repr=False)
class NAST(Enhancement):
    """UCB1 over sums on n-grams of moves; ``n`` = 2 and ``c`` = 0.7 as in icarus-2014."""

    n: int = 2
    c: float = 0.7
    policy: Policy | None = None
    keep: float = 1.0

    of_default_policy = ("c",)
    grid = tries(n=(2, 3, 4), c=EXPLORATION, keep=KEPT)
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "n", 1, 100, whole=True)
        require(self, "c", 0)
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        return Capture(
            read=previous_moves, parameters=(("n", self.n),), records=f"one per sequence of {self.n} moves and player (NAST-1)"
        )

    @property
    def reuse(self) -> Policy:
        return self.policy or UCB1Sum(c=self.c)
