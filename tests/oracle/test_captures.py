"""Every capture with every policy that fits it: the engine and the specifications of icarus-2014 keep the same records.

The enhancement decides alone in simulations, and in the tree with a probability that fades, so that it reads in every phase.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from icarus.errors import StrategyError
from icarus.strategy import (
    AMAF,
    EPIC,
    EXP3,
    LGR,
    LGR2,
    LGRF,
    LGRF2,
    MAST,
    NAST,
    PAST,
    TOMAST,
    UCB1,
    Baseline,
    Bias,
    Cadia,
    Enhancement,
    EpsilonGreedy,
    Gibbs,
    Greedy,
    Heuristic,
    HistoryBias,
    Linear,
    Policy,
    RaveWeight,
    RouletteWheel,
    Tiles,
    UCB1Sum,
    UCB1Tuned,
    Uniform,
)
from tests.oracle.comparing import assert_same_strategy, position_after

#: perfect information, chance, hidden information (three players), partially observable moves, all of it (three players)
GAMES = {
    "dressed mnk(3,3,3)": "uct",
    "open bazaar(2,2)": "uct",
    "dressed kuhn_poker(3)": "mo",
    "dressed phantom(3,2,2)": "mo",
    "bazaar(3,2)": "mo",
}
POLICIES: list[Policy] = [
    UCB1(), UCB1Sum(c=0.5), UCB1Tuned(), Gibbs(tau=0.3), EpsilonGreedy(0.3), RouletteWheel(), Greedy(), Uniform(), EXP3(),
    Bias(w=0.5), HistoryBias(), Cadia(c=0.4),
]  # fmt: skip
REPLIES = [LGR(), LGRF(), LGR2(), LGRF2()]
AVERAGES: dict[str, Callable[..., Enhancement]] = {
    "MAST": MAST,
    "TOMAST": TOMAST,
    "NAST(1)": lambda policy: NAST(1, policy=policy),
    "NAST(2)": lambda policy: NAST(2, policy=policy),
    "NAST(3)": lambda policy: NAST(3, policy=policy),
    "EPIC": EPIC,
    "PAST": PAST,
    "Tiles": Tiles,
    "Heuristic": Heuristic,
    "AMAF": AMAF,
    "AMAF, every node": lambda policy: AMAF(every_node=True, policy=policy),
    "AMAF, ref=4": lambda policy: AMAF(ref=4, policy=policy),
    "AMAF, ref=4, every node": lambda policy: AMAF(ref=4, every_node=True, policy=policy),
    "AMAF, ref=inf": lambda policy: AMAF(ref=math.inf, policy=policy),
}


def fitting(capture: str) -> list[Enhancement]:
    """A capture with its own policy and with every other one that it allows."""
    found: list[Enhancement] = []
    for policy in [None, *POLICIES]:
        try:
            found.append(AVERAGES[capture](policy=policy))
        except StrategyError:
            assert isinstance(policy, UCB1 | UCB1Tuned | EXP3) and capture.startswith(("AMAF", "Heuristic")), (
                f"{policy} should fit {capture}"
            )
    return found


def assert_same_everywhere(enhancement: Enhancement, game: str, most: int) -> None:
    strategy = Linear(enhancement, Baseline(), weight=RaveWeight(10))
    assert_same_strategy(strategy, position_after(game, 1, 3), GAMES[game], 3, most)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("capture", AVERAGES)
def test_averages(capture: str, game: str) -> None:
    for enhancement in fitting(capture):
        assert_same_everywhere(enhancement, game, most=30)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("replies", REPLIES, ids=str)
def test_replies(replies: Enhancement, game: str) -> None:
    assert_same_everywhere(replies, game, most=100)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_policies_on_the_baseline(policy: Policy, game: str) -> None:
    assert_same_strategy(Baseline(policy=policy), position_after(game, 0, 5), GAMES[game], 5, 100)
