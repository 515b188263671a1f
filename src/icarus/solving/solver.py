"""Searching for the best sequence: threads with searches of their own, what they have found so far, when it is written down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np

from icarus.errors import SearchError
from icarus.game import Game, Position
from icarus.gdl.rule_game import RuleGame
from icarus.one_player import Nested
from icarus.search import Search
from icarus.search.checks import MOST_THREADS
from icarus.solving.solution import Improvement, Solution, under_way_in
from icarus.solving.together import Found, NestedTogether

MEMORY = 1 << 28  #: bytes for records, of each thread: most algorithms for one player keep next to nothing
GLANCE = 0.1  #: how often progress is told, in seconds
SAVED = 5.0  #: how often the file is written where nothing has become better, in seconds
RUNS_AT_ONCE = 512  #: of those whose scores are kept


def usual_algorithm(game: Game) -> str:
    """What is searched with where no algorithm is named."""
    if game.hidden_information:
        return "mo"
    if game.stochastic:
        return "uct"
    # a move of a rule sheet is the same wherever it is made, so that policy adaptation learns little
    return "nmcs(2)" if isinstance(game, RuleGame) else "nrpa(3)"


class Solver:
    """Looks for the best sequence of actions from the start of a game of one player.

    ``algorithm``: any that serves the game (default ``nrpa(3)``; ``nmcs(2)`` for rule sheets, ``uct`` where something is left to
    chance), perhaps with a strategy in brackets.  ``threads``: searches that are independent of each other, or one nested search
    ``together`` (:mod:`icarus.solving.together`).  ``save``: the file in which the best is kept; ``resume``: go on from what that
    file holds.
    """

    def __init__(
        self,
        game: str | Game | Position,
        *,
        algorithm: str | None = None,
        strategy: str = "-",
        threads: int = 1,
        together: bool = False,
        seed: int | None = None,
        save: str | Path | None = None,
        resume: bool = False,
    ) -> None:
        from icarus.loading import load

        if not 1 <= threads <= MOST_THREADS:
            raise SearchError(f"threads={threads}: 1 to {MOST_THREADS} are possible")
        self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        if isinstance(game, Position):
            self.start = game
        else:
            self.start = (load(game) if isinstance(game, str) else game).start(0)
        self.game = self.start.game
        if self.game.players != 1:
            raise SearchError(f"{self.game.name} has {self.game.players} players; solve is for one, `icarus search` for several")
        self.algorithm = algorithm or usual_algorithm(self.game)
        self.strategy, self.threads = strategy, threads
        self.file = None if save is None else Path(save)
        if resume and self.file is None:
            raise SearchError("resume: from which file? Name it with save (--save FILE)")
        self._number = 1 if together else threads  #: of searches
        self._searches = [self._new_search(number) for number in range(self._number)]
        self._nested = self._one_for_all() if together else None
        self.solution = Solution(self.game.name, self._named(), self.seed, threads)
        if self.file is not None and self.file.exists():
            if not resume:
                raise SearchError(f"{str(self.file)!r} is there already; --resume goes on from it, or name another file")
            self.solution = Solution.read(self.file, self.game, self.start)
            self.solution.algorithm, self.solution.threads = self._named(), threads
            # what was drawn before would be drawn again
            self.seed = self.solution.seed = self.seed + self.solution.playouts
            self._searches = [self._new_search(number) for number in range(self._number)]
            self._go_on(self.file)
        elif self.file is not None:
            self.solution.save(self.file)
        self._lock = threading.Lock()
        self._stopped = False
        self._restarts = threads
        self._runs = 0
        self._saved = 0.0

    def _named(self) -> str:
        """The algorithm, with its strategy where one was named."""
        search = self._searches[0]
        named = self.strategy != "-" or "[" in self.algorithm
        return f"{search.algorithm}[{search.strategy}]" if named else str(search.algorithm)

    def _new_search(self, number: int) -> Search:
        seed = self.seed if number == 0 else int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        memory = MEMORY
        return Search(self.start, algorithm=self.algorithm, strategy=self.strategy, seed=seed, memory=memory)

    def _one_for_all(self) -> NestedTogether:
        """All threads on one nested search."""
        algorithm, strategy = self._searches[0].algorithm, self._searches[0].strategy
        if not isinstance(algorithm, Nested) or not algorithm.memory or algorithm.level < 2:
            raise SearchError(f"{algorithm} cannot be searched together: nmcs of level 2 and more can, such as nmcs(3)")
        return NestedTogether(self.start, algorithm, strategy, self.threads)

    def _go_on(self, file: Path) -> None:
        """Let each search begin where one of the file was, as far as its algorithm can."""
        for search, held in zip(self._searches, under_way_in(file, self._named()), strict=False):
            if held is not None:
                try:
                    search.algorithm.go_on(self.start, search.team.workers[0], held)
                except (ValueError, KeyError, TypeError, OverflowError):
                    raise SearchError(f"{str(file)!r}: what it says of the search under way does not fit the game") from None

    def stop(self) -> None:
        """End soon, from another thread or a signal."""
        self._stopped = True
        for search in (*self._searches, *((self._nested,) if self._nested else ())):
            search.stop()

    def run(
        self,
        seconds: float | None = None,
        runs: int | None = None,
        iterations: int | None = None,
        progress: Callable[[Solution, float], None] | None = None,
    ) -> Solution:
        """Search until the time is up, or so many runs are complete; called again, it goes on.

        A run is what the algorithm does until it ends by itself (nmcs, nrpa), or so many ``iterations``.  Without ``runs`` it
        begins anew until the time is up.  ``progress`` hears of the best so far, and which share of the budget is used up.
        """
        for name, value in (("seconds", seconds), ("runs", runs), ("iterations", iterations)):
            if value is not None and not value > 0:
                raise SearchError(f"a budget of {name}={value} is not above zero")
        if seconds is None and runs is None and iterations is None:
            raise SearchError("a budget is needed: seconds, runs or iterations")
        if self._nested and iterations is not None:
            raise SearchError("threads that search together count runs or seconds, not iterations")
        self._stopped = False
        budget = _Budget(seconds, runs, iterations, self.solution.seconds, len(self.solution.scores))
        tell = progress or (lambda solution, share: None)
        with ThreadPoolExecutor(self._number) as pool:
            work = self._work_together if self._nested else self._work
            futures = [pool.submit(work, number, budget) for number in range(self._number)]
            try:
                while wait(futures, GLANCE).not_done:
                    self._glance(budget, tell)
                    if any(future.done() and future.exception() for future in futures):
                        self.stop()
            except BaseException:
                self.stop()
                raise
            finally:
                wait(futures)
        for future in futures:
            future.result()
        self._glance(budget, tell)
        self.solution.stopped_by = (
            "interrupt" if self._stopped else "runs" if budget.runs_done else "seconds" if seconds else "iterations"
        )
        if self.file is not None:
            under_way = [search.algorithm.under_way(self.game, search.team.workers[0]) for search in self._searches]
            self.solution.try_to_save(self.file, under_way)
        return self.solution

    def _glance(self, budget: _Budget, tell: Callable[[Solution, float], None]) -> None:
        with self._lock:
            self.solution.seconds = budget.before + budget.elapsed
            share = budget.share(len(self.solution.scores))
            if self.file is not None and budget.elapsed - self._saved > SAVED:
                self._save()
                self._saved = budget.elapsed
        tell(self.solution, share)

    def _save(self) -> None:
        if self.file is not None:
            self.solution.try_to_save(self.file)

    # --- one thread --------------------------------------------------------------------------------------------------

    def _work(self, number: int, budget: _Budget) -> None:
        """Let one search run until the budget is used up; one that is full begins anew."""
        while not self._stopped:
            search = self._searches[number]
            wanted = budget.take_runs(RUNS_AT_ONCE if search.algorithm.ends else 1)
            if wanted == 0 or (budget.left is not None and budget.left <= 0):
                return
            before = int(search.iterations)
            seen = search.team.workers[0].control.runs
            noted = before

            def note(state: Any, search: Search = search) -> None:
                nonlocal noted
                self._note(search, search.iterations - noted, budget)
                noted = search.iterations
                if self._stopped:
                    search.stop()

            given: dict[str, Any] = {"seconds": budget.left, "progress": note}
            if search.algorithm.ends and budget.runs is not None:
                given["runs"] = wanted
            elif budget.iterations is not None:
                given["iterations"] = budget.iterations
            elif budget.runs is not None:
                given["iterations"] = 10_000
            ended = search.run(**given).stopped_by
            self._note(search, search.iterations - noted, budget)
            self._end(number, search, int(search.team.workers[0].control.runs - seen), wanted, ended, budget)
            if budget.over(ended):
                return

    def _end(self, number: int, search: Search, runs: int, wanted: int, ended: str, budget: _Budget) -> None:
        """Write down the scores of complete runs; what cannot go on begins anew with other random numbers."""
        if search.algorithm.ends:
            with self._lock:
                if budget.runs is not None and runs:
                    self.solution.scores += search.run_scores[-runs:]
            budget.give_back(wanted - runs)
            return
        complete = ended in ("iterations", "memory", "proven")
        best = search.best_playout
        with self._lock:
            if budget.runs is not None and complete and best is not None:
                self.solution.scores.append(best[0])
            self._restarts += 1
            again = self._restarts
        budget.give_back(0 if complete else wanted)
        if not self._stopped:
            self._searches[number] = self._new_search(again)

    # --- all threads together ----------------------------------------------------------------------------------------

    def _work_together(self, number: int, budget: _Budget) -> None:
        """One nested search after the other, until the budget is used up."""
        assert self._nested is not None

        def note(found: Found, playouts: int) -> None:
            with self._lock:
                self.solution.playouts += playouts
                if self.solution.score is None or found.score > self.solution.score:
                    self._improve(found.score, found.actions, budget)

        while not self._stopped and budget.take_runs(1):
            self._runs += 1
            found = self._nested.run(self.seed + self._runs, lambda: budget.left, note)
            if found is None:
                budget.give_back(1)
                return
            if budget.runs is not None:
                with self._lock:
                    self.solution.scores.append(found.score)

    def _note(self, search: Search, playouts: int, budget: _Budget) -> None:
        """Let the solution know how far a search is, and what it has found."""
        control = search.team.workers[0].control
        with self._lock:
            self.solution.playouts += playouts
            if not control.scored or (self.solution.score is not None and control.best_score <= self.solution.score):
                return
            best = search.best_playout
            assert best is not None
            self._improve(*best, budget)

    def _improve(self, score: float, actions: list[int], budget: _Budget) -> None:
        """There is a new best; the lock is held."""
        seconds = budget.before + budget.elapsed
        self.solution.score, self.solution.actions = score, actions
        self.solution.moves = self._searches[0].labels(actions)
        self.solution.seconds = seconds
        self.solution.improvements.append(Improvement(round(seconds, 6), self.solution.playouts, score))
        self._save()


class _Budget:
    """What may be spent, by all threads together."""

    def __init__(self, seconds: float | None, runs: int | None, iterations: int | None, before: float, scores: int) -> None:
        self.seconds, self.runs, self.iterations, self.before = seconds, runs, iterations, before
        self.scores = scores
        self._begun = time.perf_counter()
        self._left = runs
        self._lock = threading.Lock()

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._begun

    @property
    def left(self) -> float | None:
        return None if self.seconds is None else self.seconds - self.elapsed

    @property
    def runs_done(self) -> bool:
        return self.runs is not None and self._left == 0

    def share(self, scores: int) -> float:
        shares = [0.0]
        if self.seconds is not None:
            shares.append(self.elapsed / self.seconds)
        if self.runs is not None:
            shares.append((scores - self.scores) / self.runs)
        return min(max(shares), 1.0)

    def take_runs(self, most: int) -> int:
        """Some of the runs that are left; where none were asked for there is always one more."""
        if self._left is None:
            return 1
        with self._lock:
            taken = min(self._left, most)
            self._left -= taken
            return taken

    def give_back(self, runs: int) -> None:
        if self._left is not None:
            with self._lock:
                self._left += runs

    def over(self, ended: str) -> bool:
        """Has a search ended because nothing is left for anybody?"""
        if ended in ("seconds", "stop", "interrupt"):
            return True
        return self.runs is None and self.seconds is None  # one run of so many iterations


def solve(
    game: str | Game | Position,
    *,
    seconds: float | None = None,
    runs: int | None = None,
    iterations: int | None = None,
    **options: Any,
) -> Solution:
    """Solve once: ``icarus.solving.solve("morpion(5D)", seconds=10).moves``.  Options are those of :class:`Solver`.

    What was found is never lost because its file cannot be written: ``unsaved`` of the answer says why.
    """
    if seconds is None and runs is None and iterations is None:
        seconds = 10.0
    return Solver(game, **options).run(seconds=seconds, runs=runs, iterations=iterations)
