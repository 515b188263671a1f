"""Algorithm 1 of icarus-2014 with the combinations of its section 4.4.

One playout after the other: choose every action by the policy of the strategy, then hand the rewards to all records that the
capture functions name.  The engine's strategy objects are read as what they say (``A >> B``, ``(A + B) / 2``, RAVE, ...),
never run.

Random numbers are drawn as the engine does: none where there is one choice; one integer for a uniform choice among several; one
float for a draw by weights; one float for the component of a linear combination, and then what that component needs (in
simulations not if all components would choose uniformly).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from icarus.strategy import (
    AMAF,
    EPIC,
    GRAVE,
    HRAVE,
    LGR,
    LGR2,
    LGRF,
    LGRF2,
    MAST,
    NAST,
    PAST,
    RAVE,
    TOMAST,
    Baseline,
    Capture,
    Enhancement,
    Linear,
    Maxilinear,
    ProgressiveBias,
    ProgressiveHistory,
    ProgressiveUnpruning,
    RaveWeight,
    Sequential,
    Strategy,
    Vote,
)
from icarus.strategy import Heuristic as HeuristicOf
from icarus.strategy import Tiles as TilesOf
from tests.oracle import policies
from tests.oracle.history import EXPANSION, ROOT_VIEW, SELECTION, SIMULATION, Before, Context, History, Step
from tests.oracle.ismcts import distinct, largest, plus
from tests.oracle.policies import Knowledge, Values
from tests.oracle.randomness import Random
from tests.oracle.specifications import (
    Amaf,
    Base,
    Epic,
    Heuristic,
    Info,
    Mast,
    Nast,
    Past,
    Record,
    Replies,
    Specification,
    Tiles,
    TreeOnlyMast,
)
from tests.oracle.states import ENVIRONMENT, State

Published = RAVE | GRAVE | HRAVE | ProgressiveBias | ProgressiveHistory | ProgressiveUnpruning
NOBODY = (-1, 0.0)  #: no probability to speak of


class Algorithm1:
    """A search by Algorithm 1."""

    def __init__(
        self,
        root: State,
        observer: int,
        strategy: Strategy,
        rng: Random,
        *,
        model: str,
        before: Before | None = None,
        resample: bool = True,
        even: bool = False,
    ) -> None:
        self.root, self.observer, self.strategy, self.rng = root, observer, strategy, rng
        self.model, self.before, self.resample, self.even = model, before or Before(), resample, even
        self.players = root.game.players
        self.base = Base(self.players)
        self.iterations = 0
        self.reward = [0.0] * self.players
        #: theta of each capture, lazily initial
        self.theta: list[dict[Record, Info]] = [{}]
        self.replies: list[dict[Context, int | None]] = [{}]
        self.specifications: list[Specification | Replies] = [self.base]
        self.numbers: dict[tuple[Capture, float], int] = {}
        for leaf in strategy.enhancements():
            self.number_of(leaf)

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterate()

    def iterate(self) -> None:
        """Lines 6 to 17."""
        s = self.root.determinized(self.observer, self.rng) if self.resample else self.root
        h = History(s, self.before, self.observer, self.model)
        within_tree = True
        while not h.state.terminal:
            step = self.step(h, within_tree)
            h.steps.append(step)
            h.state = step.state.after(step.action)
            within_tree = within_tree and self.visits(h, len(h.steps)) > 0
        mu = h.state.rewards()
        # line 16 for all components (COMB-6) before line 17 changes anything
        captured: list[list[Any]] = [list(specification.captures(h)) for specification in self.specifications]
        for number, (specification, pairs) in enumerate(zip(self.specifications, captured, strict=True)):
            if isinstance(specification, Replies):
                for context, reply in pairs:
                    old = self.replies[number].get(context)
                    self.replies[number][context] = specification.updates(old, reply, mu)
            else:
                for record, psi in pairs:
                    self.theta[number][record] = specification.updates(self.information(number, record), psi, mu)
        self.iterations += 1
        self.reward = plus(self.reward, mu)

    # --- records -----------------------------------------------------------------------------------------------------

    def information(self, number: int, record: Record) -> Info:
        """theta(r)."""
        specification = self.specifications[number]
        assert isinstance(specification, Specification)
        return self.theta[number].get(record) or specification.initial()

    def record_of(self, h: History, i: int) -> Info:
        """theta^base of the first i actions."""
        if i == 0:
            return Info(tuple(self.reward), self.iterations, self.iterations)
        step = h.steps[i - 1]
        return self.information(0, (h.node(i - 1, step.player), step.choice))

    def visits(self, h: History, i: int) -> int:
        """theta_n^base; the root counts as visited by every iteration so far."""
        return self.record_of(h, i).n

    # --- one step ----------------------------------------------------------------------------------------------------

    def step(self, h: History, within_tree: bool) -> Step:
        s = h.state
        if s.player == ENVIRONMENT:
            return self.chance(h, within_tree)
        choices = s.legal
        if within_tree and h.model == ROOT_VIEW and s.player != self.observer:
            choices = distinct([h.root_view(s, a) for a in s.legal])
        phase = SIMULATION
        if within_tree:
            context = h.node(len(h.steps), s.player)
            visited = [self.information(0, (context, c)).n > 0 for c in choices]
            phase = SELECTION if all(visited) else EXPANSION
        self.odds = NOBODY
        if len(choices) == 1:
            choice = choices[0]
            if within_tree and s.simultaneous:
                self.odds = (0, 1.0)
        elif within_tree and s.simultaneous:
            choice = self.draw(h, policies.exp3, 0, choices, phase)
        else:
            choice = self.choose(h, self.strategy, choices, phase)
        action = choice
        if choices is not s.legal:
            action = self.rng.one_of([a for a in s.legal if h.root_view(s, a) == choice])
        return Step(s, action, phase, choices, choice, self.odds)

    def chance(self, h: History, within_tree: bool) -> Step:
        """The environment draws by its policy; in the tree it may visit its outcomes evenly instead."""
        s, phase = h.state, SELECTION if within_tree else SIMULATION
        if self.even and within_tree:
            context = h.node(len(h.steps), ENVIRONMENT)
            behind = {o: -self.information(0, (context, o)).n / p for o, p in zip(s.legal, s.chances(), strict=True)}
            outcome = self.rng.one_of(largest(behind))
            return Step(s, outcome, phase, s.legal, outcome, NOBODY)
        outcome = s.sample(self.rng)
        choice = h.root_view(s, outcome) if h.model == ROOT_VIEW else outcome
        return Step(s, outcome, phase, [choice], choice, NOBODY)

    def knowledge(self, h: History, number: int, choices: list[int], phase: str) -> Knowledge:
        """What a policy may know; beyond the tree the baseline knows nothing."""
        specification = self.specifications[number]
        assert isinstance(specification, Specification)
        nothing = self.base.initial()
        base, node = dict.fromkeys(choices, nothing), nothing
        if phase != SIMULATION:
            base = {c: self.base.reads(h, partial(self.information, 0), c) for c in choices}
            node = self.record_of(h, len(h.steps))
        if number == 0:
            own = base
        elif isinstance(specification, Amaf) and phase == SIMULATION:
            own = dict.fromkeys(choices, nothing)
        else:
            own = {c: specification.reads(h, partial(self.information, number), c) for c in choices}
        return Knowledge(own, base, node, h.state.player)

    # --- alpha -------------------------------------------------------------------------------------------------------

    def choose(self, h: History, strategy: Strategy, choices: list[int], phase: str) -> int:
        """alpha of a strategy."""
        if isinstance(strategy, Sequential):  # COMB-4
            return self.choose(h, strategy.simulation if phase == SIMULATION else strategy.tree, choices, phase)
        if phase == SIMULATION and blind(strategy):
            return self.rng.one_of(choices)
        if isinstance(strategy, Linear):  # COMB+-4
            return self.choose(h, self.component(h, strategy, phase), choices, phase)
        if isinstance(strategy, Vote):
            votes = dict.fromkeys(choices, 0.0)
            for voter in strategy.voters:
                votes[self.choose(h, voter, choices, phase)] += 1
            self.odds = NOBODY
            return self.rng.one_of(largest(votes))
        if isinstance(strategy, Maxilinear):
            return self.rng.one_of(largest(self.values(h, strategy, choices, phase)))
        assert isinstance(strategy, Enhancement)
        number = self.number_of(strategy)
        specification = self.specifications[number]
        if isinstance(specification, Replies):  # LGR-4
            reply = specification.reads(h, self.replies[number].get, choices)
            return self.rng.one_of(choices) if reply is None else reply
        policy, parameters = type(strategy.reuse).__name__, strategy.reuse.parameters
        if policy in policies.ARG_MAX:
            return self.rng.one_of(largest(self.values(h, strategy, choices, phase)))
        return self.draw(h, partial(spread(policies.DISTRIBUTION[policy]), parameters), number, choices, phase)

    def draw(self, h: History, policy: Callable[[Knowledge], Values], number: int, choices: list[int], phase: str) -> int:
        weights = policy(self.knowledge(h, number, choices, phase))
        if not weights:
            self.odds = (number, 1 / len(choices))
            return self.rng.one_of(choices)
        i = self.rng.by_weight(list(weights.values()))
        chosen = list(weights)[i]
        self.odds = (number, weights[chosen] / sum(weights.values()))
        return chosen

    def component(self, h: History, linear: Linear, phase: str) -> Strategy:
        """Which term of a linear combination decides; a sum within a sum is one sum."""
        terms = self.terms(h, linear, phase)
        mark = self.rng.unit()
        for strategy, weight in terms[:-1]:
            mark -= weight
            if mark < 0:
                return strategy
        return terms[-1][0]

    def terms(self, h: History, linear: Linear, phase: str) -> list[tuple[Strategy, float]]:
        if linear.weight is not None:
            weight = self.weight(h, linear.weight, phase)
            return [(linear.terms[0], weight), (linear.terms[1], 1 - weight)]
        flat: list[tuple[Strategy, float]] = []
        for term, weight in zip(linear.terms, linear.weights, strict=True):
            while isinstance(term, Sequential):
                term = term.simulation if phase == SIMULATION else term.tree
            if isinstance(term, Linear) and term.weight is None:
                flat += [(inner, weight * share) for inner, share in self.terms(h, term, phase)]
            else:
                flat.append((term, weight))
        return flat

    def weight(self, h: History, weight: object, phase: str) -> float:
        """lambda(theta^base([h]))."""
        if isinstance(weight, RaveWeight):  # equation 15
            n = 0 if phase == SIMULATION else self.visits(h, len(h.steps))
            return math.sqrt(weight.k / (3 * n + weight.k))
        assert isinstance(weight, int | float)
        return weight

    def values(self, h: History, strategy: Strategy, choices: list[int], phase: str) -> Values:
        """v of equation 13: one value for each choice; of a maxilinear combination the weighted sum (0 times infinity is 0)."""
        if isinstance(strategy, Published):
            return self.published(h, strategy, choices, phase)
        if isinstance(strategy, Maxilinear):
            weight = self.weight(h, strategy.weight, phase)
            total = dict.fromkeys(choices, 0.0)
            for share, part in ((weight, strategy.first), (1 - weight, strategy.second)):
                if share != 0:
                    for c, value in self.values(h, part, choices, phase).items():
                        total[c] += share * value
            return total
        assert isinstance(strategy, Enhancement)
        number = self.number_of(strategy)
        specification = self.specifications[number]
        if isinstance(specification, Replies):
            reply = specification.reads(h, self.replies[number].get, choices)
            return {c: 1.0 if c == reply else 0.0 for c in choices}
        policy = policies.ARG_MAX[type(strategy.reuse).__name__]
        return policy(self.knowledge(h, number, choices, phase), *strategy.reuse.parameters)

    def published(self, h: History, strategy: Published, choices: list[int], phase: str) -> Values:
        """The combinations that have a name, by their published formulas."""
        first = strategy.first
        assert isinstance(first, Enhancement)
        own = self.knowledge(h, self.number_of(first), choices, phase)
        base = Knowledge(own.base, own.base, own.node, own.player)
        ucb1 = policies.ucb1(base, strategy.c)
        if isinstance(strategy, ProgressiveBias):
            return {c: ucb1[c] + bias for c, bias in policies.bias(own, strategy.w).items()}
        if isinstance(strategy, ProgressiveHistory):
            return {c: ucb1[c] + bias for c, bias in policies.history_bias(own, strategy.w).items()}
        if isinstance(strategy, ProgressiveUnpruning):
            return policies.unpruning(own, strategy.c, strategy.initial, strategy.a, strategy.b)
        weight = self.weight(h, RaveWeight(strategy.k), phase)
        if strategy.formula == "maxilinear":  # equation 14 of icarus-2014
            amaf = policies.ucb1_sum(own, strategy.c)
            return {c: weight * amaf[c] + ((1 - weight) * ucb1[c] if weight < 1 else 0.0) for c in choices}
        values = {}  # equation 2 of rave-variants-2016
        for c in choices:
            info, all_moves = base.own[c], own.own[c]
            if info.n == 0:
                values[c] = math.inf
                continue
            q = info.q[own.player] / info.n
            average = all_moves.q[own.player] / all_moves.n if all_moves.n > 0 else q
            values[c] = (1 - weight) * q + weight * average + strategy.c * math.sqrt(math.log(info.m) / info.n)
        return values

    # --- from the engine's names to specifications -------------------------------------------------------------------

    def number_of(self, leaf: Enhancement) -> int:
        """The number of a leaf's capture; equal captures hold the same, so they are one."""
        if isinstance(leaf, Baseline):
            return 0
        key = (leaf.capture, leaf.keep)
        if key not in self.numbers:
            self.numbers[key] = len(self.specifications)
            self.specifications.append(self.specify(leaf, self.numbers[key]))
            self.theta.append({})
            self.replies.append({})
        specification = self.specifications[self.numbers[key]]
        if isinstance(specification, Specification):
            specification.available |= type(leaf.reuse).__name__ in ("UCB1", "UCB1Tuned")
        return self.numbers[key]

    def specify(self, leaf: Enhancement, number: int) -> Specification | Replies:
        plain = {MAST: Mast, TOMAST: TreeOnlyMast, PAST: Past, TilesOf: Tiles, EPIC: Epic, HeuristicOf: Heuristic}
        if type(leaf) in plain:
            return plain[type(leaf)](number, self.players, False)
        if isinstance(leaf, NAST):
            return Nast(number, self.players, False, leaf.n)
        if isinstance(leaf, AMAF):
            return Amaf(number, self.players, leaf.ref, leaf.every_node, self.visits)
        assert isinstance(leaf, LGR | LGR2)
        return Replies(number, isinstance(leaf, LGRF | LGRF2), (2, 1) if isinstance(leaf, LGR2) else (1,))


def blind(strategy: Strategy) -> bool:
    """Beyond the tree the baseline and AMAF hold nothing: what reads nothing else is uniform there, however it is mixed."""
    if isinstance(strategy, Sequential):
        return blind(strategy.simulation)
    if isinstance(strategy, Enhancement):
        return isinstance(strategy, Baseline | AMAF) or type(strategy.reuse).__name__ in policies.FOLLOW_BASELINE
    return not isinstance(strategy, Vote) and all(blind(part) for part in strategy.parts())


def spread(function: Callable[..., Values]) -> Callable[[tuple[float, ...], Knowledge], Values]:
    return lambda parameters, knowledge: function(knowledge, *parameters)
