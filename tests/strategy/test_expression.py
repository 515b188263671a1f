"""Strategies as text: what is written reads in, what is read in prints back, and what is wrong says so in one line."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from icarus.errors import StrategyError
from icarus.strategy import (
    AMAF,
    EPIC,
    GRAVE,
    LGR,
    LGRF,
    MAST,
    NAST,
    RAVE,
    Baseline,
    EpsilonGreedy,
    Gibbs,
    Linear,
    Maxilinear,
    RaveWeight,
    Strategy,
    UCB1Sum,
    Vote,
)
from icarus.strategy.expression import PRESETS, TABLE_1, read_strategy


def test_table_1_names_are_the_papers_combinations() -> None:
    assert len(TABLE_1) == 16
    assert read_strategy("-") == Baseline()
    assert read_strategy("N") == Baseline() >> NAST(2)
    assert read_strategy("R") == RAVE(k=250)
    assert read_strategy("RML") == RAVE() >> (MAST() + LGRF()) / 2
    assert read_strategy("NRML") == RAVE() >> (MAST() + LGRF() + NAST(2)) / 3


@pytest.mark.parametrize("name", [*TABLE_1, *PRESETS])
def test_names_print_as_expressions_that_read_in_again(name: str) -> None:
    strategy = read_strategy(name)
    assert read_strategy(str(strategy)) == strategy


numbers = st.floats(0.01, 50).map(lambda x: round(x, 3))
policies = st.one_of(numbers.map(Gibbs), st.floats(0, 1).map(EpsilonGreedy), numbers.map(UCB1Sum))
leaves = st.one_of(
    st.builds(MAST, policy=policies, keep=st.floats(0, 1)),
    st.builds(NAST, n=st.integers(1, 5), c=numbers),
    st.builds(EPIC, c=numbers),
    st.just(LGR()),
    st.just(LGRF()),
)
trees = st.one_of(
    st.builds(Baseline, c=numbers),
    st.builds(RAVE, k=numbers, c=numbers),
    st.builds(GRAVE, ref=st.integers(0, 100), k=numbers),
    st.builds(lambda c, k: Maxilinear(AMAF(c=c), Baseline(c=c), weight=RaveWeight(k=k)), numbers, numbers),
)
simulations = st.one_of(
    leaves,
    st.lists(leaves, min_size=2, max_size=4).map(lambda terms: Linear(*terms)),
    st.tuples(leaves, leaves, st.floats(0.1, 0.9)).map(lambda t: t[2] * t[0] + (1 - t[2]) * t[1]),
    st.lists(leaves, min_size=2, max_size=4).map(lambda voters: Vote(*voters)),
)


@given(st.one_of(trees, st.builds(lambda tree, simulation: tree >> simulation, trees, simulations)))
def test_every_strategy_reads_in_as_it_prints(strategy: Strategy) -> None:
    assert read_strategy(str(strategy)) == strategy


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mast()", "did you mean MAST"),
        ("RAVE(kk=3)", "takes k, c, formula"),
        ("NAST(0)", "at least 1"),
        ("RAVE(k=-1)", "above 0"),
        ("MAST()", r"write Baseline\(\) >> MAST"),
        ("MAST() >> NAST()", "no baseline"),
        ("Baseline() >> (MAST() + NAST())", "add up to 2"),
        ("Baseline() >> (", "cannot read"),
        ("Maxilinear(MAST(), Baseline())", "maximise"),
        ("Maxilinear(AMAF(), Baseline(), weight=2)", "from 0 to 1"),
        ("AMAF(policy=EXP3())", "nobody knows how likely they were"),
        ("AMAF(policy=UCB1())", "how often an action was available"),
        ("Vote(Baseline())", "at least two"),
        ("__import__('os').system('true')", "no meaning"),
        ("Baseline().__class__", "no meaning"),
        ("Baseline() ** 2", "cannot be combined"),
        ("[Baseline()]", "no meaning"),
        ("", "empty"),
        ("nowhere.py:Thing()", "no file"),
    ],
)
def test_mistakes_are_one_line_that_helps(text: str, words: str) -> None:
    with pytest.raises(StrategyError if "nowhere" not in text else Exception, match=words) as caught:
        read_strategy(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=60))
def test_no_text_makes_the_reader_fail_in_another_way(text: str) -> None:
    if ".py:" in text:
        return
    with contextlib.suppress(StrategyError):
        assert isinstance(read_strategy(text), Strategy)


OWN = '''
from dataclasses import dataclass
from icarus.strategy import NAST

@dataclass(frozen=True, repr=False)
class Longer(NAST):
    """Three moves unless told otherwise."""
    n: int = 3
'''


def test_a_class_of_ones_own_is_named_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    strategy = read_strategy(f"Baseline() >> {file}:Longer(c=0.5)")
    assert str(strategy) == f"Baseline() >> {file}:Longer(c=0.5)"
    assert read_strategy(str(strategy)) == strategy
    with pytest.raises(StrategyError, match="no 'Other'"):
        read_strategy(f"Baseline() >> {file}:Other()")
