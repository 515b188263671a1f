"""Algorithms for one player: searches for the best sequence of actions, whose answer is the best playout that they have seen.

============================  ===========================================================================================
``nmcs(level)``               nested Monte Carlo search (engine/drive/nested.py); ``nmcs(2)[MAST()]`` plays out by a strategy
``reflexive(level)``          its ancestor: without memory
``nrpa(level)``               nested rollout policy adaptation (engine/drive/adaptation.py), ``beam=4`` with several sequences at
                              each level (engine/drive/beam_adaptation.py)
``sp(restarts)``              single-player MCTS: UCT with a term for the variance, and trees that are begun anew
``mcpg``                      UCT by the best result below an action, in place of the average (Monte Carlo paraphrase generation)
``bast``, ``leaf-ucb``        trees of bounds: smooth ones, and one bandit over all leaves (engine/drive/best_first.py)
``mhsp``                      the same without playouts: a leaf is worth the score of its state (mean-based heuristic search)
``mrw(number, length)``       Monte Carlo random walks, for planning (engine/drive/random_walks.py)
============================  ===========================================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from icarus.algorithm import Algorithm, Parameter
from icarus.engine.drive.adaptation import (
    ADAPTATION_WORDS,
    ENTRY_WORDS,
    POLICY_WORDS,
    RESUMED,
    SEQUENCE_WORDS,
    AdaptationWords,
    Entry,
    Policy,
    Sequence,
    run_adaptation,
)
from icarus.engine.drive.beam_adaptation import BEAM_WORDS, run_beam_adaptation
from icarus.engine.drive.best_first import BEST_FIRST_WORDS, HEURISTIC, LEAVES, NODE_WORDS, SMOOTH, BestFirstWords, run_best_first
from icarus.engine.drive.nested import FRAME_WORDS, NESTED_WORDS, NestedWords, run_nested, run_nested_enhanced
from icarus.engine.drive.random_walks import LANES, WALK_WORDS, WalkWords, run_random_walks
from icarus.errors import SearchError
from icarus.game import Game, Position, Stepping
from icarus.jit.randomness import mix

if TYPE_CHECKING:
    from icarus.engine.world import Worker
    from icarus.jit import Kernel
    from icarus.strategy.plan import Plan

MOST_LEVELS = 10
MOST_CODES, MOST_ENTRIES = 1 << 20, 1 << 18
MOST_BEAM = 64
MOST_BYTES = 1 << 33  #: of the sequences and policies of a beam; what is not used of it takes no memory
MOST_NODES = 1 << 22  #: of a tree of bounds

GUIDED = Parameter("guided", meaning="guided")
LEVEL = Parameter("level", 0, MOST_LEVELS, meaning="the level", always=True)


@dataclass(frozen=True)
class OnePlayer(Algorithm):
    """An algorithm for games of one player in which nothing is left to chance."""

    resamples: bool = False
    plays_best: bool = True
    walks: bool = True
    guided: bool = False

    @property
    def chosen_by_heuristic(self) -> str:
        """The parameter that asks for the game's heuristic; none: nothing does."""
        return "guided" if self.guided else ""

    def check(self, game: Game) -> None:
        if game.players != 1:
            raise SearchError(
                f"{self.name} is for games of one player, and {game.name} has {game.players}; use uct, so, pom or mo"
            )
        for what, there in (
            ("hides something", game.hidden_information or game.observe is not None),
            ("leaves something to chance", game.stochastic),
        ):
            if there:
                raise SearchError(f"{self.name} looks for one sequence of actions, and {game.name} {what}; use uct or mo")
        if self.chosen_by_heuristic and game.heuristic is None:
            asked = f"{self.name}({self.chosen_by_heuristic})"
            raise SearchError(f"{asked} needs the function 'heuristic', which the game {game.name!r} does not have")
        super().check(game)


