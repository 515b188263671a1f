"""The functions by which a forest plays a game: the game's own machine code, or callbacks for a class in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from icarus.errors import GameError
from icarus.game import Game, Stepping

if TYPE_CHECKING:
    from icarus.engine.forest.memory import Forest
    from icarus.network.encoding import Encoding


class States:
    """A game's states as a forest holds them."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def observation(self, encoding: Encoding) -> tuple[int, int]:
        """The addresses of the observation and of the action index."""
        return encoding.addresses(self.game)

    def put_into(self, forest: Forest) -> None:
        """Give a forest the addresses of the game's functions."""
        if self.game.stepping in (Stepping.CALLBACKS, Stepping.REPORT):
            raise GameError(f"networks need a game of compiled functions or a rule sheet, which {self.game.name} is not")

    def put_root(self, forest: Forest, tree: int, state: npt.NDArray[np.int64]) -> None:
        """Put a state at the root of a tree."""
        forest.root_state(tree)[:] = state

    def look(self, forest: Forest) -> None:
        """Look whether anything went wrong since the last time."""
