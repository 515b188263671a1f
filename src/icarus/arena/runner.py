"""Playing a schedule: on this process, on several, or on a cluster; always the same games.

Workers play, and this process alone stores: each batch of finished games in one transaction.  A worker that dies costs its
unfinished games, which are played again; Ctrl-C keeps what is done.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait as wait_for_any

from icarus.arena.errors import ArenaError
from icarus.arena.match import GameRecord, play_task
from icarus.arena.schedule import GAME, Schedule, game_named
from icarus.arena.store import Store

BATCH_SECONDS = 0.3  #: about how long a worker plays before it hands its games over: what a kill can cost
MAX_BATCH = 200
RESTARTS = 5  #: how often in a row workers may die before a game's end

Task = tuple[str, int]
Batches = Generator[list[GameRecord], None, None]


@dataclass
class Run:
    """How far a run is, for progress and results."""

    schedule: Schedule
    #: games that were in the store before
    kept: int = 0
    records: list[GameRecord] = field(default_factory=list)
    begun: float = field(default_factory=time.perf_counter)
    #: "finished", "settled" or "interrupted"
    ended: str = ""

    @property
    def played(self) -> int:
        return len(self.records) - self.kept

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    @property
    def seconds_left(self) -> float | None:
        """An estimate, from the first finished game on."""
        if not self.played:
            return None
        return self.seconds / self.played * (self.schedule.games - len(self.records))


def run(
    schedule: Schedule,
    *,
    jobs: int | None = None,
    store: Store | None = None,
    progress: Callable[[Run], None] | None = None,
    enough: Callable[[Run], bool] | None = None,
    cluster: str | None = None,
    known: Sequence[GameRecord] = (),
) -> Run:
    """Play all games of a schedule that the store does not have yet, and that are not ``known`` from elsewhere.

    ``jobs``: processes (default: one per core).  ``progress`` is called whenever games are finished.  ``enough`` may end the run
    early; it is shown the games in the schedule's order, so that the answer does not depend on the number of processes.
    ``cluster``: the address of a Ray cluster.
    """
    jobs = jobs or os.cpu_count() or 1
    if jobs < 1:
        raise ArenaError(f"--jobs {jobs}: at least one process is needed")
    state = Run(schedule)
    if store is not None:
        held = store.finished()
        state.records = _stored(store, schedule)
        state.kept = len(state.records)
    else:
        held = set()
    held |= {(record.cell, record.number) for record in known}
    order = [task for task in schedule.tasks() if task not in held]
    if cluster is not None:
        from icarus.arena.cluster import play_on_cluster

        batches = play_on_cluster(schedule, order, cluster)
    elif jobs == 1 or len(order) < 2:
        batches = _play_here(schedule, order)
    else:
        batches = _play_in_processes(schedule, order, min(jobs, len(order)))
    sight = _InOrder(state, enough) if enough is not None else None
    try:
        if sight is not None and sight.add([]):
            state.ended = "settled"
            return state
        for batch in batches:
            if store is not None:
                store.add(batch)
            state.records.extend(batch)
            if progress is not None:
                progress(state)
            if sight is not None and sight.add(batch):
                state.ended = "settled"
                break
        else:
            state.ended = "finished"
    except KeyboardInterrupt:
        state.ended = "interrupted"
        if store is not None:  # it may have come between storing a game and counting it
            state.records = _stored(store, schedule)
    finally:
        with suppress(Exception):
            batches.close()
    if sight is not None and state.ended == "settled":
        state.records = sight.records
    return state


def _stored(store: Store, schedule: Schedule) -> list[GameRecord]:
    """The games of a schedule that a store holds."""
    wanted = set(schedule.tasks())
    return [record for record in store.records() if (record.cell, record.number) in wanted]


class _InOrder:
    """Shows a growing run to ``enough`` in the schedule's own order, one game at a time, as one process would."""

    def __init__(self, state: Run, enough: Callable[[Run], bool]) -> None:
        self.enough, self.view = enough, Run(state.schedule)
        self.order = list(state.schedule.tasks())
        self.waiting = {(r.cell, r.number): r for r in state.records}

    @property
    def records(self) -> list[GameRecord]:
        return self.view.records

    def add(self, batch: Iterable[GameRecord]) -> bool:
        self.waiting.update({(r.cell, r.number): r for r in batch})
        while len(self.view.records) < len(self.order) and (task := self.order[len(self.view.records)]) in self.waiting:
            self.view.records.append(self.waiting.pop(task))
            if self.enough(self.view):
                return True
        return False


