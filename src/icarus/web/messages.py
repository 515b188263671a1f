"""What is sent.  A message to a seat is made from the seat's stand-in for the position (``Table.known``), from its own legal
moves and from the moves as it saw them: two tables that a seat cannot tell apart give it the same bytes.

What a search found speaks of the hand that it was made for.  So where anything is hidden, it is sent to the seat whose hint it
is, and otherwise when the game is over.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from icarus.drawing import PUBLIC, draw, moves, player_colours, several
from icarus.game import ENVIRONMENT, Position
from icarus.play.knowledge import label_of
from icarus.result import SearchResult
from icarus.web.catalog import title_of
from icarus.web.table import Table

ROWS = 12  #: root actions that are shown


def encode(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def state_message(table: Table, seats: tuple[int, ...], viewer: int | None = None, narrow: bool = False) -> dict[str, Any]:
    """The table for someone who holds these seats (none: a spectator).

    Where several people sit at one screen and something is hidden, ``viewer`` is who looks at it, if anybody does yet.
    """
    game, player = table.game, table.player
    shared = table.shared(seats)
    seat = viewer if shared else perspective(table, seats)
    acting = seat is not None and seat == player
    message: dict[str, Any] = {
        "type": "state",
        "game": table.text,
        "title": title_of(table.text),
        "secret": table.secret,
        "players": game.player_labels,
        "colours": player_colours(game),
        "seats": [{"kind": s.kind, "strength": str(s.strength) if s.strength else ""} for s in table.seats],
        "yours": list(seats),
        "seat": seat,
        "player": player,
        "turn": table.turn(seat),
        "over": table.over,
        "rewards": table.position.rewards() if table.over else None,
        "score": table.position.score() if table.over and table.position.game.score is not None else None,
        "log": log_lines(table, seat),
        "drawing": picture(table, seat, narrow),
        "legal": legal_moves(table.known(seat)) if acting and seat is not None else [],
        "several": asdict(chosen) if acting and seat is not None and (chosen := several(table.known(seat))) else None,
        "handover": player if shared and player in seats and player != viewer else None,
        "rematch": table.rematch_for(seats),
        "undo": seat is not None and table.can_undo(seat),
        "thoughts": [] if table.secret and not table.over else sorted(table.thoughts),
    }
    return message


def log_lines(table: Table, seat: int | None) -> list[dict[str, Any]]:
    """The moves so far; choices that cannot be told apart and follow each other are one line."""
    lines: list[dict[str, Any]] = []
    vague = False
    for line in table.log(seat):
        if vague and line.label is not None and (lines[-1]["player"], lines[-1]["text"]) == (line.player, line.text):
            lines[-1]["times"] = lines[-1].get("times", 1) + 1
        else:
            lines.append({"player": line.player, "text": line.text})
        vague = line.label is not None
    return lines


def perspective(table: Table, seats: tuple[int, ...]) -> int | None:
    """Whose eyes someone with several seats sees through: those of the one who is to act."""
    return None if not seats else table.player if table.player in seats else seats[0]


def picture(table: Table, seat: int | None, narrow: bool = False) -> str | None:
    """The drawing for a seat; for a spectator what everybody may see, if the game says what that is."""
    if table.secret and table.over:
        return draw(table.position, seat=seat, narrow=narrow)
    if seat is None:
        return draw(table.position, PUBLIC if table.secret else None, narrow=narrow) or None
    return draw(table.known(seat), seat, narrow=narrow)


def legal_moves(position: Position) -> list[dict[str, Any]]:
    """The legal moves of whoever acts, each with what is clicked for it."""
    return [{"action": a, "label": label_of(position, a), "keys": keys} for a, keys in moves(position).items()]


def thought_of(result: SearchResult, keys: dict[int, list[str]]) -> dict[str, Any]:
    """What a search found, in short; ``keys`` are the places of its moves on the drawing."""
    total = sum(row.visits for row in result.root) or 1
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
        "score": result.best_score,
        "scored": result.best_line,
        "mean": [round(value, 4) for value in result.best.mean],
        "proof": result.proof,
        "rows": [
            {
                "action": row.action,
                "label": row.label,
                "visits": row.visits,
                "share": round(row.visits / total, 4),
                "mean": [round(m, 4) for m in row.mean],
                "proven": row.verdict if row.proven else "",
                "keys": keys.get(row.action, []),
            }
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
