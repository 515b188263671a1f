"""``icarus ggp serve`` and ``match`` as people run them: processes of their own that log, play and end with Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icarus.cli import app
from icarus.ggp.server import PlayerServer
from icarus.jit import JIT
from tests.ggp.opponents import QUICK, Lines, ask

pytestmark = pytest.mark.skipif(not JIT, reason="a player without machine code has no time to think")


def test_serve_logs_lines_of_json_and_ends_with_ctrl_c():
    command = [sys.executable, "-m", "icarus", "ggp", "serve", "--port", "0", "--strategy", "ggp-uct", "--json"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            first = json.loads(process.stdout.readline())
            assert first["text"].startswith("listening at http://127.0.0.1:")
            assert ask(first["text"].split()[-1], "(INFO)") == "((name icarus) (status available))"
            assert json.loads(process.stdout.readline())["text"].startswith("INFO -> ")
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert json.loads(rest.splitlines()[-1])["text"] == "ended"
    assert "Traceback" not in errors


def test_ctrl_c_ends_a_match_and_keeps_its_record(tmp_path: Path):
    log, record = Lines(), tmp_path / "match.json"
    with PlayerServer(port=0, settings=QUICK, log=log) as server:
        command = [sys.executable, "-m", "icarus", "ggp", "match", "gdl:connect_four", server.url, "random"]
        command += ["--start-clock", "60", "--play-clock", "60", "--record", str(record), "--match", "m"]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
            try:
                log.wait_for("m: PLAY")
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=60)
            finally:
                process.kill()
        log.wait_for("m: ABORT")
    assert process.returncode == 130, errors
    assert "interrupted" in errors and "Traceback" not in errors
    kept = json.loads(record.read_text())
    assert kept["isAborted"] and not kept["isCompleted"] and kept["states"]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--strategy", "NONSENSE"), "'NONSENSE'"),
        (("--lanes", "1000"), "at most 256 lanes"),
        (("--algorithm", "nothing"), "there is no algorithm 'nothing'"),
        (("--port", "99999"), "ports are 0 to 65535"),
        (("--matches", "0"), "at least 1 is needed"),
        (("--host", "256.1.1.1"), "cannot listen on 256.1.1.1"),
    ],
)
def test_serve_refuses_what_cannot_work(arguments: tuple[str, ...], words: str):
    result = CliRunner().invoke(app, ["ggp", "serve", "--port", "0", *arguments])
    assert result.exit_code == 2, result.output
    assert words in result.stderr
    assert "Traceback" not in result.stderr
