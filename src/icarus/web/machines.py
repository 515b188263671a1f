"""The turns of machines: when one thinks, when its decision is shown, and what becomes of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from icarus.arena.clock import Bank
from icarus.game import ENVIRONMENT
from icarus.result import SearchResult
from icarus.strength import chosen
from icarus.terminal import complain
from icarus.web.jobs import job_thought, make_job
from icarus.web.limits import Limits
from icarus.web.pace import Pace
from icarus.web.room import Room
from icarus.web.strength import Strength
from icarus.web.table import Table
from icarus.web.thinking import Job

if TYPE_CHECKING:
    from icarus.web.lobby import Lobby

MOST_TOGETHER = 64  #: decisions that share a turn


class Machines:
    """The machines of all tables."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby

    def advance(self, room: Room) -> None:
        """If it is a machine's turn and somebody looks on, let it think."""
        table = room.table
        player = table.player
        if room.job is not None or player is None or not room.connections:
            return
        strength = table.seats[player].strength
        if strength is None:
            return
        if not table.secret and len(table.position.legal()) == 1:
            self.lobby.spawn(self._forced(room, table.version))
            return
        # in a game with secrets a machine takes its time over a single legal move too: it would tell what it holds
        if table.secret:
            coming = decisions(table)
            room.turn = room.turn or tuple(sorted(set(coming)))
            budgets = [other.seconds for seat in room.turn if (other := table.seats[seat].strength) and other.seconds]
            pace = room.paces.setdefault(room.turn, Pace(max(budgets, default=None)))
            strength = strength.within(pace.budget(asyncio.get_running_loop().time(), len(coming)))
        room.job = make_job(
            self.lobby.limits,
            position=table.position.copy(),
            seat=player,
            strength=strength,
            salt=(table.seed, len(table.entries)),
            done=partial(self._paced if table.secret else self._decided, room, table.version),
            progress=None if table.secret else partial(self._thinking, room, table.version),
            # in a game with secrets the time that a move takes must not tell anything
            bank=bank_of(room, player, strength) if strength.managed and not table.secret else None,
        )
        self.lobby.thinker.submit(room.job)

    async def _forced(self, room: Room, version: int) -> None:
        if room.table.version == version and not room.table.over and room.job is None:
            room.table.apply(room.table.position.legal()[0])
            await self.lobby.changed(room)

    def _thinking(self, room: Room, version: int, job: Job) -> None:
        if room.job is job and room.table.version == version and job.result is not None:
            room.tell({"type": "thinking", **job_thought(job)})

    def _paced(self, room: Room, version: int, job: Job) -> None:
        """A decision where something is hidden: it is shown when the turn is over, and not when it was found."""
        if room.job is not job or room.table.version != version:
            return
        table, pace = room.table, room.paces[room.turn]
        if job.result is not None and goes_on(table, chosen_move(table, job.result)):
            self._apply(room, job)
            self.lobby.spawn(self.lobby.save(table))
            self.advance(room)
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
            failed(room, job)
            return
        rest = waiting(room, job, self.lobby.limits)
        if rest > 0:
            loop = asyncio.get_running_loop()
            loop.call_later(rest, self._decided, room, version, job)
            return
        self._apply(room, job)
        self.lobby.spawn(self.lobby.changed(room))

    def _apply(self, room: Room, job: Job) -> None:
        """Play what a search has found."""
        assert job.result is not None
        table, ply = room.table, len(room.table.entries)
        room.job = None
        table.thoughts[ply] = job_thought(job)
        table.apply(chosen_move(table, job.result))
        self.lobby.archive.keep(table.name, ply, job.search)


def bank_of(room: Room, seat: int, strength: Strength) -> Bank:
    """What the machine in a seat has saved in this game."""
    return room.banks.setdefault(seat, Bank(strength.iterations, strength.seconds))


def waiting(room: Room, job: Job, limits: Limits) -> float:
    """Seconds that a machine of an adjusted strength still waits, so that its moves come as a person's would; once."""
    strength = room.table.seats[room.table.position.player].strength
    if strength is None or strength.strength is None or job.waited or room.table.secret or job.result is None:
        return 0.0
    job.waited = True
    return limits.pace.seconds(job.result) - job.result.seconds


def chosen_move(table: Table, result: SearchResult) -> int:
    """What a machine plays, which may be weaker than it could."""
    strength = table.seats[table.position.player].strength
    return chosen(result, None if strength is None else strength.strength).action


def failed(room: Room, job: Job) -> None:
    complain(f"table {room.table.name}: {job.problem}")
    reason = "its search failed" if room.table.secret else job.problem  # an error may speak of hidden things
    room.tell({"type": "notice", "text": f"The machine cannot go on: {reason}"})


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
