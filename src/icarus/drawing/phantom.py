"""Phantom m,n,k-games: the grid of ``mnk`` with the marks that the observer has seen; where it has not looked is shaded."""

from __future__ import annotations

from icarus.drawing.kit import PUBLIC, seen
from icarus.drawing.mnk import board, keys
from icarus.game import Position
from icarus.games.phantom import is_over, visible_marks

__all__ = ["keys", "picture"]


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    cells = int(state.columns * state.rows)
    if observer == PUBLIC:
        marks = visible_marks(state, None) if is_over(state) else [0] * cells
    else:
        marks = visible_marks(state, observer)
    # of a move of its own a player sees the cell, and of a failed try the cell beyond the number of cells
    last = [move % cells for player, move in seen(position, observer) if observer in (None, player) and move < 2 * cells][-1:]
    hidden = observer is not None and not is_over(state)
    unknown = {cell for cell, owner in enumerate(marks) if hidden and not owner}
    return board(position, observer, marks, last, unknown, line(position, observer, marks))


def line(position: Position, observer: int | None, marks: list[int]) -> str:
    names = position.game.player_labels
    if position.is_terminal:
        rewards = position.rewards()
        return "a draw" if rewards[0] == rewards[1] else f"{names[rewards.index(1)]} has won"
    turn = int(position.named.plies) & 1
    if observer in (None, PUBLIC):
        return f"{names[turn]} to move, {int(position.named.plies)} marks on the board"
    hidden = (int(position.named.plies) + observer) // 2 - marks.count(2 - observer)
    unseen = f"{hidden} unseen mark{'' if hidden == 1 else 's'}"
    return f"{'your move' if turn == observer else names[turn] + ' to move'}, {unseen}"
