"""Verdicts on all claims: results files, what a claim needs, stopping early, and the page."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from icarus.arena.claims import cells_of, verdicts
from icarus.arena.compact import PLAYING, Compact, engine_digest, read_compact, rewards_of, write_compact
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import Results, cell_name, names, read_experiment
from icarus.arena.match import outcome
from icarus.arena.reproduce import reproduce
from icarus.arena.sequential import LOOKS, shortened
from icarus.arena.statement import HOLDS, OPEN, REFUTED
from icarus.arena.verdicts import _claim, _Judged, all_claims, base_of, listing, markdown, results_file
from tests.arena.test_experiments import against, games

ROOT = Path(__file__).parents[2]
CHECK = {"better": "A", "than": ["B"]}


def test_the_engines_name_covers_all_that_decides_how_players_play() -> None:
    """What an arena loads beyond that names games and players, refuses, or shows."""
    listing = "import icarus.arena.match, icarus.arena.players, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()
    parts = {name.split(".")[1] for name in loaded if name.startswith("icarus.")}
    named = {"loading", "preset", "python_game", "rehearsal", "strength", "trust"}
    shown = {"arena", "errors", "markup", "result", "terminal", "tree"}
    assert parts - named - shown <= {name.removesuffix(".py") for name in PLAYING}
    assert all((ROOT / "src/icarus" / name).exists() for name in PLAYING)


def test_a_results_file_gives_back_every_outcome(tmp_path: Path) -> None:
    experiment = against([{"id": "X", "text": "x", "checks": [CHECK]}])
    results = games(experiment, {"A": 0.7, "B": 0.4}, 200)
    records = [record for held in results.records.values() for record in held if record.number != 17]
    file = tmp_path / "trial.json"
    write_compact(file, Compact("trial", 0, records=records), results.schedule, searches=False)
    again = read_compact(file, results.schedule)
    before, after = Results(experiment, results.schedule, records), Results(experiment, results.schedule, again.records)
    for label in ("A", "B"):
        assert after.tally("row", label) == before.tally("row", label)
        assert [r.number for r in after.of_cell(cell_name("row", label))] == [n for n in range(200) if n != 17]
    assert verdicts(after)[0] == verdicts(before)[0]
    assert file.stat().st_size < 3 * len(records), "about a byte a game"


@pytest.mark.parametrize("equal_first", ["win", "draw"])
@pytest.mark.parametrize("seating", [(0, 1), (1, 0), (0, 1, 1), (1, 1, 0, 1)])
def test_rewards_are_made_up_to_fit_their_outcomes(seating: tuple[int, ...], equal_first: str) -> None:
    experiment = against([])
    cell = replace(experiment.schedule().cells[0], equal_first=equal_first)
    record = games(experiment, {"A": 1.0}, 1).of_cell(cell.name)[0]
    for first, second in ((2, 0), (0, 2), (1, 1)) + (((2, 2),) if len(seating) > 2 and equal_first == "win" else ()):
        made = replace(record, seating=seating, rewards=rewards_of(cell, seating, 3 * first + second))
        assert [2 * outcome(cell, made, player) for player in (0, 1)] == [first, second]


def test_what_is_no_results_file_is_refused(tmp_path: Path) -> None:
    schedule = against([]).schedule()
    for text in ("", "[]", "{}", '{"format": 9}', '{"format": 1, "cells": 3}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(ArenaError, match=r"no results file|has the format"):
            read_compact(tmp_path / "bad.json", schedule)
    with pytest.raises(ArenaError, match="cannot be read"):
        read_compact(tmp_path / "none.json", schedule)


def test_a_claim_needs_the_cells_that_its_checks_look_at() -> None:
    experiment = read_experiment("icarus-fig4")
    cells = cells_of(experiment, experiment.schedule())
    assert cells["I4"] == {cell_name("Dou Di Zhu", label) for label in ("NL", "N", "L", "-")}
    assert cells["I5b"] == {cell_name("LOTR:C (Dark)", label) for label in ("ML", "M", "L")}
    whole = experiment.schedule()
    part = shortened(whole, dict.fromkeys(cells["I4"], 50))
    assert {cell.name for cell in part.cells if cell.games} == cells["I4"]
    assert part.games == 4 * 50 and part.identity() == whole.identity()


def test_more_games_are_played_only_where_something_is_open() -> None:
    """A far above B, B beside C: the first comparison is decided after 60 games, and A is not needed any more."""
    checks = [CHECK, {"better": "B", "than": ["C"]}]
    experiment = against([{"id": "X", "text": "x", "checks": checks}], ("A", "B", "C"))
    results = games(experiment, {"A": 0.95, "B": 0.35, "C": 0.35}, 60)
    (verdict,) = verdicts(results)
    assert [statement.verdict for statement in verdict.statements] == [HOLDS, OPEN]
    assert [statement.cells for statement in verdict.open] == [{"row · B", "row · C"}]
    refuted = games(experiment, {"A": 0.05, "B": 0.95, "C": 0.95}, 60)
    assert verdicts(refuted)[0].verdict == REFUTED and not verdicts(refuted)[0].open


def test_a_claim_of_which_a_part_was_not_played_is_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R3 is about a second and about ten; a results file for the one alone does not decide it."""
    parts = {
        "second": against([{"id": "R3", "text": "x", "checks": [CHECK]}]),
        "ten": against([{"id": "R3 (10 s)", "text": "x", "checks": [CHECK]}]),
    }
    played = games(parts["second"], {"A": 0.9, "B": 0.1}, 100)
    records = [record for held in played.records.values() for record in held]
    write_compact(tmp_path / "trial.json", Compact("trial", 0, records=records), played.schedule, searches=False)
    monkeypatch.setattr("icarus.arena.verdicts.names", lambda: list(parts))
    monkeypatch.setattr("icarus.arena.verdicts.read_experiment", parts.__getitem__)
    files = {"second": tmp_path / "trial.json", "ten": tmp_path / "none.json"}
    monkeypatch.setattr("icarus.arena.verdicts.results_file", files.__getitem__)
    assert {claim.id: claim.verdict for claim in all_claims()}["R3"] == OPEN
    files["ten"] = files["second"]
    assert {claim.id: claim.verdict for claim in all_claims()}["R3"] == HOLDS


