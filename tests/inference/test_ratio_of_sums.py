"""Intervals for a ratio of sums."""

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from certus.core import kernels
from certus.inference import Estimate
from certus.inference.clusters import cluster_mean
from certus.inference.interval import Interval
from certus.inference.intervals.ratio_of_sums import skew as ratio_skew
from certus.statistic import Mean, Ratio

A = [3.0, 1.0, 0.0, 5.0, 2.0, 2.0]
B = [10.0, 4.0, 2.0, 9.0, 3.0, 7.0]
METHODS = ("delta", "hall", "beta-moments", "jackknife", "percentile", "bca")


def interval(
    a: ArrayLike, b: ArrayLike, method: str = "delta", level: float = 0.95, *, replicates: int = 10_000, seed: int = 0
) -> Interval:
    return Estimate(Ratio(a, b), bounds=(0.0, 1.0)).interval(level, method, replicates=replicates, seed=seed)


def test_delta_interval_by_hand() -> None:
    # R = 2/4; residuals a - R b = 0.5, -0.5; SE = sqrt(2/1 * 0.5) / 4 = 1/4; t(1; 0.75) = 1
    estimate = Estimate(Ratio([1.5, 0.5], [2.0, 2.0]))
    assert (estimate.value, estimate.standard_error) == (0.5, 0.25)
    assert estimate.interval(0.5)[:2] == pytest.approx((0.25, 0.75))


def test_with_equal_denominators_every_method_is_that_of_the_mean() -> None:
    ratio, mean = Estimate(Ratio(A, [8.0] * 6)), Estimate(Mean(np.array(A) / 8))
    for ours, theirs in (("delta", "t"), ("jackknife", "t"), ("percentile", "percentile"), ("bca", "bca")):
        assert ratio.interval(method=ours)[:2] == pytest.approx(mean.interval(method=theirs)[:2], rel=1e-9)


def test_units_of_unequal_size_have_the_error_and_freedom_of_clusters() -> None:
    _, error, freedom = cluster_mean(np.array(A), np.array(B))
    half_width = stats.t.ppf(0.975, freedom) * error
    assert Estimate(Ratio(A, B)).standard_error == pytest.approx(error, rel=1e-14)
    assert Estimate(Ratio(A, B)).interval(method="delta")[:2] == pytest.approx(
        (13 / 35 - half_width, 13 / 35 + half_width), rel=1e-12
    )


def test_the_corrected_limit_is_that_of_the_mean_where_denominators_are_equal() -> None:
    skewed = [0.1, 0.3, 0.2, 4.0, 0.2, 0.1, 1.1]
    ratio, mean = Estimate(Ratio([3 * x for x in skewed], [3.0] * 7)), Estimate(Mean(skewed))
    assert ratio.interval()[:2] == pytest.approx(mean.interval()[:2], rel=1e-12)
    assert (ratio.interval().method, mean.interval().method) == ("hall", "hall")


def test_the_curvature_of_a_ratio_is_that_along_its_residuals() -> None:
    a, b = np.array([3.0, 1.0, 0.5, 9.0, 2.0, 2.0]), np.array(B)
    value = a.sum() / b.sum()
    residuals = a - value * b
    direction = residuals / np.sqrt((residuals**2).sum())
    error = math.sqrt((residuals**2).sum()) / float(b.sum())

    def moved(s: float) -> float:
        weights = 1 + s * direction
        return float(weights @ a / (weights @ b) - value) / float(error)

    step = 1e-3
    assert moved(step) == pytest.approx(step, rel=1e-2)
    bent = (moved(step) + moved(-step)) / 2 / step**2
    assert ratio_skew(Ratio(a, b)).curvature == pytest.approx(bent, rel=1e-4)


def test_jackknife_is_its_definition() -> None:
    a, b = np.array(A), np.array(B)
    without = np.array([np.delete(a, i).sum() / np.delete(b, i).sum() for i in range(6)])
    error = math.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum())
    half_width = stats.t.ppf(0.975, 5) * error
    assert interval(A, B, "jackknife")[:2] == pytest.approx((13 / 35 - half_width, 13 / 35 + half_width))


def test_percentile_limits_are_quantiles_of_resampled_ratios() -> None:
    counts = kernels.resample_counts(6, first=0, replicates=1999, seed=3)
    expected = np.sort((counts @ A) / (counts @ B))[[49, 1949]]
    assert interval(A, B, "percentile", replicates=1999, seed=3)[:2] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_units_that_are_all_alike_never_give_zero_width(method: str) -> None:
    perfect = interval([5, 5, 5], [5, 5, 5], method)
    assert perfect[:2] == pytest.approx((0.025 ** (1 / 3), 1.0))
    # 64 / 30 units of equal size tell as much as these (Kish)
    unequal = interval([5, 2, 1], [5, 2, 1], method)
    assert unequal[:2] == pytest.approx((0.025 ** (30 / 64), 1.0))
    assert unequal.reason.startswith("all about 2.1 (effective number) values are equal")
    if method == "beta-moments":  # needs bounds
        return
    unbounded = Estimate(Ratio([5, 2, 1], [5, 2, 1])).interval(method=method)
    assert math.isnan(unbounded.low)
    assert unbounded.reason == "all 3 queries have the same ratio, so they have no variance"


