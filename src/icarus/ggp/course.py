"""A match on a network, which gives a search its positions; moves and percepts are text in KIF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from icarus.errors import GameError
from icarus.game import Position
from icarus.gdl import play
from icarus.gdl.game import AT_MOST, Description, SheetGame, game_of
from icarus.gdl.reader import format_term
from icarus.ggp.rules import check_moves

#: what a player of a GDL-II game knows of one step: its own move, and what it saw
Known = tuple[str, Sequence[str]]


class NetworkCourse:
    """A match on a network.  ``role`` is asked first in every step, so that a search from ``position`` is a search for it."""

    def __init__(self, game: SheetGame, role: str) -> None:
        self.game = game
        self.role = role
        self.roles = game.network.roles
        self.actions = {term: number for number, term in enumerate(game.memory.terms)}
        self.position = self._start()

    def _start(self) -> Position:
        position = self.game.start()
        if self.game.enter_search is not None and self.me < self.game.players and not position.is_terminal:
            position.state[play.TURN] = self.me
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
        return int(self.position.state[play.STEPS])

    def legal(self, role: str) -> list[str]:
        number = self.roles.index(role)
        start = int(self.game.memory.arrays_by_field[play.LEGAL_AT][number])
        moves = self.game.network.moves[number]
        words = [int(word) for word in self.position.state[start : start + -(-len(moves) // 64)]]
        return [format_term(move) for i, move in enumerate(moves) if words[i >> 6] >> (i & 63) & 1]

    def play(self, moves: Mapping[str, str]) -> None:
        check_moves(self, self.roles, moves)
        if self.terminal:  # an Icarus game is cut off at a length that random games hardly reach; a match is not
            self._lengthen()
        position, steps = self.position.copy(), self.steps
        while int(position.state[play.STEPS]) == steps:
            position.apply(self.actions[moves[self.roles[int(position.state[play.TURN])]]])
        self.position = position

    def after(self, move: str) -> Position:
        """The position after an own move, if it is all that is left open in this step; else the position of the match."""
        others = [self.legal(role) for role in self.roles if role != self.role]
        if self.game.memory.hides or any(len(moves) != 1 for moves in others) or self.position.player != self.me:
            return self.position
        return self.position.copy().apply(self.actions[move])

    def _lengthen(self) -> None:
        steps = int(self.game.memory.header[play.MAX_STEPS])
        if steps >= AT_MOST:
            raise GameError(f"matches of more than {AT_MOST} steps are not played")
        network, together, hides = self.game.network, self.game.simultaneous is not None, self.game.memory.hides
        self.game = game_of(Description(network, min(4 * steps, AT_MOST), together, hides), self.game.name)
        played, self.position = self.position.history, self._start()
        for _, action, _ in played:
            self.position.apply(action)

    def suppose(self, known: Sequence[Known], rng: np.ndarray) -> bool:
        """GDL-II: go to some position that agrees with all that the role did and saw; was there one within the budget?

        A search from it draws its own, so that nothing depends on which one it is.
        """
        while len(known) >= int(self.game.memory.header[play.MAX_STEPS]):
            self._lengthen()
        memory, header, state = self.game.memory, self.game.memory.header, self._start().state
        moves = {format_term(move): number for number, move in enumerate(self.game.network.moves[self.me])}
        percepts = {format_term(term): number for number, term in enumerate(self.game.network.percepts[self.me])}
        place = int(memory.arrays_by_field[play.SEEN_AT][self.me])
        for step, (move, seen) in enumerate(known):
            row = state[int(header[play.HISTORY_AT]) + step * int(header[play.HISTORY_ROW]) :]
            if move not in moves or not percepts.keys() >= set(seen):
                raise GameError(f"{move} with {' '.join(seen) or 'nothing'} seen cannot happen to {self.role}")
            row[self.me] = moves[move] + 1
            for number in (percepts[percept] for percept in seen):
                row.view(np.uint64)[place + (number >> 6)] |= np.uint64(1) << np.uint64(number & 63)
        if known:
            state[play.STEPS], state[play.TURN] = len(known), self.me
            legal = int(memory.arrays_by_field[play.LEGAL_AT][self.me])
            state[legal : legal + -(-len(moves) // 64)] = 0  # not known: see hidden.agrees_now
        before = int(header[play.UNEXPLAINED])
        self.game.call("determinize", state, self.me, rng)
        self.position = self._replayed(state)
        return int(header[play.UNEXPLAINED]) == before

    def _replayed(self, state: np.ndarray) -> Position:
        """The position that the moves in the history of a state lead to."""
        header, position = self.game.memory.header, self._start()
        terms = [[self.actions[format_term(move)] for move in moves] for moves in self.game.network.moves]
        while int(position.state[play.STEPS]) < int(state[play.STEPS]):
            row = state[int(header[play.HISTORY_AT]) + int(position.state[play.STEPS]) * int(header[play.HISTORY_ROW]) :]
            role = int(position.state[play.TURN])
            position.apply(terms[role][int(row[role]) - 1])
        return position
