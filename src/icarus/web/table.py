"""A table: a game in progress, who sits where, and the referee's answers.

Nothing here waits, sends or searches.  Whatever is refused changes nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import mix, seeded
from icarus.play.knowledge import Account, Line, label_of, stand_in
from icarus.trust import OUTSIDE, Trust
from icarus.web.limits import Limits, Refused
from icarus.web.strength import Strength, read_strength

FORMAT = 1
HIDDEN = "a hidden move"
HIDDEN_CHANCE = "chance decides, unseen"


@dataclass
class Seat:
    """A place at the table: a machine of some strength, or a person who proves it with a token.

    An open seat has an invitation.  Whoever takes it gets a new token, so that the one who invited cannot sit there too.
    """

    strength: Strength | None = None
    token: str = ""
    invitation: str = ""

    @property
    def kind(self) -> str:
        return "machine" if self.strength is not None else "open" if self.invitation else "person"


@dataclass(frozen=True)
class Entry:
    """A move that was played, in full."""

    player: int
    action: int
    label: str


class Table:
    """The referee of one game."""

    def __init__(self, text: str, game: Game, seats: Sequence[Seat], *, seed: int | None = None, name: str | None = None) -> None:
        if len(seats) != game.players:
            raise Refused(f"{game.name} has {game.players} seats, and {len(seats)} were given")
        self.name = name or secrets.token_urlsafe(16)
        self.text, self.game, self.seats = text, game, list(seats)
        self.seed = secrets.randbits(62) if seed is None else seed
        self.position = game.start(self.seed)
        self.entries: list[Entry] = []
        #: the moves as each seat may read them, where one can know more than another
        self.accounts = self._fresh_accounts()
        #: ply -> what the search of that move found
        self.thoughts: dict[int, dict[str, Any]] = {}
        #: ply -> each player's expected result there, for the chart of a finished game
        self.evaluations: dict[int, list[float]] = {}
        #: grows with every change, so that an answer to an old question is known as such
        self.version = 0
        #: the table at which everybody plays again, and its invitations by the seats of this one
        self.rematch: dict[str, Any] | None = None
        self.touched = time.time()
        self._known: dict[int, Position] = {}
        self._settle()

    # --- what is going on --------------------------------------------------------------------------------------------

    @property
    def secret(self) -> bool:
        """Can one seat know more than another?"""
        game = self.game
        return game.hidden_information or game.partially_observable_moves or game.simultaneous_moves

    @property
    def over(self) -> bool:
        return self.position.is_terminal

    @property
    def player(self) -> int | None:
        """Who is to act, or nobody any more."""
        return None if self.over else self.position.player

    def turn(self, seat: int | None) -> int:
        """How many moves a seat has noticed; a move says which turn it is meant for."""
        return len(self.log(seat))

    def log(self, seat: int | None) -> list[Line]:
        """The moves that a seat has noticed, in its words; for everybody else what all seats read alike, and that there was
        something where all noticed it; once the game is over, all in full."""
        if self.over or not self.secret:
            return [Line(entry.player, entry.label, None) for entry in self.entries]
        if seat is not None:
            return [worded(line) for line in self.accounts[seat].lines if line.text is not None]
        found = []
        for lines in zip(*(account.lines for account in self.accounts), strict=True):
            texts = {line.text for line in lines}
            if None not in texts:
                alike = len(texts) == 1 and "" not in texts
                found.append(worded(Line(lines[0].player, lines[0].text if alike else "", None if alike else "")))
        return found

    def _fresh_accounts(self) -> list[Account]:
        return [Account(seat) for seat in range(self.game.players)] if self.secret else []

    def known(self, seat: int) -> Position:
        """A stand-in for the position that knows no more than the seat does.

        It is drawn from the seat's information set with fixed random numbers, so that it is the same whatever is hidden; messages
        to the seat are made from it and could not tell more if they tried.
        """
        if not self.secret or self.over:
            return self.position
        if seat not in self._known:
            self._known[seat] = stand_in(self.position, seat)
        return self._known[seat]

    def position_at(self, ply: int) -> Position:
        """The true position after so many moves."""
        if not 0 <= ply <= len(self.entries):
            raise Refused(f"there is no move {ply}; the game has {len(self.entries)}")
        position = self.game.start(self.seed)
        for entry in self.entries[:ply]:
            position.apply(entry.action)
        return position

    def shared(self, seats: Sequence[int]) -> bool:
        """Do several people look at one screen who may not see the same?"""
        return self.secret and not self.over and len(seats) > 1

    # --- who sits where ----------------------------------------------------------------------------------------------

    def seat_of(self, token: object) -> int:
        """The seat that a token holds."""
        if isinstance(token, str) and token:
            for number, seat in enumerate(self.seats):
                if seat.token and hmac.compare_digest(seat.token, digest(token)):
                    return number
        raise Refused("this link holds no seat at this table; you can still watch")

    def take(self, number: int) -> str:
        """Sit down; returns the token that holds the seat from now on."""
        token = secrets.token_urlsafe(24)
        self.seats[number].token, self.seats[number].invitation = digest(token), ""
        self.touched = time.time()
        return token

    def accept(self, invitation: object) -> tuple[int, str]:
        """Sit down on an open seat by its invitation; returns the seat and its token."""
        if isinstance(invitation, str) and invitation:
            for number, seat in enumerate(self.seats):
                if seat.invitation and hmac.compare_digest(seat.invitation.encode(), invitation.encode()):
                    return number, self.take(number)
        raise Refused("this invitation has been used, or was never given; ask for a new link, or watch")

    def rematch_for(self, seats: Sequence[int]) -> dict[str, Any] | None:
        """Where to play again, with the invitations of whoever holds these seats."""
        if self.rematch is None:
            return None
        codes = self.rematch["invitations"]
        return {"table": self.rematch["table"], "invitations": [codes[str(seat)] for seat in seats if str(seat) in codes]}

    # --- playing -----------------------------------------------------------------------------------------------------

    def play(self, seat: int, turn: object, action: object) -> None:
        """A move of the person on a seat."""
        if self.over:
            raise Refused("the game is over")
        if self.position.player != seat:
            raise Refused("it is not your turn")
        if turn != self.turn(seat) or isinstance(turn, bool):
            raise Refused("that move was meant for an earlier position; the table has moved on")
        if isinstance(action, bool) or not isinstance(action, int) or action not in self.position.legal():
            raise Refused("that move is not legal here")
        self.apply(action)

    def apply(self, action: int) -> None:
        """A legal move of whoever is to act, and what chance decides after it."""
        self._enter(action)
        self._settle()
        self.version += 1
        self.touched = time.time()

    def undo(self, seat: int) -> None:
        """Take a seat's last move back, with the machines' answers to it."""
        start, reason = self._undo(seat)
        if reason:
            raise Refused(reason)
        kept = [entry.action for entry in self.entries[:start]]
        self.position, self.entries, self.accounts = self.game.start(self.seed), [], self._fresh_accounts()
        self.thoughts = {ply: thought for ply, thought in self.thoughts.items() if ply < start}
        self.evaluations.clear()
        self._known.clear()
        for action in kept:
            self._enter(action)
        self.version += 1
        self.touched = time.time()

    def can_undo(self, seat: int) -> bool:
        return not self._undo(seat)[1]

    def _undo(self, seat: int) -> tuple[int, str]:
        """The ply to go back to, and why that is not allowed."""
        if self.secret:
            return 0, "moves cannot be taken back in a game that hides something"
        own = [ply for ply, entry in enumerate(self.entries) if entry.player == seat]
        if not own:
            return 0, "you have not moved yet"
        for entry in self.entries[own[-1] :]:
            if entry.player == ENVIRONMENT:
                return 0, "the dice have been seen: that move stands"
            if entry.player != seat and self.seats[entry.player].strength is None:
                return 0, "somebody else has moved since: that move stands"
        return own[-1], ""

    def _settle(self) -> None:
        """Let chance decide until a player is to act.  The same ply draws the same numbers, whatever is tried."""
        while self.position.environment_acts:
            rng = seeded(int(mix(self.seed, len(self.entries))) & (2**62 - 1), stream=5)
            self._enter(self.position.sample(rng))

    def _enter(self, action: int) -> None:
        """Play an action and write it down in everybody's words."""
        position, player = self.position, self.position.player
        label = label_of(position, action)
        for seat, account in enumerate(self.accounts):
            account.add(position, action, self.known(seat))
        position.apply(action)
        self._known.clear()
        self.entries.append(Entry(player, action, label))

    # --- to and from the disk ----------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "name": self.name,
            "game": self.text,
            "seed": self.seed,
            "touched": self.touched,
            "seats": [
                {
                    "strength": None if seat.strength is None else seat.strength.as_dict(),
                    "token": seat.token,
                    "invitation": seat.invitation,
                }
                for seat in self.seats
            ],
            "moves": [entry.action for entry in self.entries],
            "thoughts": {str(ply): thought for ply, thought in self.thoughts.items()},
            "evaluations": {str(ply): values for ply, values in self.evaluations.items()},
            "rematch": self.rematch,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], game: Game, trust: Trust = OUTSIDE) -> Table:
        """The table as it was; a file that does not fit the game, or names what is not allowed, is refused."""
        if data.get("format") != FORMAT:
            raise Refused(f"the table was kept in the format {data.get('format')!r}, and this version reads {FORMAT}")
        seats = [
            Seat(strength_from(seat["strength"], game, trust), token=str(seat["token"]), invitation=str(seat["invitation"]))
            for seat in data["seats"]
        ]
        table = cls(str(data["game"]), game, seats, seed=int(data["seed"]), name=str(data["name"]))
        for ply, action in enumerate(data["moves"]):
            if ply < len(table.entries):
                if table.entries[ply].action != action:
                    raise Refused(f"the table was kept by another version of {game.name}")
                continue
            if action not in table.position.legal():
                raise Refused(f"the table was kept by another version of {game.name}: move {ply} is not legal")
            table.apply(int(action))
        table.thoughts = {int(ply): thought for ply, thought in data["thoughts"].items()}
        table.evaluations = {int(ply): values for ply, values in data["evaluations"].items()}
        table.rematch = data.get("rematch")
        table.touched = float(data["touched"])
        return table


def strength_from(data: dict[str, Any] | None, game: Game, trust: Trust) -> Strength | None:
    """A machine's strength as it was kept: other limits may have held then, but nothing else."""
    return None if data is None else read_strength(data, game, Limits(seconds=math.inf, iterations=2**53), trust)


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def worded(line: Line) -> Line:
    """A line that there are always words for."""
    return line if line.text else Line(line.player, HIDDEN_CHANCE if line.player == ENVIRONMENT else HIDDEN, line.label)
