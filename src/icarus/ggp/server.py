"""The player: an HTTP server that plays GGP matches, each in a process of its own.

Whatever comes in gets an answer: a message of the protocol its reply, anything else ``400 Bad Request`` with the reason.  A match
that is not known, or one too many, is answered ``busy``.  One line is logged for every message.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from icarus.errors import IcarusError
from icarus.gdl.ground import Limits
from icarus.ggp.match import Match, Staff
from icarus.ggp.messages import (
    CONTENT_TYPE,
    MAX_BYTES,
    Info,
    Message,
    MessageError,
    Play,
    Preview,
    Start,
    Stop,
    read_message,
    shortened,
)
from icarus.ggp.protocol import Settings

#: (match or "", what happened)
Log = Callable[[str, str], None]
#: seconds in which a client must have sent its message
SLOW_CLIENT = 10.0
#: seconds that the first process has to get warm: it may have to compile everything on a slow machine
WARM_UP = 600.0


class PlayerServer:
    """Plays matches until it is closed; ``with PlayerServer(port=0) as player: print(player.url)``."""

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 9147,
        *,
        settings: Settings | None = None,
        limits: Limits | None = None,
        matches: int = 1,
        ponder_at_most: int = 1,
        log: Log = lambda match, text: None,
    ) -> None:
        self.settings, self.limits, self.log = settings or Settings(), limits or Limits(), log
        self.most, self.ponder_at_most = matches, ponder_at_most
        self._matches: dict[str, Match] = {}
        self._guard = threading.RLock()
        self._previewing = threading.Lock()
        try:
            self._http = _Http((host, port), self)
        except OSError as problem:
            raise IcarusError(f"cannot listen on {host}:{port}: {problem.strerror}; choose another --port") from None
        self._staff = Staff(self.settings)
        failure = self._staff.warm_up(WARM_UP)
        if failure:
            self.close()
            raise IcarusError(failure)

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}"

    def __enter__(self) -> PlayerServer:
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._http.shutdown()
        self.close()

    def serve(self) -> None:
        """Answer until somebody ends it."""
        self._http.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        self._http.server_close()
        with self._guard:
            for match in self._matches.values():
                match.end()
            self._matches.clear()
            self._staff.end()

    # --- messages ----------------------------------------------------------------------------------------------------

    def answer(self, text: str, received: float) -> str:
        """The reply to a message."""
        message = read_message(text)
        reply, comment = self._reply(message, received)
        kind = type(message).__name__.upper()
        took = time.monotonic() - received
        self.log(message.match, f"{kind} -> {shortened(reply)} in {took:.2f} s" + (f" ({comment})" if comment else ""))
        return reply

    def _reply(self, message: Message, received: float) -> tuple[str, str]:
        if isinstance(message, Info):
            return f"((name icarus) (status {'available' if self._has_room() else 'busy'}))", ""
        if isinstance(message, Preview):
            threading.Thread(target=self._preview, args=(message,), daemon=True).start()
            return "ready", ""
        if isinstance(message, Start):
            return self._start(message, received)
        with self._guard:
            match = self._matches.get(message.match)
        if match is None:
            return "busy", "no such match"
        if isinstance(message, Play):
            answer = match.play(message.step, received)
            return answer.move, answer.origin
        self._end(message.match)
        return ("done", "") if isinstance(message, Stop) else ("aborted", "")

    def _has_room(self) -> bool:
        with self._guard:
            return len(self._matches) < self.most

    def _start(self, message: Start, received: float) -> tuple[str, str]:
        with self._guard:
            if message.match in self._matches:
                return "busy", "this match is being played"
            if not self._has_room():
                return "busy", f"{self.most} matches are being played"
            try:
                match = Match(message, self.settings, self.limits, self._staff, self.log)
            except (IcarusError, RecursionError) as problem:
                return "busy", f"cannot play this sheet: {problem}"
            self._matches[message.match] = match
            self._share_processors()
        reply = match.begin(received)
        if reply == "busy":
            self._end(message.match)
        return reply, f"role {message.role}, clocks {message.start_clock:g} and {message.play_clock:g} s"

    def _preview(self, message: Preview) -> None:
        """Build the network ahead of the match; it is kept on disk."""
        if not self._previewing.acquire(blocking=False):
            return
        try:
            start = Start("preview", "", message.rules, 0, 0)
            match = Match(start, self.settings, self.limits, self._staff, self.log)
            match.build(max(message.clock, self.limits.seconds))
            match.end()
        except (IcarusError, RecursionError) as problem:
            self.log("preview", str(problem))
        finally:
            self._previewing.release()

    def _end(self, name: str) -> None:
        with self._guard:
            match = self._matches.pop(name, None)
            self._share_processors()
        if match is not None:
            match.end()

    def _share_processors(self) -> None:
        """With more matches than processors nobody thinks in the time of others."""
        for match in self._matches.values():
            match.ponder(len(self._matches) <= self.ponder_at_most)

    def tidy(self) -> None:
        """Give up matches whose manager is gone."""
        with self._guard:
            abandoned = [name for name, match in self._matches.items() if match.abandoned]
        for name in abandoned:
            self.log(name, "given up: no message for a long time")
            self._end(name)


# --- HTTP ------------------------------------------------------------------------------------------------------------


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a match under way must not keep the player from ending

    def __init__(self, place: tuple[str, int], player: PlayerServer) -> None:
        self.player = player
        super().__init__(place, _Handler)

    def service_actions(self) -> None:
        self.player.tidy()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Every error is answered and logged where it arises; what is left is a client that is gone."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    timeout = SLOW_CLIENT
    server_version = "icarus"

    def do_POST(self) -> None:
        received = time.monotonic()
        player = self.server.player
        try:
            reply = player.answer(self._body(), received)
        except MessageError as problem:
            player.log("", f"refused: {problem}")
            self._send(HTTPStatus.BAD_REQUEST, f'(error "{str(problem).replace(chr(34), chr(39))}")')
        except OSError as problem:
            player.log("", f"a client is gone: {problem}")
            self.close_connection = True
        except Exception as problem:  # the player lives on, whatever happens in one match
            player.log("", f"failed: {type(problem).__name__}: {problem}")
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, "(error)")
        else:
            self._send(HTTPStatus.OK, reply)

    def do_GET(self) -> None:
        """For people with a browser: is it alive?"""
        self._send(HTTPStatus.OK, self.server.player.answer("(INFO)", time.monotonic()))

    def do_OPTIONS(self) -> None:
        """Managers that run in a browser ask first."""
        self._send(HTTPStatus.OK, "")

    def _body(self) -> str:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise MessageError("a message needs a Content-Length")
        if len(length) > len(str(MAX_BYTES)) or int(length) > MAX_BYTES:
            self.close_connection = True
            raise MessageError(f"a message of {shortened(length)} bytes is larger than {MAX_BYTES}")
        data = self.rfile.read(int(length))
        if len(data) < int(length):
            raise MessageError(f"a message is cut short: {len(data)} of {length} bytes")
        return data.decode("utf-8", "replace")

    def _send(self, status: HTTPStatus, reply: str) -> None:
        data = reply.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
            self.send_header("Access-Control-Allow-Headers", "Content-Type, Sender, Receiver")
            self.end_headers()
            self.wfile.write(data)
        except OSError as problem:
            self.server.player.log("", f"a client is gone before its answer: {problem}")
            self.close_connection = True

    def log_message(self, format: str, *arguments: Any) -> None:
        """The player logs messages, not requests."""
