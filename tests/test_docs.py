"""The documentation is true: it builds without warnings, its code runs, its commands exist, and it leaves nothing out."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from typer.main import get_command

import icarus
from icarus.algorithm import algorithm_named, with_strategy
from icarus.arena.players import read_player
from icarus.cli import app
from icarus.gdl.sheets import find_sheet
from icarus.jit import JIT
from icarus.strategy.expression import read_strategy

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = Path(icarus.__file__).parent
PAGES = sorted([ROOT / "README.md", *(file for file in DOCS.rglob("*.md") if "_build" not in file.parts)])
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
EXAMPLES = [file.read_text() for file in sorted((ROOT / "examples").glob("*.py"))]
COMMAND = get_command(app)

specification = importlib.util.spec_from_file_location("from_code", DOCS / "extension" / "from_code.py")
from_code = importlib.util.module_from_spec(specification)
specification.loader.exec_module(from_code)

needs_speed = pytest.mark.skipif(not JIT, reason="searches of tutorials are too long for plain Python")


def named(file: Path) -> str:
    return str(file.relative_to(ROOT))


def blocks(page: Path) -> list[tuple[str, int, str]]:
    """The fenced blocks of a page: language, line and text."""
    text = page.read_text()
    return [
        (match[1], text.count("\n", 0, match.start(2)), match[2])
        for match in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    ]


def python_blocks(page: Path) -> list[tuple[int, str]]:
    return [(line, text) for language, line, text in blocks(page) if language == "python"]


@pytest.fixture
def desk(tmp_path, monkeypatch) -> Path:
    """A folder in which a reader follows a page, with the files that pages take for granted."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "breakthrough.kif").write_text(find_sheet("gdl:breakthrough").read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MPLBACKEND", raising=False)  # notebooks show their figures
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    return tmp_path


# --- Python ----------------------------------------------------------------------------------------------------------


def cheaper(code: str) -> str:
    """The same with smaller budgets, where these are matches, checks or clocks; iterations stay, since answers depend on them."""
    code = re.sub(r"\bgames=\d+", "games=2", code)
    return re.sub(r"\bseconds=[\d.]+", "seconds=0.05", code)


@needs_speed
@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=named)
def test_the_python_of_a_page_runs_in_order(page: Path, desk: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for line, block in python_blocks(page):
        place = f"{named(page)}:{line}"
        file = re.match(r"# (\w+\.py)\n", block)
        if file:
            (desk / file[1]).write_text(block)
        elif block in "".join(EXAMPLES):
            continue  # an excerpt: the file it is from has tests of its own
        elif block.startswith(" "):
            compile(textwrap.dedent(block), place, "exec")  # a method without its class
        elif block.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block, names, place, place, line)
            assert doctest.DocTestRunner().run(test).failed == 0, place
        else:
            exec(compile("\n" * line + cheaper(block), named(page), "exec"), names)


