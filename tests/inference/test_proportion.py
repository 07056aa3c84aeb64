"""Intervals for a proportion."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special as scipy_special
from scipy import stats

from certus import DataError, MetricNameError
from certus.inference import Estimate, f1_interval, proportion_interval, special
from certus.inference.declare import FORMS, declared
from certus.statistic import Proportion

METHODS = ("wilson", "modified-wilson", "clopper-pearson", "jeffreys", "agresti-coull", "mid-p", "blaker", "wald")


@pytest.mark.parametrize(
    ("method", "hits", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17:857-872, table I, methods 1, 3, 5 and 6.
        ("wald", 81, 263, 0.2522, 0.3638),
        ("wilson", 81, 263, 0.2553, 0.3662),
        ("clopper-pearson", 81, 263, 0.2527, 0.3676),
        ("wald", 15, 148, 0.0527, 0.1500),
        ("wilson", 15, 148, 0.0624, 0.1605),
        ("clopper-pearson", 15, 148, 0.0578, 0.1617),
        ("wilson", 0, 20, 0.0, 0.1611),
        ("clopper-pearson", 0, 20, 0.0, 0.1684),
        ("wilson", 1, 29, 0.0061, 0.1718),
        ("clopper-pearson", 1, 29, 0.0009, 0.1776),
        ("mid-p", 81, 263, 0.2544, 0.3658),
        ("mid-p", 15, 148, 0.0601, 0.1581),
        ("mid-p", 0, 20, 0.0, 0.1391),
        ("mid-p", 1, 29, 0.0017, 0.1585),
    ],
)
def test_published_intervals(method: str, hits: int, n: int, low: float, high: float) -> None:
    assert proportion_interval(hits, n, method=method)[:2] == pytest.approx((low, high), abs=5.1e-5)


def test_blakers_interval_is_that_of_klaschkas_program() -> None:
    # The example of the R package BlakerCI 1.0-6 (Klaschka 2010).
    assert proportion_interval(3, 10, method="blaker")[:2] == pytest.approx((0.08726443, 0.61941066), abs=5e-9)


def acceptability(k: int, n: int, p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Blaker's (2000) function: the chance of an outcome at least as extreme as k, by its smaller tail."""
    outcomes = np.arange(n + 1)
    chance = stats.binom.pmf(outcomes, n, p[:, np.newaxis])
    smaller = np.minimum(np.cumsum(chance, axis=1), np.cumsum(chance[:, ::-1], axis=1)[:, ::-1])
    total: NDArray[np.float64] = (chance * (smaller <= smaller[:, k, np.newaxis] * (1 + 1e-12))).sum(axis=1)
    return total


@example((0, 2), 0.3)
@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.05, 0.999))
def test_blakers_limits_are_the_ends_of_the_accepted_probabilities(counts: tuple[int, int], level: float) -> None:
    k, n = counts
    low, high, *_ = proportion_interval(k, n, level, "blaker")
    grid = np.linspace(0, 1, 2001)
    outside = grid[(grid < low * (1 - 1e-9)) | (grid > high + 1e-9 * (1 - high))]
    assert (acceptability(k, n, outside) <= 1 - level + 1e-9).all()
    just_inside = np.array([low + 1e-9 * (high - low), high - 1e-9 * (high - low)])
    assert (acceptability(k, n, just_inside) > 1 - level - 1e-6).all()
    outer = proportion_interval(k, n, level, "clopper-pearson")
    assert outer.low <= low * (1 + 1e-12)
    assert high <= outer.high * (1 + 1e-12)


@pytest.mark.parametrize("n", [10, 30, 57])
def test_exact_methods_cover_their_level_everywhere(n: int) -> None:
    of_shares = next(methods for form, methods in declared() if form is FORMS[Proportion])
    exact = [name for name, method in of_shares.items() if method.guarantee == "exact"]
    assert {"clopper-pearson", "blaker"} <= set(exact)
    for method in exact:
        limits = [proportion_interval(k, n, method=method)[:2] for k in range(n + 1)]
        grid = np.concatenate(
            [np.linspace(0.0005, 0.9995, 1999), [x + d for pair in limits for x in pair for d in EPS]]
        )
        grid = grid[(grid > 0) & (grid < 1)]
        inside = [(low <= grid) & (grid <= high) for low, high in limits]
        covered = sum(stats.binom.pmf(k, n, grid) * inside[k] for k in range(n + 1))
        assert covered.min() >= 0.95


