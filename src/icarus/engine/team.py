"""Workers, trees and the budget: who runs which tree for how long.

Compiled code runs for a moment at a time and comes back, so that clocks, progress, signals and memory can be looked at in
between.  Workers on one tree share its table without locks; workers on trees of their own have tables of their own.  A search
with many trees (determinized UCT, ensembles) gives each an equal share of the budget, in turn.  Nobody waits for anybody: a
worker goes from share to share on its own, and workers on one tree take iterations from one allowance until it is used up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from icarus.engine.drive.lockstep import run
from icarus.engine.drive.straight import run_baseline, run_uct
from icarus.engine.layout import (
    ENOUGH_RECORDS,
    FAILED,
    INDEX_TOO_SMALL,
    INLINED_UCB1,
    INLINED_UCB1_TUNED,
    OUT_OF_MEMORY,
    PROVEN,
    RUNS_DONE,
    SINK,
    STOPPED,
    Control,
)
from icarus.engine.table.pool import Table
from icarus.engine.table.reader import record_at
from icarus.engine.world import Worker
from icarus.jit import Kernel
from icarus.jit.randomness import mix

PAUSE = 0.01  #: how long compiled code runs before it comes back, in seconds
GLANCE = 0.05  #: how often progress is told while threads are at work, in seconds
ROUND_PER_LANE = 64  #: iterations per lane in a round of several lanes

DECIDED = "decided"
ENDED = {PROVEN: "proven", STOPPED: "stop", OUT_OF_MEMORY: "memory", ENOUGH_RECORDS: "records", RUNS_DONE: "runs"}


class ContractBroken(Exception):
    """A game broke its contract in a playout; the worker's control says how."""

    def __init__(self, control: Control) -> None:
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


