"""The scores of 10 000 rounds of Hearts played at random, from which a search draws the rest of a match.

``python -m icarus.games.hearts_table`` makes the table anew, the same every time, and says what to write into
``hearts.py``.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt

from icarus.engine.native import at, compiled
from icarus.engine.randomness import random_below, seeded
from icarus.games import hearts

ROUNDS = 10_000
SEED = 2014


@compiled
def play_rounds(scores, state, actions, rng):
    """Fill ``scores`` with the results of random rounds without passing."""
    state, actions, rng = at(state, 0), at(actions, 0), at(rng, 0)
    for row in range(scores.shape[0]):
        for i in range(hearts.SIZE):
            state[i] = 0
        state[hearts.FIRST_DIRECTION] = hearts.HOLD
        hearts.initial(state, rng)
        while not hearts.terminal(state):
            count = hearts.legal(state, actions)
            hearts.apply(state, actions[random_below(rng, count)])
        for i in range(hearts.PLAYERS):
            scores[row, i] = state[hearts.TOTAL + i]


def simulate(rounds: int) -> npt.NDArray[np.uint8]:
    """The first rows of the table."""
    scores = np.zeros((rounds, hearts.PLAYERS), np.uint8)
    state, actions = np.zeros(hearts.SIZE, np.int64), np.zeros(13, np.int64)
    play_rounds(scores, state, actions, seeded(SEED))
    return scores


def main() -> None:
    scores = simulate(ROUNDS)
    np.save(hearts.TABLE_FILE, scores)
    print(f"wrote {len(scores)} rounds to {hearts.TABLE_FILE.name}: TABLE_CHECKSUM = {crc32(scores.tobytes()):#x}")


if __name__ == "__main__":
    main()