@dataclass(frozen=True)
class Nested(OnePlayer):
    """Nested Monte Carlo search; ``samples``: searches of the level below for each action."""

    parameters: tuple[Parameter, ...] = (
        LEVEL,
        Parameter("memory"),
        GUIDED,
        Parameter("selective"),
        Parameter("samples", 1, 10_000, meaning="the number of samples"),
    )
    level: int = 2
    memory: bool = True
    selective: bool = False
    samples: int = 1
    driver: Kernel | None = run_nested

    @property
    def own_lanes(self) -> int:
        return self.level + 1

    @property
    def chosen_by_heuristic(self) -> str:
        return "selective" if self.selective else super().chosen_by_heuristic

    def driver_for(self, plan: Plan) -> Kernel | None:
        return run_nested if plan.words["uniform"] else run_nested_enhanced

    def prepare(self, game: Game, worker: Worker) -> None:
        lines = NESTED_WORDS + (self.level + 1) * FRAME_WORDS
        own = np.zeros(lines + (self.level + 1) * int(worker.control.plies), np.int64)
        words = NestedWords(own)
        words.level, words.memory, words.samples = self.level, self.memory, self.samples
        words.guided, words.selective = self.guided or self.selective, self.selective
        words.lines = lines
        worker.put("own", own)


@dataclass(frozen=True)
class PolicyAdaptation(OnePlayer):
    """Nested rollout policy adaptation: ``n`` calls of the level below, a step of ``alpha``; ``beam`` sequences at each level."""

    parameters: tuple[Parameter, ...] = (
        Parameter("level", 1, MOST_LEVELS, meaning="the level", always=True),
        Parameter("n", 1, 1_000_000, meaning="the number of calls of the level below"),
        Parameter("alpha", 0, 100, whole=False, meaning="the step of the adaptation"),
        GUIDED,
        Parameter("repetitions", 0, 1_000_000, meaning="the limit of repetitions"),
        Parameter("beam", 1, MOST_BEAM, meaning="the number of sequences that a level keeps"),
    )
    level: int = 3
    n: int = 100
    alpha: float = 1.0
    repetitions: int = 0
    beam: int = 1
    driver: Kernel | None = run_adaptation

    def driver_for(self, plan: Plan) -> Kernel | None:
        return self.driver if self.beam == 1 else run_beam_adaptation

    def prepare(self, game: Game, worker: Worker) -> None:
        plies, slots = int(worker.control.plies), 1 + self.level * (1 if self.beam == 1 else 2 * self.beam)
        codes = min(game.max_plies * game.max_actions, MOST_CODES)
        most_entries = MOST_ENTRIES >> (self.beam - 1).bit_length()
        policy = POLICY_WORDS + most_entries * ENTRY_WORDS + 4 * most_entries
        sequence = SEQUENCE_WORDS + 3 * plies + codes + 1
        policies = ADAPTATION_WORDS + (self.level + 1) * BEAM_WORDS
        sequences = policies + slots * policy
        if self.beam > 1 and 8 * (sequences + slots * sequence) > MOST_BYTES:
            raise SearchError(f"{self}: that many sequences do not fit into {MOST_BYTES >> 30} GB; take a smaller beam")
        numbers = sequences + slots * sequence
        own = np.zeros(numbers + codes + 1, np.int64)
        words = AdaptationWords(own)
        words.numbers = numbers
        words.beam, words.beams = self.beam, ADAPTATION_WORDS
        words.level, words.calls, words.alpha = self.level, self.n, self.alpha
        words.guided, words.repetitions = self.guided, self.repetitions
        words.most_entries, words.policies, words.policy_words = most_entries, policies, policy
        words.sequences, words.sequence_words, words.most_codes = sequences, sequence, codes
        worker.put("own", own)

    def under_way(self, game: Game, worker: Worker) -> dict[str, Any] | None:
        """The uppermost level: its policy, the actions of its best sequence, and how many calls it has made."""
        words = AdaptationWords(worker.own)
        if not words.started or self.beam > 1 or game.stepping is not Stepping.ONE_STATE:
            return None  # a class numbers its actions as it meets them
        start, line = self._top(words)
        sequence, used = Sequence(worker.own, line), int(Policy(worker.own, start).used)
        entries = worker.own[start + POLICY_WORDS : start + POLICY_WORDS + used * ENTRY_WORDS].reshape(used, ENTRY_WORDS)
        actions = worker.own[line + SEQUENCE_WORDS : line + SEQUENCE_WORDS + int(sequence.length)] if sequence.known else ()
        return {
            "calls": int(sequence.calls),
            "actions": [int(action) for action in actions],
            "weights": [[int(entry[0]), float(entry[1:2].view(np.float64)[0])] for entry in entries],
        }

    def go_on(self, start: Position, worker: Worker, held: dict[str, Any]) -> None:
        words = AdaptationWords(worker.own)
        first, line = self._top(words)
        weights = [(int(code), float(weight)) for code, weight in held["weights"]]
        calls, actions = int(held["calls"]), [int(action) for action in held["actions"]]
        if (
            self.beam > 1
            or not 0 <= calls < self.n
            or not actions
            or len(weights) > MOST_ENTRIES
            or len({code for code, _ in weights}) < len(weights)
        ):
            raise ValueError("it was another search")
        for number, (code, weight) in enumerate(weights):
            if not math.isfinite(weight) or not -(2**63) <= code < 2**63:
                raise ValueError("a weight is no number")
            entry = Entry(worker.own, first + POLICY_WORDS + number * ENTRY_WORDS)
            entry.code, entry.weight, entry.power = code, weight, math.exp(min(max(weight, -300.0), 300.0))
        Policy(worker.own, first).used = len(weights)
        self._put_sequence(start, worker, line, actions)
        sequence = Sequence(worker.own, line)
        sequence.known, sequence.calls, sequence.again = 1, calls, 0
        words.started = RESUMED

    def _top(self, words: AdaptationWords) -> tuple[int, int]:
        """Where the policy and the sequence of the uppermost level are."""
        level = int(words.level)
        return int(words.policies + level * words.policy_words), int(words.sequences + level * words.sequence_words)

    def _put_sequence(self, start: Position, worker: Worker, line: int, actions: list[int]) -> None:
        """Play actions, each of which must be legal, to the end, and note what a playout notes of them."""
        position, game, plies = start.copy(), start.game, int(worker.control.plies)
        held, noted, known = worker.own[line + SEQUENCE_WORDS :], 0, 0
        room = int(AdaptationWords(worker.own).most_codes)
        for ply, action in enumerate(actions):
            legal = [] if position.is_terminal else position.legal()
            if self.guided and legal:
                legal = [a for a in legal if float(game.call("heuristic", position.state, a)) > 0] or legal
            if action not in legal or noted + len(legal) > room:
                raise ValueError("a move is not legal")
            codes = legal if game.code is None else [int(game.call("code", position.state, other)) for other in legal]
            held[ply], held[plies + ply], held[2 * plies + ply] = action, noted, noted + legal.index(action)
            held[3 * plies + noted : 3 * plies + noted + len(codes)] = codes
            noted, known = noted + len(codes), int(mix(known, action))
            position.apply(action)
        if not position.is_terminal:
            raise ValueError("the moves do not end the game")
        held[plies + len(actions)] = noted
        sequence = Sequence(worker.own, line)
        sequence.length, sequence.codes, sequence.hash = len(actions), noted, known
        sequence.score = position.score() if game.score is not None else position.rewards()[0]


