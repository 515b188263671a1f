"""Hex: two players put stones on a rhombus of hexagons, and each wants to connect its own two opposite sides.

Cells are numbered row by row, each row shifted by half a cell, so that a cell touches its neighbours in the row, the
two above (the same column and the next) and the two below (the column before and the same)::

    0 1 2
     3 4 5
      6 7 8

Player 0 starts and connects the top with the bottom, player 1 the left with the right.  A corner belongs to both sides
that meet there.  There is no swap rule, and no draw: a full board always connects one of the players.  Perfect
information.

A row of the board is a set of columns, so that a step to all neighbours is a few shifts.  Of every stone the state says
whether it is linked to its player's first side (top or left); a stone that becomes linked passes that on to the stones
that touch it, and whoever touches the second side then has won.

A random game need not be played move by move: who has won stays the winner however the empty cells are filled, and the
stones of a random game lie on a uniformly drawn half of them.  So ``playout`` draws that half at once and looks once.
"""

from __future__ import annotations

import math

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, random_below, size_of
from icarus.games._bits import count_bits, lowest, nth_bit, row_of
from icarus.jit import at

LINKED = 2  #: + player: the set of those stones that are linked
EMPTY = 4  #: the empty cells by their numbers, 64 to a word, since listing them should not stumble over the ends of rows


#: the six neighbours of a cell, around it
NEAR_ROWS = np.array([-1, -1, 0, 1, 1, 0])
NEAR_COLUMNS = np.array([0, 1, 1, 0, -1, -1])


class Board(Layout):
    """A position.

    A set of cells has n + 2 rows, one word each, with a border: cell (x, y) is bit x + 1 of row y + 1.  The border of the
    linked stones holds the player's first side, as if stones lay there.
    """

    n = Word()
    plies = Word()  #: stones on the board
    winner = Word()  #: 0 nobody yet, else player + 1
    rows = (
        Words()
    )  #: four sets: the stones of each player, then the linked stones of each player; then bits by cell: is it empty? then a set
    #: for the evaluation, empty elsewhere


def hex(n: int = 11) -> Game:
    """A board of ``n`` x ``n`` cells (1-26)."""
    if not 1 <= n <= 26:
        raise GameError(f"the board must have 1 to 26 rows, not {n}")
    return Game(
        name=f"hex({n})",
        summary=f"connect two opposite sides of a board of {n} x {n}",
        players=2,
        parameters=(n,),
        layout=Board,
        state_size=size_of(Board) + 4 * (n + 2) + (n * n + 63) // 64 + n + 2,
        max_actions=n * n,
        max_plies=n * n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        playout=playout,
        key=key,
        involved=involved,
        evaluate=evaluate,
        suggest=suggest,
        guided=guided,
        features=features,
        feature_count=2 * 729 + n * n,
        max_features=n * n + 2,
        observation=observation,
        observation_shape=(2, n, n),
        action_index=action_index,
        action_count=n * n,
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
    )


@compiled
def initial(state, rng):
    set_of(state, LINKED)[0] = columns(state)
    left = set_of(state, LINKED + 1)
    for y in range(1, state.n + 1):
        left[y] = 1
    empty = set_of(state, EMPTY)
    for cell in range(state.n * state.n):
        empty[cell >> 6] |= np.int64(1) << (cell & 63)


@compiled
def set_of(state, number):
    """The rows of one of the four sets."""
    return at(state.rows, number * (state.n + 2))


@compiled
def columns(state):
    """A whole row of the board."""
    return (np.int64(2) << state.n) - 2


@compiled
def empty_cells(state, y):
    """The empty cells of a row."""
    return columns(state) & ~(state.rows[y] | state.rows[state.n + 2 + y])


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    empty = set_of(state, EMPTY)
    count = 0
    for word in range((state.n * state.n + 63) >> 6):
        cells, first = empty[word], word << 6
        while cells != 0:
            actions[count] = first + lowest(cells)
            count += 1
            cells &= cells - 1
    return count


@compiled
def touches(rows, y, cell):
    """Does a set hold a neighbour of this cell of row ``y``?"""
    beside, above, below = cell << 1 | cell >> 1, cell | cell << 1, cell | cell >> 1
    return (rows[y] & beside) | (rows[y - 1] & above) | (rows[y + 1] & below) != 0


