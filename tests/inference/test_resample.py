"""Quantiles of replicates and the BCa correction."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from certus import CertusError
from certus.core import kernels
from certus.inference.interval import Request
from certus.inference.intervals import resample

SKEWED = np.array([0.02, 0.03, 0.05, 0.08, 0.11, 0.13, 0.2, 0.31, 0.55, 0.97])


def replicates_of(values: np.ndarray, count: int = 4999) -> np.ndarray:
    return kernels.resample_sums(values[:, np.newaxis], replicates=count, seed=1)[:, 0] / len(values)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.floats(0, 1))
def test_the_quantile_is_type_6_of_hyndman_and_fan(values: list[float], p: float) -> None:
    expected = np.quantile(values, p, method="weibull")
    # The two interpolate with differently rounded weights.
    assert resample.quantile(np.array(values), p) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_infinite_replicates_beyond_the_quantile_do_not_spoil_it() -> None:
    replicates = np.array([-np.inf, 1.0, 2.0, 3.0, np.inf])
    assert resample.quantile(replicates, 0.5) == 2.0
    assert resample.quantile(replicates, 0.9) == np.inf
    assert resample.quantile(replicates, 0.1) == -np.inf


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("transform", [np.log, np.sqrt, np.exp])
def test_bca_is_scipys_on_the_same_replicates(level: float, transform: np.ufunc) -> None:
    values = transform(SKEWED)  # irrational: no two resamples have the same mean up to rounding
    replicates = replicates_of(values)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=0,
        confidence_level=level,
        method="BCa",
        bootstrap_result=SimpleNamespace(bootstrap_distribution=replicates),
    ).confidence_interval
    low, high, reason, _ = resample.bca(
        replicates, values.mean(), resample.acceleration(values - values.mean()), Request(level)
    )
    # scipy interpolates between order statistics by type 7, certus by type 6: at most one order statistic apart.
    for ours, other in ((low, theirs.low), (high, theirs.high)):
        assert np.count_nonzero((replicates > min(ours, other)) & (replicates < max(ours, other))) <= 1
    assert reason == ""


def test_a_limit_at_the_last_replicate_says_so() -> None:
    replicates = replicates_of(np.log(SKEWED), 199)
    assert "more replicates" in resample.bca(replicates, float(np.log(SKEWED).mean()), 0.2, Request(0.99)).reason
    assert "more replicates" not in resample.percentile(replicates, Request(0.99)).reason


def test_replicates_equal_to_the_value_count_half_even_after_rounding() -> None:
    # Three ones of ten: many resamples repeat the mean 0.3, some of them an ulp off.
    values = np.array([1.0] * 3 + [0.0] * 7)
    exact = replicates_of(values)
    noisy = exact + np.random.default_rng(1).choice([-1e-16, 0.0, 1e-16], len(exact))
    request = Request(0.95)
    assert resample.bca(noisy, 0.3, 0.1, request)[:2] == pytest.approx(resample.bca(exact, 0.3, 0.1, request)[:2])


def test_acceleration_of_a_mean_is_a_sixth_of_its_skewness_over_root_n() -> None:
    expected = stats.skew(SKEWED) / (6 * np.sqrt(len(SKEWED)))
    assert resample.acceleration(SKEWED - SKEWED.mean()) == pytest.approx(expected, rel=1e-13)
    assert resample.acceleration(1e200 * (SKEWED - SKEWED.mean())) == pytest.approx(expected, rel=1e-13)
    assert resample.acceleration(np.zeros(3)) == 0.0


def test_bca_refuses_a_value_outside_its_replicates() -> None:
    low, high, reason, _ = resample.bca(np.arange(100.0), 1000.0, 0.0, Request())
    assert np.isnan(low)
    assert np.isnan(high)
    assert "one side" in reason


def test_undefined_replicates_are_left_out_and_counted() -> None:
    replicates = np.concatenate([np.arange(1.0, 1000.0), np.full(10, np.nan)])
    low, high, reason, _ = resample.percentile(replicates, Request(0.9))
    assert (low, high) == (50.0, 950.0)
    assert reason == "10 of 1009 bootstrap replicates have no value"
    assert np.isnan(resample.percentile(np.full(10, np.nan), Request())[0])


def test_too_few_replicates_for_the_level_are_refused() -> None:
    resample.check_replicates(Request(0.95, replicates=39))
    with pytest.raises(CertusError, match=r"replicates is 38; level 0.95 needs at least 39 bootstrap replicates"):
        resample.check_replicates(Request(0.95, replicates=38))
    with pytest.raises(CertusError, match="needs at least 19999"):
        resample.check_replicates(Request(0.9999))
