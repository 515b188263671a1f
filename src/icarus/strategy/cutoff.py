"""Playouts that are cut off (section VI-A6 of mcts-survey-2012): a few plies, then the game's own evaluation.

A random game of many plies says little about the position that it began with; an evaluation a few plies on may say more, and
costs less.  Lorentz (2008) cuts off in Amazons, Winands and Bjornsson (2010) in Lines of Action.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from icarus.errors import StrategyError
from icarus.strategy.base import Expression, Strategy, refuse_without, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import complete
from icarus.strategy.weights import EVALUATION, read_weights

if TYPE_CHECKING:
    from icarus.game import Game


class InPlayouts(Strategy):
    """A strategy whose playouts are changed as a whole; the tree is that of the strategy inside."""

    strategy: Strategy
    #: functions that the game must have
    needs: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", complete(self.strategy))

    def parts(self) -> Iterator[Strategy]:
        yield self.strategy

    #: parameters that name files: who may name one is checked where expressions are read
    files: ClassVar[tuple[str, ...]] = ()

    def check(self, game: Game) -> None:
        refuse_without(game, self.needed, type(self).__name__)
        super().check(game)

    @property
    def needed(self) -> tuple[str, ...]:
        """Functions that the game must have."""
        return self.needs

    __str__ = __repr__ = Expression.__str__


@dataclass(frozen=True, repr=False)
class Cutoff(InPlayouts):
    """After ``plies`` plies beyond the tree a playout ends, and the game's function ``evaluate`` says what it is worth.

    The moves up to there are those of ``strategy``, uniformly random ones if none is given: ``RAVE() >> Cutoff(8, MAST())``.
    0 evaluates the leaf itself; ``inf`` is plain.  ``evaluation``: a file of weights (``icarus learn --what evaluation``)
    in place of the game's own function.
    """

    plies: float = 8
    strategy: Strategy = field(default_factory=Baseline)
    evaluation: str = ""

    needs = ("evaluate",)
    files = ("evaluation",)
    grid = tries(plies=(0, 2, 4, 8, 16, 32))
    place = "simulation"

    def __post_init__(self) -> None:
        require(self, "plies", 0, whole=True)
        super().__post_init__()

    def check(self, game: Game) -> None:
        super().check(game)
        if self.evaluation:
            read_weights(self.evaluation).check(game, EVALUATION, self.evaluation)
        if game.score is not None:
            raise StrategyError(f"{self} needs rewards, and {game.name} has a score, which only the end of a game tells")

    @property
    def needed(self) -> tuple[str, ...]:
        return ("features",) if self.evaluation else self.needs
