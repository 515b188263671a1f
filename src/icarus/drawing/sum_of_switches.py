"""Sum of Switches: the numbers in a row, in the colours of those who have taken them."""

from __future__ import annotations

from icarus.drawing.kit import caption, choices, clickable, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position

CELL, PER_ROW = 44, 12


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    n, taken = int(state.n), [int(word) for word in state.taken]
    can, parts = choices(position, observer), []
    for number in range(n):
        x, y = 16 + CELL * (number % PER_ROW), 16 + CELL * (number // PER_ROW)
        owner = next((player for player in range(2) if taken[player] >> number & 1), None)
        fill = "board" if owner is None else ("one", "two")[owner]
        face = tag("rect", x=x, y=y, width=CELL - 6, height=CELL - 6, rx=6, fill=f"var(--{fill})", stroke="var(--line)")
        inside = face + words(str(number), x + CELL / 2 - 3, y + CELL / 2 - 3, 16)
        if number in can:
            mark = tag("rect", x=x, y=y, width=CELL - 6, height=CELL - 6, rx=6, class_="mark")
            parts.append(clickable(number, can[number], inside, mark, class_="can", data_square=str(number)))
        else:
            parts.append(inside)
    height = 16 + CELL * -(-n // PER_ROW)
    sums = f"{int(state.sums[0])} to {int(state.sums[1])}, the first needs {n // 2} more"
    parts.append(words(sums, 16, height + 16, 14, "start", class_="soft"))
    parts.append(caption(status(position, observer), 16 + CELL * PER_ROW / 2, height + 46))
    return whole(position, observer, 32 + CELL * PER_ROW, height + 64, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {number: [str(number)] for number in position.legal()}
