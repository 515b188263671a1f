"""The towers of Hanoi as a planning problem: bring n discs from the first peg to the third in as few moves as possible.

A disc goes onto a larger one or an empty peg; the disc that has just moved stays where it is, so that no move is taken back
(unless there is no other).  A game ends when the tower stands on the third peg, or after four times as many moves as are
needed, 2ⁿ - 1.  The score counts the discs that are in place from the largest up, and for a whole tower one more for every move
that was left.

An action is ``3 from + to``, pegs being numbered from 0.
"""

from __future__ import annotations

import numpy as np

from icarus.errors import GameError
from icarus.game import Game, Layout, Word, Words, compiled, mix, size_of
from icarus.games._svg import box, button, image, line

MOST_DISCS = 10


class Pegs(Layout):
    """Where the discs are; the parameter comes first."""

    discs = Word()
    moves = Word()
    last = Word()  #: the peg of the disc that has just moved, + 1
    peg = Words(3)  #: the discs on each peg as bits, the smallest being bit 0


def hanoi(n: int = 4) -> Game:
    """``n`` discs (1-10)."""
    if not 1 <= n <= MOST_DISCS:
        raise GameError(f"the tower has 1 to {MOST_DISCS} discs, not {n}")
    return Game(
        name=f"hanoi({n})",
        summary=f"bring a tower of {n} discs to another peg in as few moves as possible",
        players=1,
        parameters=(n,),
        layout=Pegs,
        state_size=size_of(Pegs),
        max_actions=6,
        max_plies=4 * (2**n - 1),
        initial=initial,
        player=player,
        legal=legal,
        apply=apply,
        terminal=terminal,
        rewards=rewards,
        score=score,
        code=code,
        key=key,
        render=render,
        draw=draw,
        format_action=format_action,
        player_names=("Player",),
    )


@compiled
def initial(state, rng):
    state.peg[0] = (1 << state.discs) - 1


@compiled
def player(state):
    return 0


@compiled
def top(discs):
    """The smallest disc of a peg, as a bit; larger than all for an empty one."""
    return discs & -discs if discs != 0 else 1 << 20


@compiled
def legal(state, actions):
    count = 0
    for source in range(3):
        # the disc that has just moved stays, unless all discs are on its peg
        if state.peg[source] == 0 or (source + 1 == state.last and state.peg[source] != (1 << state.discs) - 1):
            continue
        for target in range(3):
            if top(state.peg[source]) < top(state.peg[target]):
                actions[count] = 3 * source + target
                count += 1
    return count


@compiled
def apply(state, move):
    source, target = move // 3, move % 3
    disc = top(state.peg[source])
    state.peg[source] ^= disc
    state.peg[target] ^= disc
    state.last = target + 1
    state.moves += 1


@compiled
def most(state):
    return 4 * ((1 << state.discs) - 1)


@compiled
def terminal(state):
    return state.peg[2] == (1 << state.discs) - 1 or state.moves == most(state)


@compiled
def score(state):
    placed, disc = 0, 1 << (state.discs - 1)
    while disc != 0 and state.peg[2] & disc != 0:
        placed += 1
        disc >>= 1
    left = most(state) - state.moves if placed == state.discs else 0
    return float(placed + left)


@compiled
def rewards(state, out):
    out[0] = score(state) / (state.discs + most(state))


@compiled
def code(state, move):
    """The move and where the discs are."""
    return mix(mix(state.peg[0], state.peg[1]), move)


@compiled
def key(state):
    return mix(mix(state.peg[0], state.peg[1]), 4 * state.moves + state.last)


def format_action(state: Pegs, move: int) -> str:
    return f"{move // 3 + 1}-{move % 3 + 1}"


def discs_on(state: Pegs, peg: int) -> list[int]:
    """From the bottom, the largest having the largest number."""
    return [disc + 1 for disc in reversed(range(int(state.discs))) if int(state.peg[peg]) >> disc & 1]


def render(state: Pegs, observer: int | None = None) -> str:
    pegs = [f"{peg + 1}: {' '.join(map(str, discs_on(state, peg)))}".rstrip() for peg in range(3)]
    return "\n".join([*pegs, f"{int(state.moves)} moves"])


def draw(state: Pegs, observer: int | None) -> str:
    discs, height = int(state.discs), 20 * int(state.discs) + 20
    parts = [line(150 * peg + 75, 0, 150 * peg + 75, height, "line", 4) for peg in range(3)]
    for peg in range(3):
        for level, disc in enumerate(discs_on(state, peg)):
            width = 30 + 100 * disc / discs
            parts.append(box(150 * peg + 75 - width / 2, height - 20 * (level + 1), width, 18, "one"))
    buffer = np.zeros(6, np.int64)
    count = 0 if terminal(state) else int(legal(state, buffer))
    for number, move in enumerate(buffer[:count].tolist()):
        parts.append(button(format_action(state, move), 75 * number, height + 12, 66))
    return image(450, height + 46, *parts)