@needs_speed
@pytest.mark.parametrize("file", NOTEBOOKS, ids=named)
def test_a_notebook_runs(file: Path, desk: Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are made when the documentation is built"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(desk)}}).execute()
    assert any("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_there_are_two_notebooks() -> None:
    assert len(NOTEBOOKS) == 2


# --- commands --------------------------------------------------------------------------------------------------------


def commands(page: Path) -> Iterator[list[str]]:
    """The words of every `icarus ...` command that a page shows, in blocks and between backticks."""
    shown = [line for language, _, text in blocks(page) if language in ("", "sh", "console") for line in text.splitlines()]
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    shown += re.findall(r"(?<!`)`(icarus [^`\n]+)`", prose)
    for line in shown:
        for part in line.split(" && "):
            command = re.match(r"(?:\$ )?(?:\.venv/bin/)?icarus\b(.*)", part)
            if command:
                yield shlex.split(command[1], comments=True)


def parse(words: list[str]) -> None:
    """Find the command and read its arguments and options as the program would, without running it."""
    command, context, rest = COMMAND, None, words
    while hasattr(command, "commands"):
        if not rest:
            return
        context = command.make_context(command.name, list(rest), parent=context)
        _, command, rest = command.resolve_command(context, rest)
    if rest and "--help" not in rest:  # a bare name is a mention of the command
        given = command.make_context(command.name, list(rest), parent=context).params
        if words[0] == "ggp":
            given.pop("players", None)  # addresses, not players of the arena
        understand(given)


def understand(given: dict[str, object]) -> None:
    """Games, players, algorithms and strategies have a meaning, unless they stand for any: GAME, PLAYER."""
    values = {name: value for name, value in given.items() if isinstance(value, str) and not re.fullmatch(r"[A-Z]+", value)}
    place = str(values.get("game", "")).partition("(")[0]
    built_in = place in icarus.GAMES
    assert not place or built_in or place == "fixed_dice" or ":" in place or place.endswith((".py", ".kif")), (
        f"there is no game {place!r}"
    )
    if "strategy" in values:
        strategy = read_strategy(values["strategy"])
        if built_in:
            strategy.check(icarus.load(values["game"]))
    if built_in and "algorithm" in values:
        game = icarus.load(values["game"])
        algorithm_named(with_strategy(values["algorithm"])[0], game).check(game)
    for player in given.get("players") or ():
        if not re.fullmatch(r"[A-Z]+…?", player):
            read_player(player)


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=named)
def test_the_commands_of_a_page_mean_something(page: Path, desk: Path) -> None:
    for words in commands(page):
        try:
            parse(words)
        except Exception as problem:
            pytest.fail(f"{named(page)}: icarus {shlex.join(words)}: {problem}")


@pytest.mark.parametrize(
    "command, problem",
    [
        ("searhc othello", "searhc"),
        ("search othello --speed 3", "--speed"),
        ("search --time 3", "game"),
        ("search otello", "otello"),
        ("search othello --strategy 'NAST(2)'", "no baseline"),
        ("search othello --strategy 'Baseline() >> PAST()'", "predicates"),
        ("search 'phantom(4,4,4)' --algorithm uct", "perfect information"),
        ("match othello 'uct[NAST(2)]@500' random", "no baseline"),
    ],
)
def test_a_command_that_could_not_work_would_be_noticed(command: str, problem: str) -> None:
    with pytest.raises(Exception, match=problem):
        parse(shlex.split(command))


# --- completeness ----------------------------------------------------------------------------------------------------


def test_the_layout_names_every_module_and_nothing_else() -> None:
    """docs/architecture.md: a module is named by its file or by its folder."""
    table = [line.split("|")[1] for line in (DOCS / "architecture.md").read_text().splitlines() if line.startswith("| `")]
    places = {place for cell in table for place in re.findall(r"`([\w/.]+)`", cell)}
    for place in places:
        assert (PACKAGE / place).exists(), f"docs/architecture.md names {place}, which does not exist"
    for file in PACKAGE.rglob("*.py"):
        module = file.relative_to(PACKAGE)
        folders = {f"{folder}/" for folder in module.parents}
        known = str(module) in places or folders & places or module.name == "__init__.py"
        assert known, f"docs/architecture.md does not name {module}"


def test_a_module_that_is_named_exists() -> None:
    """In pages, docstrings and comments a module is named with the folders that it takes to find it."""
    known = {f"/{file.relative_to(ROOT)}" for folder in (PACKAGE, ROOT / "tests") for file in folder.rglob("*.py")}
    folders = {folder for file in known for folder in file.split("/")[:-1]}
    for file in (*DOCS.rglob("*.md"), ROOT / "README.md", *PACKAGE.rglob("*.py")):
        for place in re.findall(r"(?<![\w/.])((?:[a-z_]+/)+\w+\.py)\b", file.read_text()):
            if place.partition("/")[0] in folders:
                assert any(name.endswith(f"/{place}") for name in known), f"{file.relative_to(ROOT)} names {place}"


def test_every_algorithm_and_enhancement_has_a_page() -> None:
    for folder, directive, names in (
        ("algorithms", "algorithm", list(icarus.ALGORITHMS)),
        ("enhancements", "enhancement", from_code.strategies()),
    ):
        texts = [file.read_text() for file in sorted((DOCS / folder).glob("*.md"))]
        for name in names:
            pages = [text for text in texts if f"```{{{directive}}} {name}\n" in text]
            assert len(pages) == 1, f"docs/{folder}: {name} has {len(pages)} pages"
            assert re.search(r"^## When (it helps|to use it)$", pages[0], flags=re.MULTILINE), name


def test_every_enhancement_names_its_source_and_its_formula() -> None:
    for name in from_code.strategies():
        text = from_code.enhancement(name)
        assert re.search(r"\| formula[^|]* \| `.+`", text), name
        assert name == "Heuristic" or re.search(r"(19|20)\d\d", text), f"{name} does not say where it comes from"


def test_every_game_is_listed_with_its_rules() -> None:
    text = from_code.games()
    for name in icarus.GAMES:
        assert re.search(rf"^\| `{name}[`(]", text, flags=re.MULTILINE) and re.search(
            rf"^## .*\b{name}\b", text, flags=re.MULTILINE
        ), name


def test_docstring_tables_become_rows_whatever_their_cells_hold() -> None:
    lines = ["before", "====  ====", "``a``  one", "``b(c,  two", "d)``   three", "      four", "====  ====", "after"]
    from_code.rewrite_tables(lines)
    assert [line.strip() for line in lines if "- " in line] == ["* - ``a``", "- one", "* - ``b(c, d)``", "- two three four"]
    assert lines[0] == "before" and lines[-1] == "after"


# --- the build -------------------------------------------------------------------------------------------------------


@needs_speed
def test_the_documentation_builds_without_warnings(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-D",
        "nb_execution_mode=off",
        str(DOCS),
        str(tmp_path),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert built.returncode == 0, built.stderr
    for page in ("index", "start", "hidden-information", "reference/search", "notebooks/an-experiment"):
        assert (tmp_path / f"{page}.html").is_file()
    assert "<svg" in (tmp_path / "index.html").read_text()
