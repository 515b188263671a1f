"""Morpion solitaire, in the versions 5D and 5T: draw lines through five points, each with one new point.

Thirty-six points form a cross.  A move adds a point such that it makes, with four that are there, five in a row in one of four
directions; the line through them is drawn.  Two lines in the same direction may not share a point (5D, *disjoint*), or may share
an end but no segment (5T, *touching*).  The score is the number of moves; 82 (5D) and 178 (5T) are the best known.

Points are ``40 y + x``; the cross lies in the middle, and what is closer than four to the edge is never used, so that no line
leaves the board.  An action is ``20 s + 5 d + k``: the line that starts at the point ``s`` in direction ``d`` (right, down,
down-right, up-right), whose point number ``k`` is new.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, size_of
from icarus.games._svg import action, dot, image, line

WIDTH, LENGTH, EDGE = 40, 5, 4
POINTS = WIDTH * WIDTH
MOST_LEGAL = 400
MOST_MOVES = {"5D": 121, "5T": 485}  #: upper bounds that have been proved
DIRECTIONS = "hvdu"
CROSS = (
    "...####...",
    "...#..#...",
    "...#..#...",
    "####..####",
    "#........#",
    "#........#",
    "####..####",
    "...#..#...",
    "...#..#...",
    "...####...",
)
CORNER = (WIDTH - len(CROSS)) // 2
TAKEN = 1  #: bit 0 of a point; bit d + 1: a line in direction d uses it (5T: the segment that starts there)


class Paper(Layout):
    """What has been drawn; the parameter comes first."""

    used = Words(1)  #: points of a line that no other in its direction may use: 5 (5D) or, as starts of segments, 4 (5T)
    moves = Word()
    count = Word()  #: of legal moves
    point = Words(POINTS)
    open = Words(MOST_LEGAL)  #: the legal moves


def morpion(version: str = "5D") -> Game:
    """``version``: 5D (lines share no point) or 5T (lines may touch)."""
    version = str(version).upper()
    if version not in MOST_MOVES:
        raise GameError(f"morpion has the versions 5D and 5T, not {version!r}; write morpion(5D)")
    most = MOST_MOVES[version]
    return Game(
        name=f"morpion({version})",
        summary=f"Morpion solitaire {version}: draw as many lines of five as possible",
        players=1,
        parameters=(5 if version == "5D" else 4,),
        layout=Paper,
        state_size=size_of(Paper),
        max_actions=MOST_LEGAL,
        max_plies=most,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        code=code,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Player",),
    )


@compiled
def step_of(direction):
    """From a point to the next in a direction."""
    return 1 if direction == 0 else WIDTH if direction == 1 else WIDTH + 1 if direction == 2 else 1 - WIDTH


@compiled
def start_point(x, y):
    """Does a point of the cross lie here? x and y count from its corner."""
    dx, dy = min(x, 9 - x), min(y, 9 - y)  # the cross is the same in all four quarters
    return (dx == 3 and dy <= 3) or (dy == 3 and dx <= 3) or (dy == 0 and dx >= 3) or (dx == 0 and dy >= 3)


@compiled
def initial(state, rng):
    for y in range(WIDTH):
        for x in range(WIDTH):
            inside = x >= EDGE and x < WIDTH - EDGE and y >= EDGE and y < WIDTH - EDGE
            state.point[WIDTH * y + x] = 0 if inside else 30  # used in every direction
    for y in range(10):
        for x in range(10):
            if start_point(x, y):
                state.point[WIDTH * (CORNER + y) + CORNER + x] = TAKEN
    for y in range(CORNER - 1, CORNER + 11):
        for x in range(CORNER - 1, CORNER + 11):
            for direction in range(4):
                open_line(state, WIDTH * y + x, direction)


@compiled
def open_line(state, start, direction):
    """Add the line to the legal moves if it lacks one point and no line is in its way."""
    step, used = step_of(direction), 2 << direction
    taken, missing, free = 0, 0, 0
    point = start
    for k in range(LENGTH):
        held = state.point[point]
        if held & TAKEN:
            taken += 1
        else:
            missing = k
        if k < state.used[0]:
            free |= held
        point += step
    if taken == LENGTH - 1 and free & used == 0 and state.point[start + missing * step] == 0 and state.count < MOST_LEGAL:
        state.open[state.count] = 20 * start + 5 * direction + missing
        state.count += 1


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    for i in range(state.count):
        actions[i] = state.open[i]
    return state.count


@compiled
def apply(state, move):
    where = move // 5
    start, direction, k = where >> 2, where & 3, move - 5 * where
    step = step_of(direction)
    new = start + k * step
    state.point[new] |= TAKEN
    point = start
    for _ in range(state.used[0]):
        state.point[point] |= 2 << direction
        point += step
    kept = 0
    for i in range(state.count):
        other = state.open[i]
        if still_open(state, other, direction, new):
            state.open[kept] = other
            kept += 1
    state.count = kept
    for way in range(4):
        begin, along = new, step_of(way)
        for _ in range(LENGTH):
            open_line(state, begin, way)
            begin -= along
    state.moves += 1


@compiled
def still_open(state, move, direction, new):
    """Is a move that was legal still so, after a line in this direction with this new point?"""
    where = move // 5
    start, way = where >> 2, where & 3
    step = step_of(way)
    if start + (move - 5 * where) * step == new:
        return False
    if way != direction:
        return True
    free, point = 0, start
    for _ in range(state.used[0]):
        free |= state.point[point]
        point += step
    return free & (2 << way) == 0


@compiled
def terminal(state):
    return state.count == 0


@compiled
def rewards(state, out):
    out[0] = min(state.moves / (121.0 if state.used[0] == 5 else 485.0), 1.0)


@compiled
def score(state):
    return float(state.moves)


@compiled
def code(state, move):
    """The line, whichever of its points is new."""
    return move // 5


def parts(move: int) -> tuple[int, int, int]:
    """The start of the line, its direction, and which of its points is new."""
    return move // 20, move // 5 % 4, move % 5


def line_points(move: int) -> list[int]:
    start, direction, _ = parts(move)
    return [start + k * (1, WIDTH, WIDTH + 1, 1 - WIDTH)[direction] for k in range(LENGTH)]


def format_action(state: Paper, move: int) -> str:
    """Column and row of the new point, the direction (h, v, d, u), and which of the line's points it is."""
    _, direction, k = parts(move)
    y, x = divmod(line_points(move)[k], WIDTH)
    return f"{x}.{y}{DIRECTIONS[direction]}{k}"


