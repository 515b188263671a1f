"""The command line: what programs read from it, what people get when they are wrong, and that it always comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import icarus
import icarus.drawing
from icarus import __version__
from icarus.cli import app
from icarus.errors import GameError
from icarus.gdl.sheets import sheet_names
from icarus.jit import JIT
from icarus.loading import GAMES, load
from icarus.moves import play_moves
from tests.support import NIM

ITERATIONS = "200" if JIT else "20"
compiled_only = pytest.mark.skipif(not JIT, reason="plays whole games: too slow as plain Python")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def run_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "icarus", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | own_sources() | environment)


def own_sources() -> dict[str, str]:
    """A child process finds the same package as this one."""
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def read_json(result: Result) -> object:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def assert_refused(result: Result, *words: str) -> None:
    """One line on standard error, nothing on standard output, exit code 2."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("icarus: ")
    assert result.stderr.count("\n") == 1, result.stderr
    for word in words:
        assert word in result.stderr


# --- what programs read ----------------------------------------------------------------------------------------------


def test_version_is_the_packages():
    assert run("--version").stdout == f"icarus {__version__}\n"


def test_without_a_command_there_is_help_and_no_empty_complaint():
    result = run()
    assert result.exit_code == 2 and "search" in result.output
    assert "icarus:" not in result.stderr


def test_players_without_names_are_counted_from_one_wherever_people_read_of_them():
    game = load("kuhn_poker")
    assert game.player_labels == ["player 1", "player 2"]
    assert game.start(1).render(0).startswith("player 1: ") and "player 2: ?" in game.start(1).render(0)
    shown = run("search", "kuhn_poker", "--iterations", "50", "--seed", "1").output
    assert "player 1" in shown and "player 0" not in shown
    assert 'aria-label="kuhn_poker: ' in icarus.drawing.draw(game.start(1), 0) and "player 0" not in icarus.drawing.draw(
        game.start(1), 0
    )
    result = icarus.search(game, iterations=50, seed=1)
    assert result.player == 0 and result.players == ["player 1", "player 2"], "numbers still count from 0"
    assert "player 2" in result.best._repr_html_()


def test_games_lists_every_game_with_what_it_has():
    rows = read_json(run("games", "--json"))
    assert [row["name"] for row in rows] == list(GAMES)
    for row in rows:
        game = load(row["name"])
        assert row["players"] == game.players
        assert row["hidden_information"] is game.hidden_information
        assert row["chance"] is game.stochastic
        assert row["simultaneous"] is game.simultaneous_moves
    facts = {row["name"]: row for row in rows}
    assert facts["phantom"]["hidden_information"] and not facts["othello"]["hidden_information"]
    assert facts["backgammon"]["chance"] and not facts["hex"]["chance"]
    assert facts["goofspiel"]["simultaneous"] and not facts["kuhn_poker"]["simultaneous"]


def test_games_for_people_names_them_all():
    result = run("games")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in GAMES)
    assert all(f"gdl:{name}" in result.stdout for name in sheet_names())


def test_search_gives_one_object_with_the_decision_and_its_statistics():
    found = read_json(run("search", "tic_tac_toe", "--iterations", ITERATIONS, "--seed", "7", "--json"))
    assert found["game"] == "mnk(3,3,3)"
    assert found["algorithm"] == "uct"
    assert found["strategy"] == str(read_default_strategy())
    assert found["seed"] == 7
    assert found["iterations"] == int(ITERATIONS)
    assert found["records"] > 9
    assert found["iterations_per_second"] == pytest.approx(found["iterations"] / found["seconds"])
    assert len(found["root"]) == 9
    assert sum(row["visits"] for row in found["root"]) == int(ITERATIONS)
    for row in found["root"]:
        assert set(row) == {"action", "label", "visits", "availability", "mean", "proven", "proven_in", "bounds"}
        assert sum(row["mean"]) == pytest.approx(1.0)
    most = max(found["root"], key=lambda row: row["visits"])
    assert found["best"]["visits"] == most["visits"]
    assert {"action", "label"} <= set(found["best"])


def read_default_strategy() -> object:
    from icarus.strategy.baseline import Baseline

    return Baseline()


