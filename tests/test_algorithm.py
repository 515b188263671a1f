"""Names of algorithms with their parameters: read, refused in one line, and written so that they read in again."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from icarus.algorithm import ALGORITHMS, TREES, Algorithm, Parameter, algorithm_named
from icarus.errors import SearchError
from icarus.loading import load


@dataclass(frozen=True)
class Example(Algorithm):
    parameters: tuple[Parameter, ...] = (
        Parameter("level", 1, 9, always=True),
        Parameter("rate", 0, 1, whole=False),
        Parameter("rule", words=("standard", "paranoid")),
        Parameter("swift"),
    )
    level: int = 2
    rate: float = 0.5
    rule: str = "standard"
    swift: bool = False


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", (2, 0.5, "standard", False)),
        ("3", (3, 0.5, "standard", False)),
        ("3, 0.25", (3, 0.25, "standard", False)),
        ("rate=1, 4", (4, 1.0, "standard", False)),
        ("swift", (2, 0.5, "standard", True)),
        (" 3 , swift=true, rule = paranoid", (3, 0.5, "paranoid", True)),
        ("swift, 5, rate=1e-1", (5, 0.1, "standard", True)),
    ],
)
def test_parameters_by_place_by_name_and_as_a_switch(text: str, values: tuple[object, ...]) -> None:
    found = Example("example").with_parameters(text)
    assert isinstance(found, Example)
    assert (found.level, found.rate, found.rule, found.swift) == values
    again = Example("example").with_parameters(str(found).partition("(")[2].rstrip(")"))
    assert again == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10", "level must be 1 to 9, not '10'"),
        ("1.5", "level must be"),
        ("rate=2", "rate must be a number from 0 to 1"),
        ("rule=odd", "one of standard, paranoid"),
        ("speed=3", "'speed=3' means nothing here; its parameters are level, rate, rule, swift"),
        ("swift=maybe", "true or false"),
        ("3, level=4", "level is given twice"),
        ("1, 0.5, standard, 7", "'7' means nothing"),
        ("rate=nan", "rate must be"),
        ("9" * 50, "level must be"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(SearchError) as problem:
        Example("example").with_parameters(text)
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


def test_every_name_reads_in_again() -> None:
    game = load("tic_tac_toe")
    for name, algorithm in ALGORITHMS.items():
        assert algorithm_named(name, game) == algorithm
        assert algorithm_named(str(algorithm), game) == algorithm
        if TREES in algorithm.parameters:
            assert algorithm_named(f"{name}(7)", game).trees == algorithm_named(f"{name}(trees=7)", game).trees == 7
            assert str(algorithm_named(f"{name}( 7 )", game)) == f"{name}(7)"


@pytest.mark.parametrize(
    "text", ["determinized(0)", "determinized(3", "determinized(x=3)", "determinized(2, 3)", "uct)", "", "uct(())"]
)
def test_bad_names(text: str) -> None:
    with pytest.raises(SearchError):
        algorithm_named(text, load("tic_tac_toe"))
