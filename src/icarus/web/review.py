"""What people ask beside the game: hints, earlier positions, the chart of a finished game, trees."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from icarus.drawing import draw
from icarus.game import ENVIRONMENT
from icarus.search import Search
from icarus.web.explorer import open_node
from icarus.web.jobs import job_thought, make_job
from icarus.web.limits import Refused, whole
from icarus.web.messages import review_message
from icarus.web.room import Connection, Room
from icarus.web.strength import PRESETS, Strength
from icarus.web.table import Table
from icarus.web.thinking import Job

if TYPE_CHECKING:
    from icarus.web.lobby import Lobby

HINT = PRESETS["medium"]
#: what is spent on each position of a finished game, for its chart
EVALUATION = Strength(iterations=400, seconds=1.0)


class Review:
    """Answers for all tables."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby

    async def hint(self, connection: Connection, message: dict[str, Any]) -> None:
        """Search for the seat that asks, from what it knows; the answer is for this connection alone."""
        table, seat = connection.room.table, connection.acting()
        if table.over or table.player != seat:
            raise Refused("a hint is for a move: it is not your turn")
        if connection.hint is not None:
            raise Refused("a hint is on its way")
        connection.hint = make_job(
            self.lobby.limits,
            position=table.position.copy(),
            seat=seat,
            strength=HINT,
            salt=(table.seed, -1 - table.turn(seat)),  # not how much there was that the seat has not noticed
            done=partial(self._hinted, connection, table.version, True),
            progress=partial(self._hinted, connection, table.version, False),
        )
        self.lobby.thinker.submit(connection.hint)

    def _hinted(self, connection: Connection, version: int, final: bool, job: Job) -> None:
        if connection.hint is job and final:
            connection.hint = None
        if connection.room.table.version != version:
            return
        if job.result is None:
            connection.send({"type": "notice", "text": f"No hint: {job.problem}"})
        else:
            connection.send({"type": "hint", "final": final, "action": job.result.best.action, **job_thought(job)})

    async def position(self, connection: Connection, message: dict[str, Any]) -> None:
        """An earlier position of a game in which nothing is hidden (any more)."""
        table = connection.room.table
        if table.secret and not table.over:
            raise Refused("this game hides something: its earlier positions are shown when it is over")
        position = table.position_at(whole(message.get("ply"), "ply"))
        drawing = draw(position, seat=connection.seats[0] if connection.seats else None, narrow=connection.narrow)
        connection.send({"type": "position", "ply": message["ply"], "drawing": drawing})

    async def review(self, connection: Connection, message: dict[str, Any]) -> None:
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
        ply = next((p for p in chart_plies(table, self.lobby.limits.evaluations) if p not in table.evaluations), None)
        if ply is None:
            return
        room.evaluating = make_job(
            self.lobby.limits,
            position=partial(table.position_at, ply),
            seat=table.entries[ply].player,
            strength=EVALUATION,
            salt=(table.seed, ply),
            done=partial(self._evaluated, room, table.version, ply),
            progress=None,
        )
        self.lobby.thinker.submit(room.evaluating)

    def _evaluated(self, room: Room, version: int, ply: int, job: Job) -> None:
        if room.evaluating is not job:
            return
        room.evaluating = None
        table = room.table
        if table.version != version or job.result is None:
            return
        table.evaluations[ply] = [round(value, 4) for value in job.result.best.mean]
        room.tell({"type": "evaluation", "ply": ply, "values": table.evaluations[ply]})
        self._evaluate(room)
        if room.evaluating is None:
            self.lobby.spawn(self.lobby.save(table))

    async def tree(self, connection: Connection, message: dict[str, Any]) -> None:
        """A node of the tree that was grown for a move."""
        table = connection.room.table
        ply, path = whole(message.get("ply"), "ply"), message.get("path", [])
        if not isinstance(path, list) or not all(isinstance(a, int) and not isinstance(a, bool) for a in path):
            raise Refused("a path is a list of actions")
        if table.secret and not table.over:
            raise Refused("this game hides something: trees are shown when it is over")
        if not 0 <= ply < len(table.entries) or table.entries[ply].player == ENVIRONMENT:
            raise Refused("there is no decision at that move")
        search = self.lobby.archive.get(table.name, ply) or await self._regrow(connection, ply)
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
        strength = table.seats[seat].strength
        connection.hint = job = make_job(
            self.lobby.limits,
            position=partial(table.position_at, ply),
            seat=seat,
            strength=HINT if strength is None or strength.asks else strength,
            salt=(table.seed, ply),
            done=lambda job: None if finished.done() else finished.set_result(job),
            progress=None,
        )
        self.lobby.thinker.submit(job)
        try:
            await finished
        finally:
            connection.hint = None
        if not isinstance(job.search, Search) or job.result is None:
            raise Refused(f"the position cannot be searched: {job.problem}")
        self.lobby.archive.keep(table.name, ply, job.search)
        return job.search


def chart_plies(table: Table, most: int) -> list[int]:
    """The decisions that the chart shows: all, or evenly spread ones of a long game."""
    decisions = [ply for ply, entry in enumerate(table.entries) if entry.player != ENVIRONMENT]
    step = max(1, -(-len(decisions) // most))
    return decisions[::step]
