"""On-line tuning: a neutral choice changes nothing, a planted optimum is found, every player has a setting of its own."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import icarus
from icarus.arena.players import read_player
from icarus.arena.tournament import match
from icarus.cli import app
from icarus.errors import IcarusError, SearchError
from icarus.jit import JIT
from icarus.search.adaptation import TupleBandit
from icarus.strategy import Adaptive
from icarus.strategy.expression import read_strategy

RAVES = "Adaptive(RAVE(k={50, 250, 1000}, c={0.2, 0.4}) >> MAST(tau={0.5, 1}))"


def test_braces_hold_the_alternatives_and_what_is_read_prints_back() -> None:
    strategy = read_strategy(RAVES)
    assert isinstance(strategy, Adaptive) and str(strategy) == RAVES and read_strategy(str(strategy)) == strategy
    assert len(strategy.settings) == 3 * 2 * 2 and strategy.choices[0] == ("50", "250", "1000")
    assert strategy.named(1) == "RAVE(k=50, c=0.2) >> MAST()" and strategy.named(11) == "RAVE(k=1000, c=0.4) >> MAST()"
    assert Adaptive("RAVE(k={50,250})", slice=4, keep=0.5) == read_strategy("Adaptive(RAVE(k={50, 250}), slice=4, keep=0.5)")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("RAVE(k={1,2})", "Adaptive"),
        ("Adaptive(RAVE(k={1,1}))", "twice"),
        ("Adaptive(RAVE(k={0,1}))", "out of range"),
        ("Adaptive(MAST(tau={1,2}))", "no baseline"),
        ("Adaptive(RAVE(k={1,2})) >> MAST()", "inside another"),
        ("Adaptive(Baseline() >> NAST(n={2,3}))", "other records"),
        ("Adaptive(Baseline() >> {MAST(), NAST()})", "other records"),
        ("Adaptive(Baseline(c={0.1, 0.2}), slice=0)", "slice"),
        ("Adaptive(Baseline(c={0.1, 0.2}), keep=2)", "keep"),
        ("Adaptive(Baseline(), Baseline())", "braces"),
        (f"Adaptive(GRAVE(ref={set(range(1, 31))}, k={set(range(1, 31))}))", "at most"),
    ],
)
def test_mistakes_are_one_line(text: str, reason: str) -> None:
    with pytest.raises(IcarusError, match=reason) as problem:
        icarus.Search("tic_tac_toe", strategy=text)
    assert "\n" not in str(problem.value)


def test_what_cannot_be_tuned_is_refused() -> None:
    with pytest.raises(SearchError, match="one thread"):
        icarus.Search("tic_tac_toe", strategy=RAVES, threads=2)
    with pytest.raises(SearchError, match="nothing to tune"):
        icarus.Search("leftright(4)", algorithm="nmcs", strategy="Adaptive(Baseline(c={0.1,0.2}))")


def everything(search: icarus.Search) -> list[object]:
    """All records of a search, in an order that does not depend on where they lie."""
    return sorted(repr(context) for context in search.contexts())


@pytest.mark.parametrize(
    "game, fixed, adaptive",
    [
        ("connect_four", "Baseline(c=0.4)", "Baseline(c={0.4, 4 / 10})"),
        ("connect_four", "Baseline(policy=UCB1Tuned()) >> MAST()", "Baseline(policy=UCB1Tuned()) >> MAST(tau={1})"),
        ("connect_four", "RAVE(k=50) >> MAST(tau=2)", "RAVE(k={50, 50.0}) >> MAST(tau={2, 2.0})"),
        ("tic_tac_toe", "GRAVE(ref=10, k=50)", "GRAVE(ref={10, 10.0}, k={50, 50.0})"),
        ("phantom(3,3,3)", "RAVE() >> (MAST() + NAST()) / 2", "RAVE(k={250, 250.0}) >> (MAST(tau={1, 1.0}) + NAST()) / 2"),
        ("tron", "Baseline(simultaneous=UCB1(c=1))", "Baseline(simultaneous=UCB1(c={1, 1.0}))"),
        ("tic_tac_toe", "Vote(Baseline(), AMAF())", "Vote(Baseline(c={0.7, 7 / 10}), AMAF())"),
    ],
)
def test_between_equals_every_record_is_that_of_the_fixed_strategy(game: str, fixed: str, adaptive: str) -> None:
    number = 300 if JIT else 40
    one = icarus.Search(game, strategy=fixed, seed=3)
    two = icarus.Search(game, strategy=f"Adaptive({adaptive}, slice=5)", seed=3)
    for search in (one, two):
        search.run(iterations=number)
        search.run(iterations=number // 3)
    assert everything(one) == everything(two) and len(everything(one)) > 10


def test_a_bandit_of_tuples_finds_a_planted_setting() -> None:
    for seed in range(5):
        rng, bandit = np.random.default_rng(seed), TupleBandit((4, 3, 5))
        means = np.array([0.5 + 0.05 * (a == 2) + 0.05 * (b == 1) + 0.1 * (c == 4) for a, b, c in np.ndindex(4, 3, 5)])
        for _ in range(3000):
            setting = bandit.choose()
            bandit.tell(setting, float(rng.binomial(8, means[setting]) / 8), 8)
        planted = int(means.argmax())
        assert bandit.best() == planted and bandit.used.argmax() == planted


@pytest.mark.skipif(not JIT, reason="thousands of iterations")
def test_a_planted_constant_is_used_most() -> None:
    """Whoever explores as if nothing were known (c=50) gives rewards away in every simulation."""
    result = icarus.search("connect_four", iterations=8000, seed=1, strategy="Adaptive(Baseline(c={50,0.3}))")
    assert result.adapted is not None
    for one in result.adapted:
        assert one["best"] == "Baseline(c=0.3)" and one["shares"]["Baseline(c=0.3)"] > 0.7, result.adapted


def test_every_player_has_a_setting_of_its_own() -> None:
    def spread(settings: tuple[int, int]) -> list[float]:
        """How evenly the players' moves were visited: at the root, and at the most visited node behind it."""
        search = icarus.Search("connect_four", strategy="Adaptive(Baseline(c={0,50}))", seed=1)
        assert search.adaptation is not None
        for bandit, setting in zip(search.adaptation.bandits, settings, strict=True):
            bandit.choose = lambda setting=setting: setting  # type: ignore[method-assign]
        search.run(iterations=1500 if JIT else 300)
        root = search.tree.root
        behind = max(root.children, key=lambda node: node.visits)
        return [max(child.visits for child in node.children) / node.visits for node in (root, behind)]

    (greedy, even), (other_even, other_greedy) = spread((0, 1)), spread((1, 0))
    assert greedy > 0.35 > 0.25 > even and other_greedy > 0.35 > 0.25 > other_even


def test_moving_on_keeps_a_share_of_what_was_learnt() -> None:
    search = icarus.Search("connect_four", strategy="Adaptive(Baseline(c={0.2,0.7}), keep=0.5)", seed=1)
    result = search.run(iterations=160)
    assert search.adaptation is not None and search.adaptation.bandits[0].total == 20
    position = search.position.copy().apply(result.best.action)
    search.advance(position)
    assert search.adaptation.bandits[0].total == 10
    search.run(iterations=80)
    assert search.adaptation.bandits[0].total == 20


def test_it_plays_and_is_told() -> None:
    assert read_player("[Adaptive(RAVE(k={50,250}) >> MAST())]@100").iterations == 100
    found = match("tic_tac_toe", ["[Adaptive(Baseline(c={0.2,0.7}))]@30", "[-]@30"], 4, jobs=1)
    assert found.standings[0].tally.games == 4
    arguments = ["search", "tic_tac_toe", "--strategy", RAVES, "--iterations", "50", "--seed", "1"]
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert [one["player"] for one in told["adapted"]] == [0, 1] and sum(told["adapted"][0]["shares"].values()) > 0.99
    assert "adapted for" in CliRunner().invoke(app, arguments).output
