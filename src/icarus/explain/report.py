"""What a strategy does with its records: who reads and writes what in which phase, measured in one search.

``icarus explain "RAVE() >> NAST(2)" othello``, ``strategy.explain("othello")`` or :func:`explain` show for every capture which
records there are, which policies read them in the tree and in simulations, what is written when, how many records a search leaves
behind and how often each was visited (figure 3 of bandits-2013: only records with a visit count); for every component how often
it chose; and, drawn, which nodes share information (figure 2 of icarus-2014, see icarus.explain.sharing).
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console, ConsoleOptions
from rich.table import Table as RichTable
from rich.text import Text

from icarus.engine import layout as w
from icarus.engine.table.pool import Table
from icarus.engine.table.reader import replies_by_capture, visits_by_capture
from icarus.explain.sharing import Sharing, draw, sharing
from icarus.game import Game, play_to_decision
from icarus.jit.randomness import seeded
from icarus.loading import load
from icarus.markup import html_table
from icarus.search import Search
from icarus.strategy.base import REPLIES, Enhancement, Strategy
from icarus.strategy.combine import Linear, Maxilinear, Weight
from icarus.strategy.expression import read_strategy
from icarus.strategy.plan import Plan, by_phase, uniform_beyond_tree
from icarus.strategy.policy.uniform import Uniform

PHASES = ("selection", "expansion", "simulation")


@dataclass(frozen=True)
class CaptureReport:
    """One capture: its records, who reads and writes them, and what a search left in them."""

    name: str
    #: which records there are
    records: str
    #: "tree" and "simulation" -> the policies and weights that read them there
    reads: dict[str, list[str]]
    #: what is written, and at which steps
    writes: str
    #: records that exist; for last good replies, the replies that are remembered
    held: int
    #: how many of them were visited, and how often on average and at most; None where visits are not counted
    visited: int | None
    mean_visits: float | None
    most_visits: int | None
    sharing: Sharing


@dataclass(frozen=True)
class ComponentReport:
    """One component of the policy, and how many choices it made in each phase."""

    name: str
    #: phase -> choices between two or more actions; None: all of the phase, which are too simple to be counted one by one
    chose: dict[str, int | None]


@dataclass(frozen=True)
class Explanation:
    """What :func:`explain` found, for people, programs and notebooks."""

    strategy: str
    game: str
    algorithm: str
    seed: int
    iterations: int
    #: steps of all playouts in the tree and beyond, those without a choice included
    tree_steps: int
    simulation_steps: int
    captures: list[CaptureReport]
    components: list[ComponentReport]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.as_dict(), indent=indent)

    def draw(self, file: str | Path) -> None:
        """Draw which nodes share information, one tree per capture besides the baseline (needs matplotlib)."""
        draw([capture.sharing for capture in self.captures[1:] or self.captures], file)

    @property
    def title(self) -> str:
        return f"{self.strategy} on {self.game}  [{self.algorithm}, {self.iterations:,} iterations, seed {self.seed}]"

    @property
    def steps(self) -> str:
        return f"{self.tree_steps:,} steps in the tree, {self.simulation_steps:,} in simulations"

    def _tables(self) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """Title, columns and rows of each table; columns whose names end in a space hold numbers."""
        yield (
            "records after the search",
            ("capture", "records", "held ", "visited ", "visits each "),
            [(c.name, c.records, f"{c.held:,}", _number(c.visited), _number(c.mean_visits)) for c in self.captures],
        )
        yield (
            "who reads and writes them",
            ("capture", "read in the tree by", "read in simulations by", "written"),
            [
                (c.name, "\n".join(c.reads["tree"]) or "–", "\n".join(c.reads["simulation"]) or "–", c.writes)
                for c in self.captures
            ],
        )
        yield (
            "who chose how often",
            ("component", *(f"{phase} " for phase in PHASES)),
            [(c.name, *("all" if c.chose[p] is None else _number(c.chose[p]) for p in PHASES)) for c in self.components],
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        yield Text(self.title, style="bold")
        yield Text(self.steps)
        for title, columns, rows in self._tables():
            table = RichTable(title=title, title_justify="left", show_lines=columns[-1] == "written")
            for column in columns:
                table.add_column(column.strip(), justify="right" if column.endswith(" ") else "left", overflow="fold")
            for row in rows:
                table.add_row(*map(Text, row))
            yield table

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{html.escape(self.title)}</b><br>{self.steps}</p>"]
        for title, columns, rows in self._tables():
            parts.append(html_table(title, [column.strip() for column in columns], rows))
        return "".join(parts)


def explain(strategy: str | Strategy, game: str | Game, *, iterations: int = 2000, seed: int = 0) -> Explanation:
    """Search once from the first decision of a game, and report what the strategy did with its records."""
    explained = read_strategy(strategy)
    position = load(game).start(seed) if isinstance(game, str) else game.start(seed)
    search = Search(play_to_decision(position, seeded(seed, stream=5)), strategy=explained, seed=seed)
    plan, table, worker = search.plan, search.team.tables[0], search.team.workers[0]
    result = search.run(iterations=iterations)
    search.catch_up()
    control = worker.control
    return Explanation(
        strategy=str(explained),
        game=search.game.name,
        algorithm=str(search.algorithm),
        seed=seed,
        iterations=result.iterations,
        tree_steps=int(control.tree_steps),
        simulation_steps=int(control.all_steps - control.tree_steps),
        captures=_captures(plan, table, search.game),
        components=_components(plan, worker.chosen.reshape(len(PHASES), -1)),
    )


# --- captures --------------------------------------------------------------------------------------------------------


def _captures(plan: Plan, table: Table, game: Game) -> list[CaptureReport]:
    reads = _reads(plan, game)
    visits = visits_by_capture(table, len(plan.captures))
    replies = replies_by_capture(table, len(plan.captures))
    reports = []
    for number, leaf in enumerate(plan.capture_leaves):
        counted, remembers = visits[number], leaf.capture.kind in REPLIES
        reports.append(
            CaptureReport(
                name=plan.capture_names[number],
                records=leaf.capture.records,
                reads=reads[number],
                writes=_writes(leaf, counts_availability=bool(plan.captures[number]["availability"])),
                held=int(replies[number]) if remembers else int(table.meta.per_capture[number]),
                visited=None if remembers else len(counted),
                mean_visits=float(counted.mean()) if len(counted) else None,
                most_visits=int(counted.max()) if len(counted) else None,
                sharing=sharing(leaf),
            )
        )
    return reports


def _reads(plan: Plan, game: Game) -> list[dict[str, list[str]]]:
    """For each capture, what reads it in the tree and in simulations."""
    reads: list[dict[str, list[str]]] = [{"tree": [], "simulation": []} for _ in plan.captures]

    def note(number: int, phase: str, reader: str) -> None:
        if reader not in reads[number][phase]:
            reads[number][phase].append(reader)

    tree, simulation = by_phase(plan.strategy, in_tree=True), by_phase(plan.strategy, in_tree=False)
    for leaf in tree.enhancements():
        if not isinstance(leaf.reuse, Uniform):
            note(_number_of(plan, leaf), "tree", str(leaf.reuse))
            if leaf.reuse.follows_baseline:
                note(0, "tree", str(leaf.reuse))
    for weight in _weights(tree):
        note(0, "tree", str(weight))
    if game.simultaneous is not None:
        mixed = plan.node_names[plan.words["simultaneous_policy"]]
        note(0, "tree", f"{mixed} where players choose at the same time")
    if not uniform_beyond_tree(simulation):
        for leaf in simulation.enhancements():
            # beyond the tree no history has a record yet, neither the baseline's nor AMAF's (unless it looks back into the tree)
            amaf = leaf.capture.kind == w.KEEPS_ALL_MOVES and not leaf.capture.in_playouts
            if not (leaf.is_baseline or amaf or isinstance(leaf.reuse, Uniform)):
                note(_number_of(plan, leaf), "simulation", str(leaf.reuse))
    return reads


def _number_of(plan: Plan, leaf: Enhancement) -> int:
    """The number of a leaf's capture; leaves with equal captures share one."""
    if leaf.is_baseline:
        return 0
    mine = (leaf.capture, leaf.keep)
    return next(n for n, other in enumerate(plan.capture_leaves) if n and (other.capture, other.keep) == mine)


