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
from dataclasses import replace
from typing import Any, BinaryIO, NoReturn

from icarus.errors import GameError, IcarusError
from icarus.game import Game
from icarus.gdl.game import SheetGame, game_from_text, known_game
from icarus.gdl.ground import TooLarge
from icarus.gdl.machine import machine_game, machine_plan
from icarus.gdl.reader import read_rules
from icarus.gdl.rule_game import RuleGame
from icarus.ggp.messages import Step
from icarus.ggp.player import Player, player_for
from icarus.ggp.protocol import Happened, Order, Ponder, Settings, Told
from icarus.preset import find_rules

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

    for text, game in warm_up_sheets():
        sheet = read_rules(text, "warm-up")
        player = player_for(game, sheet, "b", settings)
        player.think(0.001)
        player.follow(Step(("x",), ()) if sheet.hides else Step(("x", "y")))


class Worker:
    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self.news = threading.Condition()
        self.order: Order | None = None
        self.steps: list[Step] = []
        self.request, self.answered, self.deadline, self.at_once = 0, 0, 0.0, False
        self.pondering = True
        self.player: Player | None = None
        self.lost = False
        #: a network that has been built while the match is played without one
        self.network: Game | None = None
        self.thought_about = 0

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
        if self.player is not None:
            self.player.stop()

    # --- thinking ----------------------------------------------------------------------------------------------------

    def think(self) -> NoReturn:
        with self.news:
            self.news.wait_for(lambda: self.order is not None)
        assert self.order is not None
        self.order = self._tuned(self.order)
        player = self._make_up(self.order)
        self.player = player
        self.tell(Told("legal", 0, moves=tuple(player.legal())))
        step, answer = 0, ""
        while True:
            with self.news:
                # what has been thought about a move that is being waited for is not thrown away
                change = self.network is not None and not (self.at_once and self.thought_about == self.request > self.answered)
            if change:
                player, step = self._change_over(self.order), 0
            with self.news:
                todo, request, left = self.steps[step:], self.request, self.deadline - time.monotonic()
                single = self.at_once and len(player.legal()) == 1
            if todo:
                self._follow(player, todo)
                step += len(todo)
                self.tell(Told("legal", step, moves=tuple(player.legal())))
            elif self.answered < request:
                self.thought_about = request
                thought = player.think(0.001 if single else max(min(SLICE, left), 0.001))
                answer = thought.move
                self.tell(Told("best", step, request, (answer,), value=thought.value, iterations=thought.iterations))
                enough = self.order.settings.managed and player.decided(left - SLICE)
                if left <= SLICE or thought.full or single or enough:
                    self.tell(Told("done", step, request))
                    self.answered = request
            elif not (self.answered and self.pondering and player.ponder(answer, SLICE)):
                self._wait_for_a_question()

    def _wait_for_a_question(self) -> None:
        with self.news:
            self.news.wait_for(lambda: self.request > self.answered or self.network is not None, timeout=1.0)

    def _tuned(self, order: Order) -> Order:
        """The order with what tuning has found for these rules, if the player was started without a strategy."""
        found = find_rules(order.rules) if order.settings.tuned else None
        if found is None or not found.strategy:
            return order
        self.tell(Told("note", text=found.mention()))
        better = replace(order.settings, strategy=found.strategy, algorithm=found.algorithm or order.settings.algorithm)
        return replace(order, settings=replace(better, final=found.final or better.final))

    def _make_up(self, order: Order) -> Player:
        """A player with what is there: a network that is known, or joins (and a network later)."""
        sheet, begun = read_rules(order.rules, "match"), time.monotonic()
        game: Game | None = known_game(order.rules, "match")
        if game is None:
            try:
                game = machine_game(machine_plan(sheet), "match")
            except TooLarge:
                game = self._build(order)
            else:
                threading.Thread(target=self._build_meanwhile, args=(order,), daemon=True).start()
        player = player_for(game, sheet, order.role, order.settings)
        kind = "ready" if isinstance(game, SheetGame) else "begun" if isinstance(game, RuleGame) else "slow"
        how = "" if kind == "ready" else " without a network"
        self.tell(Told(kind, text=f"ready to search{how} after {time.monotonic() - begun:.1f} s"))
        return player

    def _build(self, order: Order) -> Game:
        """The best game of the sheet, with whatever there is to say about it."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            game = game_from_text(order.rules, "match", order.limits)
        for warning in said:
            self.tell(Told("note", text=str(warning.message)))
        return game

    def _build_meanwhile(self, order: Order) -> None:
        begun = time.monotonic()
        try:
            game = self._build(order)
        except IcarusError as problem:
            self.tell(Told("slow", text=f"there will be no network: {problem}"))
            return
        if not isinstance(game, SheetGame):
            self.tell(Told("slow", text="there will be no network: it takes too much time or memory"))
            return
        self.tell(Told("ready", text=f"the network is there after {time.monotonic() - begun:.1f} s"))
        with self.news:
            self.network = game
            self.news.notify_all()

    def _change_over(self, order: Order) -> Player:
        """From now on think with the network; what has happened is told to it next."""
        game, self.network = self.network, None
        assert game is not None
        self.player = player = player_for(game, read_rules(order.rules, "match"), order.role, order.settings)
        self.tell(Told("note", text="changes over to the network"))
        return player

    def _follow(self, player: Player, steps: list[Step]) -> None:
        for step in steps:
            before = player.unexplained
            try:
                player.follow(step)
            except GameError as problem:
                if not self.lost:
                    self.tell(Told("note", text=f"cannot follow the match: {problem}"))
                self.lost = True
            if player.unexplained > before:
                self.tell(Told("note", text="found no sequence of moves that agrees with what was seen"))


def leave() -> NoReturn:
    """The server is gone: end at once, with any process that builds for us."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
