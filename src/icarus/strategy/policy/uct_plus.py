"""UCT+ (Van den Broeck, Driessens and Ramon 2009; section IV-H6 of mcts-survey-2012): miximax by Monte Carlo.

The player who searches takes the action with the largest ``X + c sigma``: the average reward and its standard error.  The others
are part of the environment: a model says how likely they choose what.  Here that is a reasonable player with errors, who draws
by ``exp(average of its own / tau)``.

X and sigma of an action are those of what is behind it: at a node of the others and of chance, actions are weighted by their
probabilities, ``X = sum p X_i`` and ``sigma^2 = sum p^2 sigma_i^2``; at a node of one's own by visits, or the best one counts
alone (miximax).  The probabilities of chance, and of players of whom something is hidden, are the shares of the visits, which
were drawn by them.  Behind a leaf are playouts: ``sigma^2 = s^2 / n``, with a quarter (the variance of a reward of which nothing
is known) as one more observation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.engine import layout as w
from icarus.engine.layout import BLOCK_WORDS, Block, Node, Record
from icarus.errors import StrategyError
from icarus.jit import atomic_add, compiled, element
from icarus.strategy.base import COUNTED, Policy, require, tries
from icarus.strategy.seams import Backup
from icarus.strategy.statistic import BackedUp

if TYPE_CHECKING:
    from icarus.game import Game

MEAN, ERROR, SQUARES, OWN = range(4)  # statistics of a record


@dataclass(frozen=True, repr=False)
class RewardMean(BackedUp):
    """X of the player who searches."""


@dataclass(frozen=True, repr=False)
class SquaredError(BackedUp):
    """sigma^2, the squared standard error of X."""


@dataclass(frozen=True, repr=False)
class SumOfSquares(BackedUp):
    """Of the rewards of the player who searches."""


@dataclass(frozen=True, repr=False)
class Chosen(BackedUp):
    """1 where the player who searches chooses, else 0."""


@compiled
def back_up_mixture(trace, p):
    pool, players, searcher = trace.pool, trace.players, 0
    for number in range(trace.depth - 1, -1, -1):  # the first who decides is who searches
        searcher = element(trace.path, number).player if element(trace.path, number).player >= 0 else searcher
    won = trace.rewards[searcher]
    for number in range(trace.depth - 1, -1, -1):
        row = element(trace.path, number)
        record = Record(pool, row.record)
        for player in range(players):
            if trace.shared == 0:
                record.reward[player] += trace.rewards[player]
            else:
                atomic_add(record.reward, player, trace.rewards[player])
        record.reward[players + SQUARES] += won * won
        record.reward[players + OWN] = 1.0 if row.player == searcher else 0.0
        n = float(record.visits)
        mean = record.reward[searcher] / n
        error = (max(record.reward[players + SQUARES] - n * mean * mean, 0.0) + 0.25) / (n * n)
        if number < trace.depth - 1:
            below = element(trace.path, number + 1)
            own, other = below.player == searcher, below.player >= 0 and below.player != searcher
            by_model = other and trace.game.determinize == 0
            best, largest, total, mixed, spread = -math.inf, -math.inf, 0.0, 0.0, 0.0
            if by_model:  # relative to the best, so that a small tau cannot overflow
                block = Node(pool, below.node).block
                while block != 0:
                    for i in range(Block(pool, block).capacity):
                        action = Record(pool, block + BLOCK_WORDS + i * trace.width)
                        if action.visits > 0:
                            largest = max(largest, action.reward[below.player] / action.visits)
                    block = Block(pool, block).next
            block = Node(pool, below.node).block
            while block != 0:
                for i in range(Block(pool, block).capacity):
                    action = Record(pool, block + BLOCK_WORDS + i * trace.width)
                    if action.visits == 0:
                        continue
                    x, squared = action.reward[players + MEAN], action.reward[players + ERROR]
                    if own and p.best != 0.0:
                        if x > best:
                            best, mixed, spread, total = x, x, squared, 1.0
                        continue
                    share = float(action.visits)
                    if by_model:
                        share = math.exp((action.reward[below.player] / action.visits - largest) / p.tau)
                    total += share
                    mixed += share * x
                    spread += share * share * squared
                block = Block(pool, block).next
            if total > 0.0:
                mean = mixed / total
                error = spread / (total * total)
        record.reward[players + MEAN] = mean
        record.reward[players + ERROR] = error


@dataclass(frozen=True, repr=False)
class BackUpMixture(Backup):
    """X and sigma^2 of what is behind an action; ``tau`` and ``best`` are those of UCTPlus."""

    tau: float = 0.1
    best: bool = False

    function = staticmethod(back_up_mixture)
    one_tree = True


@compiled
def uct_plus(arms, values, p):
    size, untried, largest = arms.size, 0, -math.inf
    for i in range(size):
        untried += arms.visits[i] == 0.0
    if untried > 0:
        for i in range(size):
            values[i] = 1.0 if arms.visits[i] == 0.0 else 0.0
        return
    own = arms.statistic[3 * arms.stride] != 0.0
    for i in range(size):
        values[i] = arms.reward[i] / arms.visits[i]
        if own:
            values[i] = arms.statistic[i] + p.c * math.sqrt(arms.statistic[arms.stride + i])
        largest = max(largest, values[i])
    for i in range(size):
        if own:
            values[i] = 1.0 if values[i] == largest else 0.0
        else:
            values[i] = math.exp((values[i] - largest) / p.tau)


@dataclass(frozen=True, repr=False)
class UCTPlus(Policy):
    """``X + c sigma`` where the searching player chooses; the others draw by ``exp(v / tau)``, v being their own average.

    The smaller ``tau``, the fewer errors are expected of them; ``tau`` = inf: they play at random.  ``best``: what is behind an
    action of one's own is worth its best answer, not the average of those that were tried.
    """

    c: float = 2.0
    tau: float = 0.1
    best: bool = False

    grid = tries(c=(0.5, 1.0, 2.0), tau=(0.03, 0.1, 0.3))

    function = staticmethod(uct_plus)
    shape = w.DISTRIBUTION
    statistics = (RewardMean(), SquaredError(), SumOfSquares(), Chosen())
    kinds = COUNTED
    formula = "own: X + c sigma; others: exp(v/tau) / sum_b exp(v(b)/tau)"

    def __post_init__(self) -> None:
        require(self, "c", 0)
        require(self, "tau", 0, above=True)

    @property
    def backup(self) -> Backup:
        return BackUpMixture(self.tau, self.best)

    def check(self, game: Game) -> None:
        if game.simultaneous_moves:
            raise StrategyError(f"{self} models players who choose one after the other, and in {game.name} they choose together")
