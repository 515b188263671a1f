"""All tables of a server: who is connected, which searches run for whom, and what each message does.

Runs in the event loop's thread alone; searches report back to it.  A client's message is answered with ``done`` or ``refused``
(with its ``id``), and every connection of a table gets its state whenever that has changed for it: a move that a seat did not
notice sends it nothing at all.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from icarus.arena.clock import Bank
from icarus.drawing import combined, draw, moves, player_colours
from icarus.errors import IcarusError
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import mix
from icarus.play.knowledge import stand_in
from icarus.result import SearchResult
from icarus.search import Search, default_solve
from icarus.strength import chosen
from icarus.terminal import complain
from icarus.web.catalog import Catalog
from icarus.web.explorer import open_node
from icarus.web.limits import Limits, Refused
from icarus.web.messages import encode, review_message, state_message, thought_of
from icarus.web.pace import Pace
from icarus.web.store import Store
from icarus.web.strength import PRESETS, Strength, read_strength
from icarus.web.table import Seat, Table
from icarus.web.thinking import Job, Thinker

HINT = PRESETS["medium"]
#: what is spent on each position of a finished game, for its chart
EVALUATION = Strength(iterations=400, seconds=1.0)
WAITING = 200  #: messages that may wait for a slow client before it is dropped; it can come back
MOST_TOGETHER = 64  #: decisions that share a turn
KNOWN = 50  #: tables that are asked about at once
ARCHIVE_SHARE = 0.5  #: of the memory, for trees that can be opened after their move


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


class Lobby:
    """The server behind the pages."""

    def __init__(self, catalog: Catalog, store: Store, limits: Limits, threads: int | None = None) -> None:
        self.catalog, self.store, self.limits = catalog, store, limits
        self.thinker = Thinker(threads, limits.memory)
        self.rooms: dict[str, Room] = {}
        self.archive: OrderedDict[tuple[str, int], Search] = OrderedDict()
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
        await self._save(table)
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
        for job in (room.job, room.evaluating) if room is not None else ():
            if job is not None:
                job.cancel()
        for key in [key for key in self.archive if key[0] == name]:
            del self.archive[key]

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
        await self._save(room.table)
        self._show(room)
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
        self._advance(room)
        return connection

    def leave(self, connection: Connection) -> None:
        room = connection.room
        room.connections.discard(connection)
        if connection.hint is not None:
            connection.hint.cancel()
        if not room.connections:  # nobody looks: the machines rest until somebody does
            for job in (room.job, room.evaluating):
                if job is not None:
                    job.cancel()
            room.job = room.evaluating = None
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
            "hint": self._hint,
            "review": self._review,
            "position": self._position,
            "tree": self._tree,
            "ping": self._ping,
        }

    async def _ping(self, connection: Connection, message: dict[str, Any]) -> None:
        """The answer is that it is done."""

    async def _move(self, connection: Connection, message: dict[str, Any]) -> None:
        room = connection.room
        room.table.play(self._acting(connection), message.get("turn"), message.get("action"))
        await self._changed(room)

    async def _choose(self, connection: Connection, message: dict[str, Any]) -> None:
        """Several things at once, by their keys: a few moves in a row, or nothing at all."""
        room, table = connection.room, connection.room.table
        seat, chosen = self._acting(connection), message.get("keys")
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
        await self._changed(room)

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
                await self._save(again)
                await self._save(table)
        self._show(room)

    async def _undo(self, connection: Connection, message: dict[str, Any]) -> None:
        room, table = connection.room, connection.room.table
        if not connection.seats:
            raise Refused("you are watching: you have no move to take back")
        allowed = [seat for seat in connection.seats if table.can_undo(seat)]
        table.undo(allowed[-1] if allowed else connection.seats[0])
        for job in (room.job, room.evaluating):
            if job is not None:
                job.cancel()
        room.job = room.evaluating = None
        for key in [key for key in self.archive if key[0] == table.name and key[1] >= len(table.entries)]:
            del self.archive[key]
        await self._changed(room)

    def _acting(self, connection: Connection) -> int:
        """The seat of a connection that is to act."""
        if not connection.seats:
            raise Refused("you are watching: you hold no seat")
        table = connection.room.table
        if table.player is None or table.player not in connection.seats:
            return connection.seats[0]
        if table.shared(connection.seats) and connection.viewer != table.player:
            raise Refused("hand the screen over first")
        return table.player

    async def _changed(self, room: Room) -> None:
        """Keep a table that has changed, show it, and let a machine think if it is its turn."""
        await self._save(room.table)
        self._show(room)
        self._advance(room)

    def _show(self, room: Room) -> None:
        for connection in room.connections:
            connection.send_state()

    async def _save(self, table: Table) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self.store.save, table.as_dict())
        except OSError as problem:
            complain(f"the table {table.name} could not be kept: {problem.strerror}")

    # --- machines ----------------------------------------------------------------------------------------------------

    def _advance(self, room: Room) -> None:
        """If it is a machine's turn and somebody looks on, let it think."""
        table = room.table
        player = table.player
        if room.job is not None or player is None or not room.connections:
            return
        strength = table.seats[player].strength
        if strength is None:
            return
        if not table.secret and len(table.position.legal()) == 1:
            self._spawn(self._forced(room, table.version))
            return
        # in a game with secrets a machine takes its time over a single legal move too: it would tell what it holds
        if table.secret:
            coming = decisions(table)
            room.turn = room.turn or tuple(sorted(set(coming)))
            budgets = [other.seconds for seat in room.turn if (other := table.seats[seat].strength) and other.seconds]
            pace = room.paces.setdefault(room.turn, Pace(max(budgets, default=None)))
            strength = strength.within(pace.budget(asyncio.get_running_loop().time(), len(coming)))
        room.job = self._job(
            position=table.position.copy(),
            seat=player,
            strength=strength,
            salt=(table.seed, len(table.entries)),
            done=partial(self._paced if table.secret else self._decided, room, table.version),
            progress=None if table.secret else partial(self._thinking, room, table.version),
            # in a game with secrets the time that a move takes must not tell anything
            bank=self._bank(room, player, strength) if strength.managed and not table.secret else None,
        )
        self.thinker.submit(room.job)

    def _bank(self, room: Room, seat: int, strength: Strength) -> Bank:
        """What the machine in a seat has saved in this game."""
        return room.banks.setdefault(seat, Bank(strength.iterations, strength.seconds))

    def _job(
        self,
        *,
        position: Position | Callable[[], Position],
        seat: int,
        strength: Strength,
        salt: tuple[int, int],
        done: Callable[[Job], None],
        progress: Callable[[Job], None] | None,
        bank: Bank | None = None,
    ) -> Job:
        loop = asyncio.get_running_loop()

        def begin(memory: int) -> Search:
            here = position() if callable(position) else position
            return Search(
                here,
                algorithm=strength.algorithm or None,
                strategy=strength.strategy,
                observer=seat,
                seed=int(mix(*salt)) & (2**62 - 1),
                memory=memory,
                solve=default_solve(here.game, strength.algorithm or None, strength.strategy, strength.seconds),
            )

        def tell(call: Callable[[Job], None], job: Job) -> None:
            loop.call_soon_threadsafe(call, job)

        return Job(
            begin,
            iterations=strength.iterations,
            seconds=strength.seconds,
            limit=self.limits.seconds if strength.strength is None else min(self.limits.seconds, self.limits.pace.longest),
            done=partial(tell, done),
            progress=None if progress is None else partial(tell, progress),
            bank=bank,
        )

    async def _forced(self, room: Room, version: int) -> None:
        if room.table.version == version and not room.table.over and room.job is None:
            room.table.apply(room.table.position.legal()[0])
            await self._changed(room)

    def _thinking(self, room: Room, version: int, job: Job) -> None:
        if room.job is job and room.table.version == version and job.result is not None:
            for connection in room.connections:
                connection.send({"type": "thinking", **job_thought(job)})

    def _paced(self, room: Room, version: int, job: Job) -> None:
        """A decision where something is hidden: it is shown when the turn is over, and not when it was found."""
        if room.job is not job or room.table.version != version:
            return
        table, pace = room.table, room.paces[room.turn]
        if job.result is not None and goes_on(table, self._machine_move(table, job.result)):
            self._apply(room, job)
            self._spawn(self._save(table))
            self._advance(room)
            return
        loop = asyncio.get_running_loop()

        def tell() -> None:
            if room.job is job:
                room.turn = ()
                pace.over()
                self._decided(room, version, job)

        loop.call_at(pace.end(loop.time()), tell)

    def _decided(self, room: Room, version: int, job: Job) -> None:
        if room.job is not job or room.table.version != version:
            return
        if job.result is None:
            room.job = None
            self._failed(room, job)
            return
        rest = self._natural(room, job)
        if rest > 0:
            loop = asyncio.get_running_loop()
            loop.call_later(rest, self._decided, room, version, job)
            return
        self._apply(room, job)
        self._spawn(self._changed(room))

    def _natural(self, room: Room, job: Job) -> float:
        """Seconds that a machine of an adjusted strength still waits, so that its moves come as a person's would; once."""
        strength = room.table.seats[room.table.position.player].strength
        if strength is None or strength.strength is None or job.waited or room.table.secret or job.result is None:
            return 0.0
        job.waited = True
        return self.limits.pace.seconds(job.result) - job.result.seconds

    def _machine_move(self, table: Table, result: SearchResult) -> int:
        strength = table.seats[table.position.player].strength
        return chosen(result, None if strength is None else strength.strength).action

    def _apply(self, room: Room, job: Job) -> None:
        """Play what a search has found."""
        assert job.result is not None
        table, ply = room.table, len(room.table.entries)
        room.job = None
        table.thoughts[ply] = job_thought(job)
        table.apply(self._machine_move(table, job.result))
        self._keep(table.name, ply, job.search)

    def _failed(self, room: Room, job: Job) -> None:
        complain(f"table {room.table.name}: {job.problem}")
        reason = "its search failed" if room.table.secret else job.problem  # an error may speak of hidden things
        for connection in room.connections:
            connection.send({"type": "notice", "text": f"The machine cannot go on: {reason}"})

    def _keep(self, name: str, ply: int, search: Search | None) -> None:
        """Keep a tree to be opened later; the oldest go when there is no more room."""
        if search is None:
            return
        self.archive[name, ply] = search
        while len(self.archive) > 1 and sum(map(held, self.archive.values())) > self.limits.memory * ARCHIVE_SHARE:
            self.archive.popitem(last=False)

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- hints -------------------------------------------------------------------------------------------------------

    async def _hint(self, connection: Connection, message: dict[str, Any]) -> None:
        """Search for the seat that asks, from what it knows; the answer is for this connection alone."""
        table, seat = connection.room.table, self._acting(connection)
        if table.over or table.player != seat:
            raise Refused("a hint is for a move: it is not your turn")
        if connection.hint is not None:
            raise Refused("a hint is on its way")
        connection.hint = self._job(
            position=table.position.copy(),
            seat=seat,
            strength=HINT,
            salt=(table.seed, -1 - table.turn(seat)),  # not how much there was that the seat has not noticed
            done=partial(self._hinted, connection, table.version, True),
            progress=partial(self._hinted, connection, table.version, False),
        )
        self.thinker.submit(connection.hint)

    def _hinted(self, connection: Connection, version: int, final: bool, job: Job) -> None:
        if connection.hint is job and final:
            connection.hint = None
        if connection.room.table.version != version:
            return
        if job.result is None:
            connection.send({"type": "notice", "text": f"No hint: {job.problem}"})
        else:
            connection.send({"type": "hint", "final": final, "action": job.result.best.action, **job_thought(job)})

    # --- looking back ------------------------------------------------------------------------------------------------

    async def _position(self, connection: Connection, message: dict[str, Any]) -> None:
        """An earlier position of a game in which nothing is hidden (any more)."""
        table = connection.room.table
        if table.secret and not table.over:
            raise Refused("this game hides something: its earlier positions are shown when it is over")
        position = table.position_at(whole(message.get("ply"), "ply"))
        drawing = draw(position, seat=connection.seats[0] if connection.seats else None, narrow=connection.narrow)
        connection.send({"type": "position", "ply": message["ply"], "drawing": drawing})

    async def _review(self, connection: Connection, message: dict[str, Any]) -> None:
        room, table = connection.room, connection.room.table
        if not table.over:
            raise Refused("the game is not over yet")
        for ply, thought in table.thoughts.items():
            table.evaluations.setdefault(ply, thought["mean"])
        connection.send(review_message(table))
        self._evaluate(room)

    def _evaluate(self, room: Room) -> None:
        """Search the next position that the chart lacks, if anybody looks on."""
        table = room.table
        if room.evaluating is not None or not room.connections or not table.over:
            return
        ply = next((p for p in chart_plies(table, self.limits.evaluations) if p not in table.evaluations), None)
        if ply is None:
            return
        room.evaluating = self._job(
            position=partial(table.position_at, ply),
            seat=table.entries[ply].player,
            strength=EVALUATION,
            salt=(table.seed, ply),
            done=partial(self._evaluated, room, table.version, ply),
            progress=None,
        )
        self.thinker.submit(room.evaluating)

    def _evaluated(self, room: Room, version: int, ply: int, job: Job) -> None:
        if room.evaluating is not job:
            return
        room.evaluating = None
        table = room.table
        if table.version != version or job.result is None:
            return
        table.evaluations[ply] = [round(value, 4) for value in job.result.best.mean]
        for connection in room.connections:
            connection.send({"type": "evaluation", "ply": ply, "values": table.evaluations[ply]})
        self._evaluate(room)
        if room.evaluating is None:
            self._spawn(self._save(table))

    async def _tree(self, connection: Connection, message: dict[str, Any]) -> None:
        """A node of the tree that was grown for a move."""
        table = connection.room.table
        ply, path = whole(message.get("ply"), "ply"), message.get("path", [])
        if not isinstance(path, list) or not all(isinstance(a, int) and not isinstance(a, bool) for a in path):
            raise Refused("a path is a list of actions")
        if table.secret and not table.over:
            raise Refused("this game hides something: trees are shown when it is over")
        if not 0 <= ply < len(table.entries) or table.entries[ply].player == ENVIRONMENT:
            raise Refused("there is no decision at that move")
        search = self.archive.get((table.name, ply)) or await self._regrow(connection, ply)
        node = await asyncio.to_thread(open_node, search, path)
        connection.send({"type": "tree", "ply": ply, "path": path, **node})

    async def _regrow(self, connection: Connection, ply: int) -> Search:
        """Search a position of a finished game (again): the tree of a person's move, or one that is gone."""
        table = connection.room.table
        if not table.over:
            raise Refused("that tree is gone; trees of all moves can be opened when the game is over")
        if connection.hint is not None:
            raise Refused("a search is under way")
        seat = table.entries[ply].player
        finished = asyncio.get_running_loop().create_future()
        connection.hint = job = self._job(
            position=partial(table.position_at, ply),
            seat=seat,
            strength=table.seats[seat].strength or HINT,
            salt=(table.seed, ply),
            done=lambda job: None if finished.done() else finished.set_result(job),
            progress=None,
        )
        self.thinker.submit(job)
        try:
            await finished
        finally:
            connection.hint = None
        if job.search is None or job.result is None:
            raise Refused(f"the position cannot be searched: {job.problem}")
        self._keep(table.name, ply, job.search)
        return job.search


