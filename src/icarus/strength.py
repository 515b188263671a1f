"""A player that is as strong as wanted and not silly: the move is drawn by its visits (Wu et al. 2019).

I-C. Wu, T.-R. Wu, A.-J. Liu, H. Guei and T. Wei, "On strength adjustment for MCTS-based programs" (AAAI 2019): a move with N
visits is played with odds ``N ** z``, and moves with less than a tenth of the visits of the most visited one are never played.
The larger z, the stronger the player; below 0 it prefers what it searched least.  Here ``strength`` 0 to 1 stands for z from -2
to 4, and 1 plays the search's own choice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from icarus.errors import SearchError
from icarus.jit.randomness import mix, random_unit, seeded
from icarus.result import RootAction, SearchResult

THRESHOLD = 0.1  #: of the most visited move's visits; what has fewer is never played
SHORTEST, LONGEST = 0.4, 2.0  #: seconds of thinking that look natural
LONGEST_PACE = 600.0  #: seconds that nobody waits for longer
WEAKEST, STRONGEST = -2.0, 4.0  #: the exponents of strength 0 and of just below 1


def check_strength(strength: float) -> float:
    """The strength, or one line that says its range."""
    if not 0 <= strength <= 1:
        raise SearchError(f"strength={strength:g}: a strength is a number from 0 (weakest) to 1 (the search's own choice)")
    return strength


def odds(visits: list[int], strength: float) -> list[float]:
    """The probabilities with which moves of these visits are played; strength below 1."""
    most = max(visits)
    exponent = WEAKEST + (STRONGEST - WEAKEST) * strength
    weights = [(count / most) ** exponent if count and count >= THRESHOLD * most else 0.0 for count in visits]
    total = sum(weights)
    return [weight / total for weight in weights]


@dataclass(frozen=True)
class Pace:
    """A minimum and a maximum of thinking, in seconds: a machine's moves come as a person's would."""

    shortest: float = SHORTEST
    longest: float = LONGEST

    def seconds(self, result: SearchResult) -> float:
        """How long a person would think about this: a moment where one move stands out, longer where several compete."""
        if len(result.root) < 2:
            return self.shortest
        visits = max(sum(row.visits for row in result.root), 1)
        return self.shortest + (self.longest - self.shortest) * (1 - max(row.visits for row in result.root) / visits)

    def __str__(self) -> str:
        return f"{self.shortest:g}-{self.longest:g}"


NATURAL = Pace()


def read_pace(text: str) -> Pace:
    """``0.5-3``: a pace, or one line that says what is wrong with it."""
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)-(\d+\.?\d*|\.\d+)", text.strip())
    if match is None or not 0 <= float(match[1]) <= float(match[2]) <= LONGEST_PACE or float(match[2]) == 0:
        raise SearchError(
            f"--pace {text!r}: the least and the most seconds of a move were expected, such as 0.5-3, up to {LONGEST_PACE:g}"
        )
    return Pace(float(match[1]), float(match[2]))


def probabilities(result: SearchResult, strength: float | None) -> list[tuple[RootAction, float]]:
    """The moves that a player of this strength may play after a search, with their probabilities.

    A move that was searched most and won every time is played: whoever sees a win takes it.
    """
    rows = sorted(result.root, key=lambda row: row.action)
    most = max(rows, key=lambda row: row.visits)
    if strength is None or strength == 1 or not most.visits:
        return [(result.best, 1.0)]
    if most.mean[result.player] > 1 - 1e-9:
        return [(most, 1.0)]
    return [(row, p) for row, p in zip(rows, odds([row.visits for row in rows], strength), strict=True) if p > 0]


def chosen(result: SearchResult, strength: float | None) -> RootAction:
    """The move that a player of this strength plays after a search; the search's seed decides what is drawn."""
    choices = probabilities(result, strength)
    if len(choices) == 1:
        return choices[0][0]
    # the visits too: a search that is kept from move to move has one seed
    visits = sum(row.visits for row in result.root)
    draw = random_unit(seeded(int(mix(result.seed, visits)) & (2**63 - 1), stream=9))
    for row, probability in choices:
        draw -= probability
        if draw < 0:
            return row
    return choices[-1][0]
