"""How many leading plays the peasants of Dou Di Zhu have, in the true deal and over the landlord's determinizations.

Claim S7 is Table II of ismcts-2012: averages over 5000 deals of the plays that the peasants could lead from their first
hands.  A play is a base with its kickers, and both peasants are counted, each on its own: a play that both could lead
counts twice.  With 5000 deals (about half a minute of computation) this program prints the paper's figures to within
their random error; if two equal solo kickers were allowed, 1000 determinizations would show about 1590 plays.

    python benchmarks/doudizhu_branching.py [deals, 500 unless told]
"""

from __future__ import annotations

import sys

import numpy as np
from numba import njit

from icarus.engine.randomness import seeded
from icarus.games import doudizhu as rules

LANDLORD = 0
MARKS = np.array([40, 250, 1000])
PAPER = {
    "leading plays in the true deal": 87.7,
    "leading plays per determinization": 87.8,
    "different plays in 40 determinizations": 754,
    "different plays in 250 determinizations": 1230,
    "different plays in 1000 determinizations": 1500,
}


@njit
def count_leads(hand, seat, found):
    """How many plays this hand can lead; adds each to ``found``."""
    bases = np.empty(rules.MAX_ACTIONS, np.int64)
    kickers = np.empty(rules.MAX_ACTIONS, np.int64)
    plays = 0
    for i in range(rules.list_leads(hand, bases)):
        base = bases[i]
        ways = 1
        kickers[0] = 0
        if rules.has_kickers(base):
            rest = rules.without_cards(hand, rules.base_ranks(base), rules.COPIES[base >> 8])
            ways = rules.list_kickers(rest, base, kickers)
        for j in range(ways):
            found.add(seat << 60 | base << 32 | kickers[j])
        plays += ways
    return plays


@njit
def measure(state, rng, out):
    """The five measurements of Table II for one deal, in the order of ``PAPER``."""
    found = {np.int64(0)}
    out[0] = count_leads(state[rules.HAND + 1], 1, found) + count_leads(state[rules.HAND + 2], 2, found)
    found.clear()
    plays = 0
    for number in range(1, MARKS[-1] + 1):
        rules.determinize(state, LANDLORD, rng)
        plays += count_leads(state[rules.HAND + 1], 1, found) + count_leads(state[rules.HAND + 2], 2, found)
        for i, mark in enumerate(MARKS):
            if number == mark:
                out[2 + i] = len(found)
    out[1] = plays / number


def main(deals: int) -> None:
    game = rules.doudizhu(landlord=LANDLORD)
    rng = seeded(0)
    results = np.zeros((deals, len(PAPER)))
    for deal in range(deals):
        measure(game.start(deal).state, rng, results[deal])
    errors = results.std(axis=0) / max(deals - 1, 1) ** 0.5
    print(f"averages over {deals} deals (with standard error), and the paper's")
    for (name, paper), mean, error in zip(PAPER.items(), results.mean(axis=0), errors, strict=True):
        print(f"{name:42} {mean:7.1f} ({error:4.1f}) {paper:8.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
