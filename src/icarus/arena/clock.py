"""Time management (section VII-A of mcts-survey-2012; Huang et al. 2010): stop when decided, think longer when behind.

A player with the option ``managed`` ends a search as soon as no other move can be visited most any more (absolute pruning), and
keeps what is left of its budget in a bank.  When it is behind, it spends up to one more budget from there.  So it never uses
more than its budget times the decisions so far, in time or in iterations.
"""

from __future__ import annotations

from collections.abc import Callable

from icarus.network.searching import AnySearch
from icarus.result import Progress, SearchResult

BEHIND = 0.9  #: of an equal share of the reward: below that a player is behind


class Bank:
    """What a player has saved in a game, in its own unit: iterations or seconds."""

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        self.iterations, self.seconds = iterations, seconds
        self.saved = 0.0

    @property
    def budget(self) -> float:
        """What a decision has in any case."""
        return float(self.iterations) if self.iterations is not None else self.seconds or 0.0

    def more(self, result: SearchResult) -> float:
        """What may be spent beyond the budget of a decision, after that has found this: at most as much again."""
        most = min(self.saved, self.budget) if self.is_behind(result) else 0.0
        return float(int(most)) if self.iterations is not None else most if most >= 0.001 else 0.0

    def think(self, search: AnySearch, progress: Callable[[Progress], None] | None = None) -> SearchResult:
        """A decision within the budget and the bank."""
        result = search.run(iterations=self.iterations, seconds=self.seconds, progress=progress, until_decided=1.0)
        self.saved += max(self.budget - self._spent(result), 0.0)
        more = 0.0 if result.stopped_by == "interrupt" else self.more(result)
        if more <= 0:
            return result
        extra = {"iterations": int(more)} if self.iterations is not None else {"seconds": more}
        again = search.run(**extra, progress=progress, until_decided=1.0)
        self.saved = max(self.saved - self._spent(again), 0.0)
        return again

    def _spent(self, result: SearchResult) -> float:
        return result.iterations if self.iterations is not None else result.seconds

    @staticmethod
    def is_behind(result: SearchResult) -> bool:
        return result.best.mean[result.player] < BEHIND / len(result.players)
