"""Nobody runs code through a name: what each door takes, and that nothing is called before it is known to make a game."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from icarus.arena.match import GameRecord, replay
from icarus.arena.players import read_player
from icarus.bridges.engine import Engine
from icarus.errors import GameError, IcarusError
from icarus.loading import GAMES, load
from icarus.play.table import Table
from icarus.strategy.expression import read_strategy
from icarus.trust import OUTSIDE, NotAllowed, allowing, code_named_in
from icarus.web.catalog import Catalog
from icarus.web.limits import Limits, Refused
from icarus.web.strength import read_strength
from icarus.web.table import Seat
from icarus.web.table import Table as WebTable
from tests.support import NIM

#: a file that shows that it was run, and holds a game and a strategy
CODE = f"""{NIM}
from pathlib import Path
from icarus.strategy import MAST
Path(__file__).with_suffix(".ran").touch()
class Mine(MAST): pass
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    file = tmp_path / "code.py"
    file.write_text(CODE)
    return file


def names(file: Path) -> list[str]:
    """Names of games that would run something."""
    mark = file.with_suffix(".ran")
    return [
        f"os:system('touch {mark}')",
        f"subprocess:getoutput('touch {mark}')",
        f"builtins:exec(\"open('{mark}', 'w')\")",
        f"pathlib:Path('{mark}')",
        str(file),
        f"{file}:Nim",
        f"{file.parent}/../{file.parent.name}/{file.name}",
        "openspiel:tic_tac_toe",
    ]


def ran(file: Path) -> bool:
    return file.with_suffix(".ran").exists()


DOORS: dict[str, Callable[[str], object]] = {
    "loading": lambda name: load(name, OUTSIDE),
    "the web": lambda name: Catalog().load(name),
    "results": lambda name: replay(stored_game(name)),
    "saved games": lambda name: saved_game(name),
}


def stored_game(name: str) -> GameRecord:
    some = dict.fromkeys(("decisions", "iterations", "seconds", "share", "depth"), ())
    return GameRecord("cell", 0, name, 1, (), (), (), (), elapsed=0.0, version="", **some)  # type: ignore[arg-type]


def saved_game(name: str, seat: str = "human") -> Table:
    record = {"icarus": "", "format": 1, "game": name, "seed": 1, "seats": [seat, "human"], "moves": []}
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "saved.json"
        file.write_text(json.dumps(record))
        return Table.load(file)


@pytest.mark.parametrize("door", DOORS)
def test_a_name_from_outside_runs_nothing(door: str, code: Path) -> None:
    for name in names(code):
        with pytest.raises((NotAllowed, Refused)) as caught:
            DOORS[door](name)
        assert "\n" not in str(caught.value) and not ran(code), name


def test_the_engine_runs_nothing_that_a_message_names(code: Path) -> None:
    answers: list[dict[str, object]] = []
    engine = Engine(answers.append)
    for name in names(code):
        engine.answer(json.dumps({"cmd": "new", "game": name}).encode())
        assert answers[-1]["type"] == "error" and "allow" in str(answers[-1]["error"]), name
    engine.answer(b'{"cmd": "new", "game": "tic_tac_toe"}')
    engine.answer(json.dumps({"cmd": "go", "iterations": 1, "strategy": f"Baseline() >> {code}:Mine()"}).encode())
    engine.wait()
    assert "is not allowed here" in str(answers[-1]["error"]) and not ran(code)


def test_a_strategy_from_outside_runs_nothing(code: Path) -> None:
    text = f"Baseline() >> {code}:Mine()"
    machine = {"strategy": text, "iterations": 1}
    table = WebTable("tic_tac_toe", load("tic_tac_toe"), [Seat(), Seat()], seed=1).as_dict()
    table["seats"][1]["strength"] = machine
    for door in (
        lambda: read_strategy(text, OUTSIDE),
        lambda: read_player(f"uct[{text}]@10", OUTSIDE),
        lambda: read_strength(machine, load("tic_tac_toe"), Limits()),
        lambda: WebTable.from_dict(table, load("tic_tac_toe")),
        lambda: saved_game("tic_tac_toe", f"uct[{text}]@10"),
    ):
        with pytest.raises(IcarusError):
            door()
        assert not ran(code)


