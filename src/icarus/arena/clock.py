"""Time management (section VII-A of mcts-survey-2012; Huang et al. 2010): stop when decided, think longer when behind.

A player with the option ``managed`` ends a search as soon as no other move can be visited most any more (absolute pruning), and
keeps what is left of its budget in a bank.  When it is behind, it spends up to one more budget from there.  So it never uses
more than its budget times the decisions so far, in time or in iterations.
"""

from __future__ import annotations

from collections.abc import Callable

from icarus.result import Progress, SearchResult
from icarus.search import Search

BEHIND = 0.9  #: of an equal share of the reward: below that a player is behind


class Bank:
    """What a player has saved in a game, in its own unit: iterations or seconds."""

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        self.iterations, self.seconds = iterations, seconds
        self.saved = 0.0

    def think(self, search: Search, progress: Callable[[Progress], None] | None = None) -> SearchResult:
        """A decision within the budget and the bank."""
        result = search.run(iterations=self.iterations, seconds=self.seconds, progress=progress, until_decided=1.0)
        if self.iterations is not None:
            self.saved += max(self.iterations - result.iterations, 0)
        else:
            self.saved += max((self.seconds or 0.0) - result.seconds, 0.0)
        if result.stopped_by == "interrupt" or not self.is_behind(result):
            return result
        if self.iterations is not None:
            more = int(min(self.saved, self.iterations))
            if more < 1:
                return result
            again = search.run(iterations=more, progress=progress, until_decided=1.0)
            self.saved -= again.iterations
        else:
            seconds = min(self.saved, self.seconds or 0.0)
            if seconds < 0.001:
                return result
            again = search.run(seconds=seconds, progress=progress, until_decided=1.0)
            self.saved = max(self.saved - again.seconds, 0.0)
        return again

    @staticmethod
    def is_behind(result: SearchResult) -> bool:
        return result.best.mean[result.player] < BEHIND / len(result.players)
