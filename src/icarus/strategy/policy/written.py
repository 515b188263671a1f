"""A policy that is written down: a formula over an arm's mean, visits and availability, read as a small program.

``Written("mean + 0.7 * sqrt(ln(m) / n)")`` is UCB1.  The formula becomes at most twelve instructions for a stack of four numbers,
which one compiled function runs: a new formula compiles nothing, so that `icarus discover` can try thousands of them.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from icarus.errors import StrategyError
from icarus.jit import Numbers, compiled, layout, pointer_to
from icarus.strategy.base import COUNTED, Policy

SIZE = 12  #: instructions of a formula
DEPTH = 4  #: numbers that wait for their operator
END, MEAN, VISITS, AVAILABLE, CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, ROOT, LOGARITHM = range(11)
VARIABLES = {"mean": MEAN, "n": VISITS, "m": AVAILABLE}
FUNCTIONS = {"sqrt": ROOT, "ln": LOGARITHM}
OPERATORS: dict[type[ast.operator], int] = {ast.Add: ADD, ast.Sub: SUBTRACT, ast.Mult: MULTIPLY, ast.Div: DIVIDE}
TINY = 1e-9  #: what stands for a divisor or a logarithm's argument that is not above zero

PROGRAM = layout("p", code=Numbers(SIZE), constant=Numbers(SIZE))


@compiled
def written(arms, values, p):
    for i in range(arms.size):
        n = arms.visits[i]
        if n == 0.0:  # an untried arm outweighs every other
            values[i] = math.inf
        else:
            a, b, c, d = 0.0, 0.0, 0.0, 0.0  # the stack, top first
            for k in range(SIZE):
                code = int(p.code[k])
                if code == END:
                    break
                if code <= CONSTANT:
                    d, c, b = c, b, a
                    if code == MEAN:
                        a = arms.reward[i] / n
                    elif code == VISITS:
                        a = n
                    elif code == AVAILABLE:
                        a = arms.available[i]
                    else:
                        a = p.constant[k]
                elif code == ROOT:
                    a = math.sqrt(max(a, 0.0))
                elif code == LOGARITHM:
                    a = math.log(max(a, TINY))
                else:
                    if code == ADD:
                        a = b + a
                    elif code == SUBTRACT:
                        a = b - a
                    elif code == MULTIPLY:
                        a = b * a
                    else:
                        a = b / a if abs(a) > TINY else b / TINY
                    b, c, d = c, d, 0.0
            values[i] = min(max(a, -1e100), 1e100) if a == a else -1e100


@dataclass(frozen=True, repr=False)
class Written(Policy):
    """``text`` over ``mean`` (average reward), ``n`` (visits) and ``m`` (availability) with ``+ - * /``, ``sqrt`` and ``ln``."""

    text: str = "mean + 0.7 * sqrt(ln(m) / n)"

    function = staticmethod(written)
    kinds = COUNTED
    needs_availability = True
    untried_first = staticmethod(written)
    formula = "what is written"

    def __post_init__(self) -> None:
        program(self.text)

    @property
    def parameters(self) -> tuple[float, ...]:
        code, constants = program(self.text)
        return (*map(float, code), *constants)

    def signature(self, general: Any) -> Any:
        return general.return_type(*general.args[:-1], pointer_to(PROGRAM))


@cache
def program(text: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The instructions of a formula, and the constants beside them."""
    found: list[tuple[int, float]] = []

    def walk(node: ast.expr) -> int:
        """Add the instructions of a part; returns how many numbers it needs at once."""
        if isinstance(node, ast.Name) and node.id in VARIABLES:
            found.append((VARIABLES[node.id], 0.0))
            return 1
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            found.append((CONSTANT, float(node.value)))
            return 1
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            first = walk(node.left)
            second = walk(node.right)
            found.append((OPERATORS[type(node.op)], 0.0))
            return max(first, 1 + second)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and len(node.args) == 1:
            depth = walk(node.args[0])
            found.append((FUNCTIONS[node.func.id], 0.0))
            return depth
        raise StrategyError(f"Written: {ast.unparse(node)!r} has no meaning; there are mean, n, m, numbers, + - * /, sqrt and ln")

    if not isinstance(text, str):
        raise StrategyError(f"Written: {text!r} is not a formula; write for example Written('mean + 0.7 * sqrt(ln(m) / n)')")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise StrategyError(f"Written: cannot read the formula {text!r:.80}") from None
    depth = walk(tree.body)
    if len(found) > SIZE or depth > DEPTH:
        raise StrategyError(f"Written: {text!r:.80} is too long: at most {SIZE} operands and operators, and {DEPTH} that wait")
    padded = found + [(END, 0.0)] * (SIZE - len(found))
    return tuple(code for code, _ in padded), tuple(constant for _, constant in padded)