def test_what_was_allowed_is_found_and_nothing_beside_it(code: Path) -> None:
    trust = allowing([str(code)])
    assert load(str(code), trust).players == 2 and load(f"{code}:Nim", trust).players == 2
    assert "Mine" in str(read_strategy(f"Baseline() >> {code}:Mine()", trust))
    other = code.with_name("other.py")
    other.write_text(CODE)
    with pytest.raises(NotAllowed):
        load(str(other), trust)
    assert not ran(other)
    assert load("icarus.games.hex:hex(3)", allowing(["icarus.games.hex"])).name == "hex(3)"
    with pytest.raises(NotAllowed):
        load("icarus.games.mnk:mnk", allowing(["icarus.games.hex"]))


@pytest.mark.parametrize("given", ["nowhere.py", "nowhere.kif", "no such thing", ""])
def test_only_what_is_there_can_be_allowed(given: str) -> None:
    with pytest.raises(IcarusError, match="--allow"):
        allowing([given])


@pytest.mark.parametrize("name", [*GAMES, "gdl:tic_tac_toe"])
def test_built_in_games_are_for_everybody(name: str) -> None:
    assert load(name, OUTSIDE).players >= 1


@pytest.mark.parametrize(
    "name", ["mnk(1000,1000,5)", "hex(10**6)", "hex(" + "9" * 5000 + ")", "x" * 5000, "hex(" * 400, "matrix({[]: 1})"]
)
def test_a_name_from_outside_cannot_be_too_large(name: str) -> None:
    with pytest.raises(IcarusError) as caught:
        load(name, OUTSIDE)
    assert len(str(caught.value)) < 1000 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["os:system('true')", "builtins:dict", "subprocess:Popen(['true'])", "icarus.game:Position", "json:loads('1')", "os:sep"],
)
def test_nothing_is_called_that_does_not_say_that_it_makes_a_game(name: str) -> None:
    with pytest.raises(GameError, match=r"annotated to return a Game|is missing"):
        load(name)


def test_a_function_in_a_file_is_called_if_it_is_annotated(tmp_path: Path) -> None:
    file = tmp_path / "made.py"
    file.write_text(
        "import icarus\ndef three() -> icarus.Game: return icarus.load('hex(3)')\ndef mute(): return icarus.load('hex(3)')\n"
    )
    assert load(f"{file}:three").name == "hex(3)" and load(str(file)).name == "hex(3)"
    with pytest.raises(GameError, match="annotated"):
        load(f"{file}:mute")


def test_a_left_game_says_what_must_be_allowed_to_go_on() -> None:
    assert code_named_in(["/a/b.py", "mo[Baseline() >> c.py:X()]@5", "tic_tac_toe", "gdl:zhadu", "random"]) == ["/a/b.py", "c.py"]
    assert code_named_in(["/a/b.py:name(3)", "rules.kif", "some.module:game(3)", "openspiel:chess"]) == [
        "/a/b.py",
        "rules.kif",
        "some.module",
        "openspiel",
    ]


class Evil:
    """What a pickle can do."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("everybody", [True, False])
def test_a_cache_that_everybody_may_write_to_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, everybody: bool
) -> None:
    from icarus.gdl.game import _cache_file, _load

    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("ICARUS_CACHE", str(cache))
    file = _cache_file("(role a)")
    file.parent.mkdir()
    file.write_bytes(pickle.dumps(Evil(tmp_path / "ran")))
    cache.chmod(0o777 if everybody else 0o700)
    assert _load(file) is None
    assert (tmp_path / "ran").exists() != everybody  # one's own cache is trusted


@pytest.mark.parametrize("allowed", [False, True])
def test_the_command_takes_what_it_was_started_with(code: Path, allowed: bool) -> None:
    command = [sys.executable, "-m", "icarus", "engine", *(["--allow", str(code)] if allowed else [])]
    said = subprocess.run(
        command, input=json.dumps({"cmd": "new", "game": str(code)}), capture_output=True, text=True, check=True
    )
    assert json.loads(said.stdout.splitlines()[1])["type"] == ("new" if allowed else "error")
    assert ran(code) == allowed
