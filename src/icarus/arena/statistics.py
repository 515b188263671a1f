"""What games tell and what they do not: intervals, comparisons, and how many games a question needs.

====================================  ===========================================================================================
``clopper_pearson(wins, games)``      the exact binomial interval of all five papers
``Tally``                             wins, draws, losses; a draw counts half, or as a loss (icarus-2014)
``compare(a, b)``                     two win rates from different games: difference, interval, p value
``paired(a, b)``                      the same over common deals, which removes the luck of the deal
``holm(p_values)``                    p values of several tests at once, corrected for their number
``anova(cells)``                      how much each enhancement changes the score, over all combinations (icarus-2014, section 8)
``anytime_interval(tally)``           an interval that may be looked at after every game: the basis of stopping early
``anytime_mean(scores)``              the same for scores in 0 .. 1, such as those of whole deals
``over_deals(scores)``                the mean score of deals with an interval, where the games of a deal belong together
``settled(tally, margin)``            the sequential test: better, worse, equal within a margin, or undecided
``games_needed(difference)``          "how many games do I need to see 3 points?"
====================================  ===========================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special, stats

LEVEL = 0.95  #: of all intervals in the papers
DRAWS = ("half", "loss")


class Interval(NamedTuple):
    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


def clopper_pearson(successes: float, trials: int, level: float = LEVEL) -> Interval:
    """The exact interval for a binomial rate (C. J. Clopper and E. S. Pearson, 1934).

    ``successes`` may be a sum of half points.  A game that can be drawn varies less than one that is won or lost at the same
    mean score, so that the interval errs on the wide side.
    """
    if not 0 <= successes <= trials or not 0 < level < 1:
        raise ValueError(f"clopper_pearson({successes}, {trials}, {level}): needs 0 <= successes <= trials and 0 < level < 1")
    tail = (1 - level) / 2
    low = float(stats.beta.ppf(tail, successes, trials - successes + 1)) if successes > 0 else 0.0
    high = float(stats.beta.isf(tail, successes + 1, trials - successes)) if successes < trials else 1.0
    return Interval(low, high)


@dataclass(frozen=True)
class Tally:
    """How a player fared."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def points(self, draws: str = "half") -> float:
        """Wins, and half of the draws if ``draws`` is "half"."""
        if draws not in DRAWS:
            raise ValueError(f"draws={draws!r}: choose one of {', '.join(DRAWS)}")
        return self.wins + self.draws / 2 if draws == "half" else float(self.wins)

    def rate(self, draws: str = "half") -> float:
        """The share of points, or NaN before the first game."""
        return self.points(draws) / self.games if self.games else math.nan

    def interval(self, draws: str = "half", level: float = LEVEL) -> Interval:
        return clopper_pearson(self.points(draws), self.games, level)

    def variance(self, draws: str = "half") -> float:
        """The variance of one game's points, estimated."""
        if not self.games:
            return 0.25
        squares = self.wins + (self.draws / 4 if draws == "half" else 0)
        return squares / self.games - self.rate(draws) ** 2

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


# --- comparisons -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A difference of two scores, in the range -1 to 1, with its interval and two-sided p value."""

    estimate: float
    low: float
    high: float
    p: float
    games: int

    @property
    def significant(self) -> bool:
        """The interval does not contain zero."""
        return self.low > 0 or self.high < 0


def compare(first: Tally, second: Tally, draws: str = "half", level: float = LEVEL) -> Difference:
    """The rates of two players in different games.

    The interval is R. G. Newcombe's (1998, method 10, from two Wilson intervals), which stays honest near 0 and 1; the p value is
    that of Fisher's exact test over whole points, so that half points are rounded against the difference.
    """
    if not first.games or not second.games:
        return Difference(math.nan, -1.0, 1.0, 1.0, first.games + second.games)
    a, b = first.rate(draws), second.rate(draws)
    low_a, high_a = _wilson(first.points(draws), first.games, level)
    low_b, high_b = _wilson(second.points(draws), second.games, level)
    low = a - b - math.hypot(a - low_a, high_b - b)
    high = a - b + math.hypot(high_a - a, b - low_b)
    up, down = (math.floor, math.ceil) if a >= b else (math.ceil, math.floor)
    x, y = up(first.points(draws)), down(second.points(draws))
    p = float(stats.fisher_exact([[x, first.games - x], [y, second.games - y]]).pvalue)
    return Difference(a - b, low, high, p, first.games + second.games)


def _wilson(successes: float, trials: int, level: float) -> Interval:
    z = float(stats.norm.isf((1 - level) / 2))
    rate = successes / trials
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    return Interval(max(middle - half, 0.0), min(middle + half, 1.0))