@compiled
def along(linked, stones):
    """The linked stones of a row and those beside them, to the ends of their runs."""
    linked |= stones & ((stones + linked) ^ stones)  # upwards: a carry runs through the stones
    for i in range(5):  # downwards: 1, 2, 4, 8 and 16 steps
        linked |= stones & (linked >> (1 << i))
        stones &= stones >> (1 << i)
    return linked


@compiled
def link_row(stones, linked, y):
    """Link the stones of a row that touch linked ones in the rows above and below; returns whether there are new ones."""
    here, above, below = linked[y], linked[y - 1], linked[y + 1]
    grown = here | (stones[y] & (above | above >> 1 | below | below << 1))
    if grown == here:
        return False
    linked[y] = along(grown, stones[y])
    return True


@compiled
def link_all(stones, linked, n):
    """Link all stones that hang on linked ones, by sweeps down and up."""
    more = True
    while more:
        more = False
        for y in range(1, n + 1):
            more |= link_row(stones, linked, y)
        for y in range(n - 1, 0, -1):
            more |= link_row(stones, linked, y)


@compiled
def link_filled(stones, linked, n):
    """The same after many stones were placed at once: beside linked stones of a row, too."""
    for y in range(1, n + 1):
        linked[y] = along(linked[y], stones[y])
    link_all(stones, linked, n)


@compiled
def link(state, mover, y, cell):
    """Link a stone and every stone that hangs on it; returns whether they reach the second side."""
    n, stones, linked = state.n, set_of(state, mover), set_of(state, LINKED + mover)
    linked[y] = along(linked[y] | cell, stones[y])
    above, below = y > 1 and link_row(stones, linked, y - 1), y < n and link_row(stones, linked, y + 1)
    if above or below:
        link_all(stones, linked, n)
    if mover == 0:
        return linked[n] != 0
    together = np.int64(0)
    for row in range(1, n + 1):
        together |= linked[row]
    return together >> n != 0


@compiled
def apply(state, action):
    mover = state.plies & 1
    y = row_of(action, state.n) + 1
    cell = np.int64(2) << (action - (y - 1) * state.n)
    set_of(state, mover)[y] |= cell
    set_of(state, EMPTY)[action >> 6] ^= np.int64(1) << (action & 63)
    state.plies += 1
    if touches(set_of(state, LINKED + mover), y, cell) and link(state, mover, y, cell):
        state.winner = mover + 1


@compiled
def involved(state, action):
    """Is this cell one of the winner's stones that hang together with its first side?"""
    if state.winner == 0:
        return 1
    y = row_of(action, state.n) + 1
    return (set_of(state, LINKED + state.winner - 1)[y] >> (action - (y - 1) * state.n + 1)) & 1


@compiled
def terminal(state):
    return state.winner != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state.winner == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def turn_one(stones, empty, others, size, rng):
    """Move a random one of so many ``empty`` cells into a set, or (``others`` is 0) out of it."""
    rank = random_below(rng, size)
    y = 1
    while True:
        cells = empty[y] & (stones[y] ^ others)
        here = count_bits(cells)
        if rank < here:
            stones[y] ^= np.int64(1) << nth_bit(cells, rank)
            return
        rank -= here
        y += 1


@compiled
def playout(state, rng):
    """Fill the board as random players would, and look who has connected; returns the number of stones that were placed.

    Every empty cell goes to player 0 with probability 1/2; then random cells change hands until it has as many as its turns
    give.  Every set of that size is as probable as any other.
    """
    if state.winner != 0:
        return 0
    n, left = state.n, state.n * state.n - state.plies
    first, second = set_of(state, 0), set_of(state, 1)
    empty = set_of(state, LINKED + 1)  # what is linked to the left is not asked any more: somebody has won
    drawn = 0
    for y in range(1, n + 1):
        empty[y] = empty_cells(state, y)
        cells = empty[y] & random_below(rng, np.int64(2) << n)
        first[y] |= cells
        drawn += count_bits(cells)
    wanted = (left + 1 - (state.plies & 1)) >> 1
    while drawn < wanted:
        turn_one(first, empty, -1, left - drawn, rng)
        drawn += 1
    while drawn > wanted:
        turn_one(first, empty, 0, drawn, rng)
        drawn -= 1
    for y in range(1, n + 1):
        second[y] |= empty[y] & ~first[y]
    linked = set_of(state, LINKED)
    link_filled(first, linked, n)
    for word in range((n * n + 63) >> 6):
        set_of(state, EMPTY)[word] = 0
    state.winner = 1 if linked[n] != 0 else 2
    state.plies += left
    return left


