"""Phantom m,n,k-games: k in a row on a board where neither player sees the other's marks (ismcts-2012, section VI).

The marks, the winner and the draw are those of ``mnk``.  What is different:

- A player may try every cell that it does not know to be taken.  If the cell is free the mark is placed and the turn
  ends.  If the opponent is there, the player is told so, knows that cell from then on, and chooses again, without a
  penalty.
- The opponent is told that a mark was placed, never where, and hears nothing of failed tries.
- When the game is over the board is laid open to both.

A try and its answer are one action here, not an action and a reply of the environment: the player who tries sees
``cell`` for a mark and ``cells + cell`` for a failed try; the other sees ``2 * cells`` for a mark, ``2 * cells + 1`` for
the mark that wins the game and nothing at all (``UNSEEN``) of a failed try, so that a history never tells how often the other
failed.

*The information set.*  A state is the board and which of the other's marks each player has found.  For an observer
the consistent states are exactly the pairs of

- a placement of the opponent's marks that keeps those found, puts the others on cells that the observer has neither
  marked nor tried, has the number that the turns give, and makes no line (or the game would be over), and
- any subset of the observer's marks, as those that the opponent has found.

The order of the tries rules out nothing more: the opponent can always have placed the marks that were found first,
and has always had a turn since the observer's last mark, in which it can have tried any of them, unheard.  So
``determinize`` draws the two parts independently, the placement by rejection.  The true placement is accepted, hence
it ends with probability one; at least one placement in 15 is accepted in every position of 4,4,4, one in 6 of 3,3,3.
Only marks that are many and avoid lines though k is small, as on 7,8,2, are rare among the placements and make it
slow.
"""

from __future__ import annotations

from collections.abc import Sequence

from icarus.errors import GameError
from icarus.game import UNSEEN, Game, Words, compiled, random_below, size_of
from icarus.games import mnk
from icarus.games._tries import retrace_tries
from icarus.games.mnk import Grid, completes_line, draw_board

MAX_CELLS = 62  #: bits of a word


class Board(Grid):
    seen = Words(2)  #: by player; bit c: it has a mark on the cell c or has found the opponent's there
    marks = Words()  #: one word per cell: 0 empty, else player + 1


def phantom(m: int = 4, n: int = 4, k: int = 4) -> Game:
    """``m`` columns, ``n`` rows (at most 62 cells), ``k`` in a row to win."""
    mnk.check_size(m, n, k)
    if m * n > MAX_CELLS:
        raise GameError(f"a phantom board has at most {MAX_CELLS} cells, not {m} x {n} = {m * n}")
    return Game(
        name=f"phantom({m},{n},{k})",
        summary=f"{k} in a row on a board of {m} x {n}, without seeing the opponent's marks",
        players=2,
        parameters=(m, n, k),
        layout=Board,
        state_size=size_of(Board) + m * n,
        max_actions=m * n,
        max_plies=2 * m * n - 1,  # every mark but the last can be found once
        initial=mnk.initial,
        player=mnk.player,
        legal=legal,
        apply=apply,
        terminal=mnk.terminal,
        rewards=mnk.rewards,
        determinize=determinize,
        observe=observe,
        view=view,
        observation=observation,
        observation_shape=(3, n, m),
        retrace=retrace,
        render=render,
        format_action=mnk.format_action,
        format_move=format_move,
        unveils=unveils,
        player_names=("X", "O"),
    )


@compiled
def number_of_cells(state):
    return state.columns * state.rows


@compiled
def legal(state, actions):
    cells = number_of_cells(state)
    seen = state.seen[state.plies & 1]
    count = 0
    for cell in range(cells):  # without a branch: write always, advance if the cell is open
        actions[count] = cell
        count += 1 - ((seen >> cell) & 1)
    return count


@compiled
def apply(state, action):
    state.seen[state.plies & 1] |= 1 << action
    if state.marks[action] == 0:
        mnk.apply(state, action)


@compiled
def observe(state, action, observer):
    cells = number_of_cells(state)
    who = state.plies & 1
    free = state.marks[action] == 0
    if observer == who:
        return action if free else cells + action
    if not free:
        return UNSEEN
    if state.plies >= 2 * (state.length - 1) and completes_line(state, action, who + 1):
        return 2 * cells + 1
    return 2 * cells


