"""The rules of a game as a plain Python class tells them: one object is one state of the game.

:class:`Rules` is the only place where a user's methods are called.  Whatever comes back is checked, actions of any hashable kind
become numbers and back, and what goes wrong becomes a GameError of one line with the method, the reason and the ply.

A :class:`Node` is a state with what the rules say of it.  Nodes below the root of a search stay in memory, up to ``KEPT_NODES``,
so that walking down the tree again costs no call of the class.
"""

from __future__ import annotations

import copy
import inspect
import math
import reprlib
import threading
from array import array
from collections.abc import Hashable, Sequence
from numbers import Number
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from icarus.engine.layout import ENVIRONMENT, OVER
from icarus.errors import GameError, first_line, line_of
from icarus.python_game.fingerprint import freeze, held_by
from icarus.python_game.node_cache import AHEAD, KEPT_NODES
from icarus.python_game.randomness import EngineRandom

REQUIRED = ("player", "legal", "apply", "terminal", "rewards")
FOR_ONE = ("legal", "apply", "terminal")  #: of a class with a score
OPTIONAL = (
    "clone", "deal", "score", "code", "determinize", "observe", "sample", "chance", "simultaneous", "episode", "heuristic",
    "predicates", "evaluate", "suggest", "enter_search", "view", "render", "draw", "format_action",
)  # fmt: skip

#: what each method is called with, beside the state itself
PARAMETERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("player", "legal", "terminal", "rewards", "clone", "chance", "simultaneous", "episode", "predicates"), ()),
    "score": (),
    "evaluate": (),
    "suggest": ("last",),
    **dict.fromkeys(("apply", "code", "heuristic", "format_action"), ("action",)),
    **dict.fromkeys(("view", "render", "draw"), ("observer",)),
    **dict.fromkeys(("deal", "sample"), ("rng",)),
    "observe": ("action", "observer"),
    "determinize": ("observer", "rng"),
    "enter_search": (),
}

DEFAULT_MAX_ACTIONS, DEFAULT_MAX_PLIES, DEFAULT_MAX_PREDICATES = 1024, 4096, 1024
FIRST_NUMBER = 1 << 30  #: actions that are not small whole numbers are numbered from here, in the order of their appearance
LAST_NUMBER = (1 << 31) - 2


class Played(NamedTuple):
    """The rest of a playout: random plies, rewards, and of one player also the numbers of the actions."""

    plies: int
    rewards: list[float]
    score: float
    line: list[int]


class Node:
    """A state of the game; ``player``, ``numbers`` (of the legal actions) and ``together`` are known after a look at it."""

    __slots__ = ("__weakref__", "children", "held", "numbers", "own", "player", "ply", "state", "together", "words")

    player: int
    numbers: list[int]
    together: int

    def __init__(self, state: Any, ply: int, own: bool, held: list[int] | None = None) -> None:
        self.state = state
        self.ply = ply
        #: nobody else holds this state: it may be changed in place
        self.own = own
        #: the nodes below that are kept, by the number of the action; ``held`` counts all that are kept below one root
        self.children: dict[int, Node] | None = None
        self.held = held
        #: what the loop reads, report and legal actions as they lie in memory; None before the first look
        self.words: bytes | None = None


def required(cls: type) -> tuple[str, ...]:
    """The methods that a class of states must have: with a score it is about one player, who always acts."""
    return FOR_ONE if callable(getattr(cls, "score", None)) else REQUIRED


