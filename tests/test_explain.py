"""Explaining a strategy: what is said of reading and writing is what the search did, and shared nodes are those of figure 2."""

from __future__ import annotations

import json
import re
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from icarus.cli import app
from icarus.engine.layout import ARG_MAX
from icarus.errors import IcarusError, StrategyError
from icarus.explain import PHASES, explain
from icarus.explain.sharing import NODES, neighbours, sharing
from icarus.jit import JIT
from icarus.search import Search
from icarus.strategy import AMAF, EPIC, GRAVE, LGR, MAST, NAST, PAST, Baseline, Enhancement, Heuristic, Tiles
from icarus.strategy.expression import read_strategy
from tests.oracle.engine import REPLY, records

MY_NAST = "Baseline() >> examples/my_nast.py:MyNAST()"
OPTIMIST = "Baseline() >> MAST(policy=examples/optimist.py:Optimist(wins=2))"
compiled_only = pytest.mark.skipif(not JIT, reason="plays whole games: too slow as plain Python")


@pytest.fixture(autouse=True)
def in_the_repository(request, monkeypatch):
    monkeypatch.chdir(request.config.rootpath)


# --- what is measured ------------------------------------------------------------------------------------------------


def test_held_and_visits_are_those_of_the_records():
    text = "RAVE() >> (MAST() + LGRF() + NAST(2)) / 3"
    found = explain(text, "mnk(3,3,3)", iterations=300, seed=3)
    search = Search("mnk(3,3,3)", strategy=text, seed=3)
    search.run(iterations=300)
    held = records(search)
    assert [capture.name for capture in found.captures] == ["Baseline", "AMAF()", "MAST()", "LGRF()", "NAST()"]
    for number, capture in enumerate(found.captures):
        contexts = held[number].values()
        if capture.name == "LGRF()":
            assert capture.held == sum(rows[REPLY][0] > 0 for rows in contexts) > 0
            assert capture.visited is capture.mean_visits is capture.most_visits is None
        else:
            visits = [row[0] for rows in contexts for row in rows.values()]
            assert capture.held == len(visits)
            assert capture.visited == sum(n > 0 for n in visits)
            assert capture.mean_visits == pytest.approx(sum(visits) / capture.visited)
            assert capture.most_visits == max(visits)


@compiled_only
def test_a_longer_context_is_visited_less_often():
    means = [explain(f"Baseline() >> NAST({n})", "othello", iterations=1000, seed=1).captures[1].mean_visits for n in (1, 2, 3)]
    assert means[0] > 2 * means[1] > 4 * means[2]


def test_mast_is_visited_once_for_every_step():
    found = explain("Baseline() >> MAST()", "mnk(3,3,3)", iterations=200, seed=1)
    mast = found.captures[1]
    assert round(mast.mean_visits * mast.visited) == found.tree_steps + found.simulation_steps


@compiled_only
def test_every_choice_is_counted_for_the_component_that_made_it():
    found = explain("Baseline() >> (3 * MAST() + NAST(2)) / 4", "connect_four", iterations=400, seed=1)
    chose = {component.name: component.chose for component in found.components}
    assert list(chose) == ["Baseline()", "MAST()", "NAST()"]
    assert chose["Baseline()"]["simulation"] == chose["MAST()"]["selection"] == chose["NAST()"]["expansion"] == 0
    # UCB1 tries what is new first, so an iteration ends its tree with one expansion, unless the game ends in the tree
    assert 390 <= chose["Baseline()"]["expansion"] <= 400
    drawn = chose["MAST()"]["simulation"] + chose["NAST()"]["simulation"]
    # a binomial share, five standard deviations wide
    assert abs(chose["MAST()"]["simulation"] / drawn - 0.75) < 5 * np.sqrt(0.75 * 0.25 / drawn)


@compiled_only
def test_the_choices_of_the_baseline_alone_are_counted_too():
    found = explain("-", "connect_four", iterations=400, seed=1)
    chose = {component.name: component.chose for component in found.components}
    assert 390 <= chose["Baseline()"]["expansion"] <= 400 and chose["Baseline()"]["selection"] > 400


def test_a_simulation_that_reads_nothing_is_all_uniform():
    found = explain("RAVE()", "mnk(3,3,3)", iterations=50)
    assert {component.name: component.chose["simulation"] for component in found.components} == {"RAVE()": 0, "uniform": None}
    assert all(not capture.reads["simulation"] for capture in found.captures)


def test_simultaneous_choices_are_made_by_exp3():
    found = explain("Baseline()", "rock_paper_scissors", iterations=50)
    chose = {component.name: component.chose for component in found.components}
    # when the first player tries one of its three actions for the first time, the tree ends before the second chooses
    assert chose["EXP3()"]["selection"] + chose["EXP3()"]["expansion"] == 50 + 50 - 3
    assert sum(chose["Baseline()"][phase] for phase in PHASES) == 0


