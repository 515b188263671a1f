"""Parallel nested Monte Carlo search (Cazenave and Jouandeau, 2009): all threads work on one search.

The uppermost level goes from the start to the end of the game.  At each step every action is tried by a search of the level
below, and these searches, which know nothing of each other, are what the threads share out among themselves; the step waits for
all of them.  Each has random numbers of its own, named by its place, so a seed gives the same answer with any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from icarus.game import Position
from icarus.one_player import Nested
from icarus.search import Search

MEMORY = 1 << 24  #: bytes for the records of one search


class Found(NamedTuple):
    """The best of a search: its score, and the actions from the start of the game."""

    score: float
    actions: list[int]


class NestedTogether:
    """Nested searches by several threads."""

    def __init__(self, start: Position, algorithm: Nested, strategy: Any, threads: int) -> None:
        self.start, self.algorithm, self.strategy, self.threads = start, algorithm, strategy, threads
        self.below = replace(algorithm, level=algorithm.level - 1)
        self._running: set[Search] = set()
        self._stopped = False

    def stop(self) -> None:
        """End soon, from another thread."""
        self._stopped = True
        for search in list(self._running):
            search.stop()

    def run(self, seed: int, left: Callable[[], float | None], note: Callable[[Found, int], None]) -> Found | None:
        """One complete run; None if it was stopped, or nothing was ``left`` of the time before it was complete.

        ``note`` hears of every search of the level below when it has ended: the best of it, and how many playouts it made.
        """
        position, played, best = self.start.copy(), list[int](), None
        self._stopped = False
        with ThreadPoolExecutor(self.threads) as pool:
            while not position.is_terminal:
                tried = [action for action in self._selected(position) for _ in range(self.algorithm.samples)]
                places = [(seed, len(played), number) for number in range(len(tried))]
                futures = [
                    pool.submit(self._try, position, [*played, action], place, left, note)
                    for action, place in zip(tried, places, strict=True)
                ]
                found = [future.result() for future in futures]
                for each in found:
                    if each is None:
                        return None
                    if best is None or each.score > best.score:  # the first of equally good ones stays
                        best = each
                assert best is not None
                played.append(best.actions[len(played)])
                position.apply(played[-1])
        return best or Found(_score(position), [])

    def _selected(self, position: Position) -> list[int]:
        legal, game = position.legal(), position.game
        if not self.algorithm.selective:
            return legal
        return [action for action in legal if float(game.call("heuristic", position.state, action)) > 0] or legal

    def _try(
        self,
        position: Position,
        played: list[int],
        place: tuple[int, ...],
        left: Callable[[], float | None],
        note: Callable[[Found, int], None],
    ) -> Found | None:
        """What a search of the level below finds behind the last of these actions; None if it did not come to its end."""
        seconds = left()
        if self._stopped or (seconds is not None and seconds <= 0):
            return None
        after = position.copy().apply(played[-1])
        if after.is_terminal:
            found = Found(_score(after), played)
            note(found, 1)
            return found
        seed = int(np.random.SeedSequence(place).generate_state(1)[0])
        search = Search(after, algorithm=self.below, strategy=self.strategy, seed=seed, memory=MEMORY)
        self._running.add(search)

        def look(state: object) -> None:
            if self._stopped:  # perhaps before the search began
                search.stop()

        ended = search.run(runs=1, seconds=seconds, progress=look).stopped_by
        self._running.discard(search)
        best = search.best_playout
        if best is None:
            return None
        found = Found(best[0], [*played, *best[1]])
        note(found, int(search.iterations))
        return found if ended == "runs" else None


def _score(position: Position) -> float:
    return position.score() if position.game.score is not None else position.rewards()[0]
