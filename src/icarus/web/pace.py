"""How long a machine's turn takes where something is hidden: always the same, whatever happened in it.

A machine that bumps into a hidden mark decides again.  Were its second thought to take time of its own, the clock would tell.  So
a turn has a fixed length; its first decision may use most of it, each further one as much of what is left, and nothing is shown
before its end.  Machines that choose at the same time share one turn, with an equal part of its time for each decision.
"""

from __future__ import annotations

from math import ceil, log2

SHARE = 0.8  #: of what is left of a turn, for its next decision
BEAT = 0.6  #: seconds of the shortest turn
LEAST = 0.002  #: seconds for a decision, however many there were


class Pace:
    """The turns of one machine, or of some that choose together.

    ``seconds`` is the budget of a decision, None where it is given in iterations.  Then the length of a turn
    follows from the first one, and later decisions are cut short rather than taking longer.
    """

    def __init__(self, seconds: float | None) -> None:
        self.length = None if seconds is None else max(seconds / SHARE, BEAT)
        self._budget = seconds
        self._began: float | None = None

    def budget(self, now: float, decisions: int = 1) -> float | None:
        """The seconds of the next decision, if so many are to be made; begins a turn if none is under way.

        None: as long as it takes.
        """
        if self._began is None:
            self._began = now
            if self._budget is not None:
                return self._budget / decisions
        return None if self.length is None else max(SHARE * (self._began + self.length - now) / decisions, LEAST)

    def end(self, now: float) -> float:
        """When what has been decided may be shown.

        That is the end of the turn; where the machine was too busy to keep to it, the end of as many turns as it took.
        """
        began = now if self._began is None else self._began
        if self.length is None:
            self.length = BEAT * 2.0 ** max(ceil(log2(max(2 * (now - began), BEAT) / BEAT)), 0)
        return began + self.length * max(ceil((now - began) / self.length), 1)

    def over(self) -> None:
        """The turn is over, or is to begin anew."""
        self._began = None
