"""A game that is being played: who sits where, what has happened, and how it is saved, loaded and taken back.

The table holds the true position.  Dice and deals follow from the seed alone, so that a saved game goes on as it would have.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import icarus
from icarus.arena.match import Environment
from icarus.arena.players import Player, read_player
from icarus.errors import GameError, IcarusError
from icarus.game import ENVIRONMENT, Game, Position
from icarus.loading import load
from icarus.play.knowledge import reveals
from icarus.trust import OUTSIDE, Trust

HUMAN = "human"
FORMAT = 1


class SavedGameError(IcarusError):
    """A file that is no saved game, or one that does not fit its game."""


@dataclass
class Table:
    """``seats``: a player for each seat, None for a person."""

    place: str  #: the game as it was named
    game: Game
    seats: list[Player | None]
    seed: int
    position: Position = field(init=False)

    def __post_init__(self) -> None:
        self.position = self.game.start(self.seed)
        self._environment = Environment(self.seed)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.seats) if player is None]

    @property
    def secret(self) -> bool:
        """Is anything ever hidden from a player, be it only until all have chosen?"""
        return self.game.hidden_information or self.game.simultaneous_moves or self.game.partially_observable_moves

    def act(self, action: int) -> None:
        self.position.apply(action)

    def draw(self) -> int:
        """The environment's next outcome; it is not played yet."""
        return self._environment.sample(self.position)

    # --- taking back -------------------------------------------------------------------------------------------------

    def take_back(self, seat: int) -> int:
        """Go back to the last decision of this seat; returns how many moves were taken back.

        Refused where something became known since then that the player could not know before: the dice, a card, a mark.
        """
        history = self.position.history
        last = next((i for i in reversed(range(len(history))) if history[i][0] == seat), None)
        if last is None:
            raise GameError("there is no move of yours to take back")
        before = self._replayed([action for _, action, _ in history[:last]])
        position = before.copy()
        since = {player for player, _, _ in history[last:]}
        if ENVIRONMENT in since:
            raise GameError("chance has decided something since your last move, so it stays")
        if self.secret and since != {seat}:
            raise GameError("somebody else has moved since, and not everything is open in this game, so your move stays")
        for _, action, _ in history[last:]:
            if self.secret and reveals(position, action, seat):
                raise GameError("your last move has shown something that was hidden, or may have, so it stays")
            position.apply(action)
        number = len(history) - last
        self.position = before
        return number

    def _replayed(self, actions: list[int]) -> Position:
        position = self.game.start(self.seed)
        for action in actions:
            position.apply(action)
        return position

    # --- saving and loading ------------------------------------------------------------------------------------------

    def save(self, file: str | Path) -> None:
        """Write the game in one step: the file is the old one or the new one, never a part."""
        path = Path(file)
        record = {
            "icarus": icarus.__version__,
            "format": FORMAT,
            "game": self.place,
            "seed": self.seed,
            "seats": [HUMAN if player is None else str(player) for player in self.seats],
            "moves": [action for _, action, _ in self.position.history],
        }
        temporary = ""
        try:
            handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(record, stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except (OSError, ValueError) as problem:
            if temporary:
                Path(temporary).unlink(missing_ok=True)
            raise SavedGameError(f"the game cannot be saved in {str(path)!r}: {_reason(problem)}") from None

    @classmethod
    def load(cls, file: str | Path, trust: Trust = OUTSIDE) -> Table:
        """The game that a file holds, played up to where it was; it may name what ``trust`` allows."""
        try:
            record = json.loads(Path(file).read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
            raise SavedGameError(f"{str(file)!r} is not a saved game: it is not JSON") from None
        except (OSError, ValueError) as problem:
            raise SavedGameError(f"cannot read {str(file)!r}: {_reason(problem)}") from None
        _check(record, str(file))
        game = load(record["game"], trust)
        seats = [None if name == HUMAN else read_player(name, trust) for name in record["seats"]]
        if len(seats) != game.players:
            raise SavedGameError(f"{str(file)!r} has {len(seats)} seats, but {game.name} has {game.players} players")
        table = cls(record["game"], game, seats, record["seed"])
        for number, action in enumerate(record["moves"], 1):
            table._replay(action, number, str(file))
        return table

    def _replay(self, action: int, number: int, file: str) -> None:
        position = self.position
        if position.is_terminal:
            raise SavedGameError(f"{file!r} does not fit {self.game.name}: the game is over before move {number}")
        chance = position.player == ENVIRONMENT
        legal = [self.draw()] if chance else position.legal()
        if action not in legal:
            raise SavedGameError(f"{file!r} does not fit {self.game.name}: move {number}, {action}, is not legal there")
        self.act(action)


def _reason(problem: OSError | ValueError) -> str:
    return getattr(problem, "strerror", None) or str(problem)


def _check(record: Any, file: str) -> None:
    """Refuse what is not shaped like a saved game."""
    kinds = {"game": str, "seed": int, "seats": list, "moves": list}
    if not isinstance(record, dict) or any(not isinstance(record.get(name), kind) for name, kind in kinds.items()):
        raise SavedGameError(f"{file!r} is not a saved game: it must hold {', '.join(kinds)}")
    if record.get("format") != FORMAT:
        raise SavedGameError(f"{file!r} has the format {record.get('format')!r}; this version reads {FORMAT}")
    if not all(isinstance(name, str) for name in record["seats"]) or not all(type(move) is int for move in record["moves"]):
        raise SavedGameError(f"{file!r} is not a saved game: seats are names and moves are numbers")
    if not 0 <= record["seed"] < 2**63:
        raise SavedGameError(f"{file!r} is not a saved game: the seed {record['seed']} is not in 0 .. 2**63 - 1")
