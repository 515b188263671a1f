"""How many leading plays the peasants of Dou Di Zhu have, in the true deal and over the landlord's determinizations.

Claim S7 is Table II of ismcts-2012: averages over 5000 deals of the plays that the peasants could lead from their first
hands.  A play is a base with its kickers.  The paper does not say whether a play that both peasants could lead counts
once or twice.  Counted twice, the five figures agree with the paper's; counted once, those of different plays do not,
and are shown below them.  The last rows count twice, but let two solo kickers be equal (with a quadplex or a run of two
trios), which the game does not: that is too many, so the figures also tell which kickers the paper's game allowed.

    python benchmarks/doudizhu_branching.py [deals, 500 unless told]
"""

from __future__ import annotations

import sys

import numpy as np
from numba import njit

from icarus.games import doudizhu as rules
from icarus.jit.randomness import seeded

LANDLORD = 0
MARKS = np.array([40, 250, 1000])
#: the paper's figures where it has them
ROWS = {
    "leading plays in the true deal": "87.7",
    "leading plays per determinization": "87.8",
    "different plays in 40 determinizations": "754",
    "different plays in 250 determinizations": "1230",
    "different plays in 1000 determinizations": "1500",
    "40, a play of both peasants counted once": "",
    "250, a play of both peasants counted once": "",
    "1000, a play of both peasants counted once": "",
    "40, equal solo kickers allowed": "",
    "250, equal solo kickers allowed": "",
    "1000, equal solo kickers allowed": "",
}


@njit
def count_leads(hand, seat, found, shared, equal):
    """How many plays this hand can lead; adds them to ``found`` and ``shared``, those with equal solos to ``equal``."""
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
            shared.add(base << 32 | kickers[j])
        plays += ways
    # a base whose only kickers are equal is not among the bases above
    trios, quads = (hand >> 2 * rules.WIDTH) & rules.RUN_RANKS, hand >> 3 * rules.WIDTH
    pairs = (hand >> rules.WIDTH) & rules.RANKS
    for rank in range(13):
        for kicker in range(13):
            if pairs >> kicker & 1 and kicker != rank:
                if quads >> rank & 1:
                    equal.add(seat << 60 | rank << 8 | kicker)
                if (trios & trios >> 1) >> rank & 1 and kicker != rank + 1:
                    equal.add(seat << 60 | 1 << 32 | rank << 8 | kicker)
    return plays


@njit
def measure(state, rng, out):
    """The measurements for one deal, in the order of ``ROWS``."""
    found, shared, equal = {np.int64(0)}, {np.int64(0)}, {np.int64(0)}
    plays = 0
    for number in range(MARKS[-1] + 1):
        if number > 0:
            rules.determinize(state, LANDLORD, rng)
        now = count_leads(state.hands[1], 1, found, shared, equal)
        now += count_leads(state.hands[2], 2, found, shared, equal)
        if number == 0:
            out[0] = now
            found.clear()
            shared.clear()
            equal.clear()
        else:
            plays += now
        for i, mark in enumerate(MARKS):
            if number == mark:
                out[2 + i] = len(found)
                out[5 + i] = len(shared)
                out[8 + i] = len(found) + len(equal)
    out[1] = plays / MARKS[-1]


def main(deals: int) -> None:
    game = rules.doudizhu(landlord=LANDLORD)
    rng = seeded(0)
    results = np.zeros((deals, len(ROWS)))
    for deal in range(deals):
        measure(game.start(deal).named, rng, results[deal])
    errors = results.std(axis=0) / max(deals - 1, 1) ** 0.5
    print(f"averages over {deals} deals (with standard error), and the paper's")
    for (name, paper), mean, error in zip(ROWS.items(), results.mean(axis=0), errors, strict=True):
        print(f"{name:44} {mean:7.1f} ({error:4.1f}) {paper:>8}".rstrip())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
