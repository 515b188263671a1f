"""The memory of a forest, from Python: arrays by the names of network/forest/layout.py, and larger rooms when they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine.world import game_words
from icarus.game import Game
from icarus.jit import JIT, Floats, Layout, Random, Reals, To, address_of, size_of
from icarus.jit.eights import WIDTH
from icarus.network.forest.layout import (
    GROW_EDGES,
    GROW_LOG,
    GROW_NODES,
    MOST_CHOICES,
    Bytes,
    ForestControl,
    ForestWorld,
    Halves,
    LaneWords,
    PathStep,
    TreeNode,
    TreeWords,
)

DTYPES: dict[Any, Any] = {Floats: np.float32, Halves: np.int32, Bytes: np.uint8, Reals: np.float64, Random: np.uint64}
BURST = 1024  #: iterations with a compiled evaluator after which the kernel comes back: soon enough for clocks and Ctrl-C
LINE = 64  #: bytes of a line of the cache: eights that begin with one need no second
PATIENCE = 1024  #: descents of a tree without an evaluation after which the kernel comes back


def zeros(size: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros from the beginning of a line of the cache on, with an eight of them behind so many."""
    whole = np.zeros(size + WIDTH + LINE, dtype)
    first = -address_of(whole) % LINE // whole.itemsize
    return whole[first : first + size + WIDTH]


@dataclass(frozen=True)
class Edge:
    """An action of a node."""

    action: int
    child: int  #: the node behind it, plus one
    visits: int
    prior: float


