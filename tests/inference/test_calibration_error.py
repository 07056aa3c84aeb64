"""Intervals for norms of calibration gaps."""

import math
from typing import Any

import numpy as np
import pytest

from certus.inference import Estimate, proportion_interval
from certus.statistic import CalibrationError

NORMS: list[Any] = ["l1", "l2", "l2-debiased", "max"]
Z = 1.959963984540054


def estimate(*columns: Any, **keywords: Any) -> Estimate:
    return Estimate(CalibrationError(*columns, **keywords), bounds=(0.0, 1.0))


def drawn(rng: np.random.Generator, n: int, slope: float = 1.0, bins: int = 10) -> tuple[Any, Any, Any]:
    """Uniform predictions whose logit is off by a factor; bins of equal width."""
    p = rng.random(n)
    odds = (p / (1 - p)) ** slope
    return np.minimum((p * bins).astype(int), bins - 1), p, rng.random(n) < odds / (1 + odds)


def test_l1_limits_by_hand() -> None:
    # One bin, 9 of 12 came true where 0.5 was predicted: Wilson's interval reaches further down, by d; so the standard
    # error is d / z, the bias sqrt(2/pi) d / z and the half width d.
    columns = [0] * 12, [0.5] * 12, [1] * 9 + [0] * 3
    down = 0.75 - proportion_interval(9, 12).low
    low, high = interval = estimate(*columns).interval()
    method = interval.method
    assert method == "bias-aware"
    assert high == pytest.approx(0.25 + down, rel=1e-12)
    assert low == pytest.approx(max(0, 0.25 - down - math.sqrt(2 / math.pi) * down / Z), abs=1e-12)


def test_max_limits_by_hand() -> None:
    # Two bins: 9 of 12 where 0.125 was predicted, 1 of 4 where 0.5 was.
    columns = [0] * 12 + [1] * 4, [0.125] * 12 + [0.5] * 4, [1] * 9 + [0] * 3 + [1] + [0] * 3
    low, high = estimate(*columns, "max").interval()
    # The lower limits of both bins and both directions hold at once at 2.5%, one upper limit does at 2.5%.
    assert low == pytest.approx(proportion_interval(9, 12, 1 - 0.05 / 4, "clopper-pearson").low - 0.125, rel=1e-12)
    assert high == pytest.approx(proportion_interval(9, 12, method="clopper-pearson").high - 0.125, rel=1e-12)


@pytest.mark.parametrize("norm", NORMS)
def test_equal_weights_and_groups_of_copies_change_no_limit(norm: Any) -> None:
    columns = drawn(np.random.default_rng(1), 60, 0.3, 4)
    expected = estimate(*columns, norm)
    weighted = estimate(*columns, norm, weights=np.full(60, 2.5))
    copies = estimate(*[np.repeat(column, 3) for column in columns], norm, groups=np.repeat(np.arange(60), 3))
    assert copies.n == 60
    for other in (weighted, copies):
        assert other.value == pytest.approx(expected.value, rel=1e-12)
        assert other.interval()[:2] == pytest.approx(expected.interval()[:2], rel=1e-12)
        assert other.standard_error == pytest.approx(expected.standard_error, rel=1e-12)
        assert other.interval(method="bca", replicates=99)[:2] == pytest.approx(
            expected.interval(method="bca", replicates=99)[:2], rel=1e-9
        )


@pytest.mark.parametrize("norm", NORMS)
def test_the_influence_of_a_unit_is_the_slope_of_the_value_in_its_weight(norm: Any) -> None:
    columns = drawn(np.random.default_rng(2), 5000, 0.3, 4)
    gaps = CalibrationError(*columns, norm)
    slopes = []
    for i in range(0, 5000, 50):
        weights = np.ones(5000)
        weights[i] += 1e-4
        slopes.append((gaps.of(weights) - gaps.value) / 1e-4)
    sample = math.sqrt(5000 * np.mean(np.square(slopes)))
    assert Estimate(gaps).standard_error == pytest.approx(sample, rel=0.25)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("slope", [1.0, 0.6])
def test_bias_aware_limits_cover_where_a_bootstrap_does_not(norm: Any, slope: float) -> None:
    rng = np.random.default_rng(3)
    bins, p, _ = drawn(rng, 400_000, slope)
    odds = (p / (1 - p)) ** slope
    truth = (
        CalibrationError(bins, p, odds / (1 + odds), "l2" if norm == "l2-debiased" else norm).value
        if slope < 1
        else 0.0
    )
    covered = percentile = 0
    for _ in range(200):
        found = estimate(*drawn(rng, 300, slope), norm)
        covered += found.interval().low <= truth <= found.interval().high
        if slope == 1 and norm == "l1":
            percentile += found.interval(method="percentile", replicates=99).low <= truth
    assert covered >= 182  # 0.95 of 200, less 2.6 standard errors
    assert percentile == 0


@pytest.mark.parametrize("norm", NORMS)
def test_outcomes_that_are_all_alike_leave_some_width(norm: Any) -> None:
    low, high = estimate([0] * 10, [0.0] * 10, [0] * 10, norm).interval()
    assert low == 0
    assert 0.25 < high < 0.6


@pytest.mark.parametrize("method", ["bias-aware", "percentile", "bca"])
def test_one_unit_shows_no_spread(method: str) -> None:
    alone = estimate([0], [0.5], [1])
    assert alone.interval(method=method).reason == "1 sample alone has no variance"
    assert math.isnan(alone.standard_error)


