"""The policies alpha: what is known of each choice becomes a value to maximise, or a weight to draw by.

A policy gets, for each choice, the :class:`Info` of its capture and that of the baseline, the player about to act, and the
baseline's information on the history itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tests.oracle.ismcts import exp
from tests.oracle.specifications import Info


@dataclass
class Knowledge:
    own: dict[int, Info]
    base: dict[int, Info]
    node: Info
    player: int

    def average(self, choice: int) -> float:
        """v(a) of MAST-4."""
        info = self.own[choice]
        return info.q[self.player] / info.n if info.n > 0 else 1.0


Values = dict[int, float]

# --- values to maximise (equation 13) --------------------------------------------------------------------------------


def ucb1(k: Knowledge, c: float) -> Values:
    """Base-4."""
    return {a: ucb1_value(info, k.player, c) for a, info in k.own.items()}


def ucb1_value(info: Info, player: int, c: float) -> float:
    return info.q[player] / info.n + c * math.sqrt(math.log(info.m) / info.n) if info.n > 0 else math.inf


def ucb1_sum(k: Knowledge, c: float) -> Values:
    """AMAF-4, NAST-4."""
    trials = sum(info.n for info in k.own.values())
    return {
        a: info.q[k.player] / info.n + c * math.sqrt(math.log(trials) / info.n) if info.n > 0 else math.inf
        for a, info in k.own.items()
    }


def ucb1_tuned(k: Knowledge) -> Values:
    """Section V-A1 of mcts-survey-2012."""
    values = {}
    for a, info in k.own.items():
        if info.n == 0:
            values[a] = math.inf
            continue
        mean = info.q[k.player] / info.n
        variance = info.squares / info.n - mean * mean + math.sqrt(2 * math.log(info.m) / info.n)
        values[a] = mean + math.sqrt(math.log(info.m) / info.n * min(0.25, variance))
    return values


def greedy(k: Knowledge) -> Values:
    return {a: k.average(a) for a in k.own}


def bias(k: Knowledge, w: float) -> Values:
    """Progressive bias' term: w H / (N + 1)."""
    return {a: w * k.average(a) / (k.base[a].n + 1) if k.base[a].n > 0 else math.inf for a in k.own}


def history_bias(k: Knowledge, w: float) -> Values:
    """Progressive history's term: w (q / n) / (N - Q + 1)."""
    return {a: w * k.average(a) / (k.base[a].n - k.base[a].q[k.player] + 1) if k.base[a].n > 0 else math.inf for a in k.own}


def cadia(k: Knowledge, c: float) -> Values:
    """AMAF's average with the baseline's exploration; without AMAF visits the baseline's average."""
    values = {}
    for a, info in k.own.items():
        base = k.base[a]
        if base.n == 0:
            values[a] = math.inf
            continue
        average = info.q[k.player] / info.n if info.n > 0 else base.q[k.player] / base.n
        values[a] = average + c * math.sqrt(math.log(base.m) / base.n)
    return values


def unpruning(k: Knowledge, c: float, initial: float, a: float, b: float) -> Values:
    """UCB1 among the best ``initial`` by the heuristic, one more at a b, a b^2, ... visits; a node without visits admits all."""
    admitted = len(k.own)
    if k.node.n > 0:
        admitted = int(initial)
        while admitted < len(k.own) and k.node.n > a * b ** (admitted - initial + 1):
            admitted += 1
    best = sorted(k.own, key=lambda choice: -k.average(choice))[:admitted]
    return {choice: ucb1_value(k.base[choice], k.player, c) if choice in best else -math.inf for choice in k.own}


# --- weights to draw by ----------------------------------------------------------------------------------------------


def gibbs(k: Knowledge, tau: float) -> Values:
    """MAST-4."""
    return {a: math.exp(k.average(a) / tau) for a in k.own}


def epsilon_greedy(k: Knowledge, epsilon: float) -> Values:
    """MAST-epsilon-greedy-4."""
    best = [a for a in k.own if k.average(a) == max(map(k.average, k.own))]
    return {a: epsilon / len(k.own) + ((1 - epsilon) / len(best) if a in best else 0.0) for a in k.own}


def roulette_wheel(k: Knowledge) -> Values:
    """MAST-Roulette-4; if all averages are 0 every choice is as good."""
    weights = {a: k.average(a) for a in k.own}
    return weights if any(weights.values()) else {}


def exp3(k: Knowledge) -> Values:
    """Equations 4 to 6 of ismcts-2012."""
    K, n = len(k.own), sum(info.n for info in k.own.values())
    gamma = 1.0 if n == 0 else min(1.0, math.sqrt(K * math.log(K) / ((math.e - 1) * n)))
    eta = gamma / K
    return {
        a: gamma / K + (1 - gamma) / sum(exp((other.weighted - info.weighted) * eta) for other in k.own.values())
        for a, info in k.own.items()
    }


def uniform(k: Knowledge) -> Values:
    return {}


#: by the engine's name: the values or weights, given the parameters in the order in which the engine has them
ARG_MAX: dict[str, Callable[..., Values]] = {
    "UCB1": ucb1, "UCB1Sum": ucb1_sum, "UCB1Tuned": ucb1_tuned, "Greedy": greedy, "Bias": bias, "HistoryBias": history_bias,
    "Cadia": cadia, "Unpruning": unpruning,
}  # fmt: skip
DISTRIBUTION: dict[str, Callable[..., Values]] = {
    "Gibbs": gibbs, "EpsilonGreedy": epsilon_greedy, "RouletteWheel": roulette_wheel, "EXP3": exp3, "Uniform": uniform,
}  # fmt: skip
#: these give equal values to whatever the baseline has not visited
FOLLOW_BASELINE = ("Bias", "HistoryBias", "Cadia", "Unpruning")
