"""A game's first play, in plain Python and over memory that watches every index.

Compiled functions get bare pointers: with a ``state_size`` that is too small, or one action more than ``max_actions``, they would
write into memory that belongs to somebody else.  So before the machine code of a user's game runs for the first time, the same
functions are played through as plain Python, and whoever reaches beyond what it was given is named, with the index and the line.
"""

from __future__ import annotations

from types import CellType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from icarus.errors import GameError, line_of
from icarus.jit.randomness import random_below, seeded

if TYPE_CHECKING:
    from icarus.game import Game

ACCESSES = 200_000  #: words read and written in one rehearsal at most: about a third of a second
PLAYED = 16  #: from every so many positions a game's own playout goes to the end
OTHERS = 4  #: legal actions beside the chosen one that are looked at in each position


class Overrun(GameError):
    """A function of a game has reached beyond the memory that it was given."""

    def __init__(self, message: str, ply: int = 0) -> None:
        super().__init__(message)
        self.ply = ply


def is_users(game: Game) -> bool:
    """Is some function of the game not one of those that come with Icarus?"""
    sources = (value.py_func if isinstance(value, Dispatcher) else value for value in vars(game).values())
    return any(isinstance(source, FunctionType) and not source.__module__.startswith("icarus.") for source in sources)


def rehearse(game: Game, seed: int = 0) -> None:
    """Play a random game, calling everything that the game has; raises :class:`Overrun`.

    It ends early where plain Python cannot follow (a number beyond 64 bits, say): then nothing is known, and nothing is claimed.
    """
    stage = _Stage(game)
    try:
        with np.errstate(all="ignore"):
            stage.play(seed)
    except _Reached as reached:
        raise Overrun(stage.told(reached, *reached.args), stage.ply) from None
    except IndexError as problem:  # of an array or a tuple of the user's own
        raise Overrun(stage.told(problem, "goes too far", str(problem)), stage.ply) from None
    except Exception:
        return


class _Stage:
    """One play."""

    def __init__(self, game: Game) -> None:
        self.game, self.twins = game, Twins()
        self.left = [ACCESSES]
        #: what is being called
        self.doing, self.ply = "", 0

    def play(self, seed: int) -> None:
        game, rng = self.game, seeded(seed, stream=1)
        state = self.memory("state", game.state_size, f"state_size is {game.state_size}")
        state[: len(game.parameters)] = game.parameters
        actions = self.memory("actions", game.max_actions, f"max_actions is {game.max_actions}")
        odds = self.memory("probabilities", game.max_actions, f"max_actions is {game.max_actions}", np.float64)
        facts = self.memory("out", game.max_predicates, f"max_predicates is {game.max_predicates}")
        features = self.memory("out", game.max_features, f"max_features is {game.max_features}")
        rewards = self.memory("out", game.players, f"there are {game.players} players", np.float64)
        self.call("initial", state, rng)
        rng, last = seeded(seed, stream=21), -1
        while not self.call("terminal", state):
            if self.ply == game.max_plies:
                return
            player = int(self.call("player", state))
            options: list[int] = []
            if player >= 0 or game.chance is not None:
                count = int(self.call("legal", state, actions))
                if not 0 < count <= game.max_actions:
                    return  # whoever plays the game will say so
                options = [int(action) for action in np.asarray(actions)[:count]]
            for name in ("simultaneous", "episode", "key"):
                self.call(name, state)
            self.call("enter_search", state.copy())
            if self.ply % PLAYED == 0:
                self.call("playout", state.copy(), rng.copy())
            for observer in range(game.players):
                self.call("determinize", state.copy(), observer, rng.copy())
            self.call("predicates", state, facts)
            self.call("evaluate", state, rewards)
            self.call("features", state, -1, features)
            if player < 0:
                self.call("chance", state, odds)
                chosen = int(self.call("sample", state, rng))
            else:
                chosen = options[int(random_below(rng, len(options)))]
                self.call("suggest", state, last, actions)
            for action in [chosen, *options[:OTHERS]]:
                for observer in range(game.players):
                    self.call("observe", state, action, observer)
                if player >= 0:
                    self.call("heuristic", state, action)
                    self.call("features", state, action, features)
                    self.call("shifts", state, action, features)
                    self.call("code", state, action)
            for action in options[:OTHERS]:
                self.call("apply", state.copy(), action)
                if player >= 0 and self.game.put_back is not None:
                    twin = state.copy()
                    self.call("determinize", twin, player, rng.copy())
                    self.call("apply", twin, action)
                    self.call("put_back", twin, state.copy(), action)
            self.call("apply", state, chosen)
            last = chosen
            self.ply += 1
        self.call("rewards", state, rewards)
        self.call("score", state)

    def memory(self, name: str, size: int, bound: str, kind: type = np.int64) -> Any:
        words = np.zeros(size, kind).view(Watched)
        words.name, words.bound, words.left, words.whole = name, bound, self.left, size
        return words

    def call(self, name: str, state: Any, *rest: Any) -> Any:
        """Call a function, if the game has it."""
        function = getattr(self.game, name)
        if function is None:
            return None
        label = f" of {self.label(state, rest[0])}" if name in ("apply", "observe", "heuristic") else ""
        self.doing = f"{name}(){label}"
        return self.twins.of(function)(self.game.named(state), *map(_as_compiled, rest))

    def label(self, state: Any, action: int) -> str:
        """What people call an action."""
        try:
            return f"{action} ({self.game.format_action(self.game.named(np.array(state)), action)})"  # type: ignore[misc]
        except Exception:
            return str(action)

    def told(self, problem: BaseException, what: str, why: str) -> str:
        """One line, with the line of the user's file that did it."""
        return f"{self.game.name}: {self.doing} {what} at ply {self.ply}; {why}{line_of(problem, __file__)}"


