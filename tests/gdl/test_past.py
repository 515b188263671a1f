"""PAST on rule sheets: what holds is what the reasoner says, in lanes too, and the records are those of the specification."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from icarus.game import Position
from icarus.gdl.game import SheetGame, load_sheet
from icarus.gdl.interpreted import interpreted_game
from icarus.gdl.machine import machine_game, machine_plan
from icarus.gdl.reader import format_term, read_rules, read_text
from icarus.gdl.sheets import FOLDER
from icarus.search import Search
from icarus.strategy import PAST, Baseline, Linear, RaveWeight
from tests.gdl.differential import LANES, OVER, LanesByHand, Report
from tests.oracle.comparing import assert_same_strategy

SHEETS = ("tic_tac_toe", "breakthrough", "battle")


def holding(game: Any, state: np.ndarray) -> list[int]:
    out = np.zeros(game.max_predicates, np.int64)
    return [int(number) for number in out[: int(game.call("predicates", state, out))]]


@pytest.mark.parametrize("name", SHEETS)
def test_predicates_are_the_fluents_that_hold(name: str) -> None:
    """One number for each fluent, always the same: with a network its place among the fluents; by joins some number."""
    path = FOLDER / f"{name}.kif"
    network, joins = load_sheet(path), machine_game(machine_plan(read_rules(read_text(path), str(path))), name)
    assert isinstance(network, SheetGame)
    choice = random.Random(3)
    for game in (network, joins):
        position, numbers = game.start(1), dict[frozenset[int], frozenset[str]]()
        for _ in range(60):
            if position.is_terminal:
                break
            held = frozenset(format_term(term) for term in game.fluents(position.state))
            found = holding(game, position.state)
            assert len(found) == len(held) == len(set(found))
            assert numbers.setdefault(frozenset(found), held) == held
            if game is network:
                assert {format_term(network.network.fluents[i]) for i in found} == held
            position.apply(choice.choice(position.legal()))


@pytest.mark.parametrize("name", SHEETS)
def test_lanes_hold_what_their_states_hold(name: str) -> None:
    game = load_sheet(FOLDER / f"{name}.kif")
    assert isinstance(game, SheetGame)
    lanes, choice = LanesByHand(game), random.Random(5)
    watched = (0, 77, 255)
    for lane in range(LANES):
        lanes.restart(lane)
    twins = {lane: Position(game, lanes.root.copy()) for lane in watched}
    for _ in range(40):
        for lane in range(LANES):
            lanes.picked[lane] = choice.choice(lanes.actions(lane))
        for lane, twin in twins.items():
            assert holding(game, lanes.row(lane)) == holding(game, twin.state)
            twin.apply(int(lanes.picked[lane]))
        lanes.step()
        for lane in range(LANES):
            if lanes.report(lane)[Report.player.offset] == OVER:
                lanes.restart(lane)
                if lane in twins:
                    twins[lane] = Position(game, lanes.root.copy())


def test_records_are_those_of_the_specification() -> None:
    """Playout by playout beside the literal transcription, which asks the state for its predicates."""
    position = load_sheet(FOLDER / "tic_tac_toe.kif").start(1)
    for _ in range(2):
        position.apply(position.legal()[-1])
    assert_same_strategy(Linear(PAST(), Baseline(), weight=RaveWeight(10)), position, "uct", 3, 30)


def test_past_plays_sheets_and_combines() -> None:
    game = load_sheet(FOLDER / "tic_tac_toe.kif")
    for text in ("Baseline() >> PAST()", "RAVE() >> (0.5 * PAST() + 0.5 * MAST())"):
        assert Search(game, strategy=text, seed=1).run(iterations=300).iterations == 300
    slow = interpreted_game(read_rules(read_text(FOLDER / "tic_tac_toe.kif"), "tic_tac_toe"), "tic_tac_toe")
    assert Search(slow, strategy="Baseline() >> PAST()", seed=1).run(iterations=20).iterations == 20
