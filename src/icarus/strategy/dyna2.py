"""Dyna-2 (Silver, Sutton and Mueller 2008; section IV-C1 of mcts-survey-2012): playouts by permanent and transient values.

What a move is worth is a linear function of what holds of the position and of the move: Q(s, a) with weights that were learned
before the game, and with others that this search learns from its own playouts (Sarsa(lambda)).  Playouts are epsilon-greedy.

In print the values take the place of the tree, and every simulation begins at the root.  Here the tree keeps its own memory, and
values are learned from where it ends and used there: that is an interpretation.  ``flat`` without a tree is nearer to the paper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from icarus.engine.calls import call_features
from icarus.errors import StrategyError
from icarus.jit import compiled
from icarus.jit.randomness import random_below, random_unit
from icarus.strategy.base import Strategy, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import complete
from icarus.strategy.considered import Considered, Filter
from icarus.strategy.transient import CHOICE, Learning, check_learning, close_note, note_features, weight_of
from icarus.strategy.weights import PLAYOUT, read_weights

if TYPE_CHECKING:
    from icarus.game import Game

SARSA = "sarsa"  #: how the permanent weights are learned (``icarus learn --method``)


@compiled
def epsilon_greedy(candidates, p):
    """The move that is worth most, with probability epsilon any; what held is noted."""
    actions, found, learned = candidates.actions, candidates.features, candidates.learned
    chosen = 0
    if random_unit(candidates.rng) < p[CHOICE]:
        chosen = random_below(candidates.rng, candidates.size)
    else:
        best, equals = -math.inf, 0
        for i in range(candidates.size):  # what holds of the position is the same for all
            total = 0.0
            for k in range(call_features(candidates.game.features, candidates.state, actions[i], found)):
                total += weight_of(learned, p, found[k])
            if total > best:
                best, chosen, equals = total, i, 1
            elif total == best:
                equals += 1
                if random_below(candidates.rng, equals) == 0:
                    chosen = i
    end = note_features(candidates, 1 + candidates.notes[0], -1)
    close_note(candidates, note_features(candidates, end, actions[chosen]))
    actions[0], actions[chosen] = actions[chosen], actions[0]
    return 1


@dataclass(frozen=True, repr=False)
class ByValues(Learning):
    function = staticmethod(epsilon_greedy)


@dataclass(frozen=True, repr=False)
class Dyna2(Considered):
    """Playouts play the move with the best value, with probability ``epsilon`` any; the values are learned during the search.

    ``file``: permanent weights (``icarus learn GAME --what playout --method sarsa``), none if it is empty.  ``alpha`` is the step
    size of the transient ones, which are kept as long as the search follows a game; 0 learns nothing.  ``fading`` is lambda.
    """

    file: str = ""
    epsilon: float = 0.3
    alpha: float = 0.1
    fading: float = 0.7
    strategy: Strategy = field(default_factory=Baseline)

    in_playouts_only = True
    files: ClassVar[tuple[str, ...]] = ("file",)
    grid = tries(epsilon=(0.1, 0.3, 0.6), alpha=(0.03, 0.1, 0.3), fading=(0.5, 0.7, 0.9))

    def __post_init__(self) -> None:
        require(self, "epsilon", 0, 1)
        require(self, "alpha", 0, 1)
        require(self, "fading", 0, 1)
        object.__setattr__(self, "strategy", complete(self.strategy))

    def check(self, game: Game) -> None:
        check_learning(self, game, ("features",), PLAYOUT)
        if self.file and (method := read_weights(self.file).told.get("method")) != SARSA:
            raise StrategyError(
                f"{self.file!r} was learned by {method or 'nothing known'}, which gives no values of moves;"
                f" icarus learn --method {SARSA} does"
            )
        self.strategy.check(game)

    @property
    def filter(self) -> Filter:
        return ByValues(self.alpha, self.fading, self.epsilon, self.file)
