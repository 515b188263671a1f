"""A lobby without a network, and a real server with one."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.sync.client import ClientConnection, connect

from icarus.search import warm_up
from icarus.web.app import make_app
from icarus.web.catalog import Catalog
from icarus.web.limits import Limits
from icarus.web.lobby import Lobby
from icarus.web.store import Store

LIMITS = replace(Limits(), memory=256 << 20, seconds=10.0, messages_at_once=1000, messages_per_second=1000.0)
NAMES = ["localhost", "127.0.0.1"]
PATIENCE = 60.0  #: seconds until a test gives up waiting; a loaded machine is slow, a broken server says nothing at all


class Served:
    """A server in a thread of this process."""

    def __init__(self, folder: Path, limits: Limits = LIMITS, port: int = 0) -> None:
        warm_up()  # as the command does before it listens
        self.lobby: Lobby | None = None
        self.socket = socket.create_server(("127.0.0.1", port))
        self.host = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.url = f"http://{self.host}"

        def make() -> Lobby:
            self.lobby = Lobby(Catalog(limits=limits), Store(folder), limits, threads=2)
            return self.lobby

        app = make_app(make, limits, NAMES)
        config = uvicorn.Config(app, log_level="warning", ws_max_size=limits.message_bytes, timeout_graceful_shutdown=2)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        self.http = httpx.Client(base_url=self.url, timeout=PATIENCE)

    def create(self, game: str, *seats: str | dict[str, Any]) -> dict[str, Any]:
        """A table; a seat is "you", "open", a preset, or a strength."""
        answer = self.http.post("/api/tables", json={"game": game, "seats": [seat_of(seat) for seat in seats]})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def join(self, table: str, *tokens: str) -> Client:
        return Client(self.host, table, tokens)

    def stop(self) -> None:
        self.http.close()
        self.server.should_exit = True
        self.thread.join(PATIENCE)


def seat_of(text: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(text, dict):
        return {"kind": "machine", "strength": text}
    return {"kind": text} if text in ("you", "open") else {"kind": "machine", "strength": {"preset": text}}


class Client:
    """What a browser does, without its page."""

    def __init__(self, host: str, table: str, tokens: tuple[str, ...] = ()) -> None:
        self.socket: ClientConnection = connect(f"ws://{host}/socket", open_timeout=PATIENCE, max_size=None).__enter__()
        self.seen: list[dict[str, Any]] = []
        self.number = 0
        self.send({"type": "join", "table": table, "tokens": list(tokens)})

    def send(self, message: object) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self) -> dict[str, Any]:
        message = json.loads(self.socket.recv(timeout=PATIENCE))
        self.seen.append(message)
        return message

    def until(self, wanted: Callable[[dict[str, Any]], bool] | str) -> dict[str, Any]:
        """Receive until a message is as wanted (of a type, or by a condition)."""
        while True:
            message = self.receive()
            if message["type"] == wanted if isinstance(wanted, str) else wanted(message):
                return message

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send and wait for the answer: done or refused."""
        self.number += 1
        self.send({**message, "id": self.number})
        return self.until(lambda m: m["type"] in ("done", "refused") and m["id"] == self.number)

    @property
    def state(self) -> dict[str, Any]:
        return next(m for m in reversed(self.seen) if m["type"] == "state")

    def my_turn(self) -> dict[str, Any]:
        """Wait until there is something to play, or the game is over."""
        states = [m for m in self.seen if m["type"] == "state"]
        if states and (states[-1]["legal"] or states[-1]["over"]):
            return states[-1]
        return self.until(lambda m: m["type"] == "state" and (bool(m["legal"]) or m["over"]))

    def play(self, action: int) -> dict[str, Any]:
        return self.ask(type="move", turn=self.state["turn"], action=action)

    def close(self) -> None:
        self.socket.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("tables"))
    yield server
    server.stop()


@pytest.fixture
def in_lobby(tmp_path: Path) -> Callable[[Callable[[Lobby], Any]], Any]:
    """Run a coroutine with a lobby of its own."""

    def run(work: Callable[[Lobby], Any], limits: Limits = LIMITS) -> Any:
        async def main() -> Any:
            lobby = Lobby(Catalog(limits=limits), Store(tmp_path / "tables"), limits, threads=1)
            try:
                return await work(lobby)
            finally:
                await lobby.close()

        return asyncio.run(main())

    return run
