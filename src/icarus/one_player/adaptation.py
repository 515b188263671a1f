"""Nested rollout policy adaptation, with one sequence or a beam at each level, and how it goes on from a file.

See one_player/drive/adaptation.py and one_player/drive/beam_adaptation.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from icarus.algorithm import Parameter
from icarus.errors import SearchError
from icarus.game import Game, Position, Stepping
from icarus.jit import Kernel
from icarus.jit.randomness import mix
from icarus.one_player.base import GUIDED, MOST_LEVELS, OnePlayer
from icarus.one_player.drive.adaptation import (
    ADAPTATION_WORDS,
    RESUMED,
    SEQUENCE_WORDS,
    AdaptationWords,
    Sequence,
    run_adaptation,
)
from icarus.one_player.drive.beam_adaptation import BEAM_WORDS, run_beam_adaptation
from icarus.one_player.drive.coded_policy import ENTRY_WORDS, POLICY_WORDS, Entry, Policy

if TYPE_CHECKING:
    from icarus.engine.world import Worker
    from icarus.strategy.plan import Plan

MOST_CODES, MOST_ENTRIES = 1 << 20, 1 << 18
MOST_BEAM = 64
MOST_BYTES = 1 << 33  #: of the sequences and policies of a beam; what is not used of it takes no memory


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
