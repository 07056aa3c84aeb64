"""Recall and precision from a sample of known positives: values and coverage."""

import inspect
import math
from fractions import Fraction
from typing import Any

import audit_oracle as oracle
import numpy as np
import pytest
from in_a_row import in_a_row

from certus import CertusError, DataError, MetricNameError, audit
from certus.audit import coverage, hits_posterior, recall_precision, unknown_positives
from certus.audit.known_positives import intervals
from certus.inference import Estimate, proportion_interval
from certus.inference.declare import FORMS
from certus.statistic.sampled import Sampled


def test_the_example_of_r1() -> None:
    audit = recall_precision(positives=1000, checked=500, hits=400, predicted=10000)
    assert (audit.recall.value, audit.precision.value, audit.hits.value) == (0.8, 0.08, 800)
    assert audit.f1.value == pytest.approx(2 * 800 / 11000)
    assert audit.recall.interval()[:2] == (0.774, 0.824)
    assert audit.precision.interval()[:2] == pytest.approx((0.0774, 0.0824))
    assert audit.f1.interval()[:2] == pytest.approx((2 * 774 / 11000, 2 * 824 / 11000))
    assert audit.hits.interval()[:2] == (774, 824)
    assert audit.hits.interval(method="posterior")[:2] == (774, 823)
    assert audit.recall.interval(0.95, "posterior")[:2] == (0.774, 0.823)


def test_the_estimates_have_the_level_and_the_method_that_were_asked_for() -> None:
    audit = recall_precision(positives=1000, checked=500, hits=400, predicted=10000, level=0.9, interval="Mid P")
    for estimate in (audit.recall, audit.precision, audit.f1, audit.hits):
        assert estimate.interval().level == 0.9
        assert estimate.interval().method == "mid-p"
        assert estimate.interval(0.8).level == 0.8
        assert estimate.interval(0.8).method == "mid-p"
        assert estimate.interval(method="wilson").level == 0.9
        assert estimate.interval(method="wilson").method == "wilson"
        assert "90% mid-P, 500 checked positives" in str(estimate)


def test_wilson_and_beta_are_those_of_r1() -> None:
    audit = recall_precision(positives=500, checked=100, hits=80, predicted=2000)
    z = 1.959963984540054
    a, b, c = 100 + z**2, -(2 * 80 + z**2), 100 * 0.8**2
    root = math.sqrt(b * b - 4 * a * c)
    assert audit.recall.interval(method="wilson")[:2] == pytest.approx(((-b - root) / 2 / a, (-b + root) / 2 / a))
    assert audit.recall.interval(method="wilson")[:2] == proportion_interval(80, 100)[:2]
    from scipy.stats import beta

    assert audit.precision.interval(method="beta")[:2] == pytest.approx(beta(81, 21).ppf([0.025, 0.975]) * 500 / 2000)


def test_whole_limits_of_r1s_approximations_lie_inside_the_real_ones() -> None:
    audit = recall_precision(positives=500, checked=100, hits=80, predicted=2000, interval="wilson")
    low, high = audit.recall.interval()[:2]
    assert audit.hits.interval()[:2] == (math.ceil(500 * low), math.floor(500 * high))


def test_more_hits_than_predicted_are_impossible() -> None:
    audit = recall_precision(positives=500, checked=100, hits=80, predicted=405)
    assert audit.precision.interval().high == 1.0
    assert audit.hits.interval().high == 405
    assert "above 405 are cut off" in str(audit)


def test_fewer_negatives_than_none_are_impossible() -> None:
    # 400 of 600 are predicted, so of the 500 positives 300 must be.
    audit = recall_precision(positives=500, checked=20, hits=10, predicted=400, population=600, level=0.99)
    interval = audit.hits.interval()
    assert interval.low == 300
    assert interval.reason == "impossible counts below 300 are cut off"
    assert audit.recall.value == 0.6
    assert not recall_precision(positives=500, checked=20, hits=10, predicted=400).hits.interval().reason


def test_nothing_predicted_has_no_precision() -> None:
    audit = recall_precision(positives=50, checked=20, hits=0, predicted=0)
    assert math.isnan(audit.precision.value)
    assert audit.recall.interval()[:2] == (0, 0)


