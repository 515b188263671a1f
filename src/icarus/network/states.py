"""The functions by which a forest plays a game: the game's own machine code, or callbacks for a class in plain Python."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from icarus.encoding import words_of
from icarus.errors import GameError, first_line
from icarus.game import ENCODINGS, Game, Stepping
from icarus.jit import callback

if TYPE_CHECKING:
    from icarus.network.encoding import Encoding
    from icarus.network.forest.memory import Forest
    from icarus.python_game.walking import Walk


class States:
    """A game's states as a forest holds them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        #: of a class: its states by number
        self.walk: Walk | None = None
        self._thunk: object = None
        if game.stepping is Stepping.CALLBACKS:
            from icarus.python_game import PythonGame
            from icarus.python_game.walking import Walk

            assert isinstance(game, PythonGame)
            self.walk, self._positions = Walk(game.rules), game.positions
        elif game.stepping is Stepping.REPORT:
            raise GameError(f"networks need a game of compiled functions, a rule sheet or a class, which {game.name} is not")

    def observation(self, encoding: Encoding) -> tuple[int, int]:
        """The addresses of the observation and of the action index."""
        walk = self.walk
        if walk is None:
            return encoding.addresses(self.game)
        size = int(np.prod(encoding.shape))

        def observe(state: int, observer: int, out: int) -> None:
            row = np.ctypeslib.as_array((ctypes.c_float * size).from_address(out))
            try:
                node = walk.nodes[ctypes.c_int64.from_address(state).value]
                row[:] = encoding.encode(words_of(walk.rules.view(node, observer)))
            except Exception as problem:
                walk.problem = walk.problem or f"view() raised {first_line(problem)}"
                row[:] = 0.0

        place, self._thunk = callback(observe, ENCODINGS["observation"])
        return place, 0

    def put_into(self, forest: Forest) -> None:
        """Give a forest the addresses of the game's functions, where they are not machine code."""
        if self.walk is not None:
            for name, value in self.walk.addresses().items():
                setattr(forest.world.game, name, value)

    def put_root(self, forest: Forest, tree: int, state: npt.NDArray[np.int64]) -> None:
        """Put a state at the root of a tree."""
        forest.root_state(tree)[:] = state
        if self.walk is not None:
            forest.root_state(tree)[0] = self.walk.keep(self._positions.node(state))

    def put_joint(self, forest: Forest, tree: int, state: npt.NDArray[np.int64]) -> None:
        """Say where the simultaneous decision at the root of a tree began."""
        forest.joint_state(tree)[:] = state
        if self.walk is not None:
            forest.joint_state(tree)[0] = self.walk.keep(self._positions.node(state))

    def look(self, forest: Forest) -> None:
        """Say what went wrong in a class since the last time, and let go of the states of lanes."""
        walk = self.walk
        if walk is None:
            return
        if walk.problem:
            problem, walk.problem = walk.problem, ""
            raise GameError(f"{self.game.name}: {problem}")
        numbers = [int(states(tree)[0]) for tree in range(forest.trees) for states in (forest.root_state, forest.joint_state)]
        walk.keep_only([number for number in numbers if number in walk.nodes])
