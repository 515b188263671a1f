"""``icarus serve``."""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from icarus.errors import IcarusError, needing
from icarus.options import Allow
from icarus.terminal import compile_loop, complain
from icarus.trust import allowing


def add_commands(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="games to offer beside the built-in ones: mygame.py, rules.kif"),
    ] = None,
    host: Annotated[str, typer.Option(help="the address to listen on; others than loopback let the network in")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="the port; 0 takes a free one")] = 8642,
    tables: Annotated[
        Path | None, typer.Option(help="the folder in which tables are kept", show_default="your data folder")
    ] = None,
    max_tables: Annotated[int, typer.Option(help="tables that are kept at most")] = 200,
    max_time: Annotated[float, typer.Option(help="seconds that a machine may think about a move at most")] = 60.0,
    pace: Annotated[
        str, typer.Option(metavar="LEAST-MOST", help="seconds that a machine of an adjusted strength takes for a move")
    ] = "0.4-2",
    memory: Annotated[int, typer.Option(help="MiB for all search trees together")] = 1024,
    threads: Annotated[int | None, typer.Option(help="processors for searches", show_default="all")] = None,
    browser: Annotated[bool, typer.Option(help="open the page in a browser")] = True,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the address as JSON once the server listens")] = False,
) -> None:
    """Play in the browser: open a page, choose a game, share a table by link.  Ctrl-C ends the server; tables are kept."""
    for option, value, least in (("--max-tables", max_tables, 1), ("--max-time", max_time, 0.1), ("--memory", memory, 64)):
        if not value >= least:
            raise IcarusError(f"{option} {value}: at least {least} is needed")
    if threads is not None and threads < 1:
        raise IcarusError(f"--threads {threads}: at least 1 is needed")
    with needing("playing in the browser", "starlette", "uvicorn", "websockets", extra="web"):
        import uvicorn

        from icarus.web.app import make_app
    from icarus.strength import read_pace
    from icarus.web.catalog import Catalog
    from icarus.web.limits import Limits
    from icarus.web.lobby import Lobby
    from icarus.web.store import Store

    limits = replace(Limits(), tables=max_tables, seconds=max_time, memory=memory << 20, pace=read_pace(pace))
    catalog, store = Catalog(games or [], limits, allowing(allow)), Store(tables or default_folder())
    listening = listen(host, port)
    compile_loop()
    for name in games or []:
        catalog.load(name)
    address = url(host, listening)
    app = make_app(lambda: Lobby(catalog, store, limits, threads), limits, loopback_names(host))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="auto",
        ws_max_size=limits.message_bytes,
        ws_ping_interval=20.0,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=3,
    )
    print(json.dumps({"url": address, "tables": str(store.folder)}) if as_json else f"Icarus plays at {address}", flush=True)
    if browser and not as_json and sys.stdout.isatty():  # the socket listens already: the page waits for the server
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    complain(f"stopped; the tables are kept in {store.folder}")


def default_folder() -> Path:
    """Where programs keep what they remember between runs."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "icarus" / "tables"


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address, or one line that says why not."""
    if not 0 <= port <= 65535:
        raise IcarusError(f"--port {port}: a port is a number from 0 to 65535")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(256)
    except OSError as problem:
        raise IcarusError(
            f"cannot listen on {host} port {port}: {problem.strerror}; choose others with --host and --port"
        ) from None
    return listening


def url(host: str, listening: socket.socket) -> str:
    name = "localhost" if is_loopback(host) else socket.gethostname() if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{listening.getsockname()[1]}/"


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def loopback_names(host: str) -> list[str] | None:
    """On loopback only requests to loopback are meant for us."""
    return ["localhost", "127.0.0.1", "::1", host] if is_loopback(host) else None
