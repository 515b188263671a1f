"""Solving a game by Monte Carlo counterfactual regret minimization: the loop is machine code (equilibrium/cfr), the rest is here.

>>> import icarus
>>> from icarus.equilibrium import Mccfr
>>> solver = Mccfr(icarus.load("kuhn_poker"), seed=1)
>>> solver.run(iterations=2000).iterations
2000

The average strategy of all iterations approaches an equilibrium where two players want opposite things; with more players, or
other aims, it is a strategy without that promise.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from icarus.engine.layout import FAILED
from icarus.engine.world import Worker, game_words
from icarus.equilibrium.average import AverageStrategy
from icarus.equilibrium.cfr.layout import (
    EXTERNAL,
    HEAD,
    KNOWN_HEAD,
    OTHER_ACTIONS,
    OUTCOME,
    TABLE_FULL,
    TOO_LONG,
    Frame,
    Solver,
)
from icarus.equilibrium.cfr.walks import run_cfr
from icarus.equilibrium.knowledge import start_key
from icarus.equilibrium.starts import TooMany, every_start
from icarus.errors import GameError, SearchError
from icarus.game import Game, Position
from icarus.jit import JIT, size_of
from icarus.jit.randomness import seeded
from icarus.python_game import PythonGame
from icarus.python_game.walking import Walk

SAMPLINGS = {"external": EXTERNAL, "outcome": OUTCOME}
EPSILON = 0.6  #: as in Lanctot et al. 2009
LISTED = 3000  #: starts that are listed with their probabilities; of more, some are drawn for every round
DRAWN = 256  #: how many
AGAIN = 8  #: iterations on each start that was drawn
PAUSE = 0.05  #: seconds of a round
MOST_WORDS = 1 << 27  #: of the table: a gigabyte
LONGEST_WALK = 1 << 22  #: decisions of one walk of external sampling: seconds, in which nothing can interrupt it


class Memory(Worker):
    """The memory of a solver, by the names of equilibrium/cfr/layout.py."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses = np.zeros(size_of(Solver), np.int64)
        self.world: Any = Solver(self.addresses)

    def __getattr__(self, name: str) -> Any:
        if name in Solver.__fields__:
            return getattr(self.world, name)
        raise AttributeError(name)


