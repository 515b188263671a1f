"""All deals that an observer cannot tell from the true one, where they are few: then nothing need be drawn."""

from __future__ import annotations

import weakref

from icarus.belief.particles import Particle
from icarus.game import Game, Position
from icarus.jit.randomness import seeded

DEALS = 3000  #: deals of a game that are listed to find them


def listed_deals(position: Position, observer: int, most: int) -> list[Particle]:
    """The deals with their probabilities; none if there are more than ``most``."""
    from icarus.equilibrium.knowledge import start_key

    if _surely_more(position, observer, most):
        return []
    own = start_key(position.game, position.origin, observer)
    found = [(start, odds) for start, odds, keys in _deals(position.game) if keys[observer] == own]
    total = sum(odds for _, odds in found)
    return [Particle(start.copy(), odds / total) for start, odds in found] if len(found) <= most else []


def _surely_more(position: Position, observer: int, most: int) -> bool:
    """Are there more deals than that?  A few draws tell it before thousands of deals are listed for nothing."""
    origin, rng, met = Position(position.game, position.origin), seeded(0, stream=82), set[bytes]()
    for _ in range(3 * most):
        met.add(origin.determinize(observer, rng).state.tobytes())
        if len(met) > most:
            return True
    return False


_DEALS: weakref.WeakKeyDictionary[Game, list[tuple[Position, float, list[int]]]] = weakref.WeakKeyDictionary()


def _deals(game: Game) -> list[tuple[Position, float, list[int]]]:
    """All deals of a game with their probabilities and what each player knows of them; empty if they are too many."""
    from icarus.equilibrium.knowledge import start_key
    from icarus.equilibrium.starts import TooMany, every_start

    if game not in _DEALS:
        try:
            starts = every_start(game, DEALS)
        except TooMany:
            starts = []
        _DEALS[game] = [
            (start, odds, [start_key(game, start.state, player) for player in range(game.players)]) for start, odds in starts
        ]
    return _DEALS[game]
