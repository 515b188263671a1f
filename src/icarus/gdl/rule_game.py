"""What every game of a rule sheet offers beside the functions of a game, however its states are computed: its terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from icarus.game import Game, State
from icarus.gdl import play
from icarus.gdl.reader import Term

#: a game that is longer than this multiple of the longest random game (and than this many steps) is cut off
LONGER, AT_LEAST, AT_MOST = 4, 200, 5000


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleGame(Game):
    """A game of a rule sheet.  Roles are numbered as players are, in the order of the sheet, with ``random`` last."""

    @property
    def roles(self) -> tuple[str, ...]:
        raise NotImplementedError

    @property
    def header(self) -> np.ndarray:
        """The words that states point to (see ``play``)."""
        raise NotImplementedError

    @property
    def hides(self) -> bool:
        """GDL-II: does a role know its own moves and what it sees, and nothing else?"""
        raise NotImplementedError

    def fluents(self, state: State) -> list[Term]:
        """What holds in a state."""
        raise NotImplementedError

    def legal_moves(self, state: State, role: int) -> list[str]:
        """What a role may do, whether it is asked or not."""
        raise NotImplementedError

    def percepts(self, state: State, role: int) -> list[list[Term]]:
        """What a role saw, step by step (GDL-II)."""
        raise NotImplementedError

    def number_of(self, move: str) -> int:
        """The action that a move is."""
        raise NotImplementedError

    def move_of(self, state: State, step: int, role: int) -> int:
        """The action of a role in a step that was played (GDL-II)."""
        raise NotImplementedError

    def put_knowledge(self, state: State, role: int, known: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Write the moves and percepts that a role knows into the history of a start position, for ``determinize`` to find the
        rest; raises GameError for what cannot be."""
        raise NotImplementedError

    def longer(self, steps: int) -> RuleGame:
        """The same game, cut off after so many steps."""
        raise NotImplementedError

    @property
    def unexplained(self) -> int:
        """Determinizations so far for which the budget yielded no consistent sequence of moves (GDL-II)."""
        return int(self.header[play.UNEXPLAINED])

    @property
    def max_steps(self) -> int:
        return int(self.header[play.MAX_STEPS])

    def chosen_moves(self, state: State) -> dict[str, str]:
        """What roles without a choice, and roles that have chosen already, do in the step under way."""
        raise NotImplementedError