@compiled
def determinize(state, observer, rng):
    if mnk.terminal(state):
        return
    cells = number_of_cells(state)
    opponent = 1 - observer
    mark = opponent + 1
    seen = state.seen[observer]
    marks = (state.plies + observer) >> 1
    hidden, unseen, own = marks, 0, 0
    for cell in range(cells):
        if (seen >> cell) & 1 == 0:
            unseen += 1
        elif state.marks[cell] == mark:
            hidden -= 1
        else:
            own |= 1 << cell
    while True:
        placed = place(state, seen, mark, hidden, unseen, rng)
        if marks < state.length or not makes_line(state, placed, mark):
            break
    found = own & (random_below(rng, 1 << 31) << 31 | random_below(rng, 1 << 31))
    state.seen[opponent] = placed | (seen & ~own) | found


@compiled
def place(state, seen, mark, number, left, rng):
    """Put marks on a uniformly drawn subset of the unseen cells (of which there are ``left``); returns it."""
    placed = 0
    for cell in range(number_of_cells(state)):
        if (seen >> cell) & 1 == 0:
            chosen = random_below(rng, left) < number
            state.marks[cell] = mark if chosen else 0
            if chosen:
                placed |= 1 << cell
                number -= 1
            left -= 1
    return placed


@compiled
def makes_line(state, placed, mark):
    """Is one of these cells part of a line?"""
    for cell in range(number_of_cells(state)):
        if (placed >> cell) & 1 and completes_line(state, cell, mark):
            return True
    return False


@compiled
def observation(state, observer, out):
    """Planes of the observer's marks, of the other's that it has found, and of the share of cells that have marks."""
    cells, seen = number_of_cells(state), state.seen[observer]
    for cell in range(cells):
        mark = state.marks[cell] if seen >> cell & 1 else 0
        out[cell] = 1.0 if mark == observer + 1 else 0.0
        out[cells + cell] = 1.0 if mark == 2 - observer else 0.0
        out[2 * cells + cell] = state.plies / cells


def is_over(state: Board) -> bool:
    return bool(state.winner != 0 or state.plies == state.columns * state.rows)


def visible_marks(state: Board, observer: int | None) -> list[int]:
    """The board as the observer knows it; None, and everyone when the game is over, sees all of it."""
    board = [int(mark) for mark in state.marks]
    if observer is None or is_over(state):
        return board
    seen = int(state.seen[observer])
    return [mark if seen >> cell & 1 else 0 for cell, mark in enumerate(board)]


def retrace(start: Board, drawn: Board, seen: Sequence[tuple[int, int]], observer: int, rng: object) -> tuple[list[int], float]:
    """Nothing is dealt: the opponent's tries are drawn."""
    cells = int(drawn.columns) * int(drawn.rows)
    theirs = sum(1 << cell for cell in range(cells) if int(drawn.marks[cell]) == 2 - observer)
    waiting = int(drawn.plies) & 1 == observer
    found = int(drawn.seen[1 - observer]) & ~theirs
    return retrace_tries(cells, theirs, found, seen, observer, waiting=waiting, rng=rng)


def view(state: Board, observer: int) -> object:
    return bytes(state) if is_over(state) else (int(state.plies), tuple(visible_marks(state, observer)))


def render(state: Board, observer: int | None = None) -> str:
    return draw_board(state, [".XO"[mark] for mark in visible_marks(state, observer)])


def format_move(state: Board, move: int, observer: int) -> str:
    cells = int(state.columns * state.rows)
    if move >= 2 * cells:
        return "a mark somewhere"
    return mnk.format_action(state, move - cells) + ", which is taken"


def unveils(state: Board, move: int, observer: int) -> dict[int, int]:
    """Whoever finds the only mark of the opponent knows which move that was; later ones may have come in any order."""
    cells = int(state.columns * state.rows)
    alone = (int(state.plies) + observer) >> 1 == 1
    return {1 - observer: 1} if alone and cells <= move < 2 * cells else {}
