"""Dark Hex: Hex on a board where neither player sees the other's stones.

Cells, sides and the winner are those of ``hex``: player 0 connects the top with the bottom, player 1 the left with the right.
What is different is as in ``phantom``:

- A player may try every cell that it does not know to be taken.  If the cell is free the stone is placed and the turn ends.  If
  the opponent is there, the player is told so and chooses again, without a penalty.
- The opponent is told that a stone was placed, never where, and hears nothing of failed tries.
- When the game is over the board is laid open to both.

The player who tries sees ``cell`` for a stone and ``cells + cell`` for a failed try; the other sees ``2 * cells`` for a stone,
``2 * cells + 1`` for the stone that wins and nothing at all (``UNSEEN``) of a failed try.

*The information set* is that of ``phantom`` with "no line" read as "no connection": any placement of the opponent's stones that
keeps those found, puts the others on cells that the observer has neither taken nor tried and connects nothing, together with any
subset of the observer's stones as those that the opponent has found.  A part of stones that connect nothing connects nothing
either, so that the order of the moves rules out nothing more.  ``determinize`` draws the placement by rejection; the true one
is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence

from icarus.errors import GameError
from icarus.game import UNSEEN, Game, Layout, Word, Words, compiled, random_below, size_of
from icarus.games._bits import count_bits, lowest
from icarus.games._tries import retrace_tries

LARGEST = 7  #: rows, so that a set of cells is one word


class Board(Layout):
    n = Word()
    plies = Word()  #: stones on the board
    winner = Word()  #: 0 nobody yet, else player + 1
    seen = Words(2)  #: by player; bit c: it has a stone on the cell c or has found the opponent's there
    stones = Words(2)  #: by player, bits by cell


def dark_hex(n: int = 3) -> Game:
    """A board of ``n`` x ``n`` cells (2-7)."""
    if not 2 <= n <= LARGEST:
        raise GameError(f"a board of dark Hex has 2 to {LARGEST} rows, not {n}")
    return Game(
        name=f"dark_hex({n})",
        summary=f"connect two opposite sides of a board of {n} x {n}, without seeing the opponent's stones",
        players=2,
        parameters=(n,),
        layout=Board,
        state_size=size_of(Board),
        max_actions=n * n,
        max_plies=2 * n * n - 1,  # every stone but the last can be found once
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        determinize=determinize,
        observe=observe,
        view=view,
        retrace=retrace,
        render=render,
        format_action=format_action,
        format_move=format_move,
        unveils=unveils,
        player_names=("X", "O"),
    )


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return state.plies & 1


@compiled
def legal(state, actions):
    cells = ((1 << state.n * state.n) - 1) & ~state.seen[state.plies & 1]
    count = 0
    while cells != 0:
        actions[count] = lowest(cells)
        count += 1
        cells &= cells - 1
    return count


@compiled
def neighbours(cells, n):
    """The cells that touch a set: in the row, in the row above (same column and next) and below (column before and same)."""
    board = (1 << n * n) - 1
    first = 0  # the first column
    for row in range(n):
        first |= 1 << row * n
    last = first << (n - 1)
    right, left = (cells & ~last) << 1, (cells & ~first) >> 1
    return (right | left | cells << n | cells >> n | (cells & ~first) << (n - 1) | (cells & ~last) >> (n - 1)) & board


@compiled
def connects(stones, who, n):
    """Do these stones of a player reach from its first side to its second?"""
    start = (1 << n) - 1
    goal = start << n * (n - 1)
    if who == 1:
        start = 0
        for row in range(n):
            start |= 1 << row * n
        goal = start << (n - 1)
    linked = stones & start
    while linked & goal == 0:
        grown = linked | (neighbours(linked, n) & stones)
        if grown == linked:
            return False
        linked = grown
    return True


@compiled
def apply(state, action):
    mover = state.plies & 1
    state.seen[mover] |= 1 << action
    if (state.stones[1 - mover] >> action) & 1 == 0:
        state.stones[mover] |= 1 << action
        state.plies += 1
        if connects(state.stones[mover], mover, state.n):
            state.winner = mover + 1


@compiled
def terminal(state):
    return state.winner != 0


@compiled
def rewards(state, out):
    out[0] = 1.0 if state.winner == 1 else 0.0
    out[1] = 1.0 - out[0]


@compiled
def observe(state, action, observer):
    cells, mover = state.n * state.n, state.plies & 1
    free = (state.stones[1 - mover] >> action) & 1 == 0
    if observer == mover:
        return action if free else cells + action
    if not free:
        return UNSEEN
    return 2 * cells + 1 if connects(state.stones[mover] | 1 << action, mover, state.n) else 2 * cells


@compiled
def determinize(state, observer, rng):
    if terminal(state):
        return
    opponent, n = 1 - observer, state.n
    seen, own = state.seen[observer], state.stones[observer]
    found = seen & ~own
    unseen = ((1 << n * n) - 1) & ~seen
    number = ((state.plies + observer) >> 1) - count_bits(found)
    placed = found | subset(unseen, number, rng)
    while connects(placed, opponent, n):
        placed = found | subset(unseen, number, rng)
    state.stones[opponent] = placed
    state.seen[opponent] = placed | (own & (random_below(rng, 1 << 31) << 31 | random_below(rng, 1 << 31)))


@compiled
def subset(cells, number, rng):
    """A uniform choice of so many of these cells."""
    left, chosen = count_bits(cells), 0
    while cells != 0:
        cell = cells & -cells
        if random_below(rng, left) < number:
            chosen |= cell
            number -= 1
        left -= 1
        cells ^= cell
    return chosen


def visible(state: Board, observer: int | None) -> list[str]:
    """What lies on every cell as the observer knows it; None, and everyone when the game is over, sees all of it."""
    known = -1 if observer is None or state.winner else int(state.seen[observer])
    first, second = int(state.stones[0]) & known, int(state.stones[1]) & known
    return ["X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in range(int(state.n) ** 2)]


def view(state: Board, observer: int) -> object:
    return bytes(state) if state.winner else (int(state.plies), "".join(visible(state, observer)))


def retrace(start: Board, drawn: Board, seen: Sequence[tuple[int, int]], observer: int, rng: object) -> tuple[list[int], float]:
    """Nothing is dealt: the opponent's tries are drawn."""
    cells = int(drawn.n) ** 2
    theirs = int(drawn.stones[1 - observer])
    waiting = int(drawn.plies) & 1 == observer
    found = int(drawn.seen[1 - observer]) & ~theirs
    return retrace_tries(cells, theirs, found, seen, observer, waiting=waiting, rng=rng)


def render(state: Board, observer: int | None = None) -> str:
    n, marks = int(state.n), visible(state, observer)
    lines = ["   " + " ".join(chr(ord("a") + x) for x in range(n))]
    lines += [" " * y + f"{y + 1:2d} " + " ".join(marks[n * y : n * y + n]) for y in range(n)]
    return "\n".join(lines)


def format_action(state: Board, action: int) -> str:
    """Columns are letters, rows are numbers from the top."""
    return f"{chr(ord('a') + action % int(state.n))}{action // int(state.n) + 1}"


def format_move(state: Board, move: int, observer: int) -> str:
    cells = int(state.n) ** 2
    return "a stone somewhere" if move >= 2 * cells else format_action(state, move - cells) + ", which is taken"


def unveils(state: Board, move: int, observer: int) -> dict[int, int]:
    """Whoever finds the only stone of the opponent knows which move that was; later ones may have come in any order."""
    cells = int(state.n) ** 2
    alone = (int(state.plies) + observer) >> 1 == 1
    return {1 - observer: 1} if alone and cells <= move < 2 * cells else {}
