"""What is sent.  A message to a seat is made from the seat's stand-in for the position (``Table.known``), from its own legal
moves and from the moves as it saw them: two tables that a seat cannot tell apart give it the same bytes.

What a search found speaks of the hand that it was made for.  So where anything is hidden, it is sent to the seat whose hint it
is, and otherwise when the game is over.
"""

from __future__ import annotations

import json
from typing import Any

from icarus.drawing import draw, moves
from icarus.game import ENVIRONMENT, Position
from icarus.result import SearchResult
from icarus.web.catalog import SHEET, title_of
from icarus.web.table import Table, label_of

ROWS = 12  #: root actions that are shown


def encode(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def state_message(table: Table, seats: tuple[int, ...]) -> dict[str, Any]:
    """The table for someone who holds these seats (none: a spectator)."""
    game, player = table.game, table.player
    seat = perspective(table, seats)
    acting = seat is not None and seat == player
    message: dict[str, Any] = {
        "type": "state",
        "game": table.text,
        "title": title_of(table.text.removeprefix(SHEET)),
        "secret": table.secret,
        "players": game.player_labels,
        "seats": [{"kind": s.kind, "strength": str(s.strength) if s.strength else ""} for s in table.seats],
        "yours": list(seats),
        "seat": seat,
        "player": player,
        "turn": table.turn(seat),
        "over": table.over,
        "rewards": table.position.rewards() if table.over else None,
        "log": [{"player": actor, "text": text} for actor, text in table.log(seat)],
        "drawing": picture(table, seat),
        "legal": legal_moves(table.known(seat)) if acting and seat is not None else [],
        "undo": seat is not None and table.can_undo(seat),
        "thoughts": [] if table.secret and not table.over else sorted(table.thoughts),
    }
    return message


def perspective(table: Table, seats: tuple[int, ...]) -> int | None:
    """Whose eyes someone with several seats sees through: those of the one who is to act."""
    return None if not seats else table.player if table.player in seats else seats[0]


def picture(table: Table, seat: int | None) -> str | None:
    """The drawing for a seat; a spectator gets none as long as something is hidden."""
    if table.secret and table.over:
        return draw(table.position)
    if seat is None:
        return None if table.secret else draw(table.position)
    return draw(table.known(seat), seat)


def legal_moves(position: Position) -> list[dict[str, Any]]:
    """The legal moves of whoever acts, each with what is clicked for it."""
    return [{"action": a, "label": label_of(position, a), "keys": keys} for a, keys in moves(position).items()]


def thought_of(result: SearchResult) -> dict[str, Any]:
    """What a search found, in short."""
    return {
        "player": result.player,
        "best": result.best.label,
        "iterations": result.total_iterations,
        "seconds": round(result.seconds, 3),
        "speed": round(result.iterations_per_second),
        "records": result.records,
        "bytes": result.bytes,
        "depth": result.tree_depth,
        "algorithm": result.algorithm,
        "strategy": result.strategy,
        "line": result.principal_variation,
        "mean": [round(value, 4) for value in result.best.mean],
        "rows": [
            {"action": row.action, "label": row.label, "visits": row.visits, "mean": [round(m, 4) for m in row.mean]}
            for row in result.root[:ROWS]
        ],
        "more": max(len(result.root) - ROWS, 0),
    }


def review_message(table: Table) -> dict[str, Any]:
    """The finished game: every move in full, what the machines thought, and the chart so far."""
    return {
        "type": "review",
        "moves": [{"player": entry.player, "text": entry.label} for entry in table.entries],
        "decisions": [ply for ply, entry in enumerate(table.entries) if entry.player != ENVIRONMENT],
        "thoughts": {str(ply): thought for ply, thought in table.thoughts.items()},
        "evaluations": {str(ply): values for ply, values in table.evaluations.items()},
        "rewards": table.position.rewards(),
    }
