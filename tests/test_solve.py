"""``icarus solve``: budgets and runs, the file that survives, what is told, what is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from icarus.cli import app
from icarus.errors import SearchError
from icarus.jit import JIT
from icarus.solving import Solver, solve
from icarus.solving.solution import Improvement, Solution
from tests.oracle.nested import left_move_means

ONCE = ("--runs", "1", "--seed", "1")

WALK = """
class Walk:
    def __init__(self): self.made = []
    def legal(self): return ["left", "right"]
    def apply(self, step): self.made.append(step)
    def terminal(self): return len(self.made) == 6
    def score(self): return SCORE
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["solve", *arguments])


def test_json_has_the_best_and_the_runs() -> None:
    done = run("left_move(6)", "--algorithm", "nmcs(1)", "--runs", "10", "--seed", "1", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 0
    assert told["score"] == max(told["scores"]) == told["moves"].count("left")
    assert len(told["scores"]) == 10 and told["mean"] == sum(told["scores"]) / 10 and told["stderr"] > 0
    assert told["playouts"] == 10 * 12 and told["seconds"] > 0 and told["stopped_by"] == "runs"


def test_a_class_in_a_file_is_solved_and_its_score_must_be_a_number(tmp_path: Path) -> None:
    file = tmp_path / "walk.py"
    file.write_text(WALK.replace("SCORE", 'self.made.count("left")'))
    done = run(str(file), "--algorithm", "nrpa(1)", "--runs", "1", "--seed", "1", "--json")
    told = json.loads(done.stdout)
    assert told["score"] == 6 and told["moves"] == ["left"] * 6 and "scores" in told
    file = tmp_path / "wordy.py"
    file.write_text(WALK.replace("SCORE", "None"))
    done = run(str(file), "--runs", "1", "--json")
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "Walk.score() gives None at ply 6; it should give a number" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tic_tac_toe",), "has 2 players; solve is for one"),
        (("left_move(6)", "--time", "0"), "--time 0.0: must be above zero"),
        (("left_move(6)", "--resume"), "--resume: from which file?"),
        (("left_move(6)", "--algorithm", "nmcz(2)"), "did you mean nmcs?"),
        (("samegame(99)",), "positions 1 to 20"),
        (("left_move(6)", "--threads", "257"), "threads=257: 1 to 256 are possible"),
        (("left_move(6)", "--algorithm", "nrpa(2)[MAST()]"), "nrpa makes its choices by itself: no strategy"),
        (("left_move(6)", "--algorithm", "mcpg[RAVE()]"), "a strategy is for its playouts: mcpg[MAST()]"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2 and told in done.stderr and done.stderr.count("\n") == 1


def test_a_seed_gives_the_same_again() -> None:
    one, other = (solve("left_move(9)", algorithm="nrpa(1, n=20)", runs=3, seed=4) for _ in range(2))
    assert (one.score, one.actions, one.scores) == (other.score, other.actions, other.scores)


@pytest.mark.parametrize("algorithm", ["nmcs(1)", "uct", "sp(restarts=2)"])
def test_time_is_kept(algorithm: str) -> None:
    begun = time.perf_counter()
    found = solve("left_move(9)", algorithm=algorithm, seconds=0.4, seed=1, threads=2)
    assert 0.3 < time.perf_counter() - begun < 5.0
    assert found.score is not None and found.playouts > 0 and found.stopped_by == "seconds"


def test_runs_of_a_tree_are_searches_of_so_many_iterations() -> None:
    found = solve("left_move(6)", algorithm="uct", runs=3, iterations=20, seed=1)
    assert found.algorithm == "uct"
    assert found.playouts == 60 and len(found.scores) == 3 and found.score == max(found.scores)


def test_improvements_come_in_order() -> None:
    found = solve("left_move(30)", algorithm="nrpa(2, n=10)", runs=1, seed=1)
    scores = [improvement.score for improvement in found.improvements]
    assert scores == sorted(set(scores)) and scores[-1] == found.score
    lines = Solution(
        "g", "a", 1, 1, score=9.0, seconds=10.0, improvements=[Improvement(0.1, 1, 3.0), Improvement(5.0, 9, 9.0)]
    ).plot()
    assert lines[0].startswith("9 |") and lines[7].startswith("3 |") and "█" in lines[0] and "10 s" in lines[-1]


# --- the file --------------------------------------------------------------------------------------------------------


def test_what_was_found_goes_on_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "best.json"
    first = Solver("left_move(40)", algorithm="nmcs(1)", seed=1, save=file).run(runs=1)
    held = json.loads(file.read_text())
    assert held["score"] == first.score and held["moves"] == first.moves
    with pytest.raises(SearchError, match="is there already"):
        Solver("left_move(40)", save=file)
    again = Solver("left_move(40)", algorithm="nmcs(1)", seed=1, save=file, resume=True).run(runs=2)
    assert again.score is not None and first.score is not None
    assert again.score >= first.score and again.playouts > first.playouts and len(again.scores) == 3


def test_policy_adaptation_goes_on_with_its_weights(tmp_path: Path) -> None:
    """A run of 40 calls in two halves: the second solver has the policy, the best sequence and the calls of the first."""
    file = tmp_path / "walk.json"
    first = Solver("left_move(12)", algorithm="nrpa(1, n=40)", seed=1, save=file)
    first.run(iterations=20)
    held = json.loads(file.read_text())["under_way"][0]
    assert held["calls"] == 20 and len(held["actions"]) == 12 and len(held["weights"]) == 24
    second = Solver("left_move(12)", algorithm="nrpa(1, n=40)", save=file, resume=True)
    worker = second._searches[0].team.workers[0]
    algorithm = second._searches[0].algorithm
    assert algorithm.under_way(second.game, worker) == held
    found = second.run(runs=1)
    assert found.playouts == 40 and len(found.scores) == 1 and found.score == found.scores[0]
    held["actions"] = [0] * 11
    file.write_text(json.dumps(json.loads(file.read_text()) | {"under_way": [held]}))
    with pytest.raises(SearchError, match="does not fit the game"):
        Solver("left_move(12)", algorithm="nrpa(1, n=40)", save=file, resume=True)


def test_a_file_that_is_not_about_this_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "best.json"
    Solver("left_move(5)", algorithm="nmcs(1)", seed=1, save=file).run(runs=1)
    with pytest.raises(SearchError, match="is about left_move"):
        Solver("leftmost_path(5)", save=file, resume=True)
    held = json.loads(file.read_text())
    for change, told in (
        ({"score": 99.0}, "says 99"),
        ({"moves": ["up"]}, "not legal there"),
        ({"moves": []}, "do not end the game"),
    ):
        file.write_text(json.dumps(held | change))
        with pytest.raises(SearchError, match=told):
            Solver("left_move(5)", save=file, resume=True)
    file.write_text("{")
    with pytest.raises(SearchError, match="is not a file that"):
        Solver("left_move(5)", save=file, resume=True)


def test_a_file_that_cannot_be_written_costs_nothing_but_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    solver = Solver("left_move(9)", algorithm="nmcs(1)", seed=1, save=folder / "best.json")
    shutil.rmtree(folder)
    found = solver.run(runs=1)
    assert found.score == found.moves.count("left") and len(found.moves) == 9
    assert found.unsaved.startswith("cannot write") and found.as_dict()["unsaved"] == found.unsaved
    folder.mkdir()
    assert solver.run(runs=1).unsaved == "" and "unsaved" not in json.loads((folder / "best.json").read_text())


@pytest.mark.skipif(not JIT, reason="the same in plain Python, and slow to start")
def test_an_end_by_force_loses_nothing_and_an_interrupt_is_an_answer(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 0)):
        file = tmp_path / f"{number}.json"
        command = [sys.executable, "-m", "icarus", "solve", "left_move(200)", "--algorithm", "nmcs(3)", "--time", "100", "--json"]
        process = subprocess.Popen([*command, "--save", str(file)], stdout=subprocess.PIPE, text=True, env=environment)
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            if file.exists() and json.loads(file.read_text())["score"] is not None:
                break
            time.sleep(0.02)
        os.kill(process.pid, number)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == code
        held = json.loads(file.read_text())
        assert held["score"] == held["moves"].count("left") and len(held["moves"]) == 200
        if number == signal.SIGINT:
            assert json.loads(out)["score"] == held["score"] and json.loads(out)["stopped_by"] == "interrupt"


def test_the_strategy_is_part_of_the_name() -> None:
    found = solve("left_move(5)", algorithm="nmcs(1)[MAST()]", runs=1, seed=1)
    assert found.algorithm == "nmcs(1)[Baseline() >> MAST()]" and found.score is not None


def test_a_strategy_for_playouts_leaves_the_choice_in_the_tree_alone() -> None:
    found = solve("left_move(5)", algorithm="sp(c=0.2)", strategy="Baseline() >> MAST()", iterations=20, seed=1)
    assert found.algorithm == "sp(c=0.2)[Baseline(policy=ThirdTerm(c=0.2)) >> MAST()]"
    found = solve("sailing(2)", algorithm="sparse-uct(2)[MAST()]", iterations=20, seed=1)
    assert found.algorithm == "sparse-uct(2)[Baseline(outcomes=Outcomes(k=2, alpha=0)) >> MAST()]"


def test_a_rule_sheet_is_solved() -> None:
    """The way across the river by what is usual for sheets; a playout alone arrives in one of some thousand cases."""
    found = solve("gdl:river", iterations=4000 if JIT else 60, seed=1)
    assert found.algorithm == "nmcs(2)" and found.score is not None and (found.score == 1.0 or not JIT)


# --- all threads on one nested search ----------------------------------------------------------------------------------------


def test_threads_together_find_what_one_nested_search_finds() -> None:
    """The mean is that of dynamic programming, and the number of threads changes nothing."""
    depth, runs = 5, 60 if JIT else 12
    found = [
        Solver(f"left_move({depth})", algorithm="nmcs(2)", threads=threads, together=True, seed=7).run(runs=runs)
        for threads in (1, 2)
    ]
    assert found[0].scores == found[1].scores and found[0].moves == found[1].moves and found[0].playouts == found[1].playouts
    assert found[0].score == found[0].moves.count("left") == max(found[0].scores)
    mean, expected = sum(found[0].scores) / runs, left_move_means(depth)[2]
    spread = sum((score - mean) ** 2 for score in found[0].scores) / (runs - 1)
    assert abs(mean - expected) < 5 * max(spread / runs, 0.01) ** 0.5


def test_threads_together_on_the_command_line_and_what_they_refuse() -> None:
    done = run(
        "samegame('00112/01021/11200')", "--algorithm", "nmcs(2, selective)", "--threads", "2", "--together", *ONCE, "--json"
    )
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["scores"] == [told["score"]] and told["threads"] == 2
    for arguments, complaint in (
        (("--algorithm", "nrpa(2)", *ONCE), "cannot be searched together: nmcs of level 2"),
        (("--algorithm", "nmcs(1)", *ONCE), "cannot be searched together: nmcs of level 2"),
        (("--algorithm", "nmcs(2)", "--iterations", "5"), "count runs or seconds, not iterations"),
    ):
        done = run("left_move(4)", "--together", *arguments)
        assert done.exit_code == 2 and complaint in done.stderr and done.stderr.count("\n") == 1


def test_threads_together_stop_when_the_time_is_up() -> None:
    solution = Solver("morpion(5D)", algorithm="nmcs(3)", threads=2, together=True, seed=1).run(seconds=0.5)
    assert solution.stopped_by == "seconds" and solution.score is not None and solution.scores == []
    assert solution.score == len(solution.moves) and solution.seconds < 30
