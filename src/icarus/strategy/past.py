"""Predicate-average sampling technique (section 4.3.3 of icarus-2014; section VI-A4 of mcts-survey-2012).

MAST in context: a record belongs to a predicate that holds where the action was played, the action and the player.  A step
writes the records of all predicates that hold; it judges an action by the best of its averages over them.  Predicates come from
the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.engine import layout as w
from icarus.jit import compiled
from icarus.strategy.base import KEPT, TEMPERATURES, Capture, Enhancement, Policy, require, tries
from icarus.strategy.policy.gibbs import Gibbs
from icarus.strategy.step import MAX_KEYS

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def every_predicate(step, keys, p):
    count = min(step.fact_count, MAX_KEYS)
    for i in range(count):
        keys[i] = step.facts[i]
    return count


def most_predicates(game: Game) -> int:
    return min(max(game.max_predicates, 1), MAX_KEYS)


@dataclass(frozen=True, repr=False)
class PAST(Enhancement):
    """Gibbs sampling by each action's best average over the predicates that hold; ``tau`` = 1 as for MAST."""

    tau: float = 1.0
    policy: Policy | None = None
    keep: float = 1.0

    of_default_policy = ("tau",)
    grid = tries(tau=TEMPERATURES, keep=KEPT)
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "tau", 0, above=True)
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        return Capture(
            read=every_predicate,
            merge=w.BEST,
            contexts=most_predicates,
            needs=("predicates",),
            records="one per predicate, action and player",
        )

    @property
    def reuse(self) -> Policy:
        return self.policy or Gibbs(tau=self.tau)
