"""What nested search with memory finds in left move and leftmost path, exactly, by dynamic programming.

A search of level 1 on left move is a Markov chain: ``m`` steps are left, and the best sequence so far has ``h`` lefts among
them (-1: none is known).  Given that number, the steps of a random sequence come in any order.  So its law is known, and with
it that of the sequence it plays in the end.  A search of level 2 remembers such a sequence: what it reveals step by step is
that chain, given where it ends, so its state is (m, B, h): what the remembered sequence has in all, and where the chain behind
it is.
"""

from __future__ import annotations

from functools import cache
from math import comb


@cache
def playout(m: int) -> tuple[float, ...]:
    """The law of the number of lefts in m random steps."""
    return tuple(comb(m, k) / 2**m for k in range(m + 1))


def step(m: int, h: int, law: tuple[float, ...]) -> list[tuple[str, int, float]]:
    """Try left, then right, each followed by something of this law; what comes out, the best then, and with what probability."""
    below = [0.0]
    for probability in law:
        below.append(below[-1] + probability)  # below[k]: less than k
    outcomes = []
    for k, probability in enumerate(law):
        left = k + 1
        if left > h:  # then the right one must be better than it
            stays = below[min(left + 1, m)]
            outcomes.append(("left", k, probability * stays))
            outcomes += [("right", r, probability * law[r]) for r in range(left + 1, m)]
    fails = below[min(h, m)] if h > 0 else 0.0  # left + 1 <= h
    if h >= 0:
        outcomes.append(("memory", h, fails * below[min(h + 1, m)]))
        outcomes += [("right", r, fails * law[r]) for r in range(h + 1, m)]
    return [outcome for outcome in outcomes if outcome[2] > 0]


@cache
def chain(m: int, h: int) -> tuple[tuple[int, int, float], ...]:
    """One step of a search of level 1: (move, best afterwards, probability); a move of 1 is to the left."""
    found: dict[tuple[int, int], float] = {}
    for source, best, probability in step(m, h, playout(m - 1)):
        moves = {
            "left": [(1, best, 1.0)],
            "right": [(0, best, 1.0)],
            "memory": [(1, best - 1, best / m), (0, best, 1 - best / m)],
        }
        for move, after, share in moves[source]:
            if share > 0:
                found[move, after] = found.get((move, after), 0.0) + probability * share
    return tuple((move, after, probability) for (move, after), probability in found.items())


@cache
def ends(m: int, h: int) -> tuple[float, ...]:
    """The law of what a search of level 1 ends with."""
    if m == 0:
        return (1.0,)
    law = [0.0] * (m + 1)
    for move, after, probability in chain(m, h):
        for k, share in enumerate(ends(m - 1, after)):
            law[k + move] += probability * share
    return tuple(law)


@cache
def nested_value(m: int, remembered: int, h: int) -> float:
    """How many lefts a search of level 2 has in the end, on average."""
    if m == 0:
        return 0.0
    value = 0.0
    for source, best, probability in step(m, remembered, ends(m - 1, -1)):
        if source == "left":
            value += probability * (1 + nested_value(m - 1, best, -1))
        elif source == "right":
            value += probability * nested_value(m - 1, best, -1)
        else:
            total = ends(m, h)[best]
            for move, after, share in chain(m, h):
                rest = best - move
                if 0 <= rest <= m - 1 and (given := ends(m - 1, after)[rest]) > 0:
                    value += probability * share * given / total * (move + nested_value(m - 1, rest, after))
    return value


def left_move_means(depth: int) -> list[float]:
    """The mean scores of levels 0, 1 and 2."""
    one = sum(k * probability for k, probability in enumerate(ends(depth, -1)))
    return [depth / 2, one, nested_value(depth, -1, -1)]
