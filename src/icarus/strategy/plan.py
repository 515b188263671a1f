"""From a strategy's objects to the rows of numbers that the loop reads (layout: engine/words.py)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from icarus.engine import words as w
from icarus.engine.calls import CONTEXT, REUSE, WEIGHT
from icarus.engine.native import address
from icarus.engine.world import World
from icarus.errors import StrategyError
from icarus.game import Game
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import Linear, Maxilinear, RaveWeight, Sequential, Vote, Weight, settled
from icarus.strategy.icarus import Capture, Enhancement, Policy, Strategy, one_context
from icarus.strategy.policy.cadia import Cadia
from icarus.strategy.policy.exp3 import EXP3
from icarus.strategy.policy.gibbs import Gibbs
from icarus.strategy.policy.last_good_reply import LastGoodReply
from icarus.strategy.policy.ucb1 import UCB1
from icarus.strategy.policy.ucb1_sum import UCB1Sum
from icarus.strategy.policy.uniform import Uniform

MOST_LOG_ROWS = 1 << 22


@dataclass
class Plan:
    """The tables of one strategy, and what they stand for."""

    strategy: Strategy
    captures: list[list[int]] = field(default_factory=list)
    nodes: list[list[int]] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    factors: list[list[int]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    policy: list[int] = field(default_factory=lambda: [0] * w.POLICY_WORDS)
    #: what each capture and each policy node is called, for reports
    capture_names: list[str] = field(default_factory=list)
    capture_leaves: list[Enhancement] = field(default_factory=list)
    node_names: list[str] = field(default_factory=list)
    importance: bool = False
    squares: bool = False

    def put_into(self, world: World) -> None:
        def words(rows: list[list[int]]) -> npt.NDArray[np.int64]:
            flat = [word for row in rows for word in row]
            return np.array(flat or [0], np.int64)

        world[w.CAPTURES], world[w.NODES] = words(self.captures), words(self.nodes)
        world[w.CHILDREN], world[w.FACTORS] = words(self.children), words(self.factors)
        world[w.NUMBERS] = np.array(self.numbers or [0.0], np.float64)
        world[w.POLICY] = np.array(self.policy, np.int64)

    def log_rows(self, game: Game) -> int:
        """How many updates one playout can ask for."""
        per_step = 1
        for row, leaf in zip(self.captures[1:], self.capture_leaves[1:], strict=True):
            per_step += leaf.capture.contexts(game) * (game.max_actions if row[w.AVAILABILITY] else 1)
        return min(game.max_plies * per_step, MOST_LOG_ROWS)

    @property
    def needs_moves(self) -> bool:
        return bool(self.policy[w.NEEDS_MOVES])

    @property
    def needs_path(self) -> bool:
        return bool(self.policy[w.NEEDS_PATH])

    @property
    def all_moves(self) -> list[int]:
        """The captures that learn from later moves."""
        return [number for number, row in enumerate(self.captures) if row[w.KIND] == w.KEEPS_ALL_MOVES]


def make_plan(strategy: Strategy, *, simultaneous: bool = False, max_depth: int = 2**31, flat_root: bool = False) -> Plan:
    """The tables for a strategy; ``flat_root`` chooses uniformly in the tree (flat Monte Carlo)."""
    strategy = settled(strategy)
    plan = Plan(strategy)
    builder = _Builder(plan)
    tree, simulation = by_phase(strategy, in_tree=True), by_phase(strategy, in_tree=False)
    plan.policy[w.TREE_POLICY] = builder.uniform() if flat_root else builder.node(tree)
    plan.policy[w.SIMULATION_POLICY] = builder.uniform() if uniform_beyond_tree(simulation) else builder.node(simulation)
    if simultaneous:
        plan.policy[w.SIMULTANEOUS_POLICY] = builder.uniform() if flat_root else builder.leaf_node(0, EXP3(), "EXP3")
    row = plan.nodes[plan.policy[w.TREE_POLICY]]
    if isinstance(tree, Baseline) and type(tree.reuse) is UCB1 and not flat_root:
        plan.policy[w.PLAIN], plan.policy[w.PLAIN_NUMBERS] = 1, row[w.REUSE_NUMBERS]
    plan.policy[w.CAPTURE_COUNT] = len(plan.captures)
    plan.policy[w.MAX_DEPTH] = max_depth
    others = plan.captures[1:]
    plan.policy[w.NEEDS_MOVES] = int(bool(others))
    plan.policy[w.NEEDS_STEPS] = int(any(row[w.KIND] not in (w.KEEPS_ALL_MOVES, w.KEEPS_NOTHING) for row in others))
    plan.policy[w.SIMPLE] = int(is_simple(plan))
    plan.policy[w.NEEDS_PATH] = int(any(row[w.KIND] == w.KEEPS_ALL_MOVES for row in others))
    return plan


def is_simple(plan: Plan) -> bool:
    """Are the steps of a simulation of the usual kind: one context for each capture, leaves and mixtures that read them?"""
    read: list[int] = []

    def reads_contexts(node: int) -> bool:
        row = plan.nodes[node]
        if row[w.NODE_KIND] == w.LINEAR:
            terms = plan.children[row[w.FIRST_CHILD] : row[w.FIRST_CHILD] + row[w.CHILD_COUNT]]
            return all(reads_contexts(term[w.CHILD]) for term in terms)
        if row[w.NODE_KIND] == w.LEAF:
            read.append(row[w.CAPTURE])
        return row[w.NODE_KIND] in (w.LEAF, w.UNIFORM)

    kept = (w.KEEPS_RECORDS, w.KEEPS_REPLIES, w.KEEPS_REPLIES_FORGETS)
    numbers = [number for number, row in enumerate(plan.captures) if number and row[w.KIND] in kept]
    steps = {number: plan.capture_leaves[number].capture for number in numbers}
    return (
        bool(steps)
        and not (plan.importance or plan.squares)
        and reads_contexts(plan.policy[w.SIMULATION_POLICY])
        and set(read) <= set(steps)
        and all(capture.write is None and capture.contexts is one_context and not capture.needs for capture in steps.values())
        and not any(plan.captures[number][w.AVAILABILITY] for number in steps)
    )


def by_phase(strategy: Strategy, *, in_tree: bool) -> Strategy:
    """The strategy with every ``>>`` replaced by the side that decides in this phase."""
    if isinstance(strategy, Sequential):
        return by_phase(strategy.tree if in_tree else strategy.simulation, in_tree=in_tree)
    if isinstance(strategy, Linear):
        terms = [by_phase(term, in_tree=in_tree) for term in strategy.terms]
        return Linear(*terms, weight=strategy.weight, weights=strategy.weights or None)
    return strategy


def uniform_beyond_tree(strategy: Strategy) -> bool:
    """Beyond the tree the baseline and AMAF hold nothing, so a policy that reads nothing else sees equal actions."""
    if isinstance(strategy, Enhancement):
        return strategy.is_baseline or strategy.capture.kind == w.KEEPS_ALL_MOVES or strategy.reuse.follows_baseline
    return not isinstance(strategy, Vote) and all(uniform_beyond_tree(part) for part in strategy.parts())


class _Builder:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.known: dict[tuple[Capture, float], int] = {}
        self.functions: list[object] = []
        plan.captures.append([0] * w.CAPTURE_COLUMNS)
        plan.capture_names.append("Baseline")
        self.availability = {0: True}
        baseline = next(leaf for leaf in plan.strategy.enhancements() if leaf.is_baseline)
        plan.capture_leaves.append(baseline)
        # every component captures, whether or not it decides in some phase
        for leaf in plan.strategy.enhancements():
            self.capture(leaf)
        if self.plan.strategy and len(plan.captures) > w.MAX_CAPTURES:
            raise StrategyError(f"a strategy can have at most {w.MAX_CAPTURES - 1} captures besides the baseline")

    def put(self, numbers: tuple[float, ...]) -> int:
        start = len(self.plan.numbers)
        self.plan.numbers.extend(numbers or (0.0,))
        return start

    def capture(self, leaf: Enhancement) -> int:
        """The row of a leaf's capture; leaves with equal captures share their records."""
        if leaf.is_baseline:
            return 0
        capture = leaf.capture
        key = (capture, leaf.keep)
        if key not in self.known:
            self.known[key] = len(self.plan.captures)
            row = [0] * w.CAPTURE_COLUMNS
            row[w.KIND], row[w.SCOPE], row[w.AMAF_NODES] = capture.kind, capture.scope, capture.amaf_nodes
            row[w.READ] = address(capture.read, CONTEXT)
            row[w.WRITE] = address(capture.write or capture.read, CONTEXT)
            row[w.PARAMETERS] = self.put(capture.parameters)
            row[w.AMAF_REFERENCE] = self.put((capture.amaf_reference,))
            row[w.MERGE], row[w.FACTS_NEEDED] = capture.merge, "predicates" in capture.needs
            self.plan.captures.append(row)
            self.plan.capture_names.append(str(leaf))
            self.plan.capture_leaves.append(leaf)
        number = self.known[key]
        if leaf.reuse.needs_availability:
            self.plan.captures[number][w.AVAILABILITY] = 1
        return number

    def add(self, name: str, **columns: int) -> int:
        row = [0] * w.NODE_COLUMNS
        for column, value in columns.items():
            row[getattr(w, column)] = value
        self.plan.nodes.append(row)
        self.plan.node_names.append(name)
        return len(self.plan.nodes) - 1

    def uniform(self) -> int:
        return self.add("uniform", NODE_KIND=w.UNIFORM)

    def leaf_node(self, capture: int, policy: Policy, name: str) -> int:
        self.plan.importance |= policy.extra == w.NEEDS_IMPORTANCE
        self.plan.squares |= policy.extra == w.NEEDS_SQUARES
        if isinstance(policy, Uniform):
            return self.uniform()
        return self.add(
            name,
            NODE_KIND=w.LEAF,
            CAPTURE=capture,
            REUSE=address(policy.function, REUSE),
            SHAPE=policy.shape,
            REUSE_NUMBERS=self.put(policy.parameters),
            EXTRA=policy.extra,
            QUICK=self.quick(policy),
        )

    def quick(self, policy: Policy) -> int:
        """Is this one of the policies that the loop itself knows?"""
        if type(policy) is UCB1Sum and policy.c > 0:  # (without exploration averages tie, to the last digit)
            return w.BY_SUMS
        if type(policy) is Gibbs and policy.tau >= 1:
            return w.BY_GIBBS
        if type(policy) is Cadia and policy.c > 0:
            return w.BY_CADIA
        return w.BY_REPLY if type(policy) is LastGoodReply else 0

    def quick_mixture(self, strategy: Maxilinear) -> int:
        """Is this RAVE's mixture, which the loop itself knows?"""
        amaf, baseline = strategy.first, strategy.second
        fits = (
            type(strategy.weight) is RaveWeight
            and isinstance(amaf, Enhancement)
            and amaf.capture.kind == w.KEEPS_ALL_MOVES
            and self.quick(amaf.reuse) in (w.BY_SUMS, w.BY_CADIA)
            and isinstance(baseline, Baseline)
            and type(baseline.reuse) is UCB1
            and baseline.reuse.c > 0
        )
        return w.MIXED if fits else 0

    def node(self, strategy: Strategy) -> int:
        if isinstance(strategy, Enhancement):
            return self.leaf_node(self.capture(strategy), strategy.reuse, str(strategy))
        if isinstance(strategy, Linear):
            terms = [(self.node(term), self.share(strategy, i)) for i, term in enumerate(strategy.terms)]
            return self.operator(w.LINEAR, terms, str(strategy))
        if isinstance(strategy, Maxilinear):
            number = self.operator(w.MAXILINEAR, self.weighted_leaves(strategy, []), str(strategy))
            self.plan.nodes[number][w.QUICK] = self.quick_mixture(strategy)
            return number
        if isinstance(strategy, Vote):
            return self.operator(w.VOTE, [(self.node(voter), []) for voter in strategy.voters], str(strategy))
        raise StrategyError(f"{strategy} cannot stand inside another combination")

    def share(self, linear: Linear, term: int) -> list[list[int]]:
        if linear.weight is not None:
            return [self.factor(linear.weight, complement=term == 1)]
        return [self.factor(linear.weights[term], complement=False)]

    def weighted_leaves(self, strategy: Strategy, factors: list[list[int]]) -> list[tuple[int, list[list[int]]]]:
        if not isinstance(strategy, Maxilinear):
            return [(self.node(strategy), factors)]
        first = self.factor(strategy.weight, complement=False)
        second = self.factor(strategy.weight, complement=True)
        return self.weighted_leaves(strategy.first, [*factors, first]) + self.weighted_leaves(strategy.second, [*factors, second])

    def factor(self, weight: Weight | float, *, complement: bool) -> list[int]:
        if isinstance(weight, Weight):
            return [address(weight.function, WEIGHT), self.put(weight.parameters), int(complement)]
        return [0, self.put((float(weight),)), int(complement)]

    def operator(self, kind: int, terms: list[tuple[int, list[list[int]]]], name: str) -> int:
        first = len(self.plan.children)
        for child, factors in terms:
            self.plan.children.append([child, len(self.plan.factors), len(factors)])
            self.plan.factors.extend(factors)
        return self.add(name, NODE_KIND=kind, FIRST_CHILD=first, CHILD_COUNT=len(terms))
