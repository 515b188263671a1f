"""From a strategy's objects to the rows of numbers that the loop reads (layout: engine/layout.py)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from icarus.engine import layout as w
from icarus.engine.calls import (
    BACKUP,
    CONTEXT,
    EVALUATION,
    EVALUATOR,
    FILTER,
    LEAF_RULE,
    LESSON,
    POLICY,
    PRIOR,
    STATISTIC,
    WEIGHT,
)
from icarus.engine.world import Worker, rows_of
from icarus.errors import StrategyError
from icarus.game import Game
from icarus.jit import address
from icarus.strategy.adaptive import Adaptive
from icarus.strategy.base import (
    Capture,
    Enhancement,
    Function,
    Policy,
    Strategy,
    by_name,
    one_context,
    tries_untried_first,
    twin_of,
)
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import Linear, Maxilinear, Sequential, Vote, Weight, settled
from icarus.strategy.considered import Considered, Filter
from icarus.strategy.cutoff import Cutoff, InPlayouts
from icarus.strategy.features import evaluate_by_weights
from icarus.strategy.policy.exp3 import EXP3
from icarus.strategy.policy.of_the_tree import OfTheTree
from icarus.strategy.policy.uniform import Uniform
from icarus.strategy.seams import Evaluator
from icarus.strategy.statistic import Statistic
from icarus.strategy.suggested import Suggested
from icarus.strategy.weights import read_weights

MOST_UPDATES = 1 << 22

Row = dict[str, int]
Wrapper = TypeVar("Wrapper", bound=InPlayouts)


@dataclass
class Plan:
    """The tables of one strategy, and what they stand for."""

    strategy: Strategy
    captures: list[Row] = field(default_factory=list)
    nodes: list[Row] = field(default_factory=list)
    children: list[Row] = field(default_factory=list)
    factors: list[Row] = field(default_factory=list)
    statistics: list[Statistic] = field(default_factory=list)
    statistic_rows: list[Row] = field(default_factory=list)
    statistic_uses: list[int] = field(default_factory=list)
    filters: list[Row] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    words: Row = field(default_factory=dict)
    #: what each capture and each policy node is called, for reports
    capture_names: list[str] = field(default_factory=list)
    capture_leaves: list[Enhancement] = field(default_factory=list)
    node_names: list[str] = field(default_factory=list)
    #: the numbers of policies and weights, which may be others for each player (adaptive.py)
    of_players: set[int] = field(default_factory=set)
    #: a backup changes visits, which the engine's twins count on
    counts_change: bool = False

    def put_into(self, worker: Worker) -> None:
        worker.put("strategy", rows_of(w.StrategyWords, [self.words]))
        worker.put("captures", rows_of(w.CaptureRow, self.captures))
        worker.put("nodes", rows_of(w.PolicyNode, self.nodes))
        worker.put("children", rows_of(w.Child, self.children))
        worker.put("factors", rows_of(w.Factor, self.factors))
        worker.put("statistics", rows_of(w.StatisticRow, self.statistic_rows))
        worker.put("filters", rows_of(w.FilterRow, self.filters))
        worker.put("statistic_uses", np.array(self.statistic_uses or [0], np.int64))
        worker.put("numbers", np.array(self.numbers or [0.0], np.float64))

    def update_rows(self, game: Game) -> int:
        """How many updates of captures one playout can ask for."""
        per_step = 0
        for row, leaf in zip(self.captures[1:], self.capture_leaves[1:], strict=True):
            per_step += leaf.capture.contexts(game) * (game.max_actions if row["availability"] else 1)
        return min(max(game.max_plies * per_step, 1), MOST_UPDATES)

    @property
    def needs_moves(self) -> bool:
        return bool(self.words["needs_moves"])

    @property
    def learns(self) -> bool:
        """Do weights of features change during the search?"""
        return bool(self.words["lesson"])

    @property
    def needs_later(self) -> bool:
        return bool(self.words["needs_later"])

    @property
    def all_moves(self) -> list[int]:
        """The captures that learn from later moves."""
        return [number for number, row in enumerate(self.captures) if row["kind"] == w.KEEPS_ALL_MOVES]

    def tree_twin(self, *, by_node: bool) -> int:
        """The twin that chooses in the tree: RAVE's where nodes lead to their AMAF records, UCB1's where AMAF needs nothing.

        That of UCB1-Tuned counts on sums of squares that belong to the sums of rewards.
        """
        inlined = self.nodes[self.words["tree_policy"]].get("inlined", w.NOT_INLINED)
        serves = {
            w.INLINED_RAVE: by_node,
            w.INLINED_UCB1: not self.needs_later,
            w.INLINED_UCB1_TUNED: not self.needs_later and self.words["prior"] == self.words["backup"] == 0,
        }
        return inlined if serves.get(inlined, False) and not self.counts_change else w.NOT_INLINED


def make_plan(
    strategy: Strategy,
    *,
    simultaneous: bool = False,
    max_depth: int = 2**31,
    flat_root: bool = False,
    rewards: tuple[float, ...] = (),
) -> Plan:
    """The tables for a strategy.

    ``flat_root`` chooses uniformly in the tree (flat Monte Carlo); ``rewards`` are the numbers of a map of rewards (seams.py).
    """
    strategy = settled(strategy)
    if isinstance(strategy, Adaptive):
        strategy = strategy.settings[0]
    plan = Plan(strategy)
    builder = _Builder(plan)
    tree, simulation = by_phase(strategy, in_tree=True), by_phase(strategy, in_tree=False)
    baseline = plan.capture_leaves[0]
    assert isinstance(baseline, Baseline)
    words, others = plan.words, plan.captures[1:]
    words["tree_policy"] = builder.uniform() if flat_root else builder.node(tree)
    node = plan.nodes[words["tree_policy"]]
    words["plain_tree"] = node["kind"] == w.UNIFORM or (node["kind"] == w.LEAF and node["capture"] == 0)
    words["simulation_policy"] = builder.uniform() if uniform_beyond_tree(simulation) else builder.node(simulation)
    if simultaneous:
        mixed = baseline.simultaneous or EXP3()
        if isinstance(mixed, OfTheTree):
            words["simultaneous_policy"] = words["tree_policy"]
        else:
            words["simultaneous_policy"] = builder.uniform() if flat_root else builder.leaf_node(0, mixed, str(mixed))
    words["capture_count"] = len(plan.captures)
    words["max_depth"] = max_depth
    filters = [filters_of(strategy, in_tree=in_tree) for in_tree in (True, False)]
    words["needs_moves"] = bool(others) or bool(filters[1]) or in_playouts(strategy, Suggested) is not None
    words["needs_steps"] = any(row["kind"] not in (w.KEEPS_ALL_MOVES, w.KEEPS_NOTHING) for row in others)
    words["needs_later"] = any(row["kind"] == w.KEEPS_ALL_MOVES for row in others)
    words["needs_episodes"] = any(leaf.capture.reads_episodes for leaf in plan.capture_leaves)
    words["one_context"] = has_one_context(plan)
    words["tree_filters"], words["simulation_filters"] = (len(found) for found in filters)
    words["lesson"] = words["lesson_numbers"] = 0
    for found in (*filters[0], *filters[1]):
        function = address(found.function, found.signature(FILTER))
        plan.filters.append({"function": function, "numbers": builder.put(found.parameters)})
        if found.lesson is not None:
            if words["lesson"]:
                raise StrategyError(f"{strategy} learns twice; weights of one kind are enough")
            words["lesson"] = address(found.lesson, LESSON)
            words["lesson_numbers"] = plan.filters[-1]["numbers"]
    uniform = plan.nodes[words["simulation_policy"]]["kind"] == w.UNIFORM
    suggested = in_playouts(strategy, Suggested)
    words["uniform"] = not others and uniform and not filters[1] and suggested is None
    words["statistic_count"] = len(plan.statistics)
    words["captures_learn"] = captures_learn(plan)
    builder.seam("leaf", baseline.leaf or (None if baseline.prior is None else baseline.prior.leaf), LEAF_RULE)
    builder.seam("prior", baseline.prior, PRIOR)
    words["prior_reads"] = 0 if baseline.prior is None else baseline.prior.reads
    backup = baseline.backup or baseline.reuse.backup
    plan.counts_change = backup is not None and backup.counts
    if plan.counts_change:
        for row in plan.nodes:
            row["untried_first"] = 0
    builder.seam("backup", backup, BACKUP)
    words["outcomes"] = baseline.outcomes is not None
    words["outcomes_numbers"] = 0 if baseline.outcomes is None else builder.put(baseline.outcomes.parameters)
    builder.put(())  # 0 stands for no map of rewards
    words["rewards_numbers"] = builder.put(rewards) if rewards else 0
    cutoff = in_playouts(strategy, Cutoff)
    words["cutoff"] = 0 if cutoff is None or math.isinf(cutoff.plies) else int(cutoff.plies) + 1
    words["suggests"] = suggested is not None
    words["suggests_numbers"] = builder.put((0.0 if suggested is None else suggested.p,))
    words["per_player"] = 0
    words["values_leaves"] = backup is not None and backup.values_leaves
    learned = "" if cutoff is None else cutoff.evaluation
    words["evaluation"] = address(evaluate_by_weights, EVALUATION) if learned else 0
    words["evaluation_numbers"] = builder.put(tuple(read_weights(learned).values.tolist())) if learned else 0
    if isinstance(simulation, Evaluator) and (cutoff is not None or suggested is not None):
        raise StrategyError(f"{simulation} says itself what a leaf is worth, so {cutoff or suggested} has nothing to do")
    builder.seam("evaluator", simulation if isinstance(simulation, Evaluator) else None, EVALUATOR)
    plainly = words["suggests"] == words["cutoff"] == words["evaluator"] == words["needs_steps"] == 0
    words["random_steps"] = uniform and not filters[1] and plainly
    return plan


def captures_learn(plan: Plan) -> bool:
    """Does a policy read statistics of records that captures keep, and not only of the baseline's?"""
    return any(row["kind"] == w.LEAF and row["capture"] and row["used_statistics"] for row in plan.nodes)


