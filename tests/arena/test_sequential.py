"""Which games a sequential run plays next, and that choosing them by what was seen does not make verdicts wrong."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from icarus.arena.claims import exhausted, verdicts
from icarus.arena.experiment import Experiment, Results, read_experiment
from icarus.arena.match import GameRecord
from icarus.arena.measurements import mean_of_rows
from icarus.arena.sequential import LOOKS, Market, looks_of, next_part, shortened
from icarus.arena.statement import HOLDS, OPEN, REFUTED, further
from tests.arena.test_experiments import against, games


def claim(*checks: dict[str, Any], players: tuple[str, ...] = ("A", "B", "C", "D"), number: int = 1000) -> Experiment:
    experiment = against([{"id": "X", "text": "x", "checks": list(checks)}], players)
    return replace(experiment, games=number)


def next_cells(experiment: Experiment, results: Results) -> dict[str, int]:
    """How many games the next part has, by player."""
    whole = experiment.schedule()
    part = next_part(whole, results, verdicts(results, looks=len(LOOKS)), {cell.name for cell in whole.cells})
    return {} if part is None else {cell.name.removeprefix("row · "): cell.games for cell in part.cells if cell.games}


def test_looks_are_the_shares_of_the_games_and_earlier_ones_where_there_are_very_many() -> None:
    assert looks_of(1000) == [50, 100, 200, 400, 700, 1000]
    assert looks_of(100) == [5, 10, 20, 40, 70, 100]
    many = looks_of(375_000)
    assert many[:3] == [64, 128, 256] and many[-6:] == [18_750, 37_500, 75_000, 150_000, 262_500, 375_000]
    assert many == sorted(set(many))


def test_the_comparison_that_falls_first_is_played_first() -> None:
    """A beside B would take all games; C is far below D, and that refutes the claim: only their games go on."""
    experiment = claim({"better": "A", "than": ["B"]}, {"better": "C", "than": ["D"]})
    results = games(experiment, {"A": 0.5, "B": 0.5, "C": 0.4, "D": 0.6}, 50)
    (verdict,) = verdicts(results, looks=len(LOOKS))
    assert [statement.verdict for statement in verdict.statements] == [OPEN, OPEN]
    assert verdict.statements[1].to_refute < verdict.statements[0].to_refute
    assert next_cells(experiment, results) == {"C": 100, "D": 100}


def test_a_claim_that_looks_true_is_confirmed_comparison_by_comparison() -> None:
    experiment = claim({"better": "A", "than": ["B", "C"]})
    results = games(experiment, {"A": 0.75, "B": 0.55, "C": 0.45, "D": 0.5}, 50, seed=1)
    played = next_cells(experiment, results)
    assert "A" in played and set(played) <= {"A", "B", "C"} and set(played.values()) == {100}


def test_the_cheaper_claim_is_decided_first() -> None:
    """Both are as open; the games of one are a hundred times as long."""
    experiment = against(
        [
            {"id": "slow", "text": "x", "checks": [{"better": "A", "than": ["B"]}]},
            {"id": "quick", "text": "x", "checks": [{"better": "C", "than": ["D"]}]},
        ],
        ("A", "B", "C", "D"),
    )
    experiment = replace(experiment, games=1000)
    results = games(experiment, {"A": 0.5, "B": 0.5, "C": 0.5, "D": 0.5}, 50)
    timed = [
        replace(record, elapsed=10.0 if name[-1] in "AB" else 0.1) for name, held in results.records.items() for record in held
    ]
    assert set(next_cells(experiment, Results(experiment, results.schedule, timed))) == {"C", "D"}


def test_what_was_not_played_costs_what_its_players_think() -> None:
    """Figure 14 goes from one second to thirty; a game of the one says what one of the other takes."""
    experiment = read_experiment("ismcts-fig14")
    whole = experiment.schedule(as_published=True)
    played = whole.cell("MO-ISMCTS as Light · 3")
    record = replace(games(claim(), {"A": 1.0}, 1).of_cell("row · A")[0], cell=played.name, elapsed=2.0)
    market = Market(whole, Results(experiment, whole, [record]), set())
    assert market.seconds[played.name] == 2.0
    assert market.seconds["MO-ISMCTS as Light · 30"] == pytest.approx(20.0)
    assert market.seconds["determinized UCT as Dark · 3"] == pytest.approx(2.0 * 60_000 / 39_900)


def test_a_side_that_has_fewer_games_catches_up() -> None:
    experiment = claim({"better": "A", "than": ["B"]}, players=("A", "B"))
    results = games(experiment, {"A": 0.55, "B": 0.5}, 400)
    fewer = [record for held in results.records.values() for record in held if record.number < 10 or record.cell.endswith("A")]
    part = next_cells(experiment, Results(experiment, results.schedule, fewer))
    assert part == {"A": 50, "B": 50}, "of which those of A are there already"


def test_a_claim_that_all_games_of_a_comparison_leave_open_can_only_fall() -> None:
    """A beside B has had all games: C beside D (20 points below it so far, or 7 above) is played to refute the claim only."""
    experiment = claim({"better": "A", "than": ["B"]}, {"better": "C", "than": ["D"]}, number=200)
    whole = experiment.schedule()
    for rates, goes_on in (({"C": 0.5, "D": 0.5}, True), ({"C": 0.68, "D": 0.5}, False)):
        full = games(experiment, {"A": 0.5, "B": 0.5, **rates}, 200)
        some = [r for held in full.records.values() for r in held if r.number < 60 or r.cell[-1] in "AB"]
        results = Results(experiment, whole, some)
        (verdict,) = verdicts(results, looks=len(LOOKS))
        assert [statement.cells for statement in exhausted(verdict, results)] == [{"row · A", "row · B"}]
        assert set(next_cells(experiment, results)) == ({"C", "D"} if goes_on else set())


def test_one_comparison_to_the_end_is_enough_where_none_can_be_decided() -> None:
    """Two comparisons of equals: the cheaper one is played to all of the paper's games, and then the claim is left."""
    experiment = claim({"better": "A", "than": ["B"]}, {"better": "C", "than": ["D"]}, number=100)
    whole, played = experiment.schedule(), dict.fromkeys("ABCD", 0)
    full = games(experiment, dict.fromkeys("ABCD", 0.5), 100)
    for _ in range(20):
        some = [
            replace(record, elapsed=3.0 if record.cell[-1] in "AB" else 1.0)
            for held in full.records.values()
            for record in held
            if record.number < max(played[record.cell[-1]], 5)
        ]
        wanted = next_cells(experiment, Results(experiment, whole, some))
        if not wanted:
            break
        played |= wanted
    assert played["C"] == played["D"] == 100 > played["A"]