class Forest:
    """Trees of one game; ``forest.control``, ``forest.array("visits")`` and so on are what Python reads and writes."""

    def __init__(
        self,
        game: Game,
        *,
        observation: tuple[int, int],
        observation_shape: tuple[int, ...],
        numbers: npt.NDArray[np.int64],
        actions: int,
        trees: int,
        lanes: int,
        nodes: int,
        log_rows: int,
        hashed: bool,
        seeds: npt.NDArray[np.uint64],
    ) -> None:
        self.game, self.trees, self.lanes, self.hashed = game, trees, lanes, hashed
        self.addresses: npt.NDArray[np.int64] = np.zeros(size_of(ForestWorld), np.int64)
        self.world = ForestWorld(self.addresses)
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.control = ForestControl(np.zeros(size_of(ForestControl), np.int64))
        control, rows, players = self.control, trees * lanes, game.players
        self._put("control", self.control._array)
        self.control = self.world.control
        #: the same without names, for what is written in every round
        self.words = self.control._array
        self._put("game", game_words(game)._array)
        control = self.control
        control.trees, control.lanes, control.players, control.actions = trees, lanes, players, actions
        control.observation = int(np.prod(observation_shape))
        control.plies = game.max_plies + 1
        control.widest = widest = -(-game.max_actions // WIDTH) * WIDTH
        control.hidden = game.determinize is not None
        control.strangers, control.patience = len(numbers), PATIENCE
        self.evaluate_by(0, np.zeros(1, np.float32))
        self._put("observation", np.array(observation, np.int64))
        self._put("numbers", numbers if len(numbers) else np.zeros(1, np.int64))
        words: dict[str, int] = {
            "trees": trees * size_of(TreeWords), "roots": trees * game.state_size, "root_views": trees * players,
            "joints": trees * game.state_size, "joint_views": trees * players, "choices": 2 * trees * MOST_CHOICES,
            "noises": trees * widest, "before": trees * widest, "schedules": 1, "lanes": rows * size_of(LaneWords),
            "states": rows * game.state_size, "views": rows * players, "path": rows * control.plies * size_of(PathStep),
            "scratch": widest, "scores": widest, "rewards": players, "ends": trees * players,
        }  # fmt: skip
        for name, size in words.items():
            self._put(name, zeros(size, np.int64), WIDTH)
        self._put("rng", seeds)
        self.observations = np.zeros((rows, *observation_shape), np.float32)
        self.legal = np.zeros((rows, actions), np.bool_)
        self.logits = np.zeros((rows, actions), np.float32)
        self.values = np.zeros((rows, players), np.float32)
        self._put("observations", self.observations.reshape(-1))
        self._put("halves", self.observations.reshape(-1).view(np.int32))
        self._put("legal", self.legal.reshape(-1).view(np.uint8))
        self._put("logits", self.logits.reshape(-1))
        self._put("values", self.values.reshape(-1))
        # rooms for a dozen edges of every node; where there are more of them they grow
        self._make_rooms(nodes, max(nodes * min(widest, 16), 2 * widest), log_rows)

    def _put(self, name: str, array: npt.NDArray[Any], more: int = 0) -> None:
        """Give the kernel an array, whose last numbers may be there only to be read along with those before them."""
        field = ForestWorld.__fields__[name]
        assert isinstance(field, To)
        self.addresses[field.offset] = address_of(array)
        if isinstance(field.kind, type) and issubclass(field.kind, Layout):
            self.arrays[name], self.world._targets[name] = array[: array.size - more], field.kind(array)
        else:
            self.world._targets[name] = array.view(DTYPES.get(field.kind, np.int64))
            self.arrays[name] = self.world._targets[name][: array.size - more]

    def evaluate_by(self, place: int, weights: npt.NDArray[np.float32]) -> None:
        """Have a compiled evaluator at this address value positions within the kernel; 0: answers come from outside."""
        self.control.evaluator, self.control.burst = place, BURST
        self._put("weights", weights)

    @property
    def handle(self) -> Any:
        """What the kernel takes."""
        return self.addresses if JIT else self.world

    def put_schedules(self, rows: npt.NDArray[np.int64], width: int) -> None:
        """The schedules of sequential halving: rows by the number of actions that they begin with, or one row (width 0)."""
        self._put("schedules", np.ascontiguousarray(rows, np.int64).reshape(-1))
        self.control.schedule, self.control.schedule_length = width, rows.shape[-1]

    # --- rooms -------------------------------------------------------------------------------------------------------

    def _sizes(self, nodes: int, edges: int, log_rows: int) -> dict[str, tuple[int, int]]:
        """Of everything that grows: how many rows a tree has, and words (or numbers) of a row."""
        players, control = self.game.players, self.control
        index = 2 << max(nodes - 1, 1).bit_length() if self.hashed else 0
        return {
            "nodes": (nodes, size_of(TreeNode)),
            "worths": (nodes, players),
            "raw": (nodes, players),
            "actions": (edges, 1),
            "action_numbers": (edges, 1),
            "children": (edges, 1),
            "visits": (edges, 1),
            "priors": (edges, 1),
            "edge_logits": (edges, 1),
            "means": (edges, 1),
            "totals": (edges, players),
            "index": (index, 1),
            "log_observations": (log_rows, int(control.observation)),
            "log_policies": (log_rows, int(control.actions)),
            "log_rows": (log_rows, 2),
            "log_means": (log_rows, players),
        }

    def bytes_with(self, nodes: int, edges: int) -> int:
        """The memory of rooms of this size."""
        return 8 * self.trees * sum(rows * width for rows, width in self._sizes(nodes, edges, 0).values())

    def _make_rooms(self, nodes: int, edges: int, log_rows: int) -> None:
        for name, (rows, width) in self._sizes(nodes, edges, log_rows).items():
            kind = ForestWorld.__fields__[name].kind
            dtype = DTYPES.get(kind, np.int64) if not isinstance(kind, type) else np.int64
            found = zeros(self.trees * rows * width, dtype)
            if name in self.arrays and name != "index":
                old = self.arrays[name].reshape(self.trees, -1)
                found[:-WIDTH].reshape(self.trees, -1)[:, : old.shape[1]] = old
            self._put(name, found, WIDTH)
            if not name.startswith("log") and name != "index":
                self._put(f"spare_{name}", zeros(rows * width, dtype), WIDTH)
        control = self.control
        control.node_room, control.edge_room, control.log_room = nodes, edges, log_rows
        control.index_room = self._sizes(nodes, edges, log_rows)["index"][0]
        if self.hashed:
            self._index_again()

    def grow(self) -> None:
        """Double the rooms that the kernel found too small."""
        control = self.control
        wanted = int(control.grow)
        control.grow = 0
        nodes, edges, log_rows = int(control.node_room), int(control.edge_room), int(control.log_room)
        nodes = 2 * nodes if wanted & GROW_NODES else nodes
        edges = max(2 * edges, edges + 2 * int(control.widest)) if wanted & GROW_EDGES else edges
        self._make_rooms(nodes, edges, 2 * log_rows if wanted & GROW_LOG else log_rows)

    def _index_again(self) -> None:
        """Put every node into an index that has changed its size."""
        room = int(self.control.index_room)
        index = self.arrays["index"].reshape(self.trees, room)
        for tree in range(self.trees):
            for number in range(int(self.tree(tree).nodes)):
                key = int(self.node(tree, number).key)
                if key:  # a root that no descent comes back to has none
                    slot = key & (room - 1)
                    while index[tree, slot]:
                        slot = (slot + 1) & (room - 1)
                    index[tree, slot] = number + 1

    # --- looking in --------------------------------------------------------------------------------------------------

    def tree(self, number: int) -> TreeWords:
        return TreeWords(self.arrays["trees"], number * size_of(TreeWords))

    def node(self, tree: int, number: int) -> TreeNode:
        return TreeNode(self.arrays["nodes"], (tree * int(self.control.node_room) + number) * size_of(TreeNode))

    def edges(self, tree: int, number: int) -> list[tuple[Edge, npt.NDArray[np.float64]]]:
        """The edges of a node with their totals."""
        node, players, arrays = self.node(tree, number), self.game.players, self.arrays
        first = tree * int(self.control.edge_room) + int(node.first)
        rows = slice(first, first + int(node.count))
        columns = [arrays[name][rows].tolist() for name in ("actions", "children", "visits", "priors")]
        edges = [Edge(action, child, int(visits), prior) for action, child, visits, prior in zip(*columns, strict=True)]
        return list(zip(edges, arrays["totals"].reshape(-1, players)[rows], strict=True))

    def worths(self, tree: int, number: int) -> npt.NDArray[np.float64]:
        """What the evaluator said of a node and everything that was backed up through it, added up for each player."""
        found: npt.NDArray[np.float64] = self.arrays["worths"].reshape(-1, self.game.players)[
            tree * int(self.control.node_room) + number
        ]
        return found

    def root_state(self, tree: int) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = self.arrays["roots"].reshape(self.trees, -1)[tree]
        return found

    def joint_state(self, tree: int) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = self.arrays["joints"].reshape(self.trees, -1)[tree]
        return found

    def root_views(self, tree: int) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = self.arrays["root_views"].reshape(self.trees, -1)[tree]
        return found
