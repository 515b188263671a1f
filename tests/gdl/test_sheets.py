"""The sheets that the project ships: sound, equal to the built-in games where there are any, and worth playing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import icarus.gdl
from icarus.engine.native import JIT
from icarus.games.connect_four import connect_four
from icarus.games.mnk import tic_tac_toe
from icarus.gdl.checks import check_sheet
from icarus.gdl.game import load_sheet
from icarus.gdl.info import sheet_info
from icarus.gdl.reader import read_sheet
from icarus.search import Search
from tests.gdl.differential import chosen_moves, compare_lanes_with_states, compare_with_reasoner

SHEETS = sorted((Path(icarus.gdl.__file__).parent / "sheets").glob("*.kif"))


def sheet(name: str) -> Path:
    return next(path for path in SHEETS if path.stem == name)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_shipped_sheet_is_sound(path: Path):
    assert check_sheet(read_sheet(path)) == []
    game = load_sheet(path)
    assert compare_with_reasoner(game, path, games=6, seconds=10) > 6
    if game.determinize is None:
        compare_lanes_with_states(game, steps=40)


@pytest.mark.parametrize("name, built_in", [("tic_tac_toe", tic_tac_toe), ("connect_four", connect_four)])
def test_a_shipped_sheet_is_the_built_in_game(name, built_in):
    ours, theirs = built_in(), load_sheet(sheet(name))
    choice = random.Random(5)
    for _ in range(15):
        a, b = ours.start(), theirs.start()
        while not a.is_terminal:
            moves = {b.format_action(action): action for action in b.legal()}
            if len(moves) == 1:
                moves |= dict.fromkeys(chosen_moves(theirs, b).values(), b.legal()[0])
            numbers = {}
            for move, action in moves.items():
                if move != "noop":
                    digits = [int(digit) - 1 for digit in move if digit.isdigit()]
                    numbers[digits[0] if len(digits) == 1 else 3 * digits[0] + digits[1]] = action
            assert sorted(numbers) == sorted(a.legal())
            action = choice.choice(a.legal())
            a.apply(action)
            b.apply(numbers[action])
        assert b.is_terminal
        assert a.rewards() == b.rewards()


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
def test_the_ferryman_finds_the_way_across():
    game = load_sheet(sheet("river"))
    position = game.start()
    search = Search(game, lanes=64, seed=1)
    while not position.is_terminal:
        position = position.copy().apply(search.run(iterations=4000).best.action)
        if not position.is_terminal:
            search.advance(position)
    assert position.rewards() == [1.0]


def test_info_tells_what_a_sheet_is():
    duel, cups = sheet_info(sheet("duel"), seconds=0.05), sheet_info(sheet("cups"), seconds=0.05)
    assert (duel.simultaneous, duel.hidden_information) == (True, False)
    assert (cups.simultaneous, cups.hidden_information) == (False, True)
    assert duel.roles == ("left", "right") and duel.moves == (3, 3)
    assert duel.links <= duel.ground_links and duel.playouts_per_second > 1000
    assert "some choices are made at the same time" in str(duel)
    assert duel.to_dict()["fluents"] == duel.fluents
