"""Tuning: a planted optimum is found, a run that was killed goes on as if nothing had happened, and mistakes are one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icarus.arena.statistics import anytime_mean, over_deals
from icarus.arena.store import Store
from icarus.arena.tournament import match
from icarus.cli import app
from icarus.jit import JIT
from icarus.loading import load
from icarus.preset import Preset, find, find_rules, rules_digest, save
from icarus.strategy.expression import read_strategy
from icarus.tune.duels import random_moves
from icarus.tune.study import tune
from tests.support import NIM, kill_after

PLANTED = f"{Path(__file__).parent / 'planted.py'}:planted(12,4)"
SPACE = "RAVE(k={1,1000,100000}, c={0.5,5,50})"
SMALL = {"budget": "60games", "at": "5", "space": "{Baseline, RAVE(k={1,100})} x c={0.2,0.7}", "jobs": 1, "check": False}


def nearest(player) -> tuple[int, int]:
    """The planted values to which k and c of a RAVE player are nearest, as powers of ten."""
    strategy = read_strategy(player.strategy)
    return min((1, 1000, 100000), key=lambda k: abs(k - strategy.k)), min((0.5, 5, 50), key=lambda c: abs(c - strategy.c))


@pytest.mark.skipif(not JIT, reason="a few hundred searched games")
def test_a_planted_optimum_is_recovered() -> None:
    found = tune(PLANTED, budget="200games", at="60", space=SPACE, jobs=1, seed=1, check=False)
    assert nearest(found.winner) == (1, 0.5)
    assert not found.evidence and found.recommended == found.default  # RAVE has nothing to gain here, and it is said
    assert found.high < 0.5


@pytest.mark.thorough
@pytest.mark.skipif(not JIT, reason="thousands of searched games")
def test_a_planted_optimum_is_recovered_in_nineteen_of_twenty_runs() -> None:
    scores = {}
    for k in (1, 1000, 100000):
        for c in (0.5, 5, 50):
            players = [f"[RAVE(k={k}, c={c})]@60", "[-]@60"]
            scores[k, c] = match(PLANTED, players, 300, jobs=1).standings[0].tally.rate()
    best = max(scores, key=lambda key: scores[key])
    assert best == (1, 0.5), scores  # what the game was made for, by playing everything
    found = [
        nearest(tune(PLANTED, budget="400games", at="60", space=SPACE, jobs=1, seed=s, check=False).winner) for s in range(20)
    ]
    assert found.count(best) >= 19, found


def test_the_same_seed_finds_the_same_and_the_store_holds_all_games(tmp_path) -> None:
    one = tune("tic_tac_toe", **SMALL, seed=5, folder=tmp_path / "a")
    two = tune("tic_tac_toe", **SMALL, seed=5)
    timeless = [{**found.as_dict(), "race": [str(entry.player) for entry in found.race]} for found in (one, two)]
    assert timeless[0] == timeless[1]
    with Store.read(tmp_path / "a") as store:
        assert store.count() == one.total_games >= 60
    assert tune("tic_tac_toe", **SMALL, seed=6).as_dict() != two.as_dict()


@pytest.mark.skipif(not JIT, reason="many searched games")
def test_a_run_that_was_killed_goes_on_as_if_nothing_had_happened(tmp_path) -> None:
    whole = tune("tic_tac_toe", **SMALL, seed=2)
    code = f"from icarus.tune.study import tune; tune('tic_tac_toe', **{SMALL!r}, seed=2, folder={str(tmp_path)!r})"
    assert kill_after(code, tmp_path, games=10) >= 10
    continued = tune("tic_tac_toe", **SMALL, seed=2, folder=tmp_path, resume=True)
    assert (continued.winner, continued.score, continued.total_games) == (whole.winner, whole.score, whole.total_games)


@pytest.mark.skipif(not JIT, reason="many searched games")
def test_a_player_alone_is_compared_on_the_same_deals() -> None:
    found = tune("leftright(6)", budget="40games", at="8", space="Baseline x c={0.1,0.7,5}", jobs=1, check=False)
    assert 0 <= found.low <= found.score <= found.high <= 1


def test_random_openings_are_short_beside_the_game(tmp_path) -> None:
    nim = tmp_path / "nim.py"
    nim.write_text(NIM)  # three to five moves, but a plain class has no bound that says so
    assert random_moves(load(str(nim)), 4) == 0
    assert random_moves(load("connect_four"), 4) == 3 and random_moves(load("connect_four"), 2) == 2
    assert random_moves(load("kuhn_poker"), 4) == 0


def test_a_deal_is_one_observation() -> None:
    low, high = over_deals([0.5] * 50)
    assert low < 0.5 < high  # (nothing varied, and yet nothing is certain)
    assert over_deals([1.0, 0.5] * 50).low > 0.5
    assert anytime_mean([1.0, 0.5] * 100).low > 0.5 > anytime_mean([0.5, 0.25] * 100).high
    assert anytime_mean([]) == (0.0, 1.0)


# --- the command -----------------------------------------------------------------------------------------------------


def run(*arguments: str):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def presets(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("ICARUS_PRESETS", str(tmp_path / "presets"))
    return tmp_path / "presets"


def test_the_command_prints_a_verdict_and_writes_a_report(tmp_path, presets) -> None:
    folder = tmp_path / "run"
    options = ("--budget", "60games", "--at", "5", "--space", "{Baseline, RAVE} x c={0.2,0.7}", "--jobs", "1", "--folder", folder)
    result = run("tune", "tic_tac_toe", *options, "--json", "--save")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {"winner", "score", "low", "high", "games", "evidence"} <= set(found)
    assert 0 <= found["low"] <= found["score"] <= found["high"] <= 1
    assert (found["preset"] is not None) == found["evidence"]
    report = (folder / "report.html").read_text()
    assert found["winner"] in report.replace("&gt;", ">") and "icarus match" in report
    again = run("tune", "tic_tac_toe", *options)
    assert again.exit_code == 2 and "--resume" in again.stderr
    other = run("tune", "hex(3)", *options, "--resume")
    assert other.exit_code == 2 and "another configuration" in other.stderr and other.stderr.count("\n") == 1
    assert run("tune", "tic_tac_toe", *options, "--resume").exit_code == 0


@pytest.mark.skipif(not JIT, reason="many searched games")
def test_the_replayed_confirmation_is_the_same_games(tmp_path) -> None:
    found = tune("mnk(4,4,4)", **{**SMALL, "budget": "80games"}, seed=1)
    words = found.replay.replace("'", "").split(" --")
    options = dict(part.split() for part in words[1:])
    again = match(
        "mnk(4,4,4)", [found.winner, found.default], int(options["games"]), seed=int(options["seed"]), jobs=1,
        opening=int(options.get("opening", 0)),
    )  # fmt: skip
    assert again.standings[0].tally.rate() == pytest.approx(found.score)


@pytest.mark.parametrize(
    "arguments, reason",
    [
        (("tic_tac_toe", "--budget", "3games"), "too small for one comparison"),
        (("tic_tac_toe", "--budget", "soon"), "write 30m"),
        (("tic_tac_toe", "--at", "never"), "--at never"),
        (("tic_tac_toe", "--space", ""), "the space is empty"),
        (("tic_tac_toe", "--space", "{Baseline}"), "nothing to compare"),
        (("tic_tac_toe", "--space", "{Baseline, ProgressiveBias}"), "space"),
        (("tic_tac_toe", "--opponent", "mo[-]@20,strength=4"), "strength"),
        (("tic_tac_toe", "--method", "luck"), "ntbea"),
        (("tic_tac_toe", "--jobs", "0"), "--jobs 0"),
        (("nothing",), "nothing"),
    ],
)
def test_mistakes_are_one_line(tmp_path, arguments, reason) -> None:
    result = run("tune", *arguments, "--folder", tmp_path / "x")
    assert result.exit_code == 2
    assert reason in result.stderr and "Traceback" not in result.output


def test_a_run_that_was_refused_is_in_nobodys_way(tmp_path) -> None:
    for budget in ("3games", "0.001s", "0.002s"):
        result = run("tune", "tic_tac_toe", "--budget", budget, "--at", "20", "--folder", tmp_path / "x")
        assert result.exit_code == 2 and "too small" in result.stderr


def test_a_game_that_breaks_its_contract_is_not_tuned(tmp_path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(NIM.replace("[1.0, 0.0] if", "[7.0, 0.0] if"))
    result = run("tune", file, "--budget", "60games", "--at", "5", "--folder", tmp_path / "x")
    assert result.exit_code == 2 and "Traceback" not in result.output


@pytest.mark.skipif(not JIT, reason="many searched games")
def test_against_another_opponent_the_replay_is_two_matches() -> None:
    found = tune("mnk(4,4,4)", **SMALL, opponent="[-]@3")
    first, second = found.replay.split(" && ")
    assert f"'{found.winner}' '[-]@3'" in first and f"'{found.default}' '[-]@3'" in second
    assert first.split(" --")[1:] == second.split(" --")[1:]


@pytest.mark.skipif(not JIT, reason="many searched games")
def test_a_small_budget_races_few() -> None:
    small, large = (tune("tic_tac_toe", **{**SMALL, "budget": f"{games}games"}, seed=1) for games in (100, 600))
    assert len(small.race) < len(large.race) <= 8
    assert all(len(entry.scores) >= 8 for entry in large.race)


# --- presets ---------------------------------------------------------------------------------------------------------


def test_a_preset_is_used_and_mentioned(presets) -> None:
    game = load("tic_tac_toe")
    save(game, Preset(game.name, "", "RAVE(k=50)", found="60 % against the default"))
    result = run("search", "tic_tac_toe", "--iterations", "20", "--seed", "1", "--json")
    assert json.loads(result.stdout)["strategy"] == "RAVE(k=50)"
    assert "preset" in result.stderr and "60 %" in result.stderr
    assert (
        json.loads(run("search", "tic_tac_toe", "--iterations", "20", "--strategy", "-", "--json").stdout)["strategy"]
        == "Baseline()"
    )
    played = CliRunner().invoke(app, ["play", "tic_tac_toe"], input="quit\n")
    assert "2 O: [RAVE(k=50)]@1s" in played.stdout and "--seat 2='[-]@1s' for the plain search" in played.stderr


def test_a_preset_is_of_one_game_and_damage_is_no_preset(presets) -> None:
    game = load("tic_tac_toe")
    file = save(game, Preset(game.name, "", "RAVE()"))
    assert find(game).strategy == "RAVE()" and find(load("hex(3)")) is None
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "fingerprint": "another game of this name"}))
    assert find(game) is None
    file.write_text("{")
    assert find(game) is None


def test_the_preset_of_a_sheet_is_known_by_its_rules(presets) -> None:
    game = load("tic_tac_toe")
    save(game, Preset(game.name, "", "GRAVE()", rules=rules_digest("(role x) ; a comment\n(init (cell 1))")))
    assert find_rules("(ROLE x)\n\n(init\t(cell 1))").strategy == "GRAVE()"
    assert find_rules("(role y)") is None
