"""A plot: games of self-play that are under way side by side in one forest, and what is written down of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from icarus.errors import SearchError
from icarus.game import Game, Position, Stepping, play_to_decision
from icarus.jit import size_of
from icarus.jit.randomness import mix
from icarus.network.algorithm import NetworkAlgorithm
from icarus.network.compiled import CompiledEvaluator
from icarus.network.encoding import encoding_of
from icarus.network.evaluator import Evaluator, ask, check
from icarus.network.forest.drive import run_forest
from icarus.network.forest.layout import GUMBEL, LOOK, TreeWords
from icarus.network.forest.memory import Forest
from icarus.network.halving import schedules
from icarus.network.states import States

OVER, TARGET, LOGGED = TreeWords.over.offset, TreeWords.target.offset, TreeWords.logged.offset
BURST = 1 << 15  #: iterations after which the kernel comes back: threads need Python's lock then
FIRST_ROWS = 64  #: decisions of a game for which there is room at first
FIRST_NODES = 512  #: of a tree, for which a compiled evaluator has room at least: to make room takes longer than a descent
DEALS, SEARCHES = 1, 2  #: streams of random numbers of a game
MASK = 2**64 - 1


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


class Plot:
    """Games in the trees of one forest."""

    def __init__(
        self,
        game: Game,
        algorithm: NetworkAlgorithm,
        *,
        trees: int,
        iterations: int,
        seed: int,
        evaluator: CompiledEvaluator | None,
    ) -> None:
        self.game, self.iterations, self.seed = game, iterations, seed
        game.start(0)  # a game of somebody's own is looked at before its machine code runs
        #: of the game in each tree, -1: none
        self.numbers = np.full(trees, -1, np.int64)
        self._states = States(game)
        self._encoding = encoding_of(game)
        # what is not below the root any more stays for a few moves
        nodes = max(4 * iterations + 2, 0 if evaluator is None else FIRST_NODES)
        self.forest = Forest(
            game,
            observation=self._states.observation(self._encoding),
            observation_shape=self._encoding.shape,
            numbers=self._encoding.numbers,
            actions=self._encoding.actions,
            trees=trees,
            lanes=1,
            nodes=nodes,
            log_rows=min(FIRST_ROWS, game.max_plies),
            hashed=game.stochastic or game.hidden_information or game.observe is not None,
            seeds=np.ones(trees, np.uint64),
        )
        self._states.put_into(self.forest)
        algorithm.put_into(self.forest)
        control = self.forest.control
        if evaluator is not None:
            evaluator.put_into(self.forest)
            control.burst = BURST
        control.self_play = 1
        if control.algorithm == GUMBEL:
            rows = schedules(min(algorithm.considered, game.max_actions), iterations)
            self.forest.put_schedules(rows, iterations)
        #: where every game begins, once one of them has begun without chance
        self._beginning: npt.NDArray[np.int64] | None = None
        self._views = [mix(1, player) for player in range(game.players)]
        self._trees = self.forest.arrays["trees"].reshape(trees, size_of(TreeWords))

    def begin(self, tree: int, number: int) -> None:
        """The game of this number in a tree's place; -1: none."""
        forest = self.forest
        self._trees[tree] = 0
        self.numbers[tree] = number
        if number < 0:
            self._trees[tree, OVER] = 1
            return
        key = mix(self.seed, number)
        state = self._beginning
        if state is None:
            state = self._begun(np.array([stream_of(key, DEALS)], np.uint64))
        forest.arrays["rng"][tree] = stream_of(key, SEARCHES)
        self._states.put_root(forest, tree, state)
        forest.root_views(tree)[:] = self._views
        self._trees[tree, TARGET] = self.iterations

    def _begin_all(self, numbers: list[int]) -> None:
        """The same for all trees in one go, which is much of what a small evaluator leaves to Python."""
        if self._beginning is None or self._states.walk is not None:
            for tree, number in enumerate(numbers):
                self.begin(tree, number)
            return
        forest, trees = self.forest, self.forest.trees
        self.numbers[:] = numbers
        self._trees[:] = 0
        self._trees[:, OVER] = self.numbers < 0
        self._trees[:, TARGET] = self.iterations
        forest.arrays["rng"][:] = [stream_of(mix(self.seed, number), SEARCHES) for number in numbers]
        forest.arrays["roots"].reshape(trees, -1)[:] = self._beginning
        forest.arrays["root_views"].reshape(trees, -1)[:] = self._views

    def _begun(self, rng: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """The state in which somebody decides first."""
        game, seed = self.game, int(rng[0])
        if game.stepping is Stepping.CALLBACKS:
            state = game.start(seed >> 2).state
        else:  # as Game.start does, without the time that it takes to make a generator of a seed
            state = np.zeros(game.state_size, np.int64)
            state[: len(game.parameters)] = game.parameters
            game.call("initial", state, rng)
        if game.stochastic:
            state = play_to_decision(Position(game, state), rng).state
        if game.call("terminal", state):
            raise SearchError(f"{game.name} is over before anybody decides anything")
        if game.stepping is not Stepping.CALLBACKS and int(rng[0]) == seed:  # nothing was drawn
            self._beginning = state
        return state

    @property
    def is_playing(self) -> bool:
        return bool((self.numbers >= 0).any())

    def finished(self) -> int:
        """A tree whose game is over, -1: none is."""
        if not self.forest.control.finished:
            return -1
        self.forest.control.finished -= 1
        return int(np.argmax((self._trees[:, OVER] != 0) & (self.numbers >= 0)))

    def round(self, evaluate: Evaluator) -> int:
        """One call of the evaluator, and all that comes before it; returns how many positions it valued."""
        forest = self.forest
        waiting = self._run()
        while waiting >= LOOK or self._encoding.problem is not None:
            check(forest, self._encoding, run_forest)
            if forest.control.finished:
                return 0
            forest.grow()
            waiting = self._run()
        if waiting:
            ask(forest, evaluate, run_forest)
        return waiting

    def _run(self) -> int:
        waiting = int(run_forest(self.forest.handle))
        self._states.look(self.forest)
        return waiting

    def play_out(self, numbers: list[int]) -> list[PlayedGame]:
        """Play the games of these numbers to their ends with the compiled evaluator, mostly without Python's lock."""
        forest, control = self.forest, self.forest.control
        self._begin_all(numbers)
        while not self._trees[:, OVER].all():
            if int(run_forest(forest.handle)) >= LOOK:
                check(forest, self._encoding, run_forest)
                control.finished = 0
                if control.grow:
                    forest.grow()
        return self._told([tree for tree, number in enumerate(numbers) if number >= 0])

    def read(self, tree: int) -> PlayedGame:
        """The game in a tree, which is over."""
        return self._told([tree])[0]

    def _told(self, trees: list[int]) -> list[PlayedGame]:
        """What was written down in these trees: observations, policies, who did what, what the search expected."""
        forest, room = self.forest, int(self.forest.control.log_room)
        counts = self._trees[trees, LOGGED]
        lasts = counts.cumsum()
        # the decisions of all games side by side, in arrays of their own
        rows = np.arange(int(lasts[-1])) + np.repeat(np.array(trees) * room - lasts + counts, counts)
        shapes = (self._encoding.shape, (self._encoding.actions,), (2,), (self.game.players,))
        names = ("log_observations", "log_policies", "log_rows", "log_means")
        observations, policies, moves, means = (
            forest.arrays[name].reshape(-1, *shape)[rows] for name, shape in zip(names, shapes, strict=True)
        )
        ends = forest.arrays["ends"].reshape(forest.trees, -1)[trees]
        players, actions, numbers, first = moves[:, 0], moves[:, 1], self.numbers[trees].tolist(), 0
        games, name = [], self.game.name
        for number, last, rewards in zip(numbers, lasts.tolist(), ends, strict=True):
            of = slice(first, last)
            first = last
            games.append(PlayedGame(name, number, observations[of], policies[of], players[of], actions[of], means[of], rewards))
        return games


def stream_of(key: int, stream: int) -> int:
    """Where random numbers of a game begin: its own, whatever is played beside it."""
    return (int(mix(key, stream)) & MASK) or 1
