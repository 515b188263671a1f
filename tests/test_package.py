"""The package as a whole: what the README promises is there, runs, and is what the automatic checks run."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import icarus
from icarus.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def blocks(language: str) -> list[str]:
    """The fenced code blocks of the README."""
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def pinned() -> dict[str, str]:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def plain(name: str) -> str:
    """A distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


# --- the two commands ------------------------------------------------------------------------------------------------


def test_the_readme_opens_with_two_commands_and_both_exist():
    commands = [line.split("#")[0].strip() for line in blocks("sh")[0].strip().splitlines()]
    assert commands == ["./demo", "./run-tests"]
    assert README.index("./demo") < README.index("\n## ")
    for command in commands:
        file = ROOT / command
        assert file.stat().st_mode & stat.S_IXUSR, f"{command} is not executable"
        assert subprocess.run(["bash", "-n", str(file)], check=False).returncode == 0


def test_the_automatic_checks_run_the_readmes_second_command_and_nothing_else():
    script = (ROOT / ".ci" / "run").read_text()
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
    assert script.splitlines()[-1] == "exec ./run-tests"
    assert not re.search(r"pytest|icarus |pip ", script)


def test_the_test_command_lints_types_and_tests_both_modes():
    script = (ROOT / "run-tests").read_text()
    for part in ("set -euo pipefail", "ruff check", "ruff format --check", "mypy", "icarus warmup", "NUMBA_DISABLE_JIT=1 pytest"):
        assert part in script
    assert re.search(r"^pytest ", script, flags=re.MULTILINE)


# --- the README's code -----------------------------------------------------------------------------------------------


def test_the_readmes_three_lines_run(capsys):
    first = blocks("python")[0].replace("10_000", "100")
    exec(compile(first, "README.md", "exec"), {})
    label, speed = capsys.readouterr().out.split()
    assert label in ("d3", "c4", "f5", "e6")
    assert float(speed) > 0


def test_the_readmes_game_plays_nim_perfectly(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text(blocks("python")[1])
    result = icarus.search(str(file), iterations=3000, seed=1)
    assert result.best.label == "2", "leaving a multiple of four wins"


def test_the_readme_lists_every_command():
    listed = set(re.findall(r"^\| `icarus (\w+)", README, flags=re.MULTILINE))
    commands = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert listed == commands | {group.name for group in app.registered_groups}


def test_every_algorithm_is_in_the_readme():
    for name in icarus.ALGORITHMS:
        assert f"`{name}`" in README or f"`{name}(d)`" in README


# --- what is shipped -------------------------------------------------------------------------------------------------


def test_one_version_everywhere():
    assert PROJECT["project"]["dynamic"] == ["version"], "the version is written in src/icarus/__init__.py alone"
    try:
        installed = metadata.version("icarus-mcts")
    except metadata.PackageNotFoundError:
        pytest.skip("run from sources, not installed")
    assert installed == icarus.__version__


def test_the_package_says_that_it_is_typed():
    assert (Path(icarus.__file__).parent / "py.typed").is_file()


def test_every_dependency_is_pinned():
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        wanted += [requirement for requirement in extra if not requirement.startswith("icarus-mcts[")]
    names = {plain(name) for name in pinned()}
    for requirement in wanted:
        assert plain(re.match(r"[\w.-]+", requirement)[0]) in names, f"{requirement} has no line in requirements.lock"


def test_the_lock_names_versions_and_no_places():
    for name, version in pinned().items():
        assert re.fullmatch(r"[\w.-]+", name) and re.fullmatch(r"[\w.+-]+", version)


def test_the_core_needs_nothing_heavy():
    """Pictures, benchmarks and grounders are extras: importing the package and searching load none of them."""
    program = (
        "import sys, icarus; icarus.search('tic_tac_toe', iterations=5, seed=1);"
        "print(*{'matplotlib', 'pyspiel', 'clingo', 'lark', 'openskill', 'rlcard', 'mcts', 'scipy.stats'} & set(sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.split() == []


def test_no_file_knows_the_machine_that_it_was_written_on():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode != 0:
        pytest.skip("not a clone")
    places = re.compile(r"(?<![\w.])/(?:home|root|Users|tmp|work)/\w")
    for name in tracked.stdout.splitlines():
        file = ROOT / name
        if file == Path(__file__) or not file.is_file():
            continue
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue
        assert not places.search(text), f"{name}: {places.search(text)[0]}"
