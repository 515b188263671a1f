"""The search that people use: setting up, running, moving on, and what it found."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.algorithm import Algorithm, ProofNumbers, algorithm_named, with_strategy
from icarus.belief import Belief, read_belief
from icarus.drawn import Drawn, every_deal
from icarus.engine import layout as w
from icarus.engine.amaf.by_key import catch_up_all
from icarus.engine.amaf.by_node import renew_own_moves
from icarus.engine.table.pool import Table
from icarus.engine.table.reader import ContextView, existing_record, read_table
from icarus.engine.table.records import decay
from icarus.engine.team import Budget, ContractBroken, Team, Tree
from icarus.errors import GameError, SearchError
from icarus.game import ENVIRONMENT, UNSEEN, Game, Position
from icarus.jit.randomness import mix, seeded
from icarus.result import Progress, RootAction, SearchResult
from icarus.search.adaptation import Adaptation
from icarus.search.choice import FINAL_MOVES, best_of
from icarus.search.line import principal_variation
from icarus.search.proven import known_of, look_up_proof, proves, words_of_proofs
from icarus.search.stopping import search_until_agreed, spend_until_decided
from icarus.search.workers import warm_up, worker_of
from icarus.strategy.adaptive import Adaptive
from icarus.strategy.base import Strategy
from icarus.strategy.baseline import Baseline
from icarus.strategy.plan import make_plan
from icarus.terminal import stopping
from icarus.tree import Tree as SearchTree
from icarus.tree import read_records

DEFAULT_MEMORY = 1 << 30
SOON = 1e-4  #: seconds that a search has in any case

ERRORS = {
    w.NO_ACTION: "no legal action in an unfinished game ({ply} plies after the root)",
    w.TOO_MANY_ACTIONS: "legal() reports {value} actions, more than the declared max_actions ({ply} plies after the root)",
    w.TOO_LONG: "a game did not end within the declared max_plies={value}",
    w.BAD_REWARD: "a reward of player {value} is not in [0, 1] ({ply} plies after the root)",
    w.BAD_SCORE: "score() does not give a finite number ({ply} plies after the root)",
    w.BAD_ACTION: "the action {value} is not in 0 .. 2**31 - 1 ({ply} plies after the root)",
}


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
        from icarus.strategy.expression import read_strategy

        if isinstance(game, Position):
            position = game
            game = position.game
        self.game = load(game) if isinstance(game, str) else game
        # a copy: whoever plays on with the position does not change what has been searched
        self.position = self.game.start(seed or 0) if position is None else position.copy()
        if isinstance(algorithm, str):
            algorithm, strategy = with_strategy(algorithm, strategy)
        self.algorithm = algorithm_named(algorithm, self.game)
        if self.algorithm.asks:
            how = f"icarus.NetworkSearch(game, evaluator=evaluate, algorithm={self.algorithm.name!r})"
            raise SearchError(f"{self.algorithm.name} asks a network: {how}, or a player {self.algorithm.name}[net.onnx]@200")
        usual = isinstance(strategy, str) and strategy.strip() == "-"
        self.strategy = read_strategy(self.algorithm.usual_strategy if usual else strategy, alone=self.algorithm.walks)
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
        self.observer = self._check(observer, threads, parallel, lanes, chance, memory, final)
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
        if self.plan.words["tree_filters"] and self.game.hidden_information:
            raise SearchError(
                f"{self.strategy} tries moves out in the tree, which needs perfect information, and {self.game.name} hides some;"
                " it may stand to the right of >>"
            )
        if self.algorithm.walks and (self.plan.words["cutoff"] or self.plan.words["suggests"]):
            raise SearchError(
                f"{self.algorithm.name} plays its own playouts to the end; {self.strategy} changes them, which it cannot take"
            )
        if self.algorithm.transpositions > 1 and (threads > 1 or lanes > 1 or self.game.score is not None):
            raise SearchError(f"transpositions={self.algorithm.transpositions} needs one thread, one lane and no score")
        if self.permuted is not None and (self.amaf_by_node != self.permuted[0] or self.algorithm.transpositions > 1):
            raise SearchError(
                f"{self.strategy} tells playouts to nodes that permutations reach: that needs a game in which everybody "
                "sees every move, no other AMAF and no transpositions above 1"
            )
        if self.algorithm.solve and not proves(self.strategy):
            raise SearchError(
                f"solve needs every legal move in the tree and rewards as the game gives them; {self.strategy} changes them"
            )
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
        #: what was drawn once, for iterations to begin with
        self._owed = 0.0  # seconds that the next run has less, since weighing particles took them
        self.drawn = self._draw_states()
        shared = threads > 1 and parallel == "tree" and self.algorithm.trees == 1
        self._groups = 1 if shared else threads if self.algorithm.trees == 1 else min(threads, self.algorithm.trees)
        tables = [self._new_table(shared=shared) for _ in range(self._groups)]
        workers = [worker_of(self, number) for number in range(threads if shared else self._groups)]
        self.team = Team(workers, tables, self._plant(tables), lanes, self.algorithm.driver_for(self.plan), self.adaptation)
        self._seconds = 0.0
        self._unexplained = self._count_unexplained()
        warm_up(self.team.loop)

    # --- setting up --------------------------------------------------------------------------------------------------

    def _check(self, observer: int | None, threads: int, parallel: str, lanes: int, chance: str, memory: int, final: str) -> int:
        game = self.game
        if self.position.is_terminal:
            raise SearchError(f"the game {game.name} is over in this position: there is nothing to search")
        actor = self.position.player
        if observer is not None and not 0 <= observer < game.players:
            raise SearchError(f"there is no player {observer} in {game.name}; players are 0 to {game.players - 1}")
        if actor == ENVIRONMENT and observer is None:
            raise SearchError(
                f"the environment acts in this position of {game.name}; play its outcome first, or name an observer"
            )
        if threads < 1 or lanes < 1:
            raise SearchError(f"threads={threads}, lanes={lanes}: both must be at least 1")
        if parallel not in ("tree", "root"):
            raise SearchError(f"parallel={parallel!r}: choose 'tree' or 'root'")
        if chance not in ("sample", "even"):
            raise SearchError(f"chance={chance!r}: choose 'sample' or 'even'")
        if chance == "even" and game.sample is not None and game.chance is None:
            raise SearchError(f"chance='even' needs probabilities, and {game.name} has no function 'chance'")
        if final not in FINAL_MOVES:
            raise SearchError(f"final={final!r}: choose one of {', '.join(FINAL_MOVES)}")
        self.algorithm.check(game)
        self.strategy.check(game)
        views = self.algorithm.identity in (w.BY_EACH_VIEW, w.BY_ROOT_VIEW) and game.observe is not None
        for leaf in self.strategy.enhancements():
            if views and leaf.reuse.backup is not None and leaf.reuse.backup.one_tree:
                raise SearchError(
                    f"{leaf.reuse} reads what is behind an action, which needs one tree of actions for all players, and "
                    f"{self.algorithm.name} has none; use so or determinized(10)"
                )
        if self.algorithm.identity == w.BY_ROOT_VIEW and game.observe is not None:
            for leaf in self.strategy.enhancements():
                if "heuristic" in leaf.capture.needs:
                    raise SearchError(
                        f"pom chooses between moves, not actions, of the others: {leaf} has no value for them; use mo or so"
                    )
        return actor if observer is None else observer

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

    def _draw_states(self) -> Drawn | None:
        """What iterations begin with, where that is neither the root nor a determinization of their own."""
        if self.algorithm.from_start:
            return every_deal(self.game)
        if self.game.determinize is None or self.algorithm.cheats:
            return None
        if self.belief is not None:
            begun = time.perf_counter()
            drawn = self.belief.drawn(self.position, self.observer, self.seed)
            self._owed = time.perf_counter() - begun
            return drawn
        if self.algorithm.determinizations:
            rng = seeded(self.seed, stream=3)
            return Drawn([self.position.determinize(self.observer, rng) for _ in range(self.algorithm.determinizations)])
        return None

    def _new_table(self, *, shared: bool) -> Table:
        plies = self.game.max_plies * len(self.plan.captures) * self.lanes * self.threads
        if self.memory < self._groups << 16:
            where = "" if self._groups == 1 else f" for each of {self._groups} trees at a time"
            raise SearchError(f"memory={self.memory}: a search needs at least {1 << 16} bytes{where}")
        try:
            return Table(
                bytes_limit=self.memory // self._groups,
                players=self.game.players,
                statistics=len(self.plan.statistics),
                shared=shared,
                contexts=min(4 * plies, 1 << 16),
                proof_words=words_of_proofs(self),
            )
        except (MemoryError, OSError, OverflowError):
            raise SearchError(f"memory={self.memory}: the system does not give that many bytes; ask for fewer") from None

    def root_state(self) -> npt.NDArray[np.int64]:
        state = self.position.state.copy()
        if self.game.enter_search is not None:
            self.game.call("enter_search", state)
        return state

    def _plant(self, tables: list[Table]) -> list[Tree]:
        """The roots of all trees."""
        trees = []
        rng = seeded(self.seed, stream=3)
        number = max(self.algorithm.trees, self._groups)
        for i in range(number):
            root = self.root_state()
            hides = self.game.determinize is not None
            if hides and not self.algorithm.resamples and not self.algorithm.cheats:
                self.game.call("determinize", root, self.observer, rng)
            trees.append(Tree(root, self.root_history(i, root), tables[i % self._groups]))
        return trees

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
            raise self._explain(broken.control) from None
        if self.iterations == 0:
            self.stop_words[0] = 0
            self.team.spend(Budget(len(self.team.trees), None, None, self.memory), lambda done, elapsed: None)
        elapsed = time.perf_counter() - begun
        self._seconds += elapsed
        return self.result(stopped_by=stopped_by, seconds=elapsed, iterations=self.iterations - before)

    def stop(self) -> None:
        """End a running search from another thread, soon."""
        self.stop_words[0] = 1

    def _count_unexplained(self) -> int:
        """How often the game has found nothing that agrees with what a player saw (a game that never fails has no count)."""
        return self.game.unexplained

    @property
    def iterations(self) -> int:
        """Iterations since the search was made or last advanced."""
        return sum(tree.iterations for tree in self.team.trees)

    def _explain(self, control: w.Control) -> GameError:
        """What is wrong with the game, in one line."""
        problem = self.game.problem
        if control.error == w.IN_CALLBACK and problem:
            return GameError(f"{self.game.name}: {problem}")
        text = ERRORS[int(control.error)].format(ply=int(control.error_ply), value=int(control.error_value))
        return GameError(f"the game {self.game.name} breaks its contract: {text}; `icarus check` finds the place")

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

    def _context_keys(self, tree: Tree) -> list[int]:
        """The same for all that iterations may begin with."""
        if self.drawn is None or self.algorithm.plies > 0:
            return [self.context_key(tree)]
        return [int(mix(int(tree.history[-1]), number + 1)) for number in range(len(self.drawn.positions))]

    def root_rows(self) -> list[RootAction]:
        """The moves at the root with their statistics, of all trees together."""
        totals: dict[int, list[float]] = {}
        nothing = [0.0] * (2 + self.game.players)
        for tree in self.team.trees:
            for key in self._context_keys(tree):
                for action, row in read_records(self, tree, key).items():
                    totals[action] = [a + b for a, b in zip(totals.get(action, nothing), row, strict=True)]
        known = self.position.legal() if self.position.player == self.observer else sorted(totals)
        rows = []
        for action in known:
            visits, available, *rewards = totals.get(action, nothing)
            mean = [reward / visits if visits else 0.0 for reward in rewards]
            label = self.label(self.position, action)
            rows.append(RootAction(action, label, int(visits), int(available), mean, **known_of(self, action)))
        return rows

    @staticmethod
    def label(position: Position, action: int) -> str:
        """How people write an action."""
        try:
            return position.format_action(action)
        except Exception:  # a label is a courtesy: a move of another determinization may have none here
            return str(action)

    def result(self, *, stopped_by: str = "", seconds: float | None = None, iterations: int | None = None) -> SearchResult:
        """What is known so far."""
        rows = self.root_rows()
        if not rows:  # of somebody else's decision nothing is known before the first iteration
            raise SearchError("nothing has been searched yet")
        best = best_of(self, rows)
        cycles = sum((worker.cycles for worker in self.team.workers), np.zeros(5, np.int64))
        total = max(int(cycles[:4].sum()), 1)
        names = ("determinization", "tree", "simulation", "backup")
        spent = self._seconds if seconds is None else seconds
        count = self.iterations if iterations is None else iterations
        steps = sum(int(worker.control.tree_steps) for worker in self.team.workers)
        everything = max(sum(int(worker.control.done) for worker in self.team.workers), 1)
        return SearchResult(
            game=self.game.name,
            algorithm=str(self.algorithm),
            strategy=str(self.strategy),
            seed=self.seed,
            player=self.actor,
            players=self.game.player_labels,
            iterations=count,
            total_iterations=self.iterations,
            seconds=spent,
            iterations_per_second=count / max(spent, 1e-9),
            records=sum(table.records for table in self.team.tables),
            bytes=sum(table.used_bytes for table in self.team.tables),
            tree_depth=max(int(worker.control.deepest) for worker in self.team.workers),
            mean_depth=steps / everything,
            phases={name: float(cycles[i]) / total for i, name in enumerate(names)},
            kept=self.kept,
            stopped_by=stopped_by,
            threads=self.threads,
            final=self.final,
            **known_of(self, None),
            root=sorted(rows, key=lambda r: -r.visits),
            best=best,
            principal_variation=principal_variation(self, best.action),
            unexplained=self._count_unexplained() - self._unexplained,
            adapted=None if self.adaptation is None else [one.as_dict() for one in self.adaptation.found()],
            **self._scored(),
        )

    @property
    def best_playout(self) -> tuple[float, list[int]] | None:
        """Of a game with a score: the greatest that any playout has brought, and its actions from the root."""
        found = [] if self._known_best is None else [self._known_best]
        for worker in self.team.workers:
            control = worker.control
            if control.scored:
                found.append((float(control.best_score), worker.best_line[: int(control.best_length)].tolist()))
        return max(found, key=lambda playout: playout[0], default=None)

    def _scored(self) -> dict[str, Any]:
        if (best := self.best_playout) is None:
            return {}
        return {"best_score": best[0], "best_line": self.labels(best[1]), "best_actions": best[1]}

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
        position, line = self.position.copy(), []
        for action in actions:
            line.append(self.label(position, action))
            self.game.call("apply", position.state, action)
        return line

    # --- moving on ---------------------------------------------------------------------------------------------------

    def advance(self, position: Position) -> float:
        """The game has moved on to ``position``: keep the part of the tree that is still of use.

        Only what the observer saw of the moves in between is used.  Returns the share of the old root's visits that is kept;
        statistics of the enhancements are kept, decayed or forgotten as each of them says.
        """
        played = position.history[len(self.position.history) :]
        follows = position.game is self.game and position.history[: len(self.position.history)] == self.position.history
        single = len(self.team.trees) == 1 and self._groups == 1 and self.algorithm.determinizations == 0
        trackable = self.game.observe is None or self.identity != w.BY_ACTIONS
        roomy = all(table.used_bytes < self.memory // self._groups // 2 for table in self.team.tables)
        tree = self.team.trees[0]
        before = max(tree.iterations, 1)
        best, moves = self.best_playout, [action for _, action, _ in played]
        self._known_best = None
        if best is not None and follows and best[1][: len(moves)] == moves:
            self._known_best = best[0], best[1][len(moves) :]
        self.position = position.copy()
        self.observer = self._check(
            self.observer,
            self.threads,
            self.parallel,
            self.lanes,
            "even" if self.even_chance else "sample",
            self.memory,
            self.final,
        )
        if not (follows and single and trackable and roomy):
            for table in self.team.tables:
                table.clear()
            trees = self._plant(self.team.tables)
            self.kept = 0.0
        else:
            history, record = self._follow(tree, played)
            trees = [Tree(self.root_state(), history, tree.table, record)]
            visits = sum(row[0] for row in read_records(self, trees[0], self.context_key(trees[0])).values())
            self.kept = float(visits) / before
            for number, leaf in enumerate(self.plan.capture_leaves):
                if number and leaf.keep != 1.0 and played:
                    if number in self.plan.all_moves:
                        self.catch_up()
                    self.team.workers[0].use_table(tree.table)
                    decay(self.team.workers[0].handle, number, float(leaf.keep))
                    if number == self.amaf_by_node:
                        renew_own_moves(self.team.workers[0].handle, number)
        self.drawn = self._draw_states()
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

    def _follow(self, tree: Tree, played: list[tuple[int, int, tuple[int, ...]]]) -> tuple[npt.NDArray[np.int64], int]:
        """The histories after these moves as the observer saw them, and the record of the new root if there is one."""
        if self.identity == w.BY_STATE:
            return self.root_history(0, self.root_state()), 0
        history = [int(h) for h in tree.history]
        worker = self.team.workers[0]
        worker.use_table(tree.table)
        record = tree.record
        for _, action, moves in played:
            seen = moves[self.observer]
            if self.identity == w.BY_ACTIONS:
                record = int(existing_record(worker.handle, history[0], action))
            else:
                record = 0
            if seen != UNSEEN:
                history = [int(mix(h, seen)) for h in history]
        return np.array(history, np.int64), record