def test_what_games_cost_does_not_depend_on_their_order() -> None:
    """A sum of numbers of different sizes does, to the last digit; the cells of a claim are a set."""
    results = games(against([{"id": "X", "text": "x", "checks": [CHECK]}]), {"A": 0.5, "B": 0.5}, 2)
    (verdict,) = verdicts(results)
    records = [record for held in results.records.values() for record in held][:3]
    timed = [replace(record, elapsed=elapsed) for record, elapsed in zip(records, (1e16, 1.0, 1.0), strict=True)]
    orders = (timed, timed[::-1])
    assert [_claim("X", "paper", "text", [_Judged(verdict, order)]).seconds for order in orders] == [1e16 + 2, 1e16 + 2]


def test_a_claim_that_all_games_leave_open_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A beside B with as many games as the paper played, and with fewer."""
    experiment = replace(against([{"id": "R3", "text": "x", "checks": [CHECK]}]), games=100)
    file = tmp_path / "trial.json"
    monkeypatch.setattr("icarus.arena.verdicts.names", lambda: ["trial"])
    monkeypatch.setattr("icarus.arena.verdicts.read_experiment", lambda name: experiment)
    monkeypatch.setattr("icarus.arena.verdicts.results_file", lambda name: file)
    for number, complete in ((60, False), (100, True)):
        played = games(experiment, {"A": 0.5, "B": 0.5}, number)
        records = [record for held in played.records.values() for record in held]
        write_compact(file, Compact("trial", 0, records=records), played.schedule, searches=False)
        (claim,) = (claim for claim in all_claims() if claim.id == "R3")
        assert (claim.verdict, claim.complete, claim.as_dict()["complete"]) == (OPEN, complete, complete)
        assert ("after all games" in claim.cells[1]) == complete


def test_a_claim_that_one_comparison_keeps_from_being_confirmed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A beside B has had all games, C beside A has not: the claim is open, and what is told of it is the first of the two."""
    checks = [{"better": "C", "than": ["A"]}, CHECK]
    experiment = replace(against([{"id": "R3", "text": "x", "checks": checks}], ("A", "B", "C")), games=100)
    played = games(experiment, {"A": 0.5, "B": 0.5, "C": 0.55}, 100)
    records = [record for held in played.records.values() for record in held if record.cell[-1] in "AB" or record.number < 40]
    write_compact(tmp_path / "trial.json", Compact("trial", 0, records=records), played.schedule, searches=False)
    monkeypatch.setattr("icarus.arena.verdicts.names", lambda: ["trial"])
    monkeypatch.setattr("icarus.arena.verdicts.read_experiment", lambda name: experiment)
    monkeypatch.setattr("icarus.arena.verdicts.results_file", lambda name: tmp_path / "trial.json")
    (claim,) = (claim for claim in all_claims() if claim.id == "R3")
    assert (claim.verdict, claim.complete, claim.unconfirmable) == (OPEN, False, True)
    assert claim.cells[1] == "undecided, not to be confirmed" and claim.as_dict()["unconfirmable"]
    assert claim.effect == claim.comparisons[1][1].effect