class Rules:
    """A class of states, called with care."""

    def __init__(self, cls: type, positional: Sequence[Any], named: dict[str, Any]) -> None:
        self.cls, self.positional, self.named = cls, positional, named
        scored = callable(getattr(cls, "score", None))
        missing = [method for method in required(cls) if not callable(getattr(cls, method, None))]
        if missing:
            told = " and ".join(f"{method}()" for method in missing)
            instead = ", or score() if it is for one player" if set(missing) == set(REQUIRED) - set(FOR_ONE) else ""
            raise GameError(f"the class {cls.__name__} is missing {told}{instead}")
        self.has = {method: callable(getattr(cls, method, None)) for method in OPTIONAL}
        #: with a score these two can be left out
        self.tells_player = callable(getattr(cls, "player", None))
        self.tells_rewards = callable(getattr(cls, "rewards", None))
        self.stochastic = self.has["sample"] or self.has["chance"]
        self._lock = threading.Lock()
        self._number_of: dict[Hashable, int] = {}
        self._numbered: list[Hashable] = []
        #: no thing that has a number equals a small whole number, as True or 1.0 would
        self._apart = True
        first = self.construct()
        self._check_signatures(first)
        self.players = self._bound(first, "players", 1 if scored else None)
        self.max_actions = self._bound(first, "max_actions", DEFAULT_MAX_ACTIONS)
        self.max_plies = self._bound(first, "max_plies", DEFAULT_MAX_PLIES)
        self.max_predicates = self._bound(first, "max_predicates", DEFAULT_MAX_PREDICATES)
        #: nothing but a player who acts, actions and an end need be asked of a state
        self.plain = not (self.stochastic or self.has["simultaneous"] or self.has["episode"] or self.has["determinize"])
        #: ``apply`` gives a new state and leaves the old one alone: nothing need be copied before it
        self.pure = self._apply_is_pure()
        #: where a playout begins the tree will come back to; to keep a copy is cheaper than to apply again, if copies are cheap
        self.keeps_starts = self.pure or self.has["clone"]

    def _check_signatures(self, first: Any) -> None:
        """Can every method be called as it will be?"""
        for method, parameters in PARAMETERS.items():
            function = getattr(first, method, None)
            if callable(function):
                try:
                    inspect.signature(function).bind(*parameters)
                except TypeError as problem:
                    wanted = ", ".join(("self", *parameters))
                    raise GameError(f"{self.cls.__name__}.{method}() should take ({wanted}): {problem}") from None
                except ValueError:  # a built-in that does not tell
                    continue

    def _bound(self, first: Any, name: str, default: int | None) -> int:
        value = getattr(first, name, default)
        if value is None:
            raise GameError(f"the class {self.cls.__name__} does not say how many players there are; write `{name} = 2` in it")
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise GameError(f"the class {self.cls.__name__} has {name} = {value!r}; it must be a whole number of at least 1")
        return int(value)

    def _apply_is_pure(self) -> bool:
        node = self.start(EngineRandom())
        self.look(node)
        if not node.numbers:
            return False
        before, twin = freeze(node.state), self.clone(node)
        try:
            after = twin.apply(self.thing(node.numbers[0]))
        except Exception as problem:
            raise self.failure(problem, 0, "apply", self.label(twin, self.thing(node.numbers[0]))) from None
        return after is not None and after is not twin and freeze(twin) == before

    # --- numbers for actions -----------------------------------------------------------------------------------------

    def number(self, thing: Any) -> int:
        """The number of an action, an outcome or a move: small whole numbers are their own."""
        if type(thing) is int and 0 <= thing < FIRST_NUMBER:
            return thing
        number = self._number_of.get(thing)
        if number is None:
            if isinstance(thing, np.integer) and 0 <= thing < FIRST_NUMBER:
                return int(thing)
            with self._lock:
                number = self._number_of.get(thing, FIRST_NUMBER + len(self._numbered))
                if number > LAST_NUMBER:
                    raise GameError(f"{self.cls.__name__} has more than {LAST_NUMBER - FIRST_NUMBER} different actions")
                if thing not in self._number_of:
                    self._numbered.append(thing)
                    self._number_of[thing] = number
                    self._apart = self._apart and not isinstance(thing, Number)
        return number

    def _numbered_all(self, things: Any) -> list[int]:
        """The numbers of actions or codes; without a call for each if all of them have been seen before."""
        number_of = self._number_of
        try:
            if self._apart and len(things) and type(things[0]) is not int:
                return list(map(number_of.__getitem__, things))
            return [thing if type(thing) is int and 0 <= thing < FIRST_NUMBER else number_of[thing] for thing in things]
        except KeyError:
            return [self.number(thing) for thing in things]

    def thing(self, number: int) -> Any:
        """The action, outcome or move of a number."""
        return number if number < FIRST_NUMBER else self._numbered[number - FIRST_NUMBER]

    # --- states ------------------------------------------------------------------------------------------------------

    def construct(self) -> Any:
        try:
            return self.cls(*self.positional, **self.named)
        except Exception as problem:
            arguments = ", ".join([*map(repr, self.positional), *(f"{k}={v!r}" for k, v in self.named.items())])
            raise GameError(f"{self.cls.__name__}({arguments}): {first_line(problem)}{line_of(problem, __file__)}") from None

    def start(self, rng: EngineRandom) -> Node:
        node = Node(self.construct(), 0, own=True)
        return self.changed(node, "deal", rng) if self.has["deal"] else node

    def clone(self, node: Node) -> Any:
        """The node's state, free to be changed."""
        if node.own:
            return node.state
        try:
            return node.state.clone() if self.has["clone"] else copy.deepcopy(node.state)
        except Exception as problem:
            raise self.failure(problem, node.ply, "clone") from None

    def after(self, node: Node, number: int, keep: bool = False) -> Node:
        """The node that an action leads to; with ``keep`` it is there again the next time."""
        if node.children is not None:
            known = node.children.get(number)
            if known is not None:
                return known
        state = node.state if self.pure else self.clone(node)
        try:
            result = state.apply(self.thing(number))
        except Exception as problem:
            raise self.failure(problem, node.ply, "apply", self.label(state, self.thing(number))) from None
        child = Node(state if result is None else result, node.ply + 1, own=True)
        if keep and not node.own:
            if node.held is None:
                node.held = [0]
            if node.held[0] < KEPT_NODES:
                node.held[0] += 1
                if node.children is None:
                    node.children = {}
                node.children[number] = child
                child.own, child.held = False, node.held
        return child

    def changed(self, node: Node, method: str, *arguments: Any) -> Node:
        """A node of its own, after a method that changes the state or gives another."""
        state = self.clone(node)
        try:
            result = getattr(state, method)(*arguments)
        except Exception as problem:
            raise self.failure(problem, node.ply, method) from None
        return Node(state if result is None else result, node.ply, own=True)

    def look(self, node: Node) -> bytes:
        """Ask the rules who acts, and what is legal; returns the node's words."""
        if node.words is not None:
            return node.words
        state = node.state
        player, numbers, together, label = OVER, [], 0, -1
        try:
            if not state.terminal():
                player = self._player(state.player(), node.ply) if self.tells_player else 0
                if player != ENVIRONMENT or self.has["chance"]:
                    numbers = self._numbers(state.legal(), node.ply)
                if self.has["simultaneous"]:
                    together = int(state.simultaneous())
                if self.has["episode"]:
                    label = self._label(state.episode())
        except Exception as problem:
            raise self.failure(problem, node.ply) from None
        node.player, node.numbers, node.together = player, numbers, together
        node.words = array("q", (player, len(numbers), together, label, *numbers)).tobytes()
        return node.words

    def expanded(self, state: Any, ply: int, number: int) -> tuple[Any, list[int]] | None:
        """What ``after``, ``look`` and ``told`` say, in one go: the state that an action leads to, its ply and its words.

        A class spends most of a search in here, so it costs as few calls and objects as possible.  None: whatever is unusual, or
        wrong, is left to those three, which say what it is.
        """
        has = self.has
        try:
            if not self.pure:
                state = state.clone() if has["clone"] else copy.deepcopy(state)
            result = state.apply(number if number < FIRST_NUMBER else self._numbered[number - FIRST_NUMBER])
            if result is not None:
                state = result
            if state.terminal():
                score = array("d", [self._score(state.score(), ply)] if has["score"] else [])
                return state, [ply, OVER, 0, 0, -1, *array("q", score.tobytes())]
            player = state.player() if self.tells_player else 0
            actions = state.legal()
            if type(actions) is not list or type(player) is not int or not 0 <= player < self.players:
                return None
            count = len(actions)
            if not 0 < count <= self.max_actions:
                return None
            if not has["code"]:
                return state, [ply, player, count, 0, -1, *self._numbered_all(actions), *([0] * count)]
            codes = list(map(state.code, actions))
            if self._apart and type(actions[0]) is not int and type(codes[0]) is not int:
                try:
                    numbers = list(map(self._number_of.__getitem__, actions + codes))
                    return state, [ply, player, count, 0, -1, *numbers[:count], *([0] * count), *numbers[count:]]
                except KeyError:
                    pass  # something new, to be numbered
            words = *self._numbered_all(actions), *([0] * count), *self._numbered_all(codes)
            return state, [ply, player, count, 0, -1, *words]
        except Exception:
            return None

    def playout(self, node: Node, number: int, rng: EngineRandom, draws: list[int]) -> Played:
        """Apply an action (below 0: none), then uniformly random ones.

        The choices are those of the compiled loop, bit for bit; ``draws`` are the next of ``rng``.
        """
        if number >= 0:
            node = self.after(node, number, self.keeps_starts)
        state = node.state if self.pure else self.clone(node)
        ply, most, stochastic, drawn, played = node.ply, self.max_actions, self.stochastic, 0, 0
        legal: Any = None
        action: Any = None
        alone = self.players == 1
        line: list[Any] = []
        try:
            for played in range(self.max_plies - ply + 1):
                if state.terminal():
                    break
                if stochastic and self.tells_player and self._player(state.player(), ply + played) == ENVIRONMENT:
                    rng.skip(drawn)
                    action = self._draw(state, rng, ply + played)
                    draws, drawn = rng.upcoming(), 0
                else:
                    legal = state.legal()
                    count = len(legal)
                    if 1 < count <= most:
                        if drawn == AHEAD:
                            rng.skip(drawn)
                            draws, drawn = rng.upcoming(), 0
                        action = legal[draws[drawn] * count >> 32]
                        drawn += 1
                    elif count == 1:
                        action = legal[0]
                    else:
                        self._numbers(legal, ply + played)
                if alone:
                    line.append(action)
                result = state.apply(action)
                if result is not None:
                    state = result
            else:
                raise GameError(f"a game of {self.cls.__name__} did not end within max_plies = {self.max_plies}")
            rng.skip(drawn)
            line = [self.number(thing) for thing in line]
            if self.has["score"]:
                score = self._score(state.score(), ply + played)
                return Played(played, [reward_of(score)], score, line)
            return Played(played, self._rewards(state.rewards(), ply + played), 0.0, line)
        except Exception as problem:
            if legal is not None and not isinstance(problem, GameError):
                self._numbers(legal, ply + played)  # if these are no actions, say that, not what came of it
            raise self.failure(problem, ply + played, label=self.label(state, action)) from None

    # --- what the rules say of a state -------------------------------------------------------------------------------

    def rewards(self, node: Node) -> list[float]:
        if not self.tells_rewards:
            return [reward_of(self.score(node))]
        try:
            return self._rewards(node.state.rewards(), node.ply)
        except Exception as problem:
            raise self.failure(problem, node.ply) from None

    def score(self, node: Node) -> float:
        try:
            return self._score(node.state.score(), node.ply)
        except Exception as problem:
            raise self.failure(problem, node.ply) from None

    def told(self, node: Node) -> bytes:
        """What need not be asked again, as it lies in memory: the codes of the legal actions, at the end the score."""
        if node.player == OVER:
            return array("d", [self.score(node)]).tobytes() if self.has["score"] else b""
        if not self.has["code"] or not node.numbers:
            return b""
        code, things = node.state.code, self._numbered
        try:
            codes = [code(things[n - FIRST_NUMBER] if n >= FIRST_NUMBER else n) for n in node.numbers]
            return array("q", self._numbered_all(codes)).tobytes()
        except Exception as problem:
            raise self.failure(problem, node.ply, "code") from None

    def code(self, node: Node, number: int) -> int:
        """The number of what NRPA's policy knows an action by."""
        try:
            return self.number(node.state.code(self.thing(number)))
        except Exception as problem:
            raise self.failure(problem, node.ply, "code") from None

    def sample(self, node: Node, rng: EngineRandom) -> int:
        try:
            return self.number(self._draw(node.state, rng, node.ply))
        except Exception as problem:
            raise self.failure(problem, node.ply) from None

    def chance(self, node: Node) -> list[float]:
        self.look(node)
        try:
            return self._odds(node.state.chance(), len(node.numbers), node.ply)
        except Exception as problem:
            raise self.failure(problem, node.ply) from None

    def observe(self, node: Node, number: int, observer: int) -> int:
        """What an observer sees of an action; a method that gives None says: nothing."""
        try:
            move = node.state.observe(self.thing(number), observer)
            return -1 if move is None else self.number(move)
        except Exception as problem:
            raise self.failure(problem, node.ply, "observe") from None

    def heuristic(self, node: Node, number: int) -> float:
        try:
            value = float(node.state.heuristic(self.thing(number)))
        except Exception as problem:
            raise self.failure(problem, node.ply, "heuristic") from None
        if not 0.0 <= value <= 1.0:
            raise self.broken("heuristic", f"{value}", node.ply, "values are between 0 and 1")
        return value

    def evaluate(self, node: Node) -> list[float]:
        """What a state that goes on is worth to each player."""
        try:
            return self._rewards(node.state.evaluate(), node.ply, "evaluate")
        except Exception as problem:
            raise self.failure(problem, node.ply, "evaluate") from None

    def suggest(self, node: Node, last: int) -> list[int]:
        """The numbers of the actions to play first; ``last`` below 0 becomes None."""
        self.look(node)
        try:
            numbers = [self.number(action) for action in node.state.suggest(None if last < 0 else self.thing(last)) or ()]
        except Exception as problem:
            raise self.failure(problem, node.ply, "suggest") from None
        for number in numbers:
            if number not in node.numbers:
                raise self.broken("suggest", repr(self.thing(number)), node.ply, "which is not legal")
        return numbers

    def predicates(self, node: Node) -> list[int]:
        try:
            numbers = [self.number(predicate) for predicate in node.state.predicates()]
        except Exception as problem:
            raise self.failure(problem, node.ply, "predicates") from None
        if len(numbers) > self.max_predicates:
            raise self.broken("predicates", f"{len(numbers)}", node.ply, f"max_predicates is {self.max_predicates}")
        return numbers

    def view(self, node: Node, observer: int) -> Hashable:
        """What the observer knows; with nothing hidden and no method of that name it is the whole state."""
        if not self.has["view"]:
            return freeze(node.state)
        try:
            return freeze(node.state.view(observer))
        except Exception as problem:
            raise self.failure(problem, node.ply, "view") from None

    def render(self, node: Node, observer: int | None) -> str:
        try:
            if self.has["render"]:
                return str(node.state.render(observer))
            if observer is not None and self.has["view"]:
                return str(node.state.view(observer))
            if observer is not None and self.has["determinize"]:
                return f"{self.cls.__name__}: what player {observer} sees is told by a method view or render"
            kind: Any = type(node.state)
            if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
                return f"{self.cls.__name__}: {', '.join(f'{k} = {v!r}' for k, v in held_by(node.state).items())}"
            return str(node.state)
        except Exception as problem:
            raise self.failure(problem, node.ply, "render") from None

    def format_action(self, node: Node, number: int) -> str:
        action = self.thing(number)
        if not self.has["format_action"]:
            return str(action)
        try:
            return str(node.state.format_action(action))
        except Exception as problem:
            raise self.failure(problem, node.ply, "format_action") from None

    def label(self, state: Any, action: Any) -> str:
        """What people call an action, in a message about it: nothing may go wrong here."""
        try:
            return str(state.format_action(action)) if self.has["format_action"] else str(action)
        except Exception:
            return str(action)

    def draw(self, node: Node, observer: int | None) -> Any:
        try:
            return node.state.draw(observer)
        except Exception as problem:
            raise self.failure(problem, node.ply, "draw") from None

    # --- checks ------------------------------------------------------------------------------------------------------

    def _player(self, player: Any, ply: int) -> int:
        number = player if type(player) is int else int(player) if isinstance(player, int | np.integer) else OVER
        if not ENVIRONMENT <= number < self.players:
            who = "only player 0" if self.players == 1 else f"players 0 to {self.players - 1}"
            raise self.broken("player", repr(player), ply, f"there are {who}, and ENVIRONMENT (-1)")
        if number == ENVIRONMENT and not self.stochastic:
            raise self.broken("player", "ENVIRONMENT", ply, "but there is no method sample or chance")
        return number

    def _numbers(self, actions: Any, ply: int) -> list[int]:
        if type(actions) is not list and (not isinstance(actions, Sequence | np.ndarray) or isinstance(actions, str)):
            raise self.broken("legal", f"a {type(actions).__name__}", ply, "it should give a list of actions")
        try:
            numbers = self._numbered_all(actions)
        except TypeError:
            action = next(a for a in actions if not isinstance(a, Hashable))
            expected = f"a {type(action).__name__} cannot be hashed: use a number, a string or a tuple"
            raise self.broken("legal", repr(action), ply, expected) from None
        if not numbers:
            raise self._no_action(ply)
        if len(numbers) > self.max_actions:
            raise self.broken("legal", f"{len(numbers)} actions", ply, f"there is room for max_actions = {self.max_actions}")
        return numbers

    def _rewards(self, given: Any, ply: int, method: str = "rewards") -> list[float]:
        try:
            rewards = list(map(float, given))
        except (TypeError, ValueError):
            raise self.broken(method, repr(given), ply, "it should give a list of numbers") from None
        if len(rewards) != self.players:
            raise self.broken(method, f"{len(rewards)} numbers", ply, f"there are {self.players} players")
        for reward in rewards:
            if not 0.0 <= reward <= 1.0:
                raise self.broken(method, repr(given), ply, "rewards are between 0 and 1")
        return rewards

    def _score(self, given: Any, ply: int) -> float:
        try:
            score = float(given)
        except (TypeError, ValueError, OverflowError):
            score = math.nan
        if not math.isfinite(score) or isinstance(given, str):
            raise self.broken("score", reprlib.repr(given), ply, "it should give a number")
        return score

    def _odds(self, given: Any, outcomes: int, ply: int) -> list[float]:
        odds = list(map(float, given))
        if len(odds) != outcomes:
            raise self.broken("chance", f"{len(odds)} probabilities", ply, f"there are {outcomes} outcomes")
        return odds

    def _draw(self, state: Any, rng: EngineRandom, ply: int) -> Any:
        """An outcome of the environment, from ``sample`` or from ``chance``."""
        rng.gauss_next = None
        if self.has["sample"]:
            return state.sample(rng)
        outcomes = state.legal()
        odds = self._odds(state.chance(), len(outcomes), ply)
        left = rng.random() * math.fsum(odds)
        for outcome, probability in zip(outcomes, odds, strict=True):
            left -= probability
            if left < 0:
                return outcome
        return outcomes[-1]

    def _label(self, label: Any) -> int:
        return -1 if label is None or label == -1 else self.number(label)

    def _no_action(self, ply: int) -> GameError:
        return self.broken("legal", "no action", ply, "but the game is not over")

    # --- what went wrong ---------------------------------------------------------------------------------------------

    def broken(self, method: str, gives: str, ply: int, expected: str) -> GameError:
        return GameError(f"{self.cls.__name__}.{method}() gives {gives} at ply {ply}; {expected}")

    def failure(self, problem: Exception, ply: int, method: str = "", label: str = "") -> GameError:
        """One line for what a method raised."""
        if isinstance(problem, GameError):
            return problem
        called = method or _called(problem.__traceback__) or "a method"
        of = f" of {label}" if label and called == "apply" else ""
        told = f"{first_line(problem)}{line_of(problem, __file__)}"
        return GameError(f"{self.cls.__name__}.{called}(){of} raised {told} at ply {ply}")


def reward_of(score: float) -> float:
    """A fixed reward for a score of unknown range, where no search says what it has seen: one half for 0, 1 for the infinite."""
    return 0.5 + 0.5 * score / (1.0 + abs(score))


def _called(trace: TracebackType | None) -> str:
    """The method that was called from here."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return "" if trace is None else trace.tb_frame.f_code.co_name
