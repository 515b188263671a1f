"""States that the iterations of a search begin with, drawn before it: deals, determinizations, or particles with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from icarus.engine.world import Worker
from icarus.errors import SearchError
from icarus.game import Game, Position
from icarus.jit.randomness import random_unit


@dataclass
class Drawn:
    """States, how likely each is to be chosen, and what names the root of each (without: the same for all)."""

    positions: list[Position]
    weights: Sequence[float] | None = None
    histories: npt.NDArray[np.int64] | None = None

    def spread(self, number: int, rng: np.ndarray) -> list[Position]:
        """So many of the positions, each as often as it is likely."""
        weights = [1.0] * len(self.positions) if self.weights is None else self.weights
        return [self.positions[int(i)] for i in evenly(weights, number, rng)]

    def put_into(self, worker: Worker, history: npt.NDArray[np.int64]) -> None:
        """Let a worker begin its iterations with these; ``history``: what names the root where nothing else does."""
        number = len(self.positions)
        weights = np.ones(number) if self.weights is None else np.asarray(self.weights, np.float64)
        known = np.tile(history, (number, 1)) if self.histories is None else self.histories
        worker.put("drawn_states", np.concatenate([position.state for position in self.positions]).astype(np.int64))
        worker.put("drawn_totals", np.cumsum(weights))
        worker.put("drawn_histories", np.ascontiguousarray(known, np.int64).ravel())
        worker.keeps.append(self.positions)  # a class's states live as long as their positions
        worker.control.draws = number


def evenly(weights: Sequence[float], number: int, rng: np.ndarray) -> npt.NDArray[np.int64]:
    """So many indices, each as often as its weight says: drawn at even distances (systematic resampling)."""
    totals = np.cumsum(weights)
    points = (float(random_unit(rng)) + np.arange(number)) / number * totals[-1]
    found: npt.NDArray[np.int64] = np.minimum(np.searchsorted(totals, points), len(totals) - 1)
    return found


def every_deal(game: Game) -> Drawn:
    """Every deal of a game with its probability, and what each player knows of it."""
    from icarus.equilibrium.knowledge import start_key
    from icarus.equilibrium.starts import TooMany, every_start

    try:
        starts = every_start(game)
    except TooMany:
        raise SearchError(f"{game.name} has too many deals for self-play from all of them; use mccfr") from None
    keys = [[start_key(game, position.state, player) for player in range(game.players)] for position, _ in starts]
    # what names the nodes of the environment: they are told apart by deals
    histories = np.array([[*row, number + 1] for number, row in enumerate(keys)], np.int64)
    return Drawn([position for position, _ in starts], [odds for _, odds in starts], histories)