@pytest.mark.parametrize("name", [name for name in names() if read_experiment(name).claims and not name.startswith("rave")])
def test_every_claim_needs_something(name: str) -> None:
    experiment = read_experiment(name)
    assert all(cells_of(experiment, experiment.schedule()).values())


@pytest.mark.parametrize(("seconds", "verdict"), [(3600.0, HOLDS), (10.0, REFUTED)])
def test_what_all_games_would_take_follows_from_those_that_were_played(seconds: float, verdict: str) -> None:
    """Two columns of 1 000 games (2 000 hours, 83 days, of an hour each), of which 20 of one column were played."""
    experiment = replace(against([{"id": "X", "text": "x", "checks": [{"days": 60}]}]), games=1000)
    results = games(experiment, {"A": 0.5}, 20)
    assert verdicts(Results(experiment, results.schedule, []))[0].verdict == OPEN
    records = [replace(record, elapsed=seconds) for held in results.records.values() for record in held]
    judged = verdicts(Results(experiment, results.schedule, records))[0]
    assert judged.verdict == verdict
    assert judged.statements[0].effect == pytest.approx(2000 * seconds / 86400)


def test_looking_often_costs_certainty() -> None:
    """Six looks at two equal players: the level of each is that much higher, so that all of them together are seldom wrong."""
    experiment = against([{"id": "X", "text": "x", "checks": [CHECK]}])
    results = games(experiment, {"A": 0.57, "B": 0.5}, 800, seed=3)
    once, often = (verdicts(results, looks=looks)[0].statements[0] for looks in (1, len(LOOKS)))
    assert once.low is not None and often.low is not None and often.low < once.low
    wrong = 0
    for seed in range(60):
        even = games(experiment, {"A": 0.5, "B": 0.5}, 400, seed=seed)
        for share in LOOKS:
            part = [r for held in even.records.values() for r in held if r.number < 400 * share]
            if verdicts(Results(experiment, even.schedule, part), looks=len(LOOKS))[0].verdict == HOLDS:
                wrong += 1
                break
    assert wrong <= 60 * 0.05 + 5 * math.sqrt(60 * 0.05)


