"""Self-play: many games at a time, each with a tree of its own, whose leaves are valued in one call.

A game that is over makes room for the next one at once, so that batches stay full.  Everything between two calls of the evaluator
(descents, moves, new roots) is one call of the kernel.  A compiled evaluator is asked by the kernel itself: games are then played
to their ends by threads, each with trees of its own, and come in the order of their numbers.

How a game goes follows from the seed and its number, whatever is played beside it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from icarus.algorithm import Algorithm, algorithm_named, with_strategy
from icarus.errors import SearchError
from icarus.game import Game
from icarus.network.algorithm import NetworkAlgorithm
from icarus.network.compiled import CompiledEvaluator, runs_in_kernel
from icarus.network.encoding import encoding_of
from icarus.network.evaluator import Evaluator, evaluator_of, whole
from icarus.network.forest.drive import run_forest
from icarus.network.forest.layout import KEEP_NOTHING, KEEP_TREE, KEEP_VALUES, ForestControl
from icarus.network.forest.memory import Forest
from icarus.network.plot import PlayedGame, Plot
from icarus.search.checks import MOST_THREADS

NOISES = {"puct": 0.25, "gumbel": 1.0}  #: what the papers use where games are to be learned from
MOST_GAMES = 65_536
FINISHED = ForestControl.finished.offset


class SelfPlay:
    """Games of a search against itself; iterate over it, without end or ``games`` of them.

    >>> import numpy as np, icarus
    >>> def evaluate(observations, legal):
    ...     return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)
    >>> games = icarus.selfplay("mnk(3,3,3)", evaluate, parallel=4, iterations=8, games=2, seed=1)
    >>> [len(array) == len(game) for game in games for array in game.arrays()]
    [True, True, True, True, True, True]
    """

    def __init__(
        self,
        game: str | Game,
        evaluator: Evaluator | str | None = None,
        *,
        parallel: int = 256,
        iterations: int = 64,
        algorithm: str | Algorithm = "gumbel",
        games: int | None = None,
        noise: float | None = None,
        alpha: float | None = None,
        temperature: float = 1.0,
        temperature_plies: int = 30,
        reuse: bool | str | None = None,
        threads: int | None = None,
        seed: int | None = None,
    ) -> None:
        from icarus.loading import load

        self.game = load(game) if isinstance(game, str) else game
        network = ""
        if isinstance(algorithm, str):
            algorithm, network = with_strategy(algorithm)
            network = "" if network == "-" else network
        found = algorithm_named(algorithm, self.game)
        if not isinstance(found, NetworkAlgorithm):
            raise SearchError(f"{found.name} asks no network; self-play is with puct or gumbel")
        found.check(self.game)
        self.algorithm = found
        evaluator = network or evaluator
        if evaluator is None:
            raise SearchError(f"self-play asks a network: icarus.selfplay({self.game.name!r}, evaluate)")
        parallel, iterations = whole("parallel", parallel, MOST_GAMES), whole("iterations", iterations, 1_000_000)
        if games is not None and not (isinstance(games, int) and games >= 0):
            raise SearchError(f"games={games}: a number from 0 on, or None for games without end")
        for name, share in (("temperature", temperature), ("noise", noise or 0.0), ("alpha", alpha or 0.0)):
            if not 0 <= share < 1000:
                raise SearchError(f"{name}={share}: a number from 0 on")
        self.evaluate = evaluator_of(evaluator, self.game)
        self.parallel, self.iterations, self.games = parallel, iterations, games
        self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        if noise is None:
            noise = NOISES[found.name]
        # sequential halving divides one budget: what an earlier search has spent would only disturb it
        kept = (True if found.name == "puct" else "values") if reuse is None else reuse
        if kept not in (True, False, "values"):
            raise SearchError(
                f"reuse={reuse!r}: True keeps a tree below its move, 'values' what the network said of it, False neither"
            )
        self._begun = 0
        inside = None
        if isinstance(evaluator, CompiledEvaluator):
            evaluator.rehearse(self.game, encoding_of(self.game))
            inside = evaluator if runs_in_kernel(self.game) else None
        if threads is not None:
            threads = whole("threads", threads, MOST_THREADS)
        if threads is not None and threads > 1 and inside is None:
            raise SearchError(
                f"threads={threads}: threads are for a CompiledEvaluator and a compiled game with an observation; other"
                " evaluators are asked once for all games"
            )
        self.threads = 1 if inside is None else threads or min(os.cpu_count() or 1, MOST_THREADS)
        # games of a compiled evaluator are played out part by part: twice as many parts as threads, so that no thread waits
        # while the games of a part are handed out
        parts = 1 if inside is None else max(1, min(2 * self.threads, parallel))
        sizes = [parallel // parts + (part < parallel % parts) for part in range(parts)]
        self.plots = [
            Plot(self.game, found, trees=size, iterations=iterations, seed=self.seed, evaluator=inside) for size in sizes
        ]
        for plot in self.plots:
            control = plot.forest.control
            control.noise = control.gumbel = noise
            control.alpha = alpha or 0.0
            control.temperature, control.temperature_plies = temperature, temperature_plies
            control.reuse = KEEP_VALUES if kept == "values" else KEEP_TREE if kept else KEEP_NOTHING
        self._ready: deque[PlayedGame] = deque()
        self._running: deque[tuple[Plot, Future[list[PlayedGame]]]] = deque()
        self._pool: ThreadPoolExecutor | None = None
        run_forest.compile()
        if inside is None:
            for tree in range(parallel):
                self.plots[0].begin(tree, self._next_number())
        else:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="selfplay")
            for plot in self.plots:
                self._send(plot)

    @property
    def forest(self) -> Forest:
        """The trees of games that are under way (of a compiled evaluator: of the first part of them)."""
        return self.plots[0].forest

    def _next_number(self) -> int:
        """The number of the game that begins next, -1 if there are enough."""
        if self.games is not None and self._begun >= self.games:
            return -1
        self._begun += 1
        return self._begun - 1

    def _send(self, plot: Plot) -> None:
        """Have a thread play new games in a part, to their ends."""
        assert self._pool is not None
        numbers = [self._next_number() for _ in range(plot.forest.trees)]
        if numbers[0] >= 0:
            self._running.append((plot, self._pool.submit(plot.play_out, numbers)))

    def __iter__(self) -> Iterator[PlayedGame]:
        return self

    def __next__(self) -> PlayedGame:
        """The next game that is finished; with a compiled evaluator they come in the order of their numbers."""
        return self._next_of_batches() if self._pool is None else self._next_of_threads()

    def _next_of_batches(self) -> PlayedGame:
        plot = self.plots[0]
        while True:
            tree = plot.finished()
            if tree >= 0:
                played = plot.read(tree)
                plot.begin(tree, self._next_number())
                return played
            if not plot.is_playing:
                raise StopIteration
            while not plot.forest.words[FINISHED]:
                self.round()

    def _next_of_threads(self) -> PlayedGame:
        while not self._ready:
            if not self._running:
                raise StopIteration
            plot, playing = self._running[0]
            self._ready.extend(playing.result())  # what went wrong is raised here, again and again
            self._running.popleft()
            self._send(plot)
        return self._ready.popleft()

    def round(self) -> int:
        """One call of the evaluator, and all that comes before it; returns how many positions it valued."""
        return self.plots[0].round(self.evaluate)

    @property
    def evaluations(self) -> int:
        """Positions that the evaluator has valued."""
        return sum(int(plot.forest.control.evaluations) for plot in self.plots)


def selfplay(game: str | Game, evaluator: Evaluator | str | None = None, **options: Any) -> SelfPlay:
    """Games that a search with an evaluator plays against itself, one after the other as they end.

    ``parallel`` games are under way at a time and are valued together, with ``iterations`` for each decision; ``algorithm`` is
    ``puct`` or ``gumbel``, ``games`` how many there are (None: without end).  ``noise`` at the root: the share of Dirichlet
    noise (puct, with ``alpha``, by default ten divided by the number of legal actions), or the scale of Gumbel noise.  With
    puct the first ``temperature_plies`` moves are drawn by visits to the power of 1 / ``temperature``, later ones are the most
    visited.
    ``reuse`` (where one sequence of actions leads to one state): True keeps the tree below the move (the default of puct);
    "values" keeps what the network said of it: a search finds the same as a new one and asks less (the default of gumbel).
    ``threads`` play the games of a :class:`CompiledEvaluator`: one for every core, unless said otherwise.
    """
    return SelfPlay(game, evaluator, **options)
