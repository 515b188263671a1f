"""The folders are layers: what is below imports nothing from above, and the core nothing that talks to people."""

from __future__ import annotations

import ast
from pathlib import Path

import icarus

PACKAGE = Path(icarus.__file__).parent
#: from the ground up; within a layer anything goes
LAYERS = (
    ("errors", "jit"),
    ("game",),
    ("engine",),
    ("proofs",),
    ("strategy", "algorithm", "one_player", "planning", "tree", "result", "search", "terminal", "loading"),
)
#: what talks to people, or builds on searches: the core must not know it
ABOVE = {
    "cli",
    "web",
    "play",
    "arena",
    "tune",
    "playtest",
    "ggp",
    "bridges",
    "notebook",
    "explain",
    "tools",
    "solving",
    "learning",
}


def imports(file: Path) -> set[str]:
    """The parts of the package that a file imports when it is loaded (not those that a function imports when it is called)."""
    found = set()
    for node in ast.parse(file.read_text()).body:
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                if node.module == "icarus"
                else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("icarus.")}
    return found


def files_of(part: str) -> list[Path]:
    folder = PACKAGE / part
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{part}.py"]


def test_nothing_below_imports_from_above() -> None:
    for height, layer in enumerate(LAYERS):
        higher = {part for above in LAYERS[height + 1 :] for part in above} | ABOVE
        for part in layer:
            for file in files_of(part):
                assert not imports(file) & higher, f"{file.relative_to(PACKAGE)} imports {imports(file) & higher}"


def test_the_engine_is_apart_from_games_and_strategies() -> None:
    for file in files_of("engine"):
        assert not imports(file) & {"games", "strategy", "search", "gdl", "python_game"}, file


def test_nobody_outside_reads_what_a_search_keeps_for_itself() -> None:
    """Explorer, explain, results and the arena look at ``search.tree`` and what else is public."""
    found = []
    for file in PACKAGE.rglob("*.py"):
        if (PACKAGE / "search") in file.parents:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                owner = node.value
                name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
                if name in ("search", "team", "plan", "tree"):
                    found.append(f"{file.relative_to(PACKAGE)}:{node.lineno} {name}.{node.attr}")
    assert not found, found


def test_no_two_parts_import_each_other() -> None:
    parts = {path.stem if path.suffix == ".py" else path.name for path in PACKAGE.iterdir() if path.suffix in ("", ".py")}
    below = {part: set().union(*(imports(file) for file in files_of(part)), set()) - {part} for part in parts - {"__init__"}}
    while free := [part for part, needed in below.items() if not needed & below.keys()]:
        for part in free:
            del below[part]
    assert not below, f"these import each other in a circle, or what does: {sorted(below)}"
