"""Memory with guards around it: who writes beyond what it was given is found out instead of breaking something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.game import Game, Position, State

CANARY = 0x5AFE5AFE5AFE5AFE
BEFORE, AFTER = 64, 4096  #: guard words


class Guarded:
    """``size`` words between guards; ``words`` begins at the first of them and runs on into the guard."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._all: npt.NDArray[np.int64] = np.full(BEFORE + size + AFTER, CANARY, np.int64)
        self.words: npt.NDArray[np.int64] = self._all[BEFORE:]
        self.reals: npt.NDArray[np.float64] = self.words.view(np.float64)

    @property
    def intact(self) -> bool:
        return bool((self._all[:BEFORE] == CANARY).all() and (self._all[BEFORE + self.size :] == CANARY).all())


class Referee:
    """Calls the functions of a game with guarded memory."""

    def __init__(self, game: Game) -> None:
        self.game = game
        #: the first function that wrote beyond what it was given
        self.overrun = ""
        #: a state that is more than its words cannot be moved to other memory
        self.plain = not hasattr(game, "fingerprint")
        self._actions, self._rewards, self._state = (Guarded(n) for n in (game.max_actions, game.players, game.state_size))
        self._predicates = Guarded(game.max_predicates)

    def actions(self, state: State) -> tuple[int, list[int]]:
        """What ``legal`` reports, and as many actions as it can have written."""
        memory = self._actions
        count = int(self.game.call("legal", state, memory.words))
        if count <= self.game.max_actions:
            self._look(memory, "legal")
        return count, [int(action) for action in memory.words[: max(min(count, self.game.max_actions), 0)]]

    def rewards(self, state: State) -> list[float]:
        memory = self._rewards
        self.game.call("rewards", state, memory.reals)
        self._look(memory, "rewards")
        return [float(reward) for reward in memory.reals[: self.game.players]]

    def chance(self, state: State) -> list[float]:
        memory = self._actions
        count = int(self.game.call("chance", state, memory.reals))
        self._look(memory, "chance")
        return [float(p) for p in memory.reals[: max(min(count, self.game.max_actions), 0)]]

    def predicates(self, state: State) -> tuple[int, list[int]]:
        memory = self._predicates
        count = int(self.game.call("predicates", state, memory.words))
        if count <= self.game.max_predicates:
            self._look(memory, "predicates")
        return count, [int(fact) for fact in memory.words[: max(min(count, self.game.max_predicates), 0)]]

    def change(self, name: str, state: State, *arguments: Any) -> None:
        """Call a function that changes a state on a copy between guards."""
        if self.plain:
            memory = self._state
            memory.words[: self.game.state_size] = state
            self.game.call(name, memory.words, *arguments)
            self._look(memory, name)

    def _look(self, memory: Guarded, name: str) -> None:
        if not memory.intact:
            self.overrun = self.overrun or name


def fingerprint(position: Position) -> object:
    """The whole state, comparable: its words, or what the object behind them holds."""
    own = getattr(position.game, "fingerprint", None)
    return position.state.tobytes() if own is None else own(position.state)