def paired(first: Sequence[float], second: Sequence[float], level: float = LEVEL) -> Difference:
    """The scores of two players over the same deals, deal by deal.

    The interval is Student's over the differences; the p value is the exact sign test's over the deals on which they differ.
    """
    if len(first) != len(second):
        raise ValueError(f"paired scores need the same deals: {len(first)} and {len(second)} scores were given")
    differences = np.asarray(first, float) - np.asarray(second, float)
    if not len(differences):
        return Difference(math.nan, -1.0, 1.0, 1.0, 0)
    estimate = float(differences.mean())
    if len(differences) < 2:
        return Difference(estimate, -1.0, 1.0, 1.0, 2)
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    p = float(stats.binomtest(better, better + worse).pvalue) if better + worse else 1.0
    # deals that all end alike would give an interval of no width; one deal more, of either kind, keeps it honest
    padded = np.concatenate([differences, [1.0, -1.0]])
    spread = max(float(differences.std(ddof=1)), float(padded.std(ddof=1)) if differences.std() == 0 else 0.0)
    half = float(stats.t.isf((1 - level) / 2, len(differences) - 1)) * spread / math.sqrt(len(differences))
    return Difference(estimate, max(estimate - half, -1.0), min(estimate + half, 1.0), p, 2 * len(differences))


def holm(p_values: Sequence[float]) -> list[float]:
    """P values of several tests, so adjusted that any of them is falsely below 0.05 in one case of twenty (S. Holm, 1979)."""
    adjusted, largest = [1.0] * len(p_values), 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min((len(p_values) - rank) * p_values[number], 1.0))
        adjusted[number] = largest
    return adjusted


# --- analysis of variance --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """What a factor adds to the score, all other factors and the block (the game) being equal."""

    factor: str
    estimate: float
    low: float
    high: float
    f: float
    p: float


def anova(cells: Mapping[tuple[str, frozenset[str]], Tally], draws: str = "half", level: float = LEVEL) -> list[Effect]:
    """Main effects of factors over games: every cell is (block, factors present) with its results.

    A linear model, score = block + sum of effects, is fitted to the single games; a factor's F is the partial one: what the
    fit loses without it.  This is the analysis of section 8 of icarus-2014, where factors are enhancements and blocks are games.
    """
    filled = {key: tally for key, tally in cells.items() if tally.games}
    blocks = sorted({block for block, _ in filled})
    factors = sorted({factor for _, present in filled for factor in present})
    if not factors or not filled:
        return []
    counts = np.array([tally.games for tally in filled.values()], float)
    means = np.array([tally.rate(draws) for tally in filled.values()])
    within = sum(tally.games * tally.variance(draws) for tally in filled.values())
    design = np.array(
        [[float(block == b) for b in blocks] + [float(f in present) for f in factors] for block, present in filled], float
    )
    freedom = int(counts.sum()) - design.shape[1]
    full, solution, covariance = _fit(design, means, counts)
    noise = (full + within) / freedom if freedom > 0 else math.nan
    effects = []
    for i, factor in enumerate(factors):
        column = len(blocks) + i
        reduced, _, _ = _fit(np.delete(design, column, axis=1), means, counts)
        f = (reduced - full) / noise if noise > 0 else math.inf
        half = float(stats.t.isf((1 - level) / 2, freedom)) * math.sqrt(max(noise * covariance[column, column], 0.0))
        estimate = float(solution[column])
        effects.append(Effect(factor, estimate, estimate - half, estimate + half, float(f), float(stats.f.sf(f, 1, freedom))))
    return effects


