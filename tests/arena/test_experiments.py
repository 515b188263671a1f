"""The papers' experiments: all files read, all players can play, claims are judged honestly, everything is written."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from icarus.arena.claims import HOLDS, OPEN, REFUTED, verdicts
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, Results, build, cell_name, names, read_experiment
from icarus.arena.match import GameRecord
from icarus.arena.reproduce import duration, effects_of, expected_seconds, reproduce
from icarus.arena.schedule import Schedule, match_schedule
from icarus.engine.native import JIT

compiled_only = pytest.mark.skipif(not JIT, reason="plays many games: too slow as plain Python")

PAPERS = (
    [f"icarus-fig{n}" for n in (3, 4, 5)]
    + [f"bandits-fig{n}" for n in (1, 2, 3)]
    + [f"ismcts-fig{n}" for n in (6, 7, 8, 9, 10, 11, 13, 14, 15)]
    + ["ismcts-table2"]
    + [f"rave-table{n}" for n in (2, 3, 4, 5, 6, 7, 8)]
)


def test_every_figure_and_table_of_the_four_papers_is_there() -> None:
    assert set(PAPERS) <= set(names())


@pytest.mark.parametrize("name", PAPERS)
def test_an_experiment_can_be_read_scheduled_and_judged(name: str) -> None:
    experiment = read_experiment(name)
    schedule = experiment.schedule()
    assert all(cell.games >= experiment.games for cell in schedule.cells)
    # without a single game every claim is open
    assert all(verdict.verdict == OPEN for verdict in verdicts(Results(experiment, schedule, [])))
    small = experiment.schedule(scale=0.001)
    assert small.games < schedule.games
    assert small.identity() == schedule.identity(), "a small run can be continued by a larger one"


def test_an_unknown_experiment_and_row_are_refused_with_a_hint() -> None:
    with pytest.raises(ArenaError, match="did you mean icarus-fig4"):
        read_experiment("icarus-fig44")
    with pytest.raises(ArenaError, match="Othello"):
        read_experiment("icarus-fig4").schedule(rows=["Go"])
    with pytest.raises(ArenaError, match="above zero"):
        read_experiment("icarus-fig4").schedule(scale=0)


def test_rows_that_are_left_out_get_no_games_but_stay_in_the_configuration() -> None:
    experiment = read_experiment("icarus-fig5")
    one = experiment.schedule(rows=["Othello"])
    assert {cell.game for cell in one.cells if cell.games} == {"othello"}
    assert one.identity() == experiment.schedule().identity()


# --- verdicts --------------------------------------------------------------------------------------------------------


def against(claims: list[dict[str, object]], players: tuple[str, ...] = ("A", "B")) -> Experiment:
    return build(
        "trial",
        {
            "title": "t",
            "paper": "p",
            "layout": "against",
            "figure": "bars",
            "games": 100,
            "player": "random",
            "players": list(players),
            "opponent": "random",
            "rows": [{"name": "row", "game": "tic_tac_toe"}],
            "claims": claims,
        },
    )


def games(experiment: Experiment, rates: dict[str, float], number: int, seed: int = 0) -> Results:
    """Results in which each column wins at a given rate."""
    rng = np.random.default_rng(seed)
    schedule, records = experiment.schedule(), []
    for label, rate in rates.items():
        cell = schedule.cell(cell_name("row", label))
        for n, won in enumerate(rng.random(number) < rate):
            seating = cell.seating(n)
            rewards = tuple(float((i == 0) == won) for i in seating)
            zero = (0.0, 0.0)
            records.append(
                GameRecord(cell.name, n, cell.game, 0, cell.players, seating, (), rewards, (0, 0), (0, 0), zero, zero, zero, 0.0)
            )
    return Results(experiment, schedule, records)


def verdict_of(check: dict[str, object], rates: dict[str, float], number: int) -> str:
    experiment = against([{"id": "X", "text": "x", "checks": [check]}])
    return verdicts(games(experiment, rates, number))[0].verdict


@pytest.mark.parametrize(
    "check, rates, number, verdict",
    [
        ({"better": "A", "than": ["B"]}, {"A": 0.8, "B": 0.4}, 300, HOLDS),
        ({"better": "A", "than": ["B"]}, {"A": 0.4, "B": 0.8}, 300, REFUTED),
        ({"better": "A", "than": ["B"]}, {"A": 0.5, "B": 0.5}, 30000, REFUTED),
        ({"better": "A", "than": ["B"]}, {"A": 0.55, "B": 0.5}, 50, OPEN),
        ({"same": ["A", "B"]}, {"A": 0.5, "B": 0.5}, 5000, HOLDS),
        ({"same": ["A", "B"]}, {"A": 0.9, "B": 0.5}, 500, REFUTED),
        ({"same": ["A", "B"]}, {"A": 0.5, "B": 0.5}, 100, OPEN),
        ({"not_worse": "A", "than": ["B"]}, {"A": 0.6, "B": 0.5}, 1000, HOLDS),
        ({"not_worse": "A", "than": ["B"]}, {"A": 0.4, "B": 0.6}, 1000, REFUTED),
        ({"rate": "A", "value": 0.6}, {"A": 0.6, "B": 0.5}, 2000, HOLDS),
        ({"rate": "A", "value": 0.4}, {"A": 0.6, "B": 0.5}, 2000, REFUTED),
        ({"difference": ["A", "B"], "value": 0.2}, {"A": 0.7, "B": 0.5}, 5000, HOLDS),
        ({"difference": ["A", "B"], "value": 0.2}, {"A": 0.5, "B": 0.5}, 5000, REFUTED),
    ],
)
def test_a_claim_is_reproduced_refuted_or_open(
    check: dict[str, object], rates: dict[str, float], number: int, verdict: str
) -> None:
    assert verdict_of(check, rates, number) == verdict


def test_an_open_claim_names_the_games_that_would_decide_it_and_they_do() -> None:
    experiment = against([{"id": "X", "text": "x", "checks": [{"better": "A", "than": ["B"]}]}])
    (verdict,) = verdicts(games(experiment, {"A": 0.58, "B": 0.5}, 200))
    assert verdict.verdict == OPEN
    assert 0 < verdict.needed < 20000
    (later,) = verdicts(games(experiment, {"A": 0.58, "B": 0.5}, 4 * (200 + verdict.needed)))
    assert later.verdict == HOLDS


def test_a_true_claim_is_seldom_refuted() -> None:
    """A is better by five points: seeded experiments call that refuted in well under 5 % of cases."""
    experiment = against([{"id": "X", "text": "x", "checks": [{"better": "A", "than": ["B"]}]}])
    wrong = sum(verdicts(games(experiment, {"A": 0.55, "B": 0.5}, 400, seed))[0].verdict == REFUTED for seed in range(200))
    assert wrong <= 5


def test_games_with_another_budget_decide_nothing() -> None:
    experiment = against([{"id": "X", "text": "x", "checks": [{"better": "A", "than": ["B"]}]}])
    (verdict,) = verdicts(games(experiment, {"A": 0.8, "B": 0.4}, 300), budget=0.1)
    assert verdict.verdict == OPEN
    assert verdict.at_this_budget == HOLDS


def test_effects_of_enhancements_over_all_combinations() -> None:
    labels = ("-", "N", "R", "NR")
    check = [{"factor": "N", "effect": "up"}, {"factor": "R", "effect": "none"}, {"factor": "R", "effect": "not down"}]
    experiment = against([{"id": "X", "text": "x", "checks": check}], labels)
    results = games(experiment, {label: 0.6 if "N" in label else 0.4 for label in labels}, 12000)
    assert verdicts(results)[0].verdict == HOLDS
    effects = {name: (effect, p) for name, effect, p in effects_of(results)}
    assert effects["N"][0] == pytest.approx(0.2, abs=0.05)
    assert effects["N"][1] < 1e-6 < effects["R"][1]
    turned = against([{"id": "X", "text": "x", "checks": [{"factor": "N", "effect": "down"}]}], labels)
    assert verdicts(Results(turned, results.schedule, [r for rs in results.records.values() for r in rs]))[0].verdict == REFUTED


# --- whole experiments -----------------------------------------------------------------------------------------------


@compiled_only
def test_a_round_robin_from_games_to_report(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    told: list[tuple[int, float]] = []
    options = {"scale": 0.003, "budget": 0.001, "seed": 1, "folder": tmp_path / "out"}
    found = reproduce("ismcts-fig9", jobs=1, before=lambda s, seconds: told.append((s.games, seconds)), **options)
    assert told[0][0] == found.results.games == 36 * 2
    assert told[0][1] > 0
    assert {file.name for file in (tmp_path / "out").iterdir()} >= {
        "games.sqlite", "ismcts-fig9.png", "ismcts-fig9.svg", "ismcts-fig9.csv", "ismcts-fig9.html", "ismcts-fig9-verdicts.json",
    }  # fmt: skip
    judged = json.loads((tmp_path / "out" / "ismcts-fig9-verdicts.json").read_text())
    assert judged[0]["verdict"] == "undecided"
    page = (tmp_path / "out" / "ismcts-fig9.html").read_text()
    assert "<svg" in page
    assert "0.1 % of the paper" in page
    assert 'src="' not in page, "the report is one file"
    # the same games, shown another way, without playing anything
    again = reproduce("ismcts-fig10", jobs=1, resume=True, **options)
    assert again.run.played == 0
    with (tmp_path / "out" / "ismcts-fig10.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["opponent"] == "all" and row["seat"] == "both"]
    assert len(rows) == 6
    assert all(int(row["games"]) == 20 for row in rows)


def test_a_measurement_is_stored_and_judged_like_games(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = reproduce("ismcts-fig13", scale=0.08, budget=0.02, jobs=1, folder=tmp_path, rows=["Phantom (4, 4, 4)"])
    speeds = found.results.values("Phantom (4, 4, 4)", "MO-ISMCTS", "speed")
    assert len(speeds) == 2
    assert all(speed > 0 for speed in speeds)
    assert found.results.values("Dou Di Zhu", "MO-ISMCTS", "speed") == []


@compiled_only
def test_longer_ngrams_are_visited_less(tmp_path: Path) -> None:
    """Claim B5 at a small budget, in one game: the mean number of visits falls with N, and all visits are counted."""
    from icarus.arena.measure import ngrams

    schedule = read_experiment("bandits-fig3").schedule(budget=0.05)
    means = [float(np.mean([ngrams(schedule.cell(f"Dou Di Zhu · {n}"), seed)["visits"] for seed in range(3)])) for n in "1234"]
    assert means[0] > 2 * means[1] > 2 * means[2]
    assert means[2] > means[3] >= 1


@pytest.mark.parametrize("name", PAPERS)
def test_every_player_of_an_experiment_can_play_its_games(name: str) -> None:
    read_experiment(name).check()


@compiled_only
def test_leading_plays_agree_with_table_2(tmp_path: Path) -> None:
    """The two cheap rows of table II of ismcts-2012; the mean over 400 deals is within five standard errors of 87.7."""
    from icarus.arena.measure import leads

    experiment = read_experiment("ismcts-table2")
    schedule = experiment.schedule()
    found = [leads(schedule.cell("Dou Di Zhu · true deal"), seed)["leads"] for seed in range(400)]
    error = float(np.std(found, ddof=1)) / 20
    assert abs(float(np.mean(found)) - 87.7) < 5 * error
    few = leads(schedule.cell("Dou Di Zhu · 40 determinizations"), 3)["leads"]
    assert few > leads(schedule.cell("Dou Di Zhu · true deal"), 3)["leads"]


def test_the_expected_cost_grows_with_games_and_budget() -> None:
    small = match_schedule("connect_four", ["uct@1000", "uct@1000"], 10)
    large = match_schedule("connect_four", ["uct@10000", "uct@10000"], 100)
    assert expected_seconds(large, 1) > 20 * expected_seconds(small, 1) > 0
    held = {("match", n) for n in range(10)}
    assert expected_seconds(small, 1, held) == 0
    timed = Schedule((replace(small.cells[0], players=("uct@2s", "random")),))
    assert expected_seconds(timed, 1) > 50
    assert [duration(s) for s in (5, 600, 36000, 864000)] == ["5 s", "10 min", "10.0 h", "10.0 days"]
