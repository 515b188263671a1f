"""How likely the others' moves are: by a search of theirs, by a policy of one's own, by a strategy that was counted before."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from icarus.errors import SearchError, StrategyError
from icarus.game import ENVIRONMENT, Position
from icarus.jit.randomness import seeded

if TYPE_CHECKING:
    from icarus.equilibrium.average import AverageStrategy
    from icarus.search.short import ShortSearches
    from icarus.strategy.base import Strategy

LOOKED_AT, TWINS = 8, 8  #: decisions of a fixed policy in which it is asked again, so often, to see whether it peeks


class OpponentModel(Protocol):
    """How likely whoever acts in a position would choose each of its legal actions, given what that player knows."""

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]: ...


class Fixed:
    """A policy of one's own: ``policy(position)`` gives one probability for each legal action of whoever acts.

    The position holds everything.  A policy whose answer changes with what its player cannot see is refused.
    """

    def __init__(self, policy: Callable[[Position], Sequence[float]]) -> None:
        self.policy, self._asked = policy, 0

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]:
        found = self._of(position, len(actions))
        if self._asked < LOOKED_AT:
            self._asked += 1
            rng = seeded(self._asked, stream=83)
            again = (self._of(position.determinize(position.player, rng), len(actions)) for _ in range(TWINS))
            if (other := next((odds for odds in again if odds != found), None)) is not None:
                raise SearchError(
                    f"belief: for two positions that {position.game.player_labels[position.player]} cannot tell apart the policy "
                    f"gives {found[:6]} and {other[:6]}; it must be a function of what the player sees"
                )
        return found

    def _of(self, position: Position, actions: int) -> list[float]:
        found = [float(share) for share in self.policy(position)]
        if len(found) != actions or min(found) < 0 or not math.isclose(sum(found), 1, rel_tol=1e-6):
            raise SearchError(
                f"belief: the policy gives {found[:6]} for {actions} actions; one probability for each was expected"
            )
        return found


@dataclass(frozen=True)
class Counts:
    """A strategy for the whole game, such as the shares of the visits of earlier searches."""

    strategy: AverageStrategy

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]:
        return self.strategy.at(position)


class Model:
    """The others search, each with its own knowledge: ``strategy`` and ``iterations`` are those of that search."""

    def __init__(self, strategy: str | Strategy = "-", *, iterations: int = 50, algorithm: str | None = None) -> None:
        if iterations < 1:
            raise SearchError(f"belief: a model of {iterations} iterations cannot search")
        if algorithm is not None:
            refuse_cheats(algorithm)
        self.strategy = _with_baseline(strategy)
        self.iterations, self.algorithm = iterations, algorithm
        self._known: dict[int, list[float]] = {}
        self._searches: ShortSearches | None = None

    def odds(self, position: Position, actions: Sequence[int]) -> Sequence[float]:
        from icarus.equilibrium.knowledge import information_set
        from icarus.search.short import ShortSearches

        if self._searches is None or self._searches.game is not position.game:
            self._known.clear()
            self._searches = ShortSearches(
                position.game, strategy=self.strategy, algorithm=self.algorithm, iterations=self.iterations
            )
        # what the model would play follows from what it knows: other particles may ask for the same
        key = information_set(position, position.player)
        if key not in self._known:
            visits = self._searches.visits(position, key & 0x7FFFFFFF)
            total = sum(visits.values())
            self._known[key] = [visits.get(action, 0) / total for action in actions]
        return self._known[key]


def refuse_cheats(algorithm: str) -> None:
    """A model that looks at the true state is none: its player cannot see it."""
    from icarus.algorithm import ALGORITHMS

    name = algorithm.partition("(")[0].strip()
    if name in ALGORITHMS and ALGORITHMS[name].cheats:
        raise SearchError(f"belief: {algorithm} needs what a player cannot see; use mo, so or pom as the model")


def _with_baseline(strategy: str | Strategy) -> Strategy:
    """``MAST()`` alone has no tree: the baseline's is put in front of it."""
    from icarus.strategy.baseline import Baseline
    from icarus.strategy.expression import read_strategy

    try:
        return read_strategy(strategy)
    except StrategyError as problem:
        if "no baseline" not in str(problem):
            raise
    return read_strategy(f"{Baseline()} >> ({strategy})")


@dataclass(frozen=True)
class Expected:
    """How likely whatever happens is: what the environment does by its own odds, what the others do by a model of them.

    The share ``mixture`` of the others' moves is uniform: nobody plays exactly as a model says.
    """

    model: OpponentModel
    mixture: float

    def odds(self, position: Position, legal: list[int]) -> list[float]:
        """One probability for each legal action of whoever acts."""
        if position.player == ENVIRONMENT:
            return position.chance() if position.game.chance is not None else [1 / len(legal)] * len(legal)
        if len(legal) == 1:
            return [1.0]
        model = self.model.odds(position, legal)
        return [self.mixture / len(legal) + (1 - self.mixture) * share for share in model]
