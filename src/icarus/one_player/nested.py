"""Nested Monte Carlo search and reflexive Monte Carlo search (one_player/drive/nested.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from icarus.algorithm import Parameter
from icarus.game import Game
from icarus.jit import Kernel
from icarus.one_player.base import GUIDED, MOST_LEVELS, OnePlayer
from icarus.one_player.drive.nested import FRAME_WORDS, NESTED_WORDS, NestedWords, run_nested, run_nested_enhanced

if TYPE_CHECKING:
    from icarus.engine.world import Worker
    from icarus.strategy.plan import Plan

LEVEL = Parameter("level", 0, MOST_LEVELS, meaning="the level", always=True)


@dataclass(frozen=True)
class Nested(OnePlayer):
    """Nested Monte Carlo search; ``samples``: searches of the level below for each action."""

    parameters: tuple[Parameter, ...] = (
        LEVEL,
        Parameter("memory"),
        GUIDED,
        Parameter("selective"),
        Parameter("samples", 1, 10_000, meaning="the number of samples"),
    )
    strategic: bool = True
    level: int = 2
    memory: bool = True
    selective: bool = False
    samples: int = 1
    driver: Kernel | None = run_nested

    @property
    def own_lanes(self) -> int:
        return self.level + 1

    @property
    def chosen_by_heuristic(self) -> str:
        return "selective" if self.selective else super().chosen_by_heuristic

    def driver_for(self, plan: Plan) -> Kernel | None:
        return run_nested if plan.words["uniform"] else run_nested_enhanced

    def prepare(self, game: Game, worker: Worker) -> None:
        lines = NESTED_WORDS + (self.level + 1) * FRAME_WORDS
        own = np.zeros(lines + (self.level + 1) * int(worker.control.plies), np.int64)
        words = NestedWords(own)
        words.level, words.memory, words.samples = self.level, self.memory, self.samples
        words.guided, words.selective = self.guided or self.selective, self.selective
        words.lines = lines
        worker.put("own", own)
