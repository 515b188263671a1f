"""Leaf parallelization (Cazenave and Jouandeau 2007; section VI-C1 of mcts-survey-2012): several playouts from every leaf.

The average of ``number`` random playouts is what the leaf is worth, for one visit.  That is what parallel playouts at a leaf
amount to; here they come one after the other, so it helps where the way down costs more than a playout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.engine.calls import call_apply, call_legal, call_player, call_playout, call_rewards, call_sample, call_terminal
from icarus.engine.layout import ENVIRONMENT
from icarus.errors import StrategyError
from icarus.game import Stepping
from icarus.jit import at, compiled
from icarus.jit.randomness import random_below
from icarus.strategy.base import require, tries
from icarus.strategy.seams import Evaluator

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def play_out(game, state, actions, rng):
    """Play uniformly random actions until the game is over, in the game's own way if it has one."""
    if game.playout != 0:
        call_playout(game.playout, state, rng)
        return
    while call_terminal(game.terminal, state) == 0:
        if game.sample != 0 and call_player(game.player, state) == ENVIRONMENT:
            action = call_sample(game.sample, state, rng)
        else:
            count = call_legal(game.legal, state, actions)
            action = actions[random_below(rng, count)] if count > 1 else actions[0]
        call_apply(game.apply, state, action)


@compiled
def average_playouts(leaves, p):
    game, copy, players = leaves.game, leaves.scratch, leaves.players
    for i in range(leaves.count):
        lane = leaves.lanes[i]
        state, rewards = at(leaves.states, lane * leaves.state_size), at(leaves.rewards, lane * players)
        for player in range(players):
            rewards[player] = 0.0
        for _ in range(int(p.number)):
            for word in range(leaves.state_size):
                copy[word] = state[word]
            play_out(game, copy, leaves.actions, at(leaves.rng, lane))
            call_rewards(game.rewards, copy, leaves.outcome)
            for player in range(players):
                rewards[player] += leaves.outcome[player] / p.number


@dataclass(frozen=True, repr=False)
class Playouts(Evaluator):
    """``number`` random playouts from each leaf, whose average is backed up once: ``Baseline() >> Playouts(8)``; 1 is plain."""

    number: int = 8

    grid = tries(number=(2, 4, 8, 16))

    function = staticmethod(average_playouts)
    formula = "the average of so many playouts"

    def __post_init__(self) -> None:
        require(self, "number", 1, 10_000, whole=True)

    def check(self, game: Game) -> None:
        if game.stepping is not Stepping.ONE_STATE or game.copy is not None:
            raise StrategyError(f"{self} needs a compiled game; {game.name} is not one")
