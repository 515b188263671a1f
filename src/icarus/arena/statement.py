"""What games say about a claim: statements about single comparisons, and the verdict that follows from all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

HOLDS, REFUTED, OPEN = "reproduced", "not reproduced", "undecided"
SMALL = 0.02  #: a difference below this is none
TIE = 0.05  #: "the same": about what a paper with 1 000 games can see
SLACK = 0.03  #: the papers' own half width
STANDARD = 3  #: about as many standard errors as half of an interval that holds together with others
ENOUGH = 30  #: common games from which on Student's interval is trusted
UNBEATEN = 100
PRIVATE = ("cells", "to_hold", "to_refute")  #: what only the choice of games needs (sequential.py)
SPREAD = 5  #: trials beyond the first of their row from which on the spread between trials is known


@dataclass(frozen=True)
class Statement:
    """One comparison of a claim."""

    text: str
    verdict: str
    #: more games in each cell that would probably decide it
    needed: int = 0
    #: the difference, ratio or rate that was judged, with its interval
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    #: the cells whose games it compares
    cells: frozenset[str] = frozenset()
    #: more games in each cell that would confirm or refute it, were the truth a standard error on that side of what was seen
    to_hold: float = 0.0
    to_refute: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """What the games say about a claim."""

    id: str
    claim: str
    statements: tuple[Statement, ...]
    #: share of the paper's budget at which the games were played
    budget: float = 1.0

    @property
    def verdict(self) -> str:
        """Undecided, whatever the games say, if they were played with another budget than the paper's."""
        return self.at_this_budget if self.budget == 1 else OPEN

    @property
    def at_this_budget(self) -> str:
        found = {statement.verdict for statement in self.statements}
        if REFUTED in found:
            return REFUTED
        return HOLDS if found == {HOLDS} else OPEN

    @property
    def needed(self) -> int:
        """More games per cell, as far as they can be foreseen."""
        return max((statement.needed for statement in self.statements if statement.verdict == OPEN), default=0)

    @property
    def open(self) -> list[Statement]:
        """The comparisons that are to be decided; none if the claim is."""
        return [statement for statement in self.statements if statement.verdict == OPEN == self.at_this_budget]

    def as_dict(self) -> dict[str, Any]:
        statements = [
            {name: value for name, value in statement.__dict__.items() if name not in PRIVATE} for statement in self.statements
        ]
        more = self.needed if self.verdict == OPEN else 0
        return {
            "id": self.id,
            "claim": self.claim,
            "verdict": self.verdict,
            "games_needed": more,
            "budget": self.budget,
            "at_this_budget": self.at_this_budget,
            "statements": statements,
        }


def further(games: float, half: float, margin: float) -> float:
    """How many more games bring half of an interval below a margin that is a standard error larger than it looks."""
    hoped = margin + half / STANDARD
    return max(games * ((half / hoped) ** 2 - 1), 1.0) if hoped > 0 else math.inf
