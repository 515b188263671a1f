"""What an ICARUS is in code (Definition 5 of icarus-2014).

An *enhancement* is a capture and a policy.  The **capture** says which records a step reads and writes: its context function
maps the step to keys, and the record of an action is the pair (context, action).  The **policy** says how the numbers in those
records become a choice.  The two are separate, so every capture works with every policy that fits.

==========================  ===========================================================================================
Definition 5                here
==========================  ===========================================================================================
records R                   (context key, action): ``Capture.read``
information, initial        total reward, visits, availability, all zero; or a reply, at first none: ``Capture.kind``
policy alpha                ``Policy.function``, and the operators in combine.py
capture contexts, capture   ``Capture.write``, ``Capture.scope`` and whether the policy needs availability
backpropagation omega       the engine's, by ``Capture.kind``
==========================  ===========================================================================================
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from inspect import getclosurevars
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from icarus.engine import layout as w
from icarus.errors import StrategyError
from icarus.jit import Number, layout, pointer_to

if TYPE_CHECKING:
    from icarus.explain import Explanation
    from icarus.game import Game

# which captures a policy can read, by what they keep
COUNTED = (w.KEEPS_RECORDS,)  #: averages with availability
AVERAGES = (w.KEEPS_RECORDS, w.KEEPS_ALL_MOVES, w.KEEPS_NOTHING)  #: averages
HEURISTIC = (w.KEEPS_NOTHING,)  #: the game's heuristic
REPLIES = (w.KEEPS_REPLIES, w.KEEPS_REPLIES_FORGETS)  #: one reply


def tries(**values: tuple[float, ...]) -> Mapping[str, tuple[float, ...]]:
    """The grid of a class: ``grid = tries(k=(50, 250), c=(0.4, 0.7))``."""
    return MappingProxyType(values)


# values that many of them share
EXPLORATION = (0.1, 0.2, 0.4, 0.7, 1.0, 1.4)  #: constants of UCB1
EQUIVALENCE = (10, 50, 250, 1000, 5000)  #: visits at which two sources of knowledge count alike
PRIOR_WEIGHTS = (5.0, 20.0, 80.0)  #: visits that knowledge is worth
TEMPERATURES = (0.1, 0.3, 1.0, 3.0)  #: of Gibbs sampling
SMALL_SHARES = (0.05, 0.1, 0.2, 0.4)  #: of moves at random
PARTS = (0.25, 0.5, 0.75)  #: of a mixture
KEPT = (0.2, 1.0)  #: of what was learned, from one move to the next


class Expression:
    """Something that prints in the form in which it can be read in again."""

    #: how the expression refers to this class; a user's own is ``file.py:Name``
    origin: ClassVar[str] = ""
    #: values of parameters that are worth a try in a game about which nothing is known (``icarus tune``)
    grid: ClassVar[Mapping[str, tuple[float, ...]]] = {}
    #: where `icarus tune` tries the strategy without being told: "tree", "simulation", or nowhere
    place: ClassVar[str] = ""

    def __str__(self) -> str:
        given = []
        for item in fields(self):  # type: ignore[arg-type]
            value = getattr(self, item.name)
            default = item.default_factory() if item.default_factory is not MISSING else item.default
            if value != default:
                given.append(f"{item.name}={write_value(value)}")
        return f"{self.origin or type(self).__name__}({', '.join(given)})"

    __repr__ = __str__


def write_value(value: object) -> str:
    if isinstance(value, float) and math.isinf(value):
        return "inf"
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return repr(int(value))
    return repr(value) if isinstance(value, str | int | float | bool) or value is None else str(value)


def require(owner: object, name: str, low: float, high: float = math.inf, *, whole: bool = False, above: bool = False) -> None:
    """Check a parameter of a dataclass; the error says its range."""
    value = getattr(owner, name)
    kind = "a whole number" if whole else "a number"
    right = isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    if right and whole and not math.isinf(value):
        right = value == int(value)
    if not right or value > high or value < low or (above and value == low):
        bound = f"above {write_value(low)}" if above else f"at least {write_value(low)}"
        if high != math.inf:
            bound += f" and at most {write_value(high)}"
        raise StrategyError(f"{type(owner).__name__}: {name}={write_value(value)} is out of range; it must be {kind}, {bound}")


# --- the two halves of an enhancement --------------------------------------------------------------------------------


def one_context(game: Game) -> int:
    return 1


@dataclass(frozen=True)
class Capture:
    """Which records a step reads and writes."""

    #: compiled ``context(step, keys, p) -> number of keys``: where a step looks
    read: Any = None
    #: the same for what it writes, where that differs
    write: Any = None
    #: what ``p`` holds: names and values
    parameters: tuple[tuple[str, float], ...] = ()
    #: KEEPS_RECORDS, KEEPS_REPLIES, ... of engine/layout.py
    kind: int = w.KEEPS_RECORDS
    #: WHOLE_PLAYOUT or TREE_ONLY
    scope: int = w.WHOLE_PLAYOUT
    amaf_nodes: int = w.AT_SELECTION
    amaf_reference: float = 0.0
    #: of a simulation only so many moves count as played later (some-first AMAF)
    amaf_first: float = math.inf
    #: AMAF that simulations read, too (PoolRAVE)
    in_playouts: bool = False
    #: of a playout that was won only the moves that took part in that count as played later (killer RAVE)
    killers: bool = False
    #: nodes beside the path that learn from a playout whose moves lead there in another order (permutation AMAF)
    permutations: int = 0
    #: of several contexts: add their records up, or read the one with the best average (SUM or BEST)
    merge: int = w.SUM
    #: how many contexts a step can have, given a game; records that do not fit the bound are lost
    contexts: Callable[[Game], int] = one_context
    #: functions that the game must have: "episode", "predicates", "heuristic"
    needs: tuple[str, ...] = ()
    #: one line for people: which records there are
    records: str = ""

    @property
    def reads_episodes(self) -> bool:
        """Does a context look at the episode under way?  Otherwise the game need not be asked for it at every step."""
        asked = any(mentions(function, {"label", "episode"}) for function in (self.read, self.write))
        return asked or "episode" in self.needs


def mentions(function: Any, names: set[str]) -> bool:
    """Does a function, or one that it calls, use one of these names?"""
    waiting, seen = [function], set[Any]()
    while waiting:
        one = waiting.pop()
        plain = getattr(one, "py_func", one)
        code = getattr(plain, "__code__", None)
        if code is None or code in seen:
            continue
        seen.add(code)
        if names.intersection(code.co_names):
            return True
        known = getclosurevars(plain)
        used = [*known.nonlocals.values(), *known.globals.values()]
        waiting += used + [vars(module).get(name) for module in used if isinstance(module, ModuleType) for name in code.co_names]
    return False


class Function(Expression):
    """A compiled function with parameters: a dataclass whose fields the function reads by name (``p.c``)."""

    function: ClassVar[Any] = None
    formula: ClassVar[str] = ""

    #: functions that the game must have
    needs: ClassVar[tuple[str, ...]] = ()

    def check(self, game: Game) -> None:
        """Refuse a game that cannot serve this function."""
        refuse_without(game, self.needs, str(self))

    @property
    def parameters(self) -> tuple[float, ...]:
        return tuple(float(getattr(self, item.name)) for item in fields(self))  # type: ignore[arg-type]

    def signature(self, general: Any) -> Any:
        """The C signature of the function: the engine's, with the parameters by name at the end."""
        return by_name(general, tuple(item.name for item in fields(self)))  # type: ignore[arg-type]


