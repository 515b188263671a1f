"""Battleship: both boards side by side, the observer's on the left with its ships, the other one with what shots have found."""

from __future__ import annotations

from icarus.drawing.kit import PUBLIC, caption, choices, clickable, coordinates, letters, outcome, panel, square, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.battleship import cell_name, marks_of, ship_at

CELL, LEFT, TOP = 44, 34, 40


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    columns, rows = int(state.columns), int(state.rows)
    below = 0 if seat is None else seat
    step = CELL * columns + LEFT + 10
    parts = []
    for place, who in enumerate((below, 1 - below)):
        left = LEFT + step * place
        parts.append(words(position.game.player_labels[who], left + CELL * columns / 2, TOP - 18, 15, class_="strong"))
        parts.append(panel(left, TOP, CELL * columns, CELL * rows, 8))
        parts += board(position, observer, who, left)
        parts += coordinates(letters(columns), [str(y + 1) for y in range(rows)], left, TOP, CELL)
    line = table_line(position, observer)
    width = max(2 * step + LEFT - 20, 300)
    parts.append(caption(line, width / 2, TOP + CELL * rows + 46))
    return whole(position, observer, width, TOP + CELL * rows + 66, parts, line)


def board(position: Position, observer: int | None, who: int, left: float) -> list[str]:
    state = position.named
    marks, columns = marks_of(state, who, observer), int(state.columns)
    can, placing = choices(position, observer), is_placing(position)
    here = bool(can) and who == (position.player if placing else 1 - position.player)
    begins = {names[0] for names in keys(position).values()} if here and placing else set()
    parts = []
    for cell, mark in enumerate(marks):
        x, y = left + CELL * (cell % columns), TOP + CELL * (cell // columns)
        shown = box(x, y, class_="cover") + drawn(mark, x, y)
        name = cell_name(state, cell)
        if here and placing:
            shown = square(name, shown, box(x, y, class_="mark"), can=name in begins)
        elif here and cell in can:
            ghost = tag("g", drawn("~", x, y), class_="ghost")
            shown = clickable(cell, can[cell], shown, ghost, data_square=name)
        parts.append(shown)
    lines = [f"M{left + CELL * x},{TOP}v{CELL * int(state.rows)}" for x in range(1, columns)]
    lines += [f"M{left},{TOP + CELL * y}h{CELL * columns}" for y in range(1, int(state.rows))]
    return [tag("path", d="".join(lines), stroke="var(--line)", fill="none"), *parts]


def box(x: float, y: float, **attributes: object) -> str:
    return tag("rect", x=x + 2, y=y + 2, width=CELL - 4, height=CELL - 4, rx=6, **attributes)


def drawn(mark: str, x: float, y: float) -> str:
    """A part of a ship, and what was shot at it."""
    middle = {"cx": x + CELL / 2, "cy": y + CELL / 2}
    if mark == "~":
        return tag("circle", **middle, r=5, fill="var(--one)")
    if mark in "xo#":
        ship = box(x, y, fill="var(--slate)" if mark != "#" else "var(--ruby)")
        return ship if mark == "o" else ship + tag("circle", **middle, r=8, fill="var(--ruby)", stroke="var(--light)")
    return ""


def is_placing(position: Position) -> bool:
    return int(position.named.plies) < 2 * int(position.named.ships)


def keys(position: Position) -> dict[int, list[str]]:
    """A ship is placed with a click on its first cell and one on its last."""
    state = position.named
    if not is_placing(position):
        return {action: [cell_name(state, action)] for action in position.legal()}
    cells, size = int(state.rows) * int(state.columns), int(state.sizes[int(state.plies) >> 1])
    ends = {}
    for action in position.legal():
        ship = int(ship_at(state, size, action - cells))
        first, last = (ship & -ship).bit_length() - 1, ship.bit_length() - 1
        ends[action] = [cell_name(state, first)] + ([cell_name(state, last)] if last != first else [])
    return ends


def table_line(position: Position, observer: int | None) -> str:
    names, state = position.game.player_labels, position.named
    if position.is_terminal:
        return outcome(position)
    turn = position.player
    whose = "your move" if observer == turn and observer != PUBLIC else f"{names[turn]} to move"
    if is_placing(position):
        return f"{whose}: a ship of {int(state.sizes[int(state.plies) >> 1])}"
    left = [int(state.ships) - int(state.sunk[who]).bit_count() for who in range(2)]
    return f"{whose}; ships left: {left[0]} and {left[1]}"
