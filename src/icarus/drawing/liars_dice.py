"""Liar's dice: the dice of both players, and a table of all bids where a higher one can be clicked."""

from __future__ import annotations

from icarus.drawing.dice import die
from icarus.drawing.kit import button, caption, choices, clickable, panel, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.liars_dice import format_action, visible_dice

CELL, DIE = 46.0, 40.0
LEFT = 24.0
MAX_ROWS, MAX_SIDES = 12, 12  #: larger tables of bids are not drawn; the labels of actions serve


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    dice, sides = int(state.dice), int(state.sides)
    drawn = 2 * dice <= MAX_ROWS and sides <= MAX_SIDES
    width = max(2 * LEFT + (DIE + 8) * min(dice, 10) + 110, 2 * LEFT + CELL * sides if drawn else 0, 330)
    parts: list[str] = []
    y = LEFT
    for player, faces in enumerate(visible_dice(state, observer)):
        acting = not state.winner and int(state.turn) == player
        name = f"{'▸ ' if acting else ''}{position.game.player_labels[player]}"
        parts.append(words(name, LEFT, y + DIE / 2, 15, "start", class_="strong"))
        for i, face in enumerate(faces or [None] * dice):
            x, down = LEFT + 100 + (DIE + 8) * (i % 10), y + (DIE + 8) * (i // 10)
            parts.append(die(x, down, DIE, face, "black"))
        y += (DIE + 8) * (1 + (dice - 1) // 10) + 10
    can = choices(position, observer)
    call = 2 * dice * sides
    if drawn:
        parts += [bid_cell(position, bid, (width - CELL * sides) / 2, y, can) for bid in range(call)]
        y += CELL * 2 * dice + 12
    if call in can:
        parts.append(button(call, "liar", width / 2 - 60, y, 120, 34))
    y += 44
    line = table_line(position, observer)
    parts.append(caption(line, width / 2, y + 22))
    height = y + 44
    return whole(position, observer, width, height, [panel(8, 8, width - 16, y - 8, 14), *parts], line)


def keys(position: Position) -> dict[int, list[str]]:
    call = 2 * int(position.named.dice) * int(position.named.sides)
    return {action: [format_action(position.named, action)] for action in position.legal() if action != call}


def bid_cell(position: Position, bid: int, left: float, top: float, can: dict[int, str]) -> str:
    """A bid in the table: the number of dice by rows, the face by columns."""
    state = position.named
    sides = int(state.sides)
    x, y = left + CELL * (bid % sides), top + CELL * (bid // sides)
    current, past = bid == int(state.bid) - 1, bid < int(state.bid) - 1
    label = f"{bid // sides + 1}×{bid % sides + 1}"
    box = tag(
        "rect",
        x=x + 2,
        y=y + 2,
        width=CELL - 4,
        height=CELL - 4,
        rx=6,
        fill="var(--accent)" if current else "var(--shade)",
        fill_opacity=0.45 if current else 0.25 if past else 0.8,
    )
    text = words(label, x + CELL / 2, y + CELL / 2, 14, opacity=0.4 if past else None, class_="strong" if current else None)
    mark = tag("rect", x=x + 3, y=y + 3, width=CELL - 6, height=CELL - 6, rx=5, class_="mark")
    return clickable(bid, can[bid], box, text, mark, class_="can", data_square=can[bid]) if bid in can else box + text


def table_line(position: Position, observer: int | None) -> str:
    state, names = position.named, position.game.player_labels
    if state.winner:
        return f"{names[int(state.winner) - 1]} has won"
    bid = f"bid {format_action(state, int(state.bid) - 1)}" if state.bid else "no bid yet"
    turn = int(state.turn)
    return f"{bid}; " + (f"your move ({names[turn]})" if observer == turn else f"{names[turn]} to move")