def has_one_context(plan: Plan) -> bool:
    """Has every capture one context in a step of a simulation, which leaves and mixtures of leaves read and write?"""
    read: list[int] = []

    def reads_contexts(node: int) -> bool:
        row = plan.nodes[node]
        if row["kind"] == w.LINEAR:
            terms = plan.children[row["first_child"] : row["first_child"] + row["child_count"]]
            return all(reads_contexts(term["node"]) for term in terms)
        if row["kind"] == w.LEAF:
            read.append(row["capture"])
        return row["kind"] in (w.LEAF, w.UNIFORM)

    kept = (w.KEEPS_RECORDS, w.KEEPS_REPLIES, w.KEEPS_REPLIES_FORGETS)
    numbers = [number for number, row in enumerate(plan.captures) if number and row["kind"] in kept]
    steps = {number: plan.capture_leaves[number].capture for number in numbers}
    return (
        bool(steps)
        and not captures_learn(plan)
        and reads_contexts(plan.words["simulation_policy"])
        and set(read) <= set(steps)
        and all(capture.write is None and capture.contexts is one_context and not capture.needs for capture in steps.values())
        and not any(plan.captures[number]["availability"] for number in steps)
    )


def filters_of(strategy: Strategy, *, in_tree: bool) -> list[Filter]:
    """What cuts down the legal actions in this phase, the outermost first."""
    around = wrappers_of(strategy, in_tree=in_tree)
    return [one.filter for one in around if isinstance(one, Considered) and not (in_tree and one.in_playouts_only)]


