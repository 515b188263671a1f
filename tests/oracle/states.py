"""A game as the papers write it (Definition 1 of icarus-2014): states that never change, and functions of states."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from icarus.game import CONTINUES, ENVIRONMENT, UNSEEN, Game, Position
from tests.oracle.randomness import Random

__all__ = ["CONTINUES", "ENVIRONMENT", "UNSEEN", "State"]


class State:
    """A state s.  Acting gives a new state."""

    def __init__(self, game: Game, words: np.ndarray) -> None:
        self.game = game
        self.words = words

    @classmethod
    def of(cls, position: Position) -> State:
        """Where a search from this position begins."""
        words = position.state.copy()
        if position.game.enter_search is not None:
            position.game.call("enter_search", words)
        return cls(position.game, words)

    @cached_property
    def terminal(self) -> bool:
        return bool(self.game.call("terminal", self.words))

    @cached_property
    def player(self) -> int:
        """rho(s): the player about to act, or ENVIRONMENT."""
        return int(self.game.call("player", self.words))

    @cached_property
    def legal(self) -> list[int]:
        """A(s), in the order in which the game lists it; of the environment: its outcomes."""
        buffer = np.zeros(self.game.max_actions, np.int64)
        return [int(a) for a in buffer[: self.game.call("legal", self.words, buffer)]]

    def after(self, action: int) -> State:
        """f(s, a)."""
        words = self.words.copy()
        self.game.call("apply", words, action)
        return State(self.game, words)

    def rewards(self) -> list[float]:
        """mu(s): one reward per player."""
        out = np.zeros(self.game.players)
        self.game.call("rewards", self.words, out)
        return [float(r) for r in out]

    def seen(self, action: int, observer: int) -> int:
        """The move that an observer sees of an action in this state; the environment sees everything."""
        if self.game.observe is None or observer == ENVIRONMENT:
            return action
        return int(self.game.call("observe", self.words, action, observer))

    @cached_property
    def simultaneous(self) -> bool:
        return self.game.simultaneous is not None and bool(self.game.call("simultaneous", self.words))

    @cached_property
    def episode(self) -> int:
        """e(s): a label, or CONTINUES for the paper's #."""
        return CONTINUES if self.game.episode is None else int(self.game.call("episode", self.words))

    @cached_property
    def predicates(self) -> list[int]:
        buffer = np.zeros(max(self.game.max_predicates, 1), np.int64)
        return [int(p) for p in buffer[: self.game.call("predicates", self.words, buffer)]]

    def heuristic(self, action: int) -> float:
        return float(self.game.call("heuristic", self.words, action))

    def sample(self, rng: Random) -> int:
        """An outcome drawn by the environment's policy."""
        lent = rng.lend()
        outcome = int(self.game.call("sample", self.words, lent))
        rng.take_back(lent)
        return outcome

    def chances(self) -> list[float]:
        """The environment's policy as numbers, in the order of ``legal``."""
        out = np.zeros(self.game.max_actions)
        return [float(p) for p in out[: self.game.call("chance", self.words, out)]]

    def determinized(self, observer: int, rng: Random) -> State:
        """A state drawn from the information set of the observer."""
        if self.game.determinize is None:
            return self
        words, lent = self.words.copy(), rng.lend()
        self.game.call("determinize", words, observer, lent)
        rng.take_back(lent)
        return State(self.game, words)
