"""A server that is killed at any moment finds its tables again; the command itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from icarus.cli import app
from tests.support import NIM
from tests.web.conftest import PATIENCE, Client, seat_of


class Process:
    """``icarus serve`` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "icarus", "serve", "--json", "--port", "0", "--tables", str(folder), *arguments]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self.url: str = json.loads(self.process.stdout.readline())["url"].rstrip("/")
        self.host = self.url.removeprefix("http://")

    def create(self, game: str, *seats: Any) -> dict[str, Any]:
        body = {"game": game, "seats": [seat_of(seat) for seat in seats]}
        return httpx.post(f"{self.url}/api/tables", json=body, timeout=PATIENCE).json()

    def end(self, how: int) -> str:
        self.process.send_signal(how)
        _, complaints = self.process.communicate(timeout=PATIENCE)
        return complaints


def test_a_killed_server_resumes_its_tables_and_a_stopped_one_says_where_they_are(tmp_path):
    own = tmp_path / "nim.py"
    own.write_text(NIM)
    first = Process(tmp_path, str(own))
    made = first.create("connect_four", "you", {"iterations": 100})
    client = Client(first.host, made["table"], (made["tokens"]["0"],))
    for _ in range(3):
        client.my_turn()
        assert client.play(client.state["legal"][3]["action"])["type"] == "done"
    acknowledged = client.state["log"]
    nim = first.create(str(own), "you", "easy")
    other = Client(first.host, nim["table"], (nim["tokens"]["0"],))
    assert [move["label"] for move in other.my_turn()["legal"]] == ["1", "2"]
    assert other.play(other.state["legal"][1]["action"])["type"] == "done"
    first.end(signal.SIGKILL)

    second = Process(tmp_path)
    client = Client(second.host, made["table"], (made["tokens"]["0"],))
    state = client.my_turn()
    assert state["log"][: len(acknowledged)] == acknowledged, "what was acknowledged is kept"
    assert client.play(state["legal"][0]["action"])["type"] == "done"
    assert all(json.loads(file.read_text())["moves"] for file in tmp_path.glob("*.json")), "a file is the old one or the new one"
    complaints = second.end(signal.SIGINT)
    assert second.process.returncode == 0 and str(tmp_path) in complaints and "Traceback" not in complaints


def test_a_half_written_or_foreign_file_harms_nobody(served, tmp_path):
    folder = served.lobby.store.folder
    made = served.create("tic_tac_toe", "you", "easy")
    for name, text in (("a" * 20, "{"), ("b" * 20, "[]"), ("c" * 20, '{"format": 1}'), ("d" * 20, '{"format": 1, "game": 3}')):
        (folder / f"{name}.json").write_text(text)
        client = served.join(name)
        assert client.receive()["type"] == "refused"
        client.close()
    client = served.join(made["table"])
    assert client.until("state")["log"] == []
    client.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "99999"], "65535"),
        (["--host", "no.such.host.invalid"], "no.such.host.invalid"),
        (["--max-tables", "0"], "--max-tables"),
        (["--max-time", "nan"], "--max-time"),
        (["--memory", "1"], "--memory"),
        (["--threads", "0"], "--threads"),
        (["nowhere.py", "--port", "0"], "nowhere.py"),
    ],
)
def test_mistakes_on_the_command_line_are_one_line(arguments, words, tmp_path):
    result = CliRunner().invoke(app, ["serve", "--tables", str(tmp_path), *arguments])
    assert result.exit_code == 2
    assert words in result.stderr and result.stderr.count("\n") == 1