@dataclass(frozen=True)
class SinglePlayer(Algorithm):
    """Single-player MCTS (Schadd et al., 2008): a third term for the variance, and so many trees one after the other."""

    parameters: tuple[Parameter, ...] = (
        Parameter("restarts", 1, 100_000, meaning="the number of restarts"),
        Parameter("c", 0, 100, whole=False, meaning="the constant of exploration"),
        Parameter("d", 0, 10_000, whole=False, meaning="the constant of the third term"),
    )
    resamples: bool = False
    plays_best: bool = True
    restarts: int = 1
    c: float = 0.5
    d: float = 0.01

    def __post_init__(self) -> None:
        object.__setattr__(self, "trees", self.restarts)

    @property
    def usual_strategy(self) -> Any:
        from icarus.strategy.baseline import Baseline
        from icarus.strategy.policy.third_term import ThirdTerm

        return Baseline(policy=ThirdTerm(c=self.c, d=self.d))

    def check(self, game: Game) -> None:
        if game.players != 1:
            raise SearchError(
                f"{self.name} is for games of one player, and {game.name} has {game.players}; use uct, so, pom or mo"
            )
        if game.hidden_information:
            raise SearchError(f"{self.name} needs perfect information and {game.name} hides some; use mo, so or pom")
        super().check(game)


