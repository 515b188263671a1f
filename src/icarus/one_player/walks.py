"""Monte Carlo random walks (one_player/drive/random_walks.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from icarus.algorithm import Parameter
from icarus.game import Game
from icarus.jit import Kernel
from icarus.one_player.base import OnePlayer
from icarus.one_player.drive.random_walks import LANES, WALK_WORDS, WalkWords, run_random_walks

if TYPE_CHECKING:
    from icarus.engine.world import Worker


@dataclass(frozen=True)
class RandomWalks(OnePlayer):
    """From where it is a ``number`` of walks of so much ``length``, then on from the best end."""

    parameters: tuple[Parameter, ...] = (
        Parameter("number", 1, 1_000_000, meaning="the number of walks", always=True),
        Parameter("length", 1, 1_000_000, meaning="the length of a walk"),
        Parameter("patience", 0, 1_000_000, meaning="the number of jumps in vain"),
    )
    #: walks from each place; Nakhost and Müller made 2000, of 10 steps, and gave up after 7 jumps
    number: int = 100
    length: int = 10
    patience: int = 7
    driver: Kernel | None = run_random_walks

    @property
    def own_lanes(self) -> int:
        return LANES

    def prepare(self, game: Game, worker: Worker) -> None:
        own = np.zeros(WALK_WORDS + 2 * int(worker.control.plies), np.int64)
        words = WalkWords(own)
        words.walks, words.length, words.patience = self.number, self.length, self.patience
        worker.put("own", own)
