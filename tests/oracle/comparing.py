"""Where and how long searches are compared: positions, and iteration counts that suit compiled and plain Python."""

from __future__ import annotations

import icarus
from icarus.engine.native import JIT
from icarus.engine.randomness import seeded
from icarus.game import ENVIRONMENT, Game, Position, step_randomly
from tests.oracle.games import bazaar, sealed

OWN_GAMES = {
    "bazaar(2,2)": lambda: bazaar(2, 2),
    "bazaar(3,2)": lambda: bazaar(3, 2),
    "sealed(1)": lambda: sealed(1),
    "sealed(2)": lambda: sealed(2),
}


def game_named(name: str) -> Game:
    return OWN_GAMES[name]() if name in OWN_GAMES else icarus.load(name)


def position_after(game: str, plies: int, seed: int) -> Position:
    """A position some random plies into a game (fewer if it would be over), where a player is to choose."""
    position = game_named(game).start(seed)
    rng = seeded(seed, stream=9)
    found = position
    while not position.is_terminal and (len(found.history) < plies or found.player == ENVIRONMENT):
        if position.player != ENVIRONMENT:
            found = position.copy()
        if len(found.history) < plies or found.player == ENVIRONMENT:
            step_randomly(position, rng)
    return found


def checkpoints(most: int) -> list[int]:
    """Iteration counts after which to compare: often at first, where a mistake is easy to understand."""
    if not JIT:
        most = max(most // 20, 5)
    return [n for n in (1, 2, 5, 20, 60, 200, 400) if n < most] + [most]
