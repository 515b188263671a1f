"""Playing a sheet on two machines side by side: a game against the slow reasoner, and lanes against single states."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from icarus.engine.layout import OVER, Report
from icarus.game import ENVIRONMENT, SIGNATURES, Position
from icarus.gdl import layout, play, step_lanes
from icarus.gdl.game import LaneBlock, SheetGame
from icarus.gdl.lanes import LANES
from icarus.gdl.reader import format_term, read_sheet
from icarus.gdl.reasoner import Reasoner
from icarus.gdl.rule_game import RuleGame
from icarus.gdl.sheets import PREFIX, find_sheet
from icarus.jit import python_call, size_of

#: further rule sheets to test with: whoever has a folder of them names it
FOLDER = os.environ.get("ICARUS_SHEETS", "")
CORPUS = Path(FOLDER) if FOLDER else None
needs_corpus = pytest.mark.skipif(CORPUS is None, reason="ICARUS_SHEETS names no folder with the public rule sheets")

REPORT_WORDS = size_of(Report)


def corpus(name: str) -> Path:
    """A sheet of ours (``gdl:NAME``), or one of that folder."""
    return find_sheet(name) if name.startswith(PREFIX) else (CORPUS or Path()) / f"{name}.kif"


def sheets(ours: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """Sheets of ours, and others if they are at hand."""
    return [*(PREFIX + name for name in ours), *(others if CORPUS is not None else ())]


def public_sheets() -> dict[str, Path]:
    """The public sheets by name; none where they are not at hand."""
    return {path.stem: path for path in sorted(CORPUS.glob("*.kif"))} if CORPUS is not None else {}


def compare_with_reasoner(game: RuleGame, sheet: Path, *, games: int, seconds: float, at_least: int = 1, seed: int = 1) -> int:
    """Random games on both; every state agrees in fluents, legal moves, end and goals, and (GDL-II) every step in what each role
    sees.  Returns the steps compared, which are ``at_least`` so many even if they take longer."""
    reasoner = Reasoner(read_sheet(sheet))
    choice = random.Random(seed)
    steps, begun = 0, time.monotonic()
    for number in range(games):
        position, state = game.start(seed + number), reasoner.initial()
        while True:
            assert {format_term(f) for f in game.fluents(position.state)} == {format_term(f) for f in state}
            over = reasoner.terminal(state)
            assert position.is_terminal == over
            if over:
                goals = [reasoner.goals(state, role) for role in game.roles if role != "random"]
                assert [round(100 * r) for r in position.rewards()] == [g[-1] if g else 0 for g in goals]
                break
            for i, role in enumerate(game.roles):
                moves_of_role = game.legal_moves(position.state, i)
                assert len(moves_of_role) == len(set(moves_of_role))
                assert set(moves_of_role) == {format_term(m) for m in reasoner.legal(state, role)}
            before = int(position.state[layout.STEPS])
            moves: dict[str, str] = {}
            while not position.is_terminal and int(position.state[layout.STEPS]) == before:
                role = game.asked(position.state)
                moves.update(game.chosen_moves(position.state))
                action = choice.choice(position.legal())
                if role is not None:
                    moves[role] = position.format_action(action)
                position.apply(action)
            terms = {format_term(m): m for r in game.roles for m in reasoner.legal(state, r)}
            joint = {role: terms[move] for role, move in moves.items()}
            if game.hides:
                for i, role in enumerate(game.roles):
                    seen = {format_term(percept) for percept in game.percepts(position.state, i)[-1]}
                    assert seen == {format_term(percept) for percept in reasoner.sees(state, joint, role)}
            state = reasoner.next(state, joint)
            steps += 1
            late = steps >= at_least and time.monotonic() - begun > seconds
            if late or int(position.state[layout.STEPS]) >= game.max_steps:
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
        self.reports = np.zeros(LANES * REPORT_WORDS, np.int64)

    def row(self, lane: int) -> np.ndarray:
        return self.states[lane * self.game.state_size : (lane + 1) * self.game.state_size]

    def report(self, lane: int) -> list[int]:
        return [int(x) for x in self.reports[lane * REPORT_WORDS : (lane + 1) * REPORT_WORDS]]

    def actions(self, lane: int) -> list[int]:
        first = lane * self.game.max_actions
        return [int(a) for a in self.legal[first : first + self.report(lane)[Report.count.offset]]]

    def _call(self, function: Any, name: str, *arguments: Any) -> None:
        """Where something is hidden the engine does not step lanes together, but the network can."""
        python_call(function, SIGNATURES[name])(*arguments)

    def restart(self, lane: int) -> None:
        self._call(play.copy, "copy", self.row(lane), self.root)
        legal, report = self.legal[lane * self.game.max_actions :], self.reports[lane * REPORT_WORDS :]
        self._call(play.advance, "advance", self.row(lane), -1, legal, report)

    def step(self) -> None:
        self._call(step_lanes.advance_all, "advance_all", self.states, self.picked, self.legal, self.reports, LANES)


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
            assert (report[Report.player.offset] == OVER) == twin.is_terminal
            if twin.is_terminal:
                out = np.zeros(game.players)
                game.call("rewards", lanes.row(lane), out)
                assert out.tolist() == twin.rewards()
                twins[lane] = Position(game, lanes.root.copy())
                ended += 1
            else:
                assert report[Report.player.offset] == twin.player or twin.player == ENVIRONMENT
                assert report[Report.together.offset] == int(game.call("simultaneous", twin.state) if game.simultaneous else 0)
                assert lanes.actions(lane) == twin.legal()
        for lane in range(LANES):
            if lanes.report(lane)[Report.player.offset] == OVER:
                lanes.restart(lane)
    return ended
