"""Connect Four: a board with holes; a click anywhere in a column drops a disc there."""

from __future__ import annotations

from icarus.drawing.kit import caption, choices, clickable, seen, square, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position
from icarus.games.connect_four import COLUMNS, ROWS, STRIDE

CELL, LEFT, TOP = 60, 16, 16
WIDTH, HEIGHT = CELL * COLUMNS, CELL * ROWS


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    boards = [int(position.named.discs[player]) for player in range(2)]
    dropped = [move for _, move in seen(position, observer)][-1:]
    parts = [
        tag("rect", x=LEFT, y=TOP, width=WIDTH, height=HEIGHT, rx=14, fill="var(--frame)", stroke="var(--line)"),
    ]
    four = {cell for board in boards for cell in cells_of_four(board)}
    for column in range(COLUMNS):
        for height in range(ROWS):
            cell = STRIDE * column + height
            owner = next((player for player, board in enumerate(boards) if board >> cell & 1), None)
            parts.append(disc(column, height, owner))
            if cell in four:
                parts.append(ring(column, height, "light", 5))
    for column in dropped:
        parts.append(ring(column, filled(boards, column) - 1, "light", 2.5))
    can = choices(position, observer)
    for column in range(COLUMNS):
        cover = tag("rect", x=LEFT + CELL * column, y=TOP, width=CELL, height=HEIGHT, class_="cover")
        if column in can:
            ghost = tag("g", disc(column, filled(boards, column), position.player), class_="ghost")
            parts.append(clickable(column, f"column {can[column]}", cover, ghost, data_square=can[column]))
        else:
            parts.append(square(str(column + 1), cover))
    parts += [words(str(x + 1), LEFT + CELL * (x + 0.5), TOP + HEIGHT + 16, 15, class_="soft") for x in range(COLUMNS)]
    parts.append(caption(status(position, observer), LEFT + WIDTH / 2, TOP + HEIGHT + 42))
    return whole(position, observer, 2 * LEFT + WIDTH, TOP + HEIGHT + 60, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {column: [str(column + 1)] for column in position.legal()}


def middle(column: int, height: int) -> tuple[float, float]:
    return LEFT + CELL * (column + 0.5), TOP + CELL * (ROWS - height - 0.5)


def disc(column: int, height: int, owner: int | None) -> str:
    x, y = middle(column, height)
    fill = "board" if owner is None else ("one", "two")[owner]
    return tag("circle", cx=x, cy=y, r=0.4 * CELL, fill=f"var(--{fill})")


def ring(column: int, height: int, colour: str, thick: float) -> str:
    x, y = middle(column, height)
    return tag("circle", cx=x, cy=y, r=0.28 * CELL, fill="none", stroke=f"var(--{colour})", stroke_width=thick)


def filled(boards: list[int], column: int) -> int:
    """How many discs are in a column."""
    return ((boards[0] | boards[1]) >> STRIDE * column & (1 << ROWS) - 1).bit_count()


def cells_of_four(board: int) -> set[int]:
    """The cells of every four in a row."""
    found: set[int] = set()
    for step in (1, STRIDE, STRIDE + 1, STRIDE - 1):
        ends = board & board >> step & board >> 2 * step & board >> 3 * step
        found |= {cell + i * step for cell in range(COLUMNS * STRIDE) if ends >> cell & 1 for i in range(4)}
    return found
