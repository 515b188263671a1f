"""A table with everybody who looks at it: their connections, and the searches that run for it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from icarus.arena.clock import Bank
from icarus.web.limits import Limits, Refused
from icarus.web.messages import encode, state_message
from icarus.web.pace import Pace
from icarus.web.table import Table
from icarus.web.thinking import Job

WAITING = 200  #: messages that may wait for a slow client before it is dropped; it can come back


class Connection:
    """One browser at one table; ``seats`` are those that it holds."""

    def __init__(self, room: Room, seats: tuple[int, ...], limits: Limits, narrow: bool = False) -> None:
        self.room, self.seats, self.narrow = room, seats, narrow
        self.outgoing: asyncio.Queue[str | None] = asyncio.Queue(WAITING)
        #: who looks at a screen that several people share
        self.viewer: int | None = None
        self.hint: Job | None = None
        self._state = ""
        self._limits = limits
        self._credit, self._asked = float(limits.messages_at_once), time.monotonic()

    def send(self, message: dict[str, Any]) -> None:
        self._put(encode(message))

    def send_state(self) -> None:
        """The table, if it has changed for this connection."""
        text = encode(state_message(self.room.table, self.seats, self.viewer, self.narrow))
        if text != self._state:
            self._state = text
            self._put(text)

    def _put(self, text: str) -> None:
        try:
            self.outgoing.put_nowait(text)
        except asyncio.QueueFull:
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            self.outgoing.put_nowait(None)

    def may_ask(self) -> bool:
        """Is there credit for another message?"""
        now, limits = time.monotonic(), self._limits
        earned = (now - self._asked) * limits.messages_per_second
        self._credit, self._asked = min(self._credit + earned, limits.messages_at_once), now
        if self._credit < 1:
            return False
        self._credit -= 1
        return True

    def acting(self) -> int:
        """The seat of this connection that is to act."""
        if not self.seats:
            raise Refused("you are watching: you hold no seat")
        table = self.room.table
        if table.player is None or table.player not in self.seats:
            return self.seats[0]
        if table.shared(self.seats) and self.viewer != table.player:
            raise Refused("hand the screen over first")
        return table.player


@dataclass(eq=False)
class Room:
    """A table with everybody who looks at it, and the searches that run for it."""

    table: Table
    connections: set[Connection] = field(default_factory=set)
    job: Job | None = None
    #: the search that fills the chart of the finished game
    evaluating: Job | None = None
    #: the turns of machines, by the seats that decide in them, where something is hidden; and whose turn is under way
    paces: dict[tuple[int, ...], Pace] = field(default_factory=dict)
    turn: tuple[int, ...] = ()
    #: what machines that manage their time have saved, by seat
    banks: dict[int, Bank] = field(default_factory=dict)

    def show(self) -> None:
        """Everybody gets the table, if it has changed for them."""
        for connection in self.connections:
            connection.send_state()

    def tell(self, message: dict[str, Any]) -> None:
        for connection in self.connections:
            connection.send(message)

    def cancel(self) -> None:
        """End the searches that run for the table."""
        for job in (self.job, self.evaluating):
            if job is not None:
                job.cancel()
        self.job = self.evaluating = None
