"""Blocks world, a classical planning problem: turn one arrangement of blocks into another, in as few moves as possible.

A move takes a block with nothing on it and puts it on the table or onto another such block; the block that has just moved stays
where it is, so that no move is taken back (unless there is no other).  A game ends when all blocks are in place, or after 4 n
moves, which is twice as many as are ever needed.  The score counts the blocks in place (on what they should be on, with
everything below them in place too), and for the whole arrangement one more for every move that was left.

An action is ``(n + 1) block + target``; the table is number n.
"""

from __future__ import annotations

import random

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, size_of
from icarus.games._svg import box, button, image, line, text

MOST_BLOCKS = 12
MOVES = 4  #: for each block


class Towers(Layout):
    """What each block is on, n being the table; the parameters come first."""

    n = Word()
    goal = Words(MOST_BLOCKS)
    on = Words(MOST_BLOCKS)
    moves = Word()
    last = Word()  #: the block that has just moved, + 1


def blocks(n: int = 5, seed: int = 0) -> Game:
    """``n`` blocks (2-12); the ``seed`` draws where they are and where they belong."""
    if not 2 <= n <= MOST_BLOCKS:
        raise GameError(f"blocks: there are 2 to {MOST_BLOCKS} of them, not {n}")
    rng = random.Random(seed)
    goal, start = arrangement(n, rng), arrangement(n, rng)
    while start == goal:
        start = arrangement(n, rng)
    room = [0] * (MOST_BLOCKS - n)
    return Game(
        name=f"blocks({n},{seed})",
        summary=f"{n} blocks: turn one arrangement into another in as few moves as possible",
        players=1,
        parameters=(n, *goal, *room, *start, *room),
        layout=Towers,
        state_size=size_of(Towers),
        max_actions=n * n,
        max_plies=MOVES * n,
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        code=code,
        key=key,
        heuristic=heuristic,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Player",),
    )


def arrangement(n: int, rng: random.Random) -> list[int]:
    """Blocks come in a random order, each onto the table or a tower that is there; returns what each is on."""
    on, tops = [n] * n, [n]
    for block in rng.sample(range(n), n):
        on[block] = rng.choice(tops)
        tops = [*(top for top in tops if top == n or top != on[block]), block]
    return on


@compiled
def initial(state, rng):
    pass


@compiled
def player(state):
    return 0


@compiled
def is_clear(state, block):
    for other in range(state.n):
        if state.on[other] == block:
            return False
    return True


@compiled
def list_moves(state, actions, last):
    """Moves of all clear blocks but the last one that moved (0: of all)."""
    n, count = state.n, 0
    for block in range(n):
        if block + 1 == last or not is_clear(state, block):
            continue
        for target in range(n + 1):
            if target != block and target != state.on[block] and (target == n or is_clear(state, target)):
                actions[count] = (n + 1) * block + target
                count += 1
    return count


@compiled
def legal(state, actions):
    count = list_moves(state, actions, state.last)
    return count if count > 0 else list_moves(state, actions, 0)


@compiled
def apply(state, move):
    block, target = move // (state.n + 1), move % (state.n + 1)
    state.on[block] = target
    state.moves += 1
    state.last = block + 1


@compiled
def in_place(state, block):
    """Is a block, with everything below it, where it belongs?"""
    while block < state.n:
        if state.on[block] != state.goal[block]:
            return False
        block = state.on[block]
    return True


@compiled
def placed(state):
    count = 0
    for block in range(state.n):
        count += in_place(state, block)
    return count


@compiled
def terminal(state):
    return state.moves == MOVES * state.n or placed(state) == state.n


@compiled
def score(state):
    count = placed(state)
    return float(count + (MOVES * state.n - state.moves if count == state.n else 0))


@compiled
def rewards(state, out):
    out[0] = score(state) / (state.n + MOVES * state.n)


@compiled
def heuristic(state, move):
    """1 for a move that puts a block into its place for good, 0 for one that takes it away, else between."""
    block, target = move // (state.n + 1), move % (state.n + 1)
    if in_place(state, block):
        return 0.0
    if target == state.goal[block] and in_place(state, target):
        return 1.0
    return 0.6 if target == state.n else 0.3


@compiled
def arrangement_key(state):
    known = 0
    for block in range(state.n):
        known = mix(known, state.on[block])
    return known


@compiled
def code(state, move):
    """The move and where the blocks are."""
    return mix(arrangement_key(state), move)


@compiled
def key(state):
    return mix(arrangement_key(state), 64 * state.moves + state.last)


def letter(block: int) -> str:
    return chr(ord("a") + block)


def format_action(state: Towers, move: int) -> str:
    block, target = divmod(move, int(state.n) + 1)
    return f"{letter(block)}-{'table' if target == int(state.n) else letter(target)}"


def towers(on: list[int], n: int) -> list[list[int]]:
    """From the bottom, in the order of the blocks on the table."""
    found = []
    for block in (block for block in range(n) if on[block] == n):
        tower = [block]
        while (above := next((other for other in range(n) if on[other] == tower[-1]), None)) is not None:
            tower.append(above)
        found.append(tower)
    return found


def words(on: list[int], n: int) -> str:
    return " ".join("".join(letter(block) for block in tower) for tower in towers(on, n))


def arrangements(state: Towers) -> tuple[list[int], list[int], int]:
    """What blocks are on, what they should be on, and how many there are."""
    n = int(state.n)
    return [int(held) for held in state.on[:n]], [int(held) for held in state.goal[:n]], n


def render(state: Towers, observer: int | None = None) -> str:
    on, goal, n = arrangements(state)
    return f"now:  {words(on, n)}\ngoal: {words(goal, n)}\n{int(state.moves)} moves"


def draw(state: Towers, observer: int | None) -> str:
    """The towers as they are beside those that are wanted, and a button for each move."""
    on, goal, n = arrangements(state)
    cell, height, parts = 34, 34 * n, []
    left = 0.0
    for title, held, colour in (("now", on, "one"), ("goal", goal, "two")):
        width = cell * max(len(towers(held, n)), 2)
        for x, tower in enumerate(towers(held, n)):
            for y, block in enumerate(tower):
                parts.append(box(left + cell * x + 1, height - cell * (y + 1), cell - 2, cell - 2, colour))
                parts.append(text(letter(block), left + cell * (x + 0.5), height - cell * (y + 0.5)))
        parts.append(line(left, height, left + width, height, "ink", 2))
        parts.append(text(title, left + width / 2, height + 16, 14))
        left += width + cell
    buffer = np.zeros(n * n, np.int64)
    count = 0 if terminal(state) else int(legal(state, buffer))
    across = max(int(left) // 90, 4)
    for number, move in enumerate(buffer[:count].tolist()):
        parts.append(button(format_action(state, move), 90 * (number % across), height + 34 + 38 * (number // across), 84))
    return image(max(left, 90 * across), height + 40 + 38 * (-(-count // across)), *parts)
