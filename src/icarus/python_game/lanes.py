"""States under way: the lanes of a search, and the callbacks through which the loop plays them.

The loop calls ``copy`` at the start of an iteration, ``advance`` once per ply (apply, terminal, player, legal in one), and, where
nobody looks at the steps of a simulation, ``finish`` for all the rest at once.  In the tree of a game without hidden information
most of these calls end in compiled code (see ``node_cache``).  An exception cannot pass through the loop: what goes wrong is
kept in ``problem``, and the loop is told to stop.
"""

from __future__ import annotations

import ctypes
import weakref
from array import array
from typing import Any

from icarus.engine.layout import FINE, IN_CALLBACK
from icarus.engine.world import Worker
from icarus.errors import GameError
from icarus.game import SIGNATURES
from icarus.jit import JIT, address, callback
from icarus.jit.named import element_of
from icarus.python_game import node_cache
from icarus.python_game.positions import Positions
from icarus.python_game.randomness import EngineRandom
from icarus.python_game.rules import Node, Rules


class Lane:
    """One playout under way: where it is, and the memory that the loop reads."""

    def __init__(self, worker: Worker, lane: int, rules: Rules, places: node_cache.NodeCache) -> None:
        def row(field: Any, width: int) -> Any:
            return memoryview(field[lane * width : (lane + 1) * width])

        self.words, self.status = row(worker.states, node_cache.STATE_WORDS), element_of(worker.lanes, lane)
        in_tree = type(self.status).in_tree.offset
        self.in_tree = memoryview(self.status._array[in_tree : in_tree + 1])  # a named word costs as much as a call
        self.legal = row(worker.legal, rules.max_actions).cast("B")
        self.report = row(worker.reports, node_cache.REPORT_WORDS).cast("B")
        self.control = worker.control
        self.score = 0.0
        plies = int(worker.control.plies)
        self.actions = worker.actions[lane * plies : (lane + 1) * plies]
        self.random, self.rewards = EngineRandom(), array("d", [0.0] * rules.players)
        self.cache, self.off_map = places, Node(None, 0, own=True)
        self.words[node_cache.PLAYERS], self.words[node_cache.MEMORY] = rules.players, places.memory.ctypes.data
        self.words[node_cache.REWARDS] = self.rewards.buffer_info()[0]
        self.words[node_cache.WORD], self.words[node_cache.DRAWS], self.words[node_cache.WORDS] = self.random.addresses()

    @property
    def node(self) -> Node:
        place = self.words[node_cache.PLACE]
        if not place:
            return self.off_map
        node = self.cache.nodes.get(place)
        if node is None:
            node = Node(self.cache.states[place], self.cache.ply(place), False, self.cache.held)
            self.cache.nodes[place] = node
        return node

    def go(self, node: Node, place: int = 0) -> None:
        """The walk is at this node: at a place of the cache, or off the map."""
        self.off_map = node
        self.words[node_cache.PLACE] = place

    def settle(self, rewards: list[float], score: float = 0.0) -> None:
        self.score = score
        for player, reward in enumerate(rewards):
            self.rewards[player] = reward
        self.words[node_cache.SETTLED] = 1


