"""Whatever comes in through a door is taken, or refused in one line: names, expressions, messages, sheets, files that were kept.

The engine's lines are in bridges/test_engine.py, the web socket's messages in web/test_server.py.
"""

from __future__ import annotations

import json
import re
import shutil
import warnings
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icarus.arena.match import replay
from icarus.arena.players import read_player
from icarus.arena.store import FILE, Store, salvageable
from icarus.arena.tournament import match
from icarus.errors import IcarusError
from icarus.game import Game
from icarus.gdl.checks import check_sheet
from icarus.gdl.reader import read_rules
from icarus.gdl.sheets import find_sheet, sheet_names
from icarus.ggp.messages import read_message
from icarus.loading import GAMES, load
from icarus.play.table import Table
from icarus.strategy import Strategy
from icarus.strategy.expression import read_strategy, vocabulary
from icarus.trust import OUTSIDE
from icarus.web.table import Seat
from icarus.web.table import Table as WebTable

# --- names and expressions -------------------------------------------------------------------------------------------

PLAIN = (
    st.integers(-3, 2**70).map(str) | st.text(max_size=6).map(repr) | st.sampled_from(["1e999", "[[1]]", "{}", "-0.5", "None"])
)
NAMES = st.one_of(
    st.text(max_size=40),
    st.builds(lambda name, given: f"{name}({','.join(given)})", st.sampled_from([*GAMES]), st.lists(PLAIN, max_size=3)),
    st.builds(lambda a, b: f"{a}:{b}", st.text(max_size=8) | st.sampled_from(["os", "gdl", "openspiel"]), st.text(max_size=8)),
    st.text(max_size=12).map(lambda text: f"{text}.py") | st.text(max_size=12).map(lambda text: f"gdl:{text}"),
)


@given(NAMES)
def test_every_name_is_a_game_or_one_line(name: str) -> None:
    with one_line():
        assert isinstance(load(name, OUTSIDE), Game)


PIECES = st.lists(
    st.sampled_from([*vocabulary(), *"()+*/,.=:[]'\n", ">>", "1", "0.5", "-", "inf", "x.py:X", "k=", "lambda", "\0"])
    | st.text(max_size=3),
    max_size=14,
)


@given(PIECES.map(" ".join) | PIECES.map("".join))
def test_every_expression_is_a_strategy_or_one_line(text: str) -> None:
    with one_line():
        assert isinstance(read_strategy(text, OUTSIDE), Strategy)
    with one_line(lines=3):  # the place of the mistake is shown below
        read_player(f"mo[{text}]@5", OUTSIDE)


# --- messages and sheets ---------------------------------------------------------------------------------------------

KIF = st.lists(
    st.sampled_from([*"()();\n", "START", "PLAY", "STOP", "ABORT", "INFO", "PREVIEW", "m", "nil", "1", "(role a)", "?x", "<="])
    | st.text(max_size=4),
    max_size=20,
).map(" ".join)


@given(KIF | KIF.map(lambda text: f"(START m a ({text}) 1 1)") | KIF.map(lambda text: f"(PLAY m ({text}))"))
def test_every_message_to_a_player_is_read_or_one_line(text: str) -> None:
    with one_line():
        read_message(text)


SMALL = [find_sheet(f"gdl:{name}").read_text() for name in sheet_names()]
TOKENS = [re.findall(r"[()]|[^\s()]+|\s+", re.sub(r";[^\n]*", "", text)) for text in SMALL]


@st.composite
def mutated_sheets(draw: st.DrawFn) -> str:
    """A sheet of ours with a few words in other places."""
    tokens = list(draw(st.sampled_from(TOKENS)))
    at = st.sampled_from([i for i, token in enumerate(tokens) if token.strip()])
    for _ in range(draw(st.integers(1, 4))):
        here, there = draw(at), draw(at)
        change = draw(st.sampled_from(["copy", "wrap", "variable", "drop", "swap"]))
        if change == "copy":
            tokens[here] = tokens[there]
        elif change == "swap":
            tokens[here], tokens[there] = tokens[there], tokens[here]
        else:
            tokens[here] = {"wrap": f"(f {tokens[here]})", "variable": f"?{tokens[here]}", "drop": ""}[change]
    return "".join(tokens)


@settings(max_examples=60)
@given(mutated_sheets() | KIF)
def test_every_sheet_is_checked_or_one_line(text: str) -> None:
    with one_line(), warnings.catch_warnings(action="ignore"):
        check_sheet(read_rules(text, "sheet"))


# --- files -----------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "match"
    match("tic_tac_toe", ["random", "random"], 6, seed=1, jobs=1, folder=folder)
    with Store.read(folder) as store:
        assert store.count() == 6
    return folder


@settings(max_examples=60)
@given(places=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=40), cut=st.floats(0.02, 1))
def test_every_folder_of_results_is_read_or_one_line(
    results: Path, tmp_path_factory: pytest.TempPathFactory, places: list[tuple[float, int]], cut: float
) -> None:
    """Bytes are changed anywhere, and the end may be missing."""
    damaged = tmp_path_factory.mktemp("damaged")
    data = bytearray((results / FILE).read_bytes())
    for place, value in places:
        data[int(place * len(data))] = value
    (damaged / FILE).write_bytes(data[: int(cut * len(data))])
    with one_line(), Store.read(damaged) as store:
        for record in store.records():
            replay(record)
    with one_line():
        for record in salvageable(damaged):
            replay(record)
    shutil.rmtree(damaged)


SAVED = {"icarus": "", "format": 1, "game": "tic_tac_toe", "seed": 1, "seats": ["human", "random"], "moves": [0, 1]}


@given(st.dictionaries(st.sampled_from([*SAVED]), JSON | st.lists(st.integers(-1, 9)) | NAMES, max_size=3), st.booleans())
def test_every_saved_game_is_played_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, object], whole: bool
) -> None:
    file = tmp_path_factory.getbasetemp() / "saved.json"
    text = json.dumps(SAVED | changes)
    file.write_text(text if whole else text[: len(text) // 2])
    with one_line(lines=3):
        assert isinstance(Table.load(file), Table)


@given(
    st.dictionaries(
        st.sampled_from(["game", "seed", "seats", "moves", "thoughts", "name", "touched", "format"]), JSON, max_size=2
    )
)
def test_every_kept_table_is_opened_or_refused(changes: dict[str, object]) -> None:
    kept = WebTable("tic_tac_toe", load("tic_tac_toe"), [Seat(), Seat()], seed=1).as_dict()
    with suppress(IcarusError, KeyError, TypeError, ValueError, AttributeError):  # all of which the lobby says in one line
        WebTable.from_dict({**kept, **changes}, load("tic_tac_toe"))


class one_line:
    """A refusal is one of ours, and short; anything else fails the test."""

    def __init__(self, lines: int = 1) -> None:
        self.lines = lines

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, _: object) -> bool:
        if not isinstance(problem, IcarusError):
            return False
        assert len(str(problem).split("\n")) <= self.lines and len(str(problem)) < 3000
        return True
