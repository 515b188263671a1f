"""What a game is: a handful of functions over a flat array of integers, and a few numbers that bound it.

A game says what is legal, what each player sees and how hidden information is sampled; everything else is the engine's.
Every function is ordinary Python, marked ``@compiled``, and works on C pointers that index like arrays:

=================================  ====================================================================================
``initial(state, rng)``            set up a start position (the array is zero but for ``parameters``), dealing with ``rng``
``player(state)``                  who acts: ``0 .. players - 1``, or ``ENVIRONMENT`` for dice, deals and referees
``legal(state, actions) -> n``     write the legal actions of whoever acts; for the environment the outcomes, if they are few
``apply(state, action)``           make the move, in place
``terminal(state)``                is the game over?
``rewards(state, out)``            one reward per player in [0, 1], read when the game is over
``sample(state, rng) -> outcome``  draw an outcome of the environment (required if the environment ever acts)
``chance(state, probabilities)``   the probabilities of the outcomes that ``legal`` lists, in the same order
``determinize(state, observer,     replace what the observer cannot know by a *uniform* sample of its information set;
rng)``                             a game without it has no hidden information
``observe(state, action,           what the observer sees of an action that is about to be applied, as an integer: the
observer) -> move``                *move*; a game without it shows every action to everyone.  The player who acts must be
                                   able to tell its actions apart by the move that it sees; the move may tell it more
                                   (whether a hidden square was free, for example); ``UNSEEN``: nothing was noticed
``simultaneous(state)``            this decision is hidden from players who choose at the same time
``episode(state) -> label``        the EPIC episode function: a label >= 0 where an episode begins, else ``CONTINUES``
``heuristic(state, action)``       how good an action looks to whoever acts, in [0, 1], for progressive bias and unpruning
``predicates(state, out) -> n``    the numbers of the predicates that hold, for PAST
``enter_search(state)``            tell a copy of the state that it is about to be searched (a match may end its horizon here)
=================================  ====================================================================================

Actions, outcomes and moves are integers in ``0 .. 2**31 - 1`` that mean the same thing wherever they appear: the card, not
its index in the hand, since MAST, NAST, LGR and AMAF share statistics by that identity.

The rest is for people and is plain Python: ``view``, ``render``, ``format_action`` and ``parse_action`` get a NumPy array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine.native import Int, Ints, Nothing, Random, Real, Reals, address, compiled, python_call
from icarus.engine.randomness import mix, random_below, random_bits, random_unit, seeded
from icarus.errors import GameError

__all__ = [
    "CONTINUES",
    "ENVIRONMENT",
    "Game",
    "Position",
    "UNSEEN",
    "State",
    "compiled",
    "mix",
    "random_below",
    "random_bits",
    "random_unit",
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
    "sample": Int(Ints, Random),
    "chance": Int(Ints, Reals),
    "determinize": Nothing(Ints, Int, Random),
    "observe": Int(Ints, Int, Int),
    "simultaneous": Int(Ints),
    "episode": Int(Ints),
    "heuristic": Real(Ints, Int),
    "predicates": Int(Ints, Ints),
    "enter_search": Nothing(Ints),
}
REQUIRED = ("initial", "player", "legal", "apply", "terminal", "rewards")


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
    sample: Any = None
    chance: Any = None
    determinize: Any = None
    observe: Any = None
    simultaneous: Any = None
    episode: Any = None
    heuristic: Any = None
    predicates: Any = None
    enter_search: Any = None

    parameters: Sequence[int] = ()
    max_predicates: int = 0
    #: everything that the observer knows, in a form that compares equal exactly when the observer cannot tell the states apart
    view: Callable[[State, int], object] | None = None
    #: the position for a person; ``observer`` is None for someone who may see everything
    render: Callable[[State, int | None], str] | None = None
    format_action: Callable[[State, int], str] | None = None
    #: the action that a person means; raises ValueError with what moves look like
    parse_action: Callable[[State, str], int] | None = None
    player_names: Sequence[str] = ()
    summary: str = ""
    _calls: dict[str, Callable[..., Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in REQUIRED:
            if getattr(self, name) is None:
                raise GameError(f"the game {self.name!r} has no function {name!r}")
        for name in ("players", "state_size", "max_actions", "max_plies"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise GameError(f"the game {self.name!r} declares {name}={value!r}; it must be a whole number of at least 1")
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
        return list(self.player_names) or [f"player {i}" for i in range(self.players)]

    @cached_property
    def addresses(self) -> dict[str, int]:
        """The address of every function, 0 where the game has none."""
        return {name: address(getattr(self, name), signature) for name, signature in SIGNATURES.items()}

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of the game's functions from Python, with arrays in place of pointers."""
        if name not in self._calls:
            function = getattr(self, name)
            if function is None:
                raise GameError(f"the game {self.name!r} has no function {name!r}")
            self._calls[name] = python_call(function, SIGNATURES[name])
        return self._calls[name](*arguments)

    def start(self, seed: int = 0) -> Position:
        """A new game; the seed decides what the game deals at the start."""
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
        #: (player, action, move as seen by each player), from the start of the game
        self.history: list[tuple[int, int, tuple[int, ...]]] = []
        #: label of the current episode, and how many actions had been played when it began
        self.episode: tuple[int, int] = (0, 0)
        self._track_episode()

    def _track_episode(self) -> None:
        if self.game.episode is not None and not self.is_terminal:
            label = int(self.game.call("episode", self.state))
            if label != CONTINUES:
                self.episode = (label, len(self.history))

    def copy(self) -> Position:
        twin = object.__new__(Position)
        twin.game, twin.state = self.game, self.state.copy()
        twin.history, twin.episode = list(self.history), self.episode
        return twin

    @property
    def player(self) -> int:
        """Who acts, or ENVIRONMENT."""
        return int(self.game.call("player", self.state))

    @property
    def is_terminal(self) -> bool:
        return bool(self.game.call("terminal", self.state))

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
        players = range(self.game.players)
        moves = tuple([action if self.game.observe is None else self.observe(action, i) for i in players])
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

    def determinize(self, observer: int, rng: np.ndarray) -> Position:
        """A position drawn from what the observer cannot tell apart from this one."""
        twin = self.copy()
        if self.game.determinize is not None:
            self.game.call("determinize", twin.state, observer, rng)
        return twin

    def view(self, observer: int) -> object:
        """Everything that the observer knows, comparable."""
        if self.game.view is not None:
            return self.game.view(self.state, observer)
        return self.state.tobytes()

    def format_action(self, action: int) -> str:
        return str(action) if self.game.format_action is None else self.game.format_action(self.state, action)

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
                action = self.game.parse_action(self.state, text)
            except ValueError as problem:
                raise GameError(f"{text!r} is not a move of {self.game.name}: {problem}") from None
            if action in legal:
                return action
        from difflib import get_close_matches

        near = get_close_matches(text, labels, n=8, cutoff=0.3) or list(labels)[:8]
        raise GameError(f"{text!r} is not a legal move of {self.game.name} here; legal moves are, for example: {', '.join(near)}")

    def render(self, observer: int | None = None) -> str:
        if self.game.render is not None:
            return self.game.render(self.state, observer)
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
