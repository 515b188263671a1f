"""What is wrong with a rule sheet, and where: the restrictions of the GDL specification, checked before anything is built.

:func:`check_sheet` raises a :class:`~icarus.gdl.reader.SheetError` (``file:line:column: what is wrong``) for the first error
in the order of the sheet and returns warnings, which do not keep a sheet from being played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from icarus.gdl.reader import Literal, Place, Rule, Sheet, Variable, format_term, variables_of

#: relations with a meaning of their own, and how many arguments they take
KEYWORDS = {
    "role": 1, "init": 1, "true": 1, "does": 2, "legal": 2, "next": 1,
    "terminal": 0, "goal": 2, "distinct": 2, "base": 1, "input": 2, "sees": 2,
}  # fmt: skip
#: what a sheet may not define, and why
NEVER_HEADS = {"true": "the state", "does": "the players' moves", "distinct": "inequality"}
#: relations that may not depend on others: the state and the moves come from outside
MAY_NOT_USE = {
    "role": ("true", "does", "next", "legal"),
    "init": ("true", "does", "next", "legal", "goal", "terminal"),
    "base": ("true", "does", "next"),
    "input": ("true", "does", "next"),
    "legal": ("does",),
    "goal": ("does",),
    "terminal": ("does",),
}


def check_sheet(sheet: Sheet) -> list[str]:
    """Raise for the first error; returns warnings, each ``file:line:column: ...``."""
    errors: list[tuple[Place, str]] = []
    for check in (check_arities, check_heads, check_roles, check_safety, check_goals):
        errors.extend(check(sheet))
    if not errors:
        graph = Dependencies(sheet)
        for deep_check in (check_negation, check_recursion, check_uses):
            errors.extend(deep_check(sheet, graph))
    if errors:
        raise sheet.error(*min(errors, key=lambda e: e[0]))
    for relation, purpose in (
        ("role", "who plays"),
        ("legal", "what a role may do"),
        ("terminal", "when it is over"),
        ("goal", "who wins"),
    ):
        if not any(rule.head.relation == relation for rule in sheet.rules):
            raise sheet.error(Place(1, 1), f"the sheet has no {relation!r}: it must say {purpose}")
    for place, role in role_places(sheet).items():
        if not any(concerns(rule, "legal", role) for rule in sheet.rules):
            raise sheet.error(place, f"nothing is ever legal for the role {role!r}")
    warnings = [*undefined_relations(sheet), *unknown_roles(sheet), *impossible_fluents(sheet), *doubtful_goals(sheet)]
    return [f"{sheet.file}:{place.line}:{place.column}: warning: {text}" for place, text in sorted(warnings)]


# --- one rule at a time ----------------------------------------------------------------------------------------------


def literals(sheet: Sheet) -> Iterable[Literal]:
    for rule in sheet.rules:
        yield rule.head
        yield from rule.body


def check_arities(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """A relation takes the same number of arguments everywhere."""
    first: dict[str, Literal] = {}
    for literal in literals(sheet):
        got = len(literal.arguments)
        if literal.relation in KEYWORDS:
            if got != KEYWORDS[literal.relation]:
                yield literal.place, f"{literal.relation!r} takes {arguments(KEYWORDS[literal.relation])}, here it has {got}"
            continue
        known = first.setdefault(literal.relation, literal)
        if len(known.arguments) != got:
            yield (
                literal.place,
                (
                    f"{literal.relation!r} has {arguments(got)} here, "
                    f"but {len(known.arguments)} in line {known.place.line}: a relation always takes the same number"
                ),
            )


def arguments(number: int) -> str:
    return f"{number} argument{'s' if number != 1 else ''}"


def check_heads(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    for rule in sheet.rules:
        if rule.head.relation in NEVER_HEADS:
            yield rule.head.place, f"a sheet cannot define {rule.head.relation!r}: that is {NEVER_HEADS[rule.head.relation]}"


def check_roles(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """Who plays is known before anything is derived."""
    for rule in sheet.rules:
        if rule.head.relation == "role" and (rule.body or not all(isinstance(t, str) for t in rule.head.arguments)):
            yield rule.place, "roles must be facts, such as (role white)"


def role_places(sheet: Sheet) -> dict[Place, str]:
    """Every role, by where it is named first."""
    first: dict[str, Place] = {}
    for rule in sheet.rules:
        if rule.head.relation == "role":
            first.setdefault(rule.head.arguments[0], rule.place)
    return {place: role for role, place in first.items()}


def concerns(rule: Rule, relation: str, role: str) -> bool:
    """Can this rule say something about a role?"""
    return rule.head.relation == relation and (isinstance(rule.head.arguments[0], Variable) or rule.head.arguments[0] == role)


def check_safety(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """Every variable stands in a positive condition, so that it has finitely many values."""
    for rule in sheet.rules:
        bound = {v for c in rule.body if c.positive and c.relation != "distinct" for t in c.arguments for v in variables_of(t)}
        for literal in (rule.head, *rule.body):
            loose = [v for t in literal.arguments for v in variables_of(t) if v not in bound]
            if loose:
                where = "the head" if literal is rule.head else f"{literal}"
                yield (
                    literal.place,
                    f"unsafe rule: {loose[0]} in {where} stands in no positive condition of the rule, so its values are unknown",
                )


def check_goals(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    for rule in sheet.rules:
        if rule.head.relation == "goal" and len(rule.head.arguments) == 2:
            value = rule.head.arguments[1]
            if not isinstance(value, Variable) and not is_goal(value):
                yield rule.head.place, f"a goal is a whole number from 0 to 100, not {format_term(value)}"


def is_goal(value: object) -> bool:
    """A value that a goal may have; what a sheet derives beyond that counts for nothing."""
    return isinstance(value, str) and value.isdecimal() and int(value) <= 100


# --- rules together --------------------------------------------------------------------------------------------------


class Dependencies:
    """What depends on what.  The nodes are the *patterns* of rule heads, such as ``goal(_, 100)``: finer than relations, so that
    ``(<= (goal ?r 0) (not (goal ?r 100)))`` is no recursion."""

    def __init__(self, sheet: Sheet) -> None:
        self.uses: dict[str, set[str]] = defaultdict(set)
        self.patterns: dict[str, list[Pattern]] = defaultdict(list)
        rules = [rule for rule in sheet.rules if rule.body]
        for rule in rules:
            self.uses[rule.head.relation].update(c.relation for c in rule.body if c.relation != "distinct")
            if pattern_of(rule.head) not in self.patterns[rule.head.relation]:
                self.patterns[rule.head.relation].append(pattern_of(rule.head))
        edges: dict[Pattern, set[Pattern]] = defaultdict(set)
        for rule in rules:
            edges[pattern_of(rule.head)].update(node for condition in rule.body for node in self.defining(condition))
        #: strongly connected components, numbered so that a pattern comes after what it depends on
        self.knot: dict[Pattern, int] = knots(edges)

    def defining(self, condition: Literal) -> list[Pattern]:
        """The patterns of rules that may make a condition hold."""
        wanted = pattern_of(condition)[1:]
        return [
            pattern
            for pattern in self.patterns.get(condition.relation, ())
            if all(a is None or b is None or a == b for a, b in zip(pattern[1:], wanted, strict=False))
        ]

    def recursive(self, rule: Rule, condition: Literal) -> bool:
        """Does the condition depend on the head of its rule?"""
        own = self.knot[pattern_of(rule.head)]
        return any(self.knot[pattern] == own for pattern in self.defining(condition))

    def below(self, relation: str) -> set[str]:
        """Every relation that a relation depends on."""
        found: set[str] = set()
        todo = [relation]
        while todo:
            for used in self.uses.get(todo.pop(), ()):
                if used not in found:
                    found.add(used)
                    todo.append(used)
        return found


#: a relation, and for every argument a constant, the function of a compound term in parentheses, or None for a variable
Pattern = tuple[str | None, ...]


def pattern_of(literal: Literal) -> Pattern:
    shapes = [None if isinstance(t, Variable) else f"({t[0]})" if isinstance(t, tuple) else t for t in literal.arguments]
    return (literal.relation, *shapes)


def knots(uses: Mapping[Any, Iterable[Any]]) -> dict[Any, int]:
    """Strongly connected components (Tarjan), numbered so that a node comes after what it depends on."""
    order: dict[Any, int] = {}
    low: dict[Any, int] = {}
    component: dict[Any, int] = {}
    stack: list[Any] = []
    count = 0
    for start in list(uses):
        if start in order:
            continue
        order[start] = low[start] = len(order)
        stack.append(start)
        walk = [(start, iter(uses.get(start, ())))]
        while walk:
            node, following = walk[-1]
            for other in following:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    walk.append((other, iter(uses.get(other, ()))))
                    break
                if other not in component:
                    low[node] = min(low[node], order[other])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == order[node]:
                    while True:
                        member = stack.pop()
                        component[member] = count
                        if member == node:
                            break
                    count += 1
    return component


def check_negation(sheet: Sheet, graph: Dependencies) -> Iterable[tuple[Place, str]]:
    """Negation is stratified: nothing depends on its own absence."""
    for rule in sheet.rules:
        for condition in rule.body:
            if not condition.positive and condition.relation != "distinct" and graph.recursive(rule, condition):
                yield (
                    condition.place,
                    (
                        f"unstratified negation: {rule.head.relation!r} depends on (not {condition.relation}), "
                        f"which depends on {rule.head.relation!r} again"
                    ),
                )


def check_recursion(sheet: Sheet, graph: Dependencies) -> Iterable[tuple[Place, str]]:
    """The recursion restriction: an argument of a recursive condition is ground, stands in the head, or comes from outside the
    recursion."""
    for rule in sheet.rules:
        outside = {
            t for c in rule.body if c.positive and c.relation != "distinct" and not graph.recursive(rule, c) for t in c.arguments
        }
        for condition in rule.body:
            if condition.positive and condition.relation != "distinct" and graph.recursive(rule, condition):
                for term in condition.arguments:
                    ground = not any(True for _ in variables_of(term))
                    if not (ground or term in rule.head.arguments or term in outside) and grows(rule, term):
                        yield (
                            condition.place,
                            (
                                f"recursion that may not end: {format_term(term)} in {condition} is neither ground, "
                                "nor an argument of the head, "
                                "nor bound by a condition outside the recursion"
                            ),
                        )


def grows(rule: Rule, term: object) -> bool:
    """Can this rule make new terms out of the recursive condition's?  Without a function around a variable of it there are
    finitely many."""
    inner = set(variables_of(term))
    return any(isinstance(t, tuple) and inner & set(variables_of(t)) for t in rule.head.arguments)


def grows_in_time(sheet: Sheet) -> bool:
    """Is there a fluent that puts one more function around its own argument in every step?  Then grounding may have no end."""
    for rule in sheet.rules:
        if rule.head.relation == "next" and isinstance(rule.head.arguments[0], tuple):
            made = rule.head.arguments[0]
            for condition in rule.body:
                if condition.relation == "true" and condition.positive and isinstance(condition.arguments[0], tuple):
                    known = condition.arguments[0]
                    if known[0] == made[0] and any(
                        isinstance(new, tuple) and new != old and set(variables_of(old)) & set(variables_of(new))
                        for old, new in zip(known[1:], made[1:], strict=False)
                        if isinstance(old, Variable)
                    ):
                        return True
    return False


def check_uses(sheet: Sheet, graph: Dependencies) -> Iterable[tuple[Place, str]]:
    for relation, forbidden in MAY_NOT_USE.items():
        for rule in sheet.rules:
            if rule.head.relation != relation:
                continue
            for condition in rule.body:
                below = {condition.relation} | graph.below(condition.relation)
                for other in forbidden:
                    if other in below:
                        way = "" if other == condition.relation else f", as {condition.relation!r} does"
                        yield condition.place, f"{relation!r} may not depend on {other!r}{way}"


# --- warnings --------------------------------------------------------------------------------------------------------


def undefined_relations(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """Conditions on relations that nothing defines: they never hold."""
    defined = {rule.head.relation for rule in sheet.rules} | {"true", "does", "distinct"}
    return first_of(
        (condition.relation, condition.place, f"nothing defines {condition.relation!r}, so it never holds")
        for rule in sheet.rules
        for condition in rule.body
        if condition.relation not in defined
    )


def unknown_roles(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """Rules about a player that does not exist, mostly misspelt."""
    return first_of(
        (who, literal.place, f"{literal.relation!r} names {format_term(who)}, which is no role")
        for literal in literals(sheet)
        if literal.relation in ("does", "legal", "goal", "sees", "input")
        for who in literal.arguments[:1]
        if not isinstance(who, Variable) and who not in sheet.roles
    )


def impossible_fluents(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """Conditions on fluents that no rule makes true."""
    made = {shape(rule.head.arguments[0]) for rule in sheet.rules if rule.head.relation in ("init", "next")}
    if None in made:  # a fluent that is a variable may be anything
        return ()
    return first_of(
        (shape(fluent), condition.place, f"neither 'init' nor 'next' makes {format_term(fluent)} true, so it never holds")
        for rule in sheet.rules
        for condition in rule.body
        if condition.relation == "true"
        for fluent in condition.arguments
        if not isinstance(fluent, Variable) and shape(fluent) not in made
    )


def shape(term: Any) -> tuple[str, int] | None:
    """The function of a term and how many arguments it takes; None for a variable."""
    return None if isinstance(term, Variable) else (term[0], len(term) - 1) if isinstance(term, tuple) else (term, 0)


def doubtful_goals(sheet: Sheet) -> Iterable[tuple[Place, str]]:
    """Goal values that come from a table of facts with something else than 0 to 100 in it."""
    facts: dict[str, list[Rule]] = defaultdict(list)
    for rule in sheet.rules:
        facts[rule.head.relation].append(rule)
    for rule in sheet.rules:
        if rule.head.relation != "goal" or not isinstance(rule.head.arguments[1], Variable):
            continue
        for condition in rule.body:
            rows = facts[condition.relation]
            if not condition.positive or any(row.body for row in rows):
                continue
            for i, term in enumerate(condition.arguments):
                if term == rule.head.arguments[1]:
                    for row in rows:
                        if not is_goal(row.head.arguments[i]):
                            value = format_term(row.head.arguments[i])
                            yield row.place, f"{value} may become a goal, which is a whole number from 0 to 100"


def first_of(found: Iterable[tuple[Any, Place, str]]) -> Iterable[tuple[Place, str]]:
    """The first warning of several about the same thing."""
    first: dict[Any, tuple[Place, str]] = {}
    for about, place, text in found:
        first.setdefault(about, (place, text))
    return first.values()
