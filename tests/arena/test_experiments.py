"""The papers' experiments: all files read, all players can play, claims are judged honestly, everything is written."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from icarus.arena.claims import verdicts
from icarus.arena.effects import analysis, effects_of
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Experiment, Results, build, cell_name, names, read_experiment
from icarus.arena.match import GameRecord, outcome
from icarus.arena.reproduce import duration, expected_seconds, reproduce
from icarus.arena.schedule import Cell, Schedule, match_schedule
from icarus.arena.statement import HOLDS, OPEN, REFUTED
from icarus.jit import JIT
from icarus.search import Search

compiled_only = pytest.mark.skipif(not JIT, reason="plays many games: too slow as plain Python")

PAPERS = (
    [f"icarus-fig{n}" for n in (3, 4, 5)]
    + [f"bandits-fig{n}" for n in (1, 2, 3)]
    + [f"ismcts-fig{n}" for n in (6, 7, 8, 9, 10, 11, 13, 14, 15)]
    + ["ismcts-table2", "ismcts-depth"]
    + [f"rave-table{n}" for n in (2, 3, 4, 5, 6, 7, 8)]
    + ["survey-samegame", "survey-morpion"]
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
        ({"beats_opponent": "A"}, {"A": 0.6}, 1000, HOLDS),
        ({"beats_opponent": "A"}, {"A": 0.4}, 1000, REFUTED),
        ({"beats_opponent": "A"}, {"A": 0.52}, 100, OPEN),
        ({"loses_to_opponent": "A"}, {"A": 0.4}, 1000, HOLDS),
        ({"loses_to_opponent": "A"}, {"A": 0.6}, 1000, REFUTED),
        ({"holds_against_opponent": "A"}, {"A": 0.55}, 1000, HOLDS),
        ({"holds_against_opponent": "A"}, {"A": 0.4}, 1000, REFUTED),
        ({"average": "A", "over": ["B"]}, {"A": 0.6, "B": 0.5}, 2000, HOLDS),
        ({"average": "A", "over": ["B"]}, {"A": 0.5, "B": 0.6}, 2000, REFUTED),
        ({"average": "A", "value": 0.6}, {"A": 0.6}, 3000, HOLDS),
        ({"average": "A", "value": 0.7}, {"A": 0.6}, 3000, REFUTED),
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
    effects = {effect.factor: effect for effect in effects_of(results)}
    assert effects["N"].estimate == pytest.approx(0.2, abs=0.05)
    assert effects["N"].p < 1e-6 < effects["R"].p
    assert [(line["row"], line["enhancement"]) for line in analysis(results)] == [("all", "NAST"), ("all", "RAVE")]
    sure = against([{"id": "X", "text": "x", "checks": [{"anova": "N", "p": 0.001}]}], labels)
    assert verdicts(Results(sure, results.schedule, [r for rs in results.records.values() for r in rs]))[0].verdict == HOLDS
    turned = against([{"id": "X", "text": "x", "checks": [{"factor": "N", "effect": "down"}]}], labels)
    assert verdicts(Results(turned, results.schedule, [r for rs in results.records.values() for r in rs]))[0].verdict == REFUTED


@pytest.mark.parametrize(
    "check, factor, plies, verdict",
    [
        ({"visits": "A", "over": ["B"], "low": 1.1, "high": 1.3}, 1.2, 0.0, HOLDS),
        ({"visits": "A", "over": ["B"], "low": 1.1, "high": 1.3, "together": True}, 1.2, 0.0, HOLDS),
        ({"visits": "A", "over": ["B"], "low": 1.1, "high": 1.3}, 1.0, 0.0, REFUTED),
        ({"deeper": "A", "than": ["B"], "low": 0.5, "high": 1.5}, 1.0, 1.0, HOLDS),
        ({"deeper": "A", "than": ["B"], "low": 0.5, "high": 1.5}, 1.0, 0.0, REFUTED),
    ],
)
def test_claims_about_searches_are_judged_over_the_players_own_seats(
    check: dict[str, object], factor: float, plies: float, verdict: str
) -> None:
    """Claim I8: the opponents' searches, in the other seat, are of another kind altogether."""
    played = games(against([{"id": "X", "text": "x", "checks": [check]}]), {"A": 0.5, "B": 0.5}, 200)
    rng = np.random.default_rng(1)
    searched = []
    for records in played.records.values():
        better = records[0].cell.endswith("A")
        for record in records:
            share = 0.5 * (factor if better else 1.0) * float(rng.uniform(0.9, 1.1))
            depth = 8 + (plies if better else 0.0) + float(rng.uniform(-1, 1))
            mine = record.seating.index(0)
            shares, depths = ((value, 99.0) if mine == 0 else (99.0, value) for value in (share, depth))
            searched.append(replace(record, share=shares, depth=depths))
    assert verdicts(Results(played.experiment, played.schedule, searched))[0].verdict == verdict


