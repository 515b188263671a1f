"""Every OpenSpiel game as a game of Icarus: ``openspiel:hearts``, ``openspiel:hex(board_size=5)``.

OpenSpiel's state becomes a state of plain Python (see icarus.python_game), so every algorithm and enhancement serves it:

- outcomes of chance are actions of the environment, numbered after the players' actions; where something is hidden, those before
  the first decision are the deal at the start;
- players who move at the same time choose one after the other, and the later ones do not see what the earlier ones chose;
- what a player knows is OpenSpiel's information state (where a game has none, the observations and own actions so far), and what
  it sees of an action is how that changes;
- hidden information is drawn anew by OpenSpiel's resampler where that keeps the contract of a determinization, else by
  :mod:`icarus.bridges.consistent`;
- returns are scaled to [0, 1] by the game's smallest and largest utility.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import numpy as np

from icarus.bridges.consistent import Draws
from icarus.errors import GameError, needing
from icarus.game import Position, State
from icarus.python_game import PythonGame
from icarus.python_game.positions import StateWords
from icarus.python_game.rules import Node, Rules

PREFIX = "openspiel:"
CHANCE, OVER = -1, -4  #: what OpenSpiel calls the players who are none

PASSES = 12  #: cards that four players of Hearts pass on
TRIES = 200  #: resamplings until one can be

#: games whose resampler peeks: what it gives depends on what is hidden
DISTRUSTED = frozenset({"blackjack", "euchre", "gin_rummy", "oh_hell"})


def openspiel_game(text: str) -> OpenSpielGame:
    """The game that OpenSpiel calls this, with or without ``openspiel:`` before its name."""
    return OpenSpielGame(Source(load_openspiel(text.strip().removeprefix(PREFIX).strip())))


def load_openspiel(name: str) -> Any:
    """OpenSpiel's own game object."""
    with needing("games of OpenSpiel", "open_spiel", extra="bench"):
        import pyspiel
    if name.startswith("python_"):
        import open_spiel.python.games  # noqa: F401  (importing registers them)
    short = name.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if short not in known:
        near = get_close_matches(short, known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "pyspiel.registered_names() lists them"
        raise GameError(f"OpenSpiel has no game {short!r}; {hint}")
    try:
        with quiet():
            return pyspiel.load_game(name)
    except Exception as problem:  # whatever C++ throws at unknown parameters
        reason = str(problem).strip().partition("\n")[0]
        raise GameError(f"OpenSpiel cannot load {name!r}: {reason}") from None


@contextmanager
def quiet() -> Iterator[None]:
    """OpenSpiel writes to standard error before it raises; what it raises is enough."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class OpenSpielGame(PythonGame):
    """A game whose states are OpenSpiel's.  Made by :func:`openspiel_game`."""

    source: Source

    def __init__(self, source: Source) -> None:
        super().__init__(Rules(state_class(source), (source,), {}))
        self.__dict__["source"] = source

    def fingerprint(self, state: State) -> Hashable:
        return self.spiel(state).path()

    def position_of(self, spiel: SpielState) -> Position:
        """A position that begins with this state."""
        state = np.zeros(self.state_size, np.int64).view(StateWords)
        self.positions.put(state, Node(spiel, 0, own=False))
        return Position(self, state)

    def spiel(self, state: State) -> SpielState:
        """The state of plain Python behind a state of the engine."""
        inner: SpielState = self.positions.node(state).state
        return inner


class Source:
    """An OpenSpiel game, and what the bridge must know of it."""

    def __init__(self, game: Any) -> None:
        import pyspiel

        types, kind = pyspiel.GameType, game.get_type()
        self.game = game
        self.name = f"{PREFIX}{game}".removesuffix("()")
        self.summary = f"{kind.long_name}, from OpenSpiel"
        if kind.dynamics == types.Dynamics.MEAN_FIELD:
            raise GameError(f"{self.name} is a mean field game, in which nobody decides for one player; it cannot be searched")
        if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
            raise GameError(f"{self.name} draws outcomes inside its states, where a search can neither list nor repeat them")
        self.chance = kind.chance_mode == types.ChanceMode.EXPLICIT_STOCHASTIC
        self.simultaneous = kind.dynamics == types.Dynamics.SIMULTANEOUS
        self.imperfect = kind.information == types.Information.IMPERFECT_INFORMATION
        self.players: int = game.num_players()
        self.first_outcome: int = game.num_distinct_actions()
        self.max_actions: int = max(self.first_outcome, game.max_chance_outcomes() if self.chance else 1)
        choices = game.max_game_length() * (self.players if self.simultaneous else 1)
        whole = choices + (game.max_chance_nodes_in_history() if self.chance else 0)
        # a history that agrees with what was seen may be shorter than the true one, and then has longer to go; and some games
        # with chance promise less chance than there is
        self.max_plies: int = max(whole * (2 if self.imperfect or self.chance else 1), 1)
        self.lowest, self.width = game.min_utility(), game.max_utility() - game.min_utility()
        #: without information states what a player saw is collected on the way
        self.collects = self.imperfect and not kind.provides_information_state_string
        if self.collects and not kind.provides_observation_string:
            raise GameError(f"{self.name} hides something, but OpenSpiel does not say what a player sees of it")
        self.observes = kind.provides_observation_string
        self.resamples = self.imperfect and kind.short_name not in DISTRUSTED and self._has_resampler()
        self.draws = Draws()

    def _has_resampler(self) -> bool:
        """Try it in the first decision of a random game."""
        numbers, state = random.Random(0), self.game.new_initial_state()
        while state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(numbers.choices(outcomes, odds)[0])
        if state.is_terminal() or state.is_simultaneous_node():
            return False
        try:
            with quiet():
                state.resample_from_infostate(state.current_player(), numbers.random)
        except Exception:  # "not implemented", in one way or another
            return False
        return True


class SpielState:
    """A state as OpenSpiel has it, and the choices that some of those who move at the same time have made already."""

    def __init__(self, source: Source, state: Any = None) -> None:
        self.source = source
        self.state = source.game.new_initial_state() if state is None else state
        self.pending: tuple[int, ...] = ()
        #: for every player what it saw and did, where OpenSpiel does not keep that
        self.seen: tuple[tuple[Hashable, ...], ...] = ()
        if source.collects:
            self.seen = tuple((self.state.observation_string(i),) for i in range(source.players))

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def players(self) -> int:
        return self.source.players

    @property
    def max_actions(self) -> int:
        return self.source.max_actions

    @property
    def max_plies(self) -> int:
        return self.source.max_plies

    def clone(self) -> SpielState:
        twin: SpielState = object.__new__(type(self))
        twin.source, twin.state, twin.pending, twin.seen = self.source, self.state.clone(), self.pending, self.seen
        return twin

    def player(self) -> int:
        player: int = self.state.current_player()
        return player if player >= CHANCE or player == OVER else len(self.pending)

    def legal(self) -> list[int]:
        state = self.state
        player = state.current_player()
        if player >= 0:
            actions: list[int] = state.legal_actions()
            return actions
        if player == CHANCE:
            first = self.source.first_outcome
            return [first + outcome for outcome, _ in state.chance_outcomes()]
        return state.legal_actions(len(self.pending)) or [0]

    def apply(self, action: int) -> None:
        player = self.state.current_player()
        if player >= 0:
            self.state.apply_action(action)
        elif player == CHANCE:
            self.state.apply_action(action - self.source.first_outcome)
        else:
            player, self.pending = len(self.pending), (*self.pending, action)
            if len(self.pending) == self.source.players:
                self.state.apply_actions(list(self.pending))
                self.pending = ()
        if self.source.collects:
            self.seen = tuple(self._collected(i, action if i == player else None) for i in range(self.source.players))

    def _collected(self, observer: int, own: int | None) -> tuple[Hashable, ...]:
        before, now = self.seen[observer], self.state.observation_string(observer)
        if own is not None:
            return (*before, own, now)
        return before if before[-1] == now else (*before, now)

    def terminal(self) -> bool:
        over: bool = self.state.is_terminal()
        return over

    def rewards(self) -> list[float]:
        lowest, width = self.source.lowest, self.source.width
        return [min(max((value - lowest) / width, 0.0), 1.0) if width else 0.5 for value in self.state.returns()]

    def view(self, observer: int) -> tuple[Hashable, ...]:
        """All that a player knows: of the game, who acts, its own choice if others still choose, and how far a deal is."""
        known: Hashable
        if not self.source.imperfect:
            known = tuple(self.state.history())
        elif self.source.collects:
            known = self.seen[observer]
        else:
            known = self.state.information_state_string(observer)
        player = self.player()
        own = self.pending[observer] if observer < len(self.pending) else None
        return known, player, own, len(self.state.full_history()) if player == CHANCE else None

    def render(self, observer: int | None) -> str:
        if observer is None or not self.source.imperfect:
            text = str(self.state)
            chosen = self.pending if observer is None else self.pending[observer : observer + 1]
            return f"{text}\nchosen: {' '.join(map(str, chosen))}" if chosen else text
        if self.source.observes:
            return str(self.state.observation_string(observer))
        return str(self.state.information_state_string(observer))

    def format_action(self, action: int) -> str:
        player = self.state.current_player()
        if player == CHANCE:
            action -= self.source.first_outcome
        text: str = self.state.action_to_string(self.player(), action)
        return text

    def path(self) -> tuple[int, ...]:
        """All actions from the start."""
        return (*self.steps(), *self.pending)

    def steps(self) -> list[int]:
        """The actions that OpenSpiel knows of, numbered as here."""
        first = self.source.first_outcome
        return [done.action + first if done.player == CHANCE else done.action for done in self.state.full_history()]


class Outcomes:
    """What a game with chance has beyond that."""

    source: Source
    state: Any

    def sample(self, rng: random.Random) -> int:
        left, outcomes = rng.random(), self.state.chance_outcomes()
        for outcome, probability in outcomes:
            left -= probability
            if left < 0:
                return self.source.first_outcome + int(outcome)
        return self.source.first_outcome + int(outcomes[-1][0])

    def chance(self) -> list[float]:
        return [probability for _, probability in self.state.chance_outcomes()]


class Secrets(SpielState):
    """A state in which somebody does not know something."""

    def deal(self, rng: random.Random) -> None:
        """Cards and dice of the start: nobody decides before them, and nobody should have to guess half a deal."""
        while self.source.imperfect and self.state.is_chance_node():
            outcomes, odds = zip(*self.state.chance_outcomes(), strict=True)
            self.apply(self.source.first_outcome + rng.choices(outcomes, odds)[0])

    def observe(self, action: int, observer: int) -> Hashable:
        """How the action changes what the observer knows."""
        actor, before = self.player(), self.view(observer)
        after_state = self.clone()
        after_state.apply(action)
        after = after_state.view(observer)
        if actor == observer:
            return action, change(before, after)
        return None if before == after else change(before, after)

    def determinize(self, observer: int, rng: random.Random) -> SpielState | None:
        if self.state.is_terminal():
            return None
        if not self.source.imperfect:
            for player in range(len(self.pending)):
                if player != observer:
                    chosen = rng.choice(self.state.legal_actions(player))
                    self.pending = (*self.pending[:player], chosen, *self.pending[player + 1 :])
            return None
        if self.source.resamples and not is_passing(self):
            view = self.view(observer)
            for _ in range(TRIES):
                twin = self._resampled(observer, rng)
                if twin is None:
                    break
                # some resamplers forget who has shown a void suit, or keep what others have passed on
                if twin.view(observer) == view and possible(twin):
                    return twin
        drawn: SpielState = self.source.draws.draw(self, observer, rng)
        return drawn

    def _resampled(self, observer: int, rng: random.Random) -> SpielState | None:
        if self.state.current_player() == observer:
            state = self.state.resample_from_infostate(observer, rng.random)
        else:
            try:
                with quiet():
                    state = self.state.resample_from_infostate(observer, rng.random)
            except Exception:  # not made for this moment
                return None
        twin = type(self)(self.source, state)
        if self.source.collects:
            twin.seen = tuple(self.seen[i] if i == observer else seen for i, seen in enumerate(replayed(twin).seen))
        return twin


class Together:
    """What a game with simultaneous moves has beyond that."""

    state: Any

    def simultaneous(self) -> bool:
        together: bool = self.state.is_simultaneous_node()
        return together


def state_class(source: Source) -> type:
    """A class with the methods that this game needs; it is named after the game, for messages."""
    parts: list[type] = [Outcomes] if source.chance else []
    parts += [Together] if source.simultaneous else []
    parts += [Secrets] if source.imperfect or source.simultaneous else [SpielState]
    return type(source.game.get_type().short_name, tuple(parts), {"__doc__": source.summary})


def is_passing(state: SpielState) -> bool:
    """Are cards passed on in Hearts?  Its resampler would leave those that others have passed as they are."""
    history = state.state.full_history()
    passes = state.source.game.get_type().short_name == "hearts" and len(history) > PASSES and history[0].action > 0
    return passes and sum(done.player != CHANCE for done in history) < PASSES


def replayed(state: SpielState) -> SpielState:
    """The same state, reached step by step."""
    again = type(state)(state.source)
    for action in state.path():
        again.apply(action)
    return again


def possible(state: SpielState) -> bool:
    """Was every move legal when it was made?"""
    walk = state.source.game.new_initial_state()
    for done in state.state.full_history():
        if done.player != CHANCE and done.action not in walk.legal_actions():
            return False
        walk.apply_action(done.action)
    return True


def change(before: tuple[Any, ...], after: tuple[Any, ...]) -> Hashable:
    """What is new, in a form that is the same wherever the same is seen: where the old and the new differ."""
    old, new = before[0], after[0]
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end], end, *after[1:]
