"""Limits of time and memory hold whatever a sheet does, lanes follow the budget, and doubtful statistics say so."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icarus.cli import app
from icarus.errors import GameError
from icarus.gdl import build_process
from icarus.gdl.build_process import build_in_process
from icarus.gdl.checks import grows_in_time
from icarus.gdl.game import FEWEST_LANES, ITERATIONS_PER_LANE, LANES, game_from_text, load_sheet
from icarus.gdl.ground import Limits, TooLarge, ground
from icarus.gdl.info import sheet_info
from icarus.gdl.machine import MachineGame
from icarus.gdl.network import build_network
from icarus.gdl.reader import read_rules, read_sheet
from icarus.gdl.sheets import find_sheet, sheet_names
from icarus.jit import JIT
from icarus.moves import play_moves
from icarus.search import Search, default_lanes, search
from tests.gdl.hard_sheets import HUGE, LARGE, LOCK


def test_a_network_built_in_a_process_is_the_one_built_here():
    sheet = read_sheet(find_sheet("gdl:connect_four"))
    there, here = build_in_process(sheet), build_network(sheet, ground(sheet))
    assert (there.gates, there.links, there.fluents, there.moves) == (here.gates, here.links, here.fluents, here.moves)
    assert (there.words == here.words).all()


def test_grounding_that_takes_too_long_is_ended():
    begun = time.monotonic()
    with pytest.raises(TooLarge, match="takes more than 1 s"):
        build_in_process(read_rules(HUGE), Limits(seconds=1))
    assert time.monotonic() - begun < 30  # far less than it would take, on a slow machine too


def test_grounding_that_takes_too_much_memory_is_ended():
    with pytest.raises(TooLarge, match="memory"):
        build_in_process(read_rules(HUGE), Limits(seconds=300, bytes=200 << 20))


def test_a_sheet_whose_terms_grow_for_ever_is_given_up_early(monkeypatch: pytest.MonkeyPatch):
    rules = "(role a) (init (at 0)) (<= (legal a go) (role a)) (<= (next (at (s ?x))) (true (at ?x)))"
    growing = read_rules(f"{rules} (<= terminal (true (at 1))) (goal a 0)")
    assert grows_in_time(growing)
    assert not any(grows_in_time(read_sheet(find_sheet(f"gdl:{name}"))) for name in sheet_names())
    monkeypatch.setattr(build_process, "SECONDS_OF_GROWTH", 1.0)
    with pytest.raises(TooLarge, match="takes more than 1 s"):
        build_in_process(growing)


def test_a_sheet_beyond_the_limits_is_played_without_a_network():
    game = game_from_text(LARGE, "large.kif", Limits(seconds=0.5))
    assert isinstance(game, MachineGame)
    assert [game.start().format_action(action) for action in game.start().legal()] == ["(step left)", "(step right)"]


def test_info_of_a_sheet_beyond_the_limits_says_how_it_can_be_played(tmp_path: Path):
    file = tmp_path / "huge.kif"
    file.write_text(HUGE)
    with pytest.raises(GameError, match=r"huge\.kif: .* only by the slower reasoner"):
        sheet_info(file, Limits(seconds=1))


def test_where_no_process_can_be_started_a_sheet_is_built_here(monkeypatch: pytest.MonkeyPatch):
    def refuse(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        raise OSError("no more processes")

    monkeypatch.setattr(build_process.subprocess, "Popen", refuse)
    assert build_in_process(read_sheet(find_sheet("gdl:tic_tac_toe"))).roles == ("xplayer", "oplayer")


# --- lanes -----------------------------------------------------------------------------------------------------------


def test_lanes_follow_the_budget_and_the_size_of_the_network():
    small, large, hidden = (load_sheet(find_sheet(f"gdl:{name}")) for name in ("tic_tac_toe", "othello", "cups"))
    assert default_lanes(large) == default_lanes(large, 10**6) == LANES
    assert default_lanes(large, 10) == 1
    assert default_lanes(large, 10 * ITERATIONS_PER_LANE) == 10
    assert default_lanes(small) == default_lanes(small, 10**6) == FEWEST_LANES
    assert default_lanes(hidden) == default_lanes(hidden, 10**6) == 1


@pytest.mark.skipif(not JIT, reason="a search of thousands of playouts needs machine code")
def test_a_short_clock_is_kept_with_many_lanes():
    game = load_sheet(find_sheet("gdl:othello"))
    searching = Search(game, lanes=LANES, seed=1)
    searching.run(iterations=LANES)  # loads what is compiled
    tries = [Search(game, lanes=LANES, seed=1).run(seconds=0.05) for _ in range(3)]
    assert all(result.stopped_by == "seconds" for result in tries) and min(result.seconds for result in tries) < 0.5
    assert search(game, iterations=500, seed=1).iterations == 500


# --- doubts ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not JIT, reason="thousands of sequences are tried")
def test_percepts_that_nothing_explains_are_said_with_the_result():
    position = play_moves(game_from_text(LOCK).start(), "wait", seed=1)
    result = Search(position, seed=1).run(iterations=2)
    assert result.unexplained >= 2
    assert "no sequence of moves that agrees with what finder has seen" in result.caution
    assert result.caution in result._repr_html_()
    sound = Search(play_moves(load_sheet(find_sheet("gdl:cups")).start(), "", seed=1), seed=1).run(iterations=20)
    assert sound.unexplained == 0 and sound.caution == ""


@pytest.mark.skipif(not JIT, reason="thousands of sequences are tried")
def test_the_command_line_passes_the_warning_on(tmp_path: Path):
    sheet = tmp_path / "lock.kif"
    sheet.write_text(LOCK)
    result = CliRunner().invoke(app, ["search", str(sheet), "--moves", "wait", "--iterations", "2", "--seed", "1", "--json"])
    assert result.exit_code == 0, result.output
    assert "icarus: warning: in " in result.stderr and "agrees with what finder has seen" in result.stderr
    assert json.loads(result.stdout)["unexplained"] >= 2
