"""The rules taken literally: facts are derived bottom-up until nothing new follows.

Slow and obvious.  It is what the network is tested against, and what plays a sheet that is too large to ground.  Rules are
evaluated knot by knot in the order of their dependencies (negation is stratified, so what is negated is complete by then), a
recursive knot by the semi-naive method: a rule fires again only for facts that are new since it fired last.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from icarus.gdl.checks import Dependencies, check_sheet, is_goal, pattern_of
from icarus.gdl.reader import Literal, Rule, Sheet, Term, Variable, variables_of

#: what holds in a state, as terms
Fluents = frozenset[Term]
Binding = dict[Variable, Term]

#: which conditions make a rule depend on the state and the moves
STATE, MOVES = {"true"}, {"does"}


class Reasoner:
    """Legal moves, next states, ends and goals of a checked sheet."""

    def __init__(self, sheet: Sheet) -> None:
        check_sheet(sheet)
        self.sheet = sheet
        self.roles = sheet.roles
        graph = Dependencies(sheet)
        on_moves = {r for r in graph.uses if "does" in graph.below(r)} | {"next", "sees", "does"}
        on_state = ({r for r in graph.uses if "true" in graph.below(r)} | {"true"}) - on_moves
        rules: dict[bool | None, list[Rule]] = {None: [], False: [], True: []}
        for rule in sheet.rules:
            layer = True if rule.head.relation in on_moves else False if rule.head.relation in on_state else None
            rules[layer].append(rule)
        self._of_state = Layer(rules[False], graph)
        self._of_moves = Layer(rules[True], graph)
        self._fixed = Facts()
        Layer(rules[None], graph).complete(self._fixed)
        self._seen: tuple[Fluents, Facts] | None = None

    def initial(self) -> Fluents:
        return frozenset(fact[0] for fact in self._fixed.all("init"))

    def _state(self, state: Fluents) -> Facts:
        if self._seen is None or self._seen[0] != state:
            facts = Facts(self._fixed)
            facts.put("true", ((fluent,) for fluent in state))
            self._of_state.complete(facts)
            self._seen = state, facts
        return self._seen[1]

    def terminal(self, state: Fluents) -> bool:
        return bool(self._state(state).all("terminal"))

    def legal(self, state: Fluents, role: str) -> list[Term]:
        return [move for who, move in self._state(state).all("legal") if who == role]

    def goals(self, state: Fluents, role: str) -> list[int]:
        """All goal values of a role; a sound sheet has exactly one."""
        return sorted(int(value) for who, value in self._state(state).all("goal") if who == role and is_goal(value))

    def next(self, state: Fluents, moves: Mapping[str, Term]) -> Fluents:
        return frozenset(fact[0] for fact in self._after(state, moves).all("next"))

    def sees(self, state: Fluents, moves: Mapping[str, Term], role: str) -> frozenset[Term]:
        """What a role perceives of a joint move (GDL-II)."""
        return frozenset(percept for who, percept in self._after(state, moves).all("sees") if who == role)

    def _after(self, state: Fluents, moves: Mapping[str, Term]) -> Facts:
        facts = Facts(self._state(state))
        facts.put("does", moves.items())
        self._of_moves.complete(facts)
        return facts


# --- facts -----------------------------------------------------------------------------------------------------------


class Facts:
    """Facts by relation, with an index for every combination of arguments that a rule asks for; ``below``: the fixed ones."""

    def __init__(self, below: Facts | None = None) -> None:
        self.below = below
        self.sets: dict[str, set[tuple[Term, ...]]] = {}
        self.indexes: dict[tuple[str, tuple[int, ...]], dict[tuple[Term, ...], list[tuple[Term, ...]]]] = {}
        self.asked: dict[str, list[tuple[int, ...]]] = defaultdict(list)

    def all(self, relation: str) -> set[tuple[Term, ...]]:
        if relation in self.sets:
            return self.sets[relation]
        return self.below.all(relation) if self.below is not None else set()

    def put(self, relation: str, facts: Iterable[tuple[Term, ...]]) -> None:
        self.sets[relation] = set(facts)

    def add(self, relation: str, fact: tuple[Term, ...]) -> bool:
        """Add a fact; was it new?"""
        known = self.sets.setdefault(relation, set())
        if fact in known:
            return False
        known.add(fact)
        for positions in self.asked.get(relation, ()):
            self.indexes[relation, positions].setdefault(tuple(fact[p] for p in positions), []).append(fact)
        return True

    def matching(self, relation: str, positions: tuple[int, ...], key: tuple[Term, ...]) -> list[tuple[Term, ...]]:
        """The facts with these arguments at these positions."""
        if relation not in self.sets:
            return self.below.matching(relation, positions, key) if self.below is not None else []
        index = self.indexes.get((relation, positions))
        if index is None:
            index = self.indexes[relation, positions] = {}
            for fact in self.sets[relation]:
                index.setdefault(tuple(fact[p] for p in positions), []).append(fact)
            self.asked[relation].append(positions)
        return index.get(key, [])


# --- rules -----------------------------------------------------------------------------------------------------------


class Layer:
    """Rules that are completed together: the fixed ones once, those on the state for every state, those on the moves for every
    step."""

    def __init__(self, rules: list[Rule], graph: Dependencies) -> None:
        self.facts = [rule for rule in rules if not rule.body]
        self.relations = {rule.head.relation for rule in rules}
        by_knot: dict[int, list[Rule]] = defaultdict(list)
        for rule in rules:
            if rule.body:
                by_knot[graph.knot[pattern_of(rule.head)]].append(rule)
        #: for every knot its rules: (rule, conditions in order, is the first one the recursive one?)
        self.knots: list[tuple[list[Plan], list[Plan]]] = []
        for _, members in sorted(by_knot.items()):
            once: list[Plan] = []
            again: list[Plan] = []
            for rule in members:
                recursive = [c for c in rule.body if c.positive and c.relation != "distinct" and graph.recursive(rule, c)]
                (again if recursive else once).extend([Plan(rule, c) for c in recursive] or [Plan(rule, None)])
            self.knots.append((once, again))

    def complete(self, facts: Facts) -> None:
        """Add everything that follows."""
        for relation in self.relations:
            facts.put(relation, ())
        for rule in self.facts:
            facts.add(rule.head.relation, rule.head.arguments)
        for once, again in self.knots:
            for plan in once:
                for fact in list(plan.fire(facts, None)):
                    facts.add(plan.relation, fact)
            # a recursion starts from everything that is known, whichever rule or knot it came from
            new = {plan.trigger.relation: list(facts.all(plan.trigger.relation)) for plan in again if plan.trigger is not None}
            while new:
                newer: dict[str, list[tuple[Term, ...]]] = defaultdict(list)
                for plan in again:
                    assert plan.trigger is not None
                    for start in new.get(plan.trigger.relation, ()):
                        for fact in list(plan.fire(facts, start)):
                            if facts.add(plan.relation, fact):
                                newer[plan.relation].append(fact)
                new = newer


class Plan:
    """A rule with its conditions in the order in which they are best looked up; ``trigger`` comes first and is given a new
    fact."""

    def __init__(self, rule: Rule, trigger: Literal | None) -> None:
        self.relation, self.head, self.trigger = rule.head.relation, rule.head.arguments, trigger
        self.rest = [c for c in rule.body if c is not trigger]
        self.steps: list[tuple[Literal, tuple[int, ...]]] | None = None

    def order(self, facts: Facts) -> list[tuple[Literal, tuple[int, ...]]]:
        """The conditions, each with its arguments that are known by then; next is always the one with the fewest matches to
        expect."""
        rest, steps = list(self.rest), []
        bound = set() if self.trigger is None else {v for t in self.trigger.arguments for v in variables_of(t)}

        def matches(condition: Literal) -> float:
            free = sum(any(v not in bound for v in variables_of(t)) for t in condition.arguments)
            if not condition.positive or condition.relation == "distinct":
                return float("inf") if free else 0.0
            return math.pow(max(len(facts.all(condition.relation)), 1), free / max(len(condition.arguments), 1))

        while rest:
            best = min(rest, key=matches)
            rest.remove(best)
            steps.append((best, tuple(i for i, t in enumerate(best.arguments) if all(v in bound for v in variables_of(t)))))
            bound.update(v for t in best.arguments for v in variables_of(t))
        return steps

    def fire(self, facts: Facts, start: tuple[Term, ...] | None) -> Iterator[tuple[Term, ...]]:
        """The head for every way to satisfy the conditions."""
        if self.steps is None:
            self.steps = self.order(facts)
        if start is None or self.trigger is None:
            yield from self._satisfy(facts, 0, {})
            return
        binding = match_all(self.trigger.arguments, start, {})
        if binding is not None:
            yield from self._satisfy(facts, 0, binding)

    def _satisfy(self, facts: Facts, step: int, binding: Binding) -> Iterator[tuple[Term, ...]]:
        assert self.steps is not None
        if step == len(self.steps):
            yield tuple(fill(term, binding) for term in self.head)
            return
        condition, known = self.steps[step]
        if condition.relation == "distinct":
            left, right = (fill(term, binding) for term in condition.arguments)
            if (left != right) == condition.positive:
                yield from self._satisfy(facts, step + 1, binding)
        elif not condition.positive:
            if tuple(fill(term, binding) for term in condition.arguments) not in facts.all(condition.relation):
                yield from self._satisfy(facts, step + 1, binding)
        else:
            key = tuple(fill(condition.arguments[i], binding) for i in known)
            for fact in list(facts.matching(condition.relation, known, key)):
                extended = match_all(condition.arguments, fact, binding)
                if extended is not None:
                    yield from self._satisfy(facts, step + 1, extended)


def match_all(patterns: tuple[Term, ...], terms: tuple[Term, ...], binding: Binding) -> Binding | None:
    """The binding under which the patterns are the terms, or None."""
    extended = dict(binding)
    return extended if all(match(p, t, extended) for p, t in zip(patterns, terms, strict=True)) else None


def match(pattern: Term, term: Term, binding: Binding) -> bool:
    if isinstance(pattern, Variable):
        return bool(binding.setdefault(pattern, term) == term)
    if isinstance(pattern, tuple):
        return (
            isinstance(term, tuple)
            and len(term) == len(pattern)
            and all(match(p, t, binding) for p, t in zip(pattern, term, strict=True))
        )
    return bool(pattern == term)


def fill(pattern: Term, binding: Binding) -> Term:
    """A pattern with its variables replaced."""
    if isinstance(pattern, Variable):
        return binding[pattern]
    if isinstance(pattern, tuple):
        return (pattern[0], *(fill(p, binding) for p in pattern[1:]))
    return pattern
