"""Intervals from influence values, and the scales they are made on."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from certus.inference import Estimate
from certus.inference.interval import Limits
from certus.statistic import Influence, Mean
from certus.statistic.common import Resample

Scale = Callable[[float], float]

VALUES = np.array([0.1, 0.4, 0.35, 0.8, 0.6])


def mean(resample: Resample | None = None) -> Influence:
    center = float(VALUES.mean())
    return Influence(
        center, (5,), (float(VALUES.var(ddof=1)),), influence=lambda: (VALUES - center,), resample=resample
    )


def bootstrap(replicates: int, seed: int, stratified: bool) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    means: NDArray[np.float64] = VALUES[rng.integers(len(VALUES), size=(replicates, len(VALUES)))].mean(axis=1)
    return means


def test_a_variance_that_is_found_later_is_that_of_a_sample() -> None:
    # 1 + 4 + 9 over one less than three
    assert Influence.of_units(0.0, 3, lambda: np.array([-1.0, -2.0, 3.0])).variances == (7.0,)


def test_the_influence_interval_of_a_mean_is_students_t() -> None:
    found = Estimate(mean())
    assert found.interval(method="influence")[:2] == pytest.approx(Estimate(Mean(VALUES)).interval()[:2], rel=1e-12)
    assert found.standard_error == pytest.approx(Estimate(Mean(VALUES)).standard_error, rel=1e-12)


def test_two_strata_have_welchs_degrees_of_freedom() -> None:
    # The difference of two means is the value; Welch's t is its interval.
    a, b = np.array([1.0, 2, 4, 8]), np.array([0.0, 1, 1, 3, 9, 9])
    welch = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    variances = float(a.var(ddof=1)), float(b.var(ddof=1))
    found = Estimate(Influence(float(a.mean() - b.mean()), (4, 6), variances)).interval(method="influence")
    assert found[:2] == pytest.approx((welch.low, welch.high), rel=1e-12)


@pytest.mark.parametrize(
    ("bounds", "forward", "back"),
    [
        ((0.0, 1.0), stats.logistic.ppf, stats.logistic.cdf),
        ((-1.0, 1.0), np.arctanh, np.tanh),
        ((0.0, math.inf), np.log, np.exp),
        ((-math.inf, 2.0), lambda x: -np.log(2 - x), lambda x: 2 - np.exp(-x)),
        ((-math.inf, math.inf), lambda x: x, lambda x: x),
    ],
)
def test_the_scale_is_that_of_the_bounds(bounds: tuple[float, float], forward: Scale, back: Scale) -> None:
    value, half_width, step = 0.45, 0.15, 1e-6
    slope = (forward(value + step) - forward(value - step)) / (2 * step)
    ends = forward(value) - half_width * slope, forward(value) + half_width * slope
    low, high, *_ = Limits.on_scale(value, half_width, bounds)
    assert (low, high) == pytest.approx((back(ends[0]), back(ends[1])), rel=1e-7)
    error = half_width / stats.t.isf(0.025, 4)
    found = Estimate(Influence(value, (5,), (5 * error**2,)), bounds=bounds).interval()
    assert found[:2] == pytest.approx((low, high), rel=1e-9)
    names = {0: "influence", 1: "influence-log", 2: "fisher-z" if bounds == (-1.0, 1.0) else "influence-logit"}
    assert found.method == names[sum(map(math.isfinite, bounds))]


@given(st.floats(1e-9, 1 - 1e-9), st.floats(1e-9, 1e9))
def test_no_step_leaves_the_bounds_or_loses_the_value(value: float, half_width: float) -> None:
    low, high, *_ = Limits.on_scale(value, half_width, (0.0, 1.0))
    assert 0 <= low <= value <= high <= 1
    below, above, *_ = Limits.on_scale(value, half_width, (0.0, math.inf))
    assert 0 <= below <= value <= above


def test_a_value_on_a_bound_is_left_on_the_linear_scale() -> None:
    assert Limits.on_scale(1.0, 0.2, (0.0, 1.0))[:2] == (0.8, 1.0)
    assert Limits.on_scale(0.0, 0.2, (0.0, math.inf))[:2] == (0.0, 0.2)


def test_without_spread_the_limits_are_undefined_or_exact() -> None:
    interval = Estimate(Influence(1.0, (5, 9), (0.0, 1e-40)), bounds=(0.0, 1.0)).interval()
    assert math.isnan(interval.low)
    assert interval.reason == "the units do not vary, so the error of the value cannot be estimated"
    exact = Influence(1.0, (5, 9), (0.0, 0.0), exact=lambda tail: (tail, 1.0))
    interval = Estimate(exact, bounds=(0.0, 1.0)).interval()
    assert interval[:2] == pytest.approx((0.025, 1.0))
    assert interval.reason == "the units do not vary; the limits are exact for every distribution"


def test_a_single_unit_does_not_show_its_spread() -> None:
    alone = Influence(0.4, (1,), (math.nan,))
    assert Estimate(alone).interval().reason == "1 sample alone has no variance"
    stratum = Influence(0.4, (1, 9), (math.nan, 0.1))
    assert Estimate(stratum).interval().reason == "1 sample alone in its stratum has no variance"
    assert math.isnan(Estimate(stratum).standard_error)


def test_infinite_and_undefined_values_have_no_interval() -> None:
    assert Estimate(Influence(math.inf, (3,), (1.0,))).interval().reason == "the value is infinite"
    undefined = Influence(math.nan, (3,), (1.0,), undefined_reason="there are no positives")
    assert Estimate(undefined).interval().reason == "there are no positives"


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_bootstrap_is_that_of_the_replicates(method: str) -> None:
    found = Estimate(mean(resample=bootstrap))
    assert found.methods == ("influence-logit", "influence", "percentile", "bca")
    ours = found.interval(method=method, replicates=200_000)
    assert ours[:2] == pytest.approx(Estimate(Mean(VALUES)).interval(method=method, replicates=200_000)[:2], abs=0.01)


def test_methods_are_those_that_the_statistic_has_what_it_takes_for() -> None:
    assert Estimate(mean()).methods == ("influence-logit", "influence")
    assert Estimate(Influence(0.4, (9,), (0.1,), resample=bootstrap)).methods == (
        "influence-logit",
        "influence",
        "percentile",
    )


def test_a_stratum_without_units_has_no_part_in_the_spread() -> None:
    interval = Estimate(Influence(1.0, (3, 0), (0.0, math.nan)), bounds=(0.0, 1.0)).interval()
    assert math.isnan(interval.low)
    assert interval.reason
