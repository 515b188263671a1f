"""On-line outcome sampling at the table: ``oos@N`` solves the game a little further at each decision, aimed at what it knows.

What was learnt is kept for the rest of the game.  Where a game has too many deals to list, only those are looked at that the
player cannot tell from the true one.
"""

from __future__ import annotations

import numpy as np

from icarus.equilibrium.cfr.layout import ONLINE
from icarus.equilibrium.knowledge import information_set, start_key
from icarus.equilibrium.mccfr import EPSILON, Mccfr
from icarus.errors import SearchError
from icarus.game import UNSEEN, Game, Position
from icarus.jit.randomness import seeded

DELTA = 0.9  #: the share of walks that are aimed
DEALS = 256  #: drawn for a decision where not all are listed


class Oos(Mccfr):
    """A solver that is aimed at a decision before each run."""

    def __init__(self, game: Game, *, epsilon: float = EPSILON, delta: float = DELTA, seed: int = 0) -> None:
        if game.simultaneous is not None and game.observe is None:
            raise SearchError(f"oos needs `observe` where players choose at the same time, and {game.name} has none; use mccfr")
        super().__init__(game, sampling="outcome", epsilon=epsilon, seed=seed)
        self.listed = not self._resamples
        self._resamples = False
        memory = self.memory
        memory.world.sampling, memory.world.delta = ONLINE, delta
        memory.put("reach", np.zeros(game.players, np.int64))
        memory.put("choices", np.zeros(2 * game.max_actions, np.int64))

    def decide(self, position: Position, *, iterations: int | None = None, seconds: float | None = None) -> list[float]:
        """The probabilities of the legal actions of whoever acts, after a run that is aimed at what that player knows."""
        player, legal = position.player, position.legal()
        if len(legal) == 1:
            return [1.0]
        self._aim(position, player)
        self.run(iterations=iterations, seconds=seconds)
        return self.odds_of(information_set(position, player), legal)

    def _aim(self, position: Position, player: int) -> None:
        game, memory = self.game, self.memory
        seen = [moves[player] for _, _, moves in position.history if moves[player] != UNSEEN]
        if not self.listed:
            rng, origin = seeded(self.seed, stream=72 + len(seen)), Position(game, position.origin.copy())
            drawn = [Position(game, origin.determinize(player, rng).state) for _ in range(DEALS)]
            self._put_starts(drawn, [1.0] * DEALS)
            fitting = np.ones(DEALS)
        else:
            known = start_key(game, position.origin, player)
            own = memory.start_keys[player :: game.players]
            fitting = np.diff(memory.start_odds, prepend=0.0) * (own == known)
        memory.put("target_starts", np.cumsum(fitting).view(np.int64))
        memory.put("target_moves", np.array([*seen, 0], np.int64))
        memory.world.target_player, memory.world.target_length = player, len(seen)

    def __str__(self) -> str:
        return "oos"
