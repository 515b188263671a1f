"""Statistics: one more number in every record, for policies that need more than totals and counts.

A policy declares which ones it reads (``statistics = (Squares(),)``); ``arms.statistic[i]`` is then the first of them for the
i-th arm.  ``function(old, reward, weight, odds, p)`` returns the new value after a playout: ``reward`` is that of the player
who chose, ``weight`` how much the playout counts, ``odds`` the probability with which the action was drawn (0 where it was
not drawn).  All statistics begin with 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.jit import compiled
from icarus.strategy.base import Function, require


class Statistic(Function):
    """Base of all statistics: dataclasses whose fields are the parameters."""


@compiled
def add_square(old, reward, weight, odds, p):
    return old + weight * reward * reward


@compiled
def add_by_importance(old, reward, weight, odds, p):
    return old + weight * reward / odds if odds > 0.0 else old


@compiled
def keep_largest(old, reward, weight, odds, p):
    return max(old, reward)


@compiled
def move_towards(old, reward, weight, odds, p):
    return old + p.rate * weight * (reward - old)


@compiled
def kept(old, reward, weight, odds, p):
    return old


@dataclass(frozen=True, repr=False)
class BackedUp(Statistic):
    """A number that a backup writes: a playout by itself leaves it as it is."""

    function = staticmethod(kept)


@dataclass(frozen=True, repr=False)
class Squares(Statistic):
    """The sum of squared rewards, for variances (UCB1-Tuned)."""

    function = staticmethod(add_square)


@dataclass(frozen=True, repr=False)
class Importance(Statistic):
    """The sum of rewards, each divided by the probability of the choice (EXP3, regret matching)."""

    function = staticmethod(add_by_importance)


@dataclass(frozen=True, repr=False)
class Maximum(Statistic):
    """The largest reward so far."""

    function = staticmethod(keep_largest)


@dataclass(frozen=True, repr=False)
class Recent(Statistic):
    """An average that forgets: it moves by the share ``rate`` towards every new reward."""

    rate: float = 0.1

    function = staticmethod(move_towards)

    def __post_init__(self) -> None:
        require(self, "rate", 0, 1, above=True)
