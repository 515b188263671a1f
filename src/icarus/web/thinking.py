"""Searches of many tables on few processors: threads that take turns, one short slice after another.

Compiled searches leave the interpreter to the others while they run, so the server answers meanwhile; and since there are no more
threads than processors, no search is slowed down by the rest more than its fair share.  A budget in seconds is time on the clock:
with many tables a machine thinks less, not longer.  A budget in iterations takes as long as it takes, within the limit.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from icarus.arena.clock import Bank
from icarus.errors import IcarusError
from icarus.network.searching import AnySearch
from icarus.result import SearchResult
from icarus.search import is_decided
from icarus.search.stopping import SLICES

SLICE = 0.03  #: seconds of one turn
TELL = 0.25  #: seconds between two reports of one search
LEAST, MOST = 8 << 20, 256 << 20  #: bytes for one tree


class Job:
    """A search that is under way.  ``done`` is called once from a thread: with a result, or with an error's text."""

    def __init__(
        self,
        begin: Callable[[int], AnySearch],
        *,
        iterations: int | None,
        seconds: float | None,
        limit: float,
        done: Callable[[Job], None],
        progress: Callable[[Job], None] | None = None,
        bank: Bank | None = None,
    ) -> None:
        self._begin, self._done, self._progress = begin, done, progress
        self._bank, self._extended = bank, False
        self._iterations, self._seconds, self._limit = iterations, seconds, limit
        self._submitted = self._told = time.perf_counter()
        self._spent = 0.0
        self.search: AnySearch | None = None
        self.result: SearchResult | None = None
        #: where the moves of the search are on the drawing, once somebody has asked
        self.keys: dict[int, list[str]] | None = None
        self.problem = ""
        self.cancelled = False
        #: a person's time has passed (icarus.strength.Pace)
        self.waited = False

    def cancel(self) -> None:
        """Forget the job: it reports nothing any more."""
        self.cancelled = True
        if self.search is not None:
            self.search.stop()

    def step(self, memory: int) -> bool:
        """One slice; is there more to do?"""
        try:
            if self.search is None:
                self.search = self._begin(memory)
            more = self._run(self.search)
        except IcarusError as problem:
            self.problem, more = str(problem), False
        except Exception as problem:  # a user's game may raise anything; its table stops and the others go on
            self.problem, more = f"the search failed: {type(problem).__name__}: {problem}", False
        if not more and not self.cancelled:
            self._done(self)
        return more

    def _run(self, search: AnySearch) -> bool:
        started = time.perf_counter()
        room = SLICE if self._seconds is None else min(SLICE, self._submitted + self._seconds - started)
        left = None if self._iterations is None else self._iterations - search.iterations
        if self._bank is not None and self._iterations is not None and left is not None:
            left = min(left, -(-self._iterations // SLICES))  # whether it is decided is asked between slices
        self.result = search.run(iterations=left, seconds=max(room, 0.001))
        now = time.perf_counter()
        self._spent += now - started
        ended = (
            self.cancelled
            or self.result.stopped_by not in ("seconds", "iterations")
            or (self._iterations is not None and search.iterations >= self._iterations)
            or (self._seconds is not None and now >= self._submitted + self._seconds)
            or self._spent >= self._limit
        )
        if self._bank is not None and not self.cancelled:
            ended = self._managed(search, self._bank, self.result, ended, now)
        if self._progress is not None and not self.cancelled and (ended or now >= self._told + TELL):
            self._told = now
            self._progress(self)
        return not ended

    def _managed(self, search: AnySearch, bank: Bank, result: SearchResult, ended: bool, now: float) -> bool:
        """Time management (icarus.arena.clock): is it over now, since it is decided, or not yet, since the player is behind?"""
        clock = float("inf") if self._seconds is None else max(self._submitted + self._seconds - now, 0.0)
        count = float("inf") if self._iterations is None else float(max(self._iterations - search.iterations, 0))
        left = min(count, clock * search.iterations / max(now - self._submitted, 1e-9))
        decided = not ended and left > 0 and is_decided(search, left)
        if not ended and not decided:
            return False
        bank.saved += count if self._iterations is not None else clock
        spent_up = result.stopped_by in ("seconds", "iterations") and self._spent < self._limit
        if spent_up and not self._extended and (more := bank.more(result)) > 0:
            self._extended = True
            bank.saved -= more
            if self._iterations is not None:
                self._iterations = search.iterations + int(more)
            elif self._seconds is not None:
                self._seconds = now - self._submitted + more
            return False
        return True

    @property
    def seconds(self) -> float:
        """Since it was asked for, on the clock."""
        return time.perf_counter() - self._submitted

    @property
    def spent(self) -> float:
        """Seconds in which it really ran."""
        return self._spent


class Thinker:
    """The threads and the queue of searches."""

    def __init__(self, threads: int | None = None, memory: int = 1 << 30) -> None:
        self._memory = memory
        self._queue: deque[Job] = deque()
        self._active = 0
        self._ready = threading.Condition()
        self._closed = False
        number = threads or os.cpu_count() or 1
        self._threads = [threading.Thread(target=self._work, name=f"icarus-search-{i}", daemon=True) for i in range(number)]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        with self._ready:
            self._active += 1
            self._queue.append(job)
            self._ready.notify()

    @property
    def active(self) -> int:
        """Searches that are under way."""
        return self._active

    def close(self) -> None:
        """End everything that is under way, without answers."""
        with self._ready:
            self._closed = True
            for job in self._queue:
                job.cancel()
            self._ready.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        _step_back()
        while True:
            with self._ready:
                while not self._queue and not self._closed:
                    self._ready.wait()
                if self._closed:
                    return
                job = self._queue.popleft()
                memory = min(max(self._memory // max(self._active, 1), LEAST), MOST)
            more = not job.cancelled and job.step(memory)
            with self._ready:
                if more:
                    self._queue.append(job)
                else:
                    self._active -= 1


def _step_back() -> None:
    """Let the thread that answers people go first, where threads have priorities of their own (Linux)."""
    set_priority: Any = getattr(os, "setpriority", None)
    if set_priority is not None and hasattr(os, "PRIO_PROCESS") and os.uname().sysname == "Linux":
        set_priority(os.PRIO_PROCESS, threading.get_native_id(), 5)
