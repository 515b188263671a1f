"""Discovery: the grammar writes what can be read, written formulas are what they say, and the test is one on unseen games."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

import icarus
from icarus.arena.statistics import holm
from icarus.arena.store import Store
from icarus.cli import app
from icarus.errors import StrategyError
from icarus.jit import JIT
from icarus.strategy import Written
from icarus.strategy.expression import read_strategy
from icarus.strategy.policy.written import DEPTH, SIZE, program
from icarus.tune.discover import discover, published
from icarus.tune.discovery import report
from icarus.tune.errors import TuneError
from icarus.tune.grammar import Sentence, crossed, mutated, random_formula, random_sentence


def test_ucb1_as_it_is_written_searches_like_ucb1() -> None:
    one, two = (
        icarus.search("tic_tac_toe", strategy=text, iterations=150, seed=3)
        for text in ("Baseline()", "Baseline(policy=Written())")
    )
    assert [(row.action, row.visits) for row in one.root] == [(row.action, row.visits) for row in two.root]
    plain = icarus.search("tic_tac_toe", strategy="Baseline(policy=Written('mean'))", iterations=150, seed=3)
    assert [row.visits for row in plain.root] != [row.visits for row in one.root]


def run(text: str, mean: float, n: float, m: float) -> float:
    """The program of a formula, run as slowly as possible."""
    stack: list[float] = []
    for code, constant in zip(*program(text), strict=True):
        if code == 0:
            break
        if code <= 4:
            stack.append({1: mean, 2: n, 3: m, 4: constant}[code])
        elif code == 9:
            stack.append(math.sqrt(max(stack.pop(), 0)))
        elif code == 10:
            stack.append(math.log(max(stack.pop(), 1e-9)))
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(
                {5: left + right, 6: left - right, 7: left * right, 8: left / right if abs(right) > 1e-9 else left / 1e-9}[code]
            )
        assert len(stack) <= DEPTH
    assert len(stack) == 1
    return stack[0]


def test_a_formula_becomes_a_program_with_the_same_value() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        text = random_formula(rng)
        try:
            program(text)
        except StrategyError:
            continue  # (too deep)
        safe = {
            "mean": 0.4, "n": 7.0, "m": 30.0, "sqrt": lambda x: math.sqrt(max(x, 0)), "ln": lambda x: math.log(max(x, 1e-9)),
        }  # fmt: skip
        try:
            expected = eval(text, {"__builtins__": {}}, safe)
        except ZeroDivisionError:
            continue
        if math.isfinite(expected) and abs(expected) < 1e6:
            assert run(text, 0.4, 7.0, 30.0) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert len(program("mean")[0]) == SIZE


@pytest.mark.parametrize(
    "text", ["", "mean +", "x", "mean ** 2", "n.real", "__import__('os')", "sqrt(n, m)", "+".join(["n"] * 9)]
)
def test_a_formula_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(StrategyError):
        Written(text)


def test_the_grammar_writes_what_can_be_read() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        sentence = random_sentence(rng)
        other = mutated(sentence, rng)
        assert read_strategy(str(sentence)) and read_strategy(str(other)) and other != sentence
        assert crossed(sentence, other) == Sentence(sentence.tree, other.simulation)
    assert len(published()) > 40 and all(sentence.reads for sentence in published())


def test_holms_correction() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.9]) == [1.0, 1.0] and holm([]) == []


@pytest.mark.skipif(not JIT, reason="many searched games")
def test_a_small_discovery_ends_with_a_verdict(tmp_path) -> None:
    options = {"at": "5", "deals": 24, "games": 8, "jobs": 1, "seed": 2}
    found = discover(["tic_tac_toe", "hex(3)"], ["mnk(4,4,3)"], **options, folder=tmp_path)
    assert found.verdict and len(found.results) == 1 and found.results[0].games == 8
    assert all(0 <= r.low <= r.score <= r.high <= 1 and r.p <= r.adjusted for r in (*found.results, *found.ablation))
    assert found.discovered in report(found)
    with Store.read(tmp_path) as store:
        held = Counter(record.game for record in store.records())
        assert held["tic_tac_toe"] == held["hex(3)"] == 2 * 2 * 24 and store.count() == found.total_games
    again = discover(["tic_tac_toe", "hex(3)"], ["mnk(4,4,3)"], **options, folder=tmp_path, resume=True)
    assert again.as_dict() == found.as_dict()
    with pytest.raises(TuneError, match="proves nothing"):
        discover(["tic_tac_toe"], ["tic_tac_toe"], **options)
    with pytest.raises(TuneError, match="at least"):
        discover(["tic_tac_toe"], ["hex(3)"], at="5", deals=1)


def test_the_command_says_what_is_wrong(tmp_path) -> None:
    arguments = ["discover", "--train", "tic_tac_toe", "--test", "leftright(4)", "--folder", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2 and "one player" in result.stderr


@pytest.mark.thorough
@pytest.mark.skipif(not JIT, reason="a few hundred searched games")
def test_the_command_prints_what_was_found(tmp_path) -> None:
    arguments = ["discover", "--train", "tic_tac_toe", "--test", "mnk(4,4,3)", "--deals", "24", "--games", "4", "--at", "4"]
    result = CliRunner().invoke(app, [*arguments, "--jobs", "1", "--folder", str(tmp_path / "x"), "--json"])
    assert result.exit_code == 0 and json.loads(result.stdout)["verdict"]
