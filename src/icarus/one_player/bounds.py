"""Trees of bounds: flat UCB over leaves, smooth trees, mean-based heuristic search (one_player/drive/best_first.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from icarus.algorithm import Parameter
from icarus.game import Game
from icarus.jit import Kernel
from icarus.one_player.base import OnePlayer
from icarus.one_player.drive.best_first import BEST_FIRST_WORDS, LEAVES, NODE_WORDS, SMOOTH, BestFirstWords, run_best_first

if TYPE_CHECKING:
    from icarus.engine.world import Worker

MOST_NODES = 1 << 22  #: of a tree


@dataclass(frozen=True)
class BestFirst(OnePlayer):
    """A tree of bounds that is ``depth`` plies deep."""

    parameters: tuple[Parameter, ...] = (Parameter("depth", 1, 1_000_000, meaning="the depth of the tree"),)
    bound: int = LEAVES
    depth: int = 1_000_000
    beta: float = 0.05
    smoothness: float = 1.0
    factor: float = 0.5
    one_thread: bool = True
    driver: Kernel | None = run_best_first

    @property
    def ends(self) -> bool:
        return False

    def prepare(self, game: Game, worker: Worker) -> None:
        own = np.zeros(BEST_FIRST_WORDS + MOST_NODES * NODE_WORDS, np.int64)
        words = BestFirstWords(own)
        words.rule, words.depth, words.most_nodes = self.bound, self.depth, MOST_NODES
        words.beta, words.delta, words.gamma = self.beta, self.smoothness, self.factor
        worker.put("own", own)


BETA = Parameter("beta", 1e-9, 1, whole=False, meaning="the probability that a bound fails")


@dataclass(frozen=True)
class LeafUCB(BestFirst):
    """All sequences of ``depth`` actions are the arms of one bandit."""

    parameters: tuple[Parameter, ...] = (Parameter("depth", 1, 1000, meaning="the depth of the tree", always=True), BETA)
    depth: int = 8


@dataclass(frozen=True)
class SmoothTree(BestFirst):
    """BAST: sequences that share their first d actions differ by ``smoothness factor^d`` at most, as a share of all scores."""

    parameters: tuple[Parameter, ...] = (
        Parameter("smoothness", 0, 1000, whole=False, meaning="the smoothness at the root"),
        Parameter("factor", 0, 1, whole=False, meaning="the factor of smoothness for each ply"),
        BETA,
        Parameter("depth", 1, 1_000_000, meaning="the depth of the tree"),
    )
    bound: int = SMOOTH