class Mccfr:
    """A solver for one game; ``sampling``: ``external`` or ``outcome``."""

    def __init__(self, game: Game, *, sampling: str = "external", epsilon: float = EPSILON, seed: int = 0) -> None:
        if sampling not in SAMPLINGS:
            raise SearchError(f"sampling={sampling!r}: choose {' or '.join(SAMPLINGS)}")
        if not 0 < epsilon <= 1:
            raise SearchError(f"epsilon={epsilon}: the share of uniform choices is above 0 and at most 1")
        self.game, self.sampling, self.seed = game, sampling, seed
        self._walk = Walk(game.rules) if isinstance(game, PythonGame) else None
        self._drawn = 0
        self.memory = self._new_memory(epsilon)
        self._stop = np.zeros(1, np.int64)
        self.memory.put("stop", self._stop)
        try:
            starts = every_start(game, LISTED)
            self._put_starts([position for position, _ in starts], [odds for _, odds in starts])
            self._resamples = False
        except TooMany:
            self._resamples = True
        self.seconds = 0.0
        run_cfr.compile()

    @property
    def iterations(self) -> int:
        return int(self.memory.done)

    @property
    def information_sets(self) -> int:
        """How many have been met."""
        return int(self.memory.sets)

    @property
    def touched(self) -> int:
        """Decisions met so far, each as often as it was."""
        return int(self.memory.touched)

    def stop(self) -> None:
        """End a run from another thread, soon."""
        self._stop[0] = 1

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Mccfr:
        """Iterate until a budget is used up; called again, it goes on.  Ctrl-C ends it early, and nothing is lost."""
        if iterations is None and seconds is None:
            raise SearchError("a solver needs a budget: iterations or seconds")
        for name, value in (("iterations", iterations), ("seconds", seconds)):
            if value is not None and not value > 0:
                raise SearchError(f"a budget of {name}={value} is not above zero")
        self._stop[0] = 0
        begun, before = time.perf_counter(), self.iterations
        chunk = 16 if self._walk is not None or not JIT else 256
        handler = self._on_interrupt()
        try:
            while True:
                done, elapsed = self.iterations - before, time.perf_counter() - begun
                left = chunk if iterations is None else min(chunk, iterations - done)
                if left <= 0 or (seconds is not None and elapsed >= seconds and done) or self._stop[0]:
                    break
                self._round(left)
                took = time.perf_counter() - begun - elapsed
                pause = PAUSE if seconds is None else min(PAUSE, max(seconds - elapsed - took, 0.001))
                if self._walk is None and not self._resamples:
                    chunk = min(max(int(left * pause / max(took, 1e-6)), 1), 8 * chunk)
                if progress is not None:
                    shares = ((done + left) / iterations if iterations else 0.0, (elapsed + took) / seconds if seconds else 0.0)
                    progress(min(max(shares), 1.0))
        finally:
            if handler is not None:
                signal.signal(signal.SIGINT, handler)
            self.seconds += time.perf_counter() - begun
        return self

    @property
    def stopped(self) -> bool:
        """Was the last run ended early?"""
        return bool(self._stop[0])

    def odds_of(self, key: int, actions: list[int]) -> list[float]:
        """The average strategy so far in one information set; uniform where nothing is known."""
        memory, mask = self.memory, int(self.memory.index_mask)
        index, pool, slot = memory.index, memory.pool, key & mask
        while index[2 * slot + 1] and index[2 * slot] != key:
            slot = (slot + 1) & mask
        place, size = int(index[2 * slot + 1]), len(actions)
        if place == 0 or int(pool[place + 1]) != size:
            return [1 / size] * size
        shares = memory.numbers[place + HEAD + 2 * size : place + HEAD + 3 * size]
        known = dict(zip(pool[place + HEAD : place + HEAD + size].tolist(), shares.tolist(), strict=True))
        total = sum(known.values())
        return [known.get(action, 0.0) / total if total > 0 else 1 / size for action in actions]

    def average(self) -> AverageStrategy:
        """The average strategy so far."""
        memory, used = self.memory, int(self.memory.pool_used)
        pool, numbers = memory.pool, memory.numbers
        places, place = [], self._first
        while place < used:
            places.append(place)
            place += HEAD + 3 * int(pool[place + 1])
        places.sort(key=lambda where: int(pool[where]))
        sizes = [int(pool[place + 1]) for place in places]
        actions = [pool[place + HEAD : place + HEAD + size] for place, size in zip(places, sizes, strict=True)]
        odds = [numbers[place + HEAD + 2 * size : place + HEAD + 3 * size] for place, size in zip(places, sizes, strict=True)]
        shares = [row / row.sum() if row.sum() > 0 else np.full(len(row), 1 / len(row)) for row in odds]
        return AverageStrategy(
            game=self.game.name,
            solver=str(self),
            iterations=self.iterations,
            keys=np.array([int(pool[place]) for place in places], np.int64),
            first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            actions=np.concatenate(actions).astype(np.int64) if actions else np.zeros(0, np.int64),
            odds=np.concatenate(shares) if shares else np.zeros(0),
        )

    def __str__(self) -> str:
        return f"mccfr({self.sampling})"

    # --- inside ------------------------------------------------------------------------------------------------------

    def _on_interrupt(self) -> Any:
        """Ctrl-C asks the loop to stop; the handler that was there before, if there is one to put back."""
        if threading.current_thread() is not threading.main_thread():
            return None
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return None
        return signal.signal(signal.SIGINT, lambda number, frame: self.stop())

    def _round(self, iterations: int) -> None:
        memory = self.memory
        target = self.iterations + iterations
        while self.iterations < target and not self._stop[0]:
            memory.world.target = target
            if self._resamples:
                self._draw_starts()
                memory.world.target = min(target, self.iterations + DRAWN * AGAIN)
            code = int(run_cfr(memory.handle))
            if self._walk is not None:
                self._walk.forget()
                if self._walk.problem:
                    raise GameError(f"{self.game.name}: {self._walk.problem}")
            if code == FAILED:
                raise self._explained()
            if code == TABLE_FULL:
                self._grow()

    def _explained(self) -> GameError | SearchError:
        error = int(self.memory.error)
        if error == TOO_LONG:
            return SearchError(
                f"{self.game.name} is too large for external sampling, which looks at all actions of a player; "
                "outcome sampling (--sampling outcome) looks at one"
            )
        if error == OTHER_ACTIONS:
            return GameError(
                f"{self.game.name}: a player who has seen the same has other legal actions; `icarus check` finds where"
            )
        return GameError(f"{self.game.name} breaks its contract: `icarus check` finds the place")

    def _new_memory(self, epsilon: float) -> Memory:
        game, memory = self.game, Memory()
        words = game_words(game)
        if self._walk is not None:
            for name, place in self._walk.addresses().items():
                setattr(words, name, place)
            for name in ("advance", "copy", "finish"):
                setattr(words, name, 0)
            for name in ("observe", "simultaneous", "sample", "chance"):
                if name not in self._walk.addresses():
                    setattr(words, name, 0)
        memory.put("game", words)
        memory.put("rng", seeded(self.seed, stream=71))
        depth, most = game.max_plies + 1, game.max_actions
        sizes = {
            "frames": depth * size_of(Frame),
            "states": depth * game.state_size,
            "legal": depth * most,
            "sigma": depth * most,
            "worth": depth * most,
            "known": depth * (KNOWN_HEAD + 2 * game.players),
            "rewards": game.players,
        }
        for name, size in sizes.items():
            memory.put(name, np.zeros(size, np.int64))
        #: the first place in the pool is for what has no room
        self._first = HEAD + 3 * most
        world = memory.world
        world.sampling, world.epsilon = SAMPLINGS[self.sampling], epsilon
        world.most_touched = LONGEST_WALK if self._walk is None and JIT else LONGEST_WALK >> 6  # plain Python is that much slower
        world.pool_used = self._first
        self._put_table(memory, np.zeros(max(1 << 14, 2 * self._first), np.int64), np.zeros(1 << 11, np.int64))
        return memory

    def _put_table(self, memory: Memory, pool: Any, index: Any) -> None:
        memory.put("pool", pool)
        memory.put("numbers", pool)
        memory.put("index", index)
        memory.world.pool_size, memory.world.index_mask, memory.world.full = len(pool), len(index) // 2 - 1, 0

    def _grow(self) -> None:
        """Room for twice as many information sets."""
        memory = self.memory
        if 2 * len(memory.pool) > MOST_WORDS:
            raise SearchError(
                f"the information sets of {self.game.name} do not fit into {8 * MOST_WORDS >> 20} MB: search it with mo instead"
            )
        pool = np.zeros(2 * len(memory.pool), np.int64)
        pool[: len(memory.pool)] = memory.pool
        index = np.zeros(2 * len(memory.index), np.int64)
        mask, place, used = len(index) // 2 - 1, self._first, int(memory.pool_used)
        while place < used:
            slot = int(pool[place]) & mask
            while index[2 * slot + 1]:
                slot = (slot + 1) & mask
            index[2 * slot : 2 * slot + 2] = pool[place], place
            place += HEAD + 3 * int(pool[place + 1])
        self._put_table(memory, pool, index)

    def _draw_starts(self) -> None:
        starts = []
        for _ in range(DRAWN):
            self._drawn += 1
            starts.append(self.game.start(self.seed * 1_000_003 + self._drawn))
        self._put_starts(starts, [1.0] * len(starts))

    def _put_starts(self, starts: list[Position], odds: list[float]) -> None:
        game, memory = self.game, self.memory
        states = np.concatenate([position.state for position in starts]).astype(np.int64)
        if self._walk is not None:
            assert isinstance(game, PythonGame)
            for i, position in enumerate(starts):
                states[i * game.state_size] = self._walk.keep(game.positions.node(position.state))
        keys = [start_key(game, position.state, player) for position in starts for player in range(game.players)]
        memory.put("starts", states)
        memory.put("start_keys", np.array(keys, np.int64))
        memory.put("start_odds", np.cumsum(odds).view(np.int64))
        memory.world.start_count = len(starts)
