"""What a stranger may ask of the server, and the refusal that is the answer to anything else."""

from __future__ import annotations

from dataclasses import dataclass

from icarus.errors import IcarusError
from icarus.strength import NATURAL, Pace


class Refused(IcarusError):
    """A request that is not granted, in one line for whoever sent it; nothing has changed."""


@dataclass(frozen=True)
class Limits:
    """One number for each thing that could be used up."""

    #: tables that are kept, in memory and on disk; the oldest that nobody uses make room for new ones
    tables: int = 200
    #: a table that nobody has touched for so many seconds may make room
    idle_seconds: float = 3600.0
    connections: int = 500
    connections_per_table: int = 40
    #: bytes of a message from a client
    message_bytes: int = 4096
    #: messages that a connection may send per second in the long run, and at once
    messages_per_second: float = 10.0
    messages_at_once: int = 30
    #: thinking about one move
    seconds: float = 60.0
    iterations: int = 10_000_000
    #: what a machine of an adjusted strength takes for a move, at least and at most
    pace: Pace = NATURAL
    #: bytes of all search trees together
    memory: int = 1 << 30
    #: trees of determinized and ensemble searches
    trees: int = 200
    #: characters of a game's name with its parameters, of a strategy, of a person's name
    text: int = 400
    name: int = 40
    #: positions of a finished game that are searched for its chart
    evaluations: int = 120


def whole(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused(f"{name}: a whole number is expected")
    return value
