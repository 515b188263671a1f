"""What every game of a rule sheet offers beside the functions of a game, however its states are computed: its terms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, State
from icarus.gdl import layout, play
from icarus.gdl.reader import Term

#: a game that is longer than this multiple of the longest random game (and than this many steps) is cut off
LONGER, AT_LEAST, AT_MOST = 4, 200, 5000


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleGame(Game, ABC):
    """A game of a rule sheet.  Roles are numbered as players are, in the order of the sheet, with ``random`` last."""

    @property
    @abstractmethod
    def roles(self) -> tuple[str, ...]: ...

    @property
    @abstractmethod
    def header(self) -> np.ndarray:
        """The words that states point to (see ``layout``)."""

    @property
    @abstractmethod
    def hides(self) -> bool:
        """GDL-II: does a role know its own moves and what it sees, and nothing else?"""

    @abstractmethod
    def fluents(self, state: State) -> list[Term]:
        """What holds in a state."""

    @abstractmethod
    def legal_moves(self, state: State, role: int) -> list[str]:
        """What a role may do, whether it is asked or not."""

    def asked(self, state: State) -> str | None:
        """The role that chooses now; None: the environment of a sheet that has none."""
        turn = int(state[layout.TURN])
        return self.roles[turn] if turn < len(self.roles) else None

    @abstractmethod
    def percepts(self, state: State, role: int) -> list[list[Term]]:
        """What a role saw, step by step (GDL-II)."""

    @abstractmethod
    def number_of(self, move: str) -> int:
        """The action that a move is."""

    @abstractmethod
    def move_of(self, state: State, step: int, role: int) -> int:
        """The action of a role in a step that was played (GDL-II)."""

    @abstractmethod
    def put_knowledge(self, state: State, role: int, known: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Write the moves and percepts that a role knows into the history of a start position, for ``determinize`` to find the
        rest; raises GameError for what cannot be."""

    @abstractmethod
    def longer(self, steps: int) -> RuleGame:
        """The same game, cut off after so many steps."""

    @property
    def unexplained(self) -> int:
        """Determinizations so far for which the budget yielded no consistent sequence of moves (GDL-II)."""
        return int(self.header[layout.UNEXPLAINED])

    @property
    def max_steps(self) -> int:
        return int(self.header[layout.MAX_STEPS])

    @abstractmethod
    def chosen_moves(self, state: State) -> dict[str, str]:
        """What roles without a choice, and roles that have chosen already, do in the step under way."""


def players_of(roles: Sequence[str], name: str) -> tuple[str, ...]:
    """The roles that decide something."""
    players = tuple(role for role in roles if role != "random")
    if not players:
        raise GameError(f"{name}: the only role is 'random'; a game needs a player")
    return players


def shared_parts(name: str, roles: Sequence[str], memory: Any, steps: int, *, together: bool) -> dict[str, Any]:
    """What a game has in common with others whose states point to such a memory; ``together``: roles may choose in one step."""
    players = players_of(roles, name)
    deciding = len(roles) if together or len(players) < len(roles) else 1
    return {
        "name": name,
        "summary": f"rule sheet with {len(roles)} role{'s' if len(roles) > 1 else ''}",
        "players": len(players),
        "player_names": players,
        "parameters": (memory.address,),
        "state_size": memory.state_words,
        "max_plies": steps * deciding,
        "player": play.player,
        "terminal": play.terminal,
        "rewards": play.rewards,
        "simultaneous": play.simultaneous if together else None,
        "view": memory.view,
        "render": memory.render,
        "format_action": memory.format_action,
        "parse_action": memory.parse_action,
    }
