"""A match as the player's server sees it: a process that thinks, and an answer in time whatever becomes of that process."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from icarus.gdl.ground import Limits
from icarus.gdl.reader import Sheet, Variable, format_term, read_rules, variables_of
from icarus.ggp.messages import Start, Step
from icarus.ggp.mind import Settings
from icarus.ggp.worker import Happened, Order, Told

Log = Callable[[str, str], None]

#: how long before the end of a clock the answer is sent: a share of the clock, at least and at most so many seconds
MARGIN_SHARE, MARGIN_LEAST, MARGIN_MOST = 0.1, 0.2, 1.0
#: how often a process that has died is replaced in one match
LIVES = 3
#: seconds beyond the clocks without any message, after which a match is given up
PATIENCE = 60.0


def margin_of(clock: float) -> float:
    """The seconds of a clock that are left for the way of the answer."""
    return min(max(MARGIN_SHARE * clock, MARGIN_LEAST), MARGIN_MOST, clock / 2)


class Process:
    """A worker, and what it has told."""

    def __init__(self, settings: Settings) -> None:
        source = f"from icarus.ggp.worker import Settings, main; main({settings!r})"
        self.news = threading.Condition()
        self.warm = False
        self.ready = False
        self.gone = False
        self.failed = ""
        self.legal: dict[int, tuple[str, ...]] = {}
        self.best: dict[int, Told] = {}
        self.done = 0
        self.log: Callable[[str], None] = lambda text: None
        self._process = subprocess.Popen(
            [sys.executable, "-c", source],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # a process group of its own, to be ended together
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            while True:
                self._hear(pickle.load(self._process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            pass
        with self.news:
            self.gone = True
            self.news.notify_all()

    def _hear(self, told: Told) -> None:
        with self.news:
            if told.kind == "warm":
                self.warm = True
            elif told.kind == "legal":
                self.legal[told.step] = told.moves
            elif told.kind == "best":
                self.best[told.step] = told
            elif told.kind == "done":
                self.done = told.request
            elif told.kind == "ready":
                self.ready = True
            elif told.kind == "failed":
                self.failed = told.text
            self.news.notify_all()
        if told.text:
            self.log(told.text)

    def send(self, news: Order | Happened | bool) -> None:
        assert self._process.stdin is not None
        try:
            pickle.dump(news, self._process.stdin)
            self._process.stdin.flush()
        except (OSError, ValueError):
            with self.news:
                self.gone = True

    def wait(self, until: Callable[[], bool], deadline: float) -> None:
        """Wait for something that the worker tells, or for its end."""
        with self.news:
            self.news.wait_for(lambda: until() or self.gone, timeout=max(deadline - time.monotonic(), 0))

    def end(self) -> None:
        """End the process, and any process that builds for it."""
        with suppress(OSError):  # it may have ended by itself
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


@dataclass(frozen=True)
class Answer:
    """A move and where it comes from, for the log."""

    move: str
    origin: str


class Match:
    """One match: what was told by the manager, and the worker that thinks about it."""

    def __init__(self, start: Start, settings: Settings, limits: Limits, new_worker: Callable[[], Process], log: Log) -> None:
        self.start = start
        self.sheet = read_rules(start.rules, "sheet")
        role = start.role or (self.sheet.roles or ("",))[0]
        self.order = Order(start.rules, role, settings, limits)
        self.steps: list[Step] = []
        self.heard = time.monotonic()
        self._log, self._new_worker = log, new_worker
        self._asking = threading.Lock()
        self._request, self._lives = 0, LIVES
        self._last: tuple[Step | None, Answer] | None = None
        self._pondering = True
        self._worker = new_worker()
        self._brief(self._worker)

    def _brief(self, worker: Process) -> None:
        worker.log = lambda text: self._log(self.start.match, text)
        worker.send(self.order)
        worker.send(self._pondering)

    def build(self, seconds: float) -> None:
        """Only build the network, for a match to come."""
        worker = self._worker
        worker.wait(lambda: worker.ready or bool(worker.failed), time.monotonic() + seconds)

    def begin(self, received: float) -> str:
        """Use the start clock; returns ``ready``, or ``busy`` for a match that cannot be played."""
        clock = self.start.start_clock
        deadline = received + clock - margin_of(clock)
        with self._asking:
            self._ask((), deadline, at_once=False)
            request, worker = self._request, self._worker
            worker.wait(lambda: worker.done >= request or bool(worker.failed), deadline + margin_of(clock) / 2)
            self.heard = time.monotonic()
        return "busy" if worker.failed else "ready"

    def play(self, step: Step | None, received: float) -> Answer:
        """The answer to a PLAY, in time."""
        clock = self.start.play_clock
        margin = margin_of(clock)
        deadline = received + clock - margin
        if not self._asking.acquire(timeout=max(deadline - time.monotonic(), 0)):
            return self._choose()  # another question of the same match is still open
        try:
            if step is None and self._last is not None and self._last[0] is None:
                return self._last[1]  # the first question, once more
            self._tell((step,) if step is not None else (), deadline)
            request, worker = self._request, self._worker
            worker.wait(lambda: worker.done >= request or bool(worker.failed), deadline + margin / 2)
            self._last = step, self._choose()
            self.heard = time.monotonic()
            return self._last[1]
        finally:
            self._asking.release()

    def _tell(self, new: tuple[Step, ...], deadline: float) -> None:
        """Ask the worker, with what has happened since it was asked last."""
        self.steps.extend(new)
        if self._worker.gone or self._worker.failed:
            self._revive()
            new = tuple(self.steps)
        self._ask(new, deadline, at_once=True)

    def _ask(self, new: tuple[Step, ...], deadline: float, *, at_once: bool) -> None:
        self._request += 1
        self._worker.send(Happened(new, max(deadline - time.monotonic(), 0.0), self._request, at_once))

    def _revive(self) -> None:
        """Think on in another process, which is told everything again."""
        if self._lives > 0:
            self._lives -= 1
            self._log(self.start.match, f"the process that thinks has ended; {self._lives} more can be started in this match")
            self._worker.end()
            self._worker = self._new_worker()
            self._brief(self._worker)

    def _choose(self) -> Answer:
        """The best that is known now."""
        step, worker = len(self.steps), self._worker
        with worker.news:
            best, legal = worker.best.get(step), worker.legal.get(step)
        if best is not None:
            return Answer(best.moves[0], f"{best.iterations} iterations, value {best.value:.0f}")
        if legal:
            return Answer(random.choice(legal), "a random legal move: there was no time to search")
        return Answer(guess(self.sheet, self.start.role), "a guess: what is legal is not known yet")

    def ponder(self, allowed: bool) -> None:
        """May the worker think while it is not asked?"""
        self._pondering = allowed
        self._worker.send(allowed)

    def end(self) -> None:
        self._worker.end()

    @property
    def abandoned(self) -> bool:
        """Has the manager been silent for so long that it will not come back?"""
        return time.monotonic() > self.heard + PATIENCE + 3 * (self.start.start_clock + self.start.play_clock)


def guess(sheet: Sheet, role: str) -> str:
    """A move that may be legal, when nothing is known: what some rule allows in so many words."""
    heads = [rule.head.arguments for rule in sheet.rules if rule.head.relation == "legal" and len(rule.head.arguments) == 2]
    mine = [move for who, move in heads if who == role or isinstance(who, Variable)]
    plain = [format_term(move) for move in mine if not any(True for _ in variables_of(move))]
    return "noop" if "noop" in plain or not plain else random.choice(plain)
