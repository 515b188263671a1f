"""The process that thinks for one match.

It is told what has happened (an :class:`Order`, then :class:`Happened`) and tells the server what it knows as soon as it knows
it: the legal moves of a step, the best move so far, and when more time would not help.  It never answers a manager itself: the
server takes the best there is when time is up, and ends the process when the match is over.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import warnings
from typing import Any, BinaryIO, NoReturn

from icarus.errors import GameError, IcarusError
from icarus.gdl.reader import read_rules
from icarus.ggp.messages import Step
from icarus.ggp.mind import Mind, SlowMind, mind_for
from icarus.ggp.orders import Happened, Order, Ponder, Settings, Told

#: seconds of thinking after which the best move is told
SLICE = 0.1


def main(settings: Settings) -> NoReturn:
    """Think until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write to the server
    worker = Worker(sys.stdin.buffer, out)
    threading.Thread(target=worker.listen, daemon=True).start()
    try:
        warm_up(settings)
        worker.tell(Told("warm"))
        worker.think()
    except IcarusError as problem:
        worker.tell(Told("failed", text=str(problem)))
    except Exception as problem:
        worker.tell(Told("failed", text=f"{type(problem).__name__}: {problem}"))
    while True:
        time.sleep(3600)  # the server takes note and ends the process


def warm_up(settings: Settings) -> None:
    """Search for a moment, so that all compiled code is there before a match (and wrong settings are noticed)."""
    from icarus.gdl.warmup import warm_up_sheets

    for text, game in warm_up_sheets().items():
        sheet = read_rules(text, "warm-up")
        mind = mind_for(game, sheet, "b", settings)
        mind.think(0.001)
        mind.follow(Step(("x",), ()) if sheet.hides else Step(("x", "y")))


class Worker:
    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self.news = threading.Condition()
        self.order: Order | None = None
        self.steps: list[Step] = []
        self.request, self.answered, self.deadline, self.at_once = 0, 0, 0.0, False
        self.pondering = True
        self.mind: Mind | None = None
        self.lost = False

    # --- what is told ------------------------------------------------------------------------------------------------

    def tell(self, told: Told) -> None:
        with self._writing:
            pickle.dump(told, self._sink)
            self._sink.flush()

    def listen(self) -> None:
        try:
            while True:
                self._hear(pickle.load(self._source))
        except (EOFError, OSError, pickle.UnpicklingError):
            leave()

    def _hear(self, news: Any) -> None:
        with self.news:
            if isinstance(news, Order):
                self.order = news
            elif isinstance(news, Happened):
                self.steps.extend(news.steps)
                self.request, self.at_once = news.request, news.at_once
                self.deadline = time.monotonic() + news.seconds
            elif isinstance(news, Ponder):
                self.pondering = news.allowed
            self.news.notify_all()
        if self.mind is not None:
            self.mind.stop()

    # --- thinking ----------------------------------------------------------------------------------------------------

    def think(self) -> NoReturn:
        with self.news:
            self.news.wait_for(lambda: self.order is not None)
        assert self.order is not None
        mind = self._make_up(self.order)
        self.mind = mind
        self.tell(Told("legal", 0, moves=tuple(mind.legal())))
        step, answer = 0, ""
        while True:
            with self.news:
                todo, request, left = self.steps[step:], self.request, self.deadline - time.monotonic()
                single = self.at_once and len(mind.legal()) == 1
            if todo:
                self._follow(mind, todo)
                step += len(todo)
                self.tell(Told("legal", step, moves=tuple(mind.legal())))
            elif self.answered < request:
                thought = mind.think(0.001 if single else max(min(SLICE, left), 0.001))
                answer = thought.move
                self.tell(Told("best", step, request, (answer,), value=thought.value, iterations=thought.iterations))
                if left <= SLICE or thought.full or single:
                    self.tell(Told("done", step, request))
                    self.answered = request
            elif not (self.answered and self.pondering and mind.ponder(answer, SLICE)):
                self._wait_for_a_question()

    def _wait_for_a_question(self) -> None:
        with self.news:
            self.news.wait_for(lambda: self.request > self.answered, timeout=1.0)

    def _make_up(self, order: Order) -> Mind:
        from icarus.gdl.game import game_from_text

        sheet = read_rules(order.rules, "match")
        begun = time.monotonic()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            game = game_from_text(order.rules, "match", order.limits)
        mind = mind_for(game, sheet, order.role, order.settings)
        for warning in said:
            self.tell(Told("note", text=str(warning.message)))
        kind = "slow" if isinstance(mind, SlowMind) else "ready"
        self.tell(Told(kind, text=f"ready to search after {time.monotonic() - begun:.1f} s"))
        return mind

    def _follow(self, mind: Mind, steps: list[Step]) -> None:
        for step in steps:
            before = mind.unexplained
            try:
                mind.follow(step)
            except GameError as problem:
                if not self.lost:
                    self.tell(Told("note", text=f"cannot follow the match: {problem}"))
                self.lost = True
            if mind.unexplained > before:
                self.tell(Told("note", text="found no sequence of moves that agrees with what was seen"))


def leave() -> NoReturn:
    """The server is gone: end at once, with any process that builds for us."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
