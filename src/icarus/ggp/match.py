"""A match as the player's server sees it: a process that thinks, and an answer in time whatever becomes of that process."""

from __future__ import annotations

import os
import pickle
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from icarus.errors import GameError
from icarus.gdl.build_process import light, start_process
from icarus.gdl.checks import check_sheet
from icarus.gdl.ground import Limits
from icarus.gdl.reader import Sheet, Variable, format_term, read_rules, variables_of
from icarus.ggp.messages import Start, Step
from icarus.ggp.protocol import Happened, Order, Ponder, Settings, Told

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
    """A process, and what it has told."""

    def __init__(self, source: str) -> None:
        self.news = threading.Condition()
        self._writing, self._ended = threading.Lock(), False
        self.warm = False
        self.ready = False
        self.gone = False
        self.failed = ""
        self.legal: dict[int, tuple[str, ...]] = {}
        self.best: dict[int, Told] = {}
        self.done = 0
        #: is told everything, too
        self.hear: Callable[[Told], None] = lambda told: None
        # a process group of its own, to be ended together with what it has started
        self._process = start_process(source, start_new_session=True)
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
            elif told.kind in ("ready", "slow"):
                self.ready = True
            elif told.kind == "failed":
                self.failed = told.text
            self.news.notify_all()
        self.hear(told)

    def send(self, *news: Order | Happened | Ponder) -> None:
        assert self._process.stdin is not None
        try:
            with self._writing:
                for item in news:
                    pickle.dump(item, self._process.stdin)
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
        with self._writing:
            if self._ended:
                return
            self._ended = True
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


class Staff:
    """Processes that wait for a match, so that nobody waits for them: one that thinks (``worker``) and one that reasons
    (``reasoning``); whenever one is taken another is started."""

    def __init__(self, settings: Settings) -> None:
        self._thinking = f"from icarus.ggp.worker import Settings, main; main({settings!r})"
        self._guard = threading.Lock()
        self._worker, self._reasoner = Process(self._thinking), Process(light("icarus.ggp.reasoning"))

    def warm_up(self, seconds: float) -> str:
        """Wait until the first worker is warm, which may take a while where it has to compile; returns what is wrong with it."""
        worker = self._worker
        worker.wait(lambda: worker.warm or bool(worker.failed), time.monotonic() + seconds)
        return "" if worker.warm else worker.failed or "the process that thinks cannot be started"

    def worker(self) -> Process:
        with self._guard:
            taken, self._worker = self._worker, Process(self._thinking)
            return taken

    def reasoner(self) -> Process:
        with self._guard:
            taken, self._reasoner = self._reasoner, Process(light("icarus.ggp.reasoning"))
            return taken

    def end(self) -> None:
        with self._guard:
            self._worker.end()
            self._reasoner.end()


@dataclass(frozen=True)
class Answer:
    """A move and where it comes from, for the log."""

    move: str
    origin: str


class Match:
    """One match: what was told by the manager, and the worker that thinks about it."""

    def __init__(self, start: Start, settings: Settings, limits: Limits, staff: Staff, log: Log) -> None:
        self.start = start
        self.sheet = read_rules(start.rules, "sheet")
        check_sheet(self.sheet)
        role = start.role or self.sheet.roles[0]
        if role not in self.sheet.roles:
            raise GameError(f"there is no role {role!r} in the sheet; there are {', '.join(self.sheet.roles)}")
        self.order = Order(start.rules, role, settings, limits)
        self.steps: list[Step] = []
        self.heard = time.monotonic()
        self._log, self._staff = log, staff
        self._asking = threading.Lock()
        self._request, self._lives = 0, LIVES
        self._last: tuple[Step | None, Answer] | None = None
        self._pondering = Ponder(True)
        self._over = False
        self._reasoner = staff.reasoner()
        self._reasoner.send(self.order)
        self._worker = self._employ()

    def _employ(self) -> Process:
        """A worker that knows all that has happened."""
        worker = self._staff.worker()
        worker.hear = self._hear
        worker.send(self.order, self._pondering, Happened(tuple(self.steps), 0.0, 0, at_once=True))
        return worker

    def _hear(self, told: Told) -> None:
        if told.text:
            self._log(self.start.match, told.text)
        if told.kind in ("begun", "ready"):  # from now on what the reasoner knows is needed only if the worker dies
            self._reasoner.send(Ponder(False))

    def build(self, seconds: float) -> None:
        """Only build the network, for a match to come."""
        worker = self._worker
        worker.wait(lambda: worker.ready or bool(worker.failed), time.monotonic() + seconds)

    def begin(self, received: float) -> str:
        """Use the start clock; returns ``ready``, or ``busy`` for a match that cannot be played."""
        with self._asking:
            self._ask((), received, self.start.start_clock, at_once=False)
        return "busy" if self._worker.failed else "ready"

    def play(self, step: Step | None, received: float) -> Answer:
        """The answer to a PLAY, in time."""
        clock = self.start.play_clock
        if not self._asking.acquire(timeout=max(received + clock - margin_of(clock) - time.monotonic(), 0)):
            return self._choose()  # another question of the same match is still open
        try:
            if step is None and self._last is not None and self._last[0] is None:
                return self._last[1]  # the first question, once more
            self._ask((step,) if step is not None else (), received, clock, at_once=True)
            self._last = step, self._choose()
            return self._last[1]
        finally:
            self._asking.release()

    def _ask(self, new: tuple[Step, ...], received: float, clock: float, *, at_once: bool) -> None:
        """Tell both processes what has happened, and wait until the worker is done or time is up."""
        deadline = received + clock - margin_of(clock)
        self._request += 1
        self.steps.extend(new)
        self._reasoner.send(Happened(new, 0.0, 0, at_once))
        while not self._ask_worker(new, deadline, deadline + margin_of(clock) / 2, at_once=at_once):
            new = ()
        self.heard = time.monotonic()

    def _ask_worker(self, new: tuple[Step, ...], deadline: float, latest: float, *, at_once: bool) -> bool:
        """Was that all that a worker can do?  If it died and there is time, another has been put in its place."""
        worker, request = self._worker, self._request
        worker.send(Happened(new, max(deadline - time.monotonic(), 0.0), request, at_once))
        worker.wait(lambda: worker.done >= request or bool(worker.failed), latest)
        if not (worker.gone or (at_once and worker.failed)) or time.monotonic() > deadline:
            return True
        if self._over or self._lives == 0:
            # what is legal may take the reasoner a moment
            self._reasoner.wait(lambda: len(self.steps) in self._reasoner.legal, latest)
            return True
        self._lives -= 1
        self._log(self.start.match, f"the process that thinks has ended; {self._lives} more can be started in this match")
        worker.end()
        self._worker = self._employ()
        return False

    def _choose(self) -> Answer:
        """The best that is known now."""
        step, worker = len(self.steps), self._worker
        best, legal = worker.best.get(step), worker.legal.get(step) or self._reasoner.legal.get(step)
        if legal and len(legal) == 1:
            return Answer(legal[0], "the only legal move")
        if best is not None:
            return Answer(best.moves[0], f"{best.iterations} iterations, value {best.value:.0f}")
        if legal:
            return Answer(random.choice(legal), "a random legal move: there was no time to search")
        return Answer(guess(self.sheet, self.start.role), "a guess: what is legal is not known yet")

    def ponder(self, allowed: bool) -> None:
        """May the worker think while it is not asked?"""
        self._pondering = Ponder(allowed)
        self._worker.send(self._pondering)

    def end(self) -> None:
        self._over = True
        self._worker.end()
        self._reasoner.end()

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
