"""A search of one position with an evaluator: lanes of one tree wait together, and are valued in one call."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import nullcontext
from inspect import signature
from typing import Any

import numpy as np

from icarus.algorithm import Algorithm, algorithm_named, with_strategy
from icarus.errors import SearchError
from icarus.game import ENVIRONMENT, UNSEEN, Game, Position
from icarus.jit.randomness import mix, seeded
from icarus.network.algorithm import MOST_LANES, NetworkAlgorithm
from icarus.network.compiled import CompiledEvaluator, runs_in_kernel
from icarus.network.encoding import encoding_of
from icarus.network.evaluator import Evaluator, ask, check, evaluator_of, whole
from icarus.network.forest.drive import run_forest
from icarus.network.forest.layout import DECIDE, EXPANDED, GUMBEL, LOOK, MOVE
from icarus.network.forest.memory import Forest
from icarus.network.halving import schedule
from icarus.network.states import States
from icarus.network.together import choices_before
from icarus.result import Progress, RootAction, SearchResult
from icarus.search.choice import best_by_statistics
from icarus.search.searching import DEFAULT_MEMORY, Search
from icarus.terminal import stopping

FINAL_MOVES = ("robust", "max", "secure", "mixed")
LINE = 12  #: plies of the principal variation
NEVER = 2**62


class NetworkSearch:
    """A search from a position for the player about to act, with an evaluator (icarus.network.evaluator).

    >>> import numpy as np, icarus
    >>> def evaluate(observations, legal):
    ...     return np.zeros(legal.shape), np.full((len(legal), 2), 0.5)
    >>> icarus.NetworkSearch("mnk(3,3,3)", evaluator=evaluate, seed=1).run(iterations=200).iterations
    200

    ``evaluator``: a function, or the name of an ``.onnx`` file.  ``algorithm``: ``puct`` or ``gumbel``, with parameters.
    ``batch``: lanes under way in the tree, which count as lost for each other; 1 is the published, sequential search.
    ``observer``, ``seed``, ``memory`` and ``final`` are those of :class:`icarus.Search`.
    """

    def __init__(
        self,
        game: str | Game | Position,
        position: Position | None = None,
        *,
        evaluator: Evaluator | str | None = None,
        algorithm: str | Algorithm = "puct",
        batch: int | None = None,
        observer: int | None = None,
        seed: int | None = None,
        memory: int = DEFAULT_MEMORY,
        final: str | None = None,
    ) -> None:
        from icarus.loading import load

        if isinstance(game, Position):
            position, game = game, game.game
        self.game = load(game) if isinstance(game, str) else game
        self.position = self.game.start(seed or 0) if position is None else position.copy()
        network = ""
        if isinstance(algorithm, str):
            algorithm, network = with_strategy(algorithm)
            network = "" if network == "-" else network
        found = algorithm_named(algorithm, self.game)
        if not isinstance(found, NetworkAlgorithm):
            raise SearchError(f"{found.name} asks no network; puct and gumbel do")
        self.algorithm = found
        if network and evaluator is not None:
            raise SearchError(f"{algorithm}[{network}] names a network, and there is an evaluator, too; name one")
        evaluator = network or evaluator
        if evaluator is None:
            raise SearchError(f"{found.name} asks a network: evaluator=evaluate, or {found.name}[net.onnx]")
        self.batch = found.batch if batch is None else whole("batch", batch, MOST_LANES)
        self._final = final
        if final is not None and final not in FINAL_MOVES:
            raise SearchError(f"final={final!r}: with a network choose one of {', '.join(FINAL_MOVES)}")
        self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        self.memory = memory
        self.observer = self._check(observer)
        self.encoding = encoding_of(self.game)
        self.network = evaluator if isinstance(evaluator, str) else getattr(evaluator, "__name__", type(evaluator).__name__)
        self.evaluate = evaluator_of(evaluator, self.game)
        if isinstance(evaluator, CompiledEvaluator):
            evaluator.rehearse(self.game, self.encoding)
        self.kept = 0.0
        self._seconds = 0.0
        self._states = States(self.game)
        self.forest = self._new_forest()
        run_forest.compile()

    def _check(self, observer: int | None) -> int:
        game, position = self.game, self.position
        self.algorithm.check(game)
        if position.is_terminal:
            raise SearchError(f"the game {game.name} is over in this position: there is nothing to search")
        actor = position.player
        if actor == ENVIRONMENT:
            raise SearchError(f"the environment acts in this position of {game.name}; play its outcome first")
        if observer is not None and not 0 <= observer < game.players:
            raise SearchError(f"there is no player {observer} in {game.name}; players are 0 to {game.players - 1}")
        if observer is not None and observer != actor and game.hidden_information:
            raise SearchError(
                f"{self.algorithm.name} decides for who acts: player {actor} of {game.name}, and not player {observer}"
            )
        return actor if observer is None else observer

    def _new_forest(self) -> Forest:
        game = self.game
        nodes = 64
        forest = Forest(
            game,
            observation=self._states.observation(self.encoding),
            observation_shape=self.encoding.shape,
            numbers=self.encoding.numbers,
            actions=self.encoding.actions,
            trees=1,
            lanes=self.batch,
            nodes=nodes,
            log_rows=0,
            hashed=game.stochastic or game.hidden_information or game.observe is not None,
            seeds=seeded(self.seed, stream=200),
        )
        self._states.put_into(forest)
        self.algorithm.put_into(forest)
        if isinstance(self.evaluate, CompiledEvaluator) and runs_in_kernel(self.game):
            self.evaluate.put_into(forest)
        forest.root_views(0)[:] = [mix(1, player) for player in range(game.players)]
        self._put_root(forest, self.position)
        return forest

    def _put_root(self, forest: Forest, position: Position) -> None:
        state = position.state.copy()
        if self.game.enter_search is not None:
            self.game.call("enter_search", state)
        self._states.put_root(forest, 0, state)
        joint, choices = choices_before(position)
        if choices:
            if self.game.enter_search is not None:
                self.game.call("enter_search", joint)
            self._states.put_joint(forest, 0, joint)
            forest.arrays["choices"][: 2 * len(choices)] = np.array(choices).reshape(-1)
            forest.arrays["joint_views"][:] = forest.root_views(0)
            forest.tree(0).choices = len(choices)

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
        """Search until the first of the budgets is used up, as :meth:`icarus.Search.run` does; called again, the search
        continues.

        An evaluator that fails raises :class:`icarus.network.evaluator.EvaluatorError`; what was searched before is kept.
        """
        given = {"iterations": iterations, "seconds": seconds, "records": records, "bytes": bytes}
        if runs is not None or all(value is None for value in given.values()):
            raise SearchError("a search needs a budget: iterations, seconds, records or bytes")
        for name, value in given.items():
            if value is not None and not value > 0:
                raise SearchError(f"a budget of {name}={value} is not above zero")
        if until_decided is not None and not 0 < until_decided <= 1:
            raise SearchError(f"until_decided={until_decided}: a share of the iterations left, above 0 and at most 1")
        tree, control = self.forest.tree(0), self.forest.control
        begun, before = time.perf_counter(), int(tree.done)
        target = NEVER if iterations is None else before + iterations
        self._plan_halving(target, iterations)
        control.stop = 0
        limit = self.memory if bytes is None else min(bytes, self.memory)
        watched = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        stopped_by, told = "iterations", 0.0
        try:
            with stopping(self.stop) if watched else nullcontext(lambda: False) as interrupted:
                while tree.done < target or self.forest.node(0, int(tree.root)).status != EXPANDED:
                    tree.target = target
                    if not self._round(limit):
                        stopped_by = "memory"
                        break
                    elapsed, done = time.perf_counter() - begun, int(tree.done) - before
                    if progress is not None and elapsed - told > 0.05:
                        told = elapsed
                        progress(Progress(done, elapsed, iterations, seconds))
                    stopped_by = self._reason(done, elapsed, seconds, records) or stopped_by
                    if stopped_by != "iterations":
                        break
                    if until_decided is not None and self._is_decided(
                        target - int(tree.done), done, elapsed, seconds, until_decided
                    ):
                        stopped_by = "decided"
                        break
            if interrupted():
                stopped_by = "interrupt"
        except KeyboardInterrupt:
            stopped_by = "interrupt"
        finally:
            self._drain()
        elapsed = time.perf_counter() - begun
        self._seconds += elapsed
        return self.result(stopped_by=stopped_by, seconds=elapsed, iterations=int(tree.done) - before)

    def _round(self, limit: int) -> bool:
        """Send the lanes down, and have those that wait valued; returns False if there is no more memory."""
        forest = self.forest
        while True:
            waiting = int(run_forest(forest.handle))
            self._states.look(forest)
            if waiting >= LOOK or self.encoding.problem is not None:
                waiting %= LOOK
                check(forest, self.encoding, run_forest)
            if not forest.control.grow:
                break
            nodes, edges = int(forest.control.node_room), int(forest.control.edge_room)
            if forest.bytes_with(2 * nodes, 2 * edges) > limit:
                forest.control.grow = 0
                return False
            forest.grow()
        if waiting:
            ask(forest, self.evaluate, run_forest)
        return True

    def _drain(self) -> None:
        """Take the answers that have come, and send no lane down."""
        self.forest.control.stop = 1
        try:
            run_forest(self.forest.handle)
            check(self.forest, self.encoding, run_forest)
        finally:
            self.forest.control.stop = 0

    def _plan_halving(self, target: int, iterations: int | None) -> None:
        """Divide the descents among the root's actions, where sequential halving does."""
        if self.forest.control.algorithm != GUMBEL:
            return
        if iterations is None:
            raise SearchError("gumbel divides a number of iterations among its moves: give iterations, or use puct")
        considered = min(len(self.position.legal()), self.algorithm.considered)
        self.forest.put_schedules(schedule(considered, target), 0)

    def _reason(self, done: int, elapsed: float, seconds: float | None, records: int | None) -> str:
        """Why the search must end now; empty if it need not."""
        if self.forest.control.stop:
            return "stop"
        if done and seconds is not None and elapsed >= seconds:
            return "seconds"
        if done and records is not None and int(self.forest.tree(0).records) >= records:
            return "records"
        return ""

    def _is_decided(self, left: float, done: int, elapsed: float, seconds: float | None, share: float) -> bool:
        if seconds is not None:
            left = min(left, max(seconds - elapsed, 0.0) * done / max(elapsed, 1e-9))
        visits = sorted(row.visits for row in self.root_rows())
        return left > 0 and done > 0 and (len(visits) == 1 or visits[-1] - visits[-2] > share * left)

    def stop(self) -> None:
        """End a running search from another thread, soon."""
        self.forest.control.stop = 1

    @property
    def final(self) -> str:
        """How the move is chosen in the end: where players choose at the same time puct mixes, as its visits do."""
        if self._final is not None:
            return self._final
        together = self.game.simultaneous is not None and self.game.call("simultaneous", self.position.state)
        return "mixed" if together and self.algorithm.name == "puct" else "robust"

    @property
    def iterations(self) -> int:
        """Iterations since the search was made or last advanced."""
        return int(self.forest.tree(0).done)

    @property
    def evaluations(self) -> int:
        """Positions that the evaluator has valued."""
        return int(self.forest.control.evaluations)

    # --- results -----------------------------------------------------------------------------------------------------

    @property
    def actor(self) -> int:
        """Who acts at the root."""
        return self.position.player

    def root_rows(self) -> list[RootAction]:
        """The root's actions with their statistics."""
        forest = self.forest
        rows = []
        for edge, totals in forest.edges(0, int(forest.tree(0).root)):
            visits, action = edge.visits, edge.action
            mean = [float(total) / visits if visits else 0.0 for total in totals]
            rows.append(RootAction(action, Search.label(self.position, action), visits, visits, mean))
        for number, row in enumerate(rows):
            rows[number] = RootAction(row.action, row.label, row.visits, sum(r.visits for r in rows), row.mean)
        return rows

    def priors(self) -> dict[int, float]:
        """What the evaluator makes of the root's actions."""
        return {edge.action: edge.prior for edge, _ in self.forest.edges(0, int(self.forest.tree(0).root))}

    def result(self, *, stopped_by: str = "", seconds: float | None = None, iterations: int | None = None) -> SearchResult:
        """What is known so far."""
        rows = self.root_rows()
        if not rows:
            raise SearchError("nothing has been searched yet")
        control, tree = self.forest.control, self.forest.tree(0)
        spent = self._seconds if seconds is None else seconds
        count = self.iterations if iterations is None else iterations
        best = self._best(rows)
        return SearchResult(
            game=self.game.name,
            algorithm=str(self.algorithm),
            strategy=self.network,
            seed=self.seed,
            player=self.actor,
            players=self.game.player_labels,
            iterations=count,
            total_iterations=self.iterations,
            seconds=spent,
            iterations_per_second=count / max(spent, 1e-9),
            records=int(tree.records),
            bytes=self.forest.bytes_with(int(control.node_room), int(control.edge_room)),
            tree_depth=int(control.deepest),
            mean_depth=int(control.depths) / max(int(control.iterations), 1),
            phases={},
            kept=self.kept,
            stopped_by=stopped_by,
            threads=1,
            final=self.final,
            root=sorted(rows, key=lambda row: -row.visits),
            best=best,
            principal_variation=self._line(best.action),
        )

    def _best(self, rows: list[RootAction]) -> RootAction:
        if not any(row.visits for row in rows):  # nothing but the evaluator's word
            priors = self.priors()
            return max(rows, key=lambda row: priors[row.action])
        if self.algorithm.name == "gumbel" and self.final == "robust":
            self.forest.control.todo = DECIDE
            return rows[int(run_forest(self.forest.handle))]
        # a search of another kind, with all that the final rules read of one
        return best_by_statistics(self, rows)  # type: ignore[arg-type]

    def _line(self, first: int) -> list[str]:
        """The most visited line, as far as one sequence of actions leads to one state."""
        position, forest, line = self.position.copy(), self.forest, [Search.label(self.position, first)]
        if forest.hashed:
            return line
        node, action = int(forest.tree(0).root), first
        while len(line) < LINE:
            child = next((edge.child for edge, _ in forest.edges(0, node) if edge.action == action), 0)
            if child == 0 or forest.node(0, child - 1).visits == 0:
                break
            node = child - 1
            self.game.call("apply", position.state, action)
            action = int(max(forest.edges(0, node), key=lambda pair: pair[0].visits)[0].action)
            line.append(Search.label(position, action))
        return line

    # --- moving on ---------------------------------------------------------------------------------------------------

    def advance(self, position: Position) -> float:
        """The game has moved on to ``position``: keep what is still of use of the tree; returns its share of the visits."""
        played = position.history[len(self.position.history) :]
        follows = position.game is self.game and position.history[: len(self.position.history)] == self.position.history
        before, forest = max(self.iterations, 1), self.forest
        old, self.position = self.position, position.copy()
        self.observer = self._check(self.observer if self.game.hidden_information else None)
        roomy = forest.bytes_with(int(forest.tree(0).nodes), int(forest.tree(0).edges)) < self.memory // 2
        if not (follows and roomy) or self.game.simultaneous is not None:
            self.forest, self.kept = self._new_forest(), 0.0
        elif forest.hashed:
            views = forest.root_views(0)
            for _, _, moves in played:
                seen = moves[self.observer]
                if seen != UNSEEN:
                    views[:] = [mix(int(view), seen) for view in views]
            self._put_root(forest, position)
            self._move_root(-1)
        else:
            for _, action, _ in played:
                self.game.call("apply", old.state, action)
                self._put_root(forest, old)
                self._move_root(action)
        root = self.forest.tree(0).root
        self.kept = int(self.forest.node(0, int(root)).visits) / before if follows else 0.0
        self._seconds = 0.0
        return self.kept

    def _move_root(self, action: int) -> None:
        self.forest.tree(0).move = action
        self.forest.control.todo = MOVE
        run_forest(self.forest.handle)


AnySearch = Search | NetworkSearch


def network_search(options: dict[str, Any]) -> bool:
    """Do these options of a search ask for a network?"""
    if options.get("evaluator") is not None:
        return True
    algorithm = options.get("algorithm")
    name = (
        algorithm.name if isinstance(algorithm, Algorithm) else str(algorithm or "").partition("(")[0].partition("[")[0].strip()
    )
    return name in ("puct", "gumbel")


def check_options(options: dict[str, Any]) -> None:
    """Refuse what a search with a network does not have."""
    strange = sorted(set(options) - set(signature(NetworkSearch).parameters))
    if strange:
        raise SearchError(f"{', '.join(strange)}: no option of a search with a network; it has batch=, final=, memory=, seed=")
