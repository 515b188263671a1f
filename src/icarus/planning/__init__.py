"""Planning with chance: one player decides, the environment answers with probabilities that are known or can be sampled.

=========================  ==============================================================================================
``sparse-uct(width)``      UCT that looks at so many outcomes of an action at most (Bjarnason, Fern and Tadepalli, 2009)
``hop(trees)``             hindsight optimisation: so many trees, in each of which every action has one outcome; the average says
                           which move is best
``sparse(width, depth)``   sparse sampling: the whole tree of so many sampled outcomes for so many decisions, with guarantees
``fsss(width, depth)``     forward search sparse sampling: the same answer from a part of the tree
=========================  ==============================================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from icarus.algorithm import TREES, Algorithm, Parameter
from icarus.errors import SearchError
from icarus.game import Game, Stepping
from icarus.one_player.base import refuse_hidden, refuse_several
from icarus.planning.sparse_sampling import ACTION_WORDS, SPARSE_WORDS, STATE_WORDS, SparseWords, run_sparse_sampling

if TYPE_CHECKING:
    from icarus.engine.world import Worker
    from icarus.jit import Kernel

WIDTH = Parameter("width", 1, 10_000, meaning="the number of outcomes", always=True)
MOST_NODES = 1 << 22  #: states of a sparse tree, and as many actions


@dataclass(frozen=True)
class WithOutcomes(Algorithm):
    """UCT in which an action has at most ``width`` outcomes: those that were sampled first, drawn again by their visits."""

    parameters: tuple[Parameter, ...] = (WIDTH, Parameter("c", 0, 100, whole=False, meaning="the constant of exploration"))
    resamples: bool = False
    width: int = 4
    c: float = 0.7

    @property
    def usual_strategy(self) -> Any:
        from icarus.strategy.baseline import Baseline
        from icarus.strategy.seams import Outcomes

        return Baseline(c=self.c, outcomes=Outcomes(k=self.width, alpha=0.0))

    def check(self, game: Game) -> None:
        if not game.stochastic:
            raise SearchError(f"{self.name} is about outcomes of chance, and {game.name} leaves nothing to it; use uct")
        refuse_hidden(self, game)
        super().check(game)


@dataclass(frozen=True)
class Hindsight(WithOutcomes):
    """Hindsight optimisation by UCT: in each of the ``trees`` what chance will do is settled where it is first looked at."""

    parameters: tuple[Parameter, ...] = (TREES, Parameter("c", 0, 100, whole=False, meaning="the constant of exploration"))
    trees: int = 20
    width: int = 1

    @property
    def usual_final(self) -> str:
        return "average"


@dataclass(frozen=True)
class SparseSampling(Algorithm):
    """A tree of ``width`` sampled outcomes for every action, ``depth`` decisions deep; playouts stand for what is below."""

    parameters: tuple[Parameter, ...] = (WIDTH, Parameter("depth", 1, 1000, meaning="the number of decisions", always=True))
    resamples: bool = False
    walks: bool = True
    strategic: bool = False
    one_thread: bool = True
    width: int = 4
    depth: int = 3
    exhaustive: bool = False
    driver: Kernel | None = run_sparse_sampling

    @property
    def ends(self) -> bool:
        return False

    @property
    def usual_final(self) -> str:
        return "max"

    def check(self, game: Game) -> None:
        refuse_several(self, game)
        refuse_hidden(self, game, partly=True)
        if game.stepping is not Stepping.ONE_STATE or game.copy is not None:
            raise SearchError(f"{self.name} needs a game of compiled functions, which {game.name} is not; use sparse-uct")
        super().check(game)

    def prepare(self, game: Game, worker: Worker) -> None:
        own = np.zeros(SPARSE_WORDS + MOST_NODES * (STATE_WORDS + ACTION_WORDS), np.int64)
        words = SparseWords(own)
        words.width, words.depth, words.exhaustive = self.width, self.depth, self.exhaustive
        words.most_nodes = words.most_actions = MOST_NODES
        words.seed = int(worker.rng[:1].view(np.int64)[0])
        worker.put("own", own)


def sampling_error(actions: int, width: int, depth: int, confidence: float = 0.95) -> float:
    """How far ``sparse`` and ``fsss`` are from the truth at most, with this probability, for every action of the root.

    The truth is what the best decisions bring on average if leaves are worth what their playouts say; rewards lie in [0, 1].  At
    each of at most ``sum (actions width)^i`` states, i below ``depth``, the mean of ``width`` samples is off by more than x with
    a probability of at most ``2 exp(-2 width x^2)`` for each action (Hoeffding); errors of successive decisions add up.

    >>> round(sampling_error(actions=2, width=10_000, depth=2), 3)
    0.058
    """
    if actions < 1 or width < 1 or depth < 1 or not 0 < confidence < 1:
        raise SearchError("actions, width and depth are at least 1, and the confidence lies between 0 and 1")
    estimates = actions * sum((actions * width) ** level for level in range(depth))
    return depth * math.sqrt(math.log(2 * estimates / (1 - confidence)) / (2 * width))


PLANNING = (
    WithOutcomes("sparse-uct"),
    Hindsight("hop"),
    SparseSampling("sparse", exhaustive=True),
    SparseSampling("fsss"),
)
