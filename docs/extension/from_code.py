"""Directives that fill pages from the code itself, so that what they say cannot fall behind it.

==========================  ======================================================================================
``{algorithm} NAME``        how the loop is set up for a published algorithm
``{enhancement} NAME``      what an enhancement keeps, who reads it by which formula, and its parameters
``{policies}``              all policies with their formulas
``{parts}``                 what else a strategy may replace: leaf rules, priors, backups, maps of rewards, with their formulas
``{position} GAME``         a drawing; the content is the moves that lead there, ``:observer:`` the player who looks
``{games}``                 all games that come with Icarus, and the rules of each
``{commands}``              all commands with their arguments and options
``{modules}``               all modules, each with the first sentence of its docstring
==========================  ======================================================================================

Each of them writes Markdown, which is then read like the rest of the page.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import icarus
from icarus.algorithm import ALGORITHMS, TREES, Algorithm
from icarus.engine import layout as w
from icarus.strategy.base import Enhancement, Function, Policy, Strategy, write_value
from icarus.strategy.baseline import SEAMS
from icarus.strategy.combine import Maxilinear, Weight
from icarus.strategy.expression import vocabulary

PACKAGE = Path(icarus.__file__).parent


def setup(app: Sphinx) -> dict[str, Any]:
    for name, write in (
        ("algorithm", algorithm),
        ("enhancement", enhancement),
        ("policies", lambda _: policies()),
        ("parts", lambda _: parts()),
        ("games", lambda _: games()),
        ("commands", lambda _: commands()),
        ("modules", lambda _: modules()),
    ):
        app.add_directive(name, _writing(write))
    app.add_directive("position", Drawing)
    app.connect("autodoc-process-docstring", lambda app, what, name, value, options, lines: rewrite_tables(lines))
    return {"parallel_read_safe": True}


def _writing(write: Any) -> type[SphinxDirective]:
    """A directive whose page text is what ``write`` makes of its argument."""

    class Written(SphinxDirective):
        optional_arguments = 1

        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(write(self.arguments[0] if self.arguments else ""), allow_section_headings=True)

    return Written


# --- algorithms and enhancements -------------------------------------------------------------------------------------

NODES = {
    w.BY_ACTIONS: "the actions since the root",
    w.BY_ROOT_VIEW: "the moves since the root as the searching player saw them",
    w.BY_EACH_VIEW: "the moves since the root as the player whose tree it is saw them",
}


def algorithm(name: str) -> str:
    """The settings of the loop, as a table."""
    found = ALGORITHMS[name]
    if found.asks:
        node = "an action since the root; where something is hidden or drawn, what who acts has seen and sees"
        rows = [("name", f"`{name}`"), ("asks", "an evaluator: `evaluator=evaluate`, or a file: `" + name + "[net.onnx]`")]
        parameters = ", ".join(f"`{parameter.field}={getattr(found, parameter.field)}`" for parameter in found.parameters)
        return _table(("setting", "value"), [*rows, ("a node is", node), ("parameters", parameters)])
    if TREES in found.parameters:
        trees = f"{found.trees}, or as many as are given: `{name}(10)`"
    else:
        trees = f"{found.trees} for each player" if found.identity == w.BY_EACH_VIEW else str(found.trees)
    depth = "one ply: nothing but the root's actions is recorded" if found.max_depth == 1 else "grows with every iteration"
    return _table(
        ("setting", "value"),
        [
            ("name", f"`{name}`"),
            ("trees", trees),
            ("what is searched", _states(found)),
            ("a node is", NODES[found.identity]),
            ("depth of the tree", depth),
            (
                "choice at the root",
                "each action in turn, at random" if found.flat_root else "by the strategy, UCB1 if none is given",
            ),
        ],
    )


def _states(found: Algorithm) -> str:
    if found.cheats:
        return "the true state, hidden things included"
    if found.determinizations:
        return f"one of {found.determinizations} determinizations (or as many as are given), drawn before the search"
    if found.resamples:
        return "a determinization drawn anew for every iteration, where something is hidden"
    return (
        "one determinization for each tree, where something is hidden"
        if TREES in found.parameters
        else "the state, all of it known"
    )


def enhancement(name: str) -> str:
    """Source and idea from the module's docstring, parameters from the class's, records and formulas from an instance."""
    kind = vocabulary()[name]
    example: Strategy = kind()
    idea = inspect.getdoc(inspect.getmodule(kind)) or ""
    values = (f"{item.name}={write_value(getattr(example, item.name))}" for item in inspect.signature(kind).parameters.values())
    call = f"{name}({', '.join(values)})"
    rows = [("written", f"`{call}`"), *_rows(example)]
    return "\n\n".join([idea, _table(("", name), rows), inspect.getdoc(kind) or ""])


def _rows(strategy: Strategy) -> Iterator[tuple[str, str]]:
    if isinstance(strategy, Function):
        yield "formula", f"`{strategy.formula}`"
    if isinstance(strategy, Maxilinear):
        weight = strategy.weight
        formula = f"W = `{weight.formula}`" if isinstance(weight, Weight) else f"W = {write_value(weight)}"
        yield "plays", f"the largest W · `{strategy.first}` + (1 − W) · `{strategy.second}`, {formula}"
    for leaf in strategy.enhancements():
        of = "" if leaf is strategy else f" of `{type(leaf).__name__}`"
        yield f"records{of}", leaf.capture.records
        yield f"policy{of}", f"`{leaf.reuse}`"
        yield f"formula{of}", f"`{leaf.reuse.formula}`" + ("" if leaf.reuse.shape == w.ARG_MAX else ", as odds")
        if leaf.capture.needs:
            yield f"the game must have{of}", ", ".join(f"`{need}`" for need in leaf.capture.needs)


def policies() -> str:
    kinds = [kind for kind in vocabulary().values() if issubclass(kind, Policy)]
    return _table(
        ("policy", "plays", "formula"),
        [(f"`{kind()}`", "the largest" if kind.shape == w.ARG_MAX else "by odds", f"`{kind.formula}`") for kind in kinds],
    )


def parts() -> str:
    """Leaf rules, priors, backups, maps of rewards and bounds on outcomes, each with what its class says."""
    fields = ((name, kind) for name, kind in SEAMS.items() if kind is not Policy)
    rows = [
        (
            f"`Baseline({field}={found()})`",
            f"`{found.formula}`" if found.formula else "",
            (inspect.getdoc(found) or "").split("\n\n")[0],
        )
        for field, kind in fields
        for found in vocabulary().values()
        if issubclass(found, kind)
    ]
    return _table(("written", "formula", "what it does"), [(a, b, " ".join(c.split())) for a, b, c in rows])


def strategies() -> list[str]:
    """The enhancements that have a page: what an expression can name without giving it strategies to combine."""
    return [
        name
        for name, kind in vocabulary().items()
        if issubclass(kind, Enhancement)
        or (issubclass(kind, Strategy) and all(p.default is not p.empty for p in inspect.signature(kind).parameters.values()))
    ]


# --- drawings --------------------------------------------------------------------------------------------------------


class Drawing(SphinxDirective):
    """A position as the game draws it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"observer": directives.nonnegative_int, "seed": directives.nonnegative_int}

    def run(self) -> list[nodes.Node]:
        from icarus.drawing import draw
        from icarus.drawing.kit import PALETTE
        from icarus.moves import play_moves

        seed = self.options.get("seed", 0)
        position = play_moves(icarus.load(self.arguments[0]).start(seed), " ".join(self.content), seed)
        picture = draw(position, self.options.get("observer"))
        # a drawing follows the system's choice of light or dark; a reader may have chosen otherwise for these pages
        chosen = "".join(
            f'body[data-theme="{theme}"]{{{"".join(f"--icarus-{name}:{colours[i]};" for name, colours in PALETTE.items())}}}'
            for i, theme in enumerate(("light", "dark"))
        )
        style = f"<style>{chosen}</style>"
        return [nodes.raw("", f'{style}<div style="max-width:24em;margin:1em 0">{picture}</div>', format="html")]


