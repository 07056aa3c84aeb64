"""Intervals for a mean."""

import math
from typing import Literal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import certus
from certus.core import kernels
from certus.inference import Estimate, mean_interval
from certus.inference.estimate import SubgroupEstimates
from certus.statistic import Mean
from certus.statistic.mean import MeanByMoments

SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
"""Additional hours of sleep, Student (1908), table on page 20, the differences."""
METHODS = ("t", "hall", "normal", "percentile", "bca", "bootstrap-t")

values = st.lists(st.floats(0, 1).map(lambda v: round(v, 4)), min_size=2, max_size=30)


def test_t_interval_by_hand() -> None:
    # mean 3, s^2 = 10/4, SE = sqrt(0.5), t(4; 0.975) = 2.776445105
    low, high = interval = mean_interval([1, 2, 3, 4, 5])
    level, method = interval.level, interval.method
    assert (low, high) == pytest.approx((3 - 2.776445105 * math.sqrt(0.5), 3 + 2.776445105 * math.sqrt(0.5)))
    assert (level, method) == (0.95, "t")


def test_normal_interval_by_hand() -> None:
    half_width = 1.959963985 * math.sqrt(0.5)
    assert mean_interval([1, 2, 3, 4, 5], method="normal")[:2] == pytest.approx((3 - half_width, 3 + half_width))


@given(values, st.floats(0.01, 0.999))
def test_t_is_scipys_and_contains_the_mean(x: list[float], level: float) -> None:
    assume(len(set(x)) > 1)
    low, high, *_ = mean_interval(x, level, "t")
    law, upper = stats.t(len(x) - 1), (1 + level) / 2
    quantile = law.ppf(upper)
    quantile -= (law.cdf(quantile) - upper) / law.pdf(quantile)  # the quantiles of scipy 1.12 have 11 digits alone
    expected = np.mean(x) + np.array([-1, 1]) * quantile * stats.sem(x)
    assert (low, high) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert low <= Mean(x).value <= high


@given(values, st.sampled_from(METHODS), st.sampled_from([-3.0, 0.5, 7.0]), st.sampled_from([0.5, 4.0]))
def test_intervals_move_and_stretch_with_the_values(x: list[float], method: str, shift: float, scale: float) -> None:
    assume(len(set(x)) > 1)
    base = mean_interval(x, 0.9, method, replicates=999)
    moved = mean_interval([shift + scale * v for v in x], 0.9, method, replicates=999)
    assume(math.isfinite(base.low) and math.isfinite(base.high))
    # Adding the shift rounds the values to about 1e-15, and BCa's probabilities move by as much.
    assert moved[:2] == pytest.approx((shift + scale * base.low, shift + scale * base.high), abs=1e-6)


def test_percentile_limits_are_quantiles_of_the_resampled_means() -> None:
    x = np.sort(SLEEP)
    counts = kernels.resample_counts(10, first=0, replicates=1999, seed=3)
    expected = np.sort(counts @ x / 10)[[49, 1949]]
    assert mean_interval(x, method="percentile", replicates=1999, seed=3)[:2] == pytest.approx(expected, rel=1e-12)


def test_bootstrap_t_is_its_definition() -> None:
    x = np.sort(SLEEP)
    n, error = len(x), np.std(x, ddof=1) / math.sqrt(len(x))
    ratios = []
    for row in kernels.resample_counts(n, first=0, replicates=1999, seed=4):
        resample = np.repeat(x, row)
        ratios.append((resample.mean() - x.mean()) / (resample.std(ddof=1) / math.sqrt(n)))
    ratios.sort()
    expected = (x.mean() - ratios[1949] * error, x.mean() - ratios[49] * error)
    assert mean_interval(x, method="bootstrap-t", replicates=1999, seed=4)[:2] == pytest.approx(expected, rel=1e-9)


def test_bootstrap_t_with_too_few_values_reaches_the_bounds_and_says_why() -> None:
    # 1 resample of 4 consists of one value only and of those half lie on either side.
    interval = mean_interval([0.2, 0.3], method="bootstrap-t", bounds=(0.0, 1.0))
    assert interval[:2] == (0.0, 1.0)
    assert interval.reason == "too many resamples consist of equal values"


def test_bootstrap_intervals_depend_on_the_seed_only() -> None:
    for method in ("percentile", "bca", "bootstrap-t"):
        assert mean_interval(SLEEP, method=method, seed=1) == mean_interval(SLEEP, method=method, seed=1)
        assert mean_interval(SLEEP, method=method, seed=1) != mean_interval(SLEEP, method=method, seed=2)


def test_geometric_mean_has_the_interval_of_the_logs() -> None:
    x = [0.1, 0.2, 0.4, 0.05, 0.0]
    logs = np.log(np.maximum(x, 1e-5))
    for method in METHODS:
        of_logs = mean_interval(logs, method=method)
        expected = np.maximum(np.exp(of_logs[:2]), 1e-5)
        assert mean_interval(x, method=method, scale="log")[:2] == pytest.approx(expected, rel=1e-9)
    estimate = Estimate(Mean(x, scale="log"))
    assert estimate.standard_error == pytest.approx(estimate.value * stats.sem(logs), rel=1e-12)


def test_total_is_n_times_the_mean() -> None:
    x = [3, 5, 4, 8]
    total, mean = Estimate(Mean(x, total=True)), Estimate(Mean(x))
    assert total.value == 20.0
    assert total.standard_error == pytest.approx(4 * mean.standard_error)
    assert total.interval()[:2] == pytest.approx([4 * limit for limit in mean.interval()[:2]])


