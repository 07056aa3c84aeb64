"""Differences of two systems on units of their own."""

import math

import numpy as np
import pytest
from scipy import stats

from certus import MetricNameError
from certus.inference.tests.difference import difference
from certus.statistic import Mean, Proportion, Ratio, UStatistic
from certus.statistic.folds import Independent

SIDES = ("two-sided", "greater", "less")


@pytest.mark.parametrize("side", SIDES)
def test_means_are_welchs(side: str) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.4, 1, 12), rng.normal(0, 3, 30)
    found = difference(Mean(a), Mean(b), paired=False, alternative=side)  # type: ignore[arg-type]
    welch = stats.ttest_ind(a, b, equal_var=False, alternative=side)
    assert (found.p, found.statistic) == pytest.approx((welch.pvalue, welch.statistic), rel=1e-9)
    limits = welch.confidence_interval()
    assert found.difference.interval()[:2] == pytest.approx(tuple(limits), rel=1e-9)


def test_proportions_have_the_score_test_and_the_limits_that_invert_it() -> None:
    # Newcombe (1998), Stat. Med. 17:873-890, table II: 56/70 - 48/80 and 10/10 - 0/20 by method 5 (Mee), then by 10.
    found = difference(Proportion(56, 70), Proportion(48, 80), paired=False, bounds=(0.0, 1.0))
    assert [round(x, 4) for x in found.difference.interval()[:2]] == [0.0533, 0.3377]
    assert [round(x, 4) for x in found.difference.interval(method="newcombe")[:2]] == [0.0524, 0.3339]
    pooled = 104 / 150
    z = 0.2 / math.sqrt(pooled * (1 - pooled) * (1 / 70 + 1 / 80))
    assert found.p == pytest.approx(2 * stats.norm.sf(z))
    apart = difference(Proportion(10, 10), Proportion(0, 20), paired=False, bounds=(0.0, 1.0))
    assert [round(x, 4) for x in apart.difference.interval(method="newcombe")[:2]] == [0.6791, 1.0]
    assert [round(x, 4) for x in apart.difference.interval()[:2]] == [0.7225, 1.0]
    assert apart.p == pytest.approx(2 * stats.norm.sf(1 / math.sqrt((1 / 3) * (2 / 3) * (1 / 10 + 1 / 20))))


def test_areas_add_their_delong_variances() -> None:
    a, b = UStatistic(0.8, (10, 30), (0.04, 0.09)), UStatistic(0.7, (20, 15), (0.05, 0.06))
    found = difference(a, b, paired=False, bounds=(0.0, 1.0))
    shares = [0.04 / 10, 0.09 / 30, 0.05 / 20, 0.06 / 15]
    inner = [sum(shares[:2]) ** 2 / (shares[0] ** 2 / 9 + shares[1] ** 2 / 29)]
    inner.append(sum(shares[2:]) ** 2 / (shares[2] ** 2 / 19 + shares[3] ** 2 / 14))
    freedom = sum(shares) ** 2 / (sum(shares[:2]) ** 2 / inner[0] + sum(shares[2:]) ** 2 / inner[1])
    assert found.p == pytest.approx(2 * stats.t.sf(0.1 / math.sqrt(sum(shares)), freedom), rel=1e-9)
    low, high, *_ = found.difference.interval()
    assert low < 0.1 < high


def test_equal_values_have_p_1_and_undefined_ones_a_reason() -> None:
    for a, b in ((Proportion(5, 10), Proportion(10, 20)), (Mean([0.5, 0.7]), Mean([0.6, 0.6]))):
        assert difference(a, b, paired=False).p == 1.0
    assert difference(Proportion(4, 4), Proportion(7, 7), paired=False).p == 1.0
    assert difference(Proportion(0, 0), Proportion(1, 2), paired=False).reason == "a: there are no samples"
    assert Independent(Proportion(0, 0), Proportion(1, 2)).reason == "there are no samples"
    alone = difference(Mean([0.5]), Mean([0.6, 0.7]), paired=False)
    assert math.isnan(alone.p)
    assert "a single unit" in alone.reason
    assert "a single unit" in alone.difference.interval().reason


def test_ratios_and_dice_are_compared_and_other_tests_refused() -> None:
    found = difference(Ratio([1, 2, 4], [2, 4, 5]), Ratio([1, 1], [3, 5]), paired=False)
    assert found.difference.interval().method == "t"
    assert found.wins is None
    dice = difference(Proportion(5, 9, scale="dice"), Proportion(5, 12, scale="dice"), paired=False)
    assert dice.method == "t"
    assert dice.difference.interval(method="newcombe").method == "mover"
    with pytest.raises(MetricNameError, match="'permutation' is not for independent samples; there are t"):
        difference(Mean([1, 2]), Mean([2, 3]), paired=False, test="permutation")
