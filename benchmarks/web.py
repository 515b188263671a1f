"""Many tables at once: how soon is a move acknowledged while machines think at all of them, and do they share fairly?

``python benchmarks/web.py`` starts ``icarus serve`` in a process of its own and plays from another one, over the network: 50
tables of Othello, at each a person whose every move sets a machine thinking.  The promise: a move is acknowledged within 200
ms.  Exit code 1 if it is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

LIMIT = 0.2  #: seconds until a move is acknowledged


@dataclass(frozen=True)
class Load:
    """What was measured: seconds until an acknowledgement, and how the machines shared the processors."""

    tables: int
    moves: int
    median: float
    p95: float
    worst: float
    #: of one move of the last round; whoever begins first has the processors to itself for a moment
    most_iterations: int
    fewest_iterations: int

    @property
    def passed(self) -> bool:
        return self.worst <= LIMIT


class Person:
    """One browser's worth of messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.thought: dict[str, Any] = {}

    async def next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.socket.recv())
        if message["type"] == "state":
            self.state = message
        if message["type"] == "thinking":
            self.thought = message
        return message

    async def my_turn(self) -> None:
        while not self.state.get("legal"):
            await self.next()

    async def play(self) -> float:
        """Play the first legal move; returns the seconds until it is acknowledged."""
        move = {"type": "move", "id": 1, "turn": self.state["turn"], "action": self.state["legal"][0]["action"]}
        begun = time.perf_counter()
        await self.socket.send(json.dumps(move))
        while (await self.next())["type"] != "done":
            pass
        return time.perf_counter() - begun


async def play(url: str, tables: int, rounds: int, seconds: float, game: str) -> Load:
    """All tables move at nearly the same time, again and again."""
    async with httpx.AsyncClient(base_url=url, timeout=300) as http:
        seats = [{"kind": "you"}, {"kind": "machine", "strength": {"seconds": seconds}}]
        made = [(await http.post("/api/tables", json={"game": game, "seats": seats})).json() for _ in range(tables)]
    sockets = [await connect(url.replace("http", "ws") + "/socket", max_size=None, open_timeout=60) for _ in made]
    people = [Person(socket) for socket in sockets]
    for person, table in zip(people, made, strict=True):
        await person.socket.send(json.dumps({"type": "join", "table": table["table"], "tokens": list(table["tokens"].values())}))
    waits: list[float] = []
    for _ in range(rounds):
        await asyncio.gather(*(person.my_turn() for person in people))
        for person in people:  # one after the other, so that most moves meet machines that think already
            waits.append(await person.play())
    await asyncio.gather(*(person.my_turn() for person in people))
    for person in people:
        await person.socket.close()
    waits.sort()
    done = [person.thought["iterations"] for person in people]
    return Load(
        tables,
        len(waits),
        statistics.median(waits),
        waits[int(0.95 * (len(waits) - 1))],
        waits[-1],
        max(done),
        min(done),
    )


def measure(tables: int = 50, rounds: int = 4, seconds: float = 4.0, game: str = "othello") -> Load:
    """Start a server, load it, stop it."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "icarus", "serve", "--json", "--port", "0", "--tables", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, stderr=subprocess.DEVNULL) as server:
            try:
                assert server.stdout is not None
                url = json.loads(server.stdout.readline())["url"].rstrip("/")
                return asyncio.run(play(url, tables, rounds, seconds, game))
            finally:
                server.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="thinking time of each machine's move")
    parser.add_argument("--game", default="othello", help="a game for two")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = measure(options.tables, options.rounds, options.seconds, options.game)
    if options.json:
        print(json.dumps(asdict(load) | {"limit": LIMIT, "passed": load.passed}))
    else:
        print(f"{load.tables} tables thinking at once, {load.moves} moves acknowledged after")
        print(f"  median {load.median * 1000:.0f} ms, 95 % within {load.p95 * 1000:.0f} ms, worst {load.worst * 1000:.0f} ms")
        print(f"  iterations of one machine: {load.fewest_iterations:,} to {load.most_iterations:,}")
        print("within the limit" if load.passed else f"NOT within the limit of {LIMIT * 1000:.0f} ms")
    return 0 if load.passed else 1


if __name__ == "__main__":
    sys.exit(main())
