"""What the tests of the player share: opponents over real sockets, plain messages, a referee, a log to wait for."""

from __future__ import annotations

import http.client
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from icarus.gdl.reader import read_rules, read_text
from icarus.gdl.sheets import find_sheet
from icarus.ggp.manager import Manager
from icarus.ggp.messages import Play, Start, read_message
from icarus.ggp.protocol import Settings
from icarus.ggp.record import Record
from icarus.ggp.rules import ReasonerTracker

#: with few iterations a player answers long before its clock ends, and the tests are quick and safe on slow machines
QUICK = Settings(iterations=2000, seed=1)


@dataclass
class Lines:
    """A log that tests can wait for."""

    lines: list[str] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, match: str, text: str) -> None:
        with self.news:
            self.lines.append(f"{match}: {text}")
            self.news.notify_all()

    def wait_for(self, *words: str, seconds: float = 60) -> str:
        def found() -> str:
            return next((line for line in self.lines if all(word in line for word in words)), "")

        with self.news:
            assert self.news.wait_for(found, seconds), f"no line with {words} in {self.lines}"
            return found()


def rules(name: str) -> str:
    return read_text(find_sheet(f"gdl:{name}"))


def referee(text: str, *urls: str, match: str, start_clock: float = 20, play_clock: float = 20, seed: int = 1) -> Record:
    return Manager(text, "sheet.kif", urls, start_clock=start_clock, play_clock=play_clock, match=match, seed=seed).run()


def no_errors(record: Record, role: str) -> bool:
    return record.error_counts[role] == 0


def post(url: str, text: str | bytes, headers: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Send a message; status, content type and body of the answer."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    try:
        connection.request("POST", "/", text, headers or {"Content-Type": "text/acl"})
        response = connection.getresponse()
        return response.status, response.headers.get("Content-Type", ""), response.read().decode()
    finally:
        connection.close()


def ask(url: str, text: str) -> str:
    """The answer to a message of the protocol."""
    status, kind, body = post(url, text)
    assert (status, kind) == (200, "text/acl"), body
    return body


def raw(url: str, data: bytes) -> bytes:
    """Send bytes as they are, say that there are no more, and read the answer."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(1 << 16):
            answer += chunk
        return answer


def hang_up(url: str, data: bytes) -> None:
    """Send some bytes and go away without waiting for an answer."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
        connection.sendall(data)


class _RandomHandler(BaseHTTPRequestHandler):
    server: Any

    def do_POST(self) -> None:
        message = read_message(self.rfile.read(int(self.headers["Content-Length"])).decode())
        reply = "done"
        if isinstance(message, Start):
            self.server.role, self.server.tracker = message.role, ReasonerTracker(read_rules(message.rules))
            reply = "READY"
        elif isinstance(message, Play):
            tracker = self.server.tracker
            if message.step is not None:
                tracker.play(dict(zip(tracker.roles, message.step.moves, strict=True)))
            reply = self.server.choice.choice(tracker.legal(self.server.role)).upper()  # case does not matter
        self.send_response(200)
        self.end_headers()
        self.wfile.write(reply.encode())

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def random_player(seed: int) -> Iterator[str]:
    """A player that follows the match by the reasoner and moves at random."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _RandomHandler)
    server.choice = random.Random(seed)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def silent_player() -> Iterator[str]:
    """A player that takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