@cache
def by_name(general: Any, names: tuple[str, ...]) -> Any:
    """A signature whose last argument, the parameters, is declared as a layout of these names."""
    named = layout("p", **{name: Number() for name in names})
    return general.return_type(*general.args[:-1], pointer_to(named))


@dataclass(frozen=True)
class Inlined:
    """A declaration that the engine has a twin of a function, which it inlines: the same choice, without the call.

    It holds for the function ``of`` alone: a subclass with a function or parameters of its own is called by address.
    """

    twin: int
    of: Any
    when: Callable[[Any], bool] = lambda function: True


class Policy(Function):
    """How the records of the legal actions become a choice.

    ``function(arms, values, p)`` is compiled; it reads the total reward (of the player about to act), visits and availability of
    each of the ``arms.size`` legal actions and fills ``values``: numbers to maximise (``shape`` ARG_MAX) or weights to draw by
    (DISTRIBUTION).  ``arms.baseline_reward`` and so on are the same for the baseline, ``arms.node`` is the baseline's record
    of the history itself, ``arms.rng`` a source of random numbers.
    """

    shape: ClassVar[int] = w.ARG_MAX
    #: what ``arms.statistic`` holds, see statistic.py
    statistics: ClassVar[tuple[Any, ...]] = ()
    inlined: ClassVar[Inlined | None] = None
    needs_availability: ClassVar[bool] = False
    #: the kinds of capture that the policy can read
    kinds: ClassVar[tuple[int, ...]] = AVERAGES
    #: a backup that fills what the policy reads (``strategy/seams.py``)
    backup: ClassVar[Any] = None
    #: what the baseline has not visited is worth the same (infinity), so beyond the tree the choice is uniform
    follows_baseline: ClassVar[bool] = False
    #: the function, where it values every untried arm at infinity: the loop need not ask it while there is one in the tree
    untried_first: ClassVar[Any] = None


