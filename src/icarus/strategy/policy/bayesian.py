"""Bayesian UCT (Tesauro, Rajan and Segal 2010; section V-A2 of mcts-survey-2012): beliefs are backed up, not averages.

A leaf's value is believed to be beta distributed, by its wins and losses.  A node's value is that of its best action, so its
belief is the distribution of the largest of the beliefs below it (of the actions that were tried): taken as normal ones, two at
a time, by the mean and variance of Clark (1961).  Records keep mean and variance for the player who chose; the formulas differ in
the bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icarus.engine.layout import BLOCK_WORDS, Block, Node, Record
from icarus.engine.select.tables import logarithm
from icarus.errors import StrategyError
from icarus.jit import atomic_add, compiled, element
from icarus.strategy.base import COUNTED, Policy, require, tries
from icarus.strategy.seams import Backup
from icarus.strategy.statistic import BackedUp

if TYPE_CHECKING:
    from icarus.game import Game


@dataclass(frozen=True, repr=False)
class BeliefMean(BackedUp):
    """The mean of what is believed of an action; the backup writes it."""


@dataclass(frozen=True, repr=False)
class BeliefVariance(BackedUp):
    """The variance of what is believed of an action; the backup writes it."""


@compiled
def mean_of_larger(m1, v1, m2, v2):
    """The mean of the larger of two normal numbers (Clark 1961)."""
    a = math.sqrt(v1 + v2)
    if a == 0.0:
        return max(m1, m2)
    x = (m1 - m2) / a
    below = 0.5 * math.erfc(-x / math.sqrt(2.0))
    return m1 * below + m2 * (1.0 - below) + a * math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


@compiled
def variance_of_larger(m1, v1, m2, v2):
    """The variance of the larger of two normal numbers (Clark 1961)."""
    a = math.sqrt(v1 + v2)
    if a == 0.0:
        return 0.0
    x = (m1 - m2) / a
    below = 0.5 * math.erfc(-x / math.sqrt(2.0))
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    mean = m1 * below + m2 * (1.0 - below) + a * density
    square = (m1 * m1 + v1) * below + (m2 * m2 + v2) * (1.0 - below) + (m1 + m2) * a * density
    return max(square - mean * mean, 0.0)


@compiled
def back_up_beliefs(trace, p):
    pool, players = trace.pool, trace.players
    for number in range(trace.depth - 1, -1, -1):
        row = element(trace.path, number)
        record = Record(pool, row.record)
        for player in range(players):
            if trace.shared == 0:
                record.reward[player] += trace.rewards[player]
            else:
                atomic_add(record.reward, player, trace.rewards[player])
        # a leaf: wins and losses, with nothing known before
        n, q = float(record.visits), record.reward[row.player]
        mean = (1.0 + q) / (2.0 + n)
        variance = mean * (1.0 - mean) / (3.0 + n)
        if number < trace.depth - 1:  # a node: the best of the actions that were tried there
            below, known = element(trace.path, number + 1), 0
            block = Node(pool, below.node).block
            for i in range(Block(pool, block).capacity):
                other = Record(pool, block + BLOCK_WORDS + i * trace.width)
                if other.visits > 0:
                    m, v = other.reward[players], other.reward[players + 1]
                    if known == 0:
                        mean, variance = m, v
                    else:
                        spread = variance_of_larger(mean, variance, m, v)
                        mean = mean_of_larger(mean, variance, m, v)
                        variance = spread
                    known += 1
            if below.player != row.player:
                mean = 1.0 - mean
        record.reward[players] = mean
        record.reward[players + 1] = variance


@dataclass(frozen=True, repr=False)
class BackUpBeliefs(Backup):
    function = staticmethod(back_up_beliefs)


@compiled
def bayesian(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n > 0.0:
            bound = p.c * math.sqrt(logarithm(int(arms.available[i])) / n)
            if p.by_deviation != 0.0:
                bound *= math.sqrt(arms.statistic[arms.stride + i])
            values[i] = arms.statistic[i] + bound
        else:
            values[i] = math.inf


@dataclass(frozen=True, repr=False)
class BayesianUCT(Policy):
    """``mu + c sqrt(ln m / n) sigma``, mu and sigma of the belief; without sigma if ``by_deviation`` is False: the first formula.

    ``c`` = sqrt 2 as in the paper.  Needs perfect information without chance, and one or two players whose rewards add up to 1.
    """

    c: float = 1.4142135623730951
    by_deviation: bool = True

    grid = tries(c=(0.35, 0.7, 1.4))

    function = staticmethod(bayesian)
    untried_first = staticmethod(bayesian)
    statistics = (BeliefMean(), BeliefVariance())
    backup = BackUpBeliefs()
    kinds = COUNTED
    needs_availability = True
    formula = "mu + c sqrt(ln m / n) (sigma)"

    def __post_init__(self) -> None:
        require(self, "c", 0)

    def check(self, game: Game) -> None:
        if game.hidden_information or game.stochastic or game.simultaneous_moves or game.players > 2:
            raise StrategyError(
                f"{self} backs up the best of what is below, which needs one or two players, perfect information and no chance;"
                f" {game.name} is not like that"
            )
