"""Combining strategies (section 4.4 of icarus-2014): sequential, linear, maxilinear, and the majority vote of its section 9.

===============================  =====================================================================================
``A >> B``                       A in the tree, B in simulations (Specification 6)
``(A + B) / 2``, ``.3*A + .7*B``  linear: at each step one of them decides, drawn by its weight
``Linear(A, B, weight=W)``       the same with a weight that is a function of the baseline record: W for A, 1 - W for B
``Maxilinear(A, B, weight=W)``   the action with the largest ``W * value_A + (1 - W) * value_B``
``Vote(A, B, C)``                every one names an action, the most named one is played
===============================  =====================================================================================

Every component keeps its own records and captures every playout, whichever of them decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from icarus.engine import layout as w
from icarus.errors import StrategyError
from icarus.jit import compiled
from icarus.strategy.base import (
    EQUIVALENCE,
    Enhancement,
    Expression,
    Function,
    Inlined,
    Strategy,
    refuse_without,
    require,
    tries,
    write_value,
)

if TYPE_CHECKING:
    from icarus.game import Game


class Weight(Function):
    """A mixing coefficient: a compiled ``function(record, p)`` of the history's record (reward, visits, available)."""

    inlined: ClassVar[Inlined | None] = None


@compiled
def rave_weight(record, p):
    return math.sqrt(p.k / (3.0 * record.visits + p.k))


@dataclass(frozen=True, repr=False)
class RaveWeight(Weight):
    """``sqrt(k / (3 n + k))`` (equation 15): one half after k visits."""

    k: float = 250

    grid = tries(k=EQUIVALENCE)

    function = staticmethod(rave_weight)
    inlined = Inlined(w.INLINED_RAVE_WEIGHT, of=rave_weight)
    formula = "sqrt(k / (3 n + k))"

    def __post_init__(self) -> None:
        require(self, "k", 0, above=True)


@compiled
def cutoff_weight(record, p):
    return p.weight if record.playouts < p.k else 0.0


@compiled
def threshold_weight(record, p):
    return 0.5 if record.visits >= p.visits else 0.0


@dataclass(frozen=True, repr=False)
class CutoffWeight(Weight):
    """``weight`` in the first ``k`` playouts of a search, then 0."""

    k: float = 1000
    weight: float = 1.0

    grid = tries(k=(100, 300, 1000, 3000), weight=(0.5, 0.75, 1.0))

    function = staticmethod(cutoff_weight)
    formula = "weight in the first k playouts, then 0"

    def __post_init__(self) -> None:
        require(self, "k", 0)
        require(self, "weight", 0, 1)


@dataclass(frozen=True, repr=False)
class ThresholdWeight(Weight):
    """One half at a node with at least so many ``visits``, 0 before: what the first of two is asked is not computed there."""

    visits: float = 0

    grid = tries(visits=(0, 5, 20, 100))

    function = staticmethod(threshold_weight)
    formula = "1/2 from so many visits on, else 0"

    def __post_init__(self) -> None:
        require(self, "visits", 0)


class Sequential(Strategy):
    """``tree >> simulation``: one strategy for selection and expansion, another for simulation."""

    def __init__(self, tree: Strategy, simulation: Strategy) -> None:
        self.tree, self.simulation = complete(tree), complete(simulation)
        if not self.has_baseline:
            raise StrategyError(
                f"{self} has no baseline in it, so nothing tells the tree from the simulation; begin with Baseline() >> ..."
            )

    def parts(self) -> Iterator[Strategy]:
        yield from (self.tree, self.simulation)

    def __str__(self) -> str:
        right = f"({self.simulation})" if isinstance(self.simulation, Sequential) else str(self.simulation)
        return f"{self.tree} >> {right}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequential) and (self.tree, self.simulation) == (other.tree, other.simulation)

    def __hash__(self) -> int:
        return hash((self.tree, self.simulation))