def test_nothing_is_played_where_all_games_were_or_where_it_is_not_allowed() -> None:
    experiment = claim({"better": "A", "than": ["B"]}, players=("A", "B"), number=100)
    results = games(experiment, {"A": 0.5, "B": 0.5}, 100)
    whole = experiment.schedule()
    (verdict,) = verdicts(results)
    assert verdict.verdict == OPEN
    assert next_part(whole, results, [verdict], {cell.name for cell in whole.cells}) is None
    nothing = Results(experiment, whole, [])
    assert next_part(whole, nothing, verdicts(nothing), set()) is None
    decided = games(experiment, {"A": 0.95, "B": 0.05}, 90)
    assert next_part(whole, decided, verdicts(decided), {cell.name for cell in whole.cells}) is None


@pytest.mark.parametrize("half, margin", [(0.1, 0.05), (0.3, 0.02), (0.06, -0.01)])
def test_how_many_games_more_is_foreseen(half: float, margin: float) -> None:
    """Half of an interval shrinks with the root of the games."""
    more = further(200, half, margin)
    assert half / math.sqrt((200 + more) / 200) == pytest.approx(margin + half / 3)
    assert further(200, 0.03, -0.02) == math.inf


def played_until_decided(experiment: Experiment, rates: dict[str, float], seed: int) -> tuple[str, int]:
    """A sequential run over games that were made up, all of them beforehand."""
    everything = games(experiment, rates, experiment.games, seed)
    whole, looks = experiment.schedule(), len(LOOKS)
    records: list[GameRecord] = []
    while True:
        results = Results(experiment, whole, records)
        found = verdicts(results, looks=looks)
        part = next_part(whole, results, found, {cell.name for cell in whole.cells})
        if part is None:
            return found[0].verdict, len(records)
        held = {(record.cell, record.number) for record in records}
        records += [everything.of_cell(name)[number] for name, number in part.tasks() if (name, number) not in held]