def test_who_shares_the_highest_reward_wins_or_draws_as_the_paper_counts() -> None:
    rewards, zero = (1.0, 1.0, 0.0), (0.0, 0.0, 0.0)
    cell = Cell("c", "gdl:ttcc4_3p", ("random", "random"), ((0, 1, 1),), 1)
    record = GameRecord("c", 0, cell.game, 0, (), (0, 1, 1), (), rewards, (0,) * 3, (0,) * 3, zero, zero, zero, 0.0)
    assert outcome(cell, record, 0) == 1.0
    assert [outcome(replace(cell, equal_first="draw"), record, player) for player in (0, 1)] == [0.5, 0.5]
    alone = replace(record, rewards=(0.5, 1.0, 1.0))
    assert [outcome(replace(cell, equal_first="draw"), alone, player) for player in (0, 1)] == [0.0, 1.0]


def test_published_numbers_of_a_cell_that_is_not_there_are_refused() -> None:
    rows = [{"name": "row", "game": "tic_tac_toe"}]
    source = {"title": "t", "paper": "p", "layout": "against", "figure": "table", "games": 2, "players": ["random"], "rows": rows}
    with pytest.raises(ArenaError, match="row · B"):
        build("trial", {**source, "opponent": "random", "published": {"row · B": 0.5}})


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


def measured(values: dict[str, list[float]]) -> Results:
    """Results of bandits-fig3 in Hearts: visits per trial for each N."""
    experiment = read_experiment("bandits-fig3")
    records = [
        GameRecord(cell_name("Hearts", n), i, "", 0, (), (), (), (), (), (), (), (), (), 0.0, values=(("visits", visits),))
        for n, found in values.items()
        for i, visits in enumerate(found)
    ]
    return Results(experiment, experiment.schedule(), records)


def test_measurements_are_compared_trial_by_trial() -> None:
    """Trials differ a hundredfold, the columns in each of them by four; where nothing was measured nothing is compared."""
    results = measured({"1": [8, 90, 800, 7, math.nan], "2": [2, 20, 210, 2, 5], "3": [2, math.nan, 210, 2, 5]})
    texts = {s.text: s.verdict for v in verdicts(results) for s in v.statements if s.text.startswith("Hearts")}
    falls = next(text for text in texts if "at 1 over those at 2" in text)
    assert texts[falls] == HOLDS and "× 3.94" in falls
    assert next(verdict for text, verdict in texts.items() if "at 2 over those at 3" in text) == REFUTED


def test_two_measurements_far_apart_decide_nothing() -> None:
    """The interval was wider than a number can be, and the run ended with an overflow."""
    (verdict,) = verdicts(measured({"1": [1, 1e300], "2": [1, 1]}))
    assert verdict.verdict == OPEN and any("inf" in statement.text for statement in verdict.statements)


PUZZLES = {
    "title": "t", "paper": "p", "layout": "measure", "measure": "scores", "figure": "table", "games": 9,
    "players": [{"name": "A", "player": "nmcs(1)@1000"}, {"name": "cut", "player": "nmcs(1)@7"}, {"name": "B", "player": "sp@9"}],
    "rows": [{"name": "short", "game": "left_move(6)"}, {"name": "long", "game": "left_move(8)"}],
}  # fmt: skip


