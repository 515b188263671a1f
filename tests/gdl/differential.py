"""Playing a sheet on two machines side by side: the network against the slow reasoner, and lanes against single states."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
import pytest

from icarus.engine import words as w
from icarus.engine.native import python_call
from icarus.game import ENVIRONMENT, Position
from icarus.gdl import play
from icarus.gdl.game import LaneBlock, SheetGame
from icarus.gdl.lanes import LANES
from icarus.gdl.reader import format_term, read_sheet
from icarus.gdl.reasoner import Reasoner

#: public rule sheets, kept beside the checkout and not part of it
CORPUS = Path(__file__).parents[3] / "shared" / "rules" / "gdl"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"the public rule sheets are not in {CORPUS}")


def corpus(name: str) -> Path:
    return CORPUS / f"{name}.kif"


def chosen_moves(game: SheetGame, position: Position) -> dict[str, str]:
    """What roles without a choice, and roles that have chosen already, do in the step under way."""
    at = int(game.memory.header[play.CHOSEN_AT])
    chosen = position.state[at : at + len(game.network.roles)]
    return {
        role: format_term(game.network.moves[i][int(n) - 1])
        for i, (role, n) in enumerate(zip(game.network.roles, chosen, strict=True))
        if n
    }


def legal_moves(game: SheetGame, position: Position, role: int) -> set[str]:
    start = int(game.memory.arrays_by_field[play.LEGAL_AT][role])
    return {
        format_term(move)
        for i, move in enumerate(game.network.moves[role])
        if int(position.state[start + (i >> 6)]) >> (i & 63) & 1
    }


def compare_with_reasoner(game: SheetGame, sheet: Path, *, games: int, seconds: float, at_least: int = 1, seed: int = 1) -> int:
    """Random games on both; every state agrees in fluents, legal moves, end and goals.  Returns the steps compared, which are
    ``at_least`` so many even if they take longer."""
    reasoner = Reasoner(read_sheet(sheet))
    choice = random.Random(seed)
    steps, begun = 0, time.monotonic()
    for number in range(games):
        position, state = game.start(seed + number), reasoner.initial()
        while True:
            assert {format_term(f) for f in game.memory.fluents(position.state)} == {format_term(f) for f in state}
            over = reasoner.terminal(state)
            assert position.is_terminal == over
            if over:
                goals = [reasoner.goals(state, role) for role in game.network.roles if role != "random"]
                assert [round(100 * r) for r in position.rewards()] == [g[-1] if g else 0 for g in goals]
                break
            for i, role in enumerate(game.network.roles):
                assert legal_moves(game, position, i) == {format_term(m) for m in reasoner.legal(state, role)}
            before = int(position.state[play.STEPS])
            moves: dict[str, str] = {}
            while not position.is_terminal and int(position.state[play.STEPS]) == before:
                role = game.network.roles[int(position.state[play.TURN])]
                moves.update(chosen_moves(game, position))
                action = choice.choice(position.legal())
                moves[role] = position.format_action(action)
                position.apply(action)
            terms = {format_term(m): m for r in game.network.roles for m in reasoner.legal(state, r)}
            state = reasoner.next(state, {role: terms[move] for role, move in moves.items()})
            steps += 1
            late = steps >= at_least and time.monotonic() - begun > seconds
            if late or int(position.state[play.STEPS]) >= int(game.memory.header[play.MAX_STEPS]):
                return steps
    return steps


class LanesByHand:
    """All lanes of a search, stepped from outside as the loop does it."""

    def __init__(self, game: SheetGame, seed: int = 0) -> None:
        self.game = game
        self.root = game.start(seed).state
        size = game.memory.state_words
        self.block = LaneBlock(game.memory)
        self.states = np.zeros(LANES * size, np.int64)
        self.block.mark(self.states, LANES)
        self.picked = np.full(LANES, -1, np.int64)
        self.legal = np.zeros(LANES * game.max_actions, np.int64)
        self.reports = np.zeros(LANES * w.REPORT_WORDS, np.int64)
        self._copy = python_call(play.copy, play.COPY)
        self._advance = python_call(play.advance, play.ADVANCE)
        self._advance_all = python_call(play.advance_all, play.ADVANCE_ALL)

    def row(self, lane: int) -> np.ndarray:
        return self.states[lane * self.game.state_size : (lane + 1) * self.game.state_size]

    def report(self, lane: int) -> list[int]:
        return [int(x) for x in self.reports[lane * w.REPORT_WORDS : (lane + 1) * w.REPORT_WORDS]]

    def actions(self, lane: int) -> list[int]:
        first = lane * self.game.max_actions
        return [int(a) for a in self.legal[first : first + self.report(lane)[w.REPORT_COUNT]]]

    def restart(self, lane: int) -> None:
        self._copy(self.row(lane), self.root)
        self._advance(self.row(lane), -1, self.legal[lane * self.game.max_actions :], self.reports[lane * w.REPORT_WORDS :])

    def step(self) -> None:
        self._advance_all(self.states, self.picked, self.legal, self.reports, LANES)


def compare_lanes_with_states(game: SheetGame, *, steps: int, watched: int = 8, seed: int = 1) -> int:
    """Random games in all lanes, of which some are replayed on states of their own.  Returns the games that ended."""
    lanes, choice = LanesByHand(game), random.Random(seed)
    twins: dict[int, Position] = {}
    ended = 0
    # lanes far apart in the 256 bits; the others play along
    chosen = [choice.randrange(LANES) for _ in range(watched)]
    for lane in range(LANES):
        lanes.restart(lane)
    for lane in chosen:
        twins[lane] = Position(game, lanes.root.copy())
    for _ in range(steps):
        for lane in range(LANES):
            lanes.picked[lane] = choice.choice(lanes.actions(lane))
        for lane, twin in twins.items():
            twin.apply(int(lanes.picked[lane]))
        lanes.step()
        for lane, twin in twins.items():
            report = lanes.report(lane)
            assert (report[w.REPORT_PLAYER] == w.OVER) == twin.is_terminal
            if twin.is_terminal:
                out = np.zeros(game.players)
                game.call("rewards", lanes.row(lane), out)
                assert out.tolist() == twin.rewards()
                twins[lane] = Position(game, lanes.root.copy())
                ended += 1
            else:
                assert report[w.REPORT_PLAYER] == twin.player or twin.player == ENVIRONMENT
                assert report[w.REPORT_TOGETHER] == int(game.call("simultaneous", twin.state) if game.simultaneous else 0)
                assert lanes.actions(lane) == twin.legal()
        for lane in range(LANES):
            if lanes.report(lane)[w.REPORT_PLAYER] == w.OVER:
                lanes.restart(lane)
    return ended
