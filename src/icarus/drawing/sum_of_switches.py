"""Sum of Switches: the numbers in a row, in the colours of those who have taken them."""

from __future__ import annotations

from icarus.drawing.kit import caption, choices, clickable, ink_on, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import Position

CELL, PER_ROW, PHONE = 44, 12, 7  #: PHONE: in a row of a narrow page


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    return table(position, observer, PER_ROW)


def narrow(position: Position, observer: int | None, seat: int | None) -> str:
    """For a phone: shorter rows."""
    return table(position, observer, PHONE)


def table(position: Position, observer: int | None, each: int) -> str:
    """The numbers, so many in a row, and the sums so far."""
    state = position.named
    n, taken = int(state.n), [int(word) for word in state.taken]
    each = min(each, n)
    can, parts = choices(position, observer), []
    for number in range(n):
        x, y = 16 + CELL * (number % each), 16 + CELL * (number // each)
        owner = next((player for player in range(2) if taken[player] >> number & 1), None)
        fill = "board" if owner is None else ("one", "two")[owner]
        face = tag("rect", x=x, y=y, width=CELL - 6, height=CELL - 6, rx=6, fill=f"var(--{fill})", stroke="var(--line)")
        ink = None if owner is None else f"fill:var(--{ink_on(fill)})"
        inside = face + words(str(number), x + CELL / 2 - 3, y + CELL / 2 - 3, 16, style=ink)
        if number in can:
            mark = tag("rect", x=x, y=y, width=CELL - 6, height=CELL - 6, rx=6, class_="mark")
            parts.append(clickable(number, can[number], inside, mark, class_="can", data_square=str(number)))
        else:
            parts.append(inside)
    height = 16 + CELL * -(-n // each)
    sums = f"{int(state.sums[0])} to {int(state.sums[1])}, First needs {n // 2} more"
    parts.append(words(sums, 16, height + 16, 14, "start", class_="soft"))
    parts.append(caption(status(position, observer), 16 + CELL * each / 2, height + 46))
    return whole(position, observer, 32 + CELL * each, height + 64, parts)


def keys(position: Position) -> dict[int, list[str]]:
    return {number: [str(number)] for number in position.legal()}