def test_replicates_weigh_units_as_often_as_they_are_drawn() -> None:
    columns = drawn(np.random.default_rng(4), 20, 0.5, 3)
    for norm in NORMS:
        gaps = CalibrationError(*columns, norm)
        counts = np.random.default_rng(5).integers(0, 3, 20)
        bins, p, y = (np.repeat(column, counts) for column in columns)
        repeated = CalibrationError(bins, p, y, norm)
        assert gaps.of(counts) == pytest.approx(repeated.value, rel=1e-12, abs=1e-15)


def test_bca_has_no_bias_correction_where_the_value_is_0() -> None:
    assert estimate([0, 0], [0.5, 0.5], [0, 1]).interval(method="bca").reason.startswith("the value is 0")


def test_units_in_several_bins_share_their_noise() -> None:
    # Each group is right or wrong as a whole, in two bins at once: that is as many units as groups.
    rng = np.random.default_rng(6)
    outcome = np.repeat(rng.random(50) < 0.8, 2)
    columns = np.tile([0, 1], 50), np.full(100, 0.5), outcome
    apart = estimate(*columns).interval()
    together = estimate(*columns, groups=np.repeat(np.arange(50), 2)).interval()
    value = estimate(*columns).value
    assert together.high - value == pytest.approx(math.sqrt(2) * (apart.high - value), rel=1e-9)


def test_noise_is_shared_as_rows_count_and_not_as_bins_do() -> None:
    # Where .25 was predicted, 8 of 16 came true; where .5 was, 6 of 8, each beside a row of the first bin: both in
    # 4 groups, the second alone in 2, neither in 2. Rows are off their mean by 1/2, squared that is 4 in all, by
    # 1/4 and 3/4, which is 3/2 in all. Sums of the two rows are off by 3/4, -1/4 and -5/4.
    bins, predicted = [0] * 16 + [1] * 8, [0.25] * 16 + [0.5] * 8
    outcome = [1] * 4 + [0] * 4 + [1] * 4 + [0] * 4 + [1] * 6 + [0] * 2
    apart = estimate(bins, predicted, outcome)
    together = estimate(bins, predicted, outcome, groups=np.array([*range(16), *range(8)]))
    factor = (4 * 9 / 16 + 2 / 16 + 2 * 25 / 16 + 8 / 4) / (4 + 3 / 2)
    wider = (together.interval().high - apart.value) / (apart.interval().high - apart.value)
    assert wider == pytest.approx(math.sqrt(factor), rel=1e-9)


def calibration(rng: np.random.Generator, n: int, bins: int, slope: float) -> Estimate:
    p = rng.random(n)
    odds = (p / (1 - p)) ** slope
    outcomes = rng.random(n) < odds / (1 + odds)
    return Estimate(CalibrationError(np.minimum((p * bins).astype(int), bins - 1), p, outcomes), bounds=(0.0, 1.0))


def test_open_gaps_are_taken_to_have_no_bias() -> None:
    # A value of .15 of 5,000 samples: with the bias of closed gaps taken off for all bins the width is .045.
    interval = calibration(np.random.default_rng(2), 5000, 15, 0.3).interval()
    assert 0.02 < interval.high - interval.low < 0.032


@pytest.mark.parametrize(("n", "bins"), [(200, 1), (300, 2), (1000, 15), (5000, 300)])
def test_calibrated_predictions_have_a_lower_limit_of_zero(n: int, bins: int) -> None:
    rng = np.random.default_rng(n)
    assert sum(calibration(rng, n, bins, 1.0).interval().low == 0 for _ in range(200)) >= 0.96 * 200


def test_a_maximum_says_so_where_bins_without_samples_could_have_greater_gaps() -> None:
    from certus.classification import maximum_calibration_error
    from certus.inference.intervals.calibration_error import UNSEEN

    rng = np.random.default_rng(4)
    truth = (rng.random(900) < 0.03).astype(int)
    assert maximum_calibration_error(truth, np.full(900, 0.03)).interval().reason == UNSEEN
    assert maximum_calibration_error(truth, np.full(900, 0.03), strategy="equal-mass").interval().reason == ""
    spread = (np.arange(900) + 0.5) / 900
    assert maximum_calibration_error((rng.random(900) < spread).astype(int), spread).interval().reason == ""
    # The greater probability of two classes is at least 1/2: the bins below it are not bins without samples.
    greater = maximum_calibration_error((rng.random(900) < spread).astype(int), spread, confidence="top")
    assert greater.interval().reason == ""


def test_bins_without_samples_are_taken_to_have_the_outcomes_of_all_samples_or_of_the_next_bins() -> None:
    from certus.classification import maximum_calibration_error
    from certus.inference.intervals.calibration_error import UNSEEN

    # The upper limit is the gap .8 of one sample; at .967 no positives, as in the next bin, would be a greater one.
    sparse = maximum_calibration_error([0] * 90 + [1] * 10 + [0], [0.1] * 100 + [0.8])
    assert sparse.interval().high == pytest.approx(0.8)
    assert sparse.interval().reason == UNSEEN
    # The upper limit is .675, that of one sample at .3; at .967 the share of all samples, .4, would be a gap of .567.
    truth, pred = [0] + [0] * 60 + [1] * 40, [0.3] + [0.4] * 100
    assert maximum_calibration_error(truth, pred).interval().high == pytest.approx(0.675)
    assert maximum_calibration_error(truth, pred).interval().reason == ""


def test_a_bin_of_groups_that_lie_on_their_gap_needs_no_division_by_zero() -> None:
    columns = [0, 0, 0, 1], [0.1, 0.1, 0.1, 0.9], [1, 1, 1, 0]
    with np.errstate(all="raise"):
        low, high, *_ = estimate(*columns, "max", groups=np.array([0, 0, 0, 1])).interval()
    assert 0 <= low < 0.9 <= high <= 1
