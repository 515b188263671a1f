"""Matrix games: the table of what both get, rows for one player and columns for the other; a choice is a click on its name."""

from __future__ import annotations

from icarus.drawing import generic
from icarus.drawing.kit import PUBLIC, caption, choices, clickable, group, panel, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.matrix import SCALE

CELL, HEAD, TOP = (92.0, 50.0), 118.0, 34.0
MOST = 8  #: rows or columns; larger tables are not drawn


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    rows, columns = int(state.rows), int(state.columns)
    if max(rows, columns) > MOST:
        return "" if observer == PUBLIC else generic.picture(position, observer, seat)
    first, second = visible(position, observer)
    row_names, column_names = names(position, rows, columns)
    can = choices(position, observer)
    width, height = HEAD + CELL[0] * columns + 16, TOP + CELL[1] * (rows + 1)
    players = position.game.player_labels
    parts = [
        panel(HEAD, TOP + CELL[1], CELL[0] * columns, CELL[1] * rows, 6),
        words(players[1], HEAD + CELL[0] * columns / 2, TOP - 14, 14, class_="soft"),
        words(players[0], HEAD / 2, TOP + CELL[1] / 2, 14, class_="soft"),
    ]
    for row in range(rows):
        y = TOP + CELL[1] * (row + 1)
        action = row if position.player == 0 and row in can else None
        parts.append(head(row_names[row], 6, y, HEAD - 12, action, chosen=first == row))
        for column in range(columns):
            x = HEAD + CELL[0] * column
            if first == row and second == column:
                parts.append(tag("rect", x=x + 3, y=y + 3, width=CELL[0] - 6, height=CELL[1] - 6, rx=6, class_="last"))
            rewards = [int(state.payoffs[2 * (row * columns + column) + player]) / SCALE for player in range(2)]
            parts.append(words(" : ".join(f"{round(reward, 2):g}" for reward in rewards), x + CELL[0] / 2, y + CELL[1] / 2, 16))
    for column in range(columns):
        action = column if position.player == 1 and column in can else None
        x = HEAD + CELL[0] * column + 4
        parts.append(head(column_names[column], x, TOP, CELL[0] - 8, action, chosen=second == column))
    line = status(position, observer)
    parts.append(caption(line, width / 2, height + 28))
    return whole(position, observer, max(width, 300), height + 48, parts, line)


def head(name: str, x: float, y: float, width: float, action: int | None, chosen: bool) -> str:
    """The name of a row or column; ``action``: it can be chosen."""
    fill = "var(--accent)" if chosen else "var(--shade)"
    box = tag("rect", x=x, y=y + 4, width=width, height=CELL[1] - 8, rx=8, fill=fill, fill_opacity=0.5 if chosen else 1.0)
    text = words(name, x + width / 2, y + CELL[1] / 2, 15)
    if action is None:
        return group(box, text)
    mark = tag("rect", x=x + 1, y=y + 5, width=width - 2, height=CELL[1] - 10, rx=7, class_="mark")
    return clickable(action, name, box, text, mark, class_="can", data_square=name)


def keys(position: Position) -> dict[int, list[str]]:
    drawn = max(int(position.named.rows), int(position.named.columns)) <= MOST
    return {action: [position.format_action(action)] for action in position.legal()} if drawn else {}


def visible(position: Position, observer: int | None) -> tuple[int | None, int | None]:
    """The row and the column that were chosen, as far as the observer may know it."""
    row, column = (int(position.named.choices[player]) - 1 for player in range(2))
    hidden = observer in (1, PUBLIC) and column < 0
    return None if row < 0 or hidden else row, None if column < 0 else column


def names(position: Position, rows: int, columns: int) -> tuple[list[str], list[str]]:
    before, after = position.copy(), position.copy()
    before.named.choices[0], after.named.choices[0] = 0, 1
    return [before.format_action(row) for row in range(rows)], [after.format_action(column) for column in range(columns)]
