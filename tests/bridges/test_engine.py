"""The engine protocol: a conversation in lines of JSON that no line can end, and that tells a seat nothing it may not know."""

from __future__ import annotations

import io
import json
import os
import queue
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icarus.bridges.engine import COMMANDS, MAX_LINE, PROTOCOL, Engine, serve
from icarus.game import ENVIRONMENT, Game, Position, step_randomly
from icarus.jit import JIT
from icarus.jit.randomness import seeded
from icarus.loading import GAMES, load

EXAMPLES = Path(__file__).parents[2] / "examples"
ITERATIONS = 200 if JIT else 20
PATIENCE = 240  # seconds: on a fresh machine the search loop is compiled first


class Client:
    """A conversation with an engine in this process."""

    def __init__(self) -> None:
        self.answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self.engine = Engine(self.hear)

    def hear(self, message: dict[str, Any]) -> None:
        self.answers.put(json.loads(json.dumps(message, allow_nan=False)))

    def send(self, cmd: str, **fields: Any) -> None:
        self.engine.answer(json.dumps({"cmd": cmd, **fields}).encode())

    def next(self) -> dict[str, Any]:
        return self.answers.get(timeout=PATIENCE)

    def ask(self, cmd: str, **fields: Any) -> dict[str, Any]:
        self.send(cmd, **fields)
        return self.next()

    def refuse(self, cmd: str, **fields: Any) -> str:
        answer = self.ask(cmd, **fields)
        assert answer["type"] == "error"
        return str(answer["error"])

    def best(self, **fields: Any) -> dict[str, Any]:
        """Search without analysis."""
        answer = self.ask("go", every=0, **fields)
        assert answer["type"] == "best", answer
        return answer


@pytest.fixture
def client():
    client = Client()
    yield client
    client.engine.stop_search()
    client.engine.wait()