# --- this process ----------------------------------------------------------------------------------------------------


def _play_here(schedule: Schedule, tasks: Iterable[Task]) -> Batches:
    warm(schedule)  # compiling must not count as thinking
    batch: list[GameRecord] = []
    begun = time.perf_counter()
    try:
        for name, number in tasks:
            batch.append(play_task(schedule, name, number))
            if time.perf_counter() - begun >= BATCH_SECONDS:
                yield batch
                batch, begun = [], time.perf_counter()
    except KeyboardInterrupt:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


# --- several processes -----------------------------------------------------------------------------------------------

_schedule: Schedule | None = None  #: a worker's


def _begin_worker(schedule: Schedule) -> None:
    """In a worker: Ctrl-C is the parent's business, and nobody outlives the parent."""
    global _schedule
    _schedule = schedule
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait_for_any([sentinel])
    os._exit(1)


def _play_batch(tasks: list[Task]) -> list[GameRecord]:
    assert _schedule is not None
    return [play_task(_schedule, name, number) for name, number in tasks]


def _play_in_processes(schedule: Schedule, order: list[Task], jobs: int) -> Batches:
    """Batches that take about BATCH_SECONDS each, two per process in flight, so that nobody waits and little can be lost."""
    warm(schedule)
    todo = deque(order)
    size, failures = 1, 0
    pool = _pool(schedule, jobs)
    flying: dict[Future[list[GameRecord]], list[Task]] = {}
    try:
        while todo or flying:
            try:
                while todo and len(flying) < 2 * jobs:
                    # near the end batches get smaller, so that all processes finish together
                    number = max(min(size, len(todo) // (2 * jobs), MAX_BATCH), 1)
                    batch = [todo.popleft() for _ in range(min(number, len(todo)))]
                    flying[pool.submit(_play_batch, batch)] = batch
                done, _ = wait(flying, return_when=FIRST_COMPLETED)
                for future in done:
                    records = future.result()
                    del flying[future]
                    took = sum(record.elapsed for record in records) / len(records)
                    size = int(min(max(BATCH_SECONDS / max(took, 1e-6), 1), MAX_BATCH))
                    failures = 0
                    yield records
            except BrokenProcessPool:
                failures += 1
                if failures > RESTARTS:
                    raise ArenaError(
                        "the processes that play die again and again (out of memory?); try fewer with --jobs"
                    ) from None
                todo.extendleft(reversed([task for batch in flying.values() for task in batch]))
                flying.clear()
                pool.shutdown()
                pool = _pool(schedule, jobs)
    finally:
        close_pool(pool, at_once=bool(flying))


def close_pool(pool: ProcessPoolExecutor, *, at_once: bool) -> None:
    """End the processes of a pool, ``at_once`` in the middle of their games.

    The pool's own thread is waited for: if it still closes its pipe when Python ends, that is an error on the terminal.
    """
    if at_once:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


def _pool(schedule: Schedule, jobs: int) -> ProcessPoolExecutor:
    # forked workers inherit the compiled code; where threads run or forking is not offered, workers load it from the cache
    can_fork = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if can_fork else "spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_worker, initargs=(schedule,))


def warm(schedule: Schedule) -> None:
    """Compile, once and before there are several processes, what the games will call."""
    from icarus.arena.players import read_player
    from icarus.arena.solved import SOLVERS

    seen: set[tuple[str, str]] = set()
    for cell in schedule.cells:
        for name in cell.players if cell.kind == GAME and cell.games else ():
            player = read_player(name)
            if player.algorithm in SOLVERS and player.algorithm != "oos":  # once, and not in every process
                player.seated(game_named(cell.game), 0, 0)
            if not player.searches or (cell.game, player.strategy) in seen:
                continue
            seen.add((cell.game, player.strategy))
            player.search(game_named(cell.game).start(0), 0, 0).run(iterations=1)