@compiled
def key(state):
    found = np.int64(0)
    for y in range(1, state.n + 1):
        found = mix(found, state.rows[y] | state.rows[state.n + 2 + y] << 32)
    return found


@compiled
def distance(state, owner):
    """How many stones a player still needs to connect its sides if the other passes: the shortest path."""
    n, stones, linked = state.n, set_of(state, owner), set_of(state, LINKED + owner)
    reached = at(state.rows, 4 * (n + 2) + ((n * n + 63) >> 6))
    for y in range(n + 2):
        reached[y] = linked[y]
    steps, far = 0, np.int64(1) << n
    while True:
        done = reached[n] != 0 if owner == 0 else False
        if owner == 1:
            for y in range(1, n + 1):
                done |= reached[y] & far != 0
        if done:
            break
        steps += 1
        above = reached[0]
        for y in range(1, n + 1):
            here, below = reached[y], reached[y + 1]
            near = here << 1 | here >> 1 | above | above >> 1 | below | below << 1
            above = here  # as it was before this step
            reached[y] = here | (near & empty_cells(state, y))
        for y in range(1, n + 1):  # stones beside what has just been reached cost nothing
            reached[y] = along(reached[y] | (stones[y] & reached[y] << 1), stones[y])
        link_all(stones, reached, n)
        if steps > n * n:
            break
    for y in range(n + 2):
        reached[y] = 0
    return steps


@compiled
def evaluate(state, out):
    """The shortest paths of both (the simplest distance of Anshelevich 2002); who is to move is half a stone ahead."""
    lead = distance(state, 1) - distance(state, 0) + (0.5 if state.plies & 1 == 0 else -0.5)
    out[0] = 1.0 / (1.0 + math.exp(-lead))
    out[1] = 1.0 - out[0]


@compiled
def around(rows, y, x):
    """Which of the six neighbours of a cell a set holds, a bit each, around the cell."""
    above, here, below = rows[y - 1] >> x, rows[y] >> (x - 1), rows[y + 1] >> (x - 1)
    return (above & 1) | (above & 2) | (here & 4) | (below & 2) << 2 | (below & 1) << 4 | (here & 1) << 5


@compiled
def cut_bridges(state, last):
    """The neighbours of the last stone that complete a bridge which it has cut, a bit each.

    Around it: an own stone or side, an empty cell, an own stone or side.
    """
    n, mover = state.n, state.plies & 1
    y = row_of(last, n) + 1
    x = last - (y - 1) * n + 1
    own = around(set_of(state, mover), y, x)
    if mover == 0:
        own |= (3 if y == 1 else 0) | (24 if y == n else 0)
    else:
        own |= (48 if x == 1 else 0) | (6 if x == n else 0)
    if own & (own - 1) == 0:
        return 0
    free = ~(around(set_of(state, 0), y, x) | around(set_of(state, 1), y, x))
    if y == 1:
        free &= ~3
    if y == n:
        free &= ~24
    if x == 1:
        free &= ~48
    if x == n:
        free &= ~6
    return free & (own << 1 | own >> 5) & (own >> 1 | own << 5) & 63


@compiled
def suggest(state, last, out):
    """Complete bridges that the last stone has cut, own sides included (Raiko and Peltonen 2008)."""
    cut, count = cut_bridges(state, last) if last >= 0 else 0, 0
    while cut != 0:
        number = lowest(cut)
        cut &= cut - 1
        out[count] = last + NEAR_ROWS[number] * state.n + NEAR_COLUMNS[number]
        count += 1
    return count