def test_a_false_claim_falls_with_few_games_and_a_true_one_seldom_falls() -> None:
    """Six comparisons, of which one is false by twelve points; and six in which nothing is false."""
    players = tuple("ABCDEFG")
    experiment = claim({"better": "A", "than": list(players[1:])}, players=players)
    rates = {"A": 0.6} | dict.fromkeys(players[1:], 0.5)
    few = []
    for seed in range(6):
        verdict, number = played_until_decided(experiment, rates | {"D": 0.72}, seed)
        assert verdict == REFUTED
        few.append(number)
    assert np.mean(few) < 0.25 * 7 * 1000
    fallen = sum(played_until_decided(experiment, rates, seed)[0] == REFUTED for seed in range(12))
    assert fallen <= 12 * 0.05 + 5 * math.sqrt(12 * 0.05)


def test_a_claim_with_one_false_part_is_seldom_confirmed() -> None:
    """Each comparison holds by its own interval: with five that are true and one that is just false, 5 % at the most."""
    players = tuple("ABCDEFG")
    experiment = claim({"better": "A", "than": list(players[1:])}, players=players, number=400)
    rates = {"A": 0.8, "B": 0.8} | dict.fromkeys(players[2:], 0.2)
    outcomes = [verdicts(games(experiment, rates, 400, seed))[0].verdict for seed in range(80)]
    assert outcomes.count(HOLDS) <= 80 * 0.025 + 5 * math.sqrt(80 * 0.025)
    rates["B"] = 0.6
    assert verdicts(games(experiment, rates, 400))[0].verdict == HOLDS


def test_a_part_is_in_whole_deals() -> None:
    whole = read_experiment("icarus-fig4").schedule()
    part = shortened(whole, {"Hearts · N": 50})
    assert {cell.name: cell.games for cell in part.cells if cell.games} == {"Hearts · N": 52}
    assert part.identity() == whole.identity()


def test_rows_weigh_the_same_however_many_games_they_had() -> None:
    """One row of 400 games around 1, one of 20 around 2: the mean is 1.5, and its interval covers that in most samples."""
    rng = np.random.default_rng(4)
    missed = 0
    for _ in range(400):
        rows = [list(rng.normal(1, 1, 400)), list(rng.normal(2, 1, 20))]
        middle, half = mean_of_rows(rows, 0.95)
        missed += abs(middle - 1.5) > half
    assert missed <= 400 * 0.05 + 5 * math.sqrt(400 * 0.05)
    one = list(rng.normal(0, 1, 12))
    student = stats.ttest_1samp(one, 0).confidence_interval(0.95)
    middle, half = mean_of_rows([one], 0.95)
    assert (middle - half, middle + half) == pytest.approx((student.low, student.high))


def combinations(numbers: dict[str, int]) -> Results:
    """R is good for 40 points, N for nothing; so many games of each combination."""
    experiment = replace(
        against([{"id": "X", "text": "x", "checks": [{"factor": "N", "effect": "none"}]}], ("-", "N", "R", "NR")), games=9000
    )
    full = games(experiment, {label: 0.7 if "R" in label else 0.3 for label in numbers}, max(numbers.values()))
    kept = [r for held in full.records.values() for r in held if r.number < numbers[r.cell.removeprefix("row · ")]]
    return Results(experiment, full.schedule, kept)


@pytest.mark.parametrize("numbers", [{"-": 6000, "N": 6000, "R": 4000, "NR": 8000}, {"-": 8000, "N": 8000, "R": 29, "NR": 8000}])
def test_combinations_weigh_the_same_however_often_each_was_played(numbers: dict[str, int]) -> None:
    """R with N was played more often than R alone; what R brings must not be taken for what N does."""
    (statement,) = verdicts(combinations(numbers))[0].statements
    assert statement.verdict != REFUTED
    assert statement.low is not None and statement.high is not None and statement.low < 0 < statement.high


def test_an_effect_is_open_until_all_combinations_were_played_and_then_has_a_guess() -> None:
    (statement,) = verdicts(combinations({"-": 6000, "N": 6000, "R": 0, "NR": 6000}))[0].statements
    assert statement.verdict == OPEN and statement.effect is None
    assert statement.to_refute == 1, "what was played looks decided"
