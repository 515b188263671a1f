"""Self-play: many games at a time, each with a tree of its own, whose leaves are valued in one call.

A game that is over makes room for the next one at once, so that batches stay full.  Everything between two calls of the evaluator
(descents, moves, new roots) is one call of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.algorithm import Algorithm, algorithm_named, with_strategy
from icarus.engine.forest.drive import run_forest
from icarus.engine.forest.layout import GUMBEL, KEEP_NOTHING, KEEP_TREE, KEEP_VALUES, LOOK, ForestControl, TreeWords
from icarus.engine.forest.memory import Forest
from icarus.errors import SearchError
from icarus.game import Game, play_to_decision
from icarus.jit import size_of
from icarus.jit.randomness import mix, seeded
from icarus.network.algorithm import NetworkAlgorithm
from icarus.network.encoding import encoding_of
from icarus.network.evaluator import Evaluator, ask, check
from icarus.network.halving import schedules
from icarus.network.onnx import is_network, read_network
from icarus.network.states import States

NOISES = {"puct": 0.25, "gumbel": 1.0}  #: what the papers use where games are to be learned from
MOST_GAMES = 65_536
FINISHED, OVER = ForestControl.finished.offset, TreeWords.over.offset
FIRST_ROWS = 64  #: decisions of a game for which there is room at first


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A finished game; the rows of all arrays are its decisions, in order."""

    game: str
    #: the number of the game, from 0 on; it follows from the seed how it begins
    number: int
    #: what who acted knew
    observations: npt.NDArray[np.float32]
    #: the search's improved policy, by number of action: shares of visits (puct), or softmax(logits + sigma(completed Q))
    #: (gumbel)
    policies: npt.NDArray[np.float32]
    players: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    #: what the search expected for each player, by number of player
    means: npt.NDArray[np.float64]
    #: how the game ended for each player
    rewards: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def values(self) -> npt.NDArray[np.float32]:
        """What a network should have said: the rewards of who acts, of the next player, and so on."""
        count = len(self.rewards)
        seats = (self.players[:, None] + np.arange(count)) % count
        found: npt.NDArray[np.float32] = self.rewards[seats].astype(np.float32)
        return found

    def arrays(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Observations, policies and values: what a network learns from."""
        return self.observations, self.policies, self.values


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
        if isinstance(evaluator, str):
            if not is_network(evaluator):
                raise SearchError(f"{evaluator!r} is no network: an evaluator is a function, or a file that ends with .onnx")
            evaluator = read_network(evaluator, self.game)
        if evaluator is None:
            raise SearchError(f"self-play asks a network: icarus.selfplay({self.game.name!r}, evaluate)")
        for name, value, most in (("parallel", parallel, MOST_GAMES), ("iterations", iterations, 1_000_000)):
            if not 1 <= value <= most:
                raise SearchError(f"{name}={value}: a number from 1 to {most}")
        for name, share in (("temperature", temperature), ("noise", noise or 0.0), ("alpha", alpha or 0.0)):
            if not 0 <= share < 1000:
                raise SearchError(f"{name}={share}: a number from 0 on")
        self.evaluate: Evaluator = evaluator
        self.parallel, self.iterations, self.games = parallel, iterations, games
        self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        self._begun = 0
        self._numbers = np.zeros(parallel, np.int64)
        self._states = States(self.game)
        self._encoding = encoding_of(self.game)
        hashed = self.game.stochastic or self.game.hidden_information or self.game.observe is not None
        nodes = 2 * iterations + 2
        self.forest = Forest(
            self.game,
            observation=self._states.observation(self._encoding),
            observation_shape=self._encoding.shape,
            numbers=self._encoding.numbers,
            actions=self._encoding.actions,
            trees=parallel,
            lanes=1,
            nodes=nodes,
            edges=max(nodes * min(self.game.max_actions, 12), 2 * self.game.max_actions),
            log_rows=min(FIRST_ROWS, self.game.max_plies),
            hashed=hashed,
            seeds=np.concatenate([seeded(self.seed, stream=300 + tree) for tree in range(parallel)]),
        )
        self._states.put_into(self.forest)
        found.put_into(self.forest)
        control = self.forest.control
        control.self_play = 1
        control.noise = control.gumbel = NOISES[found.name] if noise is None else noise
        control.alpha = alpha or 0.0
        control.temperature, control.temperature_plies = temperature, temperature_plies
        # sequential halving divides one budget: what an earlier search has spent would only disturb it
        kept = (True if found.name == "puct" else "values") if reuse is None else reuse
        if kept not in (True, False, "values"):
            raise SearchError(
                f"reuse={reuse!r}: True keeps a tree below its move, 'values' what the network said of it, False neither"
            )
        control.reuse = KEEP_VALUES if kept == "values" else KEEP_TREE if kept else KEEP_NOTHING
        if control.algorithm == GUMBEL:
            rows = schedules(min(found.considered, self.game.max_actions), iterations)
            self.forest.put_schedules(rows, iterations)
        for tree in range(parallel):
            self._begin(tree)
        run_forest.compile()

    def _begin(self, tree: int) -> None:
        """A new game in a tree's place, unless there are enough."""
        words = self.forest.tree(tree)
        words._array[: size_of(TreeWords)] = 0
        if self.games is not None and self._begun >= self.games:
            words.over = 1
            self._numbers[tree] = -1
            return
        number, self._begun = self._begun, self._begun + 1
        self._numbers[tree] = number
        position = self.game.start(int(mix(self.seed, number)) & (2**62 - 1))
        if position.environment_acts:
            play_to_decision(position, seeded(self.seed, stream=1_000_000 + number))
        if position.is_terminal:
            raise SearchError(f"{self.game.name} is over before anybody decides anything")
        self._states.put_root(self.forest, tree, position.state)
        self.forest.root_views(tree)[:] = [mix(1, player) for player in range(self.game.players)]
        words.target = self.iterations

    def __iter__(self) -> Iterator[PlayedGame]:
        return self

    def __next__(self) -> PlayedGame:
        """The next game that is finished."""
        forest, control = self.forest, self.forest.control
        while True:
            if control.finished:
                over = forest.arrays["trees"].reshape(self.parallel, -1)[:, OVER] != 0
                tree = int(np.argmax(over & (self._numbers >= 0)))
                control.finished -= 1
                played = self._read(tree)
                self._begin(tree)
                return played
            if self.games is not None and not np.any(self._numbers >= 0):
                raise StopIteration
            while not forest.words[FINISHED]:
                self.round()

    def round(self) -> int:
        """One call of the evaluator, and all that comes before it; returns how many positions it valued."""
        forest = self.forest
        waiting = int(run_forest(forest.handle))
        self._states.look(forest)
        while waiting >= LOOK or self._encoding.problem is not None:
            check(forest, self._encoding, run_forest)
            if forest.control.finished:
                return 0
            forest.grow()
            waiting = int(run_forest(forest.handle))
        if waiting:
            ask(forest, self.evaluate, run_forest)
        return waiting

    @property
    def evaluations(self) -> int:
        """Positions that the evaluator has valued."""
        return int(self.forest.control.evaluations)

    def _read(self, tree: int) -> PlayedGame:
        forest, game = self.forest, self.game
        words, rows = forest.tree(tree), int(forest.control.log_room)
        count = int(words.logged)

        def log(name: str, *shape: int) -> npt.NDArray[Any]:
            return forest.arrays[name].reshape(self.parallel, rows, *shape)[tree, :count].copy()

        moves = log("log_rows", 2)
        return PlayedGame(
            game.name,
            int(self._numbers[tree]),
            log("log_observations", *self._encoding.shape),
            log("log_policies", self._encoding.actions),
            moves[:, 0],
            moves[:, 1],
            log("log_means", game.players),
            forest.arrays["ends"].reshape(self.parallel, -1)[tree].copy(),
        )


def selfplay(game: str | Game, evaluator: Evaluator | str | None = None, **options: Any) -> SelfPlay:
    """Games that a search with an evaluator plays against itself, one after the other as they end.

    ``parallel`` games are under way at a time and are valued together, with ``iterations`` for each decision; ``algorithm`` is
    ``puct`` or ``gumbel``, ``games`` how many there are (None: without end).  ``noise`` at the root: the share of Dirichlet
    noise (puct, with ``alpha``, by default ten divided by the number of legal actions), or the scale of Gumbel noise.  With
    puct the first ``temperature_plies`` moves are drawn by visits to the power of 1 / ``temperature``, later ones are the most
    visited.
    ``reuse`` (where one sequence of actions leads to one state): True keeps the tree below the move (the default of puct);
    "values" keeps what the network said of it: a search finds the same as a new one and asks less (the default of gumbel).
    """
    return SelfPlay(game, evaluator, **options)