def conversation(*lines: bytes) -> list[dict[str, Any]]:
    """Everything that the command writes for this input."""
    out = io.StringIO()
    serve(io.BytesIO(b"".join(line + b"\n" for line in lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


# --- a conversation --------------------------------------------------------------------------------------------------


def test_it_says_hello_with_its_version():
    assert conversation()[0]["type"] == "hello"
    assert conversation()[0]["protocol"] == PROTOCOL


def test_help_lists_every_command_and_the_document_names_each_with_its_fields(client):
    commands = client.ask("help")["commands"]
    assert list(commands) == list(COMMANDS)
    text = (EXAMPLES.parent / "docs" / "engine-protocol.md").read_text()
    for name, command in commands.items():
        assert f"| `{name}` |" in text
        for field in command["fields"]:
            assert f"`{field}`" in text, f"{name} has a field that the document does not name: {field}"


def test_answers_repeat_the_id(client):
    assert client.ask("info", id="a")["id"] == "a"
    assert client.ask("info")["id"] is None
    assert client.ask("nonsense", id=7)["id"] == 7
    client.ask("new", game="tic_tac_toe")
    assert client.best(iterations=10, id=3)["id"] == 3


def test_a_position_is_its_moves_by_label_or_number(client):
    client.ask("new", game="connect_four")
    by_label = client.ask("position", moves=["4", "4", "3"])
    by_number = client.ask("position", moves=[3, 3, 2])
    assert by_label == by_number
    assert by_label["moves"] == ["4", "4", "3"] and by_label["player"] == 1
    step_by_step = [client.ask("position", moves=[])] + [client.ask("play", moves=[move]) for move in ("4", "4", "3")]
    assert step_by_step[-1]["moves"] == by_label["moves"]
    assert [row["label"] for row in client.ask("moves")["moves"]] == [str(i) for i in range(1, 8)]
    assert client.ask("show")["text"].count("X") == 2


def test_the_end_has_rewards_and_nothing_to_search(client):
    client.ask("new", game="tic_tac_toe")
    end = client.ask("position", moves=[0, 3, 1, 4, 2])
    assert end["over"] and end["player"] is None and end["rewards"] == [1.0, 0.0]
    assert client.ask("moves")["moves"] == []
    assert "over" in client.refuse("go", iterations=10)
    assert "over" in client.refuse("play", moves=[5])


def test_best_is_what_a_search_of_the_same_seed_finds(client):
    import icarus

    client.ask("new", game="othello")
    best = client.best(iterations=ITERATIONS, seed=5)
    result = icarus.search("othello", iterations=ITERATIONS, seed=5)
    assert (best["move"], best["action"], best["value"]) == (result.best.label, result.best.action, result.best.mean)
    assert [row["visits"] for row in best["root"]] == [row.visits for row in result.root]
    assert best["stopped_by"] == "iterations"


def test_a_managed_player_stops_when_decided_and_keeps_what_it_saves(client):
    client.ask("new", game="tic_tac_toe")
    client.ask("play", moves=["a1", "a2", "b1", "b2"])
    early = client.best(iterations=10 * ITERATIONS, seed=1, until_decided=1)
    managed = client.best(iterations=10 * ITERATIONS, seed=2, managed=True)
    for best in (early, managed):
        assert best["stopped_by"] == "decided" and best["move"] == "c1" and best["iterations"] < 10 * ITERATIONS
    assert client.engine._banks[0].saved == 10 * ITERATIONS - managed["iterations"]
    client.ask("new", game="tic_tac_toe")
    assert not client.engine._banks
    assert "budget of its own" in client.refuse("go", records=100, managed=True)
    assert "at most 1" in client.refuse("go", iterations=10, until_decided=1.5)


def test_a_search_goes_on_from_the_one_before(client):
    client.ask("new", game="connect_four")
    first = client.best(iterations=10 * ITERATIONS, seed=1, observer=0)
    assert first["kept"] == 0
    client.ask("play", moves=[first["move"], first["principal_variation"][1]])
    assert client.best(iterations=ITERATIONS, seed=1, observer=0)["kept"] > 0
    client.ask("new", game="connect_four")
    assert client.best(iterations=ITERATIONS, seed=1, observer=0)["kept"] == 0


def test_dice_are_drawn_from_the_seed_or_given(client):
    begun = client.ask("new", game="backgammon", seed=3)
    assert begun["player"] in (0, 1), "the opening roll has been drawn"
    assert client.ask("new", game="backgammon", seed=3) == begun
    given = client.ask("position", moves=["6-1"])
    assert given["moves"] == ["6-1"]
    assert client.ask("position", moves=[None])["moves"] == begun["moves"]
    assert "player acts" in client.refuse("position", moves=["6-1", None])


@pytest.mark.parametrize("name", ["backgammon", "goofspiel", "hearts_round", "doudizhu", "phantom"])
def test_whole_games_can_be_given_again(client, name):
    answer = client.ask("new", game=name, seed=11)
    chooser = random.Random(4)
    while not answer["over"]:
        answer = client.ask("play", moves=[chooser.choice(client.ask("moves")["moves"])["label"]])
        assert answer["type"] == "play", answer
    again = client.ask("position", moves=answer["moves"])
    assert again["rewards"] == answer["rewards"] and again["moves"] == answer["moves"]


# --- while it thinks -------------------------------------------------------------------------------------------------


def test_analysis_streams_until_stop_and_then_best_comes(client):
    client.ask("new", game="othello")
    client.send("go", infinite=True, every=0.01, top=2, id="deep")
    seen = [client.next() for _ in range(3)]
    assert {answer["type"] for answer in seen} == {"analysis"}
    assert [answer["iterations"] for answer in seen] == sorted({answer["iterations"] for answer in seen})
    assert all(len(answer["root"]) == 2 and answer["id"] == "deep" for answer in seen)
    client.send("stop", id="enough")
    rest = [client.next()]
    while rest[-1]["type"] != "best":
        rest.append(client.next())
    assert {"type": "stop", "id": "enough", "was_thinking": True} in rest
    assert rest[-1]["id"] == "deep" and rest[-1]["stopped_by"] == "stop" and len(rest[-1]["root"]) == 4
    assert client.ask("stop")["was_thinking"] is False


def test_a_running_search_cannot_be_pulled_from_under(client):
    client.ask("new", game="othello")
    client.send("go", infinite=True, every=0)
    assert "running" in client.refuse("new", game="hex")
    assert "running" in client.refuse("position", moves=[])
    assert "running" in client.refuse("play", moves=[])
    assert "running" in client.refuse("go", iterations=1)
    assert client.ask("info")["thinking"] is True
    assert len(client.ask("moves")["moves"]) == 4
    client.send("quit")
    assert {client.next()["type"], client.next()["type"]} == {"best", "quit"}
    assert client.engine.over


def test_after_best_the_next_command_is_welcome_at_once(client):
    client.ask("new", game="tic_tac_toe")
    for _ in range(30):
        client.best(iterations=1)
        assert client.ask("position", moves=[])["type"] == "position"


def test_the_end_of_the_input_waits_for_a_budget_and_stops_what_has_none():
    new = b'{"cmd": "new", "game": "tic_tac_toe"}'
    for budget, reason in (('"iterations": 300', "iterations"), ('"infinite": true', "stop")):
        last = conversation(new, b'{"cmd": "go", "every": 0, %s}' % budget.encode())[-1]
        assert last["type"] == "best" and last["stopped_by"] == reason


# --- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "fields", "word"),
    [
        ("moves", {}, "new"),
        ("go", {"iterations": 5}, "new"),
        ("new", {}, "game"),
        ("new", {"game": "othelo"}, "othello"),
        ("new", {"game": 5}, "expected"),
        ("new", {"game": "othello", "seed": -1}, "seed"),
        ("new", {"game": "hex", "size": 5}, "no field"),
        ("dance", {}, "choose one of"),
    ],
)
def test_a_mistake_is_named(client, command, fields, word):
    assert word in client.refuse(command, **fields)


def test_mistakes_change_nothing(client):
    client.ask("new", game="connect_four")
    before = client.ask("position", moves=["4", "4"])
    assert "moves[1]" in client.refuse("play", moves=["3", "9"])
    assert "moves[0]" in client.refuse("position", moves=[77])
    assert "expected" in client.refuse("position", moves="4 4")
    assert "expected" in client.refuse("position", moves=[True])
    assert "budget" in client.refuse("go")
    assert "above zero" in client.refuse("go", seconds=0)
    assert "observer" in client.refuse("go", iterations=5, observer=-1)
    assert "no player" in client.refuse("show", observer=2)
    assert "RAVVE" in client.refuse("go", iterations=5, strategy="RAVVE()")
    assert "threads" in client.refuse("go", iterations=5, threads=100000)
    file = "Baseline() >> Cutoff(4, evaluation='weights.json')"
    for named in ({"strategy": file}, {"algorithm": f"uct[{file}]"}):  # in brackets, too
        assert "file" in client.refuse("go", iterations=5, **named)
    assert client.ask("play", moves=[]) == before | {"type": "play"}


def test_lines_that_are_no_objects_are_answered_and_skipped():
    bad = [b"nonsense", b"[1]", b"\xff\xfe", b'{"cmd": NaN}', b"[" * 100_000, b'{"id": [1]}']
    lines = [b"", *bad, b" " * 3, b'{"cmd": "info", "id": 1}']
    answers = conversation(*lines)
    assert [answer["type"] for answer in answers] == ["hello", *["error"] * 6, "info"]
    assert all("\n" not in answer["error"] for answer in answers[1:-1])


def test_a_line_that_is_too_long_is_refused_whole():
    answers = conversation(b'{"cmd": "' + b"x" * (3 * MAX_LINE) + b'"}', b'{"cmd": "info"}')
    assert [answer["type"] for answer in answers] == ["hello", "error", "info"]


SCALARS = st.none() | st.booleans() | st.integers(-3, 300) | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({field for _, fields, _ in COMMANDS.values() for field in fields} - {"game", "memory", "bytes"})
GAME_NAMES = st.sampled_from(["tic_tac_toe", "phantom"])
MESSAGES = st.builds(
    lambda cmd, fields, extra: {"cmd": cmd, **fields, **extra},
    st.sampled_from(sorted(set(COMMANDS) - {"quit"})) | st.text(max_size=5),
    st.dictionaries(st.sampled_from(FIELDS), VALUES | st.sampled_from([["4", 3], "so", "MAST()", "tree"]), max_size=3),
    st.dictionaries(st.sampled_from(["id", "game", "surprise"]), SCALARS | GAME_NAMES, max_size=1),
)
LINES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode()),
    (VALUES | MESSAGES).map(lambda value: json.dumps(value).encode()),
    MESSAGES.map(lambda message: json.dumps(message).encode()),
)


