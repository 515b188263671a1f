"""Which nodes of a tree share information, as in figure 2 of icarus-2014.

The tree is an artificial one: two players take turns, each step is an action ``a`` or ``b``, three plies deep.  A node stands for
the step that leads to it.  Two nodes share information if one of them reads a record that the other writes; that is asked of the
capture's own context functions, called on the histories of this tree.  (AMAF has none: its rule is the engine's.)  What only a
game can say is assumed, and said in ``Sharing.assumes``: where episodes begin, which predicates hold, how many visits a node has.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from icarus.engine import layout as w
from icarus.engine.calls import CONTEXT
from icarus.engine.world import Worker
from icarus.errors import IcarusError, needing
from icarus.jit import python_call, size_of
from icarus.strategy.base import Capture, Enhancement, by_name

ACTIONS = "ab"
DEPTH = 3
#: the nodes by name, from the root down; the last letter is the step, the others are its history
NODES = tuple("".join(path) for depth in range(1, DEPTH + 1) for path in product(ACTIONS, repeat=depth))
EPISODE = 2  #: plies of an episode, where a capture asks for episodes
ROOM = 64  #: words of the arrays that a context function gets; a tree of three plies needs fewer


@dataclass(frozen=True)
class Sharing:
    """The pairs of nodes that share information through one capture; ``aba`` is the node after the actions a, b and a."""

    capture: str
    pairs: list[tuple[str, str]]
    #: what the game would have to say, for people; empty if the capture needs nothing
    assumes: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def sharing(leaf: Enhancement) -> Sharing:
    """Which nodes share information through an enhancement's capture."""
    capture, assumes = leaf.capture, ""
    if leaf.is_baseline or capture.kind == w.KEEPS_NOTHING:
        return Sharing(str(leaf), [])
    if capture.kind == w.KEEPS_ALL_MOVES:
        reads = {node: _all_moves_read(node, capture) for node in NODES}
        writes = {node: _all_moves_written(node) for node in NODES}
        if 0 < capture.amaf_reference < math.inf:
            assumes = f"every node has more than {capture.amaf_reference:g} visits"
    else:
        reads = {node: _records(node, capture, capture.read) for node in NODES}
        writes = {node: _records(node, capture, capture.write or capture.read) for node in NODES}
        if "episode" in capture.needs:
            assumes = f"an episode lasts {EPISODE} plies"
        elif "predicates" in capture.needs:
            assumes = "one predicate holds: what the last action was"
    pairs = [(i, j) for i, j in combinations(NODES, 2) if reads[i] & writes[j] or reads[j] & writes[i]]
    return Sharing(str(leaf), pairs, assumes)


def _records(node: str, capture: Capture, function: Any) -> set[Hashable]:
    """The records (player, context, action) of the step to a node, from the context function itself."""
    history, action = node[:-1], node[-1]
    ply = len(history)
    worker = Worker()
    step = w.Step(np.zeros(size_of(w.Step), np.int64))
    step.player, step.ply, step.phase = ply % 2, ply, w.SELECTION
    step.episode = ply - ply % EPISODE
    moves, actors, facts = (np.zeros(ROOM, np.int64) for _ in range(3))
    for name, array in (("moves", moves), ("actors", actors), ("facts", facts)):
        worker.put(name, array, of=step)
    moves[:ply] = [ACTIONS.index(move) for move in history]
    actors[:ply] = [i % 2 for i in range(ply)]
    if history and "predicates" in capture.needs:
        step.fact_count, facts[0] = 1, ACTIONS.index(history[-1])
    keys = np.zeros(w.MAX_KEYS, np.int64)
    numbers = np.array([value for _, value in capture.parameters] or [0.0], np.float64)
    signature = by_name(CONTEXT, tuple(name for name, _ in capture.parameters))
    count = int(python_call(function, signature)(step, keys, numbers))
    return {(ply % 2, int(key), action) for key in keys[:count]}


def _all_moves_read(node: str, capture: Capture) -> set[Hashable]:
    """AMAF's record of a step: under its own history, or under the root's."""
    history = "" if math.isinf(capture.amaf_reference) else node[:-1]
    return {(len(node) % 2, history, node[-1])}


def _all_moves_written(node: str) -> set[Hashable]:
    """A step counts for the history that it was made in and for all that lead there."""
    return {(len(node) % 2, node[:length], node[-1]) for length in range(len(node))}


# --- the drawing -----------------------------------------------------------------------------------------------------


def draw(pictures: Sequence[Sharing], file: str | Path) -> None:
    """One tree per capture, side by side; the file's ending says the format (png, svg, pdf)."""
    with needing("a picture", "matplotlib", extra="plot"):
        import matplotlib
    from matplotlib.figure import Figure

    columns = min(len(pictures), 3)
    rows = -(-len(pictures) // columns)
    with matplotlib.rc_context({"svg.hashsalt": "icarus"}):
        figure = Figure(figsize=(4.2 * columns, 3.4 * rows), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False)
        for axis in axes.flat:
            axis.set_axis_off()
        for axis, picture in zip(axes.flat, pictures, strict=False):
            _draw_tree(axis, picture)
        try:
            figure.savefig(file, dpi=150)
        except (OSError, ValueError) as problem:
            raise IcarusError(f"cannot draw into {str(file)!r}: {problem}") from None


def place(node: str) -> tuple[float, float]:
    """Where a node is drawn: the leaves side by side, every parent above the middle of its children."""
    number = sum(ACTIONS.index(move) / 2 ** (depth + 1) for depth, move in enumerate(node))
    return number + 0.5 / 2 ** len(node), -float(len(node))


def neighbours(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs without those that follow from a node in between, so that a group that shares everything is drawn as a chain."""
    order = {node: number for number, node in enumerate(NODES)}
    shared = set(pairs)

    def between(i: str, k: str) -> bool:
        return any(order[i] < order[j] < order[k] and (i, j) in shared and (j, k) in shared for j in NODES)

    return [(i, k) for i, k in pairs if not between(i, k)]


def _draw_tree(axis: Any, picture: Sharing) -> None:
    for node in NODES:
        (x, y), (above_x, above_y) = place(node), place(node[:-1])
        axis.plot([above_x, x], [above_y, y], color="0.6", linewidth=1, zorder=1)
    for i, j in neighbours(picture.pairs):
        side = -1 if len(i) == len(j) == DEPTH else 1  # below the leaves there is room
        bow = {"arrowstyle": "-", "linestyle": ":", "linewidth": 1.6, "connectionstyle": f"arc3,rad={side * 0.25}"}
        colour = "#4878d0" if i[-1] == ACTIONS[0] else "#d65f5f"
        axis.annotate("", place(i), place(j), arrowprops=bow | {"color": colour, "shrinkA": 7, "shrinkB": 7}, zorder=2)
    for node in ("", *NODES):
        x, y = place(node)
        mover = "s" if len(node) % 2 else "o"
        axis.plot([x], [y], mover, markersize=13, markerfacecolor="white", markeredgecolor="black", zorder=3)
        axis.text(x, y - 0.02, node[-1:], ha="center", va="center", fontsize=9, zorder=4)
    axis.set_xlim(-0.02, 1.02)
    axis.set_ylim(-DEPTH - 0.85, 0.35)
    title = picture.capture if len(picture.capture) <= 44 else picture.capture[:43] + "…"
    axis.set_title(title, fontsize=10, family="monospace")
    note = f"assuming that {picture.assumes}" if picture.assumes else "" if picture.pairs else "no two nodes share a record"
    axis.text(0.5, -DEPTH - 0.75, note, ha="center", va="center", fontsize=8, color="0.3")
