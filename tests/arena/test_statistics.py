"""Intervals and tests against scipy, published values and seeded simulations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from icarus.arena.statistics import Tally, anova, anytime_interval, clopper_pearson, compare, games_needed, paired, settled


@pytest.mark.parametrize(("wins", "games"), [(0, 1), (1, 1), (3, 10), (250, 1000), (999, 1000), (0, 37880), (562, 1000)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_clopper_pearson_is_scipys_exact_interval(wins: int, games: int, level: float) -> None:
    known = stats.binomtest(wins, games).proportion_ci(confidence_level=level, method="exact")
    assert clopper_pearson(wins, games, level) == pytest.approx((known.low, known.high), abs=1e-12)


def test_clopper_pearson_matches_published_values() -> None:
    # 81 of 263: R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I
    assert clopper_pearson(81, 263) == pytest.approx((0.2527, 0.3676), abs=5e-5)
    assert clopper_pearson(15, 148) == pytest.approx((0.0578, 0.1617), abs=5e-5)
    # the rule of three
    assert clopper_pearson(0, 20).high == pytest.approx(0.1684, abs=5e-5)


def test_newcombes_difference_matches_published_values() -> None:
    # R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10
    found = compare(Tally(56, 0, 14), Tally(48, 0, 32))
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    found = compare(Tally(9, 0, 1), Tally(3, 0, 7))
    assert (found.low, found.high) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert compare(Tally(56, 0, 14), Tally(48, 0, 32)).p == pytest.approx(stats.fisher_exact([[56, 14], [48, 32]]).pvalue)


def test_draws_count_half_or_as_losses() -> None:
    tally = Tally(wins=3, draws=4, losses=3)
    assert tally.rate("half") == 0.5
    assert tally.rate("loss") == 0.3
    assert tally.interval("loss") == clopper_pearson(3, 10)
    assert tally.interval("half") == clopper_pearson(5, 10)
    with pytest.raises(ValueError, match="half, loss"):
        tally.rate("win")


def test_intervals_with_draws_as_half_points_cover_the_true_score() -> None:
    rng = np.random.default_rng(5)
    sample = rng.multinomial(60, [0.3, 0.3, 0.4], size=4000)
    true = 0.3 + 0.15
    covered = sum(true in Tally(*map(int, row)).interval() for row in sample)
    # at least 95 %; the bound leaves room for chance below one in a million
    assert covered >= stats.binom.isf(1 - 1e-6, 4000, 0.95)


def test_paired_comparison_sees_through_the_luck_of_the_deal() -> None:
    rng = np.random.default_rng(7)
    luck = rng.random(400)
    first = (luck < 0.55).astype(float)
    second = (luck < 0.50).astype(float)
    by_deal = paired(first, second)
    apart = compare(Tally(int(first.sum()), 0, int(400 - first.sum())), Tally(int(second.sum()), 0, int(400 - second.sum())))
    assert by_deal.significant
    assert not apart.significant
    assert by_deal.estimate == pytest.approx(apart.estimate)
    assert by_deal.p == pytest.approx(stats.binomtest(int((first > second).sum()), int((first != second).sum())).pvalue)


def test_paired_interval_is_students_over_differences() -> None:
    a, b = [1, 0.5, 0, 1, 1, 0], [0, 0.5, 0, 1, 0, 1]
    known = stats.ttest_rel(a, b).confidence_interval(0.95)
    found = paired(a, b)
    assert (found.low, found.high) == pytest.approx((max(known.low, -1), min(known.high, 1)))


def test_identical_results_do_not_prove_equality_from_two_deals() -> None:
    found = paired([1, 0], [1, 0])
    assert found.estimate == 0
    assert found.high > 0.5


def test_anova_of_one_factor_is_the_one_way_f_test() -> None:
    known = stats.f_oneway([1] * 60 + [0] * 40, [1] * 45 + [0] * 55)
    (effect,) = anova({("othello", frozenset()): Tally(60, 0, 40), ("othello", frozenset("N")): Tally(45, 0, 55)})
    assert effect.f == pytest.approx(known.statistic)
    assert effect.p == pytest.approx(known.pvalue)
    assert effect.estimate == pytest.approx(-0.15)


def test_anova_finds_the_factor_that_matters_and_blocks_remove_the_games() -> None:
    rng = np.random.default_rng(11)
    cells = {}
    for block, base in (("easy", 0.7), ("hard", 0.2)):
        for present in (frozenset(), frozenset("N"), frozenset("R"), frozenset("NR")):
            wins = int(rng.binomial(1000, base + 0.1 * ("N" in present)))
            cells[(block, present)] = Tally(wins, 0, 1000 - wins)
    nast, rave = anova(cells)
    assert nast.factor == "N"
    assert nast.p < 1e-6
    assert 0.1 - 0.05 < nast.estimate < 0.1 + 0.05
    assert rave.low < 0 < rave.high


def test_anova_false_positive_rate() -> None:
    rng = np.random.default_rng(13)
    alarms = 0
    for _ in range(1000):
        wins = rng.binomial(50, 0.5, size=4)
        keys = [frozenset(), frozenset("A"), frozenset("B"), frozenset("AB")]
        cells = {("g", key): Tally(int(k), 0, 50 - int(k)) for key, k in zip(keys, wins, strict=True)}
        alarms += anova(cells)[0].p < 0.05
    assert alarms <= stats.binom.isf(1e-6, 1000, 0.06)


def test_equal_players_are_not_found_different_however_often_one_looks() -> None:
    """The false positive rate of the sequential test, measured: 400 experiments of 600 games, looked at after every 20."""
    rng = np.random.default_rng(17)
    alarms = 0
    for chance_of_draw in (0.0, 0.4):
        decisive = (1 - chance_of_draw) / 2
        games = rng.choice([1.0, 0.5, 0.0], p=[decisive, chance_of_draw, decisive], size=(200, 600))
        for row in games:
            for n in range(20, 601, 20):
                seen = row[:n]
                tally = Tally(int((seen == 1).sum()), int((seen == 0.5).sum()), int((seen == 0).sum()))
                verdict = settled(tally, margin=0.02)
                if verdict in ("better", "worse"):
                    alarms += 1
                if verdict != "undecided":
                    break
    assert alarms <= stats.binom.isf(1e-6, 400, 0.05)
    assert alarms < 400 * 0.06  # and in this seeded run it is below the level itself


def test_sequential_test_settles_what_is_clear() -> None:
    assert settled(Tally(80, 0, 20), margin=0.03) == "better"
    assert settled(Tally(20, 0, 80), margin=0.03) == "worse"
    assert settled(Tally(6, 0, 4), margin=0.03) == "undecided"
    assert settled(Tally(10000, 0, 10000), margin=0.05) == "equal"
    assert settled(Tally(0, 5000, 0), margin=0.05) == "equal"


def test_anytime_interval_is_wider_than_the_interval_for_a_fixed_number_of_games() -> None:
    tally = Tally(60, 0, 40)
    anytime, fixed = anytime_interval(tally), tally.interval()
    assert anytime.low < fixed.low
    assert fixed.high < anytime.high


def test_games_needed_matches_published_tables() -> None:
    # J. L. Fleiss, Statistical Methods for Rates and Proportions: .5 against .6, 5 % two-sided, power 80 %: 387.3 each
    assert games_needed(0.1, 0.5, between_players=True) == 388
    # "how many games do I need to see 3 points?"
    assert games_needed(0.03) == 2178
    with pytest.raises(ValueError, match="difference"):
        games_needed(0.0)


def test_games_needed_gives_the_power_that_it_promises() -> None:
    n = games_needed(0.06, power=0.9)
    low, high = stats.binom.isf(0.975, n, 0.5), stats.binom.isf(0.025, n, 0.5)
    power = stats.binom.sf(high, n, 0.56) + stats.binom.cdf(low - 1, n, 0.56)
    assert power == pytest.approx(0.9, abs=0.01)
    assert math.isclose(games_needed(0.06), games_needed(-0.06), rel_tol=0.02)
