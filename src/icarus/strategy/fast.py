"""FAST (Finnsson and Bjornsson 2010; section VI-A4 of mcts-survey-2012): the value of pieces and cells steers playouts.

TD(lambda) learns from the playouts what pieces and their cells are worth.  A move is then judged without being played: by what
its name says that it takes from the board and puts there (the game's ``shifts``, which rule sheets with a board have), drawn by
Gibbs sampling.  In print captures are weighted by type, and moves by cell where there is one type of piece; here both are one
sum, which is an interpretation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from icarus.engine.calls import call_shifts
from icarus.jit import compiled
from icarus.strategy.base import Strategy, require, tries
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import complete
from icarus.strategy.considered import Considered, Filter
from icarus.strategy.features import draw_softmax
from icarus.strategy.transient import CHOICE, Learning, check_learning, close_note, note_features, weight_of
from icarus.strategy.weights import EVALUATION

if TYPE_CHECKING:
    from icarus.game import Game


@compiled
def gibbs_of_shifts(candidates, p):
    """A move in proportion to exp(Q / tau), where Q is what it changes in the position's sum of weights; what held is noted."""
    actions, values, found, learned = candidates.actions, candidates.values, candidates.features, candidates.learned
    largest = -math.inf
    for i in range(candidates.size):
        total = 0.0
        for k in range(call_shifts(candidates.game.shifts, candidates.state, actions[i], found)):
            total += weight_of(learned, p, found[k]) if found[k] >= 0 else -weight_of(learned, p, -1 - found[k])
        values[i] = total / p[CHOICE]
        largest = max(largest, values[i])
    draw_softmax(candidates, largest)
    close_note(candidates, note_features(candidates, 1 + candidates.notes[0], -1))
    return 1


@dataclass(frozen=True, repr=False)
class ByShifts(Learning):
    function = staticmethod(gibbs_of_shifts)


@dataclass(frozen=True, repr=False)
class FAST(Considered):
    """Playouts draw moves by what they change on the board, in weights that TD(``fading``) learns during the search.

    ``tau`` is the temperature: large is uniform; the step ``alpha`` is shared by all that holds, so weights are small.  ``file``:
    weights to begin with, by ``icarus learn --what evaluation``.  Needs a rule sheet with a board whose cells moves name, or a
    game's own ``features`` and ``shifts``.
    """

    tau: float = 1.0
    alpha: float = 0.1
    fading: float = 0.7
    file: str = ""
    strategy: Strategy = field(default_factory=Baseline)

    in_playouts_only = True
    files: ClassVar[tuple[str, ...]] = ("file",)
    grid = tries(tau=(0.02, 0.1, 1.0), alpha=(0.1, 0.3, 1.0), fading=(0.5, 0.7, 0.9))

    def __post_init__(self) -> None:
        require(self, "tau", 0, above=True)
        require(self, "alpha", 0, 1)
        require(self, "fading", 0, 1)
        object.__setattr__(self, "strategy", complete(self.strategy))

    def check(self, game: Game) -> None:
        check_learning(self, game, ("features", "shifts"), EVALUATION)
        self.strategy.check(game)

    @property
    def filter(self) -> Filter:
        return ByShifts(self.alpha, self.fading, self.tau, self.file)
