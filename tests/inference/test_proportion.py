"""Intervals for a proportion."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from certus.errors import DataError
from certus.inference import proportion_interval

METHODS = ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald")


@pytest.mark.parametrize(
    ("method", "hits", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17:857-872, table I, methods 1, 3 and 5.
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
    ],
)
def test_published_intervals(method: str, hits: int, n: int, low: float, high: float) -> None:
    assert proportion_interval(hits, n, method=method)[:2] == pytest.approx((low, high), abs=5.1e-5)


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
            assert "no width" in mirrored.why
            continue
        assert 0.0 <= low <= hits / n <= high <= 1.0
        assert low < high
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(
    ("method", "least", "mean"),
    [
        ("wilson", 0.84, 0.953),
        ("clopper-pearson", 0.9501, 0.973),
        ("jeffreys", 0.88, 0.951),
        ("agresti-coull", 0.93, 0.960),
    ],
)
def test_exact_coverage_at_30_trials(method: str, least: float, mean: float) -> None:
    # Coverage by enumeration on a grid of 999 proportions; Brown, Cai & DasGupta (2001) describe the same picture.
    n = 30
    limits = [proportion_interval(k, n, method=method)[:2] for k in range(n + 1)]
    covered = [
        sum(stats.binom.pmf(k, n, p) for k, (low, high) in enumerate(limits) if low <= p <= high)
        for p in (i / 1000 for i in range(1, 1000))
    ]
    assert min(covered) >= least
    assert sum(covered) / len(covered) == pytest.approx(mean, abs=2e-3)


def test_no_trials_have_no_interval() -> None:
    interval = proportion_interval(0, 0)
    assert math.isnan(interval.low)
    assert interval.why == "there are no trials"


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(DataError, match="successes is 5 but trials is 4"):
        proportion_interval(5, 4)
