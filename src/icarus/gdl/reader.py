"""Reading rule sheets: the Game Description Language in KIF syntax (Love et al. 2008; GDL-II: Thielscher 2010).

A sheet is a list of facts and rules in prefix notation; case does not matter, ``;`` starts a comment::

    (role white)
    (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (does white (mark ?x ?y))))

Terms are plain Python values: a constant is a string, a variable a :class:`Variable`, a compound term a tuple of its function
and its arguments.  Disjunctions are multiplied out while reading, so a rule is a head and a conjunction of literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from icarus.errors import GameError, needing

#: more alternatives than this in one rule are a mistake, not a game
MAX_ALTERNATIVES = 20_000
#: and so are more parentheses inside each other
MAX_DEPTH = 150
#: words with a meaning of their own, which name nothing
CONNECTIVES = ("not", "or", "and", "<=")

GRAMMAR = r"""
start: _item*
_item: list | WORD
list: "(" _item* ")"
WORD: /[^\s();]+/
COMMENT: /;[^\n]*/
%ignore COMMENT
%ignore /\s+/
"""


class SheetError(GameError):
    """A rule sheet that cannot be played; the message starts with ``file:line:column:``."""


class Place(NamedTuple):
    """Where something stands in a sheet, counted from 1."""

    line: int
    column: int


class Variable(str):
    """A variable of a rule; its text starts with a question mark."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    # a variable never equals the constant of the same text
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variable) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


Term = Any  # str | Variable | tuple[str, *Term]


@dataclass(frozen=True)
class Literal:
    """``relation(arguments)``, negated or not; ``distinct`` is a relation like any other here."""

    relation: str
    arguments: tuple[Term, ...]
    positive: bool
    place: Place

    def __str__(self) -> str:
        text = format_term((self.relation, *self.arguments)) if self.arguments else self.relation
        return text if self.positive else f"(not {text})"


@dataclass(frozen=True)
class Rule:
    """``head`` holds if all literals of ``body`` hold; a fact has an empty body."""

    head: Literal
    body: tuple[Literal, ...]
    place: Place