@pytest.mark.parametrize("method", METHODS)
def test_one_unit_has_no_interval(method: str) -> None:
    assert math.isnan(interval([1], [2], method).low)
    assert interval([1], [2], method).reason == "1 query alone has no variance"


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
def test_beta_limits_of_equal_weights_are_those_of_the_mean(bounds: tuple[float, float]) -> None:
    for values in ([0.9, 1.0, 0.98, 0.2, 1.0, 0.95] * 3, [0.0] * 20 + [0.4], [0.5, 0.6, 0.55, 0.7]):
        mean = Estimate(Mean(values), bounds=bounds).interval()
        ratio = Estimate(Ratio(np.array(values) * 3, [3.0] * len(values), weighted=True), bounds=bounds).interval()
        assert mean.method == ratio.method == "beta-moments"
        assert ratio[:2] == pytest.approx(mean[:2], rel=1e-12)


def test_beta_limits_of_a_ratio_by_hand() -> None:
    a, b = np.array([1.0, 1.8, 2.7, 4.0]), np.array([1.0, 2.0, 3.0, 4.0])
    _, error, freedom = cluster_mean(a, b)
    n, value = 100 / 30, 0.95
    center = (n * value + 0.5) / (n + 0.5)
    squares = error**2 * n * (n - 1) + n * (value - center) ** 2 + 0.5 * (1 - center) ** 2
    ratio = stats.t.ppf(0.975, freedom) / stats.norm.ppf(0.975)
    variance = ratio**2 * squares / (n + 0.5) ** 2 * n / (n - 1)
    size = center * (1 - center) / variance - 1
    assert interval(a, b, "beta-moments").high == pytest.approx(
        stats.beta.ppf(0.975, size * center, size * (1 - center))
    )
    # two units are below 1: one of those that were not seen may be 0
    assert interval(a, b, "beta-moments").low <= 0.025 ** (1 / n)


def test_units_beyond_the_bounds_have_no_beta_limits() -> None:
    for a, b in (([1.0, 2.0, 9.0], [2.0, 2.0, 9.5]), ([1.0, -2.0, 9.0], [2.0, 2.0, 9.5])):
        inside = min(a) > 0
        found = Estimate(Ratio(a, b), bounds=(0.0, 1.0))
        assert ("beta-moments" in found.methods) is inside
        assert (found.interval().method == "beta-moments") is inside


@pytest.mark.parametrize("kind", ["weights", "groups"])
@pytest.mark.parametrize("n", [10, 20, 50, 100])
def test_losses_that_few_units_have_are_covered_with_weights_and_groups(kind: str, n: int) -> None:
    """One unit in n loses nearly all; by the delta method, corrected for skewness, .46 to .78 were covered."""
    rng = np.random.default_rng([7, n])
    truth = 0.95 - 0.85 / n
    covered = 0
    for _ in range(100):
        sizes = rng.lognormal(0, 0.6, n) if kind == "weights" else rng.integers(3, 12, n).astype(float)
        values = np.where(rng.random(n) < 1 / n, 0.1, 0.95) + rng.normal(0, 0.02, n)
        statistic = Ratio(values.clip(0, 1) * sizes, sizes, weighted=kind == "weights")
        low, high = Estimate(statistic, bounds=(0.0, 1.0)).interval()
        covered += low <= truth <= high
    assert covered >= 92


def test_resamples_without_a_denominator_are_counted() -> None:
    found = interval([1, 0, 0, 0, 2], [2, 0, 0, 1, 2], "percentile", 0.8)
    assert 0.0 <= found.low <= found.high <= 1.0
    assert found.reason.endswith("of 10000 bootstrap replicates have no value")


def test_a_unit_without_which_there_is_no_ratio_has_no_jackknife() -> None:
    for method in ("jackknife", "bca"):
        found = interval([1, 0.5, 0], [2, 0, 0], method)
        assert math.isnan(found.low)
        assert found.reason == "the metric is undefined when one of the units is left out"


def test_sizes_with_a_long_tail_are_named_where_the_ratio_goes_with_them() -> None:
    sizes = np.append(np.arange(1.0, 31.0), [400.0, 900.0])
    falling, level = (
        sizes * share for share in (np.clip(0.95 - 0.1 * np.log(sizes), 0.1, 1), 0.7 + 0.1 * (-1) ** sizes)
    )
    assert (
        "much larger than the others and their ratios differ"
        in Estimate(Ratio(falling, sizes, "group"), bounds=(0.0, 1.0)).interval().reason
    )
    assert not Estimate(Ratio(level[:30], sizes[:30], "group"), bounds=(0.0, 1.0)).interval().reason