def wrappers_of(strategy: Strategy, *, in_tree: bool) -> list[Considered | InPlayouts]:
    """What stands around the strategy of this phase, the outermost first."""
    if isinstance(strategy, Sequential):
        return wrappers_of(strategy.tree if in_tree else strategy.simulation, in_tree=in_tree)
    if isinstance(strategy, Considered | InPlayouts):
        return [strategy, *wrappers_of(strategy.strategy, in_tree=in_tree)]
    for part in strategy.parts():
        if wrappers_of(part, in_tree=in_tree):
            raise StrategyError(f"{part} must stand around the whole of a phase, not inside of {strategy}")
    return []


def in_playouts(strategy: Strategy, kind: type[Wrapper]) -> Wrapper | None:
    """The wrapper of this kind around simulations, if there is one."""
    found = [one for one in wrappers_of(strategy, in_tree=False) if isinstance(one, kind)]
    if len(found) > 1:
        raise StrategyError(f"{strategy} has {kind.__name__} twice; one of them is enough")
    return found[0] if found else None


def by_phase(strategy: Strategy, *, in_tree: bool) -> Strategy:
    """The strategy with every ``>>`` replaced by the side that decides in this phase."""
    if isinstance(strategy, Considered | InPlayouts):
        return by_phase(strategy.strategy, in_tree=in_tree)
    if isinstance(strategy, Sequential):
        return by_phase(strategy.tree if in_tree else strategy.simulation, in_tree=in_tree)
    if isinstance(strategy, Linear):
        terms = [by_phase(term, in_tree=in_tree) for term in strategy.terms]
        return Linear(*terms, weight=strategy.weight, weights=strategy.weights or None)
    return strategy


