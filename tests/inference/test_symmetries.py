"""Every metric and every interval method: nested over levels, and mirrored where the data are."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from every_metric import Case, case, cases

from certus.core.errors import CertusError
from certus.inference import Estimate, difference
from certus.metrics import Metric

LEVELS = (0.5, 0.8, 0.95, 0.99)
SIZES = (7, *(pytest.param(n, marks=pytest.mark.thorough) for n in (4, 14, 30)))
SEEDS = (range(3), pytest.param(range(3, 40), marks=pytest.mark.thorough))
ROUNDING = 1e-8
DRAWS = 200
TWO_CLUSTERINGS = ("AMI", "ARI", "FM", "MI", "NMI", "Rand", "V", "VI")
"""The same whichever of two clusterings is the true one."""
RELABELLED = ("Accuracy", "kappa", "MCC")
"""The same whatever the classes are called."""
PARTITIONED = [
    metric for _, metric in cases("clustering", variant=False) if metric.input_types[0].__name__ == "Partition"
]
NOT_MIRRORED = ("percentile", "bca")
"""Draws of units, which are not those of the exchanged samples; those of cells of a table are."""


def limits(estimate: Estimate, level: float = 0.95, method: str | None = None) -> tuple[float, float]:
    """The limits; NaN where the method refuses the data."""
    try:
        low, high = estimate.interval(level, method, replicates=DRAWS)
    except CertusError:
        return math.nan, math.nan
    return low, high


def small(task: str, metric: Metric, n: int) -> Iterator[tuple[Case, list[Estimate]]]:
    """A small sample, if the metric has values for it."""
    data = case(task, metric, n=n, seed=n)
    try:
        found = data.of()
    except CertusError:
        return
    yield data, [each for each in found if not each.reason]


def assert_same(one: tuple[float, float], other: tuple[float, float], *about: object) -> None:
    assert other == pytest.approx(one, rel=ROUNDING, abs=ROUNDING, nan_ok=True), about


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("task", "metric"), cases(variant=False), ids=str)
def test_every_interval_of_small_samples_is_nested_over_levels(task: str, metric: Metric, n: int) -> None:
    for _, estimates in small(task, metric, n):
        for estimate in estimates:
            for method in estimate.methods:
                there = [each for level in LEVELS if not math.isnan((each := limits(estimate, level, method))[0])]
                slack = ROUNDING * max(1.0, abs(estimate.value)) if math.isfinite(estimate.value) else 0.0
                for (low, high), (lower, higher) in pairwise(there):
                    assert lower <= low + slack, (n, method)
                    assert high - slack <= higher, (n, method)


@pytest.mark.parametrize("metric", PARTITIONED, ids=str)
@pytest.mark.parametrize("seeds", SEEDS, ids=len)
def test_clusters_may_have_any_names_and_two_clusterings_any_order(metric: Metric, seeds: range) -> None:
    for seed in seeds:
        random = np.random.default_rng(seed)
        n, rows, columns = random.integers([4, 2, 2], [40, 6, 6]).tolist()
        true = random.integers(0, rows, n)
        predicted = np.where(random.random(n) < 0.5, true % columns, random.integers(0, columns, n))
        estimate: Any = metric(true, predicted)
        names = random.permutation(9), random.permutation(9)
        assert_same(limits(estimate), limits(metric(names[0][true], names[1][predicted])), seed)
        if metric.name in TWO_CLUSTERINGS:
            assert_same(limits(estimate), limits(metric(predicted, true)), seed)


@pytest.mark.parametrize("name", RELABELLED)
@pytest.mark.parametrize("seeds", SEEDS, ids=len)
def test_classes_may_have_any_names(name: str, seeds: range) -> None:
    metric = next(metric for _, metric in cases("classification", variant=False) if metric.name == name)
    for seed in seeds:
        random = np.random.default_rng(seed)
        n, classes = random.integers([5, 2], [40, 6]).tolist()
        true = random.integers(0, classes, n)
        predicted = np.where(random.random(n) < 0.6, true, random.integers(0, classes, n))
        names = random.permutation(9)
        one, other = metric(true, predicted), metric(names[true], names[predicted])
        assert isinstance(one, Estimate)
        assert isinstance(other, Estimate)
        for method in one.methods:
            assert_same(limits(one, method=method), limits(other, method=method), seed, method)


@pytest.mark.parametrize("name", ["AUC", "Gini"])
def test_areas_of_exchanged_labels_have_mirrored_limits(name: str) -> None:
    metric = next(metric for _, metric in cases("classification", variant=False) if metric.name == name)
    top = {"AUC": 1.0, "Gini": 0.0}[name]
    for seed in range(60):
        random = np.random.default_rng(seed)
        truth = random.permutation(np.arange(random.integers(4, 13)) % 2)
        scores = np.round(truth * random.choice([0, 1, 2]) + random.normal(size=len(truth)), random.choice([0, 1, 6]))
        estimate: Any = metric(truth, scores)
        for method in (each for each in estimate.methods if each not in NOT_MIRRORED):
            low, high = limits(metric(1 - truth, scores), method=method)
            assert_same(limits(estimate, method=method), (top - high, top - low), seed, method)


@pytest.mark.parametrize(
    ("task", "metric"), cases("classification", "multilabel", "regression", variant=False), ids=str
)
@pytest.mark.parametrize("n", SIZES)
def test_exchanged_systems_have_mirrored_limits(task: str, metric: Metric, n: int) -> None:
    for data, estimates in small(task, metric, n):
        random = np.random.default_rng(n)
        truth, predicted = data.given
        other = np.where((random.random(n) < 0.6).reshape(n, *[1] * (predicted.ndim - 1)), predicted, predicted[::-1])
        try:
            second = Case(metric, (truth, other), data.other).of()
            found = [(difference(a, b), difference(b, a)) for a, b in zip(estimates, second, strict=True)]
        except (CertusError, ValueError):
            continue  # no comparison, or a value is undefined
        for one, exchanged in found:
            assert exchanged.p == pytest.approx(one.p, rel=1e-6, nan_ok=True)
            methods = [None, *one.difference.methods]
            for method in (each for each in methods if each not in NOT_MIRRORED or "dirichlet" in methods):
                low, high = limits(exchanged.difference, method=method)
                assert_same(limits(one.difference, method=method), (-high, -low), n, method)