@dataclass(eq=False)
class Share:
    """A tree to be searched: how many iterations are left (shared by all workers on it), and until when."""

    tree: Tree
    left: float
    deadline: float | None
    workers: int = 1
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, most: int, least: int) -> int:
        """Some of the iterations that are left; ever fewer, so that those who share them end together."""
        with self.lock:
            if self.workers > 1 and self.left < float("inf"):
                most = min(most, max(int(self.left) // (2 * self.workers), least))
            taken = int(min(most, self.left))
            self.left -= taken
            return taken

    def account(self, taken: int, done: int) -> None:
        """So many of the iterations that were taken have been done."""
        with self.lock:
            self.left += taken - done
            self.tree.iterations += done


class Slices(Protocol):
    """What changes between slices of iterations: parameters that are tuned while the search runs (search/adaptation.py)."""

    slice: int  #: iterations per lane

    def begin(self, worker: Worker, tree: Tree) -> Any: ...
    def end(self, worker: Worker, tree: Tree, begun: Any) -> None: ...


def is_bare(worker: Worker) -> bool:
    """Does a worker's search replace nothing: UCB1 or UCB1-Tuned in a tree of histories, playouts to the end, rewards added?"""
    control, strategy, game = worker.control, worker.strategy, worker.game
    replaced = (
        *(strategy.leaf, strategy.prior, strategy.evaluator, strategy.backup),
        *(strategy.rewards_numbers, strategy.tree_filters, strategy.cutoff, strategy.values_leaves),
        *(control.narrow, control.proofs, control.after_playout, control.identity, control.keeps, game.sample, game.finish),
    )
    #: UCB1-Tuned's sums of squares, and no other statistic
    statistics = {INLINED_UCB1: 0, INLINED_UCB1_TUNED: 1}.get(control.tree_twin, -1)
    return strategy.statistic_count == statistics and not any(replaced)


class Watch(Protocol):
    """May end a search of one worker before its budget is used up (search/stopping.py)."""

    wait: int  #: iterations until it is to be asked again

    def ends(self, done: int) -> bool: ...


class Team:
    """The workers of a search, with their trees and tables."""

    def __init__(
        self,
        workers: list[Worker],
        tables: list[Table],
        trees: list[Tree],
        lanes: int,
        driver: Kernel | None = None,
        slices: Slices | None = None,
    ) -> None:
        self.workers, self.tables, self.trees, self.lanes, self.slices = workers, tables, trees, lanes, slices
        self.shared = len(workers) > len(tables)
        self.driver = driver
        # callbacks into Python are slow: begin with less, so that even the first round keeps to a short time budget
        chunk = (256 if workers[0].game.advance == 0 else 16) if lanes == 1 else lanes
        self._chunks = [chunk] * len(workers)

    @property
    def loop(self) -> Kernel:
        """The driver that these workers run: the algorithm's own, or the smallest that serves."""
        control, strategy = self.workers[0].control, self.workers[0].strategy
        if self.driver is not None:
            return self.driver
        if not (control.straight and strategy.uniform and strategy.plain_tree):
            return run
        return run_uct if is_bare(self.workers[0]) and not self.shared else run_baseline

    def spend(self, budget: Budget, tell: Callable[[int, float], None], watch: Watch | None = None) -> str:
        """Run until the budget is used up; ``tell`` hears of iterations and seconds so far.  Returns what ended it.

        With one worker a ``watch`` may end it between two iterations, or between two rounds of several lanes.
        """
        begun = time.perf_counter()
        before = sum(tree.iterations for tree in self.trees)

        def report() -> None:
            tell(sum(tree.iterations for tree in self.trees) - before, time.perf_counter() - begun)

        shares = self._shares(budget, begun)
        if len(self.workers) == 1:
            reasons = {self._work(0, shares[0], budget, report, watch)}
        else:
            with ThreadPoolExecutor(len(self.workers)) as pool:
                reasons = self._work_together(pool, shares, budget, report)
        return next(reason for reason in (*ENDED.values(), DECIDED, "seconds", "iterations") if reason in reasons)

    def run_once(self, tree: Tree, iterations: int, memory: int) -> None:
        """Let the only worker run so many iterations on a tree of its own, without a clock: for searches shorter than their
        bookkeeping."""
        worker, budget, left = self.workers[0], Budget(iterations, None, None, memory), iterations
        control, loop = worker.control, self.loop
        while left > 0:
            self._prepare(worker, tree, budget)
            before = int(control.done)
            control.target = control.started + left
            code = int(loop(worker.handle))
            left -= int(control.done) - before
            if code == FAILED:
                raise ContractBroken(control)
            if code in ENDED or (code == INDEX_TOO_SMALL and not self._grow(tree.table, budget)):
                break

    def _shares(self, budget: Budget, begun: float) -> list[list[Share]]:
        """What each worker is to do, one after the other."""
        number, groups = len(self.trees), len(self.tables)
        turns = -(-number // groups)
        shares = []
        for i, tree in enumerate(self.trees):
            left = float("inf") if budget.iterations is None else budget.iterations // number + (i < budget.iterations % number)
            deadline = None if budget.seconds is None else begun + budget.seconds * (i // groups + 1) / turns
            shares.append(Share(tree, left, deadline, len(self.workers) if self.shared else 1))
        return [shares] * len(self.workers) if self.shared else [shares[i::groups] for i in range(groups)]

    def _work_together(
        self, pool: ThreadPoolExecutor, shares: list[list[Share]], budget: Budget, report: Callable[[], None]
    ) -> set[str]:
        """Let every worker run in a thread of its own; this one tells how far they are."""
        halt = self.workers[0].stop
        report()  # who wants to stop already is heard before many threads are in the way
        while True:
            if self.shared:  # one of them makes the root
                self._prepare(self.workers[0], self.trees[0], budget)
            futures = [pool.submit(self._work, i, todo, budget, lambda: None) for i, todo in enumerate(shares)]
            try:
                while wait(futures, GLANCE).not_done:
                    report()
                reasons = {future.result() for future in futures}
            except BaseException:
                halt[1] = 1  # the others need not go on
                wait(futures)
                raise
            finally:
                halt[1] = 0
            report()
            if "index" not in reasons:
                return reasons
            if not self._grow(self.tables[0], budget):
                return {"memory"}

    def _work(
        self, number: int, shares: list[Share], budget: Budget, report: Callable[[], None], watch: Watch | None = None
    ) -> str:
        """Let one worker run its shares; returns what ended the last of them."""
        reason = "iterations"
        for share in shares:
            try:
                reason = self._search(number, share, budget, report, watch)
            except BaseException:
                self.workers[0].stop[1] = len(self.workers) > 1
                raise
            if reason not in ("iterations", "seconds"):
                if reason == "proven" and len(self.workers) > 1:
                    self.workers[0].stop[1] = 1  # what one has proven the others need not search
                break
        return reason

    def _search(self, number: int, share: Share, budget: Budget, report: Callable[[], None], watch: Watch | None) -> str:
        """Let one worker run on one tree until its allowance, its time or its memory is used up, or the index is too small."""
        worker, tree, deadline = self.workers[number], share.tree, share.deadline
        if share.left == 0:
            return "iterations"
        self._prepare(worker, tree, budget)
        control, least = worker.control, ROUND_PER_LANE * self.lanes
        loop, slices = self.loop, self.slices
        told = time.perf_counter()
        if self.lanes > 1 and deadline is None:
            # lanes run empty at the end of a round, so with rounds as long as the clock says no seed would repeat its statistics
            self._chunks[number] = least
        while True:
            started = time.perf_counter()
            if deadline is not None and started >= deadline and tree.iterations:
                return "seconds"
            most = self._chunks[number]
            if slices is not None:  # as long as it says, so that a seed repeats its statistics; a deadline may be in the way
                most = slices.slice * self.lanes if deadline is None else min(slices.slice * self.lanes, most)
            if watch is not None and self.lanes == 1 and slices is None:
                most = min(most, watch.wait)
            taken = share.take(most, least)
            if taken == 0:
                return "iterations"
            before = int(control.done)
            control.target = control.started + taken
            begun = None if slices is None else slices.begin(worker, tree)
            code = int(loop(worker.handle))
            if slices is not None:
                slices.end(worker, tree, begun)
            if code == FAILED:
                raise ContractBroken(control)
            done = int(control.done) - before
            share.account(taken, done)
            self._adapt(number, done, started, deadline)
            if slices is None or share.left == 0 or code in ENDED or time.perf_counter() - told > PAUSE:
                told = time.perf_counter()
                report()
            if code in ENDED:
                return ENDED[code]
            if watch is not None and watch.ends(done):
                return DECIDED
            if code == INDEX_TOO_SMALL:
                if self.shared:
                    return "index"  # the others must come back first; they will, for the same reason
                if not self._grow(tree.table, budget):
                    return "memory"
                self._prepare(worker, tree, budget)

    def _prepare(self, worker: Worker, tree: Tree, budget: Budget) -> None:
        """Point a worker at a tree."""
        control, meta = worker.control, tree.table.meta
        worker.use_table(tree.table)
        worker.put("root", tree.root)
        worker.put("root_history", tree.history)
        limit = min(len(tree.table.pool), (budget.bytes // len(self.tables) - tree.table.index.nbytes) // 8)
        if limit > meta.limit:
            meta.full = 0  # there is room again
        meta.limit = limit
        if tree.record in (0, SINK):
            tree.record = int(record_at(worker.handle, mix(int(tree.history[0]), -7), 0))
        control.root_record = tree.record
        control.max_records = 2**62 if budget.records is None else max(budget.records // len(self.tables), 1)

    def _adapt(self, number: int, done: int, started: float, deadline: float | None) -> None:
        """The next round should take about a PAUSE and must not overrun the deadline."""
        if self.lanes > 1 and deadline is None:
            return
        now = time.perf_counter()
        pause = PAUSE if deadline is None else min(PAUSE, max(deadline - now, 0.0005))
        if done:
            fitting = int(done * pause / max(now - started, 1e-6))
            self._chunks[number] = min(max(fitting, self.lanes), 8 * self._chunks[number])

    def _grow(self, table: Table, budget: Budget) -> bool:
        """Make room for more contexts, if memory allows."""
        if table.used_bytes + table.index.nbytes > budget.bytes // len(self.tables):
            return False
        table.grow_index()
        return True