def test_scores_of_puzzles_are_those_of_whole_runs_or_of_the_best_playout() -> None:
    from icarus.arena.measure import measure

    schedule = build("trial", PUZZLES).schedule()
    found = {name: measure(schedule, schedule.cell(f"short · {name}"), 3) for name in ("A", "cut", "B")}
    whole = Search("left_move(6)", algorithm="nmcs(1)", seed=schedule.seed_of(schedule.cell("short · A"), 3))
    whole.run(runs=1)
    assert dict(found["A"].values)["score"] == whole.run_scores[-1] and found["A"].iterations == (whole.iterations,)
    assert found["cut"].iterations == (7,) and found["B"].iterations == (9,)
    assert all(0 <= dict(record.values)["score"] <= 6 and dict(record.values)["processor"] >= 0 for record in found.values())


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        ({"total": "A", "value": "score", "at_least": 28}, HOLDS),
        ({"total": "A", "value": "score", "at_least": 30}, OPEN),
        ({"total": "A", "value": "score", "at_least": 32}, REFUTED),
        ({"total": "B", "value": "score", "at_least": 1}, OPEN),  # one row was not measured
        ({"reaches": ["A"], "what": "score", "value": 32}, HOLDS),
        ({"reaches": ["A"], "what": "score", "value": 33}, OPEN),
        ({"reaches": ["A", "B"], "what": "score", "value": 99, "rows": ["short"]}, HOLDS),
        ({"reaches": ["B"], "what": "score", "value": 1}, OPEN),
    ],
)
def test_totals_over_rows(check: dict[str, object], verdict: str) -> None:
    """Two rows, 10 and 20 give or take one; the total's interval is about 30 ± 0.9."""
    experiment = build("trial", {**PUZZLES, "claims": [{"id": "X", "text": "x", "checks": [check]}]})
    scores = {("short", "A"): [9, 11] * 5, ("long", "A"): [19, 21] * 5, ("short", "B"): [99]}
    records = [
        GameRecord(cell_name(*cell), n, "", 0, (), (), (), (), (), (), (), (), (), 0.0, values=(("score", float(score)),))
        for cell, found in scores.items()
        for n, score in enumerate(found)
    ]
    assert verdicts(Results(experiment, experiment.schedule(), records))[0].verdict == verdict


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


@compiled_only
def test_a_table_of_rave_2016_is_played_on_its_rule_sheets(tmp_path: Path) -> None:
    """Two games, one of them with simultaneous moves, a few milliseconds per move; numbers stand beside the paper's."""
    pytest.importorskip("matplotlib")
    found = reproduce("rave-table4", scale=0.001, budget=0.002, jobs=1, folder=tmp_path, rows=["3D Tic Tac Toe", "Battle"])
    assert found.results.games == 2 * 3 * 2
    assert {verdict.verdict for verdict in found.verdicts} == {OPEN}
    with (tmp_path / "rave-table4.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["row"]: row["published"] for row in rows if row["column"] == "HRAVE"} == {
        "3D Tic Tac Toe": "0.64",
        "Battle": "0.737",
    }
    assert (tmp_path / "rave-table4.png").is_file()


@compiled_only
def test_grave_keeps_several_times_as_many_statistics_as_rave() -> None:
    """Claim R4 in Breakthrough, where the paper has 3.49 and 21.14 per node."""
    from icarus.arena.measure import statistics

    schedule = read_experiment("rave-table8").schedule()
    cells = {label: schedule.cell(f"Breakthrough · {label}") for label in ("RAVE", "GRAVE")}
    few = {label: replace(cell, players=(cell.players[0].replace("@1s", "@1000"),)) for label, cell in cells.items()}
    kept = {label: float(np.mean([statistics(cell, seed)["statistics"] for seed in range(5)])) for label, cell in few.items()}
    assert 1 < kept["RAVE"] < kept["GRAVE"] / 2


@compiled_only
def test_one_determinization_searches_deeper_than_forty() -> None:
    """Claim S3 with a tenth of the iterations."""
    from icarus.arena.measure import depths

    schedule = read_experiment("ismcts-depth").schedule(budget=0.1)
    found = {cell.name: float(np.mean([depths(cell, seed)["depth"] for seed in range(3)])) for cell in schedule.cells}
    for what in ("tree", "node"):
        assert found[f"LOTR:C · 1 × 10 000, {what}"] > found[f"LOTR:C · 40 × 250, {what}"]
    assert found["LOTR:C · 1 × 10 000, tree"] > found["LOTR:C · 1 × 10 000, node"] > 1


def test_the_expected_cost_grows_with_games_and_budget() -> None:
    small = match_schedule("connect_four", ["uct@1000", "uct@1000"], 10)
    large = match_schedule("connect_four", ["uct@10000", "uct@10000"], 100)
    assert expected_seconds(large, 1) > 20 * expected_seconds(small, 1) > 0
    held = {("match", n) for n in range(10)}
    assert expected_seconds(small, 1, held) == 0
    timed = Schedule((replace(small.cells[0], players=("uct@2s", "random")),))
    assert expected_seconds(timed, 1) > 50
    assert [duration(s) for s in (5, 600, 36000, 864000)] == ["5 s", "10 min", "10.0 h", "10.0 days"]
