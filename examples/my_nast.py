"""An enhancement of one's own: bigrams of moves, as a reader of icarus-2014 would write them down from Specification 5.  Try:

``icarus search othello --strategy "Baseline() >> examples/my_nast.py:MyNAST()"``
``icarus explain "Baseline() >> examples/my_nast.py:MyNAST()" othello``

docs/write-an-enhancement.md goes from the page of the paper to this file, line by line.
"""

from dataclasses import dataclass

from icarus.game import compiled
from icarus.strategy import Capture, Enhancement, Policy, UCB1Sum


@compiled
def previous_move(step, keys, p):
    """The context of a step: the last move that the player about to act noticed since the root."""
    for ply in range(step.ply - 1, step.root - 1, -1):
        if step.moves[ply] >= 0:
            keys[0] = step.moves[ply]
            return 1
    return 0


@dataclass(frozen=True, repr=False)
class MyNAST(Enhancement):
    """UCB1 over sums on pairs of moves: what NAST(2) does."""

    c: float = 0.7
    policy: Policy | None = None

    of_default_policy = ("c",)

    @property
    def capture(self) -> Capture:
        return Capture(read=previous_move, records="one per pair of moves and player")

    @property
    def reuse(self) -> Policy:
        return self.policy or UCB1Sum(c=self.c)