@pytest.mark.parametrize("method", METHODS)
def test_one_value_has_no_interval(method: str) -> None:
    interval = Estimate(Mean([0.7]), bounds=(0.0, 1.0)).interval(method=method)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.reason == "1 query alone has no variance"
    assert math.isnan(Estimate(Mean([0.7])).standard_error)


@pytest.mark.parametrize("method", METHODS)
def test_equal_values_of_0_or_1_have_the_clopper_pearson_interval(method: str) -> None:
    exact = stats.binomtest(10, 10).proportion_ci(0.95, method="exact")
    assert mean_interval([1.0] * 10, method=method, bounds=(0, 1))[:2] == pytest.approx((exact.low, exact.high))
    assert mean_interval([0.0] * 10, method=method, bounds=(0, 1))[:2] == pytest.approx((0.0, 1 - exact.low))


def test_equal_values_inside_the_bounds_leave_room_on_both_sides() -> None:
    share = 1 - 0.025 ** (1 / 20)
    interval = mean_interval([0.25] * 20, bounds=(0.0, 1.0))
    assert interval[:2] == pytest.approx((0.25 - share * 0.25, 0.25 + share * 0.75))
    assert interval.reason == "all 20 values are equal; the limits are exact for the share of other values"
    assert interval.method == "clopper-pearson"
    logs = mean_interval([0.1] * 20, bounds=(0.0, 1.0), scale="log")
    expected = math.log(0.1) - share * (math.log(0.1) - math.log(1e-5)), math.log(0.1) + share * -math.log(0.1)
    assert logs[:2] == pytest.approx(np.exp(expected))


def test_equal_values_without_bounds_have_no_interval() -> None:
    interval = mean_interval([3.0, 3.0, 3.0])
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.reason == "all 3 values are equal, so the error of the mean cannot be estimated"


def test_infinite_values_have_no_interval() -> None:
    assert Estimate(Mean([1.0, math.inf])).value == math.inf
    assert mean_interval([1.0, math.inf]).reason == "a value is infinite"
    assert math.isnan(Estimate(Mean([1.0, math.inf])).standard_error)


@pytest.mark.parametrize("method", METHODS)
def test_no_limit_of_a_geometric_mean_lies_below_its_floor(method: str) -> None:
    estimate = Estimate(Mean([1.0, 0.0, 0.0], scale="log"), bounds=(0.0, 1.0))
    assert estimate.interval(method=method).low >= 1e-5 * (1 - 1e-15)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_values_equal_up_to_rounding_are_equal(scale: Literal["linear", "log"]) -> None:
    rounded = Estimate(Mean([0.3, 0.1 + 0.2], scale=scale), bounds=(0.0, 1.0)).interval()
    exact = Estimate(Mean([0.3, 0.3], scale=scale), bounds=(0.0, 1.0)).interval()
    assert rounded[:2] == pytest.approx(exact[:2], rel=1e-12)
    assert "values are equal" in rounded.reason


def test_a_spread_beyond_floating_point_is_undefined_and_says_so() -> None:
    assert Estimate(Mean([1.0, 1e300])).interval()[:2] == pytest.approx((-5.853e300, 6.853e300), rel=1e-3)
    interval = Estimate(Mean([1.0, 1.7e308]), bounds=(0.0, math.inf)).interval()
    assert not interval.defined
    assert "too large" in interval.reason


def test_a_mean_that_fewer_than_three_of_many_units_decide_has_no_limits() -> None:
    few, more = (np.append(np.zeros(95), values) for values in ([9.0, 8.0, 1.0, 1.0, 1.0], [5.0, 6.0, 7.0, 8.0, 9.0]))
    estimates = [Estimate(Mean(values, "sample"), bounds=(0.0, np.inf)) for values in (few, more)]
    assert not estimates[0].interval().defined
    assert "fewer than 3 units determine the value" in estimates[0].interval().reason
    assert estimates[1].interval().defined
    assert estimates[0].interval(method="t").defined


def test_many_means_have_the_limits_of_each_alone() -> None:
    rng = np.random.default_rng(4)

    def later(values: np.ndarray) -> Mean:
        return MeanByMoments(
            float(values.mean()), len(values), lambda: values, moments=lambda: kernels.moments_of(values)
        )

    columns = [rng.normal(0.2, 1, 30), rng.exponential(1.0, 40), -rng.exponential(1.0, 40), rng.lognormal(0, 1, 90)]
    statistics = [later(each) for each in columns]
    found = SubgroupEstimates(list("abcd"), statistics, "mean", (-math.inf, math.inf)).limits(0.9)
    assert set(found.methods) == {"t", "hall"}
    assert found.is_known.all()
    for position, values in enumerate(columns):
        alone = mean_interval(values, level=0.9, method=found.methods[position])
        assert (found.low[position], found.high[position]) == pytest.approx((alone.low, alone.high), rel=1e-12)
        n, error = len(values), stats.sem(values)
        if found.methods[position] == "t":
            law = stats.t(n - 1, values.mean(), error)
            assert (found.low[position], found.high[position]) == pytest.approx(law.interval(0.9), rel=1e-12)
        else:  # away from the side of the long tail
            right = stats.skew(values) > 0
            assert bool(values.mean() - found.low[position] < found.high[position] - values.mean()) is bool(right)


def test_a_mean_of_values_whose_squares_are_beyond_floats_has_limits() -> None:
    estimate = certus.regression.mae([0.2, 1.0, 0.3, 0.4, 2.0], [1e300, 1.1, 0.4, 0.5, 2.1])
    low, high, *_ = estimate.interval()
    assert low == 0.0
    assert estimate.value < high < math.inf