def frame(state: Paper) -> tuple[int, int, int, int]:
    """The columns and rows that are in use, with some space around."""
    points = [divmod(p, WIDTH) for p in range(POINTS) if int(state.point[p]) & TAKEN]
    rows, columns = [y for y, _ in points], [x for _, x in points]
    return min(columns) - 1, max(columns) + 1, min(rows) - 1, max(rows) + 1


def render(state: Paper, observer: int | None = None) -> str:
    left, right, top, bottom = frame(state)
    lines = [
        f"{y:2d} " + "".join("o" if int(state.point[WIDTH * y + x]) & TAKEN else "." for x in range(left, right + 1))
        for y in range(top, bottom + 1)
    ]
    return "\n".join([f"columns {left} to {right}, {int(state.moves)} moves", *lines])


def draw(state: Paper, observer: int | None) -> str:
    """The points, what the lines cover, and a dot for every move; several lines with one new point lie side by side."""
    left, right, top, bottom = frame(state)
    cell = 24

    def at(point: int) -> tuple[int, int]:
        y, x = divmod(point, WIDTH)
        return cell * (x - left + 1), cell * (y - top + 1)

    shown = []
    for point in range(POINTS):
        held, (x, y) = int(state.point[point]), at(point)
        if point // WIDTH in range(EDGE, WIDTH - EDGE) and point % WIDTH in range(EDGE, WIDTH - EDGE):
            for direction, (dx, dy) in enumerate(((1, 0), (0, 1), (1, 1), (1, -1))):
                if held >> direction & 2:  # 5T: a segment; 5D: a mark on the point
                    reach = cell if int(state.used[0]) == 4 else 9
                    shown.append(line(x, y, x + reach * dx, y + reach * dy, "one", 2))
            if held & TAKEN:
                shown.append(dot(x, y, 5, "ink"))
    several: dict[int, int] = {}
    for move in (int(held) for held in state.open[: int(state.count)]):
        point = line_points(move)[parts(move)[2]]
        x, y = at(point)
        shift = several[point] = several.get(point, -1) + 1
        shown.append(action(format_action(state, move), dot(x + 7 * shift, y, 4, "accent")))
    return image(cell * (right - left + 2), cell * (bottom - top + 2), *shown)
