"""What is backed up in place of the plain reward (sections VI-B1 to VI-B3 of mcts-survey-2012).

``Decaying`` multiplies the reward by gamma for every ply between a node and the end of the playout (Kocsis and Szepesvari 2006):
a win that is near is worth more than one that is far.  ``Weighted`` counts a playout as several if it was short (Xie and Liu
2009): what happens far from the leaf says less about it.  ``ScoreBonus`` tells clear wins from narrow ones (section VI-B2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.engine.calls import call_margin, call_terminal
from icarus.engine.layout import AVAILABLE, BLOCK_WORDS, VISIT, Block, Node, Record
from icarus.errors import StrategyError
from icarus.jit import atomic_add, compiled, element
from icarus.strategy.base import require, tries
from icarus.strategy.seams import Backup

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def decay(trace, p):
    share = p.gamma ** (trace.end - element(trace.path, trace.depth - 1).ply - 1) if trace.depth > 0 else 1.0
    below = trace.end
    for number in range(trace.depth - 1, -1, -1):
        row = element(trace.path, number)
        if below != trace.end:
            share *= p.gamma ** (below - row.ply)
        below = row.ply
        total = Record(trace.pool, row.record).reward
        for player in range(trace.players):
            if trace.shared == 0:
                total[player] += share * trace.rewards[player]
            else:
                atomic_add(total, player, share * trace.rewards[player])


@compiled
def weigh(trace, p):
    length = trace.end - element(trace.path, trace.depth - 1).ply - 1 if trace.depth > 0 else 0
    weight = int(p.weight) if length <= p.plies else 1
    pool, shared = trace.pool, trace.shared != 0
    for number in range(trace.depth):
        row = element(trace.path, number)
        record = Record(pool, row.record)
        for player in range(trace.players):
            if not shared:
                record.reward[player] += weight * trace.rewards[player]
            else:
                atomic_add(record.reward, player, weight * trace.rewards[player])
        if weight == 1 or row.node == 0:
            continue
        # as if the playout had been played so many times: its siblings were available as often
        if not shared:
            record.counts += (weight - 1) * VISIT
        else:
            atomic_add(record, "counts", (weight - 1) * VISIT)
        block = Node(pool, row.node).block if row.player >= 0 else 0
        for i in range(Block(pool, block).capacity if block != 0 else 0):
            sibling = Record(pool, block + BLOCK_WORDS + i * trace.width)
            if not shared:
                sibling.counts += (weight - 1) * AVAILABLE
            else:
                atomic_add(sibling, "counts", (weight - 1) * AVAILABLE)


@compiled
def add_bonus(trace, p):
    margin = 1.0
    if call_terminal(trace.game.terminal, trace.state) != 0:
        margin = call_margin(trace.game.margin, trace.state)
    for number in range(trace.depth):
        total = Record(trace.pool, element(trace.path, number).record).reward
        for player in range(trace.players):
            reward = trace.rewards[player]
            if reward >= 1.0:
                reward = 1.0 - p.bonus * (1.0 - margin)
            elif reward <= 0.0:
                reward = p.bonus * (1.0 - margin)
            if trace.shared == 0:
                total[player] += reward
            else:
                atomic_add(total, player, reward)


@dataclass(frozen=True, repr=False)
class ScoreBonus(Backup):
    """A win counts ``1 - bonus`` to 1, a loss 0 to ``bonus``, by how clear it is (the game's ``margin``); 0 is plain.

    The survey's gamma = 1/2 is ``bonus`` = 0.5.
    """

    bonus: float = 0.1

    grid = tries(bonus=(0.02, 0.05, 0.1, 0.2))

    function = staticmethod(add_bonus)
    needs = ("margin",)
    formula = "win: 1 - bonus (1 - margin), loss: bonus (1 - margin)"

    def __post_init__(self) -> None:
        require(self, "bonus", 0, 0.5)


@dataclass(frozen=True, repr=False)
class Decaying(Backup):
    """A reward fades by the factor ``gamma`` with every ply between the node and the end; 1 is plain."""

    gamma: float = 0.99

    grid = tries(gamma=(0.9, 0.97, 0.99, 0.997))

    function = staticmethod(decay)
    formula = "gamma^(plies to the end) r"

    def __post_init__(self) -> None:
        require(self, "gamma", 0, 1, above=True)


@dataclass(frozen=True, repr=False)
class Weighted(Backup):
    """A playout of at most ``plies`` plies beyond the tree counts as ``weight`` playouts; 1 is plain."""

    weight: int = 2
    plies: int = 20

    grid = tries(weight=(2, 4, 8), plies=(5, 10, 20, 40))

    function = staticmethod(weigh)
    counts = True
    formula = "weight visits and weight r for short playouts"

    def __post_init__(self) -> None:
        require(self, "weight", 1, 1000, whole=True)
        require(self, "plies", 0, whole=True)

    def check(self, game: Game) -> None:
        if game.hidden_information or game.simultaneous_moves:
            raise StrategyError(
                f"{self} counts visits for all actions of a node, which needs perfect information; {game.name} hides some"
            )
