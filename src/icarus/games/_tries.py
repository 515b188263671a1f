"""A whole game of tries in the dark (phantom, dark_hex) for a given end: when did the opponent place and try what?

The observer knows its own tries in order, and when the opponent placed *a* stone.  Free are the order of the opponent's
stones, as long as a stone that was found at some time was there by then, and when the opponent found those of the
observer's stones that it knows.  Both are drawn uniformly from what is left, step by step, and the probability of all these
draws is reported with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from icarus.game import random_below


def retrace_tries(
    cells: int, theirs: int, found: int, seen: Sequence[tuple[int, int]], observer: int, *, waiting: bool, rng: Any
) -> tuple[list[int], float]:
    """The actions of a game and the logarithm of the probability of its hidden choices.

    ``theirs``: the opponent's stones, ``found``: those of the observer's that it knows, as bits.  ``waiting``: it is the
    observer's turn, so that the opponent's last turn is over.
    """
    log = 0.0

    def draw(options: list[int]) -> int:
        nonlocal log
        log -= math.log(len(options))
        return options[int(random_below(rng, len(options)))]

    turns = sum(actor != observer for actor, _ in seen)
    until: dict[int, int] = {}  # the last turn in which a stone can have been placed
    since: dict[int, int] = {}  # the first turn in which a stone of the observer can have been found
    passed = 0
    for actor, move in seen:
        if actor != observer:
            passed += 1
        elif move < cells:
            since[move] = passed
        else:
            until[move - cells] = passed - 1
    left = [cell for cell in range(cells) if theirs >> cell & 1]
    order = [0] * turns
    for turn in reversed(range(turns)):
        order[turn] = draw([cell for cell in left if until.get(cell, turns) >= turn])
        left.remove(order[turn])
    tried: list[list[int]] = [[] for _ in range(turns + 1)]
    for cell in range(cells):
        if found >> cell & 1:
            tried[draw(list(range(since[cell], turns if waiting else turns + 1)))].append(cell)
    actions: list[int] = []

    def try_out(turn: int) -> None:
        rest = tried[turn]
        while rest:
            actions.append(draw(rest))
            rest.remove(actions[-1])

    turn = 0
    for actor, move in seen:
        if actor == observer:
            actions.append(move % cells)
        else:
            try_out(turn)
            actions.append(order[turn])
            turn += 1
    try_out(turns)
    return actions, log
