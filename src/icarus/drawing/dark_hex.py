"""Dark Hex: the rhombus of ``hex`` with the stones that the observer has seen."""

from __future__ import annotations

from icarus.drawing.hex import board, keys
from icarus.drawing.kit import PUBLIC, seen
from icarus.game import Position
from icarus.games.dark_hex import visible

__all__ = ["keys", "picture"]


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    cells = int(state.n) ** 2
    if observer == PUBLIC and not state.winner:
        marks = ["."] * cells
    else:
        marks = visible(state, None if observer == PUBLIC else observer)
    # of a move of its own a player sees the cell, and of a failed try the cell beyond the number of cells
    last = [move % cells for player, move in seen(position, observer) if observer in (None, player) and move < 2 * cells][-1:]
    return board(position, observer, int(state.n), marks, last, line(position, observer, marks))


def line(position: Position, observer: int | None, marks: list[str]) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        return f"{names[position.rewards().index(1)]} has won"
    turn, stones = int(position.named.plies) & 1, int(position.named.plies)
    if observer in (None, PUBLIC):
        return f"{names[turn]} to move, {stones} stones on the board"
    hidden = (stones + observer) // 2 - marks.count("OX"[observer])
    side = ("top and bottom", "left and right")[observer]
    turn_text = f"your move, connecting {side}" if turn == observer else names[turn] + " to move"
    return f"{turn_text}; {hidden} unseen stone{'' if hidden == 1 else 's'}"
