"""A match by the rules taken literally: joint moves in, then states, legal moves, percepts and goals, all as text in KIF.

The reasoner is slow but needs no building: it referees, and it knows a legal move when nothing else does yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from icarus.errors import GameError
from icarus.gdl.reader import Sheet, Term, format_term
from icarus.gdl.reasoner import Reasoner


class ReasonerTracker:
    """A match by the rules taken literally."""

    def __init__(self, sheet: Sheet) -> None:
        self.reasoner = Reasoner(sheet)
        self.roles = sheet.roles
        self._enter(self.reasoner.initial())
        self.seen: dict[str, list[str]] = {role: [] for role in self.roles}

    def _enter(self, fluents: frozenset[Term]) -> None:
        self.fluents = fluents
        moves = {role: {format_term(move): move for move in self.reasoner.legal(fluents, role)} for role in self.roles}
        self._moves = {role: dict(sorted(of_role.items())) for role, of_role in moves.items()}

    @property
    def terminal(self) -> bool:
        return self.reasoner.terminal(self.fluents)

    def legal(self, role: str) -> list[str]:
        return list(self._moves[role])

    def play(self, moves: Mapping[str, str]) -> None:
        check_moves(self, self.roles, moves)
        joint = {role: self._moves[role][moves[role]] for role in self.roles}
        for role in self.roles:
            self.seen[role] = sorted(map(format_term, self.reasoner.sees(self.fluents, joint, role)))
        self._enter(self.reasoner.next(self.fluents, joint))

    def goal(self, role: str) -> int:
        values = self.reasoner.goals(self.fluents, role)
        return values[-1] if values else 0

    def state(self) -> list[str]:
        return sorted(map(format_term, self.fluents))


class Tracker(Protocol):
    """A match under way."""

    @property
    def terminal(self) -> bool: ...

    def legal(self, role: str) -> list[str]: ...

    def play(self, moves: Mapping[str, str]) -> None:
        """Go on by one step; raises GameError for a move that is not legal."""


def check_moves(tracker: Tracker, roles: Sequence[str], moves: Mapping[str, str]) -> None:
    for role in roles:
        if moves.get(role) not in tracker.legal(role):
            raise GameError(f"{moves.get(role, 'nothing')} is not a legal move of {role}")