@dataclass(frozen=True)
class ByMaximum(SinglePlayer):
    """Monte Carlo paraphrase generation (Chevelu et al., 2009): an action is worth the best that was found below it."""

    parameters: tuple[Parameter, ...] = (
        Parameter("restarts", 1, 100_000, meaning="the number of restarts"),
        Parameter("c", 0, 100, whole=False, meaning="the constant of exploration"),
    )
    c: float = 0.7

    @property
    def usual_strategy(self) -> Any:
        from icarus.strategy.baseline import Baseline
        from icarus.strategy.policy.max_ucb import MaxUCB

        return Baseline(policy=MaxUCB(c=self.c, share=1.0))


@dataclass(frozen=True)
class BestFirst(OnePlayer):
    """A tree of bounds that is ``depth`` plies deep."""

    parameters: tuple[Parameter, ...] = (Parameter("depth", 1, 1_000_000, meaning="the depth of the tree"),)
    bound: int = LEAVES
    depth: int = 1_000_000
    beta: float = 0.05
    smoothness: float = 1.0
    factor: float = 0.5
    one_thread: bool = True
    driver: Kernel | None = run_best_first

    @property
    def ends(self) -> bool:
        return False

    def prepare(self, game: Game, worker: Worker) -> None:
        own = np.zeros(BEST_FIRST_WORDS + MOST_NODES * NODE_WORDS, np.int64)
        words = BestFirstWords(own)
        words.rule, words.depth, words.most_nodes = self.bound, self.depth, MOST_NODES
        words.beta, words.delta, words.gamma = self.beta, self.smoothness, self.factor
        worker.put("own", own)


BETA = Parameter("beta", 1e-9, 1, whole=False, meaning="the probability that a bound fails")


@dataclass(frozen=True)
class LeafUCB(BestFirst):
    """All sequences of ``depth`` actions are the arms of one bandit."""

    parameters: tuple[Parameter, ...] = (Parameter("depth", 1, 1000, meaning="the depth of the tree", always=True), BETA)
    depth: int = 8


@dataclass(frozen=True)
class SmoothTree(BestFirst):
    """BAST: sequences that share their first d actions differ by ``smoothness factor^d`` at most, as a share of all scores."""

    parameters: tuple[Parameter, ...] = (
        Parameter("smoothness", 0, 1000, whole=False, meaning="the smoothness at the root"),
        Parameter("factor", 0, 1, whole=False, meaning="the factor of smoothness for each ply"),
        BETA,
        Parameter("depth", 1, 1_000_000, meaning="the depth of the tree"),
    )
    bound: int = SMOOTH


@dataclass(frozen=True)
class RandomWalks(OnePlayer):
    """From where it is a ``number`` of walks of so much ``length``, then on from the best end."""

    parameters: tuple[Parameter, ...] = (
        Parameter("number", 1, 1_000_000, meaning="the number of walks", always=True),
        Parameter("length", 1, 1_000_000, meaning="the length of a walk"),
        Parameter("patience", 0, 1_000_000, meaning="the number of jumps in vain"),
    )
    #: walks from each place; Nakhost and Müller made 2000, of 10 steps, and gave up after 7 jumps
    number: int = 100
    length: int = 10
    patience: int = 7
    driver: Kernel | None = run_random_walks

    @property
    def own_lanes(self) -> int:
        return LANES

    def prepare(self, game: Game, worker: Worker) -> None:
        own = np.zeros(WALK_WORDS + 2 * int(worker.control.plies), np.int64)
        words = WalkWords(own)
        words.walks, words.length, words.patience = self.number, self.length, self.patience
        worker.put("own", own)


ONE_PLAYER = (
    Nested("nmcs"),
    Nested("reflexive", memory=False),
    PolicyAdaptation("nrpa"),
    SinglePlayer("sp"),
    ByMaximum("mcpg"),
    LeafUCB("leaf-ucb"),
    SmoothTree("bast"),
    BestFirst("mhsp", bound=HEURISTIC),
    RandomWalks("mrw"),
)
