"""A match on the game of a sheet, which gives a search its positions; moves and percepts are text in KIF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from icarus.errors import GameError
from icarus.game import Position
from icarus.gdl import layout
from icarus.gdl.rule_game import AT_MOST, RuleGame
from icarus.ggp.rules import check_moves

#: what a player of a GDL-II game knows of one step: its own move, and what it saw
Known = tuple[str, Sequence[str]]


class GameTracker:
    """A match on a game.  ``role`` is asked first in every step, so that a search from ``position`` is a search for it."""

    def __init__(self, game: RuleGame, role: str) -> None:
        self.game = game
        self.role = role
        self.roles = game.roles
        #: what was played, for whoever has to follow it on another game
        self.played: list[Mapping[str, str]] = []
        self.position = self._start()

    def _start(self) -> Position:
        position = self.game.start()
        if self.game.enter_search is not None and self.me < self.game.players and not position.is_terminal:
            position.state[layout.TURN] = self.me
            self.game.call("enter_search", position.state)
        return position

    @property
    def me(self) -> int:
        return self.roles.index(self.role)

    @property
    def terminal(self) -> bool:
        return self.position.is_terminal

    @property
    def steps(self) -> int:
        return int(self.position.state[layout.STEPS])

    def legal(self, role: str) -> list[str]:
        return self.game.legal_moves(self.position.state, self.roles.index(role))

    def play(self, moves: Mapping[str, str]) -> None:
        check_moves(self, self.roles, moves)
        if self.terminal:  # an Icarus game is cut off at a length that random games hardly reach; a match is not
            self._lengthen()
        position, steps = self.position.copy(), self.steps
        while int(position.state[layout.STEPS]) == steps:
            role = self.game.asked(position.state)
            position.apply(position.legal()[0] if role is None else self.game.number_of(moves[role]))
        self.position = position
        self.played.append(moves)

    def after(self, move: str) -> Position:
        """The position after an own move, if it is all that is left open in this step; else the position of the match."""
        others = [self.legal(role) for role in self.roles if role != self.role]
        if self.game.hides or any(len(moves) != 1 for moves in others) or self.position.player != self.me:
            return self.position
        return self.position.copy().apply(self.game.number_of(move))

    def _lengthen(self) -> None:
        steps = self.game.max_steps
        if steps >= AT_MOST:
            raise GameError(f"matches of more than {AT_MOST} steps are not played")
        self.game = self.game.longer(min(4 * steps, AT_MOST))
        played, self.position = self.position.history, self._start()
        for _, action, _ in played:
            self.position.apply(action)

    def suppose(self, known: Sequence[Known], rng: np.ndarray) -> bool:
        """GDL-II: go to some position that agrees with all that the role did and saw; was there one within the budget?

        A search from it draws its own, so that nothing depends on which one it is.
        """
        while len(known) >= self.game.max_steps:
            self._lengthen()
        state = self._start().state
        self.game.put_knowledge(state, self.me, known)
        if known:
            state[layout.STEPS], state[layout.TURN] = len(known), self.me
        before = self.game.unexplained
        self.game.call("determinize", state, self.me, rng)
        self.position = self._replayed(state)
        return self.game.unexplained == before

    def _replayed(self, state: np.ndarray) -> Position:
        """The position that the moves in the history of a state lead to."""
        position = self._start()
        while int(position.state[layout.STEPS]) < int(state[layout.STEPS]):
            role = int(position.state[layout.TURN])
            position.apply(self.game.move_of(state, int(position.state[layout.STEPS]), role))
        return position
