"""The arena on the command line: the forms that other programs read, and one clear line when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from icarus.arena.commands import add_commands
from icarus.arena.errors import ArenaError
from icarus.arena.experiment import names
from icarus.jit import JIT

app = typer.Typer()
add_commands(app)


def call(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result.output


def test_match_prints_one_json_object() -> None:
    found = json.loads(call("match", "tic_tac_toe", "uct@20", "random", "--games", "6", "--seed", "3", "--jobs", "1", "--json"))
    assert list(found) == ["game", "seed", "games", "players"]
    assert (found["game"], found["seed"], found["games"]) == ("tic_tac_toe", 3, 6)
    assert [player["name"] for player in found["players"]] == ["uct@20", "random"]
    for player in found["players"]:
        assert list(player) == ["name", "games", "wins", "draws", "losses", "win_rate", "low", "high"]
        assert player["low"] <= player["win_rate"] <= player["high"]


def test_match_for_people() -> None:
    text = call("match", "tic_tac_toe", "uct@50", "random", "--games", "200", "--jobs", "1", "--margin", "0.05")
    assert "uct@50 is better" in text


def test_tournament_rates_its_players() -> None:
    pytest.importorskip("openskill")
    text = call("tournament", "tic_tac_toe", "uct@100", "random", "uct@3", "--games", "10", "--jobs", "1")
    assert "rating" in text
    assert "±" in text


def test_list_of_experiments() -> None:
    found = json.loads(call("reproduce", "--list", "--json"))
    assert [entry["name"] for entry in found] == names()
    assert "icarus-fig4" in call("reproduce", "--list")


@pytest.mark.skipif(not JIT, reason="plays whole games: too slow as plain Python")
def test_the_demo_ends_with_a_table_a_verdict_and_a_figure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "demo.png"
    text = call("demo", "--games", "2", "--seed", "3", "--jobs", "1", "--picture", picture)
    assert all(word in text for word in ("Othello", "Dou Di Zhu", "95 % interval", "undecided", f"the figure is {picture}"))
    assert "120" not in text, "what is said of the games is true of those that were played"
    assert picture.read_bytes().startswith(b"\x89PNG")
    found = json.loads(call("demo", "--games", "2", "--seed", "3", "--jobs", "1", "--picture", picture, "--json"))
    assert found["games"] == sum(row["games"] for row in found["numbers"]) == 20
    assert all(row["low"] <= row["rate"] <= row["high"] for row in found["numbers"])
    assert [row["column"] for row in found["numbers"]] == ["-", "N", "R", "M", "L"] * 2


def test_a_player_that_does_not_parse_is_shown_with_the_place() -> None:
    text = call("match", "tic_tac_toe", "uct[@5", "random", code=2)
    assert text.splitlines()[1:] == ["  uct[@5", "     ^"]


def test_store_replay_export_and_rescue(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    call("match", "backgammon", "random", "random", "--games", "4", "--jobs", "1", "--store", str(folder))
    assert json.loads(call("replay", str(folder), "--json")) == {"games": 4, "measurements": 0, "faults": 0}
    assert "4 games replayed" in call("replay", str(folder))
    shown = call("replay", str(folder), "--game", "2")
    assert "environment" in shown
    assert "rewards:" in shown
    assert "4 games written" in call("replay", str(folder), "--export", str(tmp_path / "games.csv"))
    assert "4 games saved" in call("replay", str(folder), "--rescue", str(tmp_path / "saved"))
    call("match", "backgammon", "random", "random", "--games", "6", "--jobs", "1", "--store", str(folder), "--resume")
    assert json.loads(call("replay", str(folder), "--json"))["games"] == 6


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "tic_tac_toe", "random", "random", "--draws", "often"],
        ["match", "tic_tac_toe", "random", "random", "--seats", "left"],
        ["match", "tic_tac_toe", "random", "random", "--games", "0"],
        ["match", "phantom(3,3,3)", "uct@5", "random"],
        ["reproduce", "icarus-fig99"],
        ["reproduce"],
        ["replay", "nowhere"],
    ],
)
def test_what_makes_no_sense_is_an_error_with_one_line(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, ArenaError)
    assert "\n" not in str(result.exception)