def twin_of(function: Any) -> int:
    """The twin that the engine may inline in place of a policy's or a weight's function; NOT_INLINED if there is none."""
    declared: Inlined | None = function.inlined
    if declared is None or declared.of is not type(function).function:
        return w.NOT_INLINED
    known = next(owner for owner in type(function).__mro__ if "inlined" in vars(owner))
    own = {item.name for item in fields(function)} - {item.name for item in fields(known)}
    return declared.twin if not own and declared.when(function) else w.NOT_INLINED


def tries_untried_first(policy: Policy) -> bool:
    """Does the policy's own function, not only that of a class that it is derived from, value untried arms at infinity?"""
    declared = type(policy).untried_first
    return declared is not None and declared is type(policy).function


# --- strategies ------------------------------------------------------------------------------------------------------


class Strategy(Expression):
    """An ICARUS: an enhancement or a combination of strategies.  Operators are those of the paper's section 4.4."""

    # operators live in combine.py; they are bound there to keep this file to one idea
    def __rshift__(self, other: Strategy) -> Strategy:
        from icarus.strategy.combine import Sequential

        return Sequential(self, other)

    def __add__(self, other: Strategy) -> Strategy:
        from icarus.strategy.combine import Linear

        return Linear.of(self) + Linear.of(other)

    def __mul__(self, weight: Any) -> Strategy:
        from icarus.strategy.combine import Linear

        mixture: Strategy = Linear.of(self) * weight
        return mixture

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Strategy:
        from icarus.strategy.combine import Linear

        return Linear.of(self) / divisor

    def enhancements(self) -> Iterator[Enhancement]:
        """The leaves, in the order in which they are written."""
        for part in self.parts():
            yield from part.enhancements()

    @property
    def has_baseline(self) -> bool:
        return any(leaf.is_baseline for leaf in self.enhancements())

    def parts(self) -> Iterator[Strategy]:
        """What this strategy is put together from, as it is written; nothing for an enhancement."""
        return iter(())

    def check(self, game: Game) -> None:
        """Refuse a game that lacks a function that this strategy needs."""
        for part in self.parts():
            part.check(game)

    def explain(self, game: str | Game, **options: Any) -> Explanation:
        """Which records each phase reads and writes, measured in a search (see icarus.explain)."""
        from icarus.explain import explain

        return explain(self, game, **options)


class Enhancement(Strategy):
    """A leaf: one capture with one policy.  Subclasses are dataclasses whose fields are the parameters."""

    is_baseline: ClassVar[bool] = False
    #: the parameters of the policy that is used when none is given
    of_default_policy: ClassVar[tuple[str, ...]] = ()
    #: a policy in place of the published one
    policy: Policy | None = None
    #: the share of the statistics that is kept when the game moves on (1: all; 0: none)
    keep: float = 1.0

    def __post_init__(self) -> None:
        require(self, "keep", 0, 1)
        name = type(self).__name__
        if self.policy is not None:
            if not isinstance(self.policy, Policy):
                raise StrategyError(
                    f"{name}: policy={write_value(self.policy)} is not a policy; write for example policy=UCB1Sum()"
                )
            for item in fields(self):  # type: ignore[arg-type]
                if item.name in self.of_default_policy and getattr(self, item.name) != item.default:
                    raise StrategyError(
                        f"{name}: {item.name} belongs to the default policy; give it to policy={self.policy} instead"
                    )
        kind = self.capture.kind
        if kind not in self.reuse.kinds:
            if kind in REPLIES:
                reason = "keeps one reply and no averages; it goes with LastGoodReply()"
            elif self.reuse.kinds == REPLIES:
                reason = "keeps averages and no replies; use LGR() or LGRF()"
            elif self.reuse.kinds == HEURISTIC:
                reason = "knows no heuristic; use Heuristic()"
            elif self.reuse.statistics:
                reason = "does not draw the moves that it counts, so nobody knows how likely they were; use UCB1Sum() for example"
            else:
                reason = "does not count how often an action was available; use UCB1Sum() for example"
            raise StrategyError(f"{self.reuse} does not fit {name}, which {reason}")

    @property
    @abstractmethod
    def capture(self) -> Capture: ...

    @property
    @abstractmethod
    def reuse(self) -> Policy: ...

    def enhancements(self) -> Iterator[Enhancement]:
        yield self

    def check(self, game: Game) -> None:
        refuse_without(game, self.capture.needs, str(self))
        self.reuse.check(game)


def refuse_without(game: Game, needs: Iterable[str], name: str) -> None:
    for need in needs:
        if getattr(game, need) is None:
            raise StrategyError(f"{name} needs the function {need!r}, which the game {game.name!r} does not have")
