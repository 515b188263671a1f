"""Rules without variables: grounding a sheet with clingo.

The state and the moves are left open by choice rules: whatever is ``init`` or ``next`` may be ``true``, whatever is ``legal``
may be done. clingo then instantiates every rule that can ever apply, removes what always holds, and hands the ground rules over
one by one; neither ``base`` nor ``input`` is needed.

A rule with many variables has as many instances as its variables have values together.  So long bodies are split first: the
conditions around one variable become a relation of their own, in which the variable no longer appears (tree decomposition of rule
bodies, Bichler, Morak and Woltran 2016).  Skirmish has 167 thousand ground rules that way, and 3 million otherwise.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from icarus.errors import GameError, needing
from icarus.gdl.checks import Dependencies
from icarus.gdl.reader import Literal, Rule, Sheet, Term, Variable, variables_of

#: what a game is made of; everything else in a sheet matters only as far as these depend on it
OUTPUTS = ("role", "init", "next", "legal", "terminal", "goal", "sees")


class TooLarge(GameError):
    """A sheet that cannot be grounded within the limits."""


@dataclass(frozen=True)
class Limits:
    """How much building a network may take: seconds, bytes of memory, and ground rules."""

    seconds: float = 60.0
    rules: int = 6_000_000
    bytes: int = 2 << 30

    def covers(self, other: Limits) -> bool:
        """Is there nothing that the other limits would allow beyond these?"""
        return self.seconds >= other.seconds and self.rules >= other.rules and self.bytes >= other.bytes


@dataclass
class GroundRules:
    """Atoms are numbers above 0; a literal is an atom or its negative."""

    #: (head, body); nothing here has an empty body
    rules: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    #: atoms by what they say; an atom of 0 always holds
    true: dict[Term, int] = field(default_factory=dict)
    next: dict[Term, int] = field(default_factory=dict)
    init: set[Term] = field(default_factory=set)
    does: dict[tuple[str, Term], int] = field(default_factory=dict)
    legal: dict[tuple[str, Term], int] = field(default_factory=dict)
    goal: dict[tuple[str, Term], int] = field(default_factory=dict)
    sees: dict[tuple[str, Term], int] = field(default_factory=dict)
    terminal: int | None = None
    seconds: float = 0.0

    @property
    def links(self) -> int:
        return sum(len(body) for _, body in self.rules)


def ground(sheet: Sheet, limits: Limits | None = None) -> GroundRules:
    """The ground rules of a checked sheet."""
    begun = time.monotonic()
    result = _Translation(split_bodies(relevant_rules(sheet))).ground(begun, limits or Limits())
    result.seconds = time.monotonic() - begun
    return result


def relevant_rules(sheet: Sheet) -> list[Rule]:
    graph = Dependencies(sheet)
    needed = set(OUTPUTS).union(*(graph.below(relation) for relation in OUTPUTS))
    return [rule for rule in sheet.rules if rule.head.relation in needed]


# --- clingo ----------------------------------------------------------------------------------------------------------


class _Translation:
    """Rules as a logic program: constants are numbers, functions ``f1`` …, relations ``r1`` …"""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self.constants: dict[str, int] = {}
        self.functions: dict[str, int] = {}
        self.relations: dict[str, int] = {}

    def term(self, term: Term, names: dict[Variable, str]) -> str:
        if isinstance(term, Variable):
            return names.setdefault(term, f"V{len(names)}")
        if isinstance(term, tuple):
            number = self.functions.setdefault(term[0], len(self.functions))
            return f"f{number}({','.join(self.term(t, names) for t in term[1:])})"
        return str(self.constants.setdefault(term, len(self.constants)))

    def relation(self, name: str) -> str:
        return f"r{self.relations.setdefault(name, len(self.relations))}"

    def literal(self, literal: Literal, names: dict[Variable, str]) -> str:
        terms = [self.term(t, names) for t in literal.arguments]
        if literal.relation == "distinct":
            return f"{terms[0]}{'!=' if literal.positive else '='}{terms[1]}"
        text = self.relation(literal.relation) + (f"({','.join(terms)})" if terms else "")
        return text if literal.positive else f"not {text}"

    def program(self) -> str:
        lines = []
        for rule in self.rules:
            names: dict[Variable, str] = {}
            body = ",".join(self.literal(c, names) for c in rule.body)
            lines.append(f"{self.literal(rule.head, names)}{':-' if body else ''}{body}.")
        init, next_, true = self.relation("init"), self.relation("next"), self.relation("true")
        lines.append(f"{{{true}(X)}}:-{init}(X). {{{true}(X)}}:-{next_}(X).")
        lines.append(f"{{{self.relation('does')}(R,M)}}:-{self.relation('legal')}(R,M),{self.relation('role')}(R).")
        return "\n".join(lines)

    def ground(self, begun: float, limits: Limits) -> GroundRules:
        with needing("rule sheets", "lark", "clingo", extra="gdl"):
            import clingo

        result = GroundRules()
        observer: Any = _Observer(result, begun, limits)
        control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
        control.register_observer(observer)
        try:
            control.add("base", [], self.program())
            control.ground([("base", [])])
        except (RuntimeError, MemoryError, TooLarge) as problem:
            if isinstance(problem, MemoryError) or "bad_alloc" in str(problem):  # clingo's way of saying it
                raise MemoryError from None
            raise TooLarge(observer.problem or f"clingo cannot ground this sheet: {problem}") from None
        if observer.problem:
            raise TooLarge(observer.problem)
        self._name_atoms(control.symbolic_atoms, result)
        return result

    def _name_atoms(self, atoms: Any, result: GroundRules) -> None:
        constants, functions = list(self.constants), list(self.functions)

        def read(symbol: Any) -> Term:
            name = symbol.name if symbol.type.name == "Function" else ""
            return (functions[int(name[1:])], *(read(a) for a in symbol.arguments)) if name else constants[symbol.number]

        def each(relation: str, arity: int) -> Any:
            for atom in atoms.by_signature(self.relation(relation), arity):
                yield atom.symbol.arguments, 0 if atom.is_fact else atom.literal

        for relation in ("true", "next"):
            getattr(result, relation).update((read(arguments[0]), atom) for arguments, atom in each(relation, 1))
        result.init = {read(arguments[0]) for arguments, _ in each("init", 1)}
        roles = {rule.head.arguments[0] for rule in self.rules if rule.head.relation == "role"}
        for relation in ("does", "legal", "goal", "sees"):
            found = (((read(a[0]), read(a[1])), atom) for a, atom in each(relation, 2))
            # rules may derive moves for what is no role (a square's content, for example): nobody can make them
            getattr(result, relation).update((key, atom) for key, atom in found if key[0] in roles)
        for _, atom in each("terminal", 0):
            result.terminal = atom


class _Observer:
    """Collects the ground rules as clingo makes them."""

    def __init__(self, result: GroundRules, begun: float, limits: Limits) -> None:
        self.rules = result.rules
        self.deadline, self.limit = begun + limits.seconds, limits.rules
        self.problem = ""

    def rule(self, choice: bool, head: list[int], body: list[int]) -> None:
        if choice or not body or not head:
            return
        self.rules.append((head[0], tuple(body)))
        if len(self.rules) & 0xFFF == 0 or len(self.rules) > self.limit:
            if len(self.rules) > self.limit:
                self.problem = f"more than {self.limit} ground rules"
            elif time.monotonic() > self.deadline:
                self.problem = "grounding takes too long"
            if self.problem:
                raise TooLarge(self.problem)


# --- splitting -------------------------------------------------------------------------------------------------------


def split_bodies(rules: list[Rule]) -> list[Rule]:
    """The same rules with long bodies split, so that no part has more variables than it must."""
    result: list[Rule] = []
    known: dict[tuple[Any, ...], str] = {}
    for rule in rules:
        result.extend(_split(rule, known) if len(_all_variables(rule.body)) > 2 else [rule])
    return result


def _all_variables(body: tuple[Literal, ...]) -> set[Variable]:
    return {v for c in body for t in c.arguments for v in variables_of(t)}


def _in(literal: Literal) -> set[Variable]:
    return {v for t in literal.arguments for v in variables_of(t)}


def _binds(literal: Literal) -> bool:
    return literal.positive and literal.relation != "distinct"


def _split(rule: Rule, known: dict[tuple[Any, ...], str]) -> list[Rule]:
    """Take out one variable after another, the one with the fewest neighbours first."""
    body = rule.body
    parts: list[Rule] = []
    head = _in(rule.head)
    while True:
        inner = _all_variables(body) - head
        choices = []
        for variable in sorted(inner):
            around = tuple(c for c in body if variable in _in(c))
            bag = _all_variables(around)
            loose = bag - {v for c in around if _binds(c) for v in _in(c)}
            helpers: tuple[Literal, ...] = ()
            for c in body:  # a negated condition needs its other variables bound here too
                if loose and _binds(c) and c not in around and _in(c) & loose and _in(c) <= bag:
                    helpers += (c,)
                    loose -= _in(c)
            if not loose and len(bag) < len(_all_variables(body)):
                choices.append((len(bag), variable, around, helpers))
        if not choices:
            return [*parts, Rule(rule.head, body, rule.place)]
        _, variable, around, helpers = min(choices, key=lambda c: c[:2])
        rest = tuple(c for c in body if c not in around)
        outside = head.union(*(_in(c) for c in rest)) if rest else head
        shown = tuple(sorted(v for v in _all_variables(around) if v in outside))
        part, fresh = _part((*around, *helpers), shown, known, rule)
        if fresh is not None:
            parts.append(fresh)
        body = (*rest, part)


def _part(
    body: tuple[Literal, ...], shown: tuple[Variable, ...], known: dict[tuple[Any, ...], str], rule: Rule
) -> tuple[Literal, Rule | None]:
    """The condition that stands for a part of a body, and the rule that defines it unless an equal part has been seen."""
    names: dict[Variable, Variable] = {}

    def rename(term: Term) -> Term:
        if isinstance(term, Variable):
            return names.setdefault(term, Variable(f"?{len(names)}"))
        return (term[0], *(rename(t) for t in term[1:])) if isinstance(term, tuple) else term

    ordered = sorted(body, key=lambda c: (c.relation, c.positive))
    key = (
        tuple((c.relation, c.positive, tuple(rename(t) for t in c.arguments)) for c in ordered),
        tuple(rename(v) for v in shown),
    )
    fresh = key not in known
    relation = known.setdefault(key, f"part {len(known)}")
    condition = Literal(relation, shown, True, rule.place)
    return condition, Rule(condition, body, rule.place) if fresh else None
