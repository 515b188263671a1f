"""Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014): two values of an action, mixed.

The one is the average of playouts.  The other is the game's evaluation of the leaf, backed up by minimax: an action is worth what
the best of the tried actions behind it is worth to who chooses there.  It belongs to section VI-A6 of mcts-survey-2012: the
evaluation tells what playouts are too noisy for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.engine.layout import BLOCK_WORDS, Block, Node, Record
from icarus.engine.select.tables import logarithm
from icarus.errors import StrategyError
from icarus.game import Stepping
from icarus.jit import atomic_add, compiled, element
from icarus.strategy.base import COUNTED, EXPLORATION, Policy, require, tries
from icarus.strategy.seams import Backup
from icarus.strategy.statistic import BackedUp

if TYPE_CHECKING:
    from icarus.game import Game


@dataclass(frozen=True, repr=False)
class MinimaxValue(BackedUp):
    """What an action is worth to who chose it, by minimax of evaluations; the backup writes it."""


@compiled
def back_up_minimax(trace, p):
    pool, players = trace.pool, trace.players
    for number in range(trace.depth - 1, -1, -1):
        row = element(trace.path, number)
        record = Record(pool, row.record)
        for player in range(players):
            if trace.shared == 0:
                record.reward[player] += trace.rewards[player]
            else:
                atomic_add(record.reward, player, trace.rewards[player])
        value = trace.leaf[row.player]
        if number < trace.depth - 1:
            below, best = element(trace.path, number + 1), 0.0
            block = Node(pool, below.node).block
            for i in range(Block(pool, block).capacity):
                other = Record(pool, block + BLOCK_WORDS + i * trace.width)
                if other.visits > 0:
                    best = max(best, other.reward[players])
            value = best if below.player == row.player else 1.0 - best
        record.reward[players] = value


@dataclass(frozen=True, repr=False)
class BackUpMinimax(Backup):
    function = staticmethod(back_up_minimax)
    values_leaves = True


@compiled
def implicit_minimax(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n > 0.0:
            mixed = (1.0 - p.alpha) * arms.reward[i] / n + p.alpha * arms.statistic[i]
            values[i] = mixed + p.c * math.sqrt(logarithm(int(arms.available[i])) / n)
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class ImplicitMinimax(Policy):
    """``(1 - alpha) mean + alpha v + c sqrt(ln m / n)``, v being the minimax of evaluations; ``alpha`` = 0 is UCB1.

    Needs the game's ``evaluate``, perfect information without chance, and two players whose rewards add up to 1.
    """

    alpha: float = 0.3
    c: float = 0.7

    grid = tries(alpha=(0.1, 0.2, 0.3, 0.5), c=EXPLORATION)

    function = staticmethod(implicit_minimax)
    untried_first = staticmethod(implicit_minimax)
    statistics = (MinimaxValue(),)
    backup = BackUpMinimax()
    kinds = COUNTED
    needs_availability = True
    needs = ("evaluate",)
    formula = "(1 - alpha) mean + alpha v + c sqrt(ln m / n)"

    def __post_init__(self) -> None:
        require(self, "alpha", 0, 1)
        require(self, "c", 0)

    def check(self, game: Game) -> None:
        super().check(game)
        if game.hidden_information or game.stochastic or game.simultaneous_moves or game.players != 2:
            raise StrategyError(
                f"{self} backs up the best of what is below, which needs two players, perfect information and no chance;"
                f" {game.name} is not like that"
            )
        if game.stepping is not Stepping.ONE_STATE or game.copy is not None:
            raise StrategyError(
                f"{self} looks at leaves before they are played out, which needs a compiled game; {game.name} is not one"
            )