def test_a_sequential_run_stops_when_its_claims_are_decided_and_is_continued_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = against([{"id": "X", "text": "x", "checks": [{"beats_opponent": "A"}]}])
    strong = replace(experiment.rows[0].columns[0], players=("uct@20",))
    row = replace(experiment.rows[0], columns=(strong, experiment.rows[0].columns[1]))
    experiment = replace(experiment, rows=(row,), games=400)
    monkeypatch.setattr("icarus.arena.reproduce.read_experiment", lambda name: experiment)
    file = tmp_path / "trial.json"
    options = {"sequential": True, "jobs": 1, "results_file": file}
    first = reproduce("trial", folder=tmp_path / "here", **options)
    played = first.results.of_cell("row · A")
    assert first.verdicts[0].verdict == HOLDS and len(played) < 400
    assert not first.results.of_cell("row · B"), "no claim needs it"
    held = json.loads(file.read_text())
    assert held["engine"] == engine_digest() and len(held["cells"]["row · A"]["games"]) == len(played)
    # on another machine, by another version that plays the same: it says so, and plays nothing again
    said: list[str] = []
    file.write_text(file.read_text().replace(engine_digest(), "another"))
    again = reproduce("trial", folder=tmp_path / "there", say=said.append, **options)
    assert again.run.played == 0 and "players are equal" in said[-1]
    file.write_text(file.read_text().replace(engine_digest(), "another").replace(held["first"]["row · A"], "0" * 12))
    with pytest.raises(ArenaError, match="play otherwise"):
        reproduce("trial", folder=tmp_path / "nowhere", **options)
    with pytest.raises(ArenaError, match="with seed 5"):
        reproduce("trial", folder=tmp_path / "nowhere", seed=5, **options)
    with pytest.raises(ArenaError, match="no claim 'Q'; its claims are X"):
        reproduce("trial", folder=tmp_path / "nowhere", claims=["Q"])


def test_as_published_gives_simulations_in_place_of_seconds() -> None:
    schedule = read_experiment("rave-table4").schedule(rows=["3D Tic Tac Toe"], as_published=True)
    cell = schedule.cell("3D Tic Tac Toe · RAVE")
    assert [player.rpartition("@")[2].partition(",")[0] for player in cell.players] == ["2831", "3093"]
    measured = read_experiment("rave-table8").schedule(rows=["Quad"], as_published=True).cell("Quad · GRAVE")
    assert [player.rpartition("@")[2].partition(",")[0] for player in measured.players] == ["2627"], "there is no opponent"
    by_algorithm = read_experiment("ismcts-fig15").schedule(as_published=True).cell("MO-ISMCTS v determinized · 5")
    assert by_algorithm.players == ("mo@75000", "determinized(40)@200000")
    with pytest.raises(ArenaError, match="does not say how many simulations"):
        read_experiment("icarus-fig4").schedule(as_published=True)


def test_deals_that_are_repeated_are_all_played_once_first() -> None:
    """5 000 deals, 75 games on each: a hundredth of the games are 3 750 different deals."""
    schedule = read_experiment("ismcts-fig11").schedule(scale=0.01)
    cell = schedule.cells[0]
    assert cell.games == 3750
    assert [cell.deal(number) for number in (0, 1, 4999, 5000, 5001)] == [0, 1, 4999, 0, 1]
    assert schedule.seed_of(cell, 1) == schedule.seed_of(cell, 5001) != schedule.seed_of(cell, 0)
    assert schedule.players_seed(cell, 1) != schedule.players_seed(cell, 5001)


def test_every_claim_of_an_experiment_is_listed() -> None:
    listed = {claim.id for claim in all_claims()}
    assert len(listed) == 34
    judged = {base_of(claim["id"]) for name in names() for claim in read_experiment(name).claims}
    assert {name for name in judged if name[0] in "IBSRM" and name[1:].isdigit()} <= listed


def test_tests_that_stand_for_claims_exist() -> None:
    for claim in all_claims():
        if claim.test:
            file, _, name = claim.test.partition("::")
            assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_the_page_and_the_files_agree() -> None:
    claims = all_claims()
    page = (ROOT / "docs" / "results" / "README.md").read_text(encoding="utf-8")
    assert markdown(claims) in page, "make the page anew: python docs/results/page.py"
    told = json.loads((ROOT / "docs" / "results" / "verdicts.json").read_text(encoding="utf-8"))
    assert told == [claim.as_dict() for claim in claims]
    assert (ROOT / "docs" / "results" / "comparisons.md").read_text(encoding="utf-8").endswith(listing(claims))
    assert all(results_file(file.stem).is_file() for file in (ROOT / "src/icarus/arena/results").glob("*.json"))


def test_the_command_prints_all_verdicts() -> None:
    asked = [sys.executable, "-m", "icarus", "reproduce", "--verdicts", "--json"]
    told = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    assert len(told) == 34 and {"claim", "paper", "verdict", "games", "effect", "low", "high"} <= set(told[0])
    assert {row["verdict"] for row in told} <= {HOLDS, REFUTED, OPEN}
