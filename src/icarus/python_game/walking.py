"""A class's states for a walk over the game: the functions of a compiled game, as callbacks over words that number a node.

Copying the words copies the state, since a node is never changed.  Nodes are kept until :meth:`Walk.forget`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from icarus.game import SIGNATURES
from icarus.jit import callback
from icarus.python_game.randomness import EngineRandom
from icarus.python_game.rules import Node, Rules

OVER = -2


class Walk:
    """The callbacks of one walk; what goes wrong is kept in ``problem``, and the game seems to be over."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.problem = rules, ""
        self.nodes: dict[int, Node] = {}
        self._kept: dict[int, Node] = {}
        self._next = 1
        self._random = EngineRandom()
        self._thunks: list[object] = []

    def keep(self, node: Node) -> int:
        """The number of a node that stays."""
        number = self._put(node)
        self._kept[number] = node
        return number

    def keep_only(self, numbers: list[int]) -> None:
        """Let go of all nodes but these."""
        self._kept = {number: self.nodes[number] for number in numbers}
        self.forget()

    def forget(self) -> None:
        """Let go of all nodes but those that stay."""
        self.nodes = dict(self._kept)

    def addresses(self) -> dict[str, int]:
        """The functions by which the loop walks."""
        wanted: dict[str, Callable[..., Any]] = {
            "player": self.player,
            "legal": self.legal,
            "apply": self.apply,
            "terminal": self.terminal,
            "rewards": self.rewards,
        }
        optional: dict[str, Callable[..., Any]] = {"observe": self.observe, "simultaneous": self.simultaneous}
        wanted |= {name: function for name, function in optional.items() if self.rules.has[name]}
        if self.rules.stochastic:
            wanted["sample"] = self.sample
        if self.rules.has["chance"]:
            wanted["chance"] = self.chance
        if self.rules.has["determinize"]:
            wanted["determinize"] = self.determinize
        found = {}
        for name, function in wanted.items():
            found[name], thunk = callback(self._safe(function), SIGNATURES[name])
            self._thunks.append(thunk)
        return found

    def _safe(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """An exception cannot pass through compiled code."""

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except BaseException as problem:
                self.problem = self.problem or str(problem) or type(problem).__name__
                return 0

        return call

    def _put(self, node: Node) -> int:
        node.own = False
        number, self._next = self._next, self._next + 1
        self.nodes[number] = node
        return number

    def _node(self, state: int) -> Node:
        node = self.nodes[ctypes.c_int64.from_address(state).value]
        self.rules.look(node)
        return node

    def player(self, state: int) -> int:
        return self._node(state).player

    def terminal(self, state: int) -> int:
        return 1 if self.problem else int(self._node(state).player == OVER)

    def legal(self, state: int, actions: int) -> int:
        numbers = self._node(state).numbers
        ctypes.memmove(actions, (ctypes.c_int64 * len(numbers))(*numbers), 8 * len(numbers))
        return len(numbers)

    def apply(self, state: int, number: int) -> None:
        after = self.rules.after(self._node(state), int(number))
        ctypes.c_int64.from_address(state).value = self._put(Node(after.state, after.ply, own=False))

    def rewards(self, state: int, out: int) -> None:
        rewards = self.rules.rewards(self._node(state))
        ctypes.memmove(out, (ctypes.c_double * len(rewards))(*rewards), 8 * len(rewards))

    def sample(self, state: int, rng: int) -> int:
        word = ctypes.c_uint64.from_address(rng)
        outcome = self.rules.sample(self._node(state), self._random.at(word.value))
        word.value = self._random.word
        return outcome

    def chance(self, state: int, out: int) -> int:
        odds = self.rules.chance(self._node(state))
        ctypes.memmove(out, (ctypes.c_double * len(odds))(*odds), 8 * len(odds))
        return len(odds)

    def determinize(self, state: int, observer: int, rng: int) -> None:
        word = ctypes.c_uint64.from_address(rng)
        node = self.rules.changed(self._node(state), "determinize", int(observer), self._random.at(word.value))
        ctypes.c_int64.from_address(state).value = self._put(node)
        word.value = self._random.word

    def observe(self, state: int, number: int, observer: int) -> int:
        return self.rules.observe(self._node(state), int(number), int(observer))

    def simultaneous(self, state: int) -> int:
        return self._node(state).together