def read(text: str | None) -> dict[str, Any]:
    """A message as a client sends it."""
    try:
        message = json.loads(text or "")
    except (ValueError, RecursionError):
        raise Refused("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise Refused("a message is a JSON object")
    return message


def goes_on(table: Table, action: int) -> bool:
    """Does a machine's turn go on after this action: with its next decision, or with that of a machine that chooses with it?"""
    after = table.position.copy().apply(action)
    return not after.is_terminal and after.player in (table.position.player, *decisions(table)[1:2])


def decisions(table: Table) -> list[int]:
    """The machines' decisions from here on that are made at the same time, one after the other: whose they are."""
    position = table.position.copy()
    found = [position.player]
    while len(found) < MOST_TOGETHER:
        if table.game.simultaneous is None or not table.game.call("simultaneous", position.state):
            break
        position.apply(position.legal()[0])
        seat = position.player
        if position.is_terminal or seat == ENVIRONMENT or table.seats[seat].strength is None:
            break
        if seat != found[-1] and seat in found:  # they choose anew
            break
        found.append(seat)
    return found


def whole(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused(f"{name}: a whole number is expected")
    return value


def job_thought(job: Job) -> dict[str, Any]:
    """What a job has found so far, with the time that it really ran."""
    assert job.result is not None
    if job.keys is None:
        job.keys = {} if job.search is None else moves(job.search.position)
    thought = thought_of(job.result, job.keys)
    thought["seconds"] = round(job.seconds, 3)
    thought["speed"] = round(thought["iterations"] / max(job.spent, 1e-6))
    return thought


def held(search: Search) -> int:
    """The bytes of a search's trees."""
    return sum(table.used_bytes for table in search.team.tables)


def chart_plies(table: Table, most: int) -> list[int]:
    """The decisions that the chart shows: all, or evenly spread ones of a long game."""
    decisions = [ply for ply, entry in enumerate(table.entries) if entry.player != ENVIRONMENT]
    step = max(1, -(-len(decisions) // most))
    return decisions[::step]
