"""Learned playouts: moves are drawn by a softmax of weighted features (Silver and Tesauro 2009; section VI-A7 of the survey).

The game's ``features`` say what holds of a move; ``icarus learn GAME --what playout`` finds a weight for each, by policy gradient
or by simulation balancing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from icarus.engine.calls import call_features, call_player
from icarus.jit import compiled
from icarus.jit.randomness import random_unit
from icarus.strategy.base import Strategy, refuse_without
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import complete
from icarus.strategy.considered import Considered, Filter
from icarus.strategy.weights import PLAYOUT, read_weights

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def draw_softmax(candidates, largest):
    """Move one action to the front, drawn in proportion to exp(value), of which ``largest`` is the largest."""
    actions, values, total = candidates.actions, candidates.values, 0.0
    for i in range(candidates.size):
        values[i] = math.exp(values[i] - largest)
        total += values[i]
    point = random_unit(candidates.rng) * total
    chosen = 0
    while chosen < candidates.size - 1 and point >= values[chosen]:
        point -= values[chosen]
        chosen += 1
    actions[0], actions[chosen] = actions[chosen], actions[0]


@compiled
def draw_by_weights(candidates, p):
    """One action, drawn in proportion to the exponential of its weights' sum."""
    game, actions, values, found = candidates.game, candidates.actions, candidates.values, candidates.features
    largest = -math.inf
    for i in range(candidates.size):
        count, total = call_features(game.features, candidates.state, actions[i], found), 0.0
        for k in range(count):
            total += p[found[k]]
        values[i] = total
        largest = max(largest, total)
    draw_softmax(candidates, largest)
    return 1


@compiled
def evaluate_by_weights(game, state, out, found, p):
    """For who acts the logistic function of the weights' sum; what is left goes to the other."""
    from_mover, total = call_features(game.features, state, -1, found), 0.0
    for k in range(from_mover):
        total += p[found[k]]
    mover = call_player(game.player, state)
    out[mover] = 1.0 / (1.0 + math.exp(-max(min(total, 500.0), -500.0)))
    out[1 - mover] = 1.0 - out[mover]


@dataclass(frozen=True, repr=False)
class DrawnByWeights(Filter):
    file: str

    function = staticmethod(draw_by_weights)

    @property
    def parameters(self) -> tuple[float, ...]:
        return tuple(read_weights(self.file).values.tolist())

    def signature(self, general: Any) -> Any:
        return general  # the weights have no names


@dataclass(frozen=True, repr=False)
class Features(Considered):
    """In playouts moves are drawn by the softmax of the weights in ``file``, which ``icarus learn --what playout`` wrote."""

    file: str
    strategy: Strategy = field(default_factory=Baseline)

    in_playouts_only = True
    #: parameters that name files: who may name one is checked where expressions are read
    files: ClassVar[tuple[str, ...]] = ("file",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "strategy", complete(self.strategy))

    def check(self, game: Game) -> None:
        refuse_without(game, ("features",), type(self).__name__)
        read_weights(self.file).check(game, PLAYOUT, self.file)
        self.strategy.check(game)  # no move is tried out, so that lanes serve as well

    @property
    def filter(self) -> Filter:
        return DrawnByWeights(self.file)
