"""Histories (Definitions 3 and 4 of icarus-2014): what was played since the root, and what each player has seen of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.oracle.ismcts import NOTHING
from tests.oracle.states import CONTINUES, ENVIRONMENT, UNSEEN, State

SELECTION, EXPANSION, SIMULATION = "selection", "expansion", "simulation"
EACH, ACTIONS, ROOT_VIEW = "each", "actions", "root view"

#: a context: whatever names the situation in which a record was made (numbers and tuples)
Context = Any


@dataclass(frozen=True)
class Before:
    """The current episode before the search: its label, and the moves since it began as the searching player saw them."""

    label: int = 0
    moves: tuple[int, ...] = ()


@dataclass
class Step:
    """One action a_{i+1}, and the state s_i in which it was played."""

    state: State
    action: int
    #: selection, expansion or simulation node (section 4.2); for the environment: tree or simulation alike
    phase: str
    #: what could have been chosen (in POM the searching player's moves instead of actions), and what was
    choices: list[int]
    choice: int
    #: the capture from whose records a probability was computed, and that probability; (-1, 0) if none was
    odds: tuple[int, float]

    @property
    def player(self) -> int:
        return self.state.player


@dataclass
class History:
    """<a_1, ..., a_t> from a root state, and the state that it leads to."""

    state: State
    before: Before
    observer: int
    #: how histories name tree nodes: by EACH player's view (MO), by ACTIONS (SO) or by the searching player's view (POM)
    model: str = EACH
    steps: list[Step] = field(default_factory=list)
    #: what has been asked before: the past of a history does not change
    known: dict[tuple[object, ...], Any] = field(default_factory=dict)

    def seen(self, viewer: int, upto: int) -> tuple[int, ...]:
        """[a_1, ..., a_upto] from a player's point of view; what it did not notice is not part of it."""
        return tuple(move for move in (self.move(i, viewer) for i in range(upto)) if move != UNSEEN)

    def move(self, i: int, viewer: int) -> int:
        """[a_{i+1}] from a player's point of view."""
        if (i, viewer) not in self.known:
            self.known[i, viewer] = self.steps[i].state.seen(self.steps[i].action, viewer)
        return self.known[i, viewer]

    def edge(self, i: int) -> int:
        """The edge of the single tree that a_{i+1} follows."""
        if self.model != ROOT_VIEW:
            return self.move(i, self.steps[i].player)
        move = self.move(i, self.observer)
        return NOTHING if move == UNSEEN else move

    def root_view(self, state: State, action: int) -> int:
        """An action as the searching player sees it; that it noticed nothing is an edge like any other."""
        move = state.seen(action, self.observer)
        return NOTHING if move == UNSEEN else move

    def node(self, i: int, player: int) -> Context:
        """The tree node at which a player would choose after i actions: [a_1, ..., a_i]."""
        if ("node", i, player) not in self.known:
            self.known["node", i, player] = self.find_node(i, player)
        return self.known["node", i, player]

    def find_node(self, i: int, player: int) -> Context:
        if self.model == EACH:
            return ("view", player, self.seen(player, i))
        edges = tuple(self.edge(j) for j in range(i))
        start = self.simultaneous_since(i)
        if start is None or player == ENVIRONMENT:
            return ("tree", edges)
        own = tuple(edges[j] for j in range(start, i) if self.steps[j].player == player)
        return ("private", edges[:start], player, own)

    def simultaneous_since(self, i: int) -> int | None:
        """Where the simultaneous decision began that is under way after i actions."""
        if self.state.game.simultaneous is None:
            return None
        start: int | None = None
        chosen: list[int] = []
        for j, state in enumerate([*(step.state for step in self.steps[:i]), self.state_at(i)]):
            if not state.simultaneous or state.player == ENVIRONMENT:
                start, chosen = None, []
                continue
            if start is None or (state.player in chosen and chosen[-1] != state.player):
                start, chosen = j, []
            chosen.append(state.player)
        return start

    def state_at(self, i: int) -> State:
        return self.steps[i].state if i < len(self.steps) else self.state

    def position_in_episode(self, i: int, player: int) -> tuple[int, tuple[int, ...]]:
        """eta (equation 17) of the first i actions, as a player saw them."""
        label, begun = self.before.label, None
        for j in range(1, i + 1):
            if self.state_at(j).episode != CONTINUES:
                label, begun = self.state_at(j).episode, j
        seen_before = tuple(move for move in self.before.moves if move != UNSEEN) if begun is None else ()
        moves = (self.move(j, player) for j in range(begun or 0, i))
        return label, (*seen_before, *(move for move in moves if move != UNSEEN))
