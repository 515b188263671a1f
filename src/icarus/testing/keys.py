"""A game's keys: whatever shares one must be the same position."""

from __future__ import annotations

from icarus.game import Game, step_randomly
from icarus.jit.randomness import seeded
from icarus.testing.ledger import Ledger, Place


def check_keys(game: Game, games: int, seed: int, ledger: Ledger) -> None:
    if game.key is None:
        ledger.skip("the game has no keys", "key")
        return
    known: dict[int, object] = {}
    for number in range(games):
        if number and ledger.late(0.25):
            break
        position, rng = game.start(seed + number), seeded(seed + number, stream=24)
        while True:
            over = position.is_terminal
            # in any order: it may depend on how the position came about
            found = tuple(position.rewards()) if over else (position.player, frozenset(position.legal()))
            before = known.setdefault(int(game.call("key", position.state)), found)
            place = Place(seed + number, len(position.history))
            if not ledger.expect("key", before == found, place, "another position had the same key") or over:
                break
            step_randomly(position, rng)
