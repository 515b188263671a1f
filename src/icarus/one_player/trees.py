"""Trees that grow as in UCT, with another choice in the tree: single-player MCTS, and UCT by maxima."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from icarus.algorithm import Algorithm, Parameter
from icarus.game import Game
from icarus.one_player.base import refuse_hidden, refuse_several


@dataclass(frozen=True)
class SinglePlayer(Algorithm):
    """Single-player MCTS (Schadd et al., 2008): a third term for the variance, and so many trees one after the other."""

    parameters: tuple[Parameter, ...] = (
        Parameter("restarts", 1, 100_000, meaning="the number of restarts"),
        Parameter("c", 0, 100, whole=False, meaning="the constant of exploration"),
        Parameter("d", 0, 10_000, whole=False, meaning="the constant of the third term"),
    )
    resamples: bool = False
    plays_best: bool = True
    restarts: int = 1
    c: float = 0.5
    d: float = 0.01

    def __post_init__(self) -> None:
        object.__setattr__(self, "trees", self.restarts)

    @property
    def usual_strategy(self) -> Any:
        from icarus.strategy.baseline import Baseline
        from icarus.strategy.policy.third_term import ThirdTerm

        return Baseline(policy=ThirdTerm(c=self.c, d=self.d))

    def check(self, game: Game) -> None:
        refuse_several(self, game)
        refuse_hidden(self, game)
        super().check(game)


@dataclass(frozen=True)
class ByMaximum(SinglePlayer):
    """Monte Carlo paraphrase generation (Chevelu et al., 2009): an action is worth the best that was found below it."""

    parameters: tuple[Parameter, ...] = (
        Parameter("restarts", 1, 100_000, meaning="the number of restarts"),
        Parameter("c", 0, 100, whole=False, meaning="the constant of exploration"),
    )
    c: float = 0.7

    @property
    def usual_strategy(self) -> Any:
        from icarus.strategy.baseline import Baseline
        from icarus.strategy.policy.max_ucb import MaxUCB

        return Baseline(policy=MaxUCB(c=self.c, share=1.0))