def test_the_same_seed_gives_the_same_answer_and_another_seed_another():
    def visits(seed: str) -> list[tuple[int, int]]:
        found = read_json(run("search", "phantom(3,3,3)", "--iterations", ITERATIONS, "--seed", seed, "--json"))
        return sorted((row["action"], row["visits"]) for row in found["root"])

    assert visits("1") == visits("1")
    assert visits("1") != visits("2")


@pytest.mark.parametrize("algorithm", ["flat", "flat-ucb", "uct"])
def test_the_final_move_is_chosen_as_the_algorithm_does(algorithm: str):
    options = ("--algorithm", algorithm, "--iterations", ITERATIONS, "--seed", "3")
    found = read_json(run("search", "tic_tac_toe", *options, "--json"))
    expected = icarus.search("tic_tac_toe", algorithm=algorithm, iterations=int(ITERATIONS), seed=3)
    assert (found["final"], found["best"]["label"]) == (expected.final, expected.best.label)
    assert read_json(run("search", "tic_tac_toe", *options, "--final", "secure", "--json"))["final"] == "secure"


def test_a_seed_is_chosen_and_reported_when_none_is_given():
    seeds = {read_json(run("search", "tic_tac_toe", "--iterations", "5", "--json"))["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_the_default_algorithm_follows_the_game():
    assert read_json(run("search", "phantom(3,3,3)", "--iterations", "10", "--json"))["algorithm"] == "mo"
    assert read_json(run("search", "connect_four", "--iterations", "10", "--json"))["algorithm"] == "uct"


@pytest.mark.parametrize(
    "options",
    [
        ("--algorithm", "determinized(4)"),
        ("--algorithm", "so", "--threads", "2", "--parallel", "root"),
        ("--algorithm", "pom", "--lanes", "3"),
        ("--observer", "1"),
        ("--final", "secure"),
        ("--memory", "1000000"),
    ],
)
def test_every_option_reaches_the_search(options):
    found = read_json(run("search", "phantom(3,3,3)", "--moves", "a1", "--iterations", "40", "--seed", "1", "--json", *options))
    assert found["iterations"] >= 40
    given = dict(zip(options[::2], options[1::2], strict=True))
    assert found["algorithm"] == given.get("--algorithm", "mo")
    assert found["threads"] == int(given.get("--threads", 1))
    assert found["final"] == given.get("--final", "robust")


def test_a_time_budget_ends_the_search():
    found = read_json(run("search", "tic_tac_toe", "--time", "0.2", "--json"))
    assert found["stopped_by"] == "seconds"
    assert found["seconds"] < (0.25 if JIT else 2.0)


def test_search_for_people_shows_the_board_the_moves_and_the_speed():
    result = run("search", "tic_tac_toe", "--iterations", ITERATIONS, "--moves", "b2, a1", "--seed", "1")
    assert result.exit_code == 0
    assert "X plays" in result.stdout
    assert f"{ITERATIONS} iterations" in result.stdout
    assert "b2" not in result.stdout.split("plays")[1].split("records")[0], "an occupied square is not a move"


def test_what_the_observer_cannot_see_is_not_printed():
    result = run("search", "phantom(4,4,4)", "--iterations", "20", "--moves", "a1", "--seed", "1")
    board = result.stdout.split("plays")[0]
    assert "O" in result.stdout.split("plays")[0].splitlines()[-1], "the second player is to move"
    assert not any("X" in line for line in board.splitlines()[:5]), "and has seen nothing of the first mark"


def test_bench_reports_both_sides_their_ratio_and_no_verdict_without_a_limit():
    rows = read_json(run("bench", "tic_tac_toe", "mnk(4,4,4)", "--iterations", "50", "--rounds", "2", "--json"))
    assert [row["name"] for row in rows] == ["tic_tac_toe", "mnk(4,4,4)"]
    for row in rows:
        assert row["ratio"] == pytest.approx(row["ours"] / row["theirs"])
        assert row["limit"] is None and row["passed"] is None


def test_bench_against_openspiel_says_whether_the_limit_is_reached():
    result = run("bench", "tic_tac_toe", "--against", "openspiel", "--iterations", "200", "--rounds", "2", "--json")
    (row,) = json.loads(result.stdout)
    assert row["limit"] == 1.3
    assert row["passed"] is (row["ratio"] >= 1.3)
    assert result.exit_code == (0 if row["passed"] else 1)


@pytest.mark.parametrize("game", ["tic_tac_toe", "kuhn_poker"])
def test_check_names_every_check_and_says_that_a_good_game_passes(game: str):
    report = read_json(run("check", game, "--games", "5", "--json"))
    assert report["passed"] is True
    assert {check["name"] for check in report["checks"]} >= {"no-peeking", "determinize-uniform"}


def test_check_shows_the_report_and_ends_with_one_line_for_a_game_that_breaks_its_contract(tmp_path: Path):
    file = tmp_path / "nim.py"
    file.write_text(NIM.replace("[1.0, 0.0] if", "[7.0, 0.0] if"))
    result = run("check", str(file), "--games", "3")
    assert result.exit_code == 2
    assert "FAILED" in result.stdout
    assert result.stderr.startswith("icarus: ") and result.stderr.count("\n") == 1
    assert "breaks its contract" in result.stderr


def test_explain_tells_who_chose_in_each_phase(tmp_path: Path):
    report = read_json(run("explain", "RAVE(k=250) >> MAST()", "connect_four", "--iterations", ITERATIONS, "--json"))
    chose = {component["name"]: component["chose"] for component in report["components"]}
    assert chose["RAVE()"]["simulation"] == 0 and chose["RAVE()"]["selection"] > 0
    assert chose["MAST()"]["selection"] == 0 and chose["MAST()"]["simulation"] > 0


# --- moves -----------------------------------------------------------------------------------------------------------


def test_moves_are_separated_by_spaces_or_commas():
    for text in ("a1 b2 c3", "a1,b2,c3", " A1, b2 ,c3 "):
        position = play_moves(load("mnk(3,3,3)").start(0), text, seed=0)
        assert [position.game.format_action(position.named, action) for _, action, _ in position.history] == ["a1", "b2", "c3"]


def test_outcomes_of_the_environment_come_from_the_seed():
    def rolls(seed: int) -> list[int]:
        position = play_moves(load("backgammon").start(seed), "", seed)
        return [action for _, action, _ in position.history]

    assert rolls(1) == rolls(1)
    assert len({tuple(rolls(seed)) for seed in range(8)}) > 1


def test_an_outcome_can_be_given():
    start = load("backgammon").start(0)
    label = start.format_action(start.legal()[-1])
    position = play_moves(start.copy(), label, seed=0)
    assert position.history[0][1] == start.legal()[-1]


def test_a_move_after_the_end_is_refused():
    with pytest.raises(GameError, match="over before the move 'c3'"):
        play_moves(load("mnk(3,3,3)").start(0), "a1 b1 a2 b2 a3 c3", seed=0)


# --- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "otello"], ["'otello'", "did you mean othello"]),
        (["search", "nosuch.py"], ["no file", "nosuch.py"]),
        (["search", "no.such.module:game"], ["cannot import", "no.such.module"]),
        (["search", "hex(99)"], ["26", "99"]),
        (["search", "hex(1,2,3)"], ["hex", "too many", "write hex(n=11)"]),
        (["search", "hex('a')"], ["n='a' is not a whole number", "write hex(n=11)"]),
        (["search", "othello(7)"], ["othello", "takes no parameters"]),
        (["search", "hex("], ["cannot read"]),
        (["search", "othello", "--iterations", "0"], ["--iterations 0", "above zero"]),
        (["search", "othello", "--time", "0"], ["--time 0", "above zero"]),
        (["search", "othello", "--time", "nan"], ["nan"]),
        (["search", "othello", "--iterations", "many"], ["--iterations"]),
        (["search", "tic_tac_toe", "--moves", "a1 b1 a2 b2 a3"], ["over"]),
        (["search", "tic_tac_toe", "--moves", "z9"], ["'z9'", "legal moves"]),
        (["search", "othello", "--observer", "2"], ["no player 2", "0 to 1"]),
        (["search", "othello", "--algorithm", "utc"], ["'utc'", "uct"]),
        (["search", "phantom(3,3,3)", "--algorithm", "uct"], ["perfect information", "mo"]),
        (["search", "othello", "--strategy", "RAVE("], ["RAVE("]),
        (["search", "othello", "--threads", "0"], ["threads"]),
        (["search", "othello", "--lanes", "0"], ["lanes"]),
        (["search", "othello", "--parallel", "leaf"], ["'leaf'", "root"]),
        (["search", "othello", "--final", "best"], ["'best'", "robust"]),
        (["search", "othello", "--chance", "odd"], ["'odd'", "even"]),
        (["search", "othello", "--memory", "1"], ["memory=1"]),
        (["search", "othello", "--nonsense"], ["--nonsense"]),
        (["search"], ["GAME"]),
        (["serch", "othello"], ["serch"]),
        (["check", "nosuch"], ["nosuch"]),
        (["check", "othello", "--games", "0"], ["--games 0"]),
        (["explain", "RAVE() >> MAST()", "nosuch"], ["nosuch"]),
        (["bench", "--against", "nobody"], ["nobody"]),
        (["bench", "--rounds", "0"], ["rounds"]),
        (["warmup", "--processes", "0"], ["processes"]),
        (["demo", "--games", "0"], ["--games 0"]),
        (["demo", "--picture", "demo.txt"], ["demo.txt", ".png"]),
        (["demo", "--picture", "no/such/demo.png"], ["no/such"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) and len(value) > 1 else None,
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments: Sequence[str], words: Sequence[str]):
    assert_refused(run(*arguments), *words)


COMPILED_NIM = """
from icarus import Game, compiled

@compiled
def initial(state, rng): state[0], state[1] = 5, 0
@compiled
def player(state): return state[1]
@compiled
def legal(state, actions):
    actions[0], actions[1] = 1, 2
    return min(state[0], 2)
@compiled
def apply(state, taken):
    state[0] -= taken
    state[1] = 1 - state[1]
@compiled
def terminal(state): return state[0] == 0
@compiled
def rewards(state, out): out[0], out[1] = state[1] == 1, state[1] == 0

game = Game(name="nim", players=2, state_size=2, max_actions=2, max_plies=5, initial=initial, player=player, legal=legal,
            apply=apply, terminal=terminal, rewards=rewards)
"""


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\n", ["no game"]),
        ("def broken(:\n", ["SyntaxError"]),
        ("raise RuntimeError('no licence')\n", ["RuntimeError", "no licence"]),
        (NIM.replace("return self.matches == 0", "return self.matches / 0 == 0"), ["ZeroDivisionError"]),
        (NIM.replace("if n <= self.matches]", "if n > 9]"), ["legal"]),
        (NIM.replace("[1.0, 0.0] if", "[7.0, 0.0] if"), ["reward"]),
        (NIM + "game = 3\n", ["game"]),
        (NIM.replace("def apply", "def aply"), ["Nim is missing apply()"]),
        (NIM.replace("apply(self, taken)", "apply(self)"), ["Nim.apply() should take (self, action)"]),
        (NIM.replace("-= taken", "-= taken / 0"), ["Nim.apply() of 1 raised ZeroDivisionError", "(mygame.py, line 8) at ply 0"]),
        (NIM + "    def render(self, observer): return self.x\n", ["Nim.render() raised AttributeError", "mygame.py, line 12"]),
        (COMPILED_NIM.replace("apply(state, taken)", "apply(state)"), ["apply(state) should take (state, action)"]),
        pytest.param(
            COMPILED_NIM.replace("-= taken", "-= took"),
            ["apply() cannot be compiled", "'took' is not defined", "mygame.py, line 14"],
            marks=compiled_only,
        ),
        (
            COMPILED_NIM.replace("=rewards)", "=rewards, render=lambda s, o: s[7])"),
            ["nim: render() raised IndexError", "line 22"],
        ),
    ],
    ids=[
        "no game",
        "no Python",
        "raises on import",
        "raises in play",
        "no legal action",
        "reward out of range",
        "not a game",
        "a method is missing",
        "a method takes too little",
        "apply raises",
        "render raises",
        "a function takes too little",
        "cannot be compiled",
        "a function for people raises",
    ],
)
def test_a_game_that_is_wrong_is_one_line_and_exit_code_2(source: str, words: Sequence[str], tmp_path: Path):
    file = tmp_path / "mygame.py"
    file.write_text(source)
    assert_refused(run("search", str(file), "--iterations", "50", "--seed", "1"), *words)