def games() -> str:
    """All games in a table, then their rules, which are the docstrings of their modules."""
    from icarus.cli import describe

    traits = {"hidden_information": "hidden information", "chance": "chance", "simultaneous": "simultaneous choices"}
    rows, modules = [], dict[str, list[str]]()
    for name, place in icarus.GAMES.items():
        facts, game = describe(name), icarus.load(name)
        offers = [f"`{extra}`" for extra in ("key", "playout", "heuristic", "episode", "predicates") if getattr(game, extra)]
        has = ", ".join([*(text for trait, text in traits.items() if facts[trait]), *offers])
        rows.append((f"`{name}{facts['parameters']}`", str(facts["players"]), facts["summary"], has))
        modules.setdefault(place.partition(":")[0], []).append(name)
    parts = [_table(("game", "players", "what it is", "has"), rows)]
    for module, names in modules.items():
        rules = inspect.getdoc(import_module(module)) or ""
        parts += [f"## {', '.join(names)}", re.sub(r"::$", ":", rules, flags=re.MULTILINE)]
    return "\n\n".join(parts)


# --- docstrings ------------------------------------------------------------------------------------------------------


def rewrite_tables(lines: list[str]) -> None:
    """Two-column tables of docstrings are laid out for readers of the source: a long first cell may run into the second column,
    and a literal may go on in the next line.  Neither is a table to docutils, so tables become lists of rows here."""
    written: list[str] = []
    rows: list[list[str]] | None = None
    for line in lines:
        if re.fullmatch(r"=+  =+", line.strip()):
            if rows is None:
                rows = []
            else:
                written += _list_table(rows)
                rows = None
        elif rows is None:
            written.append(line)
        else:
            first, second = re.fullmatch(r"(.*?)(?:\s{2,}(.*))?", line.rstrip()).groups(default="")  # type: ignore[union-attr]
            if rows and (not first or rows[-1][0].count("``") % 2):
                rows[-1] = [f"{rows[-1][0]} {first}".strip(), f"{rows[-1][1]} {second}".strip()]
            else:
                rows.append([first, second])
    lines[:] = written


