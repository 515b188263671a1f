"""A sheet that is too large to ground, played by the reasoner: slow, but every algorithm works on it.

The same game as with a network: roles with one legal move are not asked, and roles that choose at the same time do not see each
other.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar

from icarus.engine.layout import MAX_KEYS
from icarus.errors import GameError
from icarus.game import Game
from icarus.gdl.reader import Sheet, Term, format_term
from icarus.gdl.reasoner import Fluents, Reasoner
from icarus.python_game import python_game

#: a game that has not ended after so many steps is cut off
MAX_STEPS = 5000
#: and so many legal moves no role has
MAX_ACTIONS = 1 << 16


def interpreted_game(sheet: Sheet, name: str) -> Game:
    """The game of a checked sheet, without a network."""
    if sheet.hides:
        raise GameError(f"{name}: this sheet is too large to ground, and without grounding hidden information cannot be sampled")
    reasoner = Reasoner(sheet)
    # the rules belong to the class, so that a state is nothing but what holds in it
    fixed = {"reasoner": reasoner, "name": name, "players": len(reasoner.roles), "player_names": reasoner.roles}
    return python_game(type("SheetState", (ReasonerState,), fixed))


class ReasonerState:
    """A state: what holds, and what roles have chosen in the step under way."""

    max_plies, max_actions, max_predicates = MAX_STEPS, MAX_ACTIONS, MAX_KEYS
    reasoner: ClassVar[Reasoner]
    players: ClassVar[int]

    def __init__(self) -> None:
        self.steps = 0
        self._enter(self.reasoner.initial())

    def _enter(self, fluents: Fluents) -> None:
        self.fluents = fluents
        self.over = self.reasoner.terminal(fluents) or self.steps * self.players >= MAX_STEPS
        self.moves = [sorted(self.reasoner.legal(fluents, role), key=format_term) for role in self.reasoner.roles]
        self.chosen: list[Term | None] = [moves[0] if len(moves) == 1 else None for moves in self.moves]
        self.together = self.chosen.count(None) > 1
        if None not in self.chosen:  # nobody has a choice: the first role is asked for form's sake
            self.chosen[0] = None

    def clone(self) -> ReasonerState:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.chosen = list(self.chosen)
        return twin

    def player(self) -> int:
        return self.chosen.index(None)

    def legal(self) -> list[str]:
        return [format_term(move) for move in self.moves[self.player()]]

    def apply(self, action: str) -> None:
        role = self.player()
        self.chosen[role] = next(move for move in self.moves[role] if format_term(move) == action)
        if None not in self.chosen:
            self.steps += 1
            self._enter(self.reasoner.next(self.fluents, dict(zip(self.reasoner.roles, self.chosen, strict=True))))

    def predicates(self) -> list[str]:
        return sorted(map(format_term, self.fluents))[:MAX_KEYS]

    def terminal(self) -> bool:
        return self.over

    def rewards(self) -> list[float]:
        goals = [self.reasoner.goals(self.fluents, role) for role in self.reasoner.roles]
        return [values[-1] / 100 if values else 0.0 for values in goals]

    def simultaneous(self) -> int:
        return self.steps + 1 if self.together else 0

    def observe(self, action: str, observer: int) -> Any:
        """Choices of one step are hidden until all are made."""
        if not self.together:
            return action
        if self.chosen.count(None) > 1:
            return action if observer == self.player() else None
        return (*(format_term(move) for move in self.chosen if move is not None), action)

    def determinize(self, observer: int, rng: random.Random) -> None:
        """What others have chosen in the step under way is drawn again."""
        if self.together:
            for role, move in enumerate(self.chosen):
                if move is not None and role != observer and len(self.moves[role]) > 1:
                    self.chosen[role] = rng.choice(self.moves[role])

    def view(self, observer: int) -> Any:
        own = [
            move if role == observer or len(self.moves[role]) == 1 else move is not None for role, move in enumerate(self.chosen)
        ]
        return sorted(map(format_term, self.fluents)), own

    def render(self, observer: int | None) -> str:
        return "\n".join(sorted(map(format_term, self.fluents)))