@pytest.mark.parametrize(
    ("package", "arguments", "words"),
    [
        ("lark", ["gdl", "info", "gdl:zhadu"], ["rule sheets", "pip install lark clingo", "[gdl]"]),
        ("clingo", ["gdl", "info", "gdl:zhadu"], ["rule sheets", "pip install lark clingo", "[gdl]"]),
        ("uvicorn", ["serve", "--no-browser"], ["browser", "uvicorn", "[web]"]),
        ("pyspiel", ["search", "openspiel:leduc_poker"], ["OpenSpiel", "pip install open_spiel", "[bench]"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_package_that_is_not_installed_is_named(package: str, arguments: Sequence[str], words: Sequence[str], tmp_path: Path):
    (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})\n")
    found = os.pathsep.join([str(tmp_path), *sys.path])
    result = run_process(*arguments, PYTHONPATH=found, ICARUS_CACHE=str(tmp_path))  # sheets are not read again that are known
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("icarus: ") and result.stderr.count("\n") == 1, result.stderr
    assert all(word in result.stderr for word in ["is not installed", *words]), result.stderr


def test_a_game_in_a_file_can_be_searched(tmp_path: Path):
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    found = read_json(run("search", str(file), "--iterations", "300", "--seed", "1", "--json"))
    assert found["best"]["label"] == "2", "three matches are lost for whoever must take one or two"


@pytest.mark.parametrize("command", [("check",), ("search", "--iterations", "10")], ids=lambda command: command[0])
@pytest.mark.parametrize(
    "change, words",
    [
        (("state_size=2", "state_size=1"), ["initial() writes state[1]", "state_size is 1", "mygame.py, line 5"]),
        (("max_actions=2", "max_actions=1"), ["legal() writes actions[1]", "max_actions is 1", "mygame.py, line 10"]),
        (("state[0] -= taken", "state[10**10] = taken"), ["apply() of", "writes state[10000000000]", "state_size is 2"]),
    ],
    ids=["state", "actions", "far away"],
)
def test_memory_that_is_too_small_is_one_line_and_no_crash(
    change: tuple[str, str], words: Sequence[str], command: Sequence[str], tmp_path: Path
):
    file = tmp_path / "mygame.py"
    file.write_text(COMPILED_NIM.replace(*change))
    result = run(command[0], str(file), *command[1:])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and all(word in result.stderr for word in words), result.stderr


# --- processes -------------------------------------------------------------------------------------------------------


def test_a_mistake_in_a_real_process_leaves_no_traceback():
    result = run_process("search", "nosuch")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("icarus: there is no game 'nosuch'")
    assert result.stderr.count("\n") == 1


def test_a_cache_that_cannot_be_used_costs_one_line_and_nothing_else(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    result = run_process("games", "--json", ICARUS_CACHE=str(tmp_path / "file" / "cache"))
    assert result.returncode == 0
    assert len(json.loads(result.stdout)) == len(GAMES)
    assert result.stderr.count("\n") == (1 if JIT else 0), result.stderr
    assert not JIT or "ICARUS_CACHE" in result.stderr


INTERRUPTED = """
import os, signal, sys, threading
from icarus.cli import main
from icarus.search import Search

plain = Search.run
def run(self, **budget):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    return plain(self, **budget)
Search.run = run
sys.argv = ["icarus", "search", "tic_tac_toe", "--time", "250", "--json"]
main()
"""


def test_ctrl_c_gives_the_answer_so_far():
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=240, env=os.environ | own_sources()
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["stopped_by"] in ("stop", "interrupt")
    assert found["iterations"] >= 1
    assert found["seconds"] < 100
