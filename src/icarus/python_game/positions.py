"""States at rest: the positions of people, matches and roots of searches.

In memory a state is the number of a node; who copies the words shares the node.  So a node at rest is never changed: a move, a
determinization gives the words another one.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from icarus.engine.layout import ENVIRONMENT, OVER, Report
from icarus.errors import GameError
from icarus.game import State
from icarus.python_game.node_cache import HANDLE
from icarus.python_game.randomness import EngineRandom
from icarus.python_game.rules import Node, Rules

Result = TypeVar("Result")


class StateWords(np.ndarray[Any, np.dtype[np.int64]]):
    """The words of a state, which also keep the object behind it alive; so do their copies."""

    node: Node | None

    def __array_finalize__(self, source: Any) -> None:
        self.node = getattr(source, "node", None)


class Positions:
    """The functions of a game (see icarus.game), over words of memory."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.nodes: weakref.WeakValueDictionary[int, Node] = weakref.WeakValueDictionary()
        self._handles = itertools.count(1)
        self._kept: list[Node] = []

    def put(self, state: State, node: Node) -> None:
        node.own = False
        handle = next(self._handles)
        self.nodes[handle] = node
        state[HANDLE] = handle
        if isinstance(state, StateWords):
            state.node = node
        else:  # a bare array cannot say when it is no longer used
            self._kept.append(node)

    def node(self, state: State) -> Node:
        node = self.nodes.get(int(state[HANDLE]))
        if node is None:
            raise GameError(f"this array holds no state of {self.rules.cls.__name__}; Game.start and Position.copy make them")
        return node

    def looked_at(self, state: State) -> Node:
        node = self.node(state)
        self.rules.look(node)
        return node

    def initial(self, state: State, rng: Any) -> None:
        self.put(state, self._with(rng, self.rules.start))

    def player(self, state: State) -> int:
        return max(self.looked_at(state).player, ENVIRONMENT)

    def legal(self, state: State, actions: Any) -> int:
        numbers = self.looked_at(state).numbers
        actions[: len(numbers)] = numbers
        return len(numbers)

    def apply(self, state: State, number: int) -> None:
        after = self.rules.after(self.node(state), int(number))
        self.put(state, Node(after.state, after.ply, own=False))

    def terminal(self, state: State) -> bool:
        return self.looked_at(state).player == OVER

    def rewards(self, state: State, out: Any) -> None:
        rewards = self.rules.rewards(self.node(state))
        out[: len(rewards)] = rewards

    def score(self, state: State) -> float:
        return self.rules.score(self.node(state))

    def code(self, state: State, number: int) -> int:
        return self.rules.code(self.node(state), int(number))

    def sample(self, state: State, rng: Any) -> int:
        return self._with(rng, lambda numbers: self.rules.sample(self.node(state), numbers))

    def chance(self, state: State, out: Any) -> int:
        values = self.rules.chance(self.node(state))
        out[: len(values)] = values
        return len(values)

    def determinize(self, state: State, observer: int, rng: Any) -> None:
        node = self.node(state)
        self.put(state, self._with(rng, lambda numbers: self.rules.changed(node, "determinize", int(observer), numbers)))

    def enter_search(self, state: State) -> None:
        self.put(state, self.rules.changed(self.node(state), "enter_search"))

    def observe(self, state: State, number: int, observer: int) -> int:
        return self.rules.observe(self.node(state), int(number), int(observer))

    def simultaneous(self, state: State) -> int:
        return self.looked_at(state).together

    def episode(self, state: State) -> int:
        return int(np.frombuffer(self.rules.look(self.node(state)), np.int64)[Report.label.offset])

    def heuristic(self, state: State, number: int) -> float:
        return self.rules.heuristic(self.node(state), int(number))

    def predicates(self, state: State, out: Any) -> int:
        numbers = self.rules.predicates(self.node(state))
        out[: len(numbers)] = numbers
        return len(numbers)

    def evaluate(self, state: State, out: Any) -> None:
        values = self.rules.evaluate(self.node(state))
        out[: len(values)] = values

    def suggest(self, state: State, last: int, out: Any) -> int:
        numbers = self.rules.suggest(self.node(state), int(last))
        out[: len(numbers)] = numbers
        return len(numbers)

    def view(self, state: State, observer: int) -> object:
        return self.rules.view(self.node(state), observer)

    def render(self, state: State, observer: int | None) -> str:
        return self.rules.render(self.node(state), observer)

    def draw(self, state: State, observer: int | None) -> Any:
        return self.rules.draw(self.node(state), observer)

    def format_action(self, state: State, number: int) -> str:
        return self.rules.format_action(self.node(state), int(number))

    @staticmethod
    def _with(rng: Any, function: Callable[[EngineRandom], Result]) -> Result:
        """Call a function with random numbers that continue where the word is, and move the word on."""
        numbers = EngineRandom(int(rng[0]))
        result = function(numbers)
        rng[0] = numbers.word
        return result