def uniform_beyond_tree(strategy: Strategy) -> bool:
    """Beyond the tree the baseline and AMAF hold nothing, so a policy that reads nothing else sees equal actions."""
    if isinstance(strategy, Evaluator):
        return True
    if isinstance(strategy, Enhancement):
        amaf = strategy.capture.kind == w.KEEPS_ALL_MOVES and not strategy.capture.in_playouts
        return strategy.is_baseline or amaf or strategy.reuse.follows_baseline
    return not isinstance(strategy, Vote) and all(uniform_beyond_tree(part) for part in strategy.parts())


class _Builder:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.known: dict[tuple[Capture, float], int] = {}
        plan.captures.append({"kind": w.KEEPS_RECORDS, "availability": 1})
        plan.capture_names.append("Baseline")
        baseline = next(leaf for leaf in plan.strategy.enhancements() if leaf.is_baseline)
        plan.capture_leaves.append(baseline)
        # every component captures, whether or not it decides in some phase
        for leaf in plan.strategy.enhancements():
            self.capture(leaf)
        if len(plan.captures) > w.MAX_CAPTURES:
            raise StrategyError(f"a strategy can have at most {w.MAX_CAPTURES - 1} captures besides the baseline")

    def put(self, numbers: tuple[float, ...]) -> int:
        start = len(self.plan.numbers)
        self.plan.numbers.extend(float(number) for number in numbers or (0.0,))
        return start

    def put_of_player(self, numbers: tuple[float, ...]) -> int:
        """Numbers that the engine reads for the player who chooses."""
        start = self.put(numbers)
        self.plan.of_players.update(range(start, len(self.plan.numbers)))
        return start

    def seam(self, name: str, function: Function | None, general: Any) -> None:
        """One of the strategy's own functions in place of the engine's default."""
        self.plan.words[name] = 0 if function is None else address(function.function, function.signature(general))
        self.plan.words[f"{name}_numbers"] = 0 if function is None else self.put(function.parameters)

    def capture(self, leaf: Enhancement) -> int:
        """The row of a leaf's capture; leaves with equal captures share their records."""
        if leaf.is_baseline:
            return 0
        capture = leaf.capture
        key = (capture, leaf.keep)
        if key not in self.known:
            self.known[key] = len(self.plan.captures)
            signature = by_name(CONTEXT, tuple(name for name, _ in capture.parameters))
            self.plan.captures.append(
                {
                    "kind": capture.kind,
                    "scope": capture.scope,
                    "amaf_nodes": capture.amaf_nodes,
                    "read": address(capture.read, signature),
                    "write": address(capture.write or capture.read, signature),
                    "numbers": self.put(tuple(value for _, value in capture.parameters)),
                    "amaf_reference": self.put_of_player((capture.amaf_reference,)),
                    "amaf_first": self.put((capture.amaf_first,)),
                    "in_playouts": capture.in_playouts,
                    "killers": capture.killers,
                    "merge": capture.merge,
                    "facts_needed": "predicates" in capture.needs,
                    "availability": 0,
                }
            )
            self.plan.capture_names.append(str(leaf))
            self.plan.capture_leaves.append(leaf)
        number = self.known[key]
        if leaf.reuse.needs_availability:
            self.plan.captures[number]["availability"] = 1
        return number

    def add(self, name: str, **values: int) -> int:
        self.plan.nodes.append(values)
        self.plan.node_names.append(name)
        return len(self.plan.nodes) - 1

    def uniform(self) -> int:
        return self.add("uniform", kind=w.UNIFORM)

    def statistic(self, statistic: Statistic) -> int:
        """The place of a statistic in every record."""
        if statistic not in self.plan.statistics:
            self.plan.statistics.append(statistic)
            update = address(statistic.function, statistic.signature(STATISTIC))
            self.plan.statistic_rows.append({"update": update, "numbers": self.put(statistic.parameters)})
        return self.plan.statistics.index(statistic)

    def leaf_node(self, capture: int, policy: Policy, name: str) -> int:
        if isinstance(policy, Uniform):
            return self.uniform()
        if policy.function is None:
            raise StrategyError(f"{policy} has no function of its own; OfTheTree() goes with Baseline(simultaneous=...)")
        first = len(self.plan.statistic_uses)
        self.plan.statistic_uses.extend(self.statistic(statistic) for statistic in policy.statistics)
        return self.add(
            name,
            kind=w.LEAF,
            capture=capture,
            function=address(policy.function, policy.signature(POLICY)),
            shape=policy.shape,
            numbers=self.put_of_player(policy.parameters),
            first_statistic=first,
            used_statistics=len(policy.statistics),
            inlined=twin_of(policy),
            untried_first=tries_untried_first(policy),
        )

    def mixture_twin(self, strategy: Maxilinear) -> int:
        """RAVE's mixture has a twin where all of its parts have one."""
        amaf, baseline = strategy.first, strategy.second
        fits = (
            isinstance(strategy.weight, Weight)
            and twin_of(strategy.weight) == w.INLINED_RAVE_WEIGHT
            and isinstance(amaf, Enhancement)
            and amaf.capture.kind == w.KEEPS_ALL_MOVES
            and twin_of(amaf.reuse) in (w.INLINED_UCB1_SUM, w.INLINED_CADIA)
            and isinstance(baseline, Enhancement)
            and baseline.is_baseline
            and twin_of(baseline.reuse) == w.INLINED_UCB1
        )
        return w.INLINED_RAVE if fits else w.NOT_INLINED

    def node(self, strategy: Strategy) -> int:
        if isinstance(strategy, Enhancement):
            return self.leaf_node(self.capture(strategy), strategy.reuse, str(strategy))
        if isinstance(strategy, Linear):
            terms = [(self.node(term), self.share(strategy, i)) for i, term in enumerate(strategy.terms)]
            return self.operator(w.LINEAR, terms, str(strategy))
        if isinstance(strategy, Maxilinear):
            number = self.operator(w.MAXILINEAR, self.weighted_leaves(strategy, []), str(strategy))
            self.plan.nodes[number]["inlined"] = self.mixture_twin(strategy)
            return number
        if isinstance(strategy, Vote):
            return self.operator(w.VOTE, [(self.node(voter), []) for voter in strategy.voters], str(strategy))
        raise StrategyError(f"{strategy} cannot stand inside another combination")

    def share(self, linear: Linear, term: int) -> list[Row]:
        if linear.weight is not None:
            return [self.factor(linear.weight, complement=term == 1)]
        return [self.factor(linear.weights[term], complement=False)]

    def weighted_leaves(self, strategy: Strategy, factors: list[Row]) -> list[tuple[int, list[Row]]]:
        if not isinstance(strategy, Maxilinear):
            return [(self.node(strategy), factors)]
        first = self.factor(strategy.weight, complement=False)
        second = self.factor(strategy.weight, complement=True)
        return self.weighted_leaves(strategy.first, [*factors, first]) + self.weighted_leaves(strategy.second, [*factors, second])

    def factor(self, weight: Weight | float, *, complement: bool) -> Row:
        if isinstance(weight, Weight):
            function = address(weight.function, weight.signature(WEIGHT))
            return {"weight": function, "numbers": self.put_of_player(weight.parameters), "complement": complement}
        return {"weight": 0, "numbers": self.put_of_player((weight,)), "complement": complement}

    def operator(self, kind: int, terms: list[tuple[int, list[Row]]], name: str) -> int:
        first = len(self.plan.children)
        for child, factors in terms:
            row = {"node": child, "first_factor": len(self.plan.factors), "factor_count": len(factors)}
            self.plan.children.append(row)
            self.plan.factors.extend(factors)
        return self.add(name, kind=kind, first_child=first, child_count=len(terms))