def _as_compiled(value: Any) -> Any:
    return np.int64(value) if isinstance(value, int) else value


class _Reached(Exception):
    """An index beyond what there is: what is done there, and how much there is."""


class _Enough(Exception):
    """The rehearsal has taken long enough."""


class Watched(np.ndarray[Any, np.dtype[Any]]):
    """An array that behaves as a C pointer does, but tells when it is used beyond its ends."""

    name: str
    bound: str
    left: list[int]
    #: where a part of an array begins in it, and how long the array is
    first: int
    whole: int

    def __array_finalize__(self, source: Any) -> None:
        self.name, self.bound = getattr(source, "name", ""), getattr(source, "bound", "")
        self.left = getattr(source, "left", [ACCESSES])
        self.first, self.whole = getattr(source, "first", 0), getattr(source, "whole", 0)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            part: Any = super().__getitem__(index)
            part.first = self.first + (index.start or 0)
            return part
        return super().__getitem__(self._checked(index, "reads"))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index if isinstance(index, slice) else self._checked(index, "writes"), value)

    def _checked(self, index: Any, verb: str) -> int:
        number = int(index)
        if not 0 <= number < len(self):
            place = self.first + number
            if 0 <= place < self.whole:  # in the array, but not in the part of it that has a name
                raise _Reached(f"{verb} word {number} of a part of {self.name}", f"the part has {len(self)} words")
            raise _Reached(f"{verb} {self.name}[{place}]", self.bound)
        self.left[0] -= 1
        if self.left[0] < 0:
            raise _Enough
        return number


#: what is machine code from the start, by name, as plain Python
PLAIN: dict[str, Any] = {
    "at": lambda array, offset: array[offset:],
    "element": lambda pointer, index: type(pointer)(pointer._array, index * pointer.__size__),
    "_trailing_zeros": lambda bits: (int(bits) & -int(bits)).bit_length() - 1,
    "_leading_zeros": lambda bits: 64 - (int(bits) & 2**64 - 1).bit_length(),
    "_population": lambda bits: (int(bits) & 2**64 - 1).bit_count(),
}


class Twins:
    """Compiled functions as plain Python, with all that they call.

    ``instead``: what takes the place of some of them.
    """

    def __init__(self, instead: dict[Any, Any] | None = None) -> None:
        self._made: dict[Any, Any] = {}
        self._instead = instead or {}

    def of(self, function: Any) -> Any:
        if callable(function) and function in self._instead:
            return self._instead[function]
        # without a compiler only those need a twin that may call what is replaced
        plain = self._instead and isinstance(function, FunctionType) and function.__module__.startswith("icarus.games")
        if not isinstance(function, Dispatcher) and not plain:
            return function
        source = function.py_func if isinstance(function, Dispatcher) else function
        if source not in self._made:
            names = dict(source.__globals__)
            cells = tuple(CellType(self._replaced(cell.cell_contents)) for cell in source.__closure__ or ())
            self._made[source] = twin = FunctionType(source.__code__, names, source.__name__, source.__defaults__, cells)
            twin.__kwdefaults__ = source.__kwdefaults__
            names.update({name: self._replaced(value) for name, value in source.__globals__.items()})
        return self._made[source]

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, ModuleType):
            ours = bool(self._instead) and value.__name__.startswith("icarus.games")
            return _Module(value, self) if ours or any(isinstance(held, Dispatcher) for held in vars(value).values()) else value
        return PLAIN.get(value._name, value) if isinstance(value, _Intrinsic) else self.of(value)


class _Module:
    """A module whose compiled functions are plain."""

    def __init__(self, module: ModuleType, twins: Twins) -> None:
        self._module, self._twins = module, twins

    def __getattr__(self, name: str) -> Any:
        return self._twins._replaced(getattr(self._module, name))