def _fit(
    design: npt.NDArray[np.float64], means: npt.NDArray[np.float64], counts: npt.NDArray[np.float64]
) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Weighted least squares: residual sum of squares between cells, coefficients, inverse of the normal matrix."""
    normal = design.T @ (design * counts[:, None])
    inverse: npt.NDArray[np.float64] = np.linalg.pinv(normal).astype(np.float64)
    solution = inverse @ (design.T @ (counts * means))
    return float((counts * (means - design @ solution) ** 2).sum()), solution, inverse


# --- looking after every game ----------------------------------------------------------------------------------------

_GRID = np.linspace(0.0005, 0.9995, 1000)  #: candidate mean scores
_BETS = (np.arange(200) + 0.5) / 200  #: alternatives against which each candidate is played


def anytime_interval(tally: Tally, draws: str = "half", level: float = LEVEL) -> Interval:
    """An interval for the mean score that holds at *all* numbers of games at once, so that it may decide when to stop.

    A candidate mean m is given up when a gambler who bets against it has made 1 / (1 - level) times his stake (J. Ville, 1939):
    under m the bets are fair, so that this happens at any time at all with a probability of at most 1 - level.  The stake is
    spread over all alternatives q, as H. Robbins (1970) does for won or lost games; with x points in a game a bet pays
    1 + (q - m)(x - m) / (m (1 - m)), which is fair for half points too (I. Waudby-Smith and A. Ramdas, 2024).
    """
    return _not_given_up(_winnings(tally, _GRID, draws), tally.rate(draws), level)


def anytime_mean(scores: Sequence[float], level: float = LEVEL) -> Interval:
    """The interval of :func:`anytime_interval` for the mean of scores in 0 .. 1, such as those of deals played in all seatings.

    The same bets are fair for any such score and never lose more than the stake.
    """
    if not len(scores):
        return Interval(0.0, 1.0)
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    if values[0] < 0 or values[-1] > 1:
        raise ValueError("anytime_mean needs scores from 0 to 1")
    m, q = _GRID[:, None, None], _BETS[None, :, None]
    wealth = (counts * np.log(1 + (q - m) * (values - m) / (m * (1 - m)))).sum(axis=2)
    return _not_given_up(special.logsumexp(wealth, axis=1) - math.log(_BETS.size), float(np.mean(scores)), level)


def over_deals(scores: Sequence[float], level: float = LEVEL) -> Interval:
    """The interval of a mean score over deals: a deal is one observation, however many games it was played in."""
    if not len(scores):
        return Interval(0.0, 1.0)
    difference = paired(scores, [1 - score for score in scores], level)
    return Interval(0.5 + difference.low / 2, 0.5 + difference.high / 2)


def _not_given_up(winnings: npt.NDArray[np.float64], rate: float, level: float) -> Interval:
    possible = _GRID[winnings < -math.log(1 - level)]
    step = float(_GRID[1] - _GRID[0])
    low, high = (float(possible[0]), float(possible[-1])) if possible.size else (rate, rate)
    return Interval(max(low - step, 0.0), min(high + step, 1.0))


def _winnings(tally: Tally, means: npt.NDArray[np.float64], draws: str) -> npt.NDArray[np.float64]:
    """The logarithm of what a stake of 1 against each of these means has become."""
    wins, halves = tally.wins, tally.draws if draws == "half" else 0
    losses = tally.games - wins - halves
    m, q = means[:, None], _BETS[None, :]
    wealth = wins * np.log(q / m) + losses * np.log((1 - q) / (1 - m))
    if halves:
        wealth = wealth + halves * np.log(1 + (q - m) * (0.5 - m) / (m * (1 - m)))
    winnings: npt.NDArray[np.float64] = special.logsumexp(wealth, axis=1) - math.log(_BETS.size)
    return winnings


def settled(tally: Tally, margin: float, even: float = 0.5, draws: str = "half", level: float = LEVEL) -> str:
    """The sequential test: ``better`` or ``worse`` than an even score, ``equal`` within the margin, or ``undecided``: play on.

    Whenever it is asked, and however often, equal players are called different with a probability of at most 1 - level.
    """
    if not 0 < even - margin < even + margin < 1:
        raise ValueError(f"a margin of {margin} around {even} is not within 0 .. 1")
    against = _winnings(tally, np.array([even, even - margin, even + margin]), draws)
    given_up = against >= -math.log(1 - level)
    if given_up[0]:
        return "better" if tally.rate(draws) > even else "worse"
    return "equal" if given_up[1] and given_up[2] else "undecided"


# --- planning --------------------------------------------------------------------------------------------------------


def games_needed(
    difference: float, rate: float = 0.5, level: float = LEVEL, power: float = 0.8, between_players: bool = False
) -> int:
    """Games to see a difference from ``rate`` with this probability (``power``) at this two-sided level.

    Against a known rate (one player against another: 50 %) these are all games; with ``between_players`` two measured rates are
    compared, and it is the number of games for each of the two.
    """
    other = rate + difference
    if difference == 0 or not 0 <= rate <= 1 or not 0 <= other <= 1:
        raise ValueError(f"a difference of {difference} from {rate} is not between two different rates in 0 .. 1")
    z_level, z_power = float(stats.norm.isf((1 - level) / 2)), float(stats.norm.ppf(power))
    if between_players:
        mean = (rate + other) / 2
        spread = z_level * math.sqrt(2 * mean * (1 - mean)) + z_power * math.sqrt(rate * (1 - rate) + other * (1 - other))
    else:
        spread = z_level * math.sqrt(rate * (1 - rate)) + z_power * math.sqrt(other * (1 - other))
    return math.ceil((spread / difference) ** 2)
