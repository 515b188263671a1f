"""The network against the slow reasoner, on every sheet that the slow one can handle, and lanes against single states."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from icarus.errors import GameError
from icarus.gdl.game import game_from_text, load_sheet
from icarus.gdl.ground import Limits, TooLarge, ground
from icarus.gdl.reader import format_term, read_rules, read_sheet
from icarus.gdl.reasoner import Reasoner
from icarus.gdl.sheets import sheet_names
from tests.gdl.differential import CORPUS, compare_lanes_with_states, compare_with_reasoner, corpus, sheets

#: sheets whose tables of sums take the slow reasoner minutes
TOO_SLOW = {"gt_two_thirds_2p", "gt_two_thirds_4p"}
SHEETS = sheets(sheet_names(), sorted(path.stem for path in CORPUS.glob("*.kif")) if CORPUS else ())


def sample(names: Iterable[str]) -> list[Any]:
    """All of ours, all that hide something, and one in four others; the rest is for thorough tests."""
    found = []
    for number, name in enumerate(names):
        often = ":" in name or name.startswith("gdl2") or number % 4 == 0
        found.append(pytest.param(name, marks=[] if often else [pytest.mark.thorough]))
    return found


REACH = """
(role walker) (init (open a b)) (init (open c d)) (init (here a))
(edge a b) (edge b c) (edge c a) (edge c d)
(<= (connected ?x ?y) (edge ?x ?y) (true (open ?x ?y)))
(<= (connected ?x ?z) (connected ?x ?y) (connected ?y ?z))
(<= (legal walker (unlock ?x ?y)) (edge ?x ?y) (not (true (open ?x ?y))))
(<= (legal walker wait) (role walker))
(<= (next (open ?x ?y)) (true (open ?x ?y)))
(<= (next (open ?x ?y)) (does walker (unlock ?x ?y)))
(<= (next (here a)) (true (here a)))
(<= terminal (connected a d) (connected a a))
(<= (goal walker 100) (connected a d))
(<= (goal walker 0) (not (connected a d)))
"""


@pytest.mark.parametrize("name", sample(name for name in SHEETS if name not in TOO_SLOW))
def test_the_network_is_the_rules(name: str):
    game = load_sheet(corpus(name))
    assert compare_with_reasoner(game, corpus(name), games=2, seconds=0.4) > 0
    compare_lanes_with_states(game, steps=8 if game.network.slots > 20_000 else 24, watched=4)


@pytest.mark.parametrize(
    "name", sheets(["tic_tac_toe", "connect_four", "battle", "cups", "duel"], ["gdl2_MontyHall", "survival", "nim1"])
)
def test_lanes_end_and_start_again_without_disturbing_each_other(name: str):
    assert compare_lanes_with_states(load_sheet(corpus(name)), steps=120, watched=16, seed=7) > 10


def test_recursion_over_the_state_is_followed_to_its_end(tmp_path: Path):
    sheet = tmp_path / "reach.kif"
    sheet.write_text(REACH)
    game = load_sheet(sheet)
    assert compare_with_reasoner(game, sheet, games=30, seconds=20) > 30
    assert compare_lanes_with_states(game, steps=60, watched=16) > 5


def test_the_reasoner_derives_what_follows_through_rules_of_different_shape():
    text = "(role a) (<= (legal a x) (role a)) (<= terminal (p 3 4)) (<= (goal a 50) (role a)) (e 1 2) (e 2 3) (e 3 4)"
    rules = read_rules(text + "(<= (p ?x ?y) (e ?x ?y)) (<= (p 1 ?y) (p 1 ?x) (e ?x ?y)) (init q)")
    assert Reasoner(rules).terminal(frozenset())


def test_split_bodies_keep_skirmish_small():
    rules = ground(read_sheet(corpus("gdl:skirmish")))
    assert len(rules.rules) < 270_000


def test_a_limit_on_ground_rules_is_kept():
    with pytest.raises(TooLarge, match="more than 10000 ground rules"):
        ground(read_sheet(corpus("gdl:skirmish")), Limits(rules=10_000))


def test_a_sheet_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ICARUS_CACHE", str(tmp_path))
    text = corpus("gdl:tic_tac_toe_3d").read_text()
    first = game_from_text(text, "a.kif")
    monkeypatch.setattr("icarus.gdl.game.describe", lambda *_: pytest.fail("built again"))
    second = game_from_text(text, "b.kif")
    assert [format_term(t) for t in first.network.terms] == [format_term(t) for t in second.network.terms]
    assert (first.name, second.name) == ("a", "b")


def test_a_game_of_chance_alone_is_refused():
    with pytest.raises(GameError, match="needs a player"):
        game_from_text(
            "(role random) (init a) (<= (legal random x) (true a)) (<= terminal (true a)) (<= (goal random 0) (true a))"
        )
