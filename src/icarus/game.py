"""What a game is: a handful of functions over the words of a state, and a few numbers that bound it.

A game says what is legal, what each player sees and how hidden information is sampled; everything else is the engine's.
Every function is ordinary Python, marked ``@compiled``, and works on C pointers that index like arrays:

=================================  ====================================================================================
``initial(state, rng)``            set up a start position (the array is zero but for ``parameters``), dealing with ``rng``
``player(state)``                  who acts: ``0 .. players - 1``, or ``ENVIRONMENT`` for dice, deals and referees
``legal(state, actions) -> n``     write the legal actions of whoever acts; for the environment the outcomes, if they are few
``apply(state, action)``           make the move, in place
``terminal(state)``                is the game over?
``rewards(state, out)``            one reward per player in [0, 1], read when the game is over
``score(state) -> number``         for one player: what the end is worth in the game's own units, more is better; a search then
                                   makes its rewards of the scores that it has seen (engine/evaluate/score.py)
``code(state, action) -> number``  what policies that learn by code share (NRPA): the action itself unless the game says
``sample(state, rng) -> outcome``  draw an outcome of the environment (required if the environment ever acts)
``chance(state, probabilities)``   the probabilities of the outcomes that ``legal`` lists, in the same order
``determinize(state, observer,     replace what the observer cannot know by a *uniform* sample of its information set;
rng)``                             a game without it has no hidden information
``put_back(state, before,          whoever acted in ``before`` has taken this action in a determinization of its own: give it
action)``                          back what it held, as far as what everybody saw of the action allows.  For ``ris``; the bare
                                   array ``before`` gets its names from the layout (``Table(before)``)
``observe(state, action,           what the observer sees of an action that is about to be applied, as an integer: the
observer) -> move``                *move*; a game without it shows every action to everyone.  The player who acts must be
                                   able to tell its actions apart by the move that it sees; the move may tell it more
                                   (whether a hidden square was free, for example); ``UNSEEN``: nothing was noticed
``simultaneous(state)``            this decision is hidden from players who choose at the same time; where other players
                                   choose in the next moment, each moment has a number of its own, from 1 on
``episode(state) -> label``        the EPIC episode function: a label >= 0 where an episode begins, else ``CONTINUES``
``heuristic(state, action)``       how good an action looks to whoever acts, in [0, 1], for progressive bias and unpruning
``predicates(state, out) -> n``    the numbers of the predicates that hold, for PAST
``enter_search(state)``            tell a copy of the state that it is about to be searched (a match may end its horizon here)
``key(state) -> number``           64 bits that tell positions apart and leave out how they came about, for transpositions
``playout(state, rng) -> plies``   the game's own way to the end of a uniformly random game, in place: the same distribution of
                                   rewards as step by step, only faster; returns how many plies were played (0 if the game
                                   was over), which may be more where the game plays on after it is decided, and fewer where
                                   somebody has no choice
``prune(state, actions, size)``    move the legal actions that are worth a look to the front; returns how many there are
``decisive(state, actions,         the same for those that win at once, or else for those that keep the next player from
size)``                            winning at once (all of them, if there is nothing to win or to prevent)
``involved(state, action)``        at the end of a game: did this move of the winner take part in the win? For killer RAVE
``margin(state) -> number``        at the end of a game: how clear the win is, from 0 to 1, for the score bonus
``group(state, action)``           the number, from 0 on, of the group that a legal action belongs to, for move groups
``evaluate(state, out)``           what a position that goes on is worth to each player, in [0, 1]: where playouts are cut off
``suggest(state, last, out) -> n`` legal actions worth playing first in a playout, 0 if nothing stands out; ``last`` is the
                                   action that led here, -1 if there was none
``guided(state, last, actions,       the game's own way to the end of a random game in which every move is drawn among what it
rng) -> plies``                    suggests, as ``playout`` is without suggestions; ``actions`` is there to write to
``features(state, action, out)     the numbers (below ``feature_count``) of what holds of an action here, or of the position
-> n``                             where the action is -1; at most ``max_features`` at once.  For learning
``shifts(state, action, out)       what an action seems to do to the position's features, told without playing it: the numbers of
-> n``                             those that it brings, and -1 - number of those that it takes away.  For FAST
``observation(state, observer,     what the observer knows as numbers of 32 bits, ``observation_shape`` of them, for networks;
out)``                             every one of them is written, and none depends on what the observer cannot know
``action_index(state, action)``    which of a network's ``action_count`` logits belongs to a legal action
=================================  ====================================================================================

Actions, outcomes and moves are integers in ``0 .. 2**31 - 1`` that mean the same thing wherever they appear: the card, not
its index in the hand, since MAST, NAST, LGR and AMAF share statistics by that identity.

A state is an array of 64-bit words, and ``layout`` gives them names: with a class of :mod:`icarus.jit.named` every function reads
``state.turn`` and ``state.board[cell]``; without one it gets the bare array, ``state[0]``.

The rest is for people and is plain Python: ``view``, ``render``, ``format_action`` and ``parse_action`` get the same names over a
NumPy array (or the array itself).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

from icarus.errors import GameError, IcarusError, first_line, line_of
from icarus.jit import (
    Floats,
    Int,
    Ints,
    Layout,
    Nothing,
    Number,
    Numbers,
    Random,
    Real,
    Reals,
    Word,
    Words,
    address,
    compiled,
    python_call,
    size_of,
    with_state,
)
from icarus.jit.randomness import mix, random_below, random_bits, random_unit, seeded
from icarus.rehearsal import is_users, rehearse

__all__ = [
    "CONTINUES",
    "ENVIRONMENT",
    "Game",
    "Layout",
    "Number",
    "Numbers",
    "Position",
    "State",
    "Stepping",
    "UNSEEN",
    "Word",
    "Words",
    "compiled",
    "mix",
    "random_below",
    "random_bits",
    "random_unit",
    "size_of",
]

ENVIRONMENT = -1
CONTINUES = -1
UNSEEN = -1

State = npt.NDArray[np.int64]

#: the C signature of every function of a game
SIGNATURES: dict[str, Any] = {
    "initial": Nothing(Ints, Random),
    "player": Int(Ints),
    "legal": Int(Ints, Ints),
    "apply": Nothing(Ints, Int),
    "terminal": Int(Ints),
    "rewards": Nothing(Ints, Reals),
    "score": Real(Ints),
    "code": Int(Ints, Int),
    "sample": Int(Ints, Random),
    "chance": Int(Ints, Reals),
    "determinize": Nothing(Ints, Int, Random),
    "put_back": Nothing(Ints, Ints, Int),
    "observe": Int(Ints, Int, Int),
    "simultaneous": Int(Ints),
    "episode": Int(Ints),
    "heuristic": Real(Ints, Int),
    "predicates": Int(Ints, Ints),
    "enter_search": Nothing(Ints),
    "key": Int(Ints),
    "playout": Int(Ints, Random),
    "prune": Int(Ints, Ints, Int),
    "decisive": Int(Ints, Ints, Int),
    "group": Int(Ints, Int),
    "involved": Int(Ints, Int),
    "margin": Real(Ints),
    "evaluate": Nothing(Ints, Reals),
    "suggest": Int(Ints, Int, Ints),
    "guided": Int(Ints, Int, Ints, Random),
    "features": Int(Ints, Int, Ints),
    "shifts": Int(Ints, Int, Ints),
    # how the loop steps games that are not one compiled state at a time (see Stepping)
    "advance": Nothing(Ints, Int, Ints, Ints),
    "advance_all": Nothing(Ints, Ints, Ints, Ints, Int),
    "copy": Nothing(Ints, Ints),
    "finish": Int(Ints, Int, Random),
}
#: what only networks ask for: compiled when a search with an evaluator begins
ENCODINGS: dict[str, Any] = {"observation": Nothing(Ints, Int, Floats), "action_index": Int(Ints, Int)}
#: how people know their arguments
ARGUMENTS = {
    **dict.fromkeys(("player", "terminal", "score", "margin", "simultaneous", "episode", "enter_search", "key"), "state"),
    **dict.fromkeys(("initial", "sample", "playout"), "state, rng"),
    **dict.fromkeys(("apply", "code", "heuristic", "group", "involved", "action_index"), "state, action"),
    **dict.fromkeys(("prune", "decisive"), "state, actions, size"),
    **dict.fromkeys(("rewards", "predicates", "evaluate"), "state, out"),
    "suggest": "state, last, out",
    "guided": "state, last, actions, rng",
    "features": "state, action, out",
    "shifts": "state, action, out",
    "legal": "state, actions",
    "chance": "state, probabilities",
    "determinize": "state, observer, rng",
    "put_back": "state, before, action",
    "observe": "state, action, observer",
    "observation": "state, observer, out",
}
REQUIRED = ("initial", "player", "legal", "apply", "terminal", "rewards")


class Stepping(Enum):
    """How the loop steps a game."""

    ONE_STATE = "one state at a time"
    #: ``advance(state, action, legal, report)`` applies an action (below 0: none) and reports who acts, how many actions are
    #: legal, whether the decision is simultaneous, and the episode: one call per ply
    REPORT = "a report per step"
    #: ``advance_all(states, actions, legal, reports, lanes)``: the same for all lanes; an action below 0 leaves its lane alone
    ALL_LANES = "all lanes at once"
    #: reports from Python, which may fail; ``finish(state, action, rng)`` applies an action and plays randomly to the end
    CALLBACKS = "callbacks into Python"


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game as the engine sees it.  See the module's docstring for what each function does.

    ``state_size``, ``max_actions`` and ``max_plies`` are bounds: words of state, legal actions of one decision (and listed
    outcomes of one chance event), actions of one whole game including the environment's.  ``parameters`` are copied into the
    first words of the state before ``initial`` runs.
    """

    name: str
    players: int
    state_size: int
    max_actions: int
    max_plies: int

    initial: Any
    player: Any
    legal: Any
    apply: Any
    terminal: Any
    rewards: Any
    score: Any = None
    code: Any = None
    sample: Any = None
    chance: Any = None
    determinize: Any = None
    put_back: Any = None
    observe: Any = None
    simultaneous: Any = None
    episode: Any = None
    heuristic: Any = None
    predicates: Any = None
    enter_search: Any = None
    key: Any = None
    playout: Any = None
    prune: Any = None
    decisive: Any = None
    group: Any = None
    involved: Any = None
    margin: Any = None
    evaluate: Any = None
    suggest: Any = None
    guided: Any = None
    features: Any = None
    shifts: Any = None
    observation: Any = None
    action_index: Any = None
    #: what the numbers of an observation are arranged as, and how many logits a network gives
    observation_shape: tuple[int, ...] = ()
    action_count: int = 0
    #: who plays together: the number of each player's team, where some do
    teams: Sequence[int] = ()
    advance: Any = None
    advance_all: Any = None
    copy: Any = None
    finish: Any = None

    #: names for the words of a state (see icarus.jit.named); without them functions get a flat array
    layout: type[Layout] | None = None
    parameters: Sequence[int] = ()
    max_predicates: int = 0
    #: how many features there are, and how many can hold at once
    feature_count: int = 0
    max_features: int = 0
    #: everything that the observer knows, in a form that compares equal exactly when the observer cannot tell the states apart
    view: Callable[[Any, int], object] | None = None
    #: the position for a person; ``observer`` is None for someone who may see everything
    render: Callable[[Any, int | None], str] | None = None
    #: the position as a drawing that can be clicked: squares, cards or an SVG (see icarus.drawing.own)
    draw: Callable[[Any, int | None], Any] | None = None
    format_action: Callable[[Any, int], str] | None = None
    #: what an observer saw of an action, in words, where the move is not the action itself; the state, just before the move, is
    #: any one that the observer cannot tell from the true one
    format_move: Callable[[Any, int, int], str] | None = None
    #: of the actions that an observer saw less of than they were, how many of each player's last ones a move lays open
    unveils: Callable[[Any, int, int], dict[int, int]] | None = None
    #: a whole game that leads to a determinization: ``retrace(start, drawn, seen, observer, rng)`` writes how it began into
    #: ``start`` (a determinization of the true start) and returns its actions, with the logarithm of the probability with which
    #: it chose those that the observer could not see; ``seen``: who acted and what the observer saw of it.  For beliefs.
    retrace: Callable[[Any, Any, Sequence[tuple[int, int]], int, Any], tuple[list[int], float]] | None = None
    #: the action that a person means; raises ValueError with what moves look like
    parse_action: Callable[[Any, str], int] | None = None
    player_names: Sequence[str] = ()
    #: for drawings, in words (red, white, ...), where the names do not say it
    player_colours: Sequence[str] = ()
    summary: str = ""
    _calls: dict[str, Callable[..., Any]] = field(default_factory=dict, repr=False, init=False)

    def __post_init__(self) -> None:
        for name in REQUIRED:
            if getattr(self, name) is None:
                raise GameError(f"the game {self.name!r} has no function {name!r}")
        for name in ("players", "state_size", "max_actions", "max_plies"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise GameError(f"the game {self.name!r} declares {name}={value!r}; it must be a whole number of at least 1")
        for name, arguments in ARGUMENTS.items():
            function = getattr(getattr(self, name), "py_func", getattr(self, name))
            if isinstance(function, FunctionType) and function.__code__.co_argcount != arguments.count(",") + 1:
                raise GameError(f"the game {self.name!r}: {name}{inspect.signature(function)} should take ({arguments})")
        if self.layout is not None and self.state_size < size_of(self.layout):
            raise GameError(
                f"the game {self.name!r} declares state_size={self.state_size}; its layout has {size_of(self.layout)} words"
            )
        for name, bound in (("observation", "observation_shape"), ("action_index", "action_count")):
            if getattr(self, name) is not None and not getattr(self, bound):
                raise GameError(f"the game {self.name!r} has the function {name!r} and must say its {bound}")
        if self.score is not None and self.players != 1:
            raise GameError(f"the game {self.name!r} has a score and {self.players} players; a score is for one player")
        if len(self.parameters) > self.state_size:
            raise GameError(f"the game {self.name!r} has more parameters than words of state")

    @property
    def hidden_information(self) -> bool:
        """Is there anything that some player cannot see?"""
        return self.determinize is not None

    @property
    def stochastic(self) -> bool:
        """Does the environment act during the game?"""
        return self.sample is not None

    @property
    def partially_observable_moves(self) -> bool:
        """Can a player see less of an action than the player who chose it?"""
        return self.observe is not None

    @property
    def simultaneous_moves(self) -> bool:
        return self.simultaneous is not None

    @property
    def player_labels(self) -> list[str]:
        """The players for people, who count from one."""
        return list(self.player_names) or [f"player {i + 1}" for i in range(self.players)]

    @cached_property
    def addresses(self) -> dict[str, int]:
        """The address of every function, 0 where the game has none."""
        return {name: self._compiled(address, name) for name in SIGNATURES}

    def _compiled(self, how: Callable[[Any, Any], Any], name: str) -> Any:
        """One of the functions as machine code, by ``address`` or ``python_call``."""
        try:
            return how(getattr(self, name), self.signature(name))
        except NumbaError as problem:
            lines = [line.strip() for line in str(problem).splitlines()]
            reason = next((line for line in lines if line and not line.startswith(("Failed in", "---"))), "")
            where: Any = getattr(problem, "loc", None)
            place = f" ({Path(where.filename).name}, line {where.line})" if where else ""
            raise GameError(f"{self.name}: {name}() cannot be compiled: {reason}{place}") from None

    def signature(self, name: str) -> Any:
        """The C signature of one of the game's functions."""
        return with_state(SIGNATURES.get(name) or ENCODINGS[name], self.layout)

    def action(self, number: int) -> Any:
        """The action of this number as the game itself writes it."""
        return number

    def named(self, state: State) -> Any:
        """A state as the game's functions see it: with the names of its layout, if it has one."""
        return state if self.layout is None else self.layout(state)

    # --- how it is stepped -------------------------------------------------------------------------------------------

    @property
    def stepping(self) -> Stepping:
        """How the loop steps this game."""
        if self.advance_all is not None:
            return Stepping.ALL_LANES
        return Stepping.ONE_STATE if self.advance is None else Stepping.REPORT

    def prepare(self, worker: Any) -> None:
        """Give the lanes of a search what they need beyond the words of their states."""

    def sensible_lanes(self, iterations: int | None = None) -> int:
        """How many lanes a search of so many iterations should have (None: as many as there is time for): one, as published."""
        return 1

    @property
    def problem(self) -> str | None:
        """What went wrong in the last callback that failed."""
        return None

    @property
    def unexplained(self) -> int:
        """How often the game has found nothing that agrees with what a player saw."""
        return 0

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of the game's functions from Python, with arrays in place of pointers."""
        if name not in self._calls:
            function = getattr(self, name)
            if function is None:
                raise GameError(f"the game {self.name!r} has no function {name!r}")
            self._calls[name] = self._compiled(python_call, name)
        return self._calls[name](*arguments)

    @cached_property
    def _rehearsed(self) -> bool:
        """Whether the functions may run as machine code: a user's game is played through in plain Python first."""
        if is_users(self):
            rehearse(self)
        return True

    def start(self, seed: int = 0) -> Position:
        """A new game; the seed decides what the game deals at the start."""
        assert self._rehearsed
        state: State = np.zeros(self.state_size, np.int64)
        state[: len(self.parameters)] = self.parameters
        self.call("initial", state, seeded(seed, stream=1))
        return Position(self, state)

    def __str__(self) -> str:
        return self.name

    def _repr_html_(self) -> str:
        """A start position, for notebooks."""
        return self.start()._repr_html_()


class Position:
    """A game in progress: the true state, and what every player has seen since the start.

    This is the referee's object: it holds the hidden information too.  ``view(observer)`` is what a player may know.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        #: how the game began: with the moves that a player saw, what it saw of this is all that it knows
        self.origin = state.copy()
        #: (player, action, move as seen by each player), from the start of the game
        self.history: list[tuple[int, int, tuple[int, ...]]] = []
        #: label of the current episode, and how many actions had been played when it began
        self.episode: tuple[int, int] = (0, 0)
        #: what each player knows of ``origin``, as a number: filled where it is asked for, and shared by all copies
        self.start_keys: dict[int, int] = {}
        self._track_episode()

    def _track_episode(self) -> None:
        if self.game.episode is not None and not self.is_terminal:
            label = int(self.game.call("episode", self.state))
            if label != CONTINUES:
                self.episode = (label, len(self.history))

    def copy(self) -> Position:
        twin = object.__new__(Position)
        twin.game, twin.state, twin.origin = self.game, self.state.copy(), self.origin
        twin.history, twin.episode, twin.start_keys = list(self.history), self.episode, self.start_keys
        return twin

    @property
    def named(self) -> Any:
        """The state with the names of its layout: ``position.named.turn``."""
        return self.game.named(self.state)

    @property
    def player(self) -> int:
        """Who acts, or ENVIRONMENT."""
        return int(self.game.call("player", self.state))

    @property
    def is_terminal(self) -> bool:
        return bool(self.game.call("terminal", self.state))

    @property
    def environment_acts(self) -> bool:
        """Is it the environment's turn in a game that goes on?"""
        return not self.is_terminal and self.player == ENVIRONMENT

    def legal(self) -> list[int]:
        """The legal actions of whoever acts (none when the game is over)."""
        if self.is_terminal:
            return []
        buffer = np.zeros(self.game.max_actions, np.int64)
        count = int(self.game.call("legal", self.state, buffer))
        if not 0 <= count <= self.game.max_actions:
            most = self.game.max_actions
            raise GameError(
                f"{self.game.name}: legal() reports {count} actions at ply {len(self.history)}; max_actions is {most}"
            )
        actions: list[int] = buffer[:count].tolist()
        return actions

    def observe(self, action: int, observer: int) -> int:
        """What an observer would see of this action."""
        return action if self.game.observe is None else int(self.game.call("observe", self.state, action, observer))

    def apply(self, action: int) -> Position:
        """Play an action, in place."""
        game, moves = self.game, (action,) * self.game.players
        if game.observe is not None:
            moves = tuple([int(game.call("observe", self.state, action, i)) for i in range(game.players)])
        self.history.append((self.player, action, moves))
        self.game.call("apply", self.state, action)
        self._track_episode()
        return self

    def sample(self, rng: np.ndarray) -> int:
        """An outcome of the environment."""
        return int(self.game.call("sample", self.state, rng))

    def chance(self) -> list[float]:
        """The probabilities of the outcomes that ``legal`` lists."""
        out = np.zeros(self.game.max_actions)
        count = int(self.game.call("chance", self.state, out))
        return [float(p) for p in out[:count]]

    def rewards(self) -> list[float]:
        out = np.zeros(self.game.players)
        self.game.call("rewards", self.state, out)
        return [float(r) for r in out]

    def evaluate(self) -> list[float]:
        """What the game's own evaluation says of this position: one number in [0, 1] per player."""
        out = np.zeros(self.game.players)
        self.game.call("evaluate", self.state, out)
        return [float(value) for value in out]

    def suggestions(self) -> list[int]:
        """The actions that the game would play first in a playout."""
        buffer = np.zeros(self.game.max_actions, np.int64)
        last = self.history[-1][1] if self.history else -1
        return [int(action) for action in buffer[: int(self.game.call("suggest", self.state, last, buffer))]]

    def score(self) -> float:
        """What the end of a game of one player is worth, in its own units."""
        return float(self.game.call("score", self.state))

    def determinize(self, observer: int, rng: np.ndarray) -> Position:
        """A position drawn from what the observer cannot tell apart from this one."""
        twin = self.copy()
        if self.game.determinize is not None:
            self.game.call("determinize", twin.state, observer, rng)
        return twin

    def view(self, observer: int) -> object:
        """Everything that the observer knows, comparable."""
        if self.game.view is not None:
            return self._told_by("view", observer)
        return self.state.tobytes()

    def _told_by(self, name: str, argument: Any) -> Any:
        """What one of the game's functions for people says; they are the user's, and may fail."""
        try:
            return getattr(self.game, name)(self.named, argument)
        except IcarusError:
            raise
        except Exception as problem:
            told = f"{first_line(problem)}{line_of(problem, __file__)}"
            raise GameError(f"{self.game.name}: {name}() raised {told} at ply {len(self.history)}") from None

    def drawn(self, observer: int | None = None) -> Any:
        """What the game's own ``draw`` says; None where it has none."""
        return None if self.game.draw is None else self._told_by("draw", observer)

    def format_action(self, action: int) -> str:
        return str(action) if self.game.format_action is None else str(self._told_by("format_action", action))

    def parse_action(self, text: str) -> int:
        """The legal action that a person means by ``text``."""
        text = text.strip()
        legal = self.legal()
        labels = {self.format_action(a): a for a in legal}
        if text in labels:
            return labels[text]
        folded = {label.casefold(): a for label, a in labels.items()}
        if text.casefold() in folded:
            return folded[text.casefold()]
        if self.game.parse_action is not None:
            try:
                action = self.game.parse_action(self.named, text)
            except ValueError as problem:
                raise GameError(f"{text!r} is not a move of {self.game.name}: {problem}") from None
            if action in legal:
                return action
        from difflib import get_close_matches

        near = get_close_matches(text, labels, n=8, cutoff=0.3) or list(labels)[:8]
        raise GameError(f"{text!r} is not a legal move of {self.game.name} here; legal moves are, for example: {', '.join(near)}")

    def render(self, observer: int | None = None) -> str:
        if self.game.render is not None:
            return str(self._told_by("render", observer))
        return " ".join(str(int(word)) for word in self.state) if observer is None else str(self.view(observer))

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        """The drawing of everything, for notebooks; ``icarus.drawing.draw(position, observer)`` is what one player sees."""
        from icarus.drawing import draw

        return f'<div style="max-width:32em">{draw(self)}</div>'


def play_randomly(position: Position, rng: np.ndarray) -> Position:
    """Play uniformly random actions, in place, until the game is over."""
    while not position.is_terminal:
        step_randomly(position, rng)
    return position


def play_to_decision(position: Position, rng: np.ndarray) -> Position:
    """Let the environment act, in place, until a player is to decide or the game is over."""
    while position.environment_acts:
        position.apply(position.sample(rng))
    return position


def step_randomly(position: Position, rng: np.ndarray) -> int:
    """Play one random action (the environment draws from its own policy); returns it."""
    if position.player == ENVIRONMENT:
        action = position.sample(rng)
    else:
        legal = position.legal()
        if not legal:
            raise GameError(f"{position.game.name}: no legal action at ply {len(position.history)} of an unfinished game")
        action = legal[int(random_below(rng, len(legal)))]
    position.apply(action)
    return action
