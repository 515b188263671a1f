"""The manager: what goes into a match record, and what becomes of players that misbehave."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from icarus.cli import app
from icarus.errors import GameError, IcarusError
from icarus.gdl.reader import read_rules, read_text
from icarus.gdl.sheets import find_sheet
from icarus.ggp.manager import Manager
from icarus.ggp.rules import ReasonerTracker
from tests.ggp.opponents import random_player

TIC_TAC_TOE = read_text(find_sheet("gdl:tic_tac_toe"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def assert_refused(result: Result, *words: str) -> None:
    """One line on standard error and exit code 2."""
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("icarus: ")
    assert all(word in result.stderr for word in words), result.stderr


def manager(*players: str, text: str = TIC_TAC_TOE, clock: float = 20, seed: int = 1) -> Manager:
    return Manager(text, "sheet.kif", players, start_clock=clock, play_clock=clock, match="m", seed=seed)


@contextmanager
def stubborn_player(reply: str, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """A player that says the same to everything; also what it was told."""
    told: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(status)
            self.end_headers()
            self.wfile.write(reply.encode())

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_record_is_the_match_that_the_rules_allow():
    with random_player(seed=1) as one:
        record = manager(one, "random").run().as_dict()
    tracker = ReasonerTracker(read_rules(TIC_TAC_TOE))
    assert record["states"][0] == f"({' '.join(tracker.state())})"
    for moves, state in zip(record["moves"], record["states"][1:], strict=True):
        tracker.play(dict(zip(tracker.roles, moves, strict=True)))
        assert state == f"({' '.join(tracker.state())})"
    assert tracker.terminal
    assert record["goalValues"] == [tracker.goal(role) for role in tracker.roles]
    assert len(record["errors"]) == len(record["stateTimes"]) == len(record["states"]) == len(record["moves"]) + 1
    assert not any(error for row in record["errors"] for error in row)
    assert record["stateTimes"] == sorted(record["stateTimes"])
    assert (record["isCompleted"], record["isAborted"]) == (True, False)


def test_the_same_seed_gives_the_same_random_moves():
    records = [manager("random", "random", seed=seed).run() for seed in (1, 1, 2)]
    assert records[0].moves == records[1].moves != records[2].moves


def test_illegal_answers_are_replaced_and_counted():
    with stubborn_player("(mark 1 1)") as (url, told):
        record = manager(url, "random", seed=2).run()
    assert all(
        move in ("noop", "(mark 1 1)") or error for (move, _), (error, _) in zip(record.moves, record.errors[1:], strict=True)
    )
    assert record.errors[0][0] == "IL (mark 1 1)"  # a START is answered ready
    assert record.error_counts["xplayer"] > 1 and record.error_counts["oplayer"] == 0
    assert told[0].startswith("(START m xplayer (") and told[0].endswith(") 20 20)")
    assert told[1] == "(PLAY m nil)"
    assert told[2].startswith("(PLAY m (") and told[-1].startswith("(STOP m (")


@pytest.mark.parametrize(
    "reply, status, error", [("", 200, "IL"), ("((((", 200, "IL"), ("noop", 500, "IL noop"), ("?x", 200, "IL ?x")]
)
def test_answers_that_are_no_moves_are_errors(reply: str, status: int, error: str):
    with stubborn_player(reply, status) as (url, _):
        record = manager("random", url).run()
    assert all(row[1].startswith(error) for row in record.errors)
    assert record.goals is not None


def test_in_gdl_ii_a_player_is_told_only_what_it_sees():
    with stubborn_player("wait") as (url, told):
        record = manager(url, text=read_text(find_sheet("gdl:cups")), seed=3).run()
    assert record.roles == ("random", "finder") and record.players[0] == "random"
    assert told[1] == "(PLAY m 0 nil nil)"
    assert told[2] == "(PLAY m 1 wait ())"
    looked = record.moves[1][1]
    seen = "(coin)" if looked == record.moves[0][0].replace("hide", "look") else "()"
    assert told[3] == f"(PLAY m 2 {looked} {seen})"
    assert not any("hide" in message for message in told[1:])


def test_a_role_without_a_legal_move_aborts_the_match():
    text = "(role a) (init s) (<= (legal a x) (true s)) (<= (next t) (true s)) (<= terminal (true u)) (<= (goal a 0) (role a))"
    refereed = manager("random", text=text)
    with pytest.raises(GameError, match="a has no legal move in step 2"):
        refereed.run()
    assert refereed.record.aborted and refereed.record.as_dict()["isAborted"]
    assert len(refereed.record.moves) == 1


def test_nobody_to_play_with_is_said_at_once():
    with pytest.raises(IcarusError, match=r"no player can be reached at 127\.0\.0\.1:1"):
        manager("127.0.0.1:1", "random").run()


# --- the command line ------------------------------------------------------------------------------------------------


def test_match_writes_its_record_as_json_and_as_xml(tmp_path: Path):
    for ending in ("json", "xml"):
        file = tmp_path / f"match.{ending}"
        result = run("ggp", "match", "gdl:tic_tac_toe", "random", "random", "--seed", "5", "--record", str(file), "--match", "m5")
        assert result.exit_code == 0, result.output
        assert str(file) in result.stdout.replace("\n", "") and "xplayer (random): " in result.stdout
    record = json.loads((tmp_path / "match.json").read_text())
    assert record["matchId"] == "m5" and record["startClock"] == 5 and record["playClock"] == 1
    tree = ET.parse(tmp_path / "match.xml").getroot()
    assert tree.findtext("matchId") == "m5" and tree.findtext("isCompleted") == "true"
    assert [[move.text for move in step] for step in tree.iterfind("moves/move")] == record["moves"]


def test_match_prints_its_record(tmp_path: Path):
    result = run("ggp", "match", "gdl:duel", "random", "random", "--json", "--record", str(tmp_path / "m.json"))
    assert json.loads(result.stdout) == json.loads((tmp_path / "m.json").read_text())


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("gdl:tic_tac_toe", "random"), "has 2 roles to play (xplayer, oplayer), but 1 players were given"),
        (("gdl:tic_tac_toe", "random", "ftp://a"), "'ftp://a' is not the address of a player"),
        (("gdl:tic_tac_toe", "random", "http://a:b"), "is not the address of a player"),
        (("gdl:nothing", "random"), "there is no sheet 'gdl:nothing'"),
        (("missing.kif", "random"), "cannot read the rule sheet 'missing.kif'"),
        (("gdl:river", "random", "--play-clock", "0"), "a play clock of 0 s"),
        (("gdl:river", "random", "--match", "a b"), "has no spaces"),
        (("gdl:river", "127.0.0.1:1"), "no player can be reached"),
        (("gdl:river", "random", "--record", "nowhere/at/all.json"), "cannot write the match record"),
    ],
)
def test_match_refuses_in_one_line(arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    result = run("ggp", "match", *arguments)
    assert result.exit_code == 2, result.output
    assert words in result.stderr.splitlines()[-1]
    assert result.stdout == ""


def test_info_tells_people_and_programs_what_a_sheet_is():
    found = json.loads(run("gdl", "info", "gdl:duel", "--json").stdout)
    assert found["roles"] == ["left", "right"]
    assert found["simultaneous"] is True and found["hidden_information"] is False
    assert found["links"] <= found["ground_links"] and found["seconds_to_build"] > 0 and found["playouts_per_second"] > 0
    text = run("gdl", "info", "gdl:cups").stdout
    assert "hidden information (GDL-II)" in text and "random games/s" in text


def test_info_names_the_place_of_a_mistake(tmp_path: Path):
    sheet = tmp_path / "broken.kif"
    sheet.write_text("(role a)\n(<= (legal a ?x) (role a))\n")
    assert_refused(run("gdl", "info", str(sheet)), "broken.kif:2:5: unsafe rule")
    assert_refused(run("gdl", "info", str(tmp_path / "none.kif")), "cannot read the rule sheet")
