"""The scores of 10 000 rounds of Hearts played at random, from which a search draws the rest of a match.

``python -m icarus.games.hearts_table`` makes the table anew, the same every time, and says what to write into
``hearts.py``.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt

from icarus.games import hearts
from icarus.jit import at, compiled
from icarus.jit.randomness import random_below, seeded

ROUNDS = 10_000
SEED = 2014


@compiled
def play_rounds(scores, words, actions, rng):
    """Fill ``scores`` with the results of random rounds without passing."""
    state, actions, rng = hearts.Match(words), at(actions, 0), at(rng, 0)
    for row in range(scores.shape[0]):
        for i in range(words.shape[0]):
            words[i] = 0
        state.first_direction = hearts.HOLD
        hearts.initial(state, rng)
        while not hearts.terminal(state):
            count = hearts.legal(state, actions)
            hearts.apply(state, actions[random_below(rng, count)])
        for i in range(hearts.PLAYERS):
            scores[row, i] = state.totals[i]


def simulate(rounds: int) -> npt.NDArray[np.uint8]:
    """The first rows of the table."""
    scores = np.zeros((rounds, hearts.PLAYERS), np.uint8)
    game = hearts.hearts_round("hold")
    state, actions = np.zeros(game.state_size, np.int64), np.zeros(game.max_actions, np.int64)
    play_rounds(scores, state, actions, seeded(SEED))
    return scores


def main() -> None:
    scores = simulate(ROUNDS)
    np.save(hearts.TABLE_FILE, scores)
    print(f"wrote {len(scores)} rounds to {hearts.TABLE_FILE.name}: TABLE_CHECKSUM = {crc32(scores.tobytes()):#x}")


if __name__ == "__main__":
    main()
