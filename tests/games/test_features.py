"""Features of games beside a recount in plain Python, which reads the board as it is drawn for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from icarus.game import Position, step_randomly
from icarus.games import checkers, connect_four, go, lines_of_action
from icarus.games._go_patterns import MEANING, SHAPES, SWAPPED
from icarus.loading import load

Cells = dict[tuple[int, int], str]
ROUND = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if y or x]
BESIDE = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def drawn(position: Position) -> Cells:
    """What stands at (row from below, column): the rows of the picture that are numbered."""
    rows = [line.split() for line in position.render(None).splitlines()]
    return {
        (int(row[0]) - 1, x): mark for row in rows if row and row[0].isdigit() and len(row) > 1 for x, mark in enumerate(row[1:])
    }


def told(position: Position, action: int) -> Counter[int]:
    game = position.game
    out = np.zeros(game.max_features, np.int64)
    return Counter(int(number) for number in out[: int(game.call("features", position.state, action, out))])


def marks_of(position: Position) -> tuple[str, str]:
    return ("X", "O") if position.player == 0 else ("O", "X")


def edge(row: int, column: int, n: int = 8) -> int:
    return min(row, column, n - 1 - row, n - 1 - column)


def groups(cells: set[tuple[int, int]], steps: list[tuple[int, int]]) -> list[set[tuple[int, int]]]:
    left, found = set(cells), []
    while left:
        group, border = set(), {left.pop()}
        while border:
            group |= border
            border = {(y + i, x + j) for y, x in border for i, j in steps} & left
            left -= border
        found.append(group)
    return found


# --- connect four ----------------------------------------------------------------------------------------------------


def four_lines() -> Iterator[list[tuple[int, int]]]:
    for row in range(6):
        for column in range(7):
            for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                line = [(row + i * up, column + i * right) for i in range(4)]
                if all(0 <= y < 6 and 0 <= x < 7 for y, x in line):
                    yield line


def recount_connect_four(position: Position, action: int) -> Counter[int]:
    rows = [line.split() for line in position.render(None).splitlines()[1:]]
    cells = {(5 - y, x): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    own, other = marks_of(position)
    cell = connect_four.CELLS

    def wins(mark: str, at: tuple[int, int]) -> bool:
        return any(at in line and all(cells[place] == mark or place == at for place in line) for line in four_lines())

    if action < 0:
        count = Counter(7 * x + y + (0 if mark == own else cell) for (y, x), mark in cells.items() if mark != ".")
        for line in four_lines():
            there = [cells[place] for place in line]
            for mark, first in ((own, connect_four.OWN_LINES), (other, connect_four.OTHER_LINES)):
                if mark in there and there.count(mark) + there.count(".") == 4:
                    count[first + there.count(mark)] += 1
        return count
    height = min(y for y in range(6) if cells[y, action] == ".")
    count = Counter([connect_four.LANDS + 7 * action + height])
    count += Counter({connect_four.WINS: wins(own, (height, action)), connect_four.PREVENTS: wins(other, (height, action))})
    return count + Counter({connect_four.OFFERS: height < 5 and wins(other, (height + 1, action))})


# --- lines of action -------------------------------------------------------------------------------------------------


def recount_lines_of_action(position: Position, action: int) -> Counter[int]:
    cells = drawn(position)
    sides = [{place for place, mark in cells.items() if mark == side} for side in marks_of(position)]

    def near(pieces: set[tuple[int, int]], at: tuple[int, int]) -> int:
        return sum((at[0] + y, at[1] + x) in pieces for y, x in ROUND)

    if action >= 0:
        source, to = divmod(action // 64, 8), divmod(action % 64, 8)
        count = Counter([lines_of_action.OF_RINGS + 4 * edge(*source) + edge(*to)])
        count[lines_of_action.OF_TARGET + near(sides[0] - {source}, to)] += 1
        count[lines_of_action.OF_SOURCE + near(sides[0], source)] += 1
        return count + Counter({lines_of_action.TAKES: to in sides[1]})
    count = Counter()
    for side, pieces in enumerate(sides):
        for piece in pieces:
            count[20 * side + 5 * edge(*piece) + min(near(pieces, piece), 4)] += 1
        count[lines_of_action.OF_GROUPS + 13 * side + len(groups(pieces, ROUND))] += 1
        middle = [(sum(p[k] for p in pieces) + len(pieces) // 2) // len(pieces) for k in (0, 1)]
        far = sum(max(abs(y - middle[0]), abs(x - middle[1])) for y, x in pieces)
        least = sum((0 if i == 0 else 1 if i <= 8 else 2) for i in range(len(pieces)))
        count[lines_of_action.OF_SPREAD + 16 * side + min(max(int(2 * (far - least) / len(pieces)), 0), 15)] += 1
    return count


# --- checkers --------------------------------------------------------------------------------------------------------


def recount_checkers(position: Position, action: int) -> Counter[int]:
    text = position.render(None).splitlines()
    cells = {(7 - y, x): line[2:].ljust(16)[2 * x] for y, line in enumerate(text[:8]) for x in range(8)}
    sides = [{place: m for place, m in cells.items() if m.lower() == side} for side in ("xo" if position.player == 0 else "ox")]
    must = "must capture" in text[9] or "jumps on" in text[9]

    def way(row: int, owner: int) -> int:
        return row if owner == 0 else 7 - row

    if action < 0:
        count = Counter({checkers.MUST_TAKE: int(must)})
        for side, pieces in enumerate(sides):
            for (row, column), mark in pieces.items():
                king = checkers.OF_KINGS + 4 * side + edge(row, column)
                count[king if mark.isupper() else 8 * side + way(row, position.player ^ side)] += 1
        return +count
    names = checkers.square_name(action // 32), checkers.square_name(action % 32)
    source, to = ((int(name[1]) - 1, "abcdefgh".index(name[0])) for name in names)
    king = sides[0][source].isupper()
    count = Counter([checkers.KING_TO + edge(*to) if king else checkers.MAN_TO + way(to[0], position.player)])
    count += Counter({checkers.CROWNS: not king and to[0] in (0, 7), checkers.LEAVES_HOME: not king and source[0] in (0, 7)})
    own, other = {**sides[0], to: sides[0][source]}, dict(sides[1])
    del own[source]
    if must:
        taken = other.pop(((source[0] + to[0]) // 2, (source[1] + to[1]) // 2))
        count[checkers.TAKES_KING if taken.isupper() else checkers.TAKES_MAN] += 1
    for (row, column), mark in other.items():
        for up in (-1, 1):
            for right in (-1, 1):
                forward = up == (1 if position.player == 1 else -1)
                over, behind = (row + up, column + right), (row + 2 * up, column + 2 * right)
                free = behind in cells and behind not in own and behind not in other
                if (mark.isupper() or forward) and over in own and free:
                    count[checkers.IN_DANGER] = 1
    return count


# --- go --------------------------------------------------------------------------------------------------------------


def fits(around: list[str], shape: str) -> bool:
    colours = {".": 0, "X": 1, "O": 2, "#": 3}
    return all(colours[mark] in MEANING[symbol] for mark, symbol in zip(around, shape[:4] + shape[5:], strict=True))


def turned(shape: str) -> Iterator[str]:
    for _ in range(4):
        shape = "".join(shape[3 * (2 - x) + y] for y in range(3) for x in range(3))
        yield shape
        yield "".join(shape[3 * y + 2 - x] for y in range(3) for x in range(3))


ALL_SHAPES = {way for shape in SHAPES for colours in (shape, shape.translate(SWAPPED)) for way in turned(colours)}


def recount_go(position: Position, action: int) -> Counter[int]:
    n = int(position.state[0])
    cells = {divmod(i, n): mark for i, mark in enumerate(go.marks(go.Board(position.state)))}
    own, other = marks_of(position)

    def liberties(group: set[tuple[int, int]]) -> set[tuple[int, int]]:
        return {(y + i, x + j) for y, x in group for i, j in BESIDE if cells.get((y + i, x + j)) == "."}

    strings = {m: groups({place for place, mark in cells.items() if mark == m}, BESIDE) for m in (own, other)}
    if action < 0:
        count: Counter[int] = Counter()
        for side, mark in enumerate((own, other)):
            for group in strings[mark]:
                for stone in group:
                    line = 5 * side + min(edge(*stone, n), 4)
                    count[go.IN_ATARI + side if len(liberties(group)) == 1 else line] += 1
        for (y, x), mark in cells.items():
            near = {cells.get((y + i, x + j)) for i, j in BESIDE} - {None, "."}
            if mark == "." and len(near) == 1:
                count[go.BESIDE + (0 if own in near else 1)] += 1
        return count
    if action == n * n:
        return Counter([go.PASSES])
    y, x = divmod(action, n)
    count = Counter([go.ON_LINE + min(edge(y, x, n), 4)])
    around = [cells.get((y + i, x + j), "#") for i, j in ROUND]
    last = {mark: any(liberties(group) == {(y, x)} for group in strings[mark]) for mark in (own, other)}
    diagonal = [cells.get((y + i, x + j), "#") for i in (-1, 1) for j in (-1, 1)]
    eye = {cells.get((y + i, x + j), own) for i, j in BESIDE} == {own}
    eye = eye and diagonal.count(other) < (1 if "#" in diagonal else 2)
    count[go.PATTERN] = int(any(fits(around, shape) for shape in ALL_SHAPES))
    return +(count + Counter({go.TAKES: last[other], go.SAVES: last[own], go.FILLS_EYE: eye}))


RECOUNTS: dict[str, Callable[[Position, int], Counter[int]]] = {
    "connect_four": recount_connect_four,
    "lines_of_action": recount_lines_of_action,
    "checkers": recount_checkers,
    "go(5)": recount_go,
}


@pytest.mark.parametrize("name", RECOUNTS)
def test_features_beside_a_recount(name: str) -> None:
    rng, seen = np.array([11], np.uint64), Counter[int]()
    for seed in range(3):
        position = load(name).start(seed)
        for ply in range(70):
            if position.is_terminal:
                break
            for action in (-1, *position.legal()) if ply % 3 == 0 or name == "connect_four" else (-1,):
                expected = +RECOUNTS[name](position, action)
                assert told(position, action) == expected, f"{position.render(None)}\n{action}"
                seen += expected
            step_randomly(position, rng)
    assert len(seen) > 0.5 * position.game.feature_count, "most features were met"
