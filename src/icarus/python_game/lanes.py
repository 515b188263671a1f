"""States under way: the lanes of a search, and the callbacks through which the loop plays them.

The loop calls ``copy`` at the start of an iteration, ``advance`` once per ply (apply, terminal, player, legal in one), and, where
nobody looks at the steps of a simulation, ``playout`` for all the rest at once.  In the tree of a game without hidden information
most of these calls end in compiled code (see ``atlas``).  An exception cannot pass through the loop: what goes wrong is kept in
``problem``, and the loop is told to stop.
"""

from __future__ import annotations

import ctypes
import weakref
from array import array
from typing import Any

from icarus.engine import words as w
from icarus.engine.calls import ADVANCE, COPY, PLAYOUT
from icarus.engine.native import JIT, address, callback
from icarus.engine.world import World
from icarus.errors import GameError
from icarus.game import SIGNATURES
from icarus.python_game import atlas
from icarus.python_game.randomness import EngineRandom
from icarus.python_game.resting import Resting
from icarus.python_game.rules import Node, Rules


class Lane:
    """One playout under way: where it is, and the memory that the loop reads."""

    def __init__(self, world: World, lane: int, rules: Rules, places: atlas.Atlas) -> None:
        def row(field: int, width: int) -> Any:
            return memoryview(world[field][lane * width : (lane + 1) * width])  # type: ignore[arg-type]

        self.words, self.status = row(w.STATE, atlas.STATE_WORDS), row(w.STATUS, w.STATUS_WORDS)
        self.legal, self.report = row(w.LEGAL, rules.max_actions).cast("B"), row(w.REPORT, w.REPORT_WORDS).cast("B")
        self.control = world[w.CONTROL]
        self.random, self.rewards = EngineRandom(), array("d", [0.0] * rules.players)
        self.atlas, self.off_map = places, Node(None, 0, own=True)
        self.words[atlas.PLAYERS], self.words[atlas.MEMORY] = rules.players, places.memory.ctypes.data
        self.words[atlas.REWARDS] = self.rewards.buffer_info()[0]
        self.words[atlas.WORD], self.words[atlas.DRAWS], self.words[atlas.WORDS] = self.random.addresses()

    @property
    def node(self) -> Node:
        place = self.words[atlas.PLACE]
        return self.atlas.nodes[place] if place else self.off_map

    def go(self, node: Node, place: int = 0) -> None:
        """The walk is at this node: at a place of the atlas, or off the map."""
        self.off_map = node
        self.words[atlas.PLACE] = place

    def settle(self, rewards: list[float]) -> None:
        for player, reward in enumerate(rewards):
            self.rewards[player] = reward
        self.words[atlas.SETTLED] = 1


