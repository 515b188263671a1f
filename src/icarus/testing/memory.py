"""Memory with guards around it: who writes beyond what it was given is found out instead of breaking something else."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.game import SIGNATURES, Game, Position
from icarus.rehearsal import Overrun

CANARY = 0x5AFE5AFE5AFE5AFE
BEFORE, AFTER = 64, 256  #: guard words


class Guarded:
    """``size`` words between guards; ``words`` begins at the first of them and runs on into the guard."""

    def __init__(self, name: str, size: int, bound: str) -> None:
        self.name, self.size, self.bound = name, size, bound
        self._all: npt.NDArray[np.int64] = np.full(BEFORE + size + AFTER, CANARY, np.int64)
        self.words: npt.NDArray[np.int64] = self._all[BEFORE:]
        self.reals: npt.NDArray[np.float64] = self.words.view(np.float64)

    def look(self, function: str) -> None:
        """Raise :class:`Overrun` if a guard has been touched."""
        self.words[: self.size] = CANARY  # so that what a function leaves out is nothing that could be taken for an answer
        if not (self._all == CANARY).all():
            touched = int(np.flatnonzero(self._all != CANARY)[0]) - BEFORE
            self._all[:] = CANARY
            raise Overrun(f"{function}() writes {self.name}[{touched}]; {self.bound}")


def guarded(game: Game) -> Game:
    """The same game, but whatever is called from Python works between guards."""
    if type(game).call is not Game.call:  # a game whose states are more than their words
        return game
    twin = copy.copy(game)
    state = Guarded("state", game.state_size, f"state_size is {game.state_size}")
    bound = f"max_actions is {game.max_actions}"
    outs = {
        "legal": Guarded("actions", game.max_actions, bound),
        "chance": Guarded("probabilities", game.max_actions, bound),
        "rewards": Guarded("out", game.players, f"there are {game.players} players"),
        "predicates": Guarded("out", game.max_predicates, f"max_predicates is {game.max_predicates}"),
    }
    calls = {name: _between_guards(game, name, state, outs.get(name)) for name in SIGNATURES if getattr(game, name) is not None}
    # a rehearsal would end at the first overrun; whoever looks at a game wants a report of it
    twin.__dict__.update(_calls=calls, _rehearsed=True)
    return twin


def _between_guards(game: Game, name: str, memory: Guarded, out: Guarded | None) -> Callable[..., Any]:
    def call(state: npt.NDArray[np.int64], *rest: Any) -> Any:
        memory.words[: memory.size] = state
        if out is None:
            value = game.call(name, memory.words, *rest)
        else:
            target = rest[0]
            given = out.words if target.dtype == np.int64 else out.reals
            value = game.call(name, memory.words, given)
            target[:] = given[: len(target)]
            out.look(name)
        state[:] = memory.words[: memory.size]
        memory.look(name)
        return value

    return call


def fingerprint(position: Position) -> object:
    """The whole state, comparable: its words, or what the object behind them holds."""
    own = getattr(position.game, "fingerprint", None)
    return position.state.tobytes() if own is None else own(position.state)
