"""The game manager: referees a match between GGP players, wherever they are.

The referee is the reasoner: it needs no building, and a player's network is judged by something else than itself.  A player that
does not answer in time, or answers with something that is not legal, gets a random legal move and an error in the record.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from icarus.errors import GameError, IcarusError
from icarus.gdl.checks import check_sheet
from icarus.gdl.reader import Sheet, read_rules
from icarus.ggp.messages import CONTENT_TYPE, MAX_CLOCK, MessageError, format_list, read_move, shortened
from icarus.ggp.record import Record
from icarus.ggp.rules import ReasonerTracker

#: in place of an address: the manager itself plays this role, uniformly at random
RANDOM = "random"
TIMEOUT, ILLEGAL, NO_CONNECTION = "TO", "IL", "CE"
#: a match that has not ended by then is aborted
MAX_STEPS = 5000
#: the longest answer that is read, in bytes; and how long players have to confirm the end of a match, in seconds
MAX_ANSWER, FAREWELL = 1 << 16, 2.0

Log = Callable[[str], None]


@dataclass(frozen=True)
class Seat:
    """A role and who plays it; ``host`` is empty where the manager does."""

    role: str
    host: str = ""
    port: int = 0

    @property
    def name(self) -> str:
        return f"{self.host}:{self.port}" if self.host else RANDOM


@dataclass(frozen=True)
class Reply:
    """An answer in time, or the error that stands in its place."""

    text: str = ""
    error: str = ""


def seats_of(sheet: Sheet, addresses: Sequence[str]) -> list[Seat]:
    """Who plays which role, in the order of the sheet; the role ``random`` is the manager's."""
    roles = [role for role in sheet.roles if role != "random"]
    if len(addresses) != len(roles):
        raise IcarusError(
            f"{sheet.file} has {len(roles)} roles to play ({', '.join(roles)}), but {len(addresses)} players were given; "
            f"name a URL for each, or the word {RANDOM}"
        )
    given = dict(zip(roles, addresses, strict=True))
    return [seat_at(role, given.get(role, RANDOM)) for role in sheet.roles]


def seat_at(role: str, address: str) -> Seat:
    if address == RANDOM:
        return Seat(role)
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        if parts.scheme not in ("", "http") or not parts.hostname:
            raise ValueError
        return Seat(role, parts.hostname, parts.port or 80)
    except ValueError:
        raise IcarusError(f"{address!r} is not the address of a player; write http://host:port, host:port or {RANDOM}") from None


