"""Exact coverage, and recall where the number of positives is not known."""

import math

import audit_oracle as oracle
import numpy as np
import pytest
from in_a_row import in_a_row

from certus import CertusError, DataError, MetricNameError
from certus.audit import coverage, recall_precision, unknown_positives
from certus.audit.known_positives import intervals
from certus.inference import Estimate
from certus.inference.declare import FORMS
from certus.statistic.sampled import Sampled

METHODS = tuple(FORMS[Sampled].methods)

# Mean coverage, least coverage, mean number of whole counts in the interval; level 0.95.
TABLE = {
    ("posterior", 1000, 100): (0.953, 0.900, 145.6),
    ("posterior", 500, 100): (0.955, 0.932, 69.3),
    ("posterior", 50, 20): (0.969, 0.942, 13.8),
    ("hpd", 1000, 100): (0.951, 0.922, 144.1),
    ("hpd", 500, 100): (0.952, 0.932, 68.2),
    ("hpd", 50, 20): (0.956, 0.909, 12.8),
    ("wilson", 1000, 100): (0.962, 0.900, 152.2),
    ("wilson", 500, 100): (0.972, 0.943, 76.1),
    ("wilson", 50, 20): (0.991, 0.979, 16.3),
    ("wilson-fpc", 1000, 100): (0.951, 0.900, 144.6),
    ("wilson-fpc", 500, 100): (0.950, 0.800, 68.2),
    ("wilson-fpc", 50, 20): (0.961, 0.921, 13.1),
    ("beta", 1000, 100): (0.959, 0.0, 152.3),
    ("beta", 500, 100): (0.967, 0.0, 76.2),
    ("beta", 50, 20): (0.952, 0.0, 16.3),
    ("clopper-pearson", 1000, 100): (0.973, 0.961, 161.3),
    ("clopper-pearson", 500, 100): (0.981, 0.973, 80.7),
    ("clopper-pearson", 50, 20): (0.997, 0.991, 18.0),
    ("hypergeometric", 1000, 100): (0.965, 0.951, 153.8),
    ("hypergeometric", 500, 100): (0.966, 0.951, 72.8),
    ("hypergeometric", 50, 20): (0.982, 0.958, 14.8),
    ("mid-p", 1000, 100): (0.953, 0.933, 145.6),
    ("mid-p", 500, 100): (0.954, 0.936, 68.7),
    ("mid-p", 50, 20): (0.966, 0.931, 13.4),
    ("blaker", 1000, 100): (0.959, 0.950, 149.4),
    ("blaker", 500, 100): (0.959, 0.950, 70.6),
    ("blaker", 50, 20): (0.970, 0.950, 13.8),
    ("amo", 1000, 100): (0.959, 0.950, 149.3),
    ("amo", 500, 100): (0.959, 0.950, 70.6),
    ("amo", 50, 20): (0.970, 0.950, 13.8),
    ("wang", 1000, 100): (0.959, 0.950, 149.3),
    ("wang", 500, 100): (0.959, 0.950, 70.6),
    ("wang", 50, 20): (0.970, 0.950, 13.8),
}


@pytest.mark.parametrize(("method", "population", "n"), TABLE)
def test_coverage_and_size_are_the_known_ones(method: str, population: int, n: int) -> None:
    mean, least, size = TABLE[method, population, n]
    found = coverage(method, population, n)
    assert found.dtype == np.float64
    assert found.shape == (population + 1,)
    low, high = intervals(method, population, n)
    assert (found.mean(), found.min()) == pytest.approx((mean, least), abs=5.1e-4)
    assert (high - low + 1).mean() == pytest.approx(size, abs=0.051)


def test_the_jeffreys_prior_has_its_own_coverage() -> None:
    found = coverage("posterior", 1000, 100, prior="jeffreys")
    assert (found.mean(), found.min()) == pytest.approx((0.952, 0.897), abs=5e-4)


@pytest.mark.parametrize(("population", "n"), [(1, 1), (7, 3), (30, 30), (41, 12), (60, 59)])
@in_a_row("method", METHODS)
def test_coverage_is_that_of_counting_the_samples(method: str, population: int, n: int) -> None:
    low, high = intervals(method, population, n, 0.9)
    exact = oracle.covered(low, high, population, n) / oracle.CHOOSE[population, n]
    assert coverage(method, population, n, 0.9) == pytest.approx(exact, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("population", "n"), [(7, 3), (41, 12), (150, 60)])
