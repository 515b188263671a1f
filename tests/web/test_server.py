"""The server over a real network: what it sends, what it refuses, and that nothing a stranger sends does any harm."""

from __future__ import annotations

import json
import socket
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.web.conftest import LIMITS, PATIENCE, Client, Served

QUICK = {"iterations": 50}


def address(served: Served) -> tuple[str, int]:
    return served.socket.getsockname()


@pytest.fixture
def table(served):
    """A person against a machine: the table, its token, and the person's connection."""
    made = served.create("tic_tac_toe", "you", QUICK)
    client = served.join(made["table"], made["tokens"]["0"])
    client.until("state")
    yield made, client
    client.close()


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/table/anything", "/static/style.css", "/static/table.js", "/api/games", "/nowhere"])
def test_every_answer_has_the_security_headers(served, path):
    headers = served.http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("file", ["index.html", "table.html", "style.css", "common.js", "lobby.js", "table.js", "board.js"])
def test_pages_use_nothing_from_elsewhere(served, file):
    text = served.http.get("/" if file == "index.html" else f"/static/{file}").text
    assert len(text) > 500
    harmless = ('location.protocol === "https:"', "http://www.w3.org")  # a comparison, and the name of SVG
    for words in harmless:
        text = text.replace(words, "")
    for outside in ("http:", "https:", "//cdn", "@import", "<script>", " onclick=", "eval("):
        assert outside not in text


def test_nothing_but_the_static_files_is_served(served):
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/table", "/socket", "/static/"):
        assert served.http.get(path).status_code in (400, 403, 404, 405)


def test_other_names_are_not_answered_to(served):
    """A page on another site cannot reach a local server by giving itself a name that leads to this machine."""
    assert served.http.get("/", headers={"host": "evil.example"}).status_code == 403
    port = served.host.split(":")[1]
    with pytest.raises(InvalidStatus), connect(f"ws://127.0.0.2:{port}/socket", sock=socket.create_connection(address(served))):
        pass


def test_pages_of_other_sites_cannot_connect(served):
    for origin in ("http://evil.example", "null", f"http://evil.example:{served.host.split(':')[1]}", "http://[bad"):
        with pytest.raises(InvalidStatus), connect(f"ws://{served.host}/socket", origin=origin):
            pass
    with connect(f"ws://{served.host}/socket", origin=served.url) as allowed:
        assert allowed.protocol.state.name == "OPEN"


# --- requests --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 10000,
        b'{"game": "tic_tac_toe", "seats": []}',
        b'{"game": "tic_tac_toe", "seats": [{"kind": "king"}, {"kind": "you"}]}',
        b'{"game": "tic_tac_toe", "seats": [1, 2]}',
        b'{"game": 5, "seats": [{"kind": "you"}, {"kind": "you"}]}',
        b'{"game": "tic_tac_toe", "seats": "' + b"x" * 20000 + b'"}',
        b'{"game": "tic_tac_toe", "seats": [{"kind": "you"}, {"kind": "machine", "strength": {"seconds": 1e999}}]}',
    ],
)
def test_tables_that_make_no_sense_are_refused_in_one_line(served, body):
    answer = served.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    text = answer.json()["error"]
    assert text and "\n" not in text and "Traceback" not in text


def test_a_form_on_another_page_cannot_make_tables(served):
    body = '{"game": "tic_tac_toe", "seats": [{"kind": "you"}, {"kind": "you"}]}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert served.http.post("/api/tables", content=body, headers={"content-type": kind}).status_code == 400


def test_a_preview_shows_the_game_and_names_its_seats(served):
    game = served.http.get("/api/preview", params={"game": "hex(5)"}).json()
    assert game["players"] == ["X", "O"] and game["drawing"].startswith("<svg")
    assert served.http.get("/api/preview", params={"game": "hex(0)"}).status_code == 400
    assert served.http.get("/api/preview").status_code == 400


# --- playing ---------------------------------------------------------------------------------------------------------


def test_a_game_against_a_machine_from_the_first_move_to_the_review(table):
    _, client = table
    while not client.my_turn()["over"]:
        assert client.play(client.state["legal"][0]["action"])["type"] == "done"
    assert client.state["rewards"] in ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5])
    client.ask(type="review")
    review = next(message for message in client.seen if message["type"] == "review")
    assert len(review["moves"]) == len(client.state["log"])
    while len(review["evaluations"]) < len(review["decisions"]):
        message = client.until("evaluation")
        review["evaluations"][str(message["ply"])] = message["values"]
    assert all(0 <= value <= 1 for values in review["evaluations"].values() for value in values)
    assert client.ask(type="position", ply=0)["type"] == "done"
    assert client.seen[-2]["drawing"].startswith("<svg")


