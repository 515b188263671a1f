"""The terms that progressive bias and progressive history add to UCB1 (sections V-B5 and V-B11 of mcts-survey-2012)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from icarus.jit import compiled
from icarus.strategy.base import Policy, require, tries


@compiled
def bias(arms, values, p):
    for i in range(arms.size):
        n = arms.baseline_visits[i]
        score = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1.0
        values[i] = p.w * score / (n + 1.0) if n > 0.0 else math.inf


@compiled
def history_bias(arms, values, p):
    for i in range(arms.size):
        n = arms.baseline_visits[i]
        score = arms.reward[i] / arms.visits[i] if arms.visits[i] > 0.0 else 1.0
        values[i] = p.w * score / (n - arms.baseline_reward[i] + 1.0) if n > 0.0 else math.inf


@dataclass(frozen=True, repr=False)
class Bias(Policy):
    """``w H / (N + 1)``: a heuristic value that fades with the visits N of the baseline record."""

    w: float = 1.0

    grid = tries(w=(0.3, 1.0, 3.0, 10.0))

    function = staticmethod(bias)
    follows_baseline = True
    formula = "w H / (N + 1)"

    def __post_init__(self) -> None:
        require(self, "w", 0)


@dataclass(frozen=True, repr=False)
class HistoryBias(Policy):
    """``w (q / n) / (N - Q + 1)``: the average of the action anywhere, fading with what the baseline record has lost.

    An action that was never played anywhere counts as 1.
    """

    w: float = 3.0

    grid = tries(w=(0.5, 1.0, 3.0, 10.0))

    function = staticmethod(history_bias)
    follows_baseline = True
    formula = "w (q/n) / (N - Q + 1)"

    def __post_init__(self) -> None:
        require(self, "w", 0)