def test_a_search_begins_at_the_first_decision():
    assert explain("Baseline() >> MAST()", "kuhn_poker", iterations=50, seed=1).algorithm == "mo"


# --- who reads and writes --------------------------------------------------------------------------------------------


def test_reading_is_told_by_phase():
    reads = {c.name: c.reads for c in explain("RAVE(k=100) >> NAST(3)", "mnk(3,3,3)", iterations=20).captures}
    assert reads == {
        "Baseline": {"tree": ["UCB1()", "RaveWeight(k=100)"], "simulation": []},
        "AMAF()": {"tree": ["UCB1Sum()"], "simulation": []},
        "NAST(n=3)": {"tree": [], "simulation": ["UCB1Sum()"]},
    }


def test_a_policy_that_leans_on_the_baseline_reads_it():
    captures = explain("ProgressiveBias()", "othello", iterations=20).captures
    assert sorted(captures[0].reads["tree"]) == ["Bias()", "UCB1()"]
    assert captures[1].writes == "never" and captures[1].held == 0


@pytest.mark.parametrize(
    "text, game, written",
    [
        ("Baseline() >> MAST()", "mnk(3,3,3)", "each step: visit and reward of the action"),
        ("Baseline() >> TOMAST()", "mnk(3,3,3)", "each step in the tree: visit and reward of the action"),
        ("Baseline() >> EPIC()", "hearts", "each step: visit and reward of the action, availability of the other legal ones"),
        ("Baseline() >> LGR()", "mnk(3,3,3)", "each step: the action, if it brings its player a reward above 0"),
        ("GRAVE()", "mnk(3,3,3)", "each tree node: visit and reward of each action played there or later"),
    ],
)
def test_writing_is_told(text, game, written):
    assert explain(text, game, iterations=5).captures[1].writes == written


# --- who shares ------------------------------------------------------------------------------------------------------


def groups(leaf: Enhancement) -> set[frozenset[str]]:
    """Nodes that are connected with each other, singles left out."""
    together = {node: {node} for node in NODES}
    for i, j in sharing(leaf).pairs:
        merged = together[i] | together[j]
        for node in merged:
            together[node] = merged
    return {frozenset(group) for group in together.values() if len(group) > 1}


def test_mast_shares_wherever_a_player_plays_the_action():
    expected = {frozenset(n for n in NODES if n[-1] == x and len(n) % 2 == parity) for x in "ab" for parity in (0, 1)}
    assert groups(MAST()) == expected


def test_replies_and_bigrams_share_the_same_nodes():
    assert groups(NAST(2)) == groups(LGR()) == {frozenset({f"a{x}{y}", f"b{x}{y}"}) for x in "ab" for y in "ab"}
    assert groups(NAST(3)) == set(), "three plies are too few for a trigram to come again"


def test_amaf_shares_with_the_later_steps_of_the_same_player():
    assert set(sharing(AMAF()).pairs) == {(x, f"{y}{z}{x}") for x in "ab" for y in "ab" for z in "ab"}
    leaf = next(leaf for leaf in GRAVE(ref=10).enhancements() if not leaf.is_baseline)
    assert sharing(leaf).assumes == "every node has more than 10 visits"
    assert groups(AMAF(ref=float("inf"))) == groups(MAST()), "the root's statistics know no history"


def test_tiles_share_what_follows_the_same_own_action():
    assert set(sharing(Tiles()).pairs) == {(f"{x}a{y}", f"{x}b{y}") for x in "ab" for y in "ab"}


def test_what_the_game_would_say_is_assumed_and_said():
    assert sharing(EPIC()).assumes == "an episode lasts 2 plies"
    assert groups(EPIC()) == {frozenset({x, f"aa{x}", f"ab{x}", f"ba{x}", f"bb{x}"}) for x in "ab"}
    assert sharing(PAST()).assumes.startswith("one predicate")
    assert groups(PAST()) == groups(LGR())
    assert sharing(Baseline()).pairs == sharing(Heuristic()).pairs == []


def test_a_group_is_drawn_as_a_chain():
    assert neighbours([("a", "aaa"), ("a", "aba"), ("aaa", "aba")]) == [("a", "aaa"), ("aaa", "aba")]
    star = [("a", "aaa"), ("a", "aba")]
    assert neighbours(star) == star


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_drawing_has_a_tree_for_every_capture(tmp_path, ending):
    file = tmp_path / f"sharing.{ending}"
    explain("RAVE() >> (MAST() + NAST(2)) / 2", "mnk(3,3,3)", iterations=5).draw(file)
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG" if ending == "png" else b"<?xml")
    if ending == "svg":
        assert all(name in content for name in (b"<!-- AMAF() -->", b"<!-- MAST() -->", b"<!-- NAST() -->"))


