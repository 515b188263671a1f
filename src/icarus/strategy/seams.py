"""What else a strategy may replace: where the tree ends, what a node begins with, what a leaf is worth, what is backed up.

Each is a dataclass with a compiled ``function`` and parameters that the function reads by name; the engine's default serves where
none is given.  The tree's belong to the baseline (``Baseline(leaf=..., prior=..., backup=...)``), the evaluator stands where
simulations stand: ``RAVE() >> MyEvaluator()``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from icarus.engine import layout as w
from icarus.errors import StrategyError
from icarus.strategy.base import Enhancement, Function, Strategy, require, tries

if TYPE_CHECKING:
    from icarus.game import Game


class LeafRule(Function):
    """``function(visits, record, p)``: does the tree end behind a record that had so many visits before this playout?

    ``record`` is that of the history at which it was chosen.  By default the tree ends behind the first record without visits.
    """


class Prior(Function):
    """``function(state, actions, size, reward, visits, p)``: what the records of a new node begin with.

    Fill ``visits`` with whole numbers of virtual visits and ``reward`` with their total reward for the player who acts there.  By
    default records begin with nothing.  Needs perfect information: elsewhere a node belongs to many states.  ``reads`` says what
    is there already: zeros, the game's heuristic in ``reward``, or rewards and visits of the same actions at the player's
    previous node (PRIOR_READS_... of engine/layout.py).
    """

    reads: ClassVar[int] = w.PRIOR_READS_NOTHING

    @property
    def leaf(self) -> LeafRule | None:
        """Where the tree ends unless the baseline says otherwise: virtual visits are no reason to go on behind an action."""
        return None

    def check(self, game: Game) -> None:
        if game.hidden_information:
            raise StrategyError(f"{self} needs perfect information, and {game.name} hides some")
        if self.reads == w.PRIOR_READS_HEURISTIC:
            super().check(game)


class Backup(Function):
    """``function(trace, p)``: what a playout does to the records on its path; by default its rewards are added to all of them.

    ``element(trace.path, i)`` is the i-th of ``trace.depth`` steps; ``Record(trace.pool, row.record)`` its record, with totals in
    ``record.reward[player]``; visits have been counted.  Where ``trace.shared``, other threads change the same records.
    ``trace.end`` is the ply at which the playout ended, as ``row.ply`` counts them.
    """

    #: it changes visits or availability, so that the engine's shortcuts, which count on them, do not serve
    counts: ClassVar[bool] = False
    #: it reads the records behind those of the path, so that all players' must be in one tree
    one_tree: ClassVar[bool] = False
    #: it reads what the game's evaluation says of the leaf, in ``trace.leaf``
    values_leaves: ClassVar[bool] = False


class RewardMap(Function):
    """What a playout is worth to each player: ``r' = A r + b``, the rewards r being the game's.

    Everything learns from r': records, statistics and enhancements.  ``matrix(game, player)`` gives A, row by row, and b for a
    search of this player.
    """

    @abstractmethod
    def matrix(self, game: Game, player: int) -> tuple[list[list[float]], list[float]]: ...

    def numbers(self, game: Game, player: int) -> tuple[float, ...]:
        """As the loop reads them: for each player b, then the row of A."""
        rows, constants = self.matrix(game, player)
        return tuple(number for row, constant in zip(rows, constants, strict=True) for number in (constant, *row))


@dataclass(frozen=True, repr=False)
class Outcomes(Function):
    """At most ``ceil(k n^alpha)`` outcomes of the environment after n visits: the other half of double progressive widening.

    Then one of those that are known is drawn by its visits (Couetoux et al. 2011).  ``alpha`` = 1 draws anew every time;
    ``alpha`` = 0 is sparse sampling with k outcomes.
    """

    k: float = 1.0
    alpha: float = 0.5

    grid = tries(k=(1.0, 2.0, 4.0), alpha=(0.25, 0.5, 0.75))

    def __post_init__(self) -> None:
        require(self, "k", 0, above=True)
        require(self, "alpha", 0, 1)

    def check(self, game: Game) -> None:
        if not game.stochastic:
            raise StrategyError(f"{self} is about outcomes of the environment, and {game.name} has none")
        if game.hidden_information:
            raise StrategyError(f"{self} needs perfect information, and {game.name} hides some")


class Evaluator(Function, Strategy):
    """``function(leaves, p)``: what the leaves of waiting lanes are worth; by default a playout to the end says so.

    The state of the i-th of ``leaves.count`` lanes is at ``leaves.states[leaves.lanes[i] * leaves.state_size]``; its rewards,
    one per player in [0, 1], go to ``leaves.rewards[leaves.lanes[i] * leaves.players + player]``.
    """

    def enhancements(self) -> Iterator[Enhancement]:
        yield from ()
