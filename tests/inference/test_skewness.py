"""Student's t corrected for skewness."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.inference import Estimate
from certus.inference.intervals.skewness import MUCH, Skew, quantiles
from certus.inference.special import t_quantile
from certus.statistic import Mean
from certus.statistic.common import TOO_SKEWED


@given(st.floats(-0.9, 0.9), st.floats(-0.3, 0.3), st.floats(0.001, 0.2), st.integers(2, 500))
def test_the_transformed_quantile_is_students(third: float, curvature: float, tail: float, freedom: int) -> None:
    skew = Skew(third, curvature)
    a, b = third / 3 + curvature, third / 6
    t = -t_quantile(tail, freedom)
    low, high = quantiles(skew, tail, freedom)
    for studentised, wanted in ((low, t), (-high, -t)):
        transformed = studentised + a * studentised**2 + a * a * studentised**3 / 3 + b
        assert abs(studentised) >= t
        # Student's own limit stands where the correction would shorten the interval.
        assert abs(studentised) == t or transformed == pytest.approx(wanted, rel=1e-7, abs=1e-7)


def test_without_skewness_the_quantiles_are_students() -> None:
    t = -t_quantile(0.025, 9)
    assert quantiles(Skew(0.0), 0.025, 9) == (t, t)


def test_the_corrected_limit_by_hand() -> None:
    # mean 3, deviations -2 -2 -1 5: s^2 = 34/3, sum of cubes 108, skewness of the mean 108 / 34^1.5
    x = [1.0, 1.0, 2.0, 8.0]
    third = 108 / 34**1.5
    error, t = math.sqrt(34 / 3 / 4), 3.182446305284263
    low, high = interval = Estimate(Mean(x)).interval()
    method = interval.method
    a = third / 3
    upper = ((1 + 3 * a * (-t - third / 6)) + 0j) ** (1 / 3)
    upper = -abs(upper) if 1 + 3 * a * (-t - third / 6) < 0 else abs(upper)
    assert method == "hall"
    assert (low, high) == pytest.approx((3 - t * error, 3 - (upper - 1) / a * error), rel=1e-9)


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=20).filter(lambda x: max(x) > min(x) + 1e-3))
def test_the_upper_limit_never_runs_away(x: list[float]) -> None:
    # The cubic grows: for n values the longer half is less than 6 times Student's.
    low, high, *_ = Estimate(Mean(x)).interval(method="hall")
    plain = Estimate(Mean(x)).interval(method="t")
    assert low <= plain.low + 1e-9 * abs(plain.low)
    assert high - low <= 3.5 * (plain.high - plain.low) + 1e-9


def test_values_too_skewed_for_their_number_say_so() -> None:
    x = [1.0] * 19 + [50.0]
    assert Mean(x).skewness > MUCH
    assert Estimate(Mean(x)).interval().reason == TOO_SKEWED
    assert Estimate(Mean([1.0, 2.0, 3.0] * 9)).interval().reason == ""


def test_the_skewness_of_a_mean_is_that_of_its_values_over_the_root_of_n() -> None:
    x = np.random.default_rng(0).lognormal(0, 1, 80)
    off = x - x.mean()
    assert Mean(x).skewness == pytest.approx((off**3).mean() / (off**2).mean() ** 1.5 / math.sqrt(80), rel=1e-12)
    assert Mean(1e200 * x).skewness == pytest.approx(Mean(x).skewness, rel=1e-9)
    assert Mean([2.0, 2.0]).skewness == 0.0


def test_coverage_of_skewed_means_where_students_covers_too_little() -> None:
    rng = np.random.default_rng(1)
    found = {"t": 0, None: 0}
    for _ in range(2000):
        estimate = Estimate(Mean(rng.lognormal(0, 1, 60)), bounds=(0.0, math.inf))
        for method in found:
            low, high, *_ = estimate.interval(method=method)
            found[method] += low <= math.exp(0.5) <= high
    assert found["t"] < 0.92 * 2000
    assert found[None] >= 0.935 * 2000


def test_a_mean_of_a_skewness_of_a_third_says_so() -> None:
    # Of such means and ratios of the hunter some covered .88 to .93 and did not say so.
    x = np.append(np.linspace(0, 3, 60), [8.0, 8.5, 9.0])
    assert 0.3 < Mean(x).skewness < 0.35
    assert Estimate(Mean(x)).interval().reason == TOO_SKEWED
