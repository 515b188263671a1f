"""Combinations of strategies (section 4.4 of icarus-2014): the engine and Algorithm 1 choose and remember the same."""

from __future__ import annotations

import pytest

from icarus.strategy import (
    AMAF,
    EPIC,
    EXP3,
    GRAVE,
    HRAVE,
    LGRF,
    LGRF2,
    MAST,
    NAST,
    PAST,
    RAVE,
    TOMAST,
    UCB1,
    Baseline,
    EpsilonGreedy,
    Greedy,
    Heuristic,
    Linear,
    Maxilinear,
    ProgressiveBias,
    ProgressiveHistory,
    ProgressiveUnpruning,
    RaveWeight,
    RouletteWheel,
    Strategy,
    Tiles,
    UCB1Sum,
    UCB1Tuned,
    Vote,
)
from tests.oracle.comparing import assert_same_strategy, game_named, position_after

#: perfect information, chance, hidden information (three players), partially observable moves, all of it (three players)
GAMES = {
    "dressed mnk(3,3,3)": "uct",
    "open bazaar(2,2)": "uct",
    "dressed kuhn_poker(3)": "mo",
    "dressed phantom(3,2,2)": "mo",
    "bazaar(3,2)": "mo",
}

TABLE_1 = {
    name: tree >> simulation if simulation is not None else tree
    for r, tree in (("", Baseline()), ("R", RAVE()))
    for name, simulation in (
        (r or "-", None),
        (f"N{r}", NAST(2)),
        (f"{r}M", MAST()),
        (f"N{r}M", (MAST() + NAST(2)) / 2),
        (f"{r}L", LGRF()),
        (f"N{r}L", (LGRF() + NAST(2)) / 2),
        (f"{r}ML", (MAST() + LGRF()) / 2),
        (f"N{r}ML", (MAST() + LGRF() + NAST(2)) / 3),
    )
}

NAMED: list[Strategy] = [
    RAVE(k=10),
    RAVE(k=10, c=0.4, formula="cadia") >> MAST(policy=EpsilonGreedy(0.4)),
    GRAVE(ref=5, k=20),
    GRAVE(ref=5, formula="maxilinear") >> NAST(2),
    GRAVE(ref=0),
    HRAVE(k=20),
    HRAVE(k=20, formula="maxilinear"),
    ProgressiveBias(w=0.5) >> Heuristic(policy=EpsilonGreedy(0.3)),
    ProgressiveHistory(),
    ProgressiveHistory(w=1) >> MAST(),
    ProgressiveUnpruning(initial=1, a=2, b=1.5),
    ProgressiveUnpruning(initial=2, a=1, b=2) >> PAST(),
]