@in_a_row("method", METHODS)
def test_intervals_are_those_of_the_estimates(method: str, population: int, n: int) -> None:
    low, high = intervals(method, population, n)
    for k in range(n + 1):
        found = Estimate(Sampled(population, n, k)).interval(method=method)
        if low[k] <= high[k]:
            assert (low[k], high[k]) == found[:2]
        else:  # no whole count between real limits
            assert high[k] < low[k]
            assert found.low <= found.high


@pytest.mark.parametrize(("population", "n", "level"), [(17, 17, 0.95), (30, 29, 0.5), (12, 11, 0.2), (9, 4, 0.6)])
@in_a_row("method", METHODS)
def test_coverage_is_that_of_the_intervals_of_recall_precision(
    method: str, population: int, n: int, level: float
) -> None:
    counts = np.arange(population + 1)
    low, high = intervals(method, population, n, level)
    for k in range(n + 1):
        recall = recall_precision(
            positives=population, checked=n, hits=k, predicted=1000, level=level, interval=method
        ).recall
        first, last = (limit * population for limit in recall.interval()[:2])
        held = (first - 1e-9 <= counts) & (counts <= last + 1e-9)
        assert counts[held].tolist() == list(range(low[k], high[k] + 1)), k


def test_the_beta_law_covers_a_recall_of_0_or_1_only_where_all_are_checked() -> None:
    assert coverage("beta", 17, 17).tolist() == [1.0] * 18
    assert coverage("beta", 17, 16)[[0, 17]].tolist() == [0, 0]


@in_a_row("method", METHODS)
def test_without_a_sample_every_count_is_in(method: str) -> None:
    assert coverage(method, 5, 0).tolist() == [1.0] * 6
    assert coverage(method, 0, 0).tolist() == [1.0]


def test_one_sided_limits_cover_at_least_their_level_and_little_more() -> None:
    for method in ("hypergeometric-lower", "hypergeometric-upper"):
        for level in (0.95, 0.4):
            found = coverage(method, 400, 150, level)
            assert found.min() >= level - 1e-12
            assert np.median(found) < level + 0.06


def test_large_populations_are_counted_column_by_column() -> None:
    found = coverage("hypergeometric", 100_000, 60)
    assert len(found) == 100_001
    assert 0.95 <= found.min() < 0.96


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("blaker", 10, 11), DataError, "n is 11 but N is 10"),
        (("blaker", -1, 0), DataError, "N is -1; it must be a whole number"),
        (("blaker", 10, 2.5), DataError, "n is 2.5; it must be a whole number"),
        (("blakr", 10, 2), MetricNameError, "did you mean 'blaker'"),
        (("blaker", 10, 2, 1.0), CertusError, "level is 1.0; it must lie strictly between 0 and 1"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[object, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        coverage(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["blaker", "clopper-pearson"])
@pytest.mark.parametrize("population", [40, 53, 60])
def test_recall_of_unknown_positives_covers_whatever_their_number(method: str, population: int) -> None:
    n = 20
    pairs = [unknown_positives(checked=n, hits=k, interval=method).interval()[:2] for k in range(n + 1)]
    low = np.array([math.ceil(low * population - 1e-9) for low, _ in pairs])
    high = np.array([math.floor(high * population + 1e-9) for _, high in pairs])
    held = oracle.covered(low, high, population, n)
    assert (20 * held >= 19 * oracle.CHOOSE[population, n]).all()


def test_recall_of_unknown_positives() -> None:
    recall = unknown_positives(checked=50, hits=0, level=0.9, interval="Clopper-Pearson")
    assert (recall.value, recall.metric) == (0.0, "Recall")
    assert recall.interval()[:2] == pytest.approx((0.0, 1 - 0.05 ** (1 / 50)))
    assert recall.interval().level == 0.9
    assert recall.interval().method == "clopper-pearson"
    with pytest.raises(DataError, match="checked is 0; it must be at least 1"):
        unknown_positives(checked=0, hits=0)
    with pytest.raises(DataError, match="hits is 3 but checked is 2"):
        unknown_positives(checked=2, hits=3)
    with pytest.raises(MetricNameError, match="'amo' is not one for a proportion"):
        unknown_positives(checked=2, hits=1, interval="amo")
