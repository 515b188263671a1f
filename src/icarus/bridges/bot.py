"""Icarus as an OpenSpiel bot: it plays OpenSpiel's own states, against whatever else plays there.

>>> import pyspiel
>>> from icarus.bridges.bot import IcarusBot
>>> game = pyspiel.load_game("tic_tac_toe")
>>> state = game.new_initial_state()
>>> for action in (0, 3, 1, 4):
...     state.apply_action(action)
>>> IcarusBot(game, 0, iterations=500, seed=1).step(state)
2

Where Icarus has the same game compiled, with the same action numbers, that one is searched; any other through
:mod:`icarus.bridges.openspiel`.  OpenSpiel hands a bot the true state; the search uses what the bot's player may know of it.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from icarus.bridges.openspiel import CHANCE, OpenSpielGame, SpielState, openspiel_game
from icarus.errors import GameError, needing
from icarus.game import Game, Position
from icarus.loading import load
from icarus.result import SearchResult
from icarus.search import Search

with needing("a bot for OpenSpiel", "open_spiel", extra="bench"):
    import pyspiel

#: OpenSpiel's game -> the compiled game of the same rules and action numbers, and the parameters that it may have
NATIVE: dict[str, tuple[str, dict[str, str]]] = {
    "tic_tac_toe": ("tic_tac_toe", {}),
    "mnk": ("mnk({m},{n},{k})", {"m": "15", "n": "15", "k": "5"}),
    "connect_four": ("connect_four", {}),
    "othello": ("othello", {}),
    "hex": ("hex({board_size})", {"board_size": "11"}),
    "clobber": ("clobber({rows},{columns})", {"rows": "5", "columns": "6"}),
    "havannah": ("havannah({board_size})", {"board_size": "8"}),
    "mancala": ("mancala", {}),
    "kuhn_poker": ("kuhn_poker({players})", {"players": "2"}),
    "liars_dice": ("liars_dice({numdice},{dice_sides})", {"numdice": "1", "dice_sides": "6"}),
}


class IcarusBot(pyspiel.Bot):  # type: ignore[misc]
    """A player of OpenSpiel that searches with Icarus.

    ``iterations`` and ``seconds`` are the budget of a decision (1000 iterations without either); the other options are those of
    :class:`icarus.Search`.  ``native=False`` searches OpenSpiel's states even where Icarus has the game compiled.  The tree is
    kept from one decision to the next.
    """

    def __init__(
        self,
        game: Any,
        player_id: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        native: bool = True,
        **options: Any,
    ) -> None:
        pyspiel.Bot.__init__(self)
        if not 0 <= player_id < game.num_players():
            raise GameError(f"there is no player {player_id} in {game}; players are 0 to {game.num_players() - 1}")
        name = native_name(game) if native else None
        self.game: Game = openspiel_game(str(game)) if name is None else load(name)
        self.player_id, self.seed, self.options = player_id, seed, options
        self.iterations = 1000 if iterations is None and seconds is None else iterations
        self.seconds = seconds
        #: what the last search found
        self.result: SearchResult | None = None
        self._games = 0
        self._search: Search | None = None
        self._position: Position | None = None
        self._path: list[tuple[int, int]] = []

    # --- what OpenSpiel calls ----------------------------------------------------------------------------------------

    def step(self, state: Any) -> int:
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The policy is the share of the visits that each action got."""
        legal: list[int] = state.legal_actions(self.player_id)
        if not legal:
            return [], int(pyspiel.INVALID_ACTION)
        if not state.is_simultaneous_node() and state.current_player() != self.player_id:
            raise GameError(f"player {state.current_player()} acts in this state, not the bot's player {self.player_id}")
        if len(legal) == 1:
            return [(legal[0], 1.0)], legal[0]
        self.result = self.search(state)
        visits = {row.action: row.visits for row in self.result.root}
        total = sum(visits.values())
        return [(action, visits.get(action, 0) / total) for action in legal], self.result.best.action

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        return self.step_with_policy(state)[0]

    def provides_policy(self) -> bool:
        return True

    def restart(self) -> None:
        """Another game: nothing is kept, and the random numbers are others."""
        self._games += 1
        self._search, self._position, self._path = None, None, []

    def restart_at(self, state: Any) -> None:
        self.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """The next state tells what happened; there is nothing to note."""

    # --- searching ---------------------------------------------------------------------------------------------------

    def search(self, state: Any) -> SearchResult:
        """Search a state for the bot's player."""
        position = self._follow(state)
        if self._search is None:
            self._search = Search(position, observer=self.player_id, seed=self.seed + 7919 * self._games, **self.options)
        else:
            self._search.advance(position)
        return self._search.run(iterations=self.iterations, seconds=self.seconds)

    def _follow(self, state: Any) -> Position:
        """The position of Icarus's game that belongs to a state."""
        path = [(done.player, done.action) for done in state.full_history()]
        if self._position is None or path[: len(self._path)] != self._path:
            self._position, known = self._start(path)
        else:
            known = len(self._path)
        for player, action in path[known:]:
            self._position.apply(self._number(player, action))
        self._path = path
        position = self._position.copy()
        if state.is_simultaneous_node():
            # what the others choose is not known yet: anything will do, and the search does not look at it
            while position.player != self.player_id:
                position.apply(position.legal()[0])
        return position

    def _number(self, player: int, action: int) -> int:
        if player == CHANCE and isinstance(self.game, OpenSpielGame):
            return self.game.source.first_outcome + action
        return action

    def _start(self, path: list[tuple[int, int]]) -> tuple[Position, int]:
        """The position after the deal, and how many outcomes that were."""
        deal = [action for player, action in path[: next((i for i, (p, _) in enumerate(path) if p != CHANCE), len(path))]]
        if not isinstance(self.game, OpenSpielGame):
            position = self.game.start()
            put_deal(position, deal)
            return position, len(deal)
        if not self.game.source.imperfect:
            return self.game.start(), 0
        spiel: SpielState = self.game.rules.construct()
        for outcome in deal:
            spiel.apply(self._number(CHANCE, outcome))
        return self.game.position_of(spiel), len(deal)


def native_name(game: Any) -> str | None:
    """The name of the compiled game that plays like this one of OpenSpiel, if there is one."""
    name = game.get_type().short_name
    given = dict(re.findall(r"(\w+)=([^,()]+)", str(game)))
    text, parameters = NATIVE.get(name, ("", {}))
    if not text or not set(given) <= set(parameters):
        return None
    return text.format(**parameters | given)


def put_deal(position: Position, deal: list[int]) -> None:
    """The cards or dice that OpenSpiel has dealt, in the words of the compiled game."""
    if not deal:
        return
    if position.game.name.startswith("kuhn_poker"):
        position.named.cards[: len(deal)] = deal
    else:
        position.named.rolls[: len(deal)] = np.array(deal) + 1
    position.origin = position.state.copy()