@compiled
def surroundings(state, cell, mover):
    """A number for what is around a cell, seen by a player: each neighbour is empty, own (a side, too) or the other's."""
    n, code = state.n, 0
    y = row_of(cell, n) + 1
    x = cell - (y - 1) * n + 1
    own, other = around(set_of(state, mover), y, x), around(set_of(state, 1 - mover), y, x)
    ends = (3 if y == 1 else 0) | (24 if y == n else 0)
    sides = (48 if x == 1 else 0) | (6 if x == n else 0)
    own |= (ends if mover == 0 else sides) & ~other
    other |= (sides if mover == 0 else ends) & ~own
    for number in range(6):
        code = 3 * code + (1 if own >> number & 1 else 2 if other >> number & 1 else 0)
    return code


@compiled
def features(state, action, out):
    """Of a stone: what is around its cell.  Of a position: what is around every stone, the mover's and the other's apart."""
    n, mover, count = state.n, state.plies & 1, 0
    if action >= 0:
        out[0] = surroundings(state, action, mover)
        return 1
    for cell in range(n * n):
        y = row_of(cell, n) + 1
        place = cell - (y - 1) * n + 1
        for side in range(2):
            if (set_of(state, side)[y] >> place) & 1 != 0:
                out[count] = (0 if side == mover else 729) + surroundings(state, cell, side)
                count += 1
    return count


@compiled
def guided(state, last, actions, rng):
    """Random stones that complete bridges, to the last cell; who has connected is asked once: more stones change nothing."""
    if state.winner != 0:
        return 0
    n, plies, empty = state.n, 0, set_of(state, EMPTY)
    waiting, left = legal(state, actions), n * n - state.plies
    while plies < left:
        cut = cut_bridges(state, last) if last >= 0 else 0
        if cut != 0:
            number = nth_bit(cut, random_below(rng, count_bits(cut))) if cut & (cut - 1) != 0 else lowest(cut)
            cell = last + NEAR_ROWS[number] * n + NEAR_COLUMNS[number]
        else:
            while True:  # a random one of those that have not been drawn; bridges may have taken it meanwhile
                place = random_below(rng, waiting) if waiting > 1 else 0
                cell = actions[place]
                waiting -= 1
                actions[place] = actions[waiting]
                if (empty[cell >> 6] >> (cell & 63)) & 1 != 0:
                    break
        y = row_of(cell, n) + 1
        set_of(state, state.plies & 1)[y] |= np.int64(2) << (cell - (y - 1) * n)
        empty[cell >> 6] ^= np.int64(1) << (cell & 63)
        state.plies += 1
        last = cell
        plies += 1
    linked = set_of(state, LINKED)
    link_filled(set_of(state, 0), linked, n)
    state.winner = 1 if linked[n] != 0 else 2
    return plies


@compiled
def observation(state, observer, out):
    """A plane of the observer's stones and one of the other's; the observer's sides are the first and the last row."""
    n = state.n
    for y in range(n):
        for x in range(n):
            place = n * y + x if observer == 0 else n * x + y
            out[place] = state.rows[observer * (n + 2) + y + 1] >> (x + 1) & 1
            out[n * n + place] = state.rows[(1 - observer) * (n + 2) + y + 1] >> (x + 1) & 1


@compiled
def action_index(state, action):
    """The cell as who acts sees it."""
    return action if state.plies & 1 == 0 else state.n * (action % state.n) + action // state.n


def stones(state: Board) -> list[str]:
    """What lies on every cell: ``X``, ``O`` or a dot."""
    n = int(state.n)
    first, second = (state.rows[player * (n + 2) :][1 : n + 1] for player in range(2))
    rows = list(zip(first, second, strict=True))
    return ["X" if a >> x & 1 else "O" if b >> x & 1 else "." for a, b in rows for x in range(1, n + 1)]


def format_action(state: Board, action: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return f"{chr(ord('a') + action % int(state.n))}{action // int(state.n) + 1}"


def render(state: Board, observer: int | None = None) -> str:
    n, marks = int(state.n), stones(state)
    lines = ["   " + " ".join(chr(ord("a") + x) for x in range(n))]
    lines += [" " * y + f"{y + 1:2d} " + " ".join(marks[n * y : n * y + n]) for y in range(n)]
    return "\n".join(lines)