class Linear(Strategy):
    """A convex combination; at each step one component is drawn by its weight and decides."""

    def __init__(self, *terms: Strategy, weight: Weight | float | None = None, weights: tuple[float, ...] | None = None) -> None:
        if not terms:
            raise StrategyError("Linear() needs at least one strategy")
        self.terms: tuple[Strategy, ...] = tuple(complete(term) for term in terms)
        self.weight = weight
        self.weights: tuple[float, ...] = ()
        if weight is not None:
            if len(terms) != 2:
                raise StrategyError(f"Linear with a weight mixes two strategies, not {len(terms)}")
            _check_weight(weight)
            return
        given = weights if weights is not None else (1 / len(terms),) * len(terms)
        if not isinstance(given, tuple) or len(given) != len(terms) or not all(_is_number(x) and x > 0 for x in given):
            raise StrategyError(f"Linear: weights={given!r} must be one number above 0 for each of the {len(terms)} strategies")
        # a sum within a sum is one sum
        flat = [
            (part, x * share)
            for term, x in zip(self.terms, given, strict=True)
            for part, share in (
                zip(term.terms, term.weights, strict=True) if isinstance(term, Linear) and term.weight is None else [(term, 1.0)]
            )
        ]
        self.terms, self.weights = tuple(part for part, _ in flat), tuple(float(share) for _, share in flat)

    @classmethod
    def of(cls, strategy: Strategy) -> Linear:
        if not isinstance(strategy, Strategy):
            raise StrategyError(f"{strategy!r} is not a strategy; only strategies can be added")
        if isinstance(strategy, Linear) and strategy.weight is None:
            return strategy
        return cls(strategy, weights=(1.0,))

    def __add__(self, other: Strategy) -> Linear:
        other = Linear.of(other)
        return Linear(*self.terms, *other.terms, weights=self.weights + other.weights)

    def __mul__(self, factor: Any) -> Linear:
        if not _is_number(factor) or not factor > 0:
            raise StrategyError(f"a strategy can be multiplied by a number above 0, not by {factor!r}")
        return Linear(*self.terms, weights=tuple(x * factor for x in self.weights))

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Linear:
        if not _is_number(divisor) or not divisor > 0:
            raise StrategyError(f"a strategy can be divided by a number above 0, not by {divisor!r}")
        return Linear(*self.terms, weights=tuple(x / divisor for x in self.weights))

    def parts(self) -> Iterator[Strategy]:
        yield from self.terms

    def __str__(self) -> str:
        if self.weight is not None:
            return f"Linear({self.terms[0]}, {self.terms[1]}, weight={write_value(self.weight)})"
        texts = [f"({term})" if isinstance(term, Sequential | Linear) else str(term) for term in self.terms]
        if set(self.weights) == {1 / len(texts)}:
            return texts[0] if len(texts) == 1 else f"({' + '.join(texts)}) / {len(texts)}"
        return " + ".join(f"{write_value(weight)} * {text}" for weight, text in zip(self.weights, texts, strict=True))

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and (self.terms, self.weights, self.weight) == (other.terms, other.weights, other.weight)

    def __hash__(self) -> int:
        return hash((self.terms, self.weights, self.weight))


class Maxilinear(Strategy):
    """``weight * first (+) (1 - weight) * second``: the action whose weighted values add up to the most."""

    def __init__(self, first: Strategy, second: Strategy, weight: Weight | float = 0.5) -> None:
        self.first, self.second, self.weight = first, second, weight
        _check_weight(weight)
        for strategy in (first, second):
            if isinstance(strategy, Maxilinear):
                continue
            if not isinstance(strategy, Enhancement) or strategy.reuse.shape != w.ARG_MAX:
                reason = "chooses by chance" if isinstance(strategy, Enhancement) else "is not one capture with one policy"
                raise StrategyError(
                    f"a maxilinear combination needs policies that maximise a value (equation 13); {strategy} {reason}"
                )

    def parts(self) -> Iterator[Strategy]:
        yield from (self.first, self.second)

    def __str__(self) -> str:
        return f"Maxilinear({self.first}, {self.second}, weight={write_value(self.weight)})"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        mine = (self.first, self.second, self.weight)
        return isinstance(other, Maxilinear) and mine == (other.first, other.second, other.weight)

    def __hash__(self) -> int:
        return hash((self.first, self.second, self.weight))


class NamedCombination(Maxilinear):
    """A maxilinear combination with a name and parameters of its own, such as RAVE: a dataclass that calls ``define``."""

    def define(self, first: Strategy, second: Strategy, weight: Weight | float) -> None:
        super().__init__(first, second, weight)

    def check(self, game: Game) -> None:
        for leaf in self.enhancements():
            refuse_without(game, leaf.capture.needs, str(self))
        super().check(game)

    __str__ = __repr__ = Expression.__str__


class NamedSequence(Sequential):
    """``tree >> simulation`` with a name and parameters of its own, such as PoolRAVE: a dataclass that calls ``define``."""

    def define(self, tree: Strategy, simulation: Strategy) -> None:
        super().__init__(tree, simulation)

    __str__ = __repr__ = Expression.__str__


class Vote(Strategy):
    """Every voter names an action; the one with the most votes is played, ties by chance."""

    def __init__(self, *voters: Strategy) -> None:
        if len(voters) < 2:
            raise StrategyError(f"a vote needs at least two strategies, not {len(voters)}")
        for voter in voters:
            if not isinstance(voter, Enhancement | Maxilinear):
                raise StrategyError(f"only enhancements and maxilinear combinations can vote, not {voter}")
        self.voters = voters

    def parts(self) -> Iterator[Strategy]:
        yield from self.voters

    def __str__(self) -> str:
        return f"Vote({', '.join(map(str, self.voters))})"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vote) and self.voters == other.voters

    def __hash__(self) -> int:
        return hash(self.voters)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _check_weight(weight: object) -> None:
    if isinstance(weight, Weight):
        return
    if not _is_number(weight) or not 0 <= weight <= 1:
        raise StrategyError(f"a weight is a number from 0 to 1 or a function of the baseline record, not {weight!r}")


def complete(strategy: Strategy) -> Strategy:
    """A strategy that is complete in itself: the weights of a sum must add up to one."""
    if not isinstance(strategy, Strategy):
        raise StrategyError(f"{strategy!r} is not a strategy")
    if isinstance(strategy, Linear) and strategy.weight is None:
        total = sum(strategy.weights)
        if not math.isclose(total, 1, rel_tol=1e-9):
            raise StrategyError(f"the weights in {strategy} add up to {write_value(round(total, 6))}; divide by that to mix")
        if len(strategy.terms) == 1:
            return strategy.terms[0]
    return strategy


def settled(strategy: Strategy) -> Strategy:
    """The strategy as it can be searched with; errors say what is missing."""
    strategy = complete(strategy)
    if not strategy.has_baseline:
        raise StrategyError(f"{strategy} has no baseline in it; write Baseline() >> {strategy}")
    return strategy
