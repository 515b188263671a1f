"""Backgammon: the board from the observer's side, its own numbers on the points, its home at the lower right.

The keys of points are the numbers of whoever acts, as in the labels of actions; ``bar`` and ``off`` are the ends.
"""

from __future__ import annotations

from icarus.drawing.dice import die
from icarus.drawing.kit import caption, panel, seen, square, starts, status, tag, words
from icarus.drawing.kit import picture as whole
from icarus.game import ENVIRONMENT, Position
from icarus.games.backgammon import BAR, ROLL

POINT, RADIUS = 44.0, 19.0
MARGIN, TOP = 16.0, 30.0
BAR_WIDTH, TRAY = 50.0, 62.0
HEIGHT = 430.0
SPIKE = 170.0
STACK = 5  #: checkers that are drawn on one point; more are a number
WIDTH = 12 * POINT + BAR_WIDTH


def picture(position: Position, observer: int | None, seat: int | None) -> str:
    state = position.named
    viewer = seat or 0
    actor = position.player if position.player != ENVIRONMENT else viewer
    first = starts(position, observer, keys(position))
    parts = [
        panel(MARGIN, TOP, WIDTH, HEIGHT, 8),
        tag("rect", x=MARGIN + 6 * POINT, y=TOP, width=BAR_WIDTH, height=HEIGHT, fill="var(--frame)"),
        panel(MARGIN + WIDTH + 10, TOP, TRAY, HEIGHT, 8, "frame"),
    ]
    last = touched(position, observer, viewer)
    for point in range(1, 25):
        count = int(state.board[point if viewer == 0 else 25 - point])
        key = str(point if actor == viewer else 25 - point)
        parts.append(square(key, *spike(point, point in last), *checkers(point, count), mark_of(point), can=key in first))
        x, top = place(point)
        parts.append(words(str(point), x, TOP - 12 if top else TOP + HEIGHT + 12, 12, class_="soft"))
    for side in range(2):
        bar, off = abs(int(state.board[BAR if side == 0 else 0])), int(state.off[side])
        own = side == viewer
        bar_key, off_key = ("bar", "off") if side == actor else ("", "")
        parts.append(on_the_bar(side, bar, own, bar_key, bar_key in first))
        parts.append(in_the_tray(side, off, own, off_key))
    parts += dice_parts(position)
    parts.append(caption(status(position, observer), MARGIN + WIDTH / 2, TOP + HEIGHT + 40))
    return whole(position, observer, MARGIN + WIDTH + TRAY + 26, TOP + HEIGHT + 58, parts)


def keys(position: Position) -> dict[int, list[str]]:
    found = {}
    for action in position.legal():
        source, die_played = divmod(action, 8)
        end = "off" if source <= die_played else str(source - die_played)
        found[action] = ["bar" if source == BAR else str(source), end]
    return found


def touched(position: Position, observer: int | None, viewer: int) -> set[int]:
    """Where the last checker went from and to, as the viewer numbers the points."""
    moved = [(player, move) for player, move in seen(position, observer) if move < ROLL][-1:]
    points = {(player, end) for player, move in moved for end in (move // 8, move // 8 - move % 8)}
    return {end if player == viewer else 25 - end for player, end in points if 1 <= end <= 24}


def place(point: int) -> tuple[float, bool]:
    """The middle of a point from the left, and whether it hangs from the top."""
    top = point > 12
    column = point - 13 if top else 12 - point
    return MARGIN + POINT * (column + 0.5) + (BAR_WIDTH if column >= 6 else 0), top


def spike(point: int, last: bool) -> list[str]:
    x, top = place(point)
    base, tip = (TOP, TOP + SPIKE) if top else (TOP + HEIGHT, TOP + HEIGHT - SPIKE)
    shape = f"M{x - POINT / 2 + 1},{base}L{x},{tip}L{x + POINT / 2 - 1},{base}Z"
    fill = tag("path", d=shape, fill="var(--shade)" if point % 2 else "var(--spike)")
    cover = tag("rect", x=x - POINT / 2, y=min(base, tip), width=POINT, height=SPIKE, class_="cover")
    return [fill, cover, tag("path", d=shape, class_="last")] if last else [fill, cover]


def mark_of(point: int) -> str:
    x, top = place(point)
    y = TOP + 2 if top else TOP + HEIGHT - SPIKE - 32
    return tag("rect", x=x - POINT / 2 + 2, y=y, width=POINT - 4, height=SPIKE + 30, rx=6, class_="mark")


def checkers(point: int, count: int) -> list[str]:
    x, top = place(point)
    side, number = int(count < 0), abs(count)
    parts = []
    for i in range(min(number, STACK)):
        y = TOP + 2 + RADIUS * (2 * i + 1) if top else TOP + HEIGHT - 2 - RADIUS * (2 * i + 1)
        parts.append(checker(x, y, side, number if i == STACK - 1 and number > STACK else 0))
    return parts


def checker(x: float, y: float, side: int, number: int = 0) -> str:
    disc = tag("circle", cx=x, cy=y, r=RADIUS - 1, fill=f"var(--{('one', 'two')[side]})", stroke="var(--board)")
    return disc + words(str(number), x, y, 16, style="fill:var(--board);font-weight:600") if number else disc


def on_the_bar(side: int, count: int, own: bool, key: str, can: bool) -> str:
    x, y = MARGIN + 6 * POINT + BAR_WIDTH / 2, TOP + HEIGHT * (0.72 if own else 0.28)
    cover = tag("rect", x=x - BAR_WIDTH / 2, y=y - 70, width=BAR_WIDTH, height=140, class_="cover")
    mark = tag("circle", cx=x, cy=y, r=RADIUS + 2, class_="mark")
    held = checker(x, y, side, count if count > 1 else 0) if count else ""
    return square(key, cover, held, mark, can=can) if key else held


def in_the_tray(side: int, count: int, own: bool, key: str) -> str:
    """Checkers off the board lie flat, one above the other."""
    x, y = MARGIN + WIDTH + 10, TOP + HEIGHT / 2 if own else TOP
    parts = [tag("rect", x=x, y=y, width=TRAY, height=HEIGHT / 2, class_="cover")]
    for i in range(count):
        at = y + HEIGHT / 2 - 14 - 11 * i if own else y + 4 + 11 * i
        fill = f"var(--{('one', 'two')[side]})"
        parts.append(tag("rect", x=x + 9, y=at, width=TRAY - 18, height=10, rx=3, fill=fill, stroke="var(--frame)"))
    parts.append(tag("rect", x=x + 3, y=y + 3, width=TRAY - 6, height=HEIGHT / 2 - 6, rx=6, class_="mark"))
    return square(key, *parts) if key else "".join(parts[1:-1])


def dice_parts(position: Position) -> list[str]:
    state = position.named
    faces = [int(die) for die in state.dice if die]
    if len(faces) == 1:  # the one that is left, or a double
        faces *= int(state.left)
    side = int(state.turn)
    left = MARGIN + 9 * POINT + BAR_WIDTH - 22 * len(faces)
    return [die(left + 44 * i, TOP + HEIGHT / 2 - 18, 36, face, ("one", "two")[side]) for i, face in enumerate(faces)]
