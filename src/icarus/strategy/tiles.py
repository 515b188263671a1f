"""Contextual Monte Carlo: tiles (Rimmel and Teytaud 2010; section 4.3.6 of icarus-2014).

A tile is a pair of actions of the same player, the second played some time after the first.  A playout updates all tiles that
it went through: every step writes one record for each earlier action of its player since the root.  A step reads the tiles that
begin with the player's last action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.jit import compiled
from icarus.strategy.base import KEPT, SMALL_SHARES, Capture, Enhancement, Policy, require, tries
from icarus.strategy.policy.epsilon_greedy import EpsilonGreedy
from icarus.strategy.step import MAX_KEYS

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def last_own_action(step, keys, p):
    for ply in range(step.ply - 1, step.root - 1, -1):
        if step.actors[ply] == step.player:
            keys[0] = step.moves[ply]
            return 1
    return 0


@compiled
def earlier_own_actions(step, keys, p):
    count = 0
    for ply in range(step.ply - 1, step.root - 1, -1):
        if step.actors[ply] == step.player and count < MAX_KEYS:
            keys[count] = step.moves[ply]
            count += 1
    return count


def most_earlier_actions(game: Game) -> int:
    return min(game.max_plies, MAX_KEYS)


@dataclass(frozen=True, repr=False)
class Tiles(Enhancement):
    """Epsilon-greedy on the average of the pair (own last action, action).

    The paper plays the best tile with a tuned probability and the default policy otherwise, which is epsilon-greedy;
    ``epsilon`` = 0.2 as for MAST in bandits-2013.  A playout updates at most the last 512 pairs of a step.
    """

    epsilon: float = 0.2
    policy: Policy | None = None
    keep: float = 1.0

    of_default_policy = ("epsilon",)
    grid = tries(epsilon=SMALL_SHARES, keep=KEPT)
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "epsilon", 0, 1)
        super().__post_init__()

    @property
    def capture(self) -> Capture:
        return Capture(
            read=last_own_action,
            write=earlier_own_actions,
            contexts=most_earlier_actions,
            records="one per pair of actions of a player, the second played after the first",
        )

    @property
    def reuse(self) -> Policy:
        return self.policy or EpsilonGreedy(epsilon=self.epsilon)