def test_live_statistics_arrive_while_the_machine_thinks(served):
    made = served.create("othello", "you", {"seconds": 1.5})
    client = served.join(made["table"], made["tokens"]["0"])
    client.my_turn()
    client.play(client.state["legal"][0]["action"])
    seen = [client.until("thinking") for _ in range(2)]
    assert seen[0]["iterations"] < seen[1]["iterations"]
    assert seen[1]["line"] and seen[1]["speed"] > 0 and seen[1]["records"] > 0
    assert sum(row["visits"] for row in seen[1]["rows"]) > 0
    state = client.until(lambda m: m["type"] == "state" and bool(m["legal"]))
    assert state["thoughts"] == [1]
    assert client.ask(type="tree", ply=1, path=[])["type"] == "done"
    client.close()


def test_a_hint_goes_to_the_one_who_asked(served):
    made = served.create("connect_four", "you", "open")
    mine, watching = served.join(made["table"], made["tokens"]["0"]), served.join(made["table"])
    mine.my_turn()
    assert mine.ask(type="hint")["type"] == "done"
    assert mine.until(lambda m: m["type"] == "hint" and m["final"])["best"] in [move["label"] for move in mine.state["legal"]]
    assert watching.ask(type="hint")["type"] == "refused"
    assert not any(message["type"] == "hint" for message in watching.seen)
    mine.close(), watching.close()


def test_two_people_share_a_table_by_link(served):
    made = served.create("tic_tac_toe", "you", "open")
    first = served.join(made["table"], made["tokens"]["0"])
    request = {"table": made["table"], "invitation": made["invitations"]["1"]}
    taken = served.http.post("/api/accept", json=request).json()
    assert taken["seat"] == 1
    assert served.http.post("/api/accept", json=request).status_code == 400
    second = served.join(made["table"], taken["token"])
    first.my_turn()
    first.play(4)
    assert second.my_turn()["log"] == [{"player": 0, "text": "b2"}]
    assert first.play(0)["text"] == "it is not your turn"
    second.play(0)
    assert first.my_turn()["turn"] == 2
    first.close(), second.close()


def test_strangers_can_watch_and_nothing_more(served):
    made = served.create("tic_tac_toe", "you", QUICK)
    watching = served.join(made["table"])
    state = watching.until("state")
    assert state["yours"] == [] and state["legal"] == []
    for message in ({"type": "move", "turn": 0, "action": 0}, {"type": "undo"}, {"type": "hint"}, {"type": "review"}):
        assert watching.ask(**message)["type"] == "refused"
    for table, token in ((made["table"], "wrong"), ("no-such-table-here-now", ""), (5, ""), ("../../etc/passwd", "")):
        client = Client(served.host, table, (token,) if token else ())
        assert client.receive()["type"] == "refused"
        with pytest.raises(ConnectionClosed):
            client.receive()
    watching.close()


def test_a_dropped_connection_comes_back_to_the_same_position(served):
    made = served.create("tic_tac_toe", "you", "open")
    first = served.join(made["table"], made["tokens"]["0"])
    first.my_turn()
    first.play(4)
    first.close()
    again = served.join(made["table"], made["tokens"]["0"])
    assert again.until("state")["log"] == [{"player": 0, "text": "b2"}]
    again.close()


def test_a_machine_rests_while_nobody_looks_and_goes_on_when_somebody_does(served):
    made = served.create("othello", {"iterations": 3000}, {"iterations": 3000})
    client = served.join(made["table"])
    client.until(lambda m: m["type"] == "state" and m["turn"] > 0)
    client.close()
    room = served.lobby.rooms[made["table"]]
    for _ in range(3):  # the server learns of it when it next looks at the connection
        assert served.http.get("/").status_code == 200
    again = served.join(made["table"])
    before = again.until("state")["turn"]
    assert again.until(lambda m: m["type"] == "state" and m["turn"] > before)
    assert room.table.name == made["table"]
    again.close()