@pytest.mark.skipif(not JIT, reason="plain Python searches are slow to stop")
@settings(max_examples=150)
@given(lines=st.lists(LINES, max_size=8))
def test_no_line_ends_the_conversation(lines):
    client = Client()
    client.ask("new", game="connect_four", seed=0)
    for line in lines:
        line = line.replace(b"\n", b" ")
        client.engine.answer(line)
        client.engine.stop_search()
        client.engine.wait()
        answers = [client.answers.get_nowait() for _ in range(client.answers.qsize())]
        final = [answer for answer in answers if answer["type"] != "analysis"]
        assert len(final) == (1 if line.strip() else 0), (line, answers)
    assert client.ask("info", id=1)["type"] == "info"


# --- hidden information ----------------------------------------------------------------------------------------------


def hiding_position(game: Game, seed: int) -> tuple[Position, Position]:
    """A position in the middle of a random game, and another true one that the player who acts cannot tell from it."""
    found = None
    rng, position = seeded(seed), game.start(seed)
    while not position.is_terminal:
        if position.player != ENVIRONMENT:
            twins = [position.determinize(position.player, rng) for _ in range(20)]
            others = [twin for twin in twins if twin.state.tobytes() != position.state.tobytes()]
            if others:
                found = position.copy(), others[0]
            if found is not None and len(position.history) >= 6:
                break
        step_randomly(position, rng)
    assert found is not None, f"nothing is hidden in this game of {game.name}; choose another seed"
    return found