class Manager:
    """One match; ``run`` plays it."""

    def __init__(
        self,
        rules: str,
        file: str,
        addresses: Sequence[str],
        *,
        start_clock: float,
        play_clock: float,
        match: str,
        seed: int | None = None,
        log: Log = lambda text: None,
    ) -> None:
        for name, clock in (("start clock", start_clock), ("play clock", play_clock)):
            if not 0 < clock <= MAX_CLOCK:
                raise IcarusError(f"a {name} of {clock:g} s: it must be above 0 and at most {MAX_CLOCK:g}")
        self.sheet = read_rules(rules, file)
        check_sheet(self.sheet)
        self.seats = seats_of(self.sheet, addresses)
        self.rules, self.log = rules, log
        self._choice = random.Random(seed)
        self._tracker = ReasonerTracker(self.sheet)
        self.record = Record(
            match, file, self.sheet.roles, tuple(seat.name for seat in self.seats), start_clock, play_clock, milliseconds()
        )

    def run(self) -> Record:
        """Play the match to its end; whatever interrupts it, the players are told and the record says so."""
        try:
            self._start()
            while not self._tracker.terminal:
                if len(self.record.moves) >= MAX_STEPS:
                    raise GameError(f"{self.sheet.file}: the match has not ended after {MAX_STEPS} steps")
                self._step()
            self.record.goals = [self._tracker.goal(seat.role) for seat in self.seats]
            self._tell_all([self._about(seat, "STOP") for seat in self.seats], FAREWELL)
        except BaseException:
            self.record.aborted = True
            self._tell_all([f"(ABORT {self.record.match})"] * len(self.seats), FAREWELL)
            raise
        return self.record

    def _start(self) -> None:
        record = self.record
        self._note_state()
        clocks = f"{record.start_clock:g} {record.play_clock:g}"
        rules = without_comments(self.rules)
        replies = self._tell_all([f"(START {record.match} {s.role} ({rules}) {clocks})" for s in self.seats], record.start_clock)
        players = [(seat, reply) for seat, reply in zip(self.seats, replies, strict=True) if seat.host]
        if players and all(reply.error == NO_CONNECTION for _, reply in players):
            raise IcarusError(f"no player can be reached at {', '.join(seat.name for seat, _ in players)}")
        errors = [
            reply.error or ("" if not seat.host or reply.text.casefold() == "ready" else f"{ILLEGAL} {shortened(reply.text)}")
            for seat, reply in zip(self.seats, replies, strict=True)
        ]
        record.errors.append(errors)
        self._log_errors(errors)

    def _step(self) -> None:
        """Ask all players, put right what is wrong with their answers, and go on."""
        legal = [self._tracker.legal(seat.role) for seat in self.seats]
        for seat, moves in zip(self.seats, legal, strict=True):
            if not moves:
                raise GameError(f"{self.sheet.file}: {seat.role} has no legal move in step {len(self.record.moves) + 1}")
        replies = self._tell_all([self._about(seat, "PLAY") for seat in self.seats], self.record.play_clock)
        judged = [
            judge(reply, moves) if seat.host else ("", "") for seat, reply, moves in zip(self.seats, replies, legal, strict=True)
        ]
        joint = [move or self._choice.choice(moves) for (move, _), moves in zip(judged, legal, strict=True)]
        self._tracker.play({seat.role: move for seat, move in zip(self.seats, joint, strict=True)})
        self.record.moves.append(joint)
        self.record.errors.append([error for _, error in judged])
        self._note_state()
        self.log(f"step {len(self.record.moves)}: {' '.join(joint)}")
        self._log_errors(self.record.errors[-1])

    def _about(self, seat: Seat, kind: str) -> str:
        """PLAY or STOP, with what this player may know of the last step."""
        moves, match = self.record.moves, self.record.match
        if not self.sheet.hides:
            return f"({kind} {match} {format_list(moves[-1] if moves else None)})"
        if not moves:
            return f"({kind} {match} 0 nil nil)"
        own = moves[-1][self.seats.index(seat)]
        return f"({kind} {match} {len(moves)} {own} {format_list(self._tracker.seen[seat.role])})"

    def _note_state(self) -> None:
        self.record.states.append(self._tracker.state())
        self.record.state_times.append(milliseconds())

    def _log_errors(self, errors: Sequence[str]) -> None:
        for seat, error in zip(self.seats, errors, strict=True):
            if error:
                meaning = {TIMEOUT: "no answer in time", NO_CONNECTION: "cannot be reached"}
                self.log(f"error of {seat.role} ({seat.name}): {meaning.get(error, error)}")

    def _tell_all(self, texts: Sequence[str], clock: float) -> list[Reply]:
        """Send every player its message at the same time; whoever has not answered when the clock ends has timed out."""
        replies = [Reply(error=TIMEOUT) if seat.host else Reply() for seat in self.seats]
        deadline = time.monotonic() + clock

        def tell(number: int, text: str) -> None:
            reply = ask(self.seats[number], text, clock)
            if time.monotonic() <= deadline:
                replies[number] = reply

        threads = [
            threading.Thread(target=tell, args=(number, text), daemon=True)
            for number, text in enumerate(texts)
            if self.seats[number].host
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(deadline - time.monotonic(), 0))
        return list(replies)


def ask(seat: Seat, text: str, clock: float) -> Reply:
    """Send a message to a player and wait for its answer."""
    connection = http.client.HTTPConnection(seat.host, seat.port, timeout=clock)
    headers = {"Content-Type": CONTENT_TYPE, "Accept": CONTENT_TYPE, "Sender": "GAMESERVER", "Receiver": seat.role}
    try:
        connection.request("POST", "/", text.encode(), headers)
        response = connection.getresponse()
        answer = response.read(MAX_ANSWER).decode("utf-8", "replace").strip()
    except TimeoutError:
        return Reply(error=TIMEOUT)
    except (OSError, http.client.HTTPException):
        return Reply(error=NO_CONNECTION)
    finally:
        connection.close()
    return Reply(answer) if response.status == 200 else Reply(error=f"{ILLEGAL} {shortened(answer) or response.status}")


def judge(reply: Reply, legal: Sequence[str]) -> tuple[str, str]:
    """The move of a player and no error, or no move and an error."""
    if reply.error:
        return "", reply.error
    try:
        move = read_move(reply.text)
    except MessageError:
        return "", f"{ILLEGAL} {shortened(reply.text)}"
    return (move, "") if move in legal else ("", f"{ILLEGAL} {shortened(reply.text)}")


def without_comments(rules: str) -> str:
    """A sheet in one line, as some players expect it."""
    return " ".join(" ".join(line.split(";", 1)[0] for line in rules.splitlines()).split())


def milliseconds() -> int:
    return time.time_ns() // 1_000_000