EPS = (-1e-7, 1e-7)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [10**7, 10**12, 10**18])
def test_large_counts_keep_their_digits(method: str, n: int) -> None:
    for k in (1, 1000, n // 10, n // 2):
        low, high, *_ = proportion_interval(k, n, method=method)
        assert 0 <= low <= k / n <= high <= 1
        error = math.sqrt(k / n * (1 - k / n) / n)
        slack = 0.02 if k > 1 else 0.6
        assert high - low == pytest.approx(2 * 1.959963985 * error, rel=slack)
    few = proportion_interval(0, n, method=method)
    if method != "wald":
        assert 2.5 < few.high * n < 4.7


@pytest.mark.parametrize(("k", "n"), [(10**8 + 1, 10**9), (3 * 10**8, 4 * 10**8), (10**8 - 1, 10**10)])
def test_beta_quantiles_agree_where_the_expansion_takes_over(k: int, n: int) -> None:
    for tail in (0.025, 1e-4):
        for a, b in ((k, n - k + 1), (k + 0.5, n - k + 0.5)):
            error = math.sqrt(a / n * (1 - a / n) / n)
            assert (
                abs(special._large_beta(stats.norm.ppf(tail), a, b) - scipy_special.betaincinv(a, b, tail))
                < 1e-6 * error
            )


@pytest.mark.parametrize("method", [*METHODS, "goutte-gaussier"])
def test_f1_has_the_image_of_the_interval_of_the_share(method: str) -> None:
    for tp, fp, fn in ((40, 10, 10), (3, 0, 1), (1, 5, 9)):
        found = f1_interval(tp, fp, fn, method=method)
        if method == "wald":
            f1 = 2 * tp / (2 * tp + fp + fn)
            step = 1.959963985 * math.sqrt(f1 * (1 - f1) * (2 - f1) / (2 * tp + fp + fn))
            assert found[:2] == pytest.approx((max(0, f1 - step), min(1, f1 + step)))
            continue
        if method == "goutte-gaussier":
            share = stats.beta(tp + 0.5, fp + fn + 1).ppf([0.025, 0.975])
        else:
            share = np.array(proportion_interval(tp, tp + fp + fn, method=method)[:2])
        assert found[:2] == pytest.approx(tuple(2 * share / (1 + share)), rel=1e-9)


def test_the_error_of_f1_is_the_delta_methods() -> None:
    tp, fp, fn = 40, 10, 20
    u, q = tp + fp + fn, tp / (tp + fp + fn)
    error = 2 / (1 + q) ** 2 * math.sqrt(q * (1 - q) / u)
    assert Estimate(Proportion(tp, u, scale="dice")).standard_error == pytest.approx(error, rel=1e-12)


def test_f1_at_its_bounds_has_some_width() -> None:
    for method in ("wilson", "clopper-pearson", "goutte-gaussier", "blaker", "mid-p", "jeffreys"):
        assert f1_interval(0, 3, 4, method=method).low == 0.0
        assert 0.2 < f1_interval(0, 3, 4, method=method).high < 0.7
        assert f1_interval(9, 0, 0, method=method).high == 1.0
        assert 0.7 < f1_interval(9, 0, 0, method=method).low < 0.95
    assert "no width" in f1_interval(9, 0, 0, method="wald").reason
    assert f1_interval(0, 0, 0).reason == "there are no samples"


def test_goutte_and_gaussier_is_for_f1_only() -> None:
    with pytest.raises(MetricNameError, match="'goutte-gaussier' is not one for a proportion; the methods are wilson"):
        proportion_interval(3, 10, method="goutte-gaussier")
    assert Estimate(Proportion(3, 10)).methods == METHODS
    assert Estimate(Proportion(3, 10, scale="dice")).methods == (*METHODS[:-1], "goutte-gaussier", "wald")


def test_wilson_by_hand() -> None:
    # z = 1.959963985, z^2 = 3.841458821: center (9 + 1.920729410) / 15.841458821, half width
    # z sqrt(9 * 3 / 12 + 0.960364705) / 15.841458821
    center, half_width = 10.920729410 / 15.841458821, 1.959963985 * math.sqrt(3.210364705) / 15.841458821
    assert proportion_interval(9, 12)[:2] == pytest.approx((center - half_width, center + half_width), rel=1e-9)


def test_agresti_coull_by_hand() -> None:
    p, n = (9 + 1.920729410) / 15.841458821, 15.841458821
    half_width = 1.959963985 * math.sqrt(p * (1 - p) / n)
    found = proportion_interval(9, 12, method="agresti-coull")
    assert found[:2] == pytest.approx((p - half_width, p + half_width), rel=1e-9)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_limits_solve_the_equations_that_define_them(counts: tuple[int, int], level: float) -> None:
    hits, n = counts
    tail = (1 - level) / 2
    low, high, *_ = proportion_interval(hits, n, level, "clopper-pearson")
    if hits > 0:
        assert stats.binom.sf(hits - 1, n, low) == pytest.approx(tail, rel=1e-8)
    if hits < n:
        assert stats.binom.cdf(hits, n, high) == pytest.approx(tail, rel=1e-8)
    low, high, *_ = proportion_interval(hits, n, level, "jeffreys")
    if hits > 0:
        assert stats.beta.cdf(low, hits + 0.5, n - hits + 0.5) == pytest.approx(tail, rel=1e-8)
    if hits < n:
        assert stats.beta.sf(high, hits + 0.5, n - hits + 0.5) == pytest.approx(tail, rel=1e-8)
    z = stats.norm.isf(tail)
    for limit in proportion_interval(hits, n, level, "wilson")[:2]:
        assert abs(hits / n - limit) == pytest.approx(z * math.sqrt(limit * (1 - limit) / n), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 10, 1000])
def test_limits_contain_the_proportion_and_mirror_for_failures(method: str, n: int) -> None:
    for hits in range(0, n + 1, max(1, n // 10)):
        low, high, *_ = proportion_interval(hits, n, method=method)
        mirrored = proportion_interval(n - hits, n, method=method)
        if method == "wald" and hits in (0, n):
            assert math.isnan(low)
            assert "no width" in mirrored.reason
            continue
        assert 0.0 <= low <= hits / n <= high <= 1.0
        assert low < high
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-12)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(DataError, match="successes is 5 but trials is 4; successes cannot exceed trials"):
        proportion_interval(5, 4)
    for count in (-1, 2.5, math.nan, math.inf):
        with pytest.raises(DataError, match=f"successes is {count}; it must be a whole number of at least 0"):
            proportion_interval(count, 4)  # type: ignore[arg-type]
        with pytest.raises(DataError, match=f"fp is {count}; it must be a whole number of at least 0"):
            f1_interval(1, count, 4)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="scale is 'log'; it must be 'linear' or 'dice'"):
        Proportion(1, 2, scale="log")  # type: ignore[arg-type]
