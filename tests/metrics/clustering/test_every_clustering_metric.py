"""Claims about every clustering metric; a new one is found and tested by itself."""

from typing import Any

import numpy as np
import pytest
from every_metric import every_variant
from in_a_row import in_a_row

import certus
from certus import Metric
from certus.data import Partition
from certus.metrics import declared

METRICS = declared("clustering")
NO_INTERVAL = {"Dunn"}


each_variant = in_a_row(
    "metric", [variant for metric in METRICS for variant in every_variant(metric)], group=lambda each: each.name
)


def _agreement(metric: Metric) -> bool:
    return Partition in metric.input_types


def _problem(metric: Metric, n: int = 90, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    pred = np.minimum(np.arange(n) % 4, 2)  # of equal sizes the entropy would have no slope
    if _agreement(metric):
        return np.where(rng.random(n) < 0.7, pred, rng.integers(0, 4, n)), pred
    return rng.normal(size=(n, 2)) + 2 * pred[:, np.newaxis], pred


def test_every_pinned_name_is_there() -> None:
    names = {each.__name__ for each in METRICS}  # type: ignore[attr-defined]
    assert names == {
        *("rand", "adjusted_rand", "mutual_info", "normalized_mutual_info", "adjusted_mutual_info", "homogeneity"),
        *("completeness", "v_measure", "fowlkes_mallows", "purity", "variation_of_information", "silhouette"),
        *("davies_bouldin", "calinski_harabasz", "dunn", "entropy", "joint_entropy", "conditional_entropy"),
    }
    assert callable(certus.clustering.pair_confusion)


@each_variant
@in_a_row("seed", range(3))
def test_values_and_limits_stay_within_the_bounds(metric: Metric, seed: int) -> None:
    low, high = metric.bounds
    estimate = metric(*_problem(metric, seed=seed))
    assert low <= estimate.value <= high
    assert not estimate.reason
    if metric.name in NO_INTERVAL:
        assert estimate.interval().reason
        return
    for method in estimate.methods:
        interval = estimate.interval(method=method, replicates=199)
        assert interval.defined, interval.reason
        assert low <= interval.low < interval.high <= high
        if method not in ("percentile", "bca", "dirichlet"):
            assert interval.low <= estimate.value <= interval.high


@each_variant
def test_a_table_says_what_labels_say(metric: Metric) -> None:
    if not _agreement(metric):
        return
    true, pred = _problem(metric)
    table = np.zeros((5, 3), dtype=int)
    np.add.at(table, (true, pred), 1)
    one, other = metric(true, pred), metric(contingency=table)
    assert one.value == other.value == metric(Partition.from_arrays(true, pred)).value
    assert one.interval() == other.interval()


@each_variant
def test_the_jackknife_and_the_delta_method_agree(metric: Metric) -> None:
    if not _agreement(metric) or metric.name == "Purity":
        return
    estimate = metric(*_problem(metric, n=900))
    low, high, *_ = estimate.interval(method="jackknife")
    other_low, other_high, *_ = estimate.interval(method="wald")
    assert high - low == pytest.approx(other_high - other_low, rel=0.02)


@each_variant
def test_the_gradient_is_the_derivative_of_the_function_that_gives_the_value(metric: Metric) -> None:
    if not _agreement(metric):
        return
    estimate = metric(contingency=[[4, 2, 0], [1, 3, 5], [2, 1, 7]])
    statistic: Any = estimate.statistic
    counts = statistic.counts

    def moved(cell: int, by: float) -> float:
        table = counts.copy()
        table[cell] += by
        return float(statistic.function(table[np.newaxis])[0])

    assert moved(0, 0.0) == pytest.approx(estimate.value, rel=1e-13)
    step, found = 1e-4, statistic.gradient(counts)
    for cell in np.flatnonzero(counts).tolist():
        near, far = (moved(cell, by) - moved(cell, -by) for by in (step, 2 * step))
        assert found[cell] == pytest.approx((8 * near - far) / (12 * step), abs=1e-10)
