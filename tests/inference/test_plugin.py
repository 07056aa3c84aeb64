"""Intervals for any function of weighted units."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from certus.inference import Estimate
from certus.inference.intervals import resample
from certus.statistic import Mean, Plugin, Ratio

X = np.array([0.02, 0.3, 0.5, 0.45, 0.9, 0.1, 0.77])
PAIRS = np.array([[3.0, 10.0], [1.0, 4.0], [0.0, 2.0], [5.0, 9.0], [2.0, 3.0]])

Rows = NDArray[np.float64]


def weighted_mean(rows: Rows, weights: Rows) -> float:
    return float(rows @ weights / weights.sum())


def weighted_ratio(rows: Rows, weights: Rows) -> float:
    above, below = weights @ rows
    return float(above / below)


def weighted_median(rows: Rows, weights: Rows) -> float:
    return float(np.median(np.repeat(rows, weights.astype(int))))


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_mean_as_a_function_has_the_bootstrap_interval_of_the_mean(method: str) -> None:
    ours = Estimate(Plugin(X, weighted_mean)).interval(method=method, replicates=1999, seed=5)
    assert ours[:2] == pytest.approx(Estimate(Mean(X)).interval(method=method, replicates=1999, seed=5)[:2], rel=1e-9)


def test_the_jackknife_of_the_mean_is_students_t() -> None:
    ours, mean = Estimate(Plugin(X, weighted_mean)), Estimate(Mean(X))
    assert ours.standard_error == pytest.approx(mean.standard_error, rel=1e-12)
    assert ours.interval(method="jackknife")[:2] == pytest.approx(mean.interval(method="t")[:2], rel=1e-12)


@pytest.mark.parametrize("method", ["percentile", "bca", "jackknife"])
def test_a_ratio_as_a_function_has_the_interval_of_the_ratio(method: str) -> None:
    ours = Estimate(Plugin(PAIRS, weighted_ratio)).interval(method=method, replicates=1999)
    ratio = Estimate(Ratio(PAIRS[:, 0], PAIRS[:, 1])).interval(method=method, replicates=1999)
    assert ours[:2] == pytest.approx(ratio[:2], rel=1e-9)


def test_small_blocks_of_replicates_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    estimate = Estimate(Plugin(X, weighted_median))
    whole = estimate.interval(replicates=999)
    monkeypatch.setattr(resample, "BLOCK", 100)
    assert estimate.interval(replicates=999) == whole


def test_many_units_are_left_out_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).lognormal(0, 0.8, 2000)
    calls = []

    def counting_mean(rows: Rows, weights: Rows) -> float:
        calls.append(int((weights == 0).sum()))
        return weighted_mean(rows, weights)

    whole = Estimate(Plugin(values, counting_mean))
    error, limits = whole.standard_error, whole.interval(replicates=999)
    assert set(calls) >= {0, 1}
    assert calls.count(1) >= 2000
    monkeypatch.setattr(resample, "GROUPS", 500)
    calls.clear()
    grouped = Estimate(Plugin(values, counting_mean))
    assert grouped.standard_error == pytest.approx(error, rel=0.1)
    assert calls.count(4) == 500
    assert calls.count(1) == 0
    width = limits.high - limits.low
    assert grouped.interval(replicates=999)[:2] == pytest.approx(limits[:2], abs=0.05 * width)


def test_replicates_of_the_statistics_own_are_taken() -> None:
    def resample(replicates: int, seed: int, stratified: bool) -> Rows:
        return np.linspace(0, 1, replicates) + seed + 10 * stratified

    estimate = Estimate(Plugin(X, weighted_mean, resample=resample))
    assert estimate.interval(method="percentile", replicates=999, seed=2)[:2] == pytest.approx(
        (2 + 24 / 998, 2 + 974 / 998)
    )
    stratified = estimate.interval(method="percentile", replicates=999, stratified=True)
    assert stratified[:2] == pytest.approx((10 + 24 / 998, 10 + 974 / 998))


def test_functions_that_do_not_vary_have_no_interval() -> None:
    for method in ("percentile", "bca", "jackknife"):
        found = Estimate(Plugin(np.ones(4), weighted_mean)).interval(method=method)
        assert math.isnan(found.low)
        assert found.reason
    assert math.isnan(Estimate(Plugin(np.array([1.0]), weighted_mean)).interval().low)
