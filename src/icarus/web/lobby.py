"""All tables of a server: who sits where, and what each message does.

Runs in the event loop's thread alone; searches report back to it.  A client's message is answered with ``done`` or ``refused``
(with its ``id``), and every connection of a table gets its state whenever that has changed for it: a move that a seat did not
notice sends it nothing at all.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from icarus.drawing import combined, draw, player_colours
from icarus.errors import IcarusError
from icarus.game import ENVIRONMENT, Game
from icarus.play.knowledge import stand_in
from icarus.terminal import complain
from icarus.web.archive import Archive
from icarus.web.catalog import Catalog
from icarus.web.limits import Limits, Refused, whole
from icarus.web.machines import Machines
from icarus.web.review import Review
from icarus.web.room import Connection, Room
from icarus.web.store import Store
from icarus.web.strength import read_strength
from icarus.web.table import Seat, Table
from icarus.web.thinking import Thinker

KNOWN = 50  #: tables that are asked about at once
ARCHIVE_SHARE = 0.5  #: of the memory, for trees that can be opened after their move


class Lobby:
    """The server behind the pages."""

    def __init__(self, catalog: Catalog, store: Store, limits: Limits, threads: int | None = None) -> None:
        self.catalog, self.store, self.limits = catalog, store, limits
        self.thinker = Thinker(threads, limits.memory)
        self.rooms: dict[str, Room] = {}
        self.archive = Archive(limits.memory * ARCHIVE_SHARE)
        self.machines, self.review = Machines(self), Review(self)
        self.connected = 0
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="icarus-store")
        self._opening = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._games: list[dict[str, Any]] = []

    async def close(self) -> None:
        """End all searches; the tables are on disk."""
        await asyncio.to_thread(self.thinker.close)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._writer.shutdown()

    # --- choosing and sitting down -----------------------------------------------------------------------------------

    async def games(self) -> list[dict[str, Any]]:
        if not self._games:
            self._games = await asyncio.to_thread(self.catalog.offers)
        return self._games

    async def preview(self, text: object) -> dict[str, Any]:
        """What a game looks like before it is begun."""
        return await asyncio.to_thread(self._preview, text)

    def _preview(self, text: object) -> dict[str, Any]:
        game = self.catalog.load(text)
        position = Table(str(text), game, [Seat() for _ in range(game.players)], seed=1).position
        seat = 0 if position.player == ENVIRONMENT else position.player
        known = stand_in(position, seat) if game.hidden_information and not position.is_terminal else position
        return {
            "game": str(text),
            "summary": game.summary,
            "players": game.player_labels,
            "colours": player_colours(game),
            **self.catalog.about(str(text).strip()),
            "hidden": game.hidden_information,
            "chance": game.stochastic,
            "simultaneous": game.simultaneous_moves,
            "drawing": draw(known, seat),
        }

    async def create(self, request: object) -> dict[str, Any]:
        """A new table; returns its name, the tokens of the seats that the creator takes, and the invitations to the others."""
        if not isinstance(request, dict) or not isinstance(request.get("seats"), list):
            raise Refused("a table needs a game and a list of seats")
        if len(request["seats"]) > 64:
            raise Refused("that is more seats than any game has")
        await self._make_room()
        table, mine, invitations = await asyncio.to_thread(self._set_up, request.get("game"), request["seats"])
        self.rooms[table.name] = Room(table)
        await self.save(table)
        return {"table": table.name, "tokens": mine, "invitations": invitations}

    def _set_up(self, text: object, wanted: list[object]) -> tuple[Table, dict[int, str], dict[int, str]]:
        game = self.catalog.load(text)
        seats = [self._seat(seat, game) for seat in wanted]
        table = Table(str(text).strip(), game, seats)
        mine = {i: table.take(i) for i, seat in enumerate(seats) if seat.kind == "person"}
        return table, mine, {i: seat.invitation for i, seat in enumerate(seats) if seat.invitation}

    def _seat(self, wanted: object, game: Game) -> Seat:
        kind = wanted.get("kind") if isinstance(wanted, dict) else None
        if kind == "machine" and isinstance(wanted, dict):
            return Seat(strength=read_strength(wanted.get("strength"), game, self.limits, self.catalog.trust))
        if kind == "open":
            return Seat(invitation=secrets.token_urlsafe(24))
        if kind == "you":
            return Seat()
        raise Refused("a seat is for you, open (for somebody with a link) or a machine")

    async def _make_room(self) -> None:
        """Let the table that has rested longest go, if there are too many."""
        names = await asyncio.to_thread(self.store.names)
        while len(names) >= self.limits.tables:
            name = next((n for n in names if self._resting(n)), None)
            if name is None:
                raise Refused(f"all {self.limits.tables} tables are in use; come back later")
            names.remove(name)
            self._forget(name)
            self.store.remove(name)

    def _resting(self, name: str) -> bool:
        room = self.rooms.get(name)
        if room is not None and room.connections:
            return False
        untouched = room is not None and not any(entry.player != ENVIRONMENT for entry in room.table.entries)
        return time.time() - self.store.touched(name) > self.limits.idle_seconds / (60 if untouched else 1)

    def _forget(self, name: str) -> None:
        room = self.rooms.pop(name, None)
        if room is not None:
            room.cancel()
        self.archive.forget(name)

    async def room(self, name: object) -> Room:
        """The room of a table, from the disk if need be."""
        if not isinstance(name, str):
            raise Refused("a table is named by a text")
        if name in self.rooms:
            return self.rooms[name]
        async with self._opening:
            if name not in self.rooms:
                table = await asyncio.to_thread(self._restore, name)
                self.rooms[name] = Room(table)
        return self.rooms[name]

    def _restore(self, name: str) -> Table:
        data = self.store.load(name)
        if data is None:
            raise Refused("there is no such table (any more)")
        try:
            return Table.from_dict(data, self.catalog.load(data.get("game")), self.catalog.trust)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Refused("this table was kept in a form that cannot be read") from None

    async def accept(self, request: object) -> dict[str, Any]:
        """Take an open seat by its invitation."""
        if not isinstance(request, dict):
            raise Refused("an invitation and its table are needed")
        room = await self.room(request.get("table"))
        seat, token = room.table.accept(request.get("invitation"))
        await self.save(room.table)
        room.show()
        return {"table": room.table.name, "seat": seat, "token": token}

    async def known(self, request: object) -> dict[str, Any]:
        """Which of these tables there are, whether they are over and whose turn it is, as everybody who watches can see."""
        names = request.get("tables") if isinstance(request, dict) else None
        if not isinstance(names, list) or len(names) > KNOWN or not all(isinstance(name, str) for name in names):
            raise Refused(f"at most {KNOWN} names of tables are asked for at once")
        found: dict[str, Any] = {}
        for name in names:
            with suppress(IcarusError):
                table = (await self.room(name)).table
                found[name] = {"over": table.over, "player": table.player}
        return {"tables": found}

    async def join(self, message: object) -> Connection:
        """Connect to a table, with the tokens of the seats that the browser holds."""
        if not isinstance(message, dict) or message.get("type") != "join":
            raise Refused("the first message joins a table")
        tokens = message.get("tokens", [])
        if not isinstance(tokens, list) or len(tokens) > 64:
            raise Refused("tokens are a list")
        room = await self.room(message.get("table"))
        seats = tuple(sorted({room.table.seat_of(token) for token in tokens}))
        if len(room.connections) >= self.limits.connections_per_table:
            raise Refused("too many people look at this table already")
        connection = Connection(room, seats, self.limits, message.get("narrow") is True)
        room.connections.add(connection)
        connection.send_state()
        self.machines.advance(room)
        return connection

    def leave(self, connection: Connection) -> None:
        room = connection.room
        room.connections.discard(connection)
        if connection.hint is not None:
            connection.hint.cancel()
        if not room.connections:  # nobody looks: the machines rest until somebody does
            room.cancel()
            room.turn = ()
            for pace in room.paces.values():
                pace.over()

    # --- messages ----------------------------------------------------------------------------------------------------

    async def handle(self, connection: Connection, text: str | None) -> None:
        """One message of a client, whatever it is."""
        number: object = None
        try:
            if not connection.may_ask():
                raise Refused("too many messages; wait a moment")
            message = read(text)
            number = message.get("id")
            if not isinstance(number, int | None) or isinstance(number, bool) or (number or 0).bit_length() > 53:
                number = None
                raise Refused("an id is a whole number below 2**53")
            answer = self._answers().get(str(message.get("type")))
            if answer is None:
                raise Refused(f"there is no message {str(message.get('type'))[:40]!r}; there are {', '.join(self._answers())}")
            await answer(connection, message)
            connection.send({"type": "done", "id": number})
        except IcarusError as problem:
            connection.send({"type": "refused", "id": number, "text": str(problem)[:500]})

    def _answers(self) -> dict[str, Callable[[Connection, dict[str, Any]], Any]]:
        return {
            "move": self._move,
            "choose": self._choose,
            "look": self._look,
            "rematch": self._rematch,
            "undo": self._undo,
            "hint": self.review.hint,
            "review": self.review.review,
            "position": self.review.position,
            "tree": self.review.tree,
            "ping": self._ping,
        }

    async def _ping(self, connection: Connection, message: dict[str, Any]) -> None:
        """The answer is that it is done."""

    async def _move(self, connection: Connection, message: dict[str, Any]) -> None:
        room = connection.room
        room.table.play(connection.acting(), message.get("turn"), message.get("action"))
        await self.changed(room)

    async def _choose(self, connection: Connection, message: dict[str, Any]) -> None:
        """Several things at once, by their keys: a few moves in a row, or nothing at all."""
        room, table = connection.room, connection.room.table
        seat, chosen = connection.acting(), message.get("keys")
        if not isinstance(chosen, list) or len(chosen) > 64 or not all(isinstance(key, str) for key in chosen):
            raise Refused("what is chosen is a list of keys")
        if table.over or table.player != seat:
            raise Refused("it is not your turn")
        actions = combined(table.known(seat), chosen)
        if actions is None:
            raise Refused(f"{' '.join(chosen)[:80] or 'nothing'}: that is not a move here")
        table.play(seat, message.get("turn"), actions[0])
        for action in actions[1:]:
            table.play(seat, table.turn(seat), action)
        await self.changed(room)

    async def _look(self, connection: Connection, message: dict[str, Any]) -> None:
        """Somebody else sits down at a screen that several people share."""
        seat = whole(message.get("seat"), "seat")
        if seat not in connection.seats:
            raise Refused("that seat is not yours")
        connection.viewer = seat
        connection.send_state()

    async def _rematch(self, connection: Connection, message: dict[str, Any]) -> None:
        """Play again with the same people and machines, everybody one seat further."""
        room, table = connection.room, connection.room.table
        if not table.over:
            raise Refused("the game is not over yet")
        if not connection.seats:
            raise Refused("you are watching: ask those who have played")
        if table.rematch is None:
            await self._make_room()
            places = range(len(table.seats))
            seats = [Seat(strength=table.seats[i - 1].strength) for i in places]
            for seat in seats:
                seat.invitation = "" if seat.strength else secrets.token_urlsafe(24)
            again = await asyncio.to_thread(Table, table.text, table.game, seats)
            if table.rematch is None:  # nobody was faster
                self.rooms[again.name] = Room(again)
                codes = {str(i): seats[(i + 1) % len(seats)].invitation for i in places if not table.seats[i].strength}
                table.rematch = {"table": again.name, "invitations": codes}
                await self.save(again)
                await self.save(table)
        room.show()

    async def _undo(self, connection: Connection, message: dict[str, Any]) -> None:
        room, table = connection.room, connection.room.table
        if not connection.seats:
            raise Refused("you are watching: you have no move to take back")
        allowed = [seat for seat in connection.seats if table.can_undo(seat)]
        table.undo(allowed[-1] if allowed else connection.seats[0])
        room.cancel()
        self.archive.forget(table.name, len(table.entries))
        await self.changed(room)

    async def changed(self, room: Room) -> None:
        """Keep a table that has changed, show it, and let a machine think if it is its turn."""
        await self.save(room.table)
        room.show()
        self.machines.advance(room)

    async def save(self, table: Table) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self.store.save, table.as_dict())
        except OSError as problem:
            complain(f"the table {table.name} could not be kept: {problem.strerror}")

    def spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def read(text: str | None) -> dict[str, Any]:
    """A message as a client sends it."""
    try:
        message = json.loads(text or "")
    except (ValueError, RecursionError):
        raise Refused("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise Refused("a message is a JSON object")
    return message
