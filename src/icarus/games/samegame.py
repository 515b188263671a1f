"""SameGame: take connected blocks of one colour off the board; what lies above falls, and empty columns close up to the left.

A group has at least two blocks; n of them are worth (n - 2)² points.  1000 more are for a board that is empty in the end.  What
is left costs (n - 2)² points for each colour, as if its n blocks were connected (Schadd et al., "Single-Player Monte-Carlo Tree
Search", 2008).  The twenty standard positions are 15 x 15 with five colours.

Blocks are numbered by columns, ``16 (column + 1) + height``, both from 0; there is always room between columns, so that
neighbours are at distances 1 and 16.  An action is the lowest number of a group.
"""

from __future__ import annotations

from itertools import pairwise

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, size_of
from icarus.games._svg import action, box, image
from icarus.games.samegame_positions import STANDARD

STRIDE, MOST = 16, 15
CELLS = STRIDE * (MOST + 2)
MOST_GROUPS = MOST * MOST // 2
BONUS = 1000
COLOURS = 9


class Blocks(Layout):
    """The parameters come first: the position, four bits for each block, row by row from the top."""

    columns = Word()
    rows = Word()
    packed = Words(MOST)  #: one word for each row; 0: empty, else colour + 1
    points = Word()
    left = Word()  #: blocks on the board
    tabu = Word()  #: the colour that there is most of, + 1
    number = Words(COLOURS + 1)  #: how many blocks there are of each colour + 1
    groups = Word()
    group = Words(MOST_GROUPS)  #: the legal actions ...
    code = Words(MOST_GROUPS)  #: ... and what each would take away, hashed
    stamp = Word()
    block = Words(CELLS)  #: 0: empty, else colour + 1
    mark = Words(CELLS)  #: the stamp of when a block was last looked at
    stack = Words(CELLS)


def samegame(position: int | str = 1) -> Game:
    """``position``: 1 to 20 for the standard ones, or rows of digits from the top, such as "0110/2012"."""
    rows = position_rows(position)
    columns, height = len(rows[0]), len(rows)
    packed = [sum((int(digit) + 1) << (4 * x) for x, digit in enumerate(row)) for row in rows]
    name = position if isinstance(position, int) else repr("/".join(rows))
    return Game(
        name=f"samegame({name})",
        summary="SameGame: take groups of one colour off the board, large ones if possible",
        players=1,
        parameters=(columns, height, *packed, *[0] * (MOST - height)),
        layout=Blocks,
        state_size=size_of(Blocks),
        max_actions=MOST_GROUPS,
        max_plies=MOST_GROUPS,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        code=code,
        heuristic=heuristic,
        view=view,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Player",),
    )


def position_rows(position: int | str) -> list[str]:
    if isinstance(position, int):
        if not 1 <= position <= len(STANDARD):
            raise GameError(f"samegame has the positions 1 to {len(STANDARD)}, not {position}; or write rows, such as '011/201'")
        return STANDARD[position - 1].split()
    rows = str(position).strip("/").split("/")
    width = len(rows[0])
    if not 1 <= len(rows) <= MOST or not 1 <= width <= MOST or any(len(row) != width for row in rows):
        raise GameError(f"a position of samegame has 1 to {MOST} rows of one length up to {MOST}, separated by /")
    if any(digit not in "012345678" for row in rows for digit in row):
        raise GameError(f"the rows of a position of samegame are digits from 0 to {COLOURS - 1}, one for each block")
    if not any(a == b for row in rows for a, b in pairwise(row)) and not any(
        a == b for row, below in pairwise(rows) for a, b in zip(row, below, strict=True)
    ):
        raise GameError("no two neighbours of this position of samegame have one colour: there is nothing to take")
    return rows


@compiled
def initial(state, rng):
    for x in range(state.columns):
        for y in range(state.rows):
            block = state.packed[state.rows - 1 - y] >> (4 * x) & 15
            state.block[STRIDE * (x + 1) + y] = block
            state.left += block != 0
            state.number[block] += block != 0
    find_tabu(state)
    find_groups(state)


@compiled
def find_tabu(state):
    state.tabu = 1
    for colour in range(2, COLOURS + 1):
        if state.number[colour] > state.number[state.tabu]:
            state.tabu = colour


@compiled
def take(state, first, stamp):
    """Mark the group of a block with a stamp; its blocks are then on the stack.  Returns how many they are."""
    block, mark, stack = state.block, state.mark, state.stack
    colour = block[first]
    stack[0] = first
    mark[first] = stamp
    size, at = 1, 0
    while at < size:
        cell = stack[at]
        at += 1
        if block[cell + 1] == colour and mark[cell + 1] != stamp:
            mark[cell + 1] = stamp
            stack[size] = cell + 1
            size += 1
        if block[cell - 1] == colour and mark[cell - 1] != stamp:
            mark[cell - 1] = stamp
            stack[size] = cell - 1
            size += 1
        if block[cell + STRIDE] == colour and mark[cell + STRIDE] != stamp:
            mark[cell + STRIDE] = stamp
            stack[size] = cell + STRIDE
            size += 1
        if block[cell - STRIDE] == colour and mark[cell - STRIDE] != stamp:
            mark[cell - STRIDE] = stamp
            stack[size] = cell - STRIDE
            size += 1
    return size