def test_a_drawing_that_cannot_be_made_is_one_line(tmp_path):
    found = explain("Baseline()", "mnk(3,3,3)", iterations=5)
    with pytest.raises(IcarusError, match="cannot draw into"):
        found.draw(tmp_path / "sharing.nonsense")
    with pytest.raises(IcarusError, match="cannot draw into"):
        found.draw(tmp_path / "nowhere" / "sharing.png")


# --- for people and programs -----------------------------------------------------------------------------------------


def test_tables_fit_eighty_columns():
    found = explain("RAVE() >> (MAST(policy=EpsilonGreedy(epsilon=0.4), keep=0.2) + LGRF2()) / 2", "othello", iterations=20)
    console = Console(width=80, file=StringIO())
    console.print(found)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(lines)
    for word in ("records after the search", "who reads and writes", "who chose", "RaveWeight()", "AMAF-1"):
        assert word in text


def test_json_and_html_say_the_same():
    found = explain("Baseline() >> MAST()", "mnk(3,3,3)", iterations=20)
    report = json.loads(found.to_json())
    assert report == json.loads(json.dumps(found.as_dict()))
    assert report["captures"][1]["sharing"]["pairs"][0] == ["a", "aaa"]
    page = found._repr_html_()
    assert page.count("<table>") == 3 and "MAST-1" in page and "Baseline() &gt;&gt; MAST()" in page


def test_the_command_explains():
    result = CliRunner().invoke(app, ["explain", MY_NAST, "mnk(3,3,3)", "--iterations", "20", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["iterations"] == 20 and report["captures"][1]["records"] == "one per pair of moves and player"


def test_a_strategy_explains_itself():
    assert read_strategy("Baseline() >> MAST()").explain("mnk(3,3,3)", iterations=20, seed=1) == explain(
        "Baseline() >> MAST()", "mnk(3,3,3)", iterations=20, seed=1
    )
    with pytest.raises(StrategyError, match="no baseline"):
        MAST().explain("mnk(3,3,3)")


# --- the examples ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["othello", "phantom(3,3,3)"])
def test_the_users_nast_is_nast(game):
    mine = Search(game, strategy=MY_NAST, seed=5)
    built_in = Search(game, strategy="Baseline() >> NAST(2)", seed=5)
    iterations = 300 if JIT else 20
    assert mine.run(iterations=iterations).root == built_in.run(iterations=iterations).root
    ours, theirs = records(mine), records(built_in)
    assert ours[0] == theirs[0]
    # the two name their contexts differently; what is in them is the same
    assert sorted(map(str, ours[1].values())) == sorted(map(str, theirs[1].values()))


def test_the_users_policy_chooses_by_its_formula():
    search = Search("mnk(3,3,3)", strategy=OPTIMIST, seed=5)
    search.run(iterations=200)
    strategy = search.strategy
    assert read_strategy(str(strategy)) == strategy
    function, values = strategy.simulation.reuse.function, np.zeros(3)
    reward, visits = np.array([1.0, 0.0, 4.0]), np.array([4.0, 0.0, 8.0])
    arms = SimpleNamespace(size=3, reward=reward, visits=visits)
    getattr(function, "py_func", function)(arms, values, SimpleNamespace(wins=2.0))
    assert values.tolist() == [0.5, 1.0, 0.6]
    plain = Search("mnk(3,3,3)", strategy="Baseline() >> MAST()", seed=5)
    plain.run(iterations=200)
    assert records(search)[1] != records(plain)[1]
    assert search.plan.nodes[search.plan.words["simulation_policy"]]["shape"] == ARG_MAX


def test_a_parameter_of_the_users_policy_is_checked():
    with pytest.raises(StrategyError, match="wins=0 is out of range"):
        read_strategy("Baseline() >> MAST(policy=examples/optimist.py:Optimist(wins=0))")


def test_the_tutorial_shows_the_examples_as_they_are(request):
    root = request.config.rootpath
    tutorial = (root / "docs" / "write-an-enhancement.md").read_text()
    examples = [(root / "examples" / name).read_text() for name in ("my_nast.py", "optimist.py")]
    shown = [block for block in re.findall(r"```python\n(.*?)```", tutorial, flags=re.DOTALL) if block.startswith("@")]
    assert len(shown) == 4
    for block in shown:
        assert any(block in example for example in examples), block


def test_the_tutorials_strategies_can_be_read(request):
    tutorial = (request.config.rootpath / "docs" / "write-an-enhancement.md").read_text()
    expressions = re.findall(r'(?:--strategy|icarus explain) "(.*?)"', tutorial)
    assert len(expressions) == 4
    for text in expressions:
        assert str(read_strategy(str(read_strategy(text)))) == str(read_strategy(text))
