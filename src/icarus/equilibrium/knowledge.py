"""What a player knows, as a number: its view of the start and the moves that it has seen since.

This is the identity that multiple-observer ISMCTS has below its root (engine/identity.py), with the deal in front of it: the same
number wherever the game was played, in the tree of a small game, in a solver and at a table.  Where players choose at the same
time and the game shows every action to everybody, what the others have chosen is left out until all have.
"""

from __future__ import annotations

import hashlib

from icarus.engine.identity import TOGETHER
from icarus.errors import GameError
from icarus.game import UNSEEN, Game, Position, State
from icarus.jit.randomness import mix


def start_key(game: Game, state: State, player: int) -> int:
    """What a player knows at the start."""
    if game.view is None and game.determinize is not None:
        raise GameError(f"{game.name} hides something and has no `view`, so what a player knows at the start cannot be told")
    view = Position(game, state).view(player) if game.determinize is not None else "everything"
    digest = hashlib.blake2b(_canonical(view).encode(), digest_size=8).digest()
    return int(mix(int.from_bytes(digest, "little", signed=True), player))


def _canonical(view: object) -> str:
    """A text that is equal for equal views."""
    if isinstance(view, tuple | list):
        return f"({','.join(map(_canonical, view))})"
    if isinstance(view, set | frozenset):
        return f"{{{','.join(sorted(map(_canonical, view)))}}}"
    if isinstance(view, dict):
        return f"{{{','.join(sorted(f'{_canonical(k)}:{_canonical(v)}' for k, v in view.items()))}}}"
    return repr(view)


class Knowledge:
    """What every player knows, move by move (equilibrium/cfr/knowledge.py is the same as machine code)."""

    def __init__(self, game: Game, start: State) -> None:
        self.game = game
        self.keys = [start_key(game, start, player) for player in range(game.players)]
        #: players who choose at the same time know their own choices: the number of the moment (0: none), what they know, who has
        #: chosen, and who was last
        self._moment, self._hidden, self._chosen, self._last = 0, list(self.keys), 0, -1
        self._veiled = game.simultaneous is not None and game.observe is None

    def copy(self) -> Knowledge:
        twin = object.__new__(Knowledge)
        twin.game, twin.keys, twin._veiled = self.game, list(self.keys), self._veiled
        twin._moment, twin._hidden, twin._chosen, twin._last = self._moment, list(self._hidden), self._chosen, self._last
        return twin

    def of(self, state: State, player: int) -> int:
        """The number of the information set in which a player is about to act."""
        if self._veiled:
            self._enter(state, player)
        return self._hidden[player] if self._moment else self.keys[player]

    def see(self, state: State, player: int, action: int) -> None:
        """Somebody is about to act."""
        if self.game.observe is not None:
            for observer in range(self.game.players):
                move = int(self.game.call("observe", state, action, observer))
                if move != UNSEEN:
                    self.keys[observer] = int(mix(self.keys[observer], move))
            return
        if self._veiled:
            self._enter(state, player)
            if self._moment:
                self._hidden[player] = int(mix(self._hidden[player], action))
                self._chosen |= 1 << player
                self._last = player
        self.keys = [int(mix(key, action)) for key in self.keys]

    def _enter(self, state: State, player: int) -> None:
        """Another moment begins when the game numbers it so, or when one chooses again after others (engine/identity.py)."""
        moment = 0 if player < 0 else int(self.game.call("simultaneous", state))
        again = player >= 0 and self._chosen >> player & 1 and self._last != player
        if moment and (moment != self._moment or again):
            self._hidden, self._chosen = [int(mix(key, TOGETHER)) for key in self.keys], 0
        self._moment = moment


def information_set(position: Position, player: int) -> int:
    """The number of what a player knows in a position of a game that is under way."""
    game = position.game
    if game.observe is not None or game.simultaneous is None:  # what was seen is written down: no need to play it again
        if player not in position.start_keys:
            position.start_keys[player] = start_key(game, position.origin, player)
        key = position.start_keys[player]
        for _, _, moves in position.history:
            if moves[player] != UNSEEN:
                key = mix(key, moves[player])
        return int(key)
    known = Knowledge(game, position.origin)
    again = Position(game, position.origin.copy())
    for actor, action, _ in position.history:
        known.see(again.state, actor, action)
        again.apply(action)
    return known.of(again.state, player)