@pytest.mark.parametrize("name", [name for name in GAMES if load(name).hidden_information])
def test_what_is_hidden_changes_no_answer_for_the_observer(client, name):
    """Same seed, same search, same drawing."""
    answers = []
    for true in hiding_position(load(name), seed=8):
        client.engine.game, client.engine.position, client.engine._search = true.game, true, None
        best = client.best(iterations=ITERATIONS, seed=2)
        answers.append((best["root"], best["principal_variation"], client.ask("show", observer=true.player)["text"]))
    assert answers[0] == answers[1]


def test_a_seat_is_shown_its_own_cards_only(client):
    client.ask("new", game="kuhn_poker", seed=1)
    assert client.ask("show", observer=0)["text"].count("?") == 1
    assert client.ask("show")["text"].count("?") == 0


# --- programs --------------------------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_the_command_answers_while_it_thinks():
    command = [sys.executable, "-m", "icarus", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdin is not None and process.stdout is not None

        def send(**message: Any) -> None:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()

        def hear() -> dict[str, Any]:
            return json.loads(process.stdout.readline())

        assert hear()["type"] == "hello"
        send(cmd="new", game="tic_tac_toe")
        assert hear()["type"] == "new"
        send(cmd="go", infinite=True, every=0)
        send(cmd="info")
        assert hear()["thinking"] is True
        send(cmd="stop")
        assert {hear()["type"], hear()["type"]} == {"stop", "best"}
        send(cmd="quit")
        assert hear()["type"] == "quit"
        assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.skipif(not JIT, reason="plays a whole game")
def test_the_javascript_client_plays_a_game():
    command = ["node", str(EXAMPLES / "engine_client.js"), "tic_tac_toe", "0.02"]
    told = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment() | {"ICARUS": f"{sys.executable} -m icarus"}
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1].startswith("rewards: ")
    assert 5 <= sum(line.startswith("player ") for line in told.stdout.splitlines()) <= 9


def test_the_clients_are_twenty_lines_and_use_commands_that_exist():
    for file, pattern in (("engine_client.js", 'cmd: "'), ("engine_client.cs", '["cmd"] = "')):
        text = (EXAMPLES / file).read_text()
        assert len(text.splitlines()) <= 30
        used = {part.split('"')[0] for part in text.split(pattern)[1:]}
        assert {"new", "go", "play", "quit"} <= used <= set(COMMANDS)
