"""Latency quantiles, mean latency and throughput."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from untyped import untyped

import certus
from certus import DataError, Metric
from certus.data.values import Timings
from certus.metrics import declared, parse

METRICS = [
    metric.using(q=0.99) if "q" in metric.parameters else metric
    for metric in declared("efficiency")
    if Timings in metric.input_types
]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=str)


@each_metric
def test_degenerate_timings_have_reasons(metric: Metric) -> None:
    assert metric([]).reason.startswith("there are no requests")
    for timings in ([0.5], [0.5] * 20):
        estimate = metric(timings)
        assert not estimate.reason
        assert not estimate.interval().defined
        assert estimate.interval().reason


@each_metric
def test_intervals_hold_the_value(metric: Metric) -> None:
    timings = np.random.default_rng(0).lognormal(size=800)
    for groups in (None, np.arange(800) // 4):
        estimate = metric(timings, groups=groups)
        low, high, *_ = estimate.interval()
        assert low < estimate.value < high
        assert estimate.unit == ("request" if groups is None else "group")


def test_a_quantile_of_latency_is_named_by_its_share() -> None:
    metric = parse("Latency@0.95", task="efficiency")
    assert metric.conventions["q"] == 0.95
    assert str(metric) == "Latency@0.95"


@pytest.mark.parametrize(("q", "n"), [(0.5, 25), (0.9, 60), (0.99, 500)])
def test_latency_intervals_cover_at_their_level_for_a_long_tail(q: float, n: int) -> None:
    # Exactly: the quantile lies between the two order statistics with a binomial probability.
    rng = np.random.default_rng(n)
    truth = stats.lognorm(2.0).ppf(q)
    held = 0
    for _ in range(1000):
        low, high, *_ = certus.efficiency.latency_quantile(rng.lognormal(0, 2.0, n), q=q).interval()
        held += low <= truth <= high
    assert held / 1000 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 1000)


def test_few_requests_have_no_upper_limit() -> None:
    estimate = certus.efficiency.latency_quantile(np.arange(1.0, 101.0), q=0.99)
    assert estimate.interval().high == math.inf
    assert "100 requests are too few for an upper limit of the 0.99 quantile" in str(estimate)
    assert str(estimate).endswith("it takes 368)")


def test_throughput_is_items_over_time_in_seconds() -> None:
    values = {
        units: certus.efficiency.throughput([2, 3], units=units).value for units in ("s", "ms", "us", "ns", "min", "h")
    }
    assert values["s"] == 0.4
    assert values["ms"] == 400
    assert values["us"] == 4e5
    assert values["ns"] == 4e8
    assert_allclose([values["min"], values["h"]], [0.4 / 60, 0.4 / 3600], rtol=1e-15)
    assert certus.efficiency.throughput([2, 3], items=[10, 40]).value == 10
    assert certus.efficiency.throughput([2, 3], workers=4).value == 1.6
    assert certus.efficiency.throughput([0, 0]).reason == "the denominators of 2 requests sum to zero"


def test_the_interval_of_throughput_is_that_of_the_mean_time() -> None:
    timings = np.random.default_rng(1).gamma(20, 0.01, 400)
    estimate = certus.efficiency.throughput(timings)
    # the delta method, with CR2's correction for requests of unequal length
    share = timings / timings.sum()
    terms = (1 - estimate.value * timings) / timings.sum()
    assert_allclose(estimate.standard_error, math.sqrt((terms**2 / (1 - share)).sum()), rtol=1e-12)
    assert_allclose(estimate.standard_error, timings.std(ddof=1) / 20 / timings.mean() ** 2, rtol=1e-3)
    assert estimate.interval().method == "delta"


def test_wrong_timings_are_refused() -> None:
    with pytest.raises(DataError, match=r"^units is 'sec'; it must be one of 's', 'ms', "):
        certus.efficiency.throughput([1], units="sec")
    with pytest.raises(DataError, match=r"^timings has 2 samples but items has 1; they must pair up one to one$"):
        certus.efficiency.throughput([1, 2], items=[1])
    with pytest.raises(DataError, match=r"^Throughput takes timings; it was given 2$"):
        untyped(certus.efficiency.throughput)([1], [2])
    with pytest.raises(DataError, match=r"^units must be given where the Timings are made, not with them$"):
        certus.efficiency.throughput(Timings.from_arrays([1, 2]), units="ms")
    with pytest.raises(DataError, match=r"^items is -1 at index 0; a number of items is at least 0$"):
        certus.efficiency.throughput([1], items=[-1])
