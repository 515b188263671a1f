"""Learning until the time is over: weights, the curve of how they did, and the match against who has not learned."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from icarus.engine.world import Worker, new_worker
from icarus.errors import SearchError
from icarus.game import Game, Position, Stepping, play_to_decision, step_randomly
from icarus.gdl.rule_game import RuleGame
from icarus.jit.randomness import random_below, seeded
from icarus.learning.evaluation import learn_game
from icarus.learning.playouts import play_softmax
from icarus.learning.values import learn_values
from icarus.search import Search
from icarus.strategy.dyna2 import SARSA
from icarus.strategy.weights import EVALUATION, PLAYOUT, Weights

METHODS = {PLAYOUT: ("balancing", "policy-gradient", SARSA), EVALUATION: ("td",)}
PLAYOUTS = 32  #: for a mean, and again for its gradient
BATCH = 16  #: positions or games between two looks at the clock


@dataclass
class Learner:
    """Weights on their way; ``step`` goes on for a moment, ``weights`` may be taken at any time."""

    game: Game
    what: str = PLAYOUT
    method: str = ""
    seed: int = 0
    rate: float = 0.0
    fading: float = 0.7
    epsilon: float = 0.1
    #: simulation balancing: iterations of the search that says what a position is worth, and how many positions there are
    target: int = 2000
    positions: int = 200
    #: (seconds, what is told of them): the squared error of the values, for policy gradient the share won against random playouts
    curve: list[tuple[float, float]] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        game = self.game
        if self.what not in METHODS:
            raise SearchError(f"--what {self.what}: there are {' and '.join(METHODS)}")
        self.method = self.method or METHODS[self.what][0]
        if self.method not in METHODS[self.what]:
            raise SearchError(f"--method {self.method}: a {self.what} is learned by {' or '.join(METHODS[self.what])}")
        if game.players != 2 or game.hidden_information or game.simultaneous_moves:
            raise SearchError(f"learning needs two players and perfect information; {game.name} is not like that")
        if isinstance(game, RuleGame) and game.features is None:
            raise SearchError(f"learning needs a rule sheet with a network and without chance, which {game.name} is not")
        if game.features is None:
            raise SearchError(f"learning needs the function 'features', which the game {game.name!r} does not have")
        if game.stepping is Stepping.CALLBACKS:
            raise SearchError(f"learning needs a compiled game, which {game.name} is not")
        self.rate = self.rate or {"balancing": 2.0, "policy-gradient": 2.0, SARSA: 0.1, "td": 0.05}[self.method]
        self.values: npt.NDArray[np.float64] = np.zeros(game.feature_count)
        self._scratch, self._gradient = np.zeros(game.feature_count), np.zeros(game.feature_count)
        self._worker: Worker = new_worker(game, learns=self.method == SARSA, seeds=seeded(self.seed, stream=31))
        if self.method == SARSA:
            for of in (self._worker.candidates, self._worker.lesson):
                self._worker.put("learned", self.values, of=of)
        self._rng = seeded(self.seed, stream=32)
        self._targets: list[tuple[Position, float]] = []

    @property
    def weights(self) -> Weights:
        told: dict[str, Any] = {"method": self.method, "seed": self.seed, "steps": self.steps, "curve": self.curve}
        return Weights(self.game.name, self.what, self.values.copy(), told)

    def run(self, seconds: float, progress: Callable[[float, str], None], stopped: Callable[[], bool]) -> None:
        """Learn until the time is over or somebody says stop."""
        begun, shown = time.perf_counter(), 0.0
        errors: list[float] = []
        while not stopped():
            elapsed = time.perf_counter() - begun
            if elapsed >= seconds and self.steps:
                break
            errors.append(self.step())
            if elapsed - shown >= seconds / 20 or elapsed >= seconds:
                shown = elapsed
                self.curve.append((round(elapsed, 2), float(np.mean(errors))))
                errors = []
            share = min(elapsed / seconds, 1.0)
            progress(share, f"{self.what} of {self.game.name}, error {self.curve[-1][1]:.4f}" if self.curve else "")
        if errors:
            self.curve.append((round(time.perf_counter() - begun, 2), float(np.mean(errors))))

    def step(self) -> float:
        """Learn a little; returns the mean squared error of the values that were looked at."""
        self.steps += 1
        if self.method == SARSA:
            self._root(self.game.start(self.steps))
            numbers = np.array([self.rate, self.fading, self.epsilon, 0.0])
            return self._mean(learn_values(self._worker.handle, numbers) for _ in range(BATCH))
        if self.method == "td":
            self._root(self.game.start(self.steps))
            return self._mean(
                learn_game(self._worker.handle, self.values, self._scratch, self.rate, self.fading, self.epsilon)
                for _ in range(BATCH)
            )
        return self._mean(self._balance() if self.method == "balancing" else self._climb() for _ in range(BATCH))

    @staticmethod
    def _mean(errors: Any) -> float:
        return float(np.mean([float(error) for error in errors]))

    def _root(self, position: Position) -> None:
        self._worker.put("root", position.state.copy())

    def _position(self) -> Position:
        """Some position of a random game in which a player decides."""
        game = self.game
        while True:
            position = play_to_decision(game.start(int(random_below(self._rng, 1 << 30))), self._rng)
            for _ in range(int(random_below(self._rng, max(game.max_plies // 3, 2)))):
                if position.is_terminal:
                    break
                step_randomly(position, self._rng)
            if not position.is_terminal and not position.environment_acts:
                return position

    def _play(self, player: int, *, signed: bool, baseline: float) -> float:
        self._gradient[:] = 0.0
        return float(
            play_softmax(self._worker.handle, self.values, self._scratch, self._gradient, player, PLAYOUTS, int(signed), baseline)
        )

    def _balance(self) -> float:
        """Simulation balancing: the mean of playouts is drawn towards what a search says of the position."""
        if len(self._targets) < self.positions:
            position = self._position()
            result = Search(position, seed=self.seed).run(iterations=self.target)
            self._targets.append((position, result.best.mean[position.player]))
        number = len(self._targets) - 1 if len(self._targets) < self.positions else int(random_below(self._rng, self.positions))
        position, target = self._targets[number]
        self._root(position)
        mean = self._play(position.player, signed=False, baseline=0.5)
        bias = target - mean
        self._play(position.player, signed=False, baseline=mean)  # of other playouts: else the two would hang together
        self.values += self.rate * bias * self._gradient
        return bias * bias

    def _climb(self) -> float:
        """Policy gradient: moves that led to a win become more likely."""
        position = self._position()
        self._root(position)
        mean = self._play(position.player, signed=True, baseline=0.5)
        self.values += self.rate * self._gradient
        return mean * (1.0 - mean)


@dataclass(frozen=True)
class Match:
    """Games of the learned player against the unlearned one."""

    learned: str
    plain: str
    games: int
    points: float
    low: float
    high: float


def play_match(game: Game, learned: str, plain: str, games: int, iterations: int, stopped: Callable[[], bool]) -> Match:
    """At equal iterations; seats and random openings are shared by pairs of games."""
    from icarus.arena.statistics import clopper_pearson

    points, played = 0.0, 0
    for number in range(games):
        if stopped():
            break
        position, rng = play_to_decision(game.start(number // 2), seeded(number // 2, stream=33)), seeded(number // 2, stream=34)
        for _ in range(2):
            if not position.is_terminal:
                step_randomly(position, rng)
        while not position.is_terminal:
            if position.environment_acts:
                step_randomly(position, rng)
                continue
            strategy = (learned, plain)[position.player ^ (number & 1)]
            position.apply(Search(position, strategy=strategy, seed=number).run(iterations=iterations).best.action)
        points += position.rewards()[number & 1]
        played += 1
    interval = clopper_pearson(points, played) if played else None
    return Match(learned, plain, played, points, interval.low if interval else 0.0, interval.high if interval else 1.0)
