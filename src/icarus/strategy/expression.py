"""Reading strategies: Table 1's names of icarus-2014, presets, and expressions such as ``RAVE(k=250) >> (MAST() + NAST(2)) / 2``.

Expressions look like Python and are only parsed as Python, never evaluated: a name is looked up in the vocabulary of strategies,
policies and weights, and nothing else can be called.  ``file.py:Name(...)`` is a class of the user's own.  ``str(strategy)``
gives an expression that reads in again.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from difflib import get_close_matches
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from icarus.errors import IcarusError, StrategyError
from icarus.strategy.adaptive import Adaptive
from icarus.strategy.base import Enhancement, Expression, Function, Policy, Strategy
from icarus.strategy.baseline import Baseline
from icarus.strategy.combine import Weight, settled
from icarus.strategy.considered import Filter
from icarus.strategy.seams import Backup, Evaluator, LeafRule, Prior, RewardMap
from icarus.strategy.statistic import Statistic
from icarus.trust import OWN, USERS_OWN, Trust

#: the sixteen combinations of Table 1: RAVE or the baseline in the tree, a mixture of equals in simulations
TABLE_1 = ("-", "N", "R", "NR", "M", "NM", "RM", "NRM", "L", "NL", "RL", "NRL", "ML", "NML", "RML", "NRML")

#: the players of rave-variants-2016; where roles choose at the same time each chooses by its own formula (decoupled)
PRESETS = {
    "ggp-uct": "Baseline(c=0.7, simultaneous=UCB1(c=0.7))",
    "ggp-rave": "RAVE(k=250, c=0.2, formula='cadia', decoupled=True)",
    "ggp-grave": "GRAVE(ref=50, k=250, c=0.2, decoupled=True)",
    "ggp-hrave": "HRAVE(k=50, c=0.2, decoupled=True)",
}
PRESETS |= {f"{name}-mast": f"{text} >> MAST(policy=EpsilonGreedy(0.4), keep=0.2)" for name, text in PRESETS.items()}


def read_strategy(text: str | Strategy, trust: Trust = OWN, *, alone: bool = False) -> Strategy:
    """The strategy that a text means: a name of Table 1, a preset or an expression (whose files ``trust`` must allow).

    ``alone``: it is about playouts, so that it needs no baseline: one is put in front.
    """
    if isinstance(text, Strategy):
        return settled(complete(text) if alone else text)
    name = text.strip()
    if name in TABLE_1:
        return named_in_table_1(name)
    trust.check_text(name)
    read = _Reader(PRESETS.get(name, name), trust).read()
    return settled(complete(read) if alone else read)


def complete(strategy: Strategy) -> Strategy:
    """A strategy with a baseline: the plain one, if it has none."""
    return strategy if strategy.has_baseline else Baseline() >> strategy


def alternatives(text: str, trust: Trust, most: int) -> tuple[str, tuple[tuple[str, ...], ...], tuple[Strategy, ...]]:
    """What a template with braces means: how it is written, the values in each pair of braces, and every strategy."""
    return _Reader(text, trust).read_template(most)


@cache
def named_in_table_1(name: str) -> Strategy:
    return settled(_Reader(table_1(name)).read())


def table_1(name: str) -> str:
    """The expression behind a name of Table 1."""
    tree = "RAVE()" if "R" in name else "Baseline()"
    simulation = [text for letter, text in (("M", "MAST()"), ("L", "LGRF()"), ("N", "NAST()")) if letter in name]
    if not simulation:
        return tree
    mixed = simulation[0] if len(simulation) == 1 else f"({' + '.join(simulation)}) / {len(simulation)}"
    return f"{tree} >> {mixed}"


@cache
def vocabulary() -> dict[str, type]:
    """Everything that an expression can name."""
    import icarus.strategy as package

    abstract = {Strategy, Enhancement, Policy, Weight, Statistic, LeafRule, Prior, Backup, Evaluator, Filter, RewardMap}
    members = ((name, getattr(package, name)) for name in package.__all__)
    return {
        name: value
        for name, value in members
        if inspect.isclass(value) and issubclass(value, Strategy | Function) and value not in abstract
    }


class _Reader:
    """From text to objects; every error says what is wrong and where."""

    def __init__(self, text: str, trust: Trust = OWN) -> None:
        self.text, self.trust = text, trust
        self.own: dict[str, type[Expression]] = {}
        #: of a template: what is chosen of each pair of braces
        self.chosen: dict[int, ast.expr] = {}

    def _parse(self) -> ast.Expression:
        readable = USERS_OWN.sub(self._users_own, self.text)
        try:
            return ast.parse(readable, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            where = f" at character {problem.offset}" if isinstance(problem, SyntaxError) and problem.offset else ""
            raise StrategyError(
                f"cannot read the strategy {self.text!r}{where}; write for example Baseline() >> MAST()"
            ) from None

    def read(self) -> Strategy:
        if not self.text.strip():
            raise StrategyError("an empty strategy; write for example Baseline() >> MAST(), or a name of Table 1 such as NRML")
        tree = self._parse()
        try:
            value = self._value(tree.body)
        except RecursionError:
            raise StrategyError(f"the strategy {self.text[:40]!r}... is nested too deeply") from None
        if not isinstance(value, Strategy):
            raise StrategyError(
                f"{self.text!r} is a {type(value).__name__}, not a strategy; write for example Baseline() >> MAST()"
            )
        return value

    def read_template(self, most: int) -> tuple[str, tuple[tuple[str, ...], ...], tuple[Strategy, ...]]:
        """The strategies that a template stands for, one for each choice of values; the last braces change fastest."""
        tree = self._parse()
        braces = [node for node in ast.walk(tree) if isinstance(node, ast.Set)]
        braces.sort(key=lambda node: (node.lineno, node.col_offset))
        values = [list(node.elts) for node in braces]
        written = tuple(tuple(self._source(value) for value in inside) for inside in values)
        for inside in written:
            if len(set(inside)) < len(inside):
                raise StrategyError(f"{{{', '.join(inside)}}}: a value is given twice")
        if any(isinstance(inner, ast.Set) for node in braces for inner in ast.walk(node) if inner is not node):
            raise StrategyError(f"braces within braces in {self.text!r}: write one choice for each parameter")
        if (number := math.prod(map(len, values))) > most:
            raise StrategyError(f"{number} settings in {self.text!r}: at most {most} can be told apart within a search")
        found = []
        for chosen in product(*values):
            self.chosen = dict(zip(map(id, braces), chosen, strict=True))
            value = self._value(tree.body)
            if not isinstance(value, Strategy):
                raise StrategyError(f"{self.text!r} is a {type(value).__name__}, not a strategy")
            found.append(settled(value))
        return self._as_written(tree.body), written, tuple(found)

    def _users_own(self, match: re.Match[str]) -> str:
        """A class in a user's file, under a name that Python's grammar takes."""
        from icarus.loading import import_file

        file, name = match[1], match[2]
        self.trust.check_file(file)
        own = getattr(import_file(Path(file)), name, None)
        if own is None:
            raise StrategyError(f"there is no {name!r} in {file!r}")
        if not inspect.isclass(own) or not issubclass(own, Strategy | Function):
            raise StrategyError(f"{name!r} in {file!r} is not a class of strategies, policies or weights")
        own.origin = match[0]
        placeholder = f"own_{len(self.own)}_{name}"
        self.own[placeholder] = own
        return placeholder

    def _value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._value(node.operand)
            if isinstance(value, int | float):
                return -value
        if isinstance(node, ast.Name):
            return math.inf if node.id == "inf" else self._make(node, node.id, [], {})
        if isinstance(node, ast.Set):
            if id(node) not in self.chosen:
                raise StrategyError(f"{self._source(node)}: braces hold what Adaptive(...) chooses from; give one value here")
            return self._value(self.chosen[id(node)])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Adaptive":
            return self._adaptive(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = {keyword.arg: self._value(keyword.value) for keyword in node.keywords if keyword.arg is not None}
            if len(named) == len(node.keywords) and not any(isinstance(argument, ast.Starred) for argument in node.args):
                return self._make(node, node.func.id, [self._value(argument) for argument in node.args], named)
        if isinstance(node, ast.BinOp):
            return self._combine(node)
        raise StrategyError(
            f"{self._source(node)!r} has no meaning in a strategy; there are names with plain parameters, >>, +, * and /"
        )

    def _adaptive(self, node: ast.Call) -> Any:
        """Its template is not a strategy but many, so that it is read by itself."""
        if len(node.args) != 1 or any(k.arg not in ("slice", "keep") for k in node.keywords):
            raise StrategyError(f"{self._source(node)}: Adaptive takes a strategy with braces, slice and keep")
        return Adaptive(
            self._as_written(node.args[0]), **{str(k.arg): self._value(k.value) for k in node.keywords}, trust=self.trust
        )

    def _combine(self, node: ast.BinOp) -> Any:
        left, right = self._value(node.left), self._value(node.right)
        strategies = [isinstance(side, Strategy) for side in (left, right)]
        if isinstance(node.op, ast.RShift) and all(strategies):
            return left >> right
        if isinstance(node.op, ast.Add) and all(strategies):
            return left + right
        if isinstance(node.op, ast.Mult) and any(strategies) and not all(strategies):
            return left * right
        if isinstance(node.op, ast.Div) and strategies == [True, False]:
            return left / right
        if (
            isinstance(node.op, ast.Div)
            and not any(strategies)
            and all(isinstance(side, int | float) for side in (left, right))
            and right
        ):
            return left / right
        raise StrategyError(
            f"{self._source(node)!r} cannot be combined like that; strategies take >>, +, and * or / with a number"
        )

    def _make(self, node: ast.expr, name: str, positional: list[Any], named: dict[str, Any]) -> Any:
        known = vocabulary()
        kind = self.own.get(name) or known.get(name)
        if kind is None:
            near = get_close_matches(name, [*known, *TABLE_1, *PRESETS], n=1, cutoff=0.4)
            folded = [other for other in known if other.casefold() == name.casefold()]
            hint = f"did you mean {(folded or near)[0]}?" if folded or near else f"there are {', '.join(known)}"
            raise StrategyError(f"there is no strategy, policy or weight {name!r}; {hint}")
        try:
            inspect.signature(kind).bind(*positional, **named)
        except TypeError as problem:
            parameters = ", ".join(inspect.signature(kind).parameters)
            raise StrategyError(f"{self._source(node)}: {problem}; {name} takes {parameters or 'no parameters'}") from None
        given = inspect.signature(kind).bind(*positional, **named).arguments
        for file in (given.get(name) for name in getattr(kind, "files", ())):
            if isinstance(file, str) and file:
                self.trust.check_file(file)
        try:
            return kind(*positional, **named)
        except IcarusError:
            raise
        except Exception as problem:
            raise StrategyError(f"{self._source(node)}: {type(problem).__name__}: {problem}") from None

    def _source(self, node: ast.expr) -> str:
        text = self._as_written(node)
        return text if len(text) <= 80 else text[:77] + "..."

    def _as_written(self, node: ast.expr) -> str:
        """The text of an expression, with classes of users' files as they were named."""
        text = ast.unparse(node)
        for placeholder, own in self.own.items():
            text = text.replace(placeholder, own.origin)
        return text
