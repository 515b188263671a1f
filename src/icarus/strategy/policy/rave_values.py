"""RAVE by the action: how far AMAF is trusted depends on each action's own visits (section V-C5 of mcts-survey-2012).

These policies stand on AMAF's records and read the baseline's beside them: ``(1 - b) Q / N + b q / n + c sqrt(ln M / N)``.  They
differ in the weight b.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.engine import layout as w
from icarus.engine.select.tables import logarithm
from icarus.jit import compiled
from icarus.jit.randomness import random_unit
from icarus.strategy.base import EQUIVALENCE, EXPLORATION, Policy, require, tries


@compiled
def mixed_value(reward, visits, later_reward, later, available, weight, c):
    """The average of baseline and AMAF by their weight, with the baseline's exploration; AMAF without visits has no say."""
    if visits == 0.0:
        return math.inf
    mean = reward / visits
    average = later_reward / later if later > 0.0 else mean
    return (1.0 - weight) * mean + weight * average + c * math.sqrt(logarithm(int(available)) / visits)


@compiled
def survey_rave(arms, values, p):
    for i in range(arms.size):
        n = arms.baseline_visits[i]
        weight = max(0.0, (p.v - n) / p.v) if p.v > 0.0 else 0.0
        values[i] = mixed_value(
            arms.baseline_reward[i], n, arms.reward[i], arms.visits[i], arms.baseline_available[i], weight, p.c
        )


@compiled
def minimum_mse(arms, values, p):
    for i in range(arms.size):
        n, later = arms.baseline_visits[i], arms.visits[i]
        weight = later / (n + later + 4.0 * n * later * p.bias * p.bias) if n > 0.0 and later > 0.0 else 0.0
        values[i] = mixed_value(
            arms.baseline_reward[i], n, arms.reward[i], arms.visits[i], arms.baseline_available[i], weight, p.c
        )


@compiled
def rave_max(arms, values, p):
    share = math.sqrt(p.k / (3.0 * arms.node.visits + p.k))
    largest = p.delta >= 1.0 or (p.delta > 0.0 and random_unit(arms.rng) < p.delta)
    for i in range(arms.size):
        n, later = arms.baseline_visits[i], arms.visits[i]
        # where AMAF thinks less of an action than its own record does, it is not asked
        modest = n > 0.0 and later > 0.0 and arms.reward[i] / later < arms.baseline_reward[i] / n
        weight = 0.0 if largest and modest else share
        values[i] = mixed_value(
            arms.baseline_reward[i], n, arms.reward[i], arms.visits[i], arms.baseline_available[i], weight, p.c
        )


@dataclass(frozen=True, repr=False)
class SurveyWeight(Policy):
    """``b = max(0, (v - N) / v)``: AMAF alone at first, gone after ``v`` visits of the action; 0 is UCB1."""

    v: float = 250.0
    c: float = 0.2

    grid = tries(v=EQUIVALENCE, c=EXPLORATION)

    function = staticmethod(survey_rave)
    kinds = (w.KEEPS_ALL_MOVES,)
    follows_baseline = True
    formula = "(1 - b) Q/N + b q/n + c sqrt(ln M / N), b = max(0, (v - N) / v)"

    def __post_init__(self) -> None:
        require(self, "v", 0)
        require(self, "c", 0)


@dataclass(frozen=True, repr=False)
class MSEWeight(Policy):
    """``b = n / (N + n + 4 N n bias^2)``: the weight with the least mean squared error if AMAF is off by ``bias``.

    0 trusts every later move as much as a visit; an infinite bias is UCB1.
    """

    bias: float = 0.1
    c: float = 0.2

    grid = tries(bias=(0.01, 0.03, 0.1, 0.3), c=EXPLORATION)

    function = staticmethod(minimum_mse)
    kinds = (w.KEEPS_ALL_MOVES,)
    follows_baseline = True
    formula = "(1 - b) Q/N + b q/n + c sqrt(ln M / N), b = n / (N + n + 4 N n bias^2)"

    def __post_init__(self) -> None:
        require(self, "bias", 0)
        require(self, "c", 0)


@dataclass(frozen=True, repr=False)
class MaxWeight(Policy):
    """CadiaPlayer's formula with ``max(q / n, Q / N)`` in the place of ``q / n``, in the share ``delta`` of the choices."""

    k: float = 250.0
    c: float = 0.2
    delta: float = 1.0

    grid = tries(k=EQUIVALENCE, c=EXPLORATION, delta=(0.25, 0.5, 1.0))

    function = staticmethod(rave_max)
    kinds = (w.KEEPS_ALL_MOVES,)
    follows_baseline = True
    formula = "(1 - b) Q/N + b max(q/n, Q/N) + c sqrt(ln M / N), b = sqrt(k / (3 n + k))"

    def __post_init__(self) -> None:
        require(self, "k", 0, above=True)
        require(self, "c", 0)
        require(self, "delta", 0, 1)