class Lanes:
    """The callbacks.  A lane is found by the address of its state."""

    def __init__(self, rules: Rules, resting: Resting) -> None:
        self.rules, self.resting = rules, resting
        self.lanes: dict[int, Lane] = {}
        self.problem: str | None = None
        self._thunks: list[object] = []
        self._callbacks: dict[str, int] = {}

    def addresses(self) -> dict[str, int]:
        """What the loop calls: compiled functions that know the way, or the callbacks themselves."""
        if not JIT:
            return self.callbacks()
        return {
            **self.callbacks(),
            "advance": address(atlas.advance, ADVANCE),
            "copy": address(atlas.copy, COPY),
            "playout": address(atlas.playout, PLAYOUT),
            "rewards": address(atlas.rewards, SIGNATURES["rewards"]),
        }

    def callbacks(self) -> dict[str, int]:
        """The address of a callback for everything that the class has."""
        has = {**self.rules.has, "sample": self.rules.stochastic}
        if not self._callbacks:
            for name, signature in {**SIGNATURES, "advance": ADVANCE, "copy": COPY, "playout": PLAYOUT}.items():
                if hasattr(self, name) and has.get(name, True):
                    self._callbacks[name], thunk = callback(getattr(self, name), signature)
                    self._thunks.append(thunk)
        return self._callbacks

    def add(self, world: World) -> None:
        """Give every lane of a world a state of its own."""
        first, known = world[w.STATE].ctypes.data, self.callbacks()
        places = atlas.Atlas()
        states = [first + 8 * atlas.STATE_WORDS * lane for lane in range(int(world[w.CONTROL][w.LANES]))]
        for number, state in enumerate(states):
            lane = self.lanes[state] = Lane(world, number, self.rules, places)
            lane.words[atlas.ADVANCE], lane.words[atlas.COPY] = known["advance"], known["copy"]
            lane.words[atlas.PLAYOUT], lane.words[atlas.PAY] = known["playout"], known["rewards"]
        weakref.finalize(world, self._drop, self.lanes, states).atexit = False

    @staticmethod
    def _drop(lanes: dict[int, Lane], states: list[int]) -> None:
        for state in states:
            lanes.pop(state, None)

    def failed(self, lane: Lane, problem: BaseException) -> None:
        if lane.control[w.ERROR] == w.FINE:
            lane.control[w.ERROR] = w.IN_CALLBACK
            known = isinstance(problem, GameError)
            self.problem = str(problem) if known else f"{type(problem).__name__} at ply {lane.node.ply}"

    # --- what the loop calls -----------------------------------------------------------------------------------------

    def copy(self, state: int, root: int) -> None:
        lane = self.lanes[state]
        try:
            handle = ctypes.c_int64.from_address(root).value
            node = self.resting.nodes[handle]
            place = 0
            if JIT:
                if handle not in lane.atlas.roots:
                    lane.atlas.roots[handle] = lane.atlas.add(node, self.rules.look(node))
                place = lane.atlas.roots[handle]
            lane.go(node, place)
            lane.words[atlas.ROOT_HANDLE], lane.words[atlas.ROOT_PLACE], lane.words[atlas.SETTLED] = handle, place, 0
        except BaseException as problem:
            self.failed(lane, problem)

    def advance(self, state: int, number: int, legal: int, report: int) -> None:
        lane = self.lanes[state]
        try:
            before, place, there = lane.node, lane.words[atlas.PLACE], 0
            node = self.rules.after(before, number, lane.status[w.WITHIN_TREE] != 0) if number >= 0 else before
            words = self.rules.look(node)
            if number >= 0:
                if place and not node.own and number in before.numbers:
                    there = lane.atlas.add(node, words)
                    lane.atlas.link(place, number, there)
                lane.go(node, there)
            lane.report[:] = words[: len(lane.report)]
            lane.legal[: len(words) - len(lane.report)] = words[len(lane.report) :]
        except BaseException as problem:
            self.failed(lane, problem)

    def playout(self, state: int, number: int, rng: int) -> int:
        lane = self.lanes[state]
        try:
            if JIT:  # the draws have been made, and the word will be moved on
                played, rewards = self.rules.playout(lane.node, number, lane.random, lane.random.draws.tolist())
            else:
                word = ctypes.c_uint64.from_address(rng)
                played, rewards = self.rules.playout(lane.node, number, lane.random, lane.random.at(word.value).upcoming())
                word.value = lane.random.word
            lane.settle(rewards)
            return played
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

    def rewards(self, state: int, out: int) -> None:
        lane = self.lanes[state]
        try:
            if not lane.words[atlas.SETTLED]:
                lane.settle(self.rules.rewards(lane.node))
            ctypes.memmove(out, lane.words[atlas.REWARDS], 8 * self.rules.players)
        except BaseException as problem:
            self.failed(lane, problem)

    def sample(self, state: int, rng: int) -> int:
        lane = self.lanes[state]
        try:
            word = ctypes.c_uint64.from_address(rng)
            outcome = self.rules.sample(lane.node, lane.random.at(word.value))
            word.value = lane.random.word
            return outcome
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

    def chance(self, state: int, out: int) -> int:
        lane = self.lanes[state]
        try:
            odds = array("d", self.rules.chance(lane.node))
            ctypes.memmove(out, odds.buffer_info()[0], 8 * len(odds))
            return len(odds)
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

    def determinize(self, state: int, observer: int, rng: int) -> None:
        lane = self.lanes[state]
        try:
            word = ctypes.c_uint64.from_address(rng)
            lane.go(self.rules.changed(lane.node, "determinize", observer, lane.random.at(word.value)))
            word.value = lane.random.word
        except BaseException as problem:
            self.failed(lane, problem)

    def observe(self, state: int, number: int, observer: int) -> int:
        lane = self.lanes[state]
        try:
            return self.rules.observe(lane.node, number, observer)
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

    def heuristic(self, state: int, number: int) -> float:
        lane = self.lanes[state]
        try:
            return self.rules.heuristic(lane.node, number)
        except BaseException as problem:
            self.failed(lane, problem)
            return 0.0

    def predicates(self, state: int, out: int) -> int:
        lane = self.lanes[state]
        try:
            numbers = array("q", self.rules.predicates(lane.node))
            ctypes.memmove(out, numbers.buffer_info()[0], 8 * len(numbers))
            return len(numbers)
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

    def simultaneous(self, state: int) -> int:
        lane = self.lanes[state]
        try:
            self.rules.look(lane.node)
            return lane.node.together
        except BaseException as problem:
            self.failed(lane, problem)
            return 0