@compiled
def find_groups(state):
    """List what can be taken."""
    block, mark = state.block, state.mark
    state.stamp += 1
    stamp, groups = state.stamp, 0
    for x in range(state.columns):
        cell = STRIDE * (x + 1)
        if block[cell] == 0:
            break
        while block[cell] != 0:
            if mark[cell] != stamp and (block[cell + 1] == block[cell] or block[cell + STRIDE] == block[cell]):
                size = take(state, cell, stamp)
                code = block[cell]
                for i in range(size):  # the order of the stack depends on nothing but the group
                    code = code * 1000003 + state.stack[i]
                state.group[groups] = cell
                state.code[groups] = code & 0x7FFFFFFFFFFFFFFF
                groups += 1
            cell += 1
    state.groups = groups


@compiled
def player(state):
    return 0


@compiled
def legal(state, actions):
    for i in range(state.groups):
        actions[i] = state.group[i]
    return state.groups


@compiled
def apply(state, move):
    block, rows = state.block, state.rows
    state.stamp += 1
    colour = block[move]
    size = take(state, move, state.stamp)
    state.number[colour] -= size
    find_tabu(state)
    for i in range(size):
        block[state.stack[i]] = 0
    state.points += (size - 2) * (size - 2)
    state.left -= size
    into = STRIDE
    for x in range(1, state.columns + 1):
        start, top = STRIDE * x, into
        for cell in range(start, start + rows):
            held = block[cell]
            if held != 0:
                block[cell] = 0
                block[top] = held
                top += 1
        if top > into:
            into += STRIDE
    find_groups(state)


@compiled
def terminal(state):
    return state.groups == 0


@compiled
def score(state):
    if state.left == 0:
        return float(state.points + BONUS)
    points = state.points
    for colour in range(1, COLOURS + 1):
        number = state.number[colour]
        if number > 0:
            points -= (number - 2) * (number - 2)
    return float(points)


@compiled
def rewards(state, out):
    """One half for nothing at all; a single group of all blocks would be worth 1."""
    cells = state.columns * state.rows
    out[0] = min(max(0.5 + 0.5 * score(state) / (cells * cells + BONUS), 0.0), 1.0)


@compiled
def code(state, move):
    """The blocks that the move takes, wherever they came from, and their colour."""
    for i in range(state.groups):
        if state.group[i] == move:
            return state.code[i]
    return move


@compiled
def heuristic(state, move):
    """Leave the colour alone that there is most of, so that it can grow together; of the others the uppermost group comes first.

    What is taken from above changes nothing below, so that playouts in this order keep more of what there is to combine.
    """
    return 0.0 if state.block[move] == state.tabu else (1.0 + move % STRIDE) / STRIDE


def view(state: Blocks, observer: int) -> object:
    return (int(state.points), state.block.tobytes())


def format_action(state: Blocks, move: int) -> str:
    """Column and height of the lowest block of the leftmost column."""
    return f"{chr(ord('a') + move // STRIDE - 1)}{move % STRIDE + 1}"


def render(state: Blocks, observer: int | None = None) -> str:
    columns, rows = int(state.columns), int(state.rows)
    lines = []
    for y in reversed(range(rows)):
        held = [int(state.block[STRIDE * (x + 1) + y]) for x in range(columns)]
        lines.append(f"{y + 1:2d} " + "".join("." if block == 0 else str(block - 1) for block in held))
    return "\n".join([*lines, "   " + "".join(chr(ord("a") + x) for x in range(columns)), f"{int(state.points)} points"])


def draw(state: Blocks, observer: int | None) -> str:
    """Every block of a group is clicked for it."""
    columns, rows, cell = int(state.columns), int(state.rows), 26
    colours = ("one", "two", "leaf", "gold", "rose", "three", "sea", "umber", "slate")
    shown, seen = [], set()
    legal = {int(group) for group in state.group[: int(state.groups)]}

    def square(block: int) -> str:
        x, y = cell * (block // STRIDE - 1), cell * (rows - 1 - block % STRIDE)
        fill = colours[int(state.block[block]) - 1]
        return box(x + 1, y + 1, cell - 2, cell - 2, fill)

    for x in range(columns):
        for y in range(rows):
            block = STRIDE * (x + 1) + y
            if not int(state.block[block]) or block in seen:
                continue
            group = [block]
            for held in group:
                near = (held + 1, held - 1, held + STRIDE, held - STRIDE)
                group += [n for n in near if int(state.block[n]) == int(state.block[block]) and n not in group]
            seen.update(group)
            squares = list(map(square, group))
            shown += [action(format_action(state, block), *squares)] if block in legal else squares
    return image(cell * columns, cell * rows, *shown)
