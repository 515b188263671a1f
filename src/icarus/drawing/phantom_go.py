"""Phantom Go: the crossings of ``go`` with the stones that the observer knows."""

from __future__ import annotations

from icarus.drawing.go import board, keys
from icarus.drawing.kit import PUBLIC, outcome, seen
from icarus.game import Position
from icarus.games.phantom_go import SET, TAKEN, visible

__all__ = ["keys", "picture"]


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    if observer == PUBLIC and not state.outcome:
        marks = ["."] * int(state.n) ** 2
    else:
        marks = visible(state, None if observer == PUBLIC else observer)
    own = [move for player, move in seen(position, observer) if observer in (None, player)]
    last = [move if observer is None else point_of(move) for move in own][-1:]
    return board(position, observer, marks, last, line(position, observer, marks))


def point_of(move: int) -> int:
    """The point of a move as who made it sees it."""
    kind = move >> SET
    return move & ((1 << SET) - 1) if kind == TAKEN else kind // 2


def line(position: Position, observer: int | None, marks: list[str]) -> str:
    names, state = position.game.player_labels, position.named
    if position.is_terminal:
        return outcome(position)
    turn = position.player
    if observer in (None, PUBLIC):
        return f"{names[turn]} to move, turn {int(state.plies) + 1}"
    hidden = int(state.stones[1 - observer]).bit_count() - marks.count("OX"[observer])
    return f"{'your move' if turn == observer else names[turn] + ' to move'}; {hidden} unseen stone{'' if hidden == 1 else 's'}"