def _list_table(rows: list[list[str]]) -> list[str]:
    cells = (f"   {'*' if i == 0 else ' '} - {cell}" for row in rows for i, cell in enumerate(row))
    return ["", ".. list-table::", "   :widths: auto", "", *cells, ""]


# --- commands and modules --------------------------------------------------------------------------------------------


def commands() -> str:
    """Every command: its usage, what it does and its options, as ``--help`` knows them."""
    return "\n\n".join(_command(path, command) for path, command in every_command())


def every_command() -> Iterator[tuple[str, Any]]:
    """All commands that do something, with what is typed to reach them."""
    from typer.main import get_command

    from icarus.cli import app

    def below(path: str, command: Any) -> Iterator[tuple[str, Any]]:
        if hasattr(command, "commands"):
            for name, part in command.commands.items():
                yield from below(f"{path} {name}", part)
        else:
            yield path, command

    yield from below("icarus", get_command(app))


def _command(path: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    usage = " ".join([path, *(p.metavar or p.name.upper() for p in arguments), *(["[OPTIONS]"] if options else [])])
    rows = [(f"`{', '.join(p.opts)}`", p.help or "") for p in options]
    parts = [f"## {path}", f"```text\n{usage}\n```", inspect.cleandoc(command.help or "")]
    return "\n\n".join([*parts, *([_table(("option", "meaning"), rows)] if rows else [])])


def modules() -> str:
    files = sorted(PACKAGE.rglob("*.py"), key=lambda file: (len(file.parts) > len(PACKAGE.parts) + 1, file))
    rows = [(f"`{file.relative_to(PACKAGE)}`", _first_sentence(file)) for file in files]
    return _table(("module", "what it is"), [row for row in rows if row[1]])


def _first_sentence(file: Path) -> str:
    text = ast.get_docstring(ast.parse(file.read_text())) or ""
    return re.split(r"(?<=\.)\s", " ".join(text.split("\n\n")[0].split()))[0].rstrip(".")


def _table(columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    head = tuple(columns)
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