class Lanes:
    """The callbacks.  A lane is found by the address of its state."""

    def __init__(self, rules: Rules, positions: Positions) -> None:
        self.rules, self.positions = rules, positions
        self.lanes: dict[int, Lane] = {}
        self.problem: str | None = None
        self._thunks: list[object] = []
        self._callbacks: dict[str, int] = {}
        #: steps in the tree are made by ``NodeCache.expand``
        self.quick = JIT and rules.plain

    def addresses(self) -> dict[str, int]:
        """What the loop calls: compiled functions that know the way, or the callbacks themselves."""
        if not JIT:
            return self.callbacks()
        known = {
            "advance": node_cache.advance,
            "copy": node_cache.copy,
            "finish": node_cache.finish,
            "code": node_cache.code,
            "score": node_cache.score,
            "rewards": node_cache.rewards,
        }
        there = self.callbacks()
        compiled = {name: address(function, SIGNATURES[name]) for name, function in known.items() if name in there}
        return {**there, **compiled}

    def callbacks(self) -> dict[str, int]:
        """The address of a callback for everything that the class has."""
        has = {**self.rules.has, "sample": self.rules.stochastic}
        if not self._callbacks:
            for name, signature in SIGNATURES.items():
                if hasattr(self, name) and has.get(name, True):
                    self._callbacks[name], thunk = callback(getattr(self, name), signature)
                    self._thunks.append(thunk)
        return self._callbacks

    def add(self, worker: Worker) -> None:
        """Give every lane of a worker a state of its own."""
        first, known = worker.states.ctypes.data, self.callbacks()
        places = node_cache.NodeCache(self.rules.max_actions)
        states = [first + 8 * node_cache.STATE_WORDS * lane for lane in range(int(worker.control.lanes))]
        for number, state in enumerate(states):
            lane = self.lanes[state] = Lane(worker, number, self.rules, places)
            lane.words[node_cache.ADVANCE], lane.words[node_cache.COPY] = known["advance"], known["copy"]
            lane.words[node_cache.FINISH], lane.words[node_cache.PAY] = known["finish"], known["rewards"]
            lane.words[node_cache.CODE], lane.words[node_cache.SCORE] = known.get("code", 0), known.get("score", 0)
        weakref.finalize(worker, self._drop, self.lanes, states).atexit = False

    @staticmethod
    def _drop(lanes: dict[int, Lane], states: list[int]) -> None:
        for state in states:
            lanes.pop(state, None)

    def failed(self, lane: Lane, problem: BaseException) -> None:
        if lane.control.error == FINE:
            lane.control.error = IN_CALLBACK
            known = isinstance(problem, GameError)
            self.problem = str(problem) if known else f"{type(problem).__name__} at ply {lane.node.ply}"

    # --- what the loop calls -----------------------------------------------------------------------------------------

    def copy(self, state: int, root: int) -> None:
        lane = self.lanes[state]
        try:
            if root in self.lanes:  # another lane: its state is shared from now on, and cloned by who goes on from it
                source = self.lanes[root]
                node = source.node
                node.own = False
                lane.go(node, source.words[node_cache.PLACE])
                lane.words[node_cache.SETTLED] = 0
                return
            handle = ctypes.c_int64.from_address(root).value
            node = self.positions.nodes[handle]
            place = 0
            if JIT:
                if handle not in lane.cache.roots:
                    lane.cache.roots[handle] = lane.cache.add(node, self.rules.look(node), self.rules.told(node))
                place = lane.cache.roots[handle]
            lane.go(node, place)
            lane.words[node_cache.ROOT_HANDLE], lane.words[node_cache.ROOT_PLACE], lane.words[node_cache.SETTLED] = (
                handle,
                place,
                0,
            )
        except BaseException as problem:
            self.failed(lane, problem)

    def advance(self, state: int, number: int, legal: int, report: int) -> None:
        lane = self.lanes[state]
        try:
            place, there = lane.words[node_cache.PLACE], 0
            if place and number >= 0 and self.quick and lane.in_tree[0]:
                there = lane.cache.expand(self.rules, place, number, lane.words[node_cache.LINK])
                if there:
                    lane.words[node_cache.PLACE] = there
                    return
            before = lane.node
            node = self.rules.after(before, number, bool(lane.status.in_tree)) if number >= 0 else before
            words = self.rules.look(node)
            if number >= 0:
                if place:
                    self.rules.look(before)
                if place and not node.own and number in before.numbers:
                    there = lane.cache.add(node, words, self.rules.told(node))
                    lane.cache.link(place, number, there)
                lane.go(node, there)
            if not there:  # else the compiled function reads it there
                lane.report[:] = words[: len(lane.report)]
                lane.legal[: len(words) - len(lane.report)] = words[len(lane.report) :]
        except BaseException as problem:
            self.failed(lane, problem)

    def finish(self, state: int, number: int, rng: int) -> int:
        lane = self.lanes[state]
        try:
            if JIT:  # the draws have been made, and the word will be moved on
                played = self.rules.playout(lane.node, number, lane.random, lane.random.draws.tolist())
            else:
                word = ctypes.c_uint64.from_address(rng)
                played = self.rules.playout(lane.node, number, lane.random, lane.random.at(word.value).upcoming())
                word.value = lane.random.word
            lane.settle(played.rewards, played.score)
            if played.line:
                begin = int(lane.status.ply)
                lane.actions[begin : begin + played.plies] = played.line
            return played.plies
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

    def rewards(self, state: int, out: int) -> None:
        lane = self.lanes[state]
        try:
            if not lane.words[node_cache.SETTLED]:
                lane.settle(self.rules.rewards(lane.node))
            ctypes.memmove(out, lane.words[node_cache.REWARDS], 8 * self.rules.players)
        except BaseException as problem:
            self.failed(lane, problem)

    def score(self, state: int) -> float:
        lane = self.lanes[state]
        try:
            return lane.score if lane.words[node_cache.SETTLED] else self.rules.score(lane.node)
        except BaseException as problem:
            self.failed(lane, problem)
            return 0.0

    def code(self, state: int, number: int) -> int:
        lane = self.lanes[state]
        try:
            return self.rules.code(lane.node, number)
        except BaseException as problem:
            self.failed(lane, problem)
            return 0

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

    def evaluate(self, state: int, out: int) -> None:
        lane = self.lanes[state]
        try:
            values = array("d", self.rules.evaluate(lane.node))
            ctypes.memmove(out, values.buffer_info()[0], 8 * len(values))
        except BaseException as problem:
            self.failed(lane, problem)

    def suggest(self, state: int, last: int, out: int) -> int:
        lane = self.lanes[state]
        try:
            numbers = array("q", self.rules.suggest(lane.node, last))
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
