"""Self-play from all deals at once: one tree per player, named by what that player has seen since the deal.

The same loop as for a decision (MO-ISMCTS), but there is no searching player: every iteration deals, and everybody chooses in its
own tree.  The shares of the visits are the average strategy.  With UCB1 that stays exploitable; with ``Smooth()`` it approaches
an equilibrium in small poker games (Heinrich and Silver 2015).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from icarus.algorithm import Algorithm
from icarus.engine import layout as w
from icarus.equilibrium.average import AverageStrategy
from icarus.game import Game, play_to_decision
from icarus.jit.randomness import seeded
from icarus.search import Search
from icarus.strategy.base import Strategy

SELF_PLAY = Algorithm("selfplay", identity=w.BY_EACH_VIEW, resamples=False, from_start=True)


class SelfPlay:
    """A search of the whole game for everybody; ``strategy``: as of any search."""

    def __init__(self, game: Game, *, strategy: str | Strategy = "-", seed: int = 0, memory: int = 1 << 29) -> None:
        self.game, self.stopped = game, False
        start = play_to_decision(game.start(seed), seeded(seed))
        self.search = Search(start, algorithm=SELF_PLAY, strategy=strategy, observer=0, seed=seed, memory=memory)

    @property
    def iterations(self) -> int:
        return self.search.iterations

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> SelfPlay:
        """Play until a budget is used up; called again, it goes on."""
        told = None if progress is None else lambda state: progress(state.share)
        self.stopped = self.search.run(iterations=iterations, seconds=seconds, progress=told).stopped_by == "interrupt"
        return self

    def average(self) -> AverageStrategy:
        """The shares of the visits so far, in every information set that was met."""
        rows = {
            context.key: {action: visits for action, (visits, _, _) in sorted(context.records.items()) if visits}
            for context in self.search.contexts()
            if context.owner == 0
        }
        known = sorted(key for key, visits in rows.items() if visits)
        sizes = [len(rows[key]) for key in known]
        return AverageStrategy(
            game=self.game.name,
            solver=f"selfplay[{self.search.strategy}]",
            iterations=self.iterations,
            keys=np.array(known, np.int64),
            first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            actions=np.array([action for key in known for action in rows[key]], np.int64),
            odds=np.array([visits / sum(rows[key].values()) for key in known for visits in rows[key].values()]),
        )
