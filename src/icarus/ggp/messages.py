"""The messages of the GGP protocol: lists in KIF, sent to a player by HTTP POST as ``text/acl``.

================================================================  =============================================================
``(INFO)``                                                        ``((name icarus) (status available))``
``(PREVIEW (rule ...) clock)``                                    ``ready``
``(START match role (rule ...) startclock playclock)``            ``ready`` or ``busy``, within the start clock
``(PLAY match (move ...))``, at first ``(PLAY match nil)``        a move, within the play clock
``(PLAY match turn move (percept ...))``                          the same for GDL-II: the own last move, and what was seen
``(STOP match (move ...))``, ``(STOP match turn move (...))``     ``done``
``(ABORT match)``                                                 ``aborted``
================================================================  =============================================================
"""

from __future__ import annotations

from dataclasses import dataclass

from icarus.errors import GameError, IcarusError
from icarus.gdl.reader import format_term, read_term

CONTENT_TYPE = "text/acl"
#: the largest message that is read, in bytes; the largest public sheets have about 1 MB
MAX_BYTES = 16 << 20
#: seconds that a clock may have
MAX_CLOCK = 24 * 3600.0


class MessageError(IcarusError):
    """A message that is not one of the protocol's."""


@dataclass(frozen=True)
class Step:
    """What a player is told of the last step: the moves of all roles, or (GDL-II) its own move and what it saw."""

    moves: tuple[str, ...]
    percepts: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Info:
    match: str = ""


@dataclass(frozen=True)
class Preview:
    rules: str
    clock: float
    match: str = ""


@dataclass(frozen=True)
class Start:
    match: str
    role: str
    rules: str
    start_clock: float
    play_clock: float


@dataclass(frozen=True)
class Play:
    """``step`` is None in the first message of a match."""

    match: str
    step: Step | None


@dataclass(frozen=True)
class Stop:
    match: str
    step: Step | None


@dataclass(frozen=True)
class Abort:
    match: str


Message = Info | Preview | Start | Play | Stop | Abort


def read_message(text: str) -> Message:
    """The message that a text is."""
    items = list_items(text)
    kind, given = (items[0].casefold(), items[1:]) if items else ("", [])
    expected = {"info": (0,), "preview": (2,), "start": (5,), "play": (2, 4), "stop": (2, 4), "abort": (1,)}
    if kind not in expected:
        raise MessageError(f"{shortened(kind) or 'an empty list'} is no message; there are {', '.join(expected).upper()}")
    # later versions of the protocol may add arguments to START
    if len(given) not in expected[kind] and not (kind == "start" and len(given) > 5):
        wanted = " or ".join(map(str, expected[kind]))
        raise MessageError(f"{kind.upper()} takes {wanted} arguments, here it has {len(given)}")
    if kind == "info":
        return Info()
    if kind == "preview":
        return Preview(inner_text(given[0]), read_clock(given[1]))
    match = given[0]
    if match.startswith("("):
        raise MessageError(f"{kind.upper()} needs the name of a match, got {shortened(match)}")
    if kind == "start":
        return Start(match, read_move(given[1]), inner_text(given[2]), read_clock(given[3]), read_clock(given[4]))
    if kind == "abort":
        return Abort(match)
    step = read_step(given[1:])
    return Play(match, step) if kind == "play" else Stop(match, step)


def list_items(text: str) -> list[str]:
    """The items of one list, as texts: ``(a (b c) d)`` gives ``a``, ``(b c)``, ``d``.

    A rule sheet inside a message stays as it is; only parentheses and comments are looked at.
    """
    items: list[str] = []
    depth, begun, i = 0, -1, 0
    while i < len(text):
        letter = text[i]
        if depth == 1 and begun >= 0 and (letter.isspace() or letter in "();"):
            items.append(text[begun:i])
            begun = -1
        if letter == ";":
            end = text.find("\n", i)
            i = len(text) if end < 0 else end
            continue
        if letter == "(":
            if depth == 1:
                begun = i
            if depth == 0 and i and text[:i].strip():
                raise MessageError(f"a message is one list, got {shortened(text)}")
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 1:
                items.append(text[begun : i + 1])
                begun = -1
            if depth == 0:
                if text[i + 1 :].strip():
                    raise MessageError(f"there is something after the message: {shortened(text[i + 1 :].strip())}")
                return items
            if depth < 0:
                break
        elif depth == 1 and begun < 0 and not letter.isspace():
            begun = i
        i += 1
    if depth > 0:
        raise MessageError(f"a message is cut short: {depth} ')' missing after {shortened(text)}")
    raise MessageError(f"a message is one list in parentheses, got {shortened(text) or 'nothing'}")


def read_step(given: list[str]) -> Step | None:
    """What a PLAY or STOP says after the name of the match."""
    if len(given) == 1:
        return None if given[0].casefold() == "nil" else Step(read_moves(given[0]))
    turn, move, percepts = given
    if not turn.isdecimal():
        raise MessageError(f"a turn is a number, got {shortened(turn)}")
    if move.casefold() == "nil":
        return None
    return Step((read_move(move),), () if percepts.casefold() == "nil" else read_moves(percepts))


def read_moves(text: str) -> tuple[str, ...]:
    if not text.startswith("("):
        raise MessageError(f"moves are a list, got {shortened(text)}")
    return tuple(read_move(move) for move in list_items(text))


def read_move(text: str) -> str:
    """A term in the one form in which it is compared."""
    try:
        return format_term(read_term(text))
    except (GameError, RecursionError):
        raise MessageError(f"{shortened(text)} is not a term such as noop or (mark 1 2)") from None


def read_clock(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_CLOCK:
        raise MessageError(f"a clock is a number of seconds, got {shortened(text)}")
    return seconds


def inner_text(text: str) -> str:
    """The rules of a sheet, without the parentheses around them."""
    if not text.startswith("("):
        raise MessageError(f"rules are a list, got {shortened(text)}")
    return text[1:-1]


def format_list(items: tuple[str, ...] | list[str] | None) -> str:
    return "nil" if items is None else f"({' '.join(items)})"


def shortened(text: str, limit: int = 60) -> str:
    """The beginning of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 3] + "..."
