"""Intervals for quantiles: exact coverage of order statistics, Woodruff's for weights and clusters."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from certus import DataError
from certus.inference import Estimate
from certus.inference.intervals.quantile import ranks, units_needed
from certus.statistic import Quantile


@pytest.mark.parametrize("n", [1, 2, 6, 10, 37, 100, 367, 368, 1000])
@pytest.mark.parametrize("q", [0.01, 0.25, 0.5, 0.9, 0.99])
def test_each_limit_is_wrong_with_the_tail_at_most_and_no_nearer_one_is(n: int, q: float) -> None:
    tail = 0.025
    low, high = ranks(n, q, tail)
    below = stats.binom(n, q)
    # The low-th value lies above the quantile where fewer than `low` values are at most it.
    assert low == 0 or below.cdf(low - 1) <= tail
    assert below.cdf(low) > tail
    assert high == n + 1 or below.sf(high - 1) <= tail
    assert below.sf(high - 2) > tail
    if low and high <= n:
        assert below.cdf(high - 1) - below.cdf(low - 1) >= 1 - 2 * tail


def test_a_published_interval_of_a_median() -> None:
    # Conover (1999), Practical Nonparametric Statistics: of 16 values the 4th and the 13th, at level 0.9787.
    assert ranks(16, 0.5, 0.025) == (4, 13)


def test_the_number_of_values_that_a_limit_takes() -> None:
    for q in (0.5, 0.9, 0.99, 0.999):
        n = units_needed(q, 0.025)
        assert ranks(n, q, 0.025)[1] == n
        assert ranks(n - 1, q, 0.025)[1] == n


def test_too_few_values_say_so() -> None:
    values = np.arange(100.0)
    interval = Estimate(Quantile(values, 0.99), bounds=(0.0, math.inf)).interval()
    assert interval.low == 96
    assert interval.high == math.inf
    assert interval.reason == (
        "100 samples are too few for an upper limit of the 0.99 quantile at level 0.95; it takes 368"
    )
    nothing = Estimate(Quantile(values[:4], 0.5)).interval()
    assert not nothing.defined
    assert nothing.reason == "4 samples are too few for a limit of the 0.5 quantile at level 0.95; it takes 6"


@pytest.mark.parametrize("q", [0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("n", [1, 4, 5, 10])
def test_whole_weights_are_repeated_values(q: float, n: int) -> None:
    rng = np.random.default_rng(n)
    values, times = rng.normal(size=n), rng.integers(1, 4, n)
    repeated = np.quantile(np.repeat(values, times), q, method="averaged_inverted_cdf")
    assert_allclose(Quantile(values, q, weights=times.astype(np.float64)).value, repeated, rtol=1e-15)
    lower = np.quantile(np.repeat(values, times), q, method="inverted_cdf")
    assert Quantile(values, q, weights=times.astype(np.float64), interpolation="inverted_cdf").value == lower


def test_weights_and_clusters_take_woodruffs_interval() -> None:
    rng = np.random.default_rng(1)
    values = rng.exponential(size=400)
    plain = Estimate(Quantile(values, 0.5))
    weighted = Estimate(Quantile(values, 0.5, weights=np.full(400, 2.0)))
    assert plain.interval().method == "order-statistics"
    assert weighted.interval().method == "woodruff"
    assert_allclose(weighted.interval()[:2], plain.interval()[:2], rtol=0.05)
    copies = Quantile(np.repeat(values, 3), 0.5, groups=np.repeat(np.arange(400), 3), unit="group")
    assert_allclose(Estimate(copies).interval()[:2], Estimate(Quantile(values, 0.5)).interval(method="woodruff")[:2])
    assert Estimate(copies).interval(method="percentile", replicates=999).defined


def test_standard_error_is_the_bootstraps() -> None:
    values = np.random.default_rng(2).normal(size=101)
    estimate = Estimate(Quantile(values, 0.5))
    rng = np.random.default_rng(3)
    drawn = np.median(rng.choice(values, (20_000, 101)), axis=1)
    assert_allclose(estimate.standard_error, drawn.std(), rtol=0.05)


def test_values_that_do_not_vary_have_no_interval() -> None:
    assert (
        Estimate(Quantile(np.array([2.0] * 50), 0.5)).interval().reason
        == "all 50 values are equal, so they have no variance"
    )
    around = Estimate(Quantile(np.array([0.0] + [2.0] * 50 + [3.0]), 0.5)).interval()
    assert around.reason == "the values around the quantile are all equal, so its error cannot be estimated"
    assert "others may lie any distance beyond them" in Estimate(Quantile(np.array([1.0, 2.0]), 1.0)).interval().reason


def test_wrong_quantiles_are_refused() -> None:
    with pytest.raises(DataError, match=r"^q is 1.5; it must be a number from 0 to 1$"):
        Quantile(np.array([1.0]), 1.5)
    with pytest.raises(DataError, match=r"^interpolation is 'linear' but samples have weights; take 'inverted_cdf'"):
        Quantile(np.array([1.0]), 0.5, weights=np.array([1.0]), interpolation="linear")