def _weights(strategy: Strategy) -> Iterator[Weight]:
    """The weights in a strategy that are functions of the baseline record."""
    if isinstance(strategy, Linear | Maxilinear) and isinstance(strategy.weight, Weight):
        yield strategy.weight
    for part in strategy.parts():
        yield from _weights(part)


def _writes(leaf: Enhancement, *, counts_availability: bool) -> str:
    capture = leaf.capture
    if leaf.is_baseline:
        return "each step in the tree: visit and rewards of the action, availability of its siblings"
    if capture.kind == w.KEEPS_NOTHING:
        return "never"
    if capture.kind == w.KEEPS_ALL_MOVES:
        nodes = "each selection node" if capture.amaf_nodes in (w.AT_SELECTION, w.AT_SELECTION_EVERY_MOVE) else "each tree node"
        if capture.amaf_nodes in (w.AT_SELECTION, w.IN_TREE):
            return f"{nodes}: visit and reward of each action that its player plays there or later, if legal there"
        return f"{nodes}: visit and reward of each action played there or later"
    steps = "each step in the tree" if capture.scope == w.TREE_ONLY else "each step"
    if capture.kind in REPLIES:
        forgets = "; forgotten when it brings 0" if capture.kind == w.KEEPS_REPLIES_FORGETS else ""
        return f"{steps}: the action, if it brings its player a reward above 0{forgets}"
    siblings = ", availability of the other legal ones" if counts_availability else ""
    return f"{steps}: visit and reward of the action{siblings}"


# --- components ------------------------------------------------------------------------------------------------------


def _components(plan: Plan, chosen: npt.NDArray[np.int64]) -> list[ComponentReport]:
    """What a phase can hand a choice to: leaves, maxilinear combinations and votes; a mixture only draws one of its terms."""
    counts: dict[str, dict[str, int | None]] = {}
    starts = [plan.words["tree_policy"], plan.words["simulation_policy"]]
    if "simultaneous_policy" in plan.words:
        starts.insert(1, plan.words["simultaneous_policy"])
    for start in starts:
        for node in _deciders(plan, start):
            row = counts.setdefault(plan.node_names[node], dict.fromkeys(PHASES, 0))
            for phase, name in enumerate(PHASES):
                row[name] = (row[name] or 0) + int(chosen[phase, node])
    last = plan.words["simulation_policy"]
    if plan.nodes[last]["kind"] == w.UNIFORM:
        counts[plan.node_names[last]]["simulation"] = None
    return [ComponentReport(name, row) for name, row in counts.items()]


def _deciders(plan: Plan, node: int) -> Iterator[int]:
    row = plan.nodes[node]
    if row["kind"] != w.LINEAR:
        yield node
        return
    for child in plan.children[row["first_child"] : row["first_child"] + row["child_count"]]:
        yield from _deciders(plan, child["node"])


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