OPERATORS: list[Strategy] = [
    # sequential, also of sums and within sums
    (MAST(policy=UCB1()) + Baseline()) / 2 >> EPIC(),
    (Baseline() >> MAST()) / 2 + NAST(2) / 2,
    (Baseline() >> Tiles()) >> (Baseline() >> PAST()),
    # linear with constant and with changing weights, of several components, one within another
    0.2 * MAST() + 0.3 * LGRF() + 0.5 * Baseline(),
    Linear(MAST(), Baseline(), weight=RaveWeight(5)),
    Linear(LGRF2(), (NAST(2) + Baseline()) / 2, weight=0.25) >> (TOMAST() + Tiles() + EPIC()) / 3,
    # maxilinear, of two and of three
    Maxilinear(MAST(policy=UCB1Sum()), Baseline(), weight=0.3),
    Maxilinear(AMAF(policy=Greedy()), Baseline(), weight=RaveWeight(5)) >> MAST(policy=RouletteWheel()),
    Maxilinear(MAST(policy=Greedy()), Maxilinear(NAST(2), Baseline(), weight=0.25), weight=RaveWeight(8)),
    Maxilinear(LGRF(), Baseline(), weight=0.125),
    # majority votes, in the tree and in simulations
    Vote(Baseline(), MAST(), NAST(2)),
    RAVE(k=10) >> Vote(MAST(), LGRF(), NAST(2), EPIC()),
    (Vote(Baseline(), LGRF2(), RAVE(k=5)) + Baseline()) / 2,
    # two policies on one capture, two captures of one kind
    (MAST(policy=UCB1()) + MAST() + Baseline()) / 3,
    Baseline() >> (NAST(2) + NAST(3, policy=UCB1Tuned()) + NAST(3, policy=EXP3())) / 3,
    Maxilinear(AMAF(), Baseline(), weight=RaveWeight(3)) >> (MAST(policy=EXP3()) + TOMAST(policy=EXP3())) / 2,
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", TABLE_1)
def test_the_combinations_of_table_1(name: str, game: str) -> None:
    assert_same_strategy(TABLE_1[name], position_after(game, 1, 6), GAMES[game], 6, most=60)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("strategy", NAMED, ids=str)
def test_combinations_with_a_name(strategy: Strategy, game: str) -> None:
    for seed, plies in ((1, 0), (2, 3)):
        assert_same_strategy(strategy, position_after(game, plies, seed), GAMES[game], seed, most=60)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("strategy", OPERATORS, ids=str)
def test_operators(strategy: Strategy, game: str) -> None:
    assert_same_strategy(strategy, position_after(game, 1, 8), GAMES[game], 8, most=60)


@pytest.mark.parametrize("algorithm", ["so", "mo"])
@pytest.mark.parametrize("game", ["goofspiel(3)", "goofspiel(3,'descending')", "sealed(2)", "rock_paper_scissors"])
def test_simultaneous_decisions_keep_exp3_in_the_tree(game: str, algorithm: str) -> None:
    for strategy in (RAVE(k=10) >> (MAST() + LGRF() + NAST(2)) / 3, GRAVE(ref=3), Baseline() >> Vote(MAST(), Tiles())):
        assert_same_strategy(strategy, position_after(game, 0, 9), algorithm, 9, most=60)


@pytest.mark.parametrize("algorithm", ["so", "pom"])
@pytest.mark.parametrize("game", ["dressed kuhn_poker(3)", "dressed phantom(3,2,2)", "bazaar(3,2)"])
def test_simulations_do_not_care_how_histories_name_nodes(game: str, algorithm: str) -> None:
    for simulation in (MAST(policy=UCB1()), TOMAST(), NAST(3), EPIC(), PAST(), LGRF2(), Tiles()):
        assert_same_strategy(Baseline() >> simulation, position_after(game, 1, 10), algorithm, 10, most=60)


@pytest.mark.parametrize("algorithm", ["so", "pom"])
@pytest.mark.parametrize("game", ["dressed phantom(3,2,2)", "bazaar(3,2)", "figure3(True)"])
def test_enhancements_of_a_single_tree(game: str, algorithm: str) -> None:
    """In POM an opponent's choice is a move: what a strategy knows of it is what it knows of an action of that number."""
    for strategy in (RAVE(k=10), GRAVE(ref=4), HRAVE(k=10, formula="maxilinear"), Vote(Baseline(), MAST(), NAST(2))):
        assert_same_strategy(strategy, position_after(game, 1, 11), algorithm, 11, most=60)


@pytest.mark.parametrize("algorithm", ["so", "pom", "mo"])
def test_even_visits_of_outcomes(algorithm: str) -> None:
    for strategy in (RAVE(k=10) >> MAST(), GRAVE(ref=4), Baseline() >> EPIC()):
        assert_same_strategy(strategy, position_after("bazaar(3,2)", 1, 12), algorithm, 12, most=60, chance="even")


@pytest.mark.parametrize(
    ("game", "algorithm"), [("backgammon", "uct"), ("othello", "uct"), ("doudizhu", "mo"), ("hearts", "mo"), ("checkers", "uct")]
)
def test_the_papers_games(game: str, algorithm: str) -> None:
    """Few iterations of long playouts, begun in the middle of an episode."""
    for seed, plies in ((1, 2), (2, 7)):
        position = position_after(game, plies, seed)
        strategy = RAVE() >> (MAST() + LGRF() + NAST(2)) / 3
        assert_same_strategy(strategy, position, algorithm, seed, most=3)
        if game_named(game).episode is not None:
            assert_same_strategy(Baseline() >> EPIC(), position, algorithm, seed, most=5)
