"""The server as an ASGI application: pages, a few JSON requests, and a websocket per table that is looked at."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from icarus.drawing import PALETTE
from icarus.errors import IcarusError
from icarus.web.limits import Limits, Refused
from icarus.web.lobby import Lobby, read
from icarus.web.room import Connection

PATIENCE = 10.0  #: seconds in which a new connection has to join a table
GREATEST_BODY = 16384

HEADERS = {
    # drawings bring their own <style>; nothing else is inline, and nothing comes from elsewhere
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


def make_app(lobby: Callable[[], Lobby], limits: Limits, hosts: Sequence[str] | None = None) -> ASGIApp:
    """The application; ``lobby`` is called once, in the event loop.  ``hosts``: the only names that the server answers to."""
    static = Path(str(files("icarus.web") / "static"))

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.lobby = lobby()
        yield
        await app.state.lobby.close()

    app = Starlette(
        routes=[
            Route("/", page(static / "index.html")),
            Route("/table/{name}", page(static / "table.html")),
            Route("/palette.css", palette),
            Route("/api/games", games),
            Route("/api/preview", preview),
            Route("/api/tables", create, methods=["POST"]),
            Route("/api/accept", accept, methods=["POST"]),
            Route("/api/known", known, methods=["POST"]),
            WebSocketRoute("/socket", socket),
            Mount("/static", StaticFiles(directory=static)),
        ],
        exception_handlers={404: not_found, 405: not_found},
        lifespan=lifespan,
    )
    app.state.limits = limits
    app.state.missing = static / "missing.html"
    return Guard(app, hosts)


class Guard:
    """Security headers on every answer, and no answer to requests for another host (a page that renames itself to reach us)."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None) -> None:
        self.app, self.hosts = app, None if hosts is None else set(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self.hosts is not None and hostname(header(scope, b"host")) not in self.hosts:
            await self._refuse(scope, receive, send, "this server does not answer to that name")
        elif scope["type"] == "websocket" and not same_origin(scope):
            await self._refuse(scope, receive, send, "pages of other sites may not connect")
        else:
            await self.app(scope, receive, with_headers(send))

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, text: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": text})
        else:
            await PlainTextResponse(text, 403)(scope, receive, with_headers(send))


def with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {key for key, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *((key.encode(), value.encode()) for key, value in HEADERS.items() if key.encode() not in own),
            ]
        await send(message)

    return sending


def header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def hostname(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def same_origin(scope: Scope) -> bool:
    """Browsers say which page opens a websocket; it must be one of ours.  Programs other than browsers say nothing."""
    origin = header(scope, b"origin")
    return not origin or urlsplit(origin).netloc.lower() == header(scope, b"host").lower()


# --- pages and requests ----------------------------------------------------------------------------------------------


def page(file: Path) -> Callable[[Request], Awaitable[Response]]:
    async def show(request: Request) -> Response:
        return FileResponse(file, media_type="text/html")

    return show


async def not_found(request: Request, problem: Exception) -> Response:
    """A page for people, a line of JSON for programs."""
    status = getattr(problem, "status_code", 404)
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        return FileResponse(request.app.state.missing, status, media_type="text/html")
    return JSONResponse({"error": "there is nothing here"}, status)


async def palette(request: Request) -> Response:
    """The colours of the drawings as variables, for everything else on the pages."""
    light, dark = ("".join(f"--icarus-{name}:{pair[i]};" for name, pair in PALETTE.items()) for i in (0, 1))
    return Response(f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}", media_type="text/css")


async def answered(answer: Awaitable[Any]) -> Response:
    """The answer, or the refusal in one line."""
    try:
        return JSONResponse(await answer)
    except IcarusError as problem:
        return JSONResponse({"error": str(problem)[:500]}, 400)


async def games(request: Request) -> Response:
    limits: Limits = request.app.state.limits
    return JSONResponse(
        {"games": await request.app.state.lobby.games(), "seconds": limits.seconds, "iterations": limits.iterations}
    )


async def preview(request: Request) -> Response:
    return await answered(request.app.state.lobby.preview(request.query_params.get("game")))


async def create(request: Request) -> Response:
    return await answered(with_body(request, request.app.state.lobby.create))


async def accept(request: Request) -> Response:
    return await answered(with_body(request, request.app.state.lobby.accept))


async def known(request: Request) -> Response:
    return await answered(with_body(request, request.app.state.lobby.known))


async def with_body(request: Request, handle: Callable[[object], Awaitable[Any]]) -> Any:
    """Hand a JSON body on.  It must say that it is JSON, which a form on somebody else's page cannot."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("send application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > GREATEST_BODY:
            raise Refused(f"at most {GREATEST_BODY} bytes")
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise Refused("a message is a JSON object") from None
    return await handle(read(text))


# --- the websocket ---------------------------------------------------------------------------------------------------


async def socket(client: WebSocket) -> None:
    """A browser at a table: it joins with its first message, then asks and is told."""
    lobby: Lobby = client.app.state.lobby
    if lobby.connected >= lobby.limits.connections:
        await client.close(4503, "too many people are connected")
        return
    lobby.connected += 1
    try:
        await client.accept()
        connection = await joined(client, lobby)
        if connection is None:
            return
        sender = asyncio.create_task(pump(client, connection))
        try:
            while True:
                await lobby.handle(connection, await receive_text(client, lobby.limits))
        finally:
            lobby.leave(connection)
            sender.cancel()
    except (WebSocketDisconnect, RuntimeError):  # gone, perhaps while we were sending
        pass
    finally:
        lobby.connected -= 1


async def joined(client: WebSocket, lobby: Lobby) -> Connection | None:
    try:
        message = read(await asyncio.wait_for(receive_text(client, lobby.limits), PATIENCE))
        return await lobby.join(message)
    except TimeoutError:
        await client.close(4408, "nothing was said")
    except IcarusError as problem:
        await client.send_json({"type": "refused", "id": None, "text": str(problem)[:500]})
        await client.close(4404, "no such seat")
    return None


async def receive_text(client: WebSocket, limits: Limits) -> str | None:
    """The next message; None if it is not a text, or too long."""
    message = await client.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    return None if text is None or len(text) > limits.message_bytes else text


async def pump(client: WebSocket, connection: Connection) -> None:
    """Send what waits, at the client's own pace."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            text = await connection.outgoing.get()
            if text is None:
                await client.close(4409, "too slow")
                return
            if client.client_state is not WebSocketState.CONNECTED:
                return
            await client.send_text(text)
