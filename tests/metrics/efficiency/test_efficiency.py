"""Latency quantiles, mean latency and throughput."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from untyped import untyped

import certus
from certus import DataError, Metric
from certus.cli import app
from certus.data.values import Timings
from certus.metrics import declared

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


EFFICIENCY = certus.efficiency
# Six documents of a collection: bytes in the index, whether it holds them, days out of date, updates in 30 days.
SIZES = [120, 80, 100, 0, 260, 40]
HELD = [1, 1, 1, 0, 1, 1]
STALENESS = [0, 2.5, 0, 9, 0, 0.5]
UPDATES = [30, 4, 0, 0, 10, 1]


def test_space_by_hand() -> None:
    assert EFFICIENCY.mean_space(SIZES).value == float(Fraction(sum(SIZES), 6))
    assert EFFICIENCY.space_quantile(SIZES, q=1).value == 260
    assert EFFICIENCY.space_quantile(SIZES, q=0.5).value == 90


def test_coverage_freshness_and_age_by_hand() -> None:
    coverage = EFFICIENCY.collection_coverage(HELD)
    assert coverage.value == 5 / 6
    assert coverage.interval().method == "modified-wilson"
    assert EFFICIENCY.freshness(STALENESS).value == 3 / 6
    assert EFFICIENCY.mean_staleness(STALENESS).value == 2


def test_the_rate_of_updating_is_per_unit_of_the_period() -> None:
    assert EFFICIENCY.update_rate(UPDATES, period=30).value == pytest.approx(45 / 6 / 30, rel=1e-15)
    assert str(certus.parse("UpdateRate@30", task="efficiency")) == "UpdateRate@30"


def test_groups_widen_and_do_not_change_the_value() -> None:
    groups = ["a", "a", "b", "b", "c", "c"]
    for metric, column in ((EFFICIENCY.freshness, STALENESS), (EFFICIENCY.collection_coverage, HELD)):
        grouped = metric(column, groups=groups)
        assert grouped.value == pytest.approx(metric(column).value, rel=1e-15)
        assert grouped.unit == "group"


@pytest.mark.parametrize(
    ("metric", "column", "message"),
    [
        (EFFICIENCY.collection_coverage, [1, 2], "held is 2 at index 1; it must be 1 where the record is held"),
        (EFFICIENCY.freshness, [0, -1], "staleness is -1 at index 1; it must be a time of at least 0"),
        (EFFICIENCY.mean_space, [-3], "sizes is -3 at index 0; a size is at least 0"),
        (EFFICIENCY.update_rate, [1, float("inf")], "updates is infinite at index 1"),
    ],
)
def test_what_cannot_be_is_refused(metric: certus.Metric, column: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        metric(column)


def test_a_table_of_records_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "records.csv"
    rows = zip(SIZES, HELD, STALENESS, UPDATES, strict=True)
    path.write_text("bytes,held,days,updates\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    line = ["evaluate", str(path), "--task", "efficiency", "--size", "bytes", "--held", "held"]
    assert app.run([*line, "--staleness", "days", "--updates", "updates", "--format", "csv"]) == 0
    found = {cells[1]: cells[2] for cells in (row.split(",") for row in capsys.readouterr().out.splitlines()[1:])}
    assert set(found) == {"MeanSpace", "SpaceQuantile@1", "CollectionCoverage", "Freshness", "Age", "UpdateRate"}
    assert (float(found["MeanSpace"]), float(found["Age"]), float(found["UpdateRate"])) == (100, 2, 7.5)
