"""Rules over constants alone: compound terms are taken apart, and a relation becomes one for every shape of its arguments.

``(true (cell ?x ?y b))`` becomes ``true cell(?x, ?y, b)``, and a rule with ``(true ?f)`` one rule for every kind of fluent.
Which shapes there are is found out as facts are derived, only with shapes in place of terms.  What is left are relations
between constants, as a database has them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from icarus.gdl.ground import TooLarge, relevant_rules
from icarus.gdl.reader import Literal, Rule, Sheet, Term, Variable

#: None for a constant, else a function and the shapes of its arguments
Shape = None | tuple  # type: ignore[type-arg]
Shapes = tuple[Shape, ...]
#: terms inside each other, and shapes of one relation, beyond which a sheet is not flat
MAX_DEPTH, MAX_SHAPES = 8, 2000
#: where the state and the moves come from
SOURCES = {"true": ("init", "next"), "does": ("legal",)}


@dataclass
class FlatRules:
    """Rules whose arguments are constants and variables, and what their relations were before."""

    rules: list[Rule]
    #: name of a flat relation -> the relation of the sheet, and the shapes of its arguments
    origin: dict[str, tuple[str, Shapes]] = field(default_factory=dict)

    def named(self, relation: str) -> list[str]:
        """The flat relations that a relation of the sheet has become."""
        return [name for name, (before, _) in self.origin.items() if before == relation]


def flatten(sheet: Sheet) -> FlatRules:
    """The flat rules of a checked sheet."""
    return _Flattening(relevant_rules(sheet)).result()


class _Flattening:
    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self.known: dict[str, dict[Shapes, None]] = defaultdict(dict)
        self.origin: dict[str, tuple[str, Shapes]] = {}
        self.find_shapes()

    # --- which shapes there are ----------------------------------------------------------------------------------------

    def find_shapes(self) -> None:
        derived = []
        for rule in self.rules:
            if rule.body:
                derived.append(rule)
            else:
                self.add(rule.head.relation, tuple(shape_of(term, {}) for term in rule.head.arguments))
        grown = True
        while grown:
            grown = False
            for rule in derived:
                for found in list(self.assignments(rule)):
                    grown |= self.add(rule.head.relation, tuple(shape_of(term, found) for term in rule.head.arguments))

    def add(self, relation: str, shapes: Shapes) -> bool:
        known = self.known[relation]
        if shapes in known:
            return False
        if any(depth(shape) > MAX_DEPTH for shape in shapes) or len(known) >= MAX_SHAPES:
            raise TooLarge(f"the terms of {relation!r} have too many shapes")
        known[shapes] = None
        return True

    def shapes_of(self, relation: str) -> list[Shapes]:
        return [shapes for source in SOURCES.get(relation, (relation,)) for shapes in self.known[source]]

    def assignments(self, rule: Rule) -> Iterator[dict[Variable, Shape]]:
        """The shapes that the variables of a rule can have together."""
        conditions = [c for c in rule.body if c.positive and c.relation != "distinct"]
        # what has the fewest shapes first
        conditions.sort(key=lambda c: len(self.shapes_of(c.relation)))
        found: list[dict[Variable, Shape]] = [{}]
        for condition in conditions:
            seen: dict[tuple[tuple[Variable, Shape], ...], dict[Variable, Shape]] = {}
            options = list(dict.fromkeys(self.shapes_of(condition.relation)))
            for before, shapes in product(found, options):
                extended = dict(before)
                if all(fits(term, shape, extended) for term, shape in zip(condition.arguments, shapes, strict=True)):
                    seen[tuple(sorted(extended.items(), key=lambda item: str(item[0])))] = extended
            found = list(seen.values())
            if len(found) > MAX_SHAPES:
                raise TooLarge(f"the terms of {condition.relation!r} have too many shapes")
        yield from found

    # --- rules ---------------------------------------------------------------------------------------------------------

    def result(self) -> FlatRules:
        rules: list[Rule] = []
        for rule in self.rules:
            for found in self.assignments(rule) if rule.body else [{}]:
                rules.extend(self.instances(rule, found))
        for relation in SOURCES:
            for shapes in self.shapes_of(relation):
                self.name(relation, shapes)
        return FlatRules(rules, self.origin)

    def instances(self, rule: Rule, shapes: dict[Variable, Shape]) -> Iterator[Rule]:
        bodies: list[list[Literal]] = [[]]
        for condition in rule.body:
            options = self.options(condition, shapes)
            bodies = [[*body, *option] for body in bodies for option in options]
        head = self.literal(rule.head, shapes)
        for body in bodies:
            yield Rule(head, tuple(dict.fromkeys(body)), rule.place)

    def options(self, condition: Literal, shapes: dict[Variable, Shape]) -> list[list[Literal]]:
        """A condition as alternatives of conditions; no alternative: it never holds."""
        if condition.relation == "distinct":
            left, right = condition.arguments
            if shape_of(left, shapes) != shape_of(right, shapes):
                return [[]] if condition.positive else []
            # the constants of one term, then those of the other: terms are distinct if any of these are
            return [[replace(condition, arguments=(*leaves(left, shapes), *leaves(right, shapes)))]]
        if not condition.positive:
            wanted = tuple(shape_of(term, shapes) for term in condition.arguments)
            if wanted not in self.shapes_of(condition.relation):
                return [[]]
        return [[self.literal(condition, shapes)]]

    def literal(self, literal: Literal, shapes: dict[Variable, Shape]) -> Literal:
        name = self.name(literal.relation, tuple(shape_of(term, shapes) for term in literal.arguments))
        arguments = tuple(leaf for term in literal.arguments for leaf in leaves(term, shapes))
        return replace(literal, relation=name, arguments=arguments)

    def name(self, relation: str, shapes: Shapes) -> str:
        plain = all(shape is None for shape in shapes)
        name = relation if plain else f"{relation} {' '.join(map(describe, shapes))}"
        self.origin[name] = (relation, shapes)
        return name


def depth(shape: Shape) -> int:
    return 0 if shape is None else 1 + max(map(depth, shape[1:]), default=0)


def describe(shape: Shape) -> str:
    return "_" if shape is None else f"({shape[0]} {' '.join(map(describe, shape[1:]))})"


def shape_of(term: Term, shapes: dict[Variable, Shape]) -> Shape:
    if isinstance(term, Variable):
        return shapes[term]
    return (term[0], *(shape_of(t, shapes) for t in term[1:])) if isinstance(term, tuple) else None


def fits(term: Term, shape: Shape, shapes: dict[Variable, Shape]) -> bool:
    """Can the term have the shape?  Notes what its variables are then."""
    if isinstance(term, Variable):
        return bool(shapes.setdefault(term, shape) == shape)
    if not isinstance(term, tuple):
        return shape is None
    return (
        shape is not None
        and term[0] == shape[0]
        and len(term) == len(shape)
        and all(fits(t, s, shapes) for t, s in zip(term[1:], shape[1:], strict=True))
    )


def leaves(term: Term, shapes: dict[Variable, Shape]) -> Iterator[Term]:
    """The constants and variables of a term from left to right; a variable for a compound term becomes one for each of its
    places."""
    if isinstance(term, Variable):
        yield from parts_of(term, shapes[term])
    elif isinstance(term, tuple):
        for t in term[1:]:
            yield from leaves(t, shapes)
    else:
        yield term


def parts_of(variable: Variable, shape: Shape) -> Iterator[Variable]:
    if shape is None:
        yield variable
    else:
        for number, inner in enumerate(shape[1:]):
            yield from parts_of(Variable(f"{variable}.{number}"), inner)


def rebuild(shape: Shape, constants: Iterator[str]) -> Term:
    """The term of a shape with these constants from left to right."""
    return next(constants) if shape is None else (shape[0], *(rebuild(inner, constants) for inner in shape[1:]))
