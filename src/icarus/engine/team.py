"""Workers, trees and the budget: who runs which tree for how long.

Compiled code runs for a moment at a time and comes back, so that clocks, progress, signals and memory can be looked at in
between.  Workers on one tree share its table without locks; workers on trees of their own have tables of their own.  A search
with many trees (determinized UCT, ensembles) gives each an equal share of the budget, in turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from icarus.engine import words as w
from icarus.engine.inspect import record_at
from icarus.engine.loop import run
from icarus.engine.randomness import mix
from icarus.engine.records import Table
from icarus.engine.world import World

PAUSE = 0.01  #: how long compiled code runs before it comes back, in seconds
ROUND_PER_LANE = 64  #: iterations per lane in a round of several lanes

ENDED = {w.STOPPED: "stop", w.OUT_OF_MEMORY: "memory", w.ENOUGH_RECORDS: "records"}


class ContractBroken(Exception):
    """A game broke its contract in a playout; the worker's CONTROL says how."""

    def __init__(self, control: npt.NDArray[np.int64]) -> None:
        super().__init__()
        self.control = control


@dataclass(eq=False)
class Tree:
    """Where a tree starts, and the table that holds it."""

    root: npt.NDArray[np.int64]
    history: npt.NDArray[np.int64]
    table: Table
    record: int = 0
    iterations: int = 0


@dataclass(frozen=True)
class Budget:
    """What a search may spend: the first limit that is reached ends it."""

    iterations: int | None
    seconds: float | None
    records: int | None
    bytes: int


class Team:
    """The workers of a search, with their trees and tables."""

    def __init__(self, workers: list[World], tables: list[Table], trees: list[Tree], lanes: int) -> None:
        self.workers, self.tables, self.trees, self.lanes = workers, tables, trees, lanes
        self.shared = len(workers) > len(tables)
        # callbacks into Python are slow: begin with less, so that even the first round keeps to a short time budget
        self._chunk = (256 if workers[0][w.GAME][w.F_ADVANCE] == 0 else 16) if lanes == 1 else lanes

    def spend(self, budget: Budget, tell: Callable[[int, float], None]) -> str:
        """Run until the budget is used up; ``tell`` hears of iterations and seconds so far.  Returns what ended it."""
        begun = time.perf_counter()
        size = len(self.tables)
        turns = (
            [self.trees * len(self.workers)]
            if self.shared
            else [self.trees[i : i + size] for i in range(0, len(self.trees), size)]
        )
        before = sum(tree.iterations for tree in self.trees)
        reason = "iterations"
        pool = ThreadPoolExecutor(len(self.workers)) if len(self.workers) > 1 else None
        try:
            for number, trees in enumerate(turns):
                shares = self._shares(budget.iterations, number * size, trees)
                deadline = None if budget.seconds is None else begun + budget.seconds * (number + 1) / len(turns)

                def report() -> None:
                    tell(sum(tree.iterations for tree in self.trees) - before, time.perf_counter() - begun)

                reason = self._take_turn(pool, trees, shares, deadline, budget, report)
                if reason in ENDED.values():
                    break
        finally:
            if pool is not None:
                pool.shutdown()
        return reason

    def _shares(self, iterations: int | None, first: int, trees: list[Tree]) -> list[int] | None:
        """How many iterations each worker of a turn is to do."""
        if iterations is None:
            return None
        parts = len(trees) if self.shared else len(self.trees)
        return [iterations // parts + ((first + i) % parts < iterations % parts) for i in range(len(trees))]

    def _take_turn(
        self,
        pool: ThreadPoolExecutor | None,
        trees: list[Tree],
        shares: list[int] | None,
        deadline: float | None,
        budget: Budget,
        report: Callable[[], None],
    ) -> str:
        left = list(shares) if shares is not None else None
        if self.lanes > 1 and deadline is None:
            # lanes run empty at the end of a round, so with rounds as long as the clock says no seed would repeat its statistics
            self._chunk = ROUND_PER_LANE * self.lanes
        while True:
            rooms = [self._chunk] * len(trees) if left is None else [min(self._chunk, rest) for rest in left]
            if not any(rooms):
                return "iterations"
            started = time.perf_counter()
            if deadline is not None and started >= deadline and all(tree.iterations for tree in trees):
                return "seconds"
            jobs = [
                self._prepare(worker, tree, room, budget) for worker, tree, room in zip(self.workers, trees, rooms, strict=False)
            ]
            outcomes = self._run(pool, jobs)
            for i, (tree, (_, done)) in enumerate(zip(trees, outcomes, strict=True)):
                tree.iterations += done
                if left is not None:
                    left[i] -= done
            self._adapt(max(done for _, done in outcomes), started, deadline)
            report()
            codes = {code for code, _ in outcomes}
            for code, reason in ENDED.items():
                if code in codes:
                    return reason
            if w.INDEX_TOO_SMALL in codes and not self._grow(budget.bytes):
                return "memory"

    def _prepare(self, worker: World, tree: Tree, room: int, budget: Budget) -> World:
        """Point a worker at a tree, with room for so many iterations."""
        control, meta = worker[w.CONTROL], tree.table.meta
        worker.use_table(tree.table)
        worker[w.ROOT], worker[w.ROOT_HISTORY] = tree.root, tree.history
        if tree.record == 0:
            tree.record = int(record_at(worker.handle, mix(int(tree.history[0]), -7), 0))
        control[w.ROOT_RECORD] = tree.record
        control[w.MAX_RECORDS] = 2**62 if budget.records is None else max(budget.records // len(self.tables), 1)
        meta[w.LIMIT] = min(len(tree.table.pool), (budget.bytes // len(self.tables) - tree.table.index.nbytes) // 8)
        control[w.TARGET] = control[w.STARTED] + room
        return worker

    def _run(self, pool: ThreadPoolExecutor | None, jobs: list[World]) -> list[tuple[int, int]]:
        if pool is None:
            return [_work(job) for job in jobs]
        futures = [pool.submit(_work, job) for job in jobs]
        try:
            return [future.result() for future in futures]
        except KeyboardInterrupt:
            jobs[0][w.STOP][0] = 1
            for future in futures:
                future.result()
            raise

    def _adapt(self, done: int, started: float, deadline: float | None) -> None:
        """The next round should take about a PAUSE and must not overrun the deadline."""
        if self.lanes > 1 and deadline is None:
            return
        now = time.perf_counter()
        pause = PAUSE if deadline is None else min(PAUSE, max(deadline - now, 0.0005))
        if done:
            fitting = int(done * pause / max(now - started, 1e-6))
            self._chunk = min(max(fitting, self.lanes), 8 * self._chunk)

    def _grow(self, limit: int) -> bool:
        """Make room for more contexts, if memory allows."""
        for table in self.tables:
            if table.meta[w.CONTEXT_COUNT] * 2 > table.meta[w.SLOTS]:
                if table.used_bytes + table.index.nbytes > limit // len(self.tables):
                    return False
                table.grow_index()
        return True


def _work(worker: World) -> tuple[int, int]:
    """Let one worker run; returns why it came back and how many iterations it did."""
    before = int(worker[w.CONTROL][w.DONE])
    code = int(run(worker.handle))
    if code == w.FAILED:
        raise ContractBroken(worker[w.CONTROL])
    return code, int(worker[w.CONTROL][w.DONE]) - before
