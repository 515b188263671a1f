"""The sheets that the project ships: sound, and worth playing."""

from __future__ import annotations

import pytest

from icarus.gdl.checks import check_sheet
from icarus.gdl.game import load_sheet
from icarus.gdl.info import sheet_info
from icarus.gdl.reader import read_sheet
from icarus.gdl.sheets import find_sheet, large_sheet_names, sheet_names
from icarus.jit import JIT
from icarus.search import Search
from tests.gdl.differential import compare_lanes_with_states, compare_with_reasoner


@pytest.mark.parametrize("name", sheet_names())
def test_a_shipped_sheet_is_sound(name: str):
    path = find_sheet(f"gdl:{name}")
    assert check_sheet(read_sheet(path)) == []
    game = load_sheet(path)
    assert compare_with_reasoner(game, path, games=6, seconds=1, at_least=8) > 6
    if game.determinize is None:
        compare_lanes_with_states(game, steps=40)


@pytest.mark.parametrize("name", large_sheet_names())
def test_a_large_sheet_has_no_mistakes(name: str):
    assert check_sheet(read_sheet(find_sheet(f"gdl:{name}"))) == []


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
def test_the_ferryman_finds_the_way_across():
    game = load_sheet(find_sheet("gdl:river"))
    position = game.start()
    search = Search(game, lanes=64, seed=1)
    while not position.is_terminal:
        position = position.copy().apply(search.run(iterations=4000).best.action)
        if not position.is_terminal:
            search.advance(position)
    assert position.rewards() == [1.0]


def test_info_tells_what_a_sheet_is():
    duel, cups = sheet_info(find_sheet("gdl:duel"), seconds=0.05), sheet_info(find_sheet("gdl:cups"), seconds=0.05)
    assert (duel.simultaneous, duel.hidden_information) == (True, False)
    assert (cups.simultaneous, cups.hidden_information) == (False, True)
    assert duel.roles == ("left", "right") and duel.moves == (3, 3)
    assert duel.links <= duel.ground_links and duel.playouts_per_second > 1000
    assert "some choices are made at the same time" in str(duel)
    assert duel.to_dict()["fluents"] == duel.fluents