# --- nonsense --------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS = st.sampled_from(["move", "undo", "hint", "review", "position", "tree", "ping", "join", "state", "", "__init__"])
FIELDS = st.sampled_from(["turn", "action", "ply", "path", "id", "type", "table", "tokens"])
MESSAGES = st.one_of(
    st.text(max_size=200),
    st.binary(max_size=200),
    JSON.map(json.dumps),
    st.builds(lambda kind, rest: json.dumps({**rest, "type": kind}), KINDS, st.dictionaries(FIELDS, JSON, max_size=4)),
)


@settings(max_examples=150)
@given(messages=st.lists(MESSAGES, min_size=1, max_size=4))
def test_whatever_is_sent_is_answered_and_the_table_goes_on(nonsense, messages):
    """Each message gets one answer; afterwards the position is as it was, since none of them was a legal move by its seat."""
    spectator, player = nonsense
    for message in messages:
        spectator.send(message)
        answer = spectator.until(lambda m: m["type"] in ("done", "refused"))
        assert answer["type"] == "done" or (answer["text"] and "Traceback" not in answer["text"])
    assert player.ask(type="ping")["type"] == "done"
    assert player.state["log"] == []


@pytest.fixture(scope="module")
def nonsense(served):
    made = served.create("tic_tac_toe", "you", QUICK)
    player, spectator = served.join(made["table"], made["tokens"]["0"]), served.join(made["table"])
    player.until("state"), spectator.until("state")
    yield spectator, player
    player.close(), spectator.close()


@settings(max_examples=60)
@given(first=MESSAGES)
def test_whatever_is_said_first_joins_no_table(served, first):
    with connect(f"ws://{served.host}/socket", open_timeout=PATIENCE) as socket:
        socket.send(first)
        assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "refused"


def test_a_message_that_is_too_long_ends_only_its_own_connection(served, table):
    _, client = table
    other = served.join(table[0]["table"])
    other.until("state")
    other.send("x" * (LIMITS.message_bytes + 1))
    with pytest.raises(ConnectionClosed):
        other.until("never")
    assert client.ask(type="ping")["type"] == "done"


# --- limits ----------------------------------------------------------------------------------------------------------


def test_limits_on_tables_connections_and_messages(tmp_path):
    limits = replace(
        LIMITS, tables=3, connections=4, connections_per_table=2, messages_at_once=5, messages_per_second=0.001, idle_seconds=3600
    )
    server = Served(tmp_path, limits)
    try:
        made = [server.create("tic_tac_toe", "you", QUICK) for _ in range(3)]
        refused = server.http.post("/api/tables", json={"game": "tic_tac_toe", "seats": [{"kind": "you"}] * 2})
        assert refused.status_code == 400 and "3 tables" in refused.json()["error"]
        clients = [server.join(made[0]["table"]) for _ in range(2)]
        for client in clients:
            client.until("state")
        third = server.join(made[0]["table"])
        assert "too many" in third.receive()["text"]
        for _ in range(5):
            assert clients[0].ask(type="ping")["type"] == "done"
        clients[0].send({"type": "ping"})
        assert "too many messages" in clients[0].until("refused")["text"]
        assert clients[1].ask(type="ping")["type"] == "done"
        more = [server.join(made[1]["table"]) for _ in range(2)]
        for client in more:
            client.until("state")
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            server.join(made[2]["table"]).receive()
        for client in (*clients, *more):
            client.close()
    finally:
        server.stop()


def test_a_table_that_has_rested_long_makes_room(tmp_path):
    server = Served(tmp_path, replace(LIMITS, tables=2, idle_seconds=0.0))
    try:
        made = [server.create("tic_tac_toe", "you", QUICK)["table"] for _ in range(4)]
        kept = {file.stem for file in tmp_path.glob("*.json")}
        assert kept == set(made[-2:])
    finally:
        server.stop()


def test_thinking_time_is_limited(tmp_path):
    server = Served(tmp_path, replace(LIMITS, seconds=0.5))
    try:
        made = server.create("othello", "you", {"iterations": 10_000_000})
        client = server.join(made["table"], made["tokens"]["0"])
        client.my_turn()
        client.play(client.state["legal"][0]["action"])
        assert client.until(lambda m: m["type"] == "state" and bool(m["legal"]))["turn"] == 2
        refused = server.http.post(
            "/api/tables",
            json={"game": "othello", "seats": [{"kind": "you"}, {"kind": "machine", "strength": {"seconds": 0.6}}]},
        )
        assert refused.status_code == 400
        client.close()
    finally:
        server.stop()
