"""Hex: two players put stones on a rhombus of hexagons, and each wants to connect its own two opposite sides.

Cells are numbered row by row, each row shifted by half a cell, so that a cell touches its neighbours in the row, the
two above (the same column and the next) and the two below (the column before and the same)::

    0 1 2
     3 4 5
      6 7 8

Player 0 starts and connects the top with the bottom, player 1 the left with the right.  A corner belongs to both sides
that meet there.  There is no swap rule, and no draw: a full board always connects one of the players.  Perfect
information.

The board has a border of cells that belong to the players like stones.  Of every stone the state says whether it is
linked to its player's first side (top or left); a stone that becomes linked passes that on to the stones that touch
it, and whoever passes it on to the second side has won.  Every stone becomes linked once, so that a whole game costs
no more than its stones.  The empty cells are also kept as a list, since copying it is faster than looking for them in
the board.
"""

from __future__ import annotations

from icarus.errors import GameError
from icarus.game import Game, State, compiled

# state: the parameter, counters, the board with its border, (n + 2) rows of (n + 2) cells, and from ``empties(state)``
# on n * n words for the list of empty cells: their numbers in order, then zeros
N = 0
PLIES = 1  #: stones on the board
WINNER = 2  #: 0 nobody yet, else player + 1
BOARD = 3  #: one word per cell: EMPTY, WALL, or one of the next three + player

EMPTY = 0
STONE = 1  #: + player: a stone that is not linked to the player's first side
LINKED = 3  #: + player: a stone that is, or the first side itself
GOAL = 5  #: + player: the player's second side
WALL = 7  #: a corner of the border
WAITING = 8  #: + next cell in the chain: a stone that is linked and has to tell its neighbours (only within ``apply``)


def hex(n: int = 11) -> Game:
    """A board of ``n`` x ``n`` cells (1-26)."""
    if not 1 <= n <= 26:
        raise GameError(f"the board must have 1 to 26 rows, not {n}")
    return Game(
        name=f"hex({n})",
        summary=f"connect two opposite sides of a board of {n} x {n}",
        players=2,
        parameters=(n,),
        state_size=BOARD + (n + 2) * (n + 2) + n * n,
        max_actions=n * n,
        max_plies=n * n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        render=render,
        format_action=format_action,
        player_names=("X", "O"),
    )


@compiled
def initial(state, rng):
    n = state[N]
    stride = n + 2
    bottom = BOARD + (n + 1) * stride
    first = empties(state)
    for cell in range(n * n):
        state[first + cell] = cell
    for i in range(1, n + 1):
        state[BOARD + i] = LINKED
        state[bottom + i] = GOAL
        state[BOARD + i * stride] = LINKED + 1
        state[BOARD + i * stride + n + 1] = GOAL + 1
    state[BOARD] = state[BOARD + n + 1] = state[bottom] = state[bottom + n + 1] = WALL


@compiled
def player(state):
    return state[PLIES] & 1


@compiled
def empties(state):
    """Where the list of empty cells begins."""
    return BOARD + (state[N] + 2) * (state[N] + 2)


@compiled
def legal(state, actions):
    first = empties(state)
    count = state[N] * state[N] - state[PLIES]
    for i in range(count):
        actions[i] = state[first + i]
    return count


@compiled
def occupy(state, action):
    """Take a cell out of the list of empty cells: those behind it move up."""
    first = empties(state)
    last = first + state[N] * state[N] - state[PLIES] - 1
    for i in range(first, last):
        here, behind = state[i], state[i + 1]
        state[i] = here if here < action else behind
    state[last] = 0


@compiled
def touches(state, cell, content):
    """Is there a neighbour of this content?"""
    stride = state[N] + 2
    return (
        state[cell - stride] == content
        or state[cell - stride + 1] == content
        or state[cell - 1] == content
        or state[cell + 1] == content
        or state[cell + stride - 1] == content
        or state[cell + stride] == content
    )


@compiled
def tell(state, cell, mover, chain):
    """A linked stone touches this cell: a stone there joins the chain of waiting stones; returns the chain's head."""
    if state[cell] == STONE + mover:
        state[cell] = WAITING + chain
        return cell
    if state[cell] == GOAL + mover:
        state[WINNER] = mover + 1
    return chain


@compiled
def link(state, cell, mover):
    """Link a stone and every stone that hangs on it."""
    stride = state[N] + 2
    state[cell] = WAITING
    chain = cell
    while chain != 0:
        cell = chain
        chain = state[cell] - WAITING
        state[cell] = LINKED + mover
        chain = tell(state, cell - stride, mover, chain)
        chain = tell(state, cell - stride + 1, mover, chain)
        chain = tell(state, cell - 1, mover, chain)
        chain = tell(state, cell + 1, mover, chain)
        chain = tell(state, cell + stride - 1, mover, chain)
        chain = tell(state, cell + stride, mover, chain)


@compiled
def apply(state, action):
    n = state[N]
    mover = state[PLIES] & 1
    cell = BOARD + (action // n + 1) * (n + 2) + action % n + 1
    state[cell] = STONE + mover
    occupy(state, action)
    state[PLIES] += 1
    if touches(state, cell, LINKED + mover):
        link(state, cell, mover)


@compiled
def terminal(state):
    return state[WINNER] != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state[WINNER] == 1 else 0.0
    out[1] = 1.0 - out[0]


def format_action(state: State, action: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return f"{chr(ord('a') + action % int(state[N]))}{action // int(state[N]) + 1}"


def render(state: State, observer: int | None = None) -> str:
    n = int(state[N])
    cells = state[BOARD : BOARD + (n + 2) ** 2].reshape(n + 2, n + 2)[1:-1, 1:-1]
    lines = ["   " + " ".join(chr(ord("a") + x) for x in range(n))]
    for y, row in enumerate(cells):
        lines.append(" " * y + f"{y + 1:2d} " + " ".join("." if cell == EMPTY else "OX"[int(cell) % 2] for cell in row))
    return "\n".join(lines)