@dataclass(frozen=True)
class Sheet:
    """A sheet as it was read: nothing is checked but the syntax."""

    file: str
    rules: tuple[Rule, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles in the order of the sheet."""
        found = [
            r.head.arguments[0] for r in self.rules if r.head.relation == "role" and not r.body and len(r.head.arguments) == 1
        ]
        return tuple(dict.fromkeys(found))

    @property
    def hides(self) -> bool:
        """Is it GDL-II: does a role know its own moves and what it sees, and nothing else?"""
        return "random" in self.roles or any(rule.head.relation == "sees" for rule in self.rules)

    def error(self, place: Place, problem: str) -> SheetError:
        return SheetError(f"{self.file}:{place.line}:{place.column}: {problem}")


def read_sheet(path: str | Path) -> Sheet:
    """Read a sheet from a file."""
    return read_rules(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """The text of a sheet's file."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise GameError(f"cannot read the rule sheet {str(path)!r}: {problem.strerror}") from None


def read_rules(text: str, file: str = "sheet") -> Sheet:
    """Read a sheet from text; ``file`` is for error messages."""
    return _Reader(file).sheet(read_expressions(text, file))


def read_term(text: str) -> Term:
    """One term, such as a move in a message: ``(mark 1 2)`` or ``noop``."""
    nodes = read_expressions(text, "term")
    if len(nodes) != 1:
        raise SheetError(f"expected one term, got {text!r}")
    return _Reader("term").term(nodes[0])


def format_term(term: Term) -> str:
    """A term in KIF notation."""
    return f"({' '.join(format_term(t) for t in term)})" if isinstance(term, tuple) else str(term)


def variables_of(term: Term) -> Iterator[Variable]:
    """The variables of a term, in order, with repetitions."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, tuple):
        for argument in term[1:]:
            yield from variables_of(argument)


# --- expressions -----------------------------------------------------------------------------------------------------


class Node(NamedTuple):
    """An expression: a word, or a list of expressions."""

    word: str | None
    items: tuple[Node, ...]
    place: Place


@cache
def _parser() -> Any:
    from lark import Lark

    return Lark(GRAMMAR, parser="lalr", propagate_positions=True)


def read_expressions(text: str, file: str) -> list[Node]:
    """The top-level expressions of a text."""
    with needing("rule sheets", "lark", "clingo", extra="gdl"):
        from lark import UnexpectedInput

    text = text.lstrip("\ufeff")
    try:
        tree = _parser().parse(text)
    except UnexpectedInput:
        _explain(text, file)
    return [_node(child, file) for child in tree.children]


def _node(item: Any, file: str, depth: int = 1) -> Node:
    if not hasattr(item, "data"):
        return Node(str(item).lower(), (), Place(item.line, item.column))
    place = Place(item.meta.line, item.meta.column)
    if depth > MAX_DEPTH:
        raise SheetError(f"{file}:{place.line}:{place.column}: more than {MAX_DEPTH} parentheses are open here")
    return Node(None, tuple([_node(child, file, depth + 1) for child in item.children]), place)


def _explain(text: str, file: str) -> NoReturn:
    """Parentheses are all that can be wrong with the syntax: find the one."""
    opened: list[Place] = []
    for number, line in enumerate(text.split("\n"), 1):
        for column, letter in enumerate(line.split(";", 1)[0], 1):
            if letter == "(":
                opened.append(Place(number, column))
            elif letter == ")":
                if not opened:
                    raise SheetError(f"{file}:{number}:{column}: this ')' closes nothing; remove it or open a '(' before it")
                opened.pop()
    place = opened[0] if opened else Place(1, 1)
    raise SheetError(
        f"{file}:{place.line}:{place.column}: this '(' is never closed; {len(opened)} ')' missing before the end of the sheet"
    )


# --- rules -----------------------------------------------------------------------------------------------------------


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, place: Place, problem: str) -> NoReturn:
        raise SheetError(f"{self.file}:{place.line}:{place.column}: {problem}")

    def sheet(self, nodes: list[Node]) -> Sheet:
        rules: list[Rule] = []
        for node in nodes:
            if node.items and node.items[0].word == "<=":
                if len(node.items) < 2:
                    self.fail(node.place, "a rule needs a head: (<= head condition ...)")
                head = self.atom(node.items[1])
                rules.extend(Rule(head, body, node.place) for body in self.alternatives(node.items[2:], node.place))
            else:
                rules.append(Rule(self.atom(node), (), node.place))
        return Sheet(self.file, tuple(rules))

    def atom(self, node: Node) -> Literal:
        if node.word is not None:
            if node.word.startswith("?"):
                self.fail(node.place, f"expected a relation, got the variable {node.word}")
            if node.word in CONNECTIVES:
                self.fail(node.place, f"{node.word!r} stands alone; write it in parentheses with what belongs to it")
            return Literal(node.word, (), True, node.place)
        if not node.items or node.items[0].word is None:
            self.fail(node.place, "expected a relation and its arguments, such as (true (cell 1 1 b))")
        name = node.items[0].word
        if name in CONNECTIVES or name.startswith("?"):
            self.fail(node.place, f"{name!r} cannot be a relation here")
        return Literal(name, tuple(self.term(item) for item in node.items[1:]), True, node.place)

    def term(self, node: Node) -> Term:
        if node.word is not None:
            return Variable(node.word) if node.word.startswith("?") else node.word
        if not node.items or node.items[0].word is None or node.items[0].word.startswith("?"):
            self.fail(node.place, "expected a term: a constant, a variable or (function argument ...)")
        name = node.items[0].word
        # (f) without arguments is the constant f
        return (name, *(self.term(item) for item in node.items[1:])) if len(node.items) > 1 else name

    def alternatives(self, conditions: tuple[Node, ...], place: Place, positive: bool = True) -> list[tuple[Literal, ...]]:
        """The conjunction of the conditions (or of their negations), multiplied out into conjunctions of literals."""
        bodies: list[tuple[Literal, ...]] = [()]
        for condition in conditions:
            options = self.options(condition, positive)
            if len(bodies) * len(options) > MAX_ALTERNATIVES:
                self.fail(place, f"more than {MAX_ALTERNATIVES} alternatives; split the rule")
            bodies = [(*body, *option) for body in bodies for option in options]
        return bodies

    def options(self, node: Node, positive: bool = True) -> list[tuple[Literal, ...]]:
        """The alternatives of one condition."""
        name = node.items[0].word if node.items else None
        if name == "not":
            if len(node.items) != 2:
                self.fail(node.place, f"'not' takes one condition, got {len(node.items) - 1}")
            return self.options(node.items[1], not positive)
        if name in ("or", "and"):
            if len(node.items) == 1:
                self.fail(node.place, f"{name!r} needs a condition")
            if (name == "or") != positive:
                return self.alternatives(node.items[1:], node.place, positive)
            return [option for item in node.items[1:] for option in self.options(item, positive)]
        return [(replace(self.atom(node), positive=positive),)]
