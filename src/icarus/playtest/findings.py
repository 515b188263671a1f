"""What stands out in a playtest, in a few sentences: only what its intervals, and not its estimates, say."""

from __future__ import annotations

from icarus.arena.statistics import LEVEL, clopper_pearson
from icarus.playtest.figures import Figure
from icarus.playtest.result import WON, Playtest

MANY_DRAWS = 0.3  #: of all games
EARLY = 0.5  #: of the game, after which the winner is known
THINKING = 3  #: doublings of thinking time that surely pay, in a game of skill
OFTEN = 0.05  #: of all games, for what should not happen


def findings(found: Playtest) -> list[str]:
    """Sentences, the most important first; none if nothing stands out."""
    figures, told = found.portrait, []
    if found.proven:
        told.append(f"With perfect play who moves first has a {found.proven}: that is proven.")
    even = 1 / max(len(figures.seats), 1)
    told += [
        f"The seats are not even: {role} wins {percent(seat)} of the games; {100 * even:.0f} % would be even."
        for role, seat in uneven(found)
        if len(figures.seats) > 2 or seat.score > even  # of two, one says it for both
    ]
    if figures.draws.low > MANY_DRAWS:
        told.append(f"Many games are draws: {percent(figures.draws)}.")
    if figures.decisiveness.high < EARLY:
        told.append(f"It is soon decided: the winner is known after {percent(figures.decisiveness)} of the game.")
    least, _ = found.steps_range
    if found.ladder and all(figure.high < WON for _, figure in found.ladder):
        told.append("Thinking longer brings little: no doubling of thinking time scores 60 %.")
    elif least >= THINKING:
        told.append(f"Thinking is rewarded: {least} of {len(found.ladder)} doublings of thinking time surely score 60 %.")
    if figures.never:
        told.append(f"Nobody plays {listed(figures.never, 5)}.")
    told += [
        f"Whoever never plays {label} scores {percent(score)} against those who may: the game hangs on it."
        for label, score in found.restricted
        if score.high < even / 2
    ]
    if figures.repetitions.low > OFTEN:
        told.append(f"Positions come back in {percent(figures.repetitions)} of the games: look for loops.")
    if figures.stalemates.low > OFTEN:
        told.append(f"In {percent(figures.stalemates)} of the games nobody has a choice for two rounds.")
    return told


def uneven(found: Playtest) -> list[tuple[str, Figure]]:
    """Seats that win more or less than their share; of many seats, all together are wrongly named once in twenty playtests."""
    seats = found.portrait.seats
    tests = len(seats) if len(seats) > 2 else 1  # what one of two wins, the other one does not
    named = []
    for role, seat in zip(found.roles, seats, strict=bool(seats)):
        low, high = clopper_pearson(seat.score * seat.count, seat.count, 1 - (1 - LEVEL) / tests)
        if low > 1 / len(seats) or high < 1 / len(seats):
            named.append((role, seat))
    return named


def percent(figure: Figure) -> str:
    """A share with its interval, as people write it."""
    digits = 1 if figure.high - figure.low < 0.02 else 0
    score, low, high = (f"{100 * value:.{digits}f}" for value in (figure.score, figure.low, figure.high))
    return f"{score} % ({low} – {high})"


def listed(labels: list[str], most: int) -> str:
    """The first of them, and how many more there are."""
    return ", ".join(labels[:most]) + (f" and {len(labels) - most} more" if len(labels) > most else "")
