"""Distributions known from draws: what they answer, and how far that may be off."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from certus.chance.monte_carlo import Replicates

FOUR = Replicates(np.array([0.5, 0.0, 1.0, 0.5]))


def test_an_observed_value_counts_as_one_draw_more() -> None:
    assert [float(FOUR.tail(x)) for x in (0.0, 0.5, 1.0, 1.1)] == [1.0, 4 / 5, 2 / 5, 1 / 5]
    assert [float(FOUR.cdf(x)) for x in (-0.1, 0.0, 0.5, 1.0)] == [1 / 5, 2 / 5, 4 / 5, 1.0]


@pytest.mark.parametrize("x", [-0.1, 0.0, 0.25, 0.5, 1.0, 1.1])
def test_cdf_and_sf_add_up_to_one(x: float) -> None:
    assert FOUR.cdf(x) + FOUR.sf(x) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("x", [0.0, 0.5, 1.0, 2.0])
def test_the_error_reaches_to_the_clopper_pearson_limits(x: float) -> None:
    p = FOUR.tail(x)
    limits = binomtest(int((np.array([0.5, 0.0, 1.0, 0.5]) >= x).sum()), 4).proportion_ci(0.999, "exact")
    assert p.error == pytest.approx(max(limits.high - p, p - limits.low), rel=1e-10)
    assert (p.method, p.exact) == ("Monte Carlo", False)


def test_moments_are_those_of_the_draws() -> None:
    values = np.array([0.0, 1.0, 1.0, 4.0])
    law = Replicates(values)
    assert law.mean() == 1.5
    assert law.var() == pytest.approx(values.var(ddof=1))
    assert law.skewness() == pytest.approx(np.mean((values - 1.5) ** 3) / values.var() ** 1.5)
    assert law.kurtosis() == pytest.approx(np.mean((values - 1.5) ** 4) / values.var() ** 2 - 3)


def test_quantiles_are_the_least_values_that_reach_the_share() -> None:
    assert [FOUR.ppf(q) for q in (0.0, 0.25, 0.26, 0.75, 0.76, 1.0)] == [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
    assert [FOUR.isf(q) for q in (0.0, 0.25, 0.75, 1.0)] == [1.0, 0.5, 0.0, 0.0]


def test_a_known_support_is_wider_than_the_draws() -> None:
    law = Replicates(np.array([0.2, 0.4]), (0.0, 1.0))
    assert law.support() == (0.0, 1.0)
    assert law.ppf(1.0) == 1.0


def test_draws_that_are_all_alike_have_no_spread() -> None:
    law = Replicates(np.full(10, 0.1))
    assert law.var() == 0.0
    assert math.isnan(law.skewness())
    assert law.tail(0.1) == 1.0


def test_values_that_rounding_moved_apart_are_one() -> None:
    law = Replicates(np.array([0.1 + 0.2, 0.3, 1.0]))
    assert law.tail(0.1 + 0.2) == law.tail(0.3) == 1.0


def test_new_values_come_from_the_draws_and_follow_the_seed() -> None:
    drawn = FOUR.rvs(1000, seed=3)
    assert set(drawn) == {0.0, 0.5, 1.0}
    assert np.array_equal(drawn, FOUR.rvs(1000, seed=3))
