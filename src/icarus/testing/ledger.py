"""The book in which the checks are kept: what each of them states, and the first case that breaks it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import NamedTuple

from icarus.testing.report import Check

#: name -> what it states, in the order in which a game should be put right
CHECKS = {
    "plays": "random games are played to the end without an error",
    "start": "the same seed gives the same start position",
    "player": "whoever acts is a player or the environment",
    "legal-bounds": "there are 1 to max_actions legal actions, each in 0 .. 2**31 - 2",
    "legal-distinct": "no legal action is listed twice",
    "legal-stable": "legal actions are listed in the same order when asked again",
    "termination": "a game ends within max_plies",
    "rewards": "there is one reward per player, in [0, 1]",
    "buffers": "no function writes beyond the memory it is given",
    "apply": "the same action in the same state gives the same state",
    "unchanged": "nothing but apply changes a state, and a copy is changed alone",
    "identity": "an action means the same wherever it is legal",
    "extras": "heuristic, episode and predicates are in range",
    "playout": "the game's own playout ends a game with the same rewards as often as random play, step by step",
    "key": "positions with one key are alike: who acts, what is legal, and whether the game is over",
    "own-action": "a player can tell its own actions apart by the moves that it sees",
    "simultaneous-hidden": "who chooses at the same time cannot see the others' choices",
    "outcomes": "sample draws outcomes that legal lists",
    "chance": "probabilities are not negative and add up to 1",
    "chance-sample": "sample draws with the probabilities of chance",
    "observe-view": "the moves that a player saw decide its view, and tell no more than the view",
    "shown-known": "what a player is shown (text, drawing, observation, names of actions) depends on nothing that it cannot know",
    "legal-known": "what a player saw decides its legal actions",
    "determinize-view": "a determinization leaves the observer's view as it is",
    "determinize-legal": "a determinization leaves the observer's legal actions as they are",
    "determinize-possible": "a determinization is a state that can be, with the same player to act",
    "determinize-varies": "what a player cannot know varies between determinizations",
    "determinize-blind": "a determinization does not depend on what is hidden",
    "determinize-uniform": "determinizations are uniform over the information set",
    "no-peeking": "what is hidden makes no difference to a search",
}

#: without these a game cannot be played any further
BASIC = ("plays", "player", "legal-bounds", "termination", "rewards", "buffers")


class Place(NamedTuple):
    """Where in which game."""

    seed: int
    ply: int


@dataclass
class _Page:
    cases: int = 0
    failure: tuple[Place | None, str] | None = None
    reason: str = ""


@dataclass
class Ledger:
    """Counts cases and keeps the first failure of every check.

    ``seconds``: what the whole check may take.  Each part looks at fewer cases, but at one at least, once the share of the time
    is over at whose end it comes.
    """

    seconds: float = math.inf
    begun: float = field(default_factory=time.perf_counter)
    #: determinizations for which the game found nothing that agrees with what the observer saw
    unexplained: int = 0
    pages: dict[str, _Page] = field(default_factory=lambda: {name: _Page() for name in CHECKS})

    def expect(self, name: str, holds: bool, place: Place | None, detail: str) -> bool:
        """A case of a check; ``detail`` says what is wrong if it does not hold."""
        page = self.pages[name]
        page.cases += 1
        if not holds and page.failure is None:
            page.failure = (place, " ".join(detail.split()))
        return holds

    def late(self, share: float) -> bool:
        """Is so much of the time over?"""
        return time.perf_counter() - self.begun > share * self.seconds

    def skip(self, reason: str, *names: str) -> None:
        """These checks do not apply, unless there are cases after all."""
        for name in names:
            self.pages[name].reason = self.pages[name].reason or reason

    def failed(self, *names: str) -> list[str]:
        return [name for name in names or CHECKS if self.pages[name].failure is not None]

    def checks(self) -> list[Check]:
        return [self._check(name, page) for name, page in self.pages.items()]

    @staticmethod
    def _check(name: str, page: _Page) -> Check:
        if page.failure is not None:
            place, detail = page.failure
            seed, ply = place or (None, None)
            return Check(name, CHECKS[name], "failed", page.cases, seed, ply, detail)
        if page.cases == 0:
            return Check(name, CHECKS[name], "not applicable", 0, detail=page.reason or "no such case was met")
        return Check(name, CHECKS[name], "passed", page.cases)
