"""A game written as a plain Python class: slow beside a compiled one, but served by the same engine and every algorithm.

An object of the class is a state of the game.  ``examples/tic_tac_toe_class.py`` is a whole game; this is what a class can have:

==============================  ==============================================================================================
``players = 2``                 how many play; also optional: ``max_actions``, ``max_plies`` (bounds), ``name``, ``player_names``
``player()``                    who acts: ``0 .. players - 1``, or ``icarus.ENVIRONMENT``
``legal()``                     a list of legal actions of any hashable kind: numbers, strings, tuples
``apply(action)``               make the move; in place, or by returning a new state
``terminal()``                  is the game over?
``rewards()``                   one number in [0, 1] per player; with a score neither this nor ``player`` is needed
..                              *optional:*
``clone()``                     a copy that can be changed alone; without it ``copy.deepcopy``, which is slow
``score()``                     for one player: what the end is worth, in units of your own; more is better
``code(action)``                what NRPA's policy shares (any hashable thing); without it the action itself
``deal(rng)``                   deal at the start
``sample(rng)``                 draw an outcome of the environment
``chance()``                    the probabilities of its outcomes, in the order of ``legal()``
``determinize(observer, rng)``  replace what the observer cannot know by a uniform sample; in place, or by returning a new state
``observe(action, observer)``   what the observer sees of an action; None for nothing
``simultaneous()``              this decision is hidden from the others who choose at the same time
``episode()``                   the label of an episode that begins here, else None
``heuristic(action)``           how good an action looks, in [0, 1]
``predicates()``                what holds in this state, for PAST
``evaluate()``                  what a state that goes on is worth: one number in [0, 1] per player, for playouts that are cut off
``suggest(last)``               legal actions to play first in playouts, if any; ``last`` is the action before, or None
``view(observer)``              all that the observer knows, in a form that compares
``render(observer)``            the position as text; ``observer`` is None for someone who may see everything
``draw(observer)``              the position as squares, cards or an SVG (see icarus.drawing.own)
``format_action(action)``       an action as text (default: ``str``)
==============================  ==============================================================================================

``rng`` is a ``random.Random``; what it draws follows from the seed of the search.

In ``rules`` the class is called, and what it says is checked; ``positions`` are those of people and matches, ``lanes`` the
playouts of a search.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np

from icarus.engine.world import Worker
from icarus.errors import GameError
from icarus.game import SIGNATURES, Game, Position, State, Stepping
from icarus.jit.randomness import seeded
from icarus.python_game.fingerprint import freeze
from icarus.python_game.lanes import Lanes
from icarus.python_game.node_cache import STATE_WORDS
from icarus.python_game.positions import Positions, StateWords
from icarus.python_game.randomness import EngineRandom
from icarus.python_game.rules import Rules

__all__ = ["PythonGame", "python_game"]


def python_game(cls: type, *positional: Any, **named: Any) -> PythonGame:
    """The game whose states are objects of this class; the other arguments go to the class."""
    return PythonGame(Rules(cls, positional, named))


class PythonGame(Game):
    """A game whose functions are methods of a Python class.  Made by :func:`python_game`."""

    rules: Rules
    positions: Positions
    lanes: Lanes

    def __init__(self, rules: Rules) -> None:
        positions = Positions(rules)
        optional = {name: getattr(positions, name) for name in SIGNATURES if rules.has.get(name)}
        if rules.stochastic:
            optional["sample"] = positions.sample
        first = rules.start(EngineRandom()).state
        arguments = [*map(repr, rules.positional), *(f"{k}={v!r}" for k, v in rules.named.items())]
        name = getattr(first, "name", None)
        shows = rules.has["view"] or not rules.has["determinize"]
        super().__init__(
            name=name if isinstance(name, str) else rules.cls.__name__ + (f"({','.join(arguments)})" if arguments else ""),
            summary=(rules.cls.__doc__ or "").strip().partition("\n")[0],
            players=rules.players,
            state_size=STATE_WORDS,
            max_actions=rules.max_actions,
            max_plies=rules.max_plies,
            max_predicates=rules.max_predicates if rules.has["predicates"] else 0,
            player_names=tuple(getattr(first, "player_names", ())),
            initial=positions.initial,
            player=positions.player,
            legal=positions.legal,
            apply=positions.apply,
            terminal=positions.terminal,
            rewards=positions.rewards,
            view=positions.view if shows else None,
            render=positions.render,
            draw=positions.draw if rules.has["draw"] else None,
            format_action=positions.format_action,
            **optional,
        )
        if self.player_names and len(self.player_names) != self.players:
            names = len(self.player_names)
            raise GameError(f"the class {rules.cls.__name__} has {names} player_names for {self.players} players")
        self.__dict__.update(rules=rules, positions=positions, lanes=Lanes(rules, positions))

    @property
    def problem(self) -> str | None:
        """What went wrong in the last callback that failed."""
        return self.lanes.problem

    @cached_property
    def addresses(self) -> dict[str, int]:
        return self.lanes.addresses()

    def call(self, name: str, *arguments: Any) -> Any:
        function = getattr(self, name)
        if function is None:
            raise GameError(f"the game {self.name!r} has no function {name!r}")
        return function(*arguments)

    def start(self, seed: int = 0) -> Position:
        state = np.zeros(self.state_size, np.int64).view(StateWords)
        self.call("initial", state, seeded(seed, stream=1))
        return Position(self, state)

    def action(self, number: int) -> Any:
        """The action of the class that has this number."""
        return self.rules.thing(number)

    def number(self, action: Any) -> int:
        """The number of an action of the class."""
        return self.rules.number(action)

    def fingerprint(self, state: State) -> Hashable:
        """What the object behind a state holds, comparable."""
        return freeze(self.positions.node(state).state)

    @property
    def stepping(self) -> Stepping:
        return Stepping.CALLBACKS

    def prepare(self, worker: Worker) -> None:
        """Give every lane its own state."""
        self.lanes.add(worker)
