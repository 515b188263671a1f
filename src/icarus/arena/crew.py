"""Processes that stay: they play games of schedules that are not known in advance, as in tuning.

The runner plays one schedule; here the next games depend on the results of the last ones.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from icarus.arena.cluster import join_cluster, leave_cluster, play_on_cluster, processors
from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, play_task
from icarus.arena.runner import RESTARTS, _pool, close_pool, warm
from icarus.arena.schedule import Cell, Schedule

Task = tuple[str, int]
_warmed: set[tuple[str, tuple[str, ...]]] = set()  #: of this process: what has been compiled or loaded


class Crew:
    """``play(schedule, tasks)`` yields each game as it is finished.  To be closed; a ``with`` block does it."""

    def __init__(self, jobs: int | None = None, cluster: str | None = None) -> None:
        self.jobs = jobs if jobs is not None else os.cpu_count() or 1
        if self.jobs < 1:
            raise ArenaError(f"--jobs {jobs}: at least one process is needed")
        self.cluster = cluster
        self._pool: ProcessPoolExecutor | None = None
        #: connected for as long as the crew stays: a tuning asks for a few games at a time
        self._joined = cluster is not None and join_cluster(cluster)
        if cluster is not None and jobs is None:
            self.jobs = processors()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        if self._joined:
            leave_cluster()

    def close(self) -> None:
        if self._pool is not None:
            close_pool(self._pool, at_once=True)
        self._pool = None

    def play(self, schedule: Schedule, tasks: Sequence[Task]) -> Iterator[GameRecord]:
        """All of these games, in the order in which they are finished."""
        if self.cluster is not None:
            for batch in play_on_cluster(schedule, list(tasks), self.cluster):
                yield from batch
        elif self.jobs == 1:
            for name, number in tasks:
                yield _play_one(_only(schedule, name), name, number)
        else:
            yield from self._play_in_processes(schedule, tasks)

    def _play_in_processes(self, schedule: Schedule, tasks: Sequence[Task]) -> Iterator[GameRecord]:
        todo, failures = deque(tasks), 0
        flying: dict[Future[GameRecord], Task] = {}
        while todo or flying:
            try:
                if self._pool is None:
                    warm(schedule)  # what is compiled now is inherited
                    self._pool = _pool(schedule, self.jobs)
                while todo and len(flying) < 2 * self.jobs:
                    name, number = todo.popleft()
                    flying[self._pool.submit(_play_one, _only(schedule, name), name, number)] = (name, number)
                done, _ = wait(flying, return_when=FIRST_COMPLETED)
                for future in done:
                    record = future.result()
                    del flying[future]
                    failures = 0
                    yield record
            except BrokenProcessPool:
                failures += 1
                if failures > RESTARTS:
                    raise ArenaError(
                        "the processes that play die again and again (out of memory?); try fewer with --jobs"
                    ) from None
                todo.extendleft(reversed(flying.values()))
                flying.clear()
                self.close()


def _only(schedule: Schedule, name: str) -> Schedule:
    """The schedule with one cell alone: all that a process must be told."""
    return Schedule((schedule.cell(name),), schedule.seed)


def _play_one(schedule: Schedule, name: str, number: int) -> GameRecord:
    cell: Cell = schedule.cell(name)
    if (cell.game, cell.players) not in _warmed:  # compiling must not count as thinking
        warm(schedule)
        _warmed.add((cell.game, cell.players))
    return play_task(schedule, name, number)
