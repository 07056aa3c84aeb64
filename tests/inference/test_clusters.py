"""The CR2 standard error of a mean over clusters."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from certus.inference.clusters import SHARED, cluster_error, cluster_mean
from certus.inference.estimate import Estimate
from certus.inference.special import t_quantile
from certus.statistic import Influence

Floats = NDArray[np.float64]


def slow(values: Floats, clusters: NDArray[np.int64]) -> tuple[float, float, float]:
    """CR2 of a regression on a constant, with the matrices of Bell & McCaffrey (2002) written out."""
    labels, codes, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    n = len(values)
    hat = np.full((n, n), 1 / n)
    annihilate = np.eye(n) - hat
    residuals = annihilate @ values
    average = sizes.mean()
    working = np.eye(n) + SHARED / average * (codes[:, None] == codes[None, :])
    meat, rows = 0.0, []
    for g in range(len(labels)):
        here = codes == g
        squares, vectors = np.linalg.eigh(np.eye(here.sum()) - hat[np.ix_(here, here)])
        adjust = vectors @ np.diag(squares**-0.5) @ vectors.T
        meat += float(np.ones(here.sum()) @ adjust @ residuals[here]) ** 2
        rows.append((np.ones(here.sum()) @ adjust @ annihilate[here]) / n)
    covariance = np.array(rows) @ working @ np.array(rows).T
    return values.mean(), math.sqrt(meat) / n, np.trace(covariance) ** 2 / np.trace(covariance @ covariance)


@given(st.lists(st.integers(1, 7), min_size=2, max_size=9), st.integers(0, 2**32 - 1))
def test_cluster_mean_is_the_regression_on_a_constant_with_its_matrices_written_out(
    sizes: list[int], seed: int
) -> None:
    values = np.random.default_rng(seed).standard_normal(sum(sizes))
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    found = cluster_mean(np.bincount(clusters, values).astype(np.float64), np.array(sizes, dtype=np.float64))
    assert found == pytest.approx(slow(values, clusters), rel=1e-9, abs=1e-12)


def test_clusters_of_one_size_are_student_t_of_their_means() -> None:
    means = np.array([0.2, 0.9, 0.4, 0.7])
    found = cluster_mean(5 * means, np.full(4, 5.0))
    assert found == pytest.approx((means.mean(), means.std(ddof=1) / 2, 3.0), rel=1e-14)


def test_the_scale_of_the_sizes_does_not_matter() -> None:
    sums, sizes = np.array([1.0, 5.0, 2.0]), np.array([3.0, 7.0, 2.0])
    assert cluster_mean(sums * 2.0**900, sizes * 2.0**900) == cluster_mean(sums, sizes)


def test_empty_clusters_are_left_out_and_one_alone_shows_no_spread() -> None:
    sums, sizes = np.array([1.0, 0.0, 2.0, 4.0]), np.array([3.0, 0.0, 2.0, 3.0])
    assert cluster_mean(sums, sizes) == cluster_mean(sums[[0, 2, 3]], sizes[[0, 2, 3]])
    value, error, freedom = cluster_mean(sums[:1], sizes[:1])
    assert value == pytest.approx(1 / 3)
    assert math.isnan(error)
    assert math.isnan(freedom)


def test_the_interval_covers_when_cluster_sizes_differ_much() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(2000):
        sizes = np.maximum(1, np.round(20 * np.exp(rng.standard_normal(20))))
        sums = sizes * (rng.standard_normal(20) * math.sqrt(0.1) + rng.standard_normal(20) * np.sqrt(0.9 / sizes))
        value, error, freedom = cluster_mean(sums, sizes)
        covered += abs(value) <= -t_quantile(0.025, freedom) * error
    assert 0.94 <= covered / 2000 <= 0.97


def test_an_influence_with_masses_has_the_error_and_the_freedom_of_the_mean_that_it_is() -> None:
    sums, sizes = np.array([1.0, 5.0, 2.0, 6.0]), np.array([3.0, 7.0, 2.0, 5.0])
    value, error, freedom = cluster_mean(sums, sizes)
    terms = (sums - sizes * value) / sizes.sum()
    statistic = Influence.of_units(value, 4, lambda: 4 * terms, unit="group", masses=sizes)
    estimate = Estimate(statistic)
    assert estimate.standard_error == pytest.approx(error, rel=1e-14)
    low, high, *_ = estimate.interval(method="influence")
    half = -t_quantile(0.025, freedom) * error
    assert (low, high) == pytest.approx((value - half, value + half), rel=1e-12)


def test_single_units_with_weights_have_the_freedom_of_errors_of_one_variance() -> None:
    weights = np.array([1.0, 4.0, 2.0, 1.0, 0.5])
    share = weights / weights.sum()
    # r = (I - h 1') u with u_i of variance w_i^2, scaled by 1 / sqrt(1 - h_i)
    adjusted = np.diag(1 / np.sqrt(1 - share)) @ (np.eye(5) - share[:, None])
    covariance = adjusted @ np.diag(weights**2) @ adjusted.T
    freedom = np.trace(covariance) ** 2 / np.trace(covariance @ covariance)
    terms = np.array([0.1, -0.2, 0.05, 0.03, 0.02])
    assert cluster_error(terms, weights, weighted=True)[1] == pytest.approx(freedom, rel=1e-12)
