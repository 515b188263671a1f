"""The search that people use: setting up, running, looking in, moving on."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.algorithm import Algorithm, ProofNumbers, named_with_strategy
from icarus.belief import Belief, read_belief
from icarus.engine import layout as w
from icarus.engine.amaf.by_key import catch_up_all
from icarus.engine.table.reader import ContextView, read_table
from icarus.engine.team import Budget, ContractBroken, Team, Tree
from icarus.errors import SearchError
from icarus.game import ENVIRONMENT, Game, Position
from icarus.jit.randomness import mix
from icarus.result import Progress, RootAction, SearchResult
from icarus.search.adaptation import Adaptation
from icarus.search.checks import check_plan, check_request, explain
from icarus.search.line import label_of, labels_of
from icarus.search.moving_on import best_from, can_follow, follow_tree, visits_of
from icarus.search.proven import look_up_proof
from icarus.search.report import report, root_rows
from icarus.search.roots import beginnings, new_table, plant
from icarus.search.stopping import search_until_agreed, spend_until_decided
from icarus.search.workers import warm_up, worker_of
from icarus.strategy.adaptive import Adaptive
from icarus.strategy.base import Strategy
from icarus.strategy.baseline import Baseline
from icarus.strategy.plan import make_plan
from icarus.terminal import stopping
from icarus.tree import Tree as SearchTree

DEFAULT_MEMORY = 1 << 30
SOON = 1e-4  #: seconds that a search has in any case


class Search:
    """A search from a position for the player about to act.

    >>> import icarus
    >>> result = icarus.Search("mnk(3,3,3)", seed=1).run(iterations=1000)
    >>> result.iterations
    1000

    ``algorithm``: see icarus.algorithm (default ``uct`` with perfect information, ``mo`` otherwise).  ``strategy``: a Strategy,
    an expression or one of Table 1's names.  ``observer``: the player whose knowledge is used (default: who acts).  ``chance``:
    ``sample`` or
    ``even`` (visit listed outcomes in proportion to their probabilities).  ``threads`` with ``parallel="tree"`` share one tree
    without locks, with ``"root"`` each grows its own.  ``lanes``: playouts in lockstep on each thread; more than one adds
    virtual loss.
    ``memory``: bytes for records.  ``final``: how the move is chosen in the end: ``robust`` (most visited, the default),
    ``max`` (best mean),
    ``max-robust`` (both; searches on until they agree, at most as long again), ``secure`` (best lower confidence bound) or
    ``mixed`` (drawn in proportion to the visits: where players bluff or choose at the same time, a certain move is a mistake).
    ``vote``: of several trees (``parallel="root"``, ensembles) each votes for its most visited move; ``average``: the best mean
    over trees of each tree's own mean.
    ``transpositions``: 1 or True: nodes are positions, however they came about (UCT1); 2: actions are valued by the positions
    that they lead to (UCT2); 3: whatever leads to one is refreshed (UCT3).  Needs perfect information and the game's ``key``.
    ``solve``: prove what can be proven, never search it again, and end when the root is proven; the same as ``uct(solve)``.
    ``belief``: what the others did says what they hold: determinizations are weighed by how likely a model would play so
    (icarus.belief).
    """

    def __init__(
        self,
        game: str | Game | Position,
        position: Position | None = None,
        *,
        algorithm: str | Algorithm | None = None,
        strategy: str | Strategy = "-",
        observer: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        parallel: str = "tree",
        lanes: int = 1,
        chance: str = "sample",
        memory: int = DEFAULT_MEMORY,
        final: str | None = None,
        transpositions: bool | int = False,
        solve: bool | None = None,
        belief: Belief | str | None = None,
    ) -> None:
        from icarus.loading import load

        if isinstance(game, Position):
            position = game
            game = position.game
        self.game = load(game) if isinstance(game, str) else game
        # a copy: whoever plays on with the position does not change what has been searched
        self.position = self.game.start(seed or 0) if position is None else position.copy()
        self.algorithm, self.strategy = named_with_strategy(algorithm, strategy, self.game)
        lanes = max(lanes, self.algorithm.own_lanes) if lanes > 0 else lanes
        shared_positions = int(transpositions) or self.algorithm.transpositions
        if not 0 <= shared_positions <= 3:
            raise SearchError(f"transpositions={transpositions}: there are 1, 2 and 3")
        if shared_positions:
            self.algorithm = replace(self.algorithm, identity=w.BY_STATE, transpositions=shared_positions)
        if solve is not None and not isinstance(self.algorithm, ProofNumbers):  # which does nothing else
            self.algorithm = replace(self.algorithm, solve=solve or None)
        if final is None:
            final = self.algorithm.usual_final
        self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        self.observer = check_request(self, observer, threads, parallel, lanes, chance, final)
        if self.algorithm.one_thread and threads > 1:
            raise SearchError(f"{self.algorithm.name} runs on one thread")
        if isinstance(self.algorithm, ProofNumbers):
            if threads > 1 or lanes > 1:
                raise SearchError(f"{self.algorithm.name} runs on one thread and one lane")
            lanes = 2  # the second holds the state behind a move that is looked at
        self.threads, self.parallel, self.lanes, self.memory, self.final = threads, parallel, lanes, memory, final
        self.even_chance = chance == "even"
        self.kept = 0.0
        #: of a game with a score: the best playout of an earlier search that leads through this root, and the least score seen
        self._known_best: tuple[float, list[int]] | None = None
        self.stop_words = np.zeros(2, np.int64)
        self.plan = make_plan(self.strategy, **self._of_plan)
        check_plan(self, threads, lanes)
        #: what tunes the strategy while the search runs
        self.adaptation = self._adapting(threads)
        views = self.algorithm.identity in (w.BY_ROOT_VIEW, w.BY_EACH_VIEW) and not self.algorithm.from_start
        views &= self.algorithm.determinizations == 0
        self.identity = w.BY_ACTIONS if views and self.game.observe is None else self.algorithm.identity
        self.belief = read_belief(belief, self.game)
        if self.belief is not None and self.algorithm.cheats:
            raise SearchError(f"{self.algorithm.name} sees what is hidden, and a belief is about what is not seen; use mo or so")
        if self.belief is not None and self.algorithm.solve:
            raise SearchError("solve needs every determinization, and a belief looks at some of them; leave one of the two out")
        #: what was drawn once, and the seconds that the next run has less for it
        self.begins = beginnings(self)
        self._owed = self.begins.seconds
        shared = threads > 1 and parallel == "tree" and self.algorithm.trees == 1
        groups = 1 if shared else threads if self.algorithm.trees == 1 else min(threads, self.algorithm.trees)
        tables = [new_table(self, groups, shared=shared) for _ in range(groups)]
        workers = [worker_of(self, number) for number in range(threads if shared else groups)]
        self.team = Team(workers, tables, plant(self, tables), lanes, self.algorithm.driver_for(self.plan), self.adaptation)
        self._seconds = 0.0
        self._unexplained = self.game.unexplained
        warm_up(self.team.loop)

    # --- setting up --------------------------------------------------------------------------------------------------

    @property
    def _of_plan(self) -> dict[str, Any]:
        """What a plan must know beside its strategy."""
        return {
            "simultaneous": self.game.simultaneous is not None,
            "max_depth": self.algorithm.max_depth,
            "flat_root": self.algorithm.flat_root,
            "rewards": self._reward_map(),
        }

    def _adapting(self, threads: int) -> Adaptation | None:
        if not isinstance(self.strategy, Adaptive):
            return None
        if self.algorithm.walks or self.algorithm.driver_for(self.plan) is not None:
            raise SearchError(f"{self.algorithm.name} does not choose by policies of a tree: Adaptive has nothing to tune in it")
        if threads > 1:
            raise SearchError("Adaptive credits a slice of iterations with what it brought, one after the other: use one thread")
        adaptation = Adaptation(self.strategy, self.game.players, **self._of_plan)
        for node in adaptation.called:
            self.plan.nodes[node]["inlined"] = w.NOT_INLINED
        return adaptation

    def _reward_map(self) -> tuple[float, ...]:
        """What a playout is worth to each player of this search, where a strategy says so."""
        for leaf in self.strategy.enhancements():
            if isinstance(leaf, Baseline) and leaf.rewards is not None:
                return leaf.rewards.numbers(self.game, self.observer)
        return ()

    def root_state(self) -> npt.NDArray[np.int64]:
        state = self.position.state.copy()
        if self.game.enter_search is not None:
            self.game.call("enter_search", state)
        return state

    def root_history(self, number: int, root: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """What names the root of a tree: a hash for each player and one for everything."""
        players = range(self.game.players + 1)
        history = np.array([mix(number + 1, p if self.identity == w.BY_EACH_VIEW else 0) for p in players], np.int64)
        if self.identity == w.BY_STATE:  # as engine/identity.py names every other node
            history[0] = mix(int(history[-1]), int(self.game.call("key", root)))
        return history

    # --- running -----------------------------------------------------------------------------------------------------

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        records: int | None = None,
        bytes: int | None = None,
        runs: int | None = None,
        progress: Callable[[Progress], None] | None = None,
        until_decided: float | None = None,
    ) -> SearchResult:
        """Search until the first of the budgets is used up; called again, the search continues.

        Budgets are for this call (iterations, seconds; runs of an algorithm that ends by itself and would begin anew, for each
        thread) and for all that is held (records, bytes).  Ctrl-C and :meth:`stop` end the search early; there is always an
        answer, from at least one iteration.  ``until_decided`` ends it as soon as the most visited move is ahead by more than
        this share of the iterations that are left: with 1 no other can catch up (absolute pruning), with less it is unlikely
        (relative pruning); section V-E2 of mcts-survey-2012.
        """
        given = {"iterations": iterations, "seconds": seconds, "records": records, "bytes": bytes, "runs": runs}
        if runs is not None and not self.algorithm.ends:
            raise SearchError(f"{self.algorithm.name} does not end by itself: a budget is iterations, seconds, records or bytes")
        if all(value is None for value in given.values()):
            raise SearchError("a search needs a budget: iterations, seconds, records or bytes")
        for name, value in given.items():
            if value is not None and not value > 0:
                raise SearchError(f"a budget of {name}={value} is not above zero")
        if until_decided is not None:
            if not 0 < until_decided <= 1:
                raise SearchError(f"until_decided={until_decided}: a share of the iterations left, above 0 and at most 1")
            if self.final not in ("robust", "vote"):
                raise SearchError(f"until_decided goes by visits, and final={self.final!r} does not; use final='robust'")
        self.stop_words[0] = 0
        for worker in self.team.workers:
            worker.control.runs_wanted = 0 if runs is None else worker.control.runs + runs
        limit = self.memory if bytes is None else min(bytes, self.memory)
        begun, before = time.perf_counter() - self._owed, self.iterations
        seconds, self._owed = None if seconds is None else max(seconds - self._owed, SOON), 0.0
        budget = Budget(iterations, seconds, records, limit)

        def tell(done: int, elapsed: float) -> None:
            if progress is not None:
                progress(Progress(done, elapsed, iterations, seconds))

        # an exception must land neither inside a game's own Python code, where its callback would have to swallow it, nor
        # between two words of the engine's memory that belong together
        watched = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        try:
            with stopping(self.stop) if watched else nullcontext(lambda: False) as interrupted:
                if until_decided is None:
                    stopped_by = self.team.spend(budget, tell)
                else:
                    stopped_by = spend_until_decided(self, budget, tell, until_decided)
                if self.final == "max-robust" and stopped_by in ("iterations", "seconds"):
                    search_until_agreed(self, budget, tell)
            if interrupted():
                stopped_by = "interrupt"
        except KeyboardInterrupt:
            stopped_by = "interrupt"
        except ContractBroken as broken:
            raise explain(self, broken.control) from None
        if self.iterations == 0:
            self.stop_words[0] = 0
            self.team.spend(Budget(len(self.team.trees), None, None, self.memory), lambda done, elapsed: None)
        elapsed = time.perf_counter() - begun
        self._seconds += elapsed
        return self.result(stopped_by=stopped_by, seconds=elapsed, iterations=self.iterations - before)

    def stop(self) -> None:
        """End a running search from another thread, soon."""
        self.stop_words[0] = 1

    @property
    def iterations(self) -> int:
        """Iterations since the search was made or last advanced."""
        return sum(tree.iterations for tree in self.team.trees)

    # --- looking in --------------------------------------------------------------------------------------------------

    @property
    def tree(self) -> SearchTree:
        """The trees, node by node, to be walked while nothing runs."""
        return SearchTree(self)

    def contexts(self) -> Iterator[ContextView]:
        """Every context of every capture with its records, all of them up to date."""
        self.catch_up()
        for table in self.team.tables:
            yield from read_table(table, self.game.players)

    # --- results -----------------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Do now what the engine puts off until a record is read, so that all records can be looked at from outside."""
        for table in self.team.tables:
            self.team.workers[0].use_table(table)
            for number in self.plan.all_moves:
                if self.amaf_by_node:  # every node may get a context for each player
                    while len(table.index) < 2 * (1 + self.game.players) * int(table.meta.context_count):
                        table.grow_index()
                    self.team.workers[0].use_table(table)
                catch_up_all(self.team.workers[0].handle, number)

    @property
    def one_state(self) -> bool:
        """Does a tree node belong to one state, which everybody sees?"""
        game = self.game
        return game.determinize is None and game.simultaneous is None and game.observe is None

    @property
    def amaf_by_node(self) -> int:
        """The one capture that learns from later moves, where a tree node leads to its records (engine/amaf/by_node.py)."""
        captures = self.plan.all_moves
        return captures[0] if len(captures) == 1 and self.one_state else 0

    @property
    def permuted(self) -> tuple[int, int] | None:
        """The capture that learns from permutations of a playout's moves, and how many nodes do; None if there is none."""
        leaves = enumerate(self.plan.capture_leaves)
        return next(((number, leaf.capture.permutations) for number, leaf in leaves if leaf.capture.permutations), None)

    @property
    def proof_place(self) -> int:
        """How many numbers of a record stand before its bounds."""
        return self.game.players + len(self.plan.statistics)

    @property
    def actor(self) -> int:
        """Who decides at the root; where that is the environment, the observer."""
        player = self.position.player
        return self.observer if player == ENVIRONMENT else player

    def context_key(self, tree: Tree) -> int:
        """The key of the root's context in the tree of the player who acts there."""
        player = self.position.player
        if self.identity == w.BY_EACH_VIEW:
            return int(tree.history[player])
        if self.game.simultaneous is not None and self.game.call("simultaneous", self.position.state):
            return int(mix(int(tree.history[0]), 101 + player))
        return int(tree.history[0])

    @staticmethod
    def label(position: Position, action: int) -> str:
        """How people write an action."""
        return label_of(position, action)

    def root_rows(self) -> list[RootAction]:
        """The moves at the root with their statistics, of all trees together."""
        return root_rows(self)

    def result(self, *, stopped_by: str = "", seconds: float | None = None, iterations: int | None = None) -> SearchResult:
        """What is known so far."""
        spent = self._seconds if seconds is None else seconds
        unexplained = self.game.unexplained - self._unexplained
        return report(self, stopped_by=stopped_by, seconds=spent, iterations=iterations, unexplained=unexplained)

    @property
    def best_playout(self) -> tuple[float, list[int]] | None:
        """Of a game for one player: the greatest score, or else reward, of any playout, and its actions from the root.

        Where something is hidden and there is no score there is none: another determinization may not allow these actions.
        """
        if self.game.determinize is not None and self.game.score is None:
            return None
        found = [] if self._known_best is None else [self._known_best]
        for worker in self.team.workers:
            control = worker.control
            if control.scored:
                found.append((float(control.best_score), worker.best_line[: int(control.best_length)].tolist()))
        return max(found, key=lambda playout: playout[0], default=None)

    @property
    def run_scores(self) -> list[float]:
        """What the last runs (up to 1024 of each thread) of an algorithm that ends by itself have ended with."""
        scores: list[float] = []
        for worker in self.team.workers:
            runs = int(worker.control.runs)
            scores += [float(worker.run_scores[run % w.RUN_SCORES]) for run in range(max(runs - w.RUN_SCORES, 0), runs)]
        return scores

    def labels(self, actions: list[int]) -> list[str]:
        """How people write these actions, one after the other from the root."""
        return labels_of(self.position, actions)

    # --- moving on ---------------------------------------------------------------------------------------------------

    def advance(self, position: Position) -> float:
        """The game has moved on to ``position``: keep the part of the tree that is still of use.

        Only what the observer saw of the moves in between is used.  Returns the share of the old root's visits that is kept;
        statistics of the enhancements are kept, decayed or forgotten as each of them says.
        """
        played = position.history[len(self.position.history) :]
        tree, follows = self.team.trees[0], can_follow(self, position)
        before = max(tree.iterations, 1)
        self._known_best = best_from(self, position)
        self.position = position.copy()
        chance = "even" if self.even_chance else "sample"
        self.observer = check_request(self, self.observer, self.threads, self.parallel, self.lanes, chance, self.final)
        self.begins = beginnings(self)
        self._owed = self.begins.seconds
        if follows:
            trees = [follow_tree(self, tree, played)]
            self.kept = visits_of(self, trees[0]) / before
        else:
            for table in self.team.tables:
                table.clear()
            trees, self.kept = plant(self, self.team.tables), 0.0
        workers = [worker_of(self, number) for number in range(len(self.team.workers))]
        for worker, old in zip(workers, self.team.workers, strict=True):
            worker.rng[:] = old.rng
            if follows and self.plan.learns:
                worker.lesson.learned[:] = old.lesson.learned
            # what was backed up was measured by the scores seen so far, so these stay the measure
            for name in ("ranged", "least_score", "most_score"):
                setattr(worker.control, name, getattr(old.control, name))
        if self.adaptation is not None and played:
            self.adaptation.move_on()
        self.team = Team(workers, self.team.tables, trees, self.lanes, self.algorithm.driver_for(self.plan), self.adaptation)
        if self.algorithm.solve:
            look_up_proof(self)
        self._seconds = 0.0
        return self.kept