def test_everything_checked_is_known() -> None:
    audit = recall_precision(positives=50, checked=50, hits=31, predicted=40)
    assert audit.hits.interval()[:2] == (31, 31)
    assert audit.recall.interval()[:2] == (0.62, 0.62)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"positives": 0, "checked": 0, "hits": 0}, "positives is 0; it must be at least 1: recall is a share"),
        ({"checked": 0, "hits": 0}, "checked is 0; it must be at least 1: a sample of none says nothing"),
        ({"checked": 101}, "checked is 101 but positives is 100; no positive is checked twice"),
        ({"hits": 21}, "hits is 21 but checked is 20; hits are counted among the checked"),
        ({"hits": -1}, "hits is -1; it must be a whole number of at least 0: the checked positives"),
        ({"hits": 2.5}, "hits is 2.5; it must be a whole number"),
        ({"hits": math.nan}, "hits is nan; it must be a whole number"),
        ({"hits": "12"}, "hits is '12'; it must be a whole number"),
        ({"hits": True}, "hits is True; it must be a whole number"),
        ({"hits": np.array([12, 3])}, r"hits is array\(\[12, 3\]\); it must be a whole number"),
        ({"positives": 10**400}, r"positives is more than 9007199254740992; counts go up to that"),
        ({"positives": -(10**5000)}, "positives is negative; it must be a whole number of at least 1"),
        ({"predicted": 11}, "hits is 12 but predicted is 11; every hit is predicted"),
        ({"population": 99}, "population is 99 but positives is 100; they are part of the population"),
        ({"population": 149}, "population is 149 but predicted is 150; they are part of the population"),
        ({"population": 157}, "population is 157 but 150 items are predicted and 8 checked positives are not"),
        ({"prior": (1, -1)}, r"prior is \(1, -1\); it must be 'uniform', 'jeffreys' or two positive numbers"),
    ],
)
def test_contradictions_name_the_argument(changed: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"positives": 100, "checked": 20, "hits": 12, "predicted": 150}
    with pytest.raises(DataError, match=message):
        recall_precision(**(arguments | changed))  # type: ignore[arg-type]


def test_wrong_names_and_levels_are_refused() -> None:
    with pytest.raises(MetricNameError, match="no prior is named 'flat'; there are 'uniform', 'jeffreys', or give"):
        recall_precision(positives=100, checked=20, hits=12, predicted=150, prior="flat")
    with pytest.raises(MetricNameError, match="no interval method is named 'blakr'; did you mean 'blaker'"):
        recall_precision(positives=100, checked=20, hits=12, predicted=150, interval="blakr")
    with pytest.raises(CertusError, match="level is 95; it must lie strictly between 0 and 1"):
        recall_precision(positives=100, checked=20, hits=12, predicted=150, level=95)


@pytest.mark.parametrize("level", ["0.95", None, [0.9], np.array([0.9]), True, 1e-300])
@pytest.mark.parametrize("method", ["blaker", "hypergeometric-lower"])
def test_a_level_that_is_no_such_number_is_refused(level: Any, method: str) -> None:
    with pytest.raises(CertusError, match=r"^level is .*0\.95"):
        recall_precision(positives=100, checked=20, hits=12, predicted=150, level=level, interval=method)
    with pytest.raises(CertusError, match=r"^level is .*0\.95"):
        coverage(method, 10, 5, level)


@pytest.mark.parametrize("method", [3, ["blaker"], b"blaker"])
def test_a_method_that_is_no_name_is_refused(method: Any) -> None:
    with pytest.raises(MetricNameError, match=r"^the interval method is .*; it must be the name of one: blaker"):
        recall_precision(positives=100, checked=20, hits=12, predicted=150, interval=method)
    with pytest.raises(MetricNameError, match=r"^the interval method is .*; it must be the name of one: blaker"):
        coverage(method, 10, 5)


def test_the_posterior_is_bayes_theorem() -> None:
    law, exact = hits_posterior(40, 13, 5), oracle.posterior(40, 13, 5)
    assert law.pmf(range(41)) == pytest.approx([float(p) for p in exact], rel=1e-11)
    assert law.mean() == pytest.approx(42 * 6 / 15 - 1)
    assert sum(x * p for x, p in enumerate(exact)) == Fraction(42 * 6, 15) - 1


def test_numbers_of_r1s_posterior() -> None:
    law = hits_posterior(1000, 500, 400)
    assert law.mean() == pytest.approx(200650 / 251)
    assert law.std() == pytest.approx(12.652, abs=5e-4)
    assert law.median() == 800
    assert law.cdf(823) - law.cdf(773) == pytest.approx(0.9521, abs=5e-5)
    assert (law.cdf(773), law.sf(823)) == pytest.approx((0.0238, 0.0241), abs=5e-5)
    # What R1's program returns instead.
    assert law.cdf(827) - law.cdf(774) == pytest.approx(0.9619, abs=5e-5)
    assert hits_posterior(500, 100, 80).sf(405) == pytest.approx(0.345, abs=5e-4)


def test_the_posterior_takes_any_prior_and_no_sample() -> None:
    assert hits_posterior(10, 0, 0).pmf(range(11)) == pytest.approx([1 / 11] * 11)
    assert hits_posterior(10, 10, 4).pmf(4) == 1
    assert hits_posterior(10, 4, 2, prior="jeffreys").mean() == pytest.approx(2 + 6 * 2.5 / 5)
    with pytest.raises(DataError, match="n is 11 but N is 10; no positive is checked twice"):
        hits_posterior(10, 11, 2)
    with pytest.raises(DataError, match="k is 5 but n is 4; hits are counted among the checked"):
        hits_posterior(10, 4, 5)


@pytest.mark.parametrize(
    "function",
    [
        audit.recall_precision,
        audit.unknown_positives,
        audit.strata,
        audit.post_stratified,
        audit.two_samples,
        audit.sequence,
        audit.plan.sample_size,
        audit.plan.chance_narrow_enough,
        audit.plan.split,
    ],
)
def test_the_interval_has_one_name_in_every_audit(function: Any) -> None:
    assert "interval" in inspect.signature(function).parameters


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
