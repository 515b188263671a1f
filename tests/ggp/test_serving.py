"""``icarus ggp serve`` as people run it: a process of its own that logs, plays and ends with Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from icarus.cli import app
from icarus.engine.native import JIT
from tests.ggp.opponents import ask

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
