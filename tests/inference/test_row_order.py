"""The order of rows changes no value, no limit, no p-value and no verdict, to the last bit."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_metric import Case, case, cases

import certus
from certus.core.errors import CertusError
from certus.inference import Estimate, difference
from certus.inference.tests.declare import TESTS_BY_KIND
from certus.metrics import Metric, declared

UNITS = ("samples", "weights", "groups")
SIZES = (7, pytest.param(25, marks=pytest.mark.thorough))
DRAWS = 50
TESTS = (None, *dict.fromkeys(name for tests in TESTS_BY_KIND.values() for name in tests))
"""Every test of every form; a form refuses those of the others."""


def limits(estimate: Estimate, method: str | None) -> tuple[float, float]:
    """The limits; NaN where the method refuses the data."""
    try:
        low, high = estimate.interval(method=method, replicates=DRAWS, seed=1)
    except CertusError:
        return math.nan, math.nan
    return low, high


def same(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=True)


def units_of(kind: str, n: int) -> dict[str, Any]:
    random = np.random.default_rng(n)
    columns: dict[str, dict[str, Any]] = {
        "samples": {},
        "weights": {"weights": np.round(random.random(n) + 0.1, 1)},
        "groups": {"groups": random.integers(0, 1 + n // 3, n)},
    }
    return columns[kind]


def moved(columns: dict[str, Any], order: np.ndarray) -> dict[str, Any]:
    return {name: column[order] for name, column in columns.items()}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize(("task", "metric"), cases(), ids=str)
def test_no_order_of_rows_changes_a_bit_of_a_value_or_of_limits(task: str, metric: Metric, units: str, n: int) -> None:
    columns, order = units_of(units, n), np.random.default_rng(1).permutation(n)
    data = case(task, metric, n=n, seed=n)
    try:
        estimates = data.of(**columns)
    except CertusError:
        return  # no weights or groups, or no value of so few samples
    again = Case(metric, tuple(column[order] for column in data.given), data.other).of(**moved(columns, order))
    for one, other in zip(estimates, again, strict=True):
        assert same(one.value, other.value)
        for method in (None, *one.methods) if not one.reason else ():
            assert same(limits(one, method), limits(other, method)), method


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize(("task", "metric"), cases(variant=False), ids=str)
def test_no_order_of_rows_changes_a_bit_of_a_comparison(task: str, metric: Metric, units: str, n: int) -> None:
    columns, order = units_of(units, n), np.random.default_rng(2).permutation(n)
    first = case(task, metric, n=n, seed=n)
    swapped = np.random.default_rng(3).random(n) < 0.5
    *truth, predicted = first.given
    second = np.where(swapped.reshape(n, *[1] * (predicted.ndim - 1)), predicted, predicted[::-1])
    systems = [(*truth, predicted), (*truth, second)]

    def estimates(arrange: Callable[[np.ndarray], np.ndarray]) -> list[list[Estimate]]:
        also = {name: arrange(column) for name, column in columns.items()}
        return [Case(metric, tuple(map(arrange, given)), first.other).of(**also) for given in systems]

    try:
        found = [list(zip(*estimates(arrange), strict=True)) for arrange in (lambda x: x, lambda x: x[order])]
    except CertusError:
        return
    for pair, again in zip(*found, strict=True):
        seen = set()
        for test in TESTS:
            try:
                one = difference(*pair, test=test, replicates=DRAWS)
            except (CertusError, ValueError):
                continue  # no such test of this form, or no comparison
            if one.method in seen:
                continue  # the default, again
            seen.add(one.method)
            other = difference(*again, test=test, replicates=DRAWS)
            assert same(one.p, other.p), test
            assert same(one.difference.value, other.difference.value), test
            for method in (None, *one.difference.methods):
                assert same(limits(one.difference, method), limits(other.difference, method)), (test, method)


@pytest.mark.parametrize("kind", ["regression", "classification", "scores", "values"])
@pytest.mark.parametrize("options", [{}, {"simultaneous": True}, {"correction": "max-t"}, {"bayesian": True}], ids=str)
def test_no_order_of_rows_changes_a_table_of_systems(kind: str, options: dict[str, Any]) -> None:
    n = 31
    random, order = np.random.default_rng(4), np.random.default_rng(5).permutation(n)
    truth = random.normal(size=n) if kind == "regression" else random.integers(0, 2, n)
    made = [truth + random.normal(size=n) for _ in range(3)]
    systems = [(each > 0.5).astype(int) if kind == "classification" else each for each in made]
    metric = {"regression": "MAE", "classification": "F1", "scores": "AUC", "values": "mean"}[kind]

    def table(arrange: Callable[[np.ndarray], np.ndarray]) -> Any:
        given: dict[str, Any] = {f"s{i}": arrange(each) for i, each in enumerate(systems)}
        if kind == "values":
            labels = arrange(np.arange(n)).tolist()
            given = {name: dict(zip(labels, column.tolist(), strict=True)) for name, column in given.items()}
        return certus.compare(
            None if kind == "values" else arrange(truth),
            given,
            metric,
            task={"scores": "classification"}.get(kind, kind),
            replicates=DRAWS,
            **options,
        ).to_dicts()

    try:
        expected = table(lambda x: x)
    except CertusError:
        return  # these options are not for this form
    assert repr(table(lambda x: x[order])) == repr(expected)


QUERIES, DOCUMENTS = 12, 15


@pytest.mark.parametrize("metric", declared("ranking"), ids=str)
def test_no_order_of_queries_or_documents_changes_a_bit(metric: Metric) -> None:
    random = np.random.default_rng(6)
    qrels = {f"q{q}": {f"d{d}": int(random.integers(0, 3)) for d in range(DOCUMENTS)} for q in range(QUERIES)}
    runs = [
        {f"q{q}": {f"d{d}": float(random.integers(0, 40)) for d in range(DOCUMENTS)} for q in range(QUERIES)}
        for _ in range(2)
    ]

    def shuffled(lists: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        keys = random.permutation(list(lists)).tolist()
        return {key: {name: lists[key][name] for name in random.permutation(list(lists[key])).tolist()} for key in keys}

    try:
        found = [metric(qrels, run) for run in runs]
    except (CertusError, TypeError):
        return  # parameters that the metric needs
    again = [metric(shuffled(qrels), shuffled(run)) for run in runs]
    for one, other in zip(found, again, strict=True):
        assert isinstance(one, Estimate)
        assert isinstance(other, Estimate)
        assert same(one.value, other.value)
        for method in (None, *one.methods) if not one.reason else ():
            assert same(limits(one, method), limits(other, method)), method


@pytest.mark.parametrize("n", [3_000, 70_001])
@pytest.mark.parametrize("name", ["MSE", "MAE", "RMSE", "R2", "ExplainedVariance", "LogLoss", "Brier"])
def test_no_order_of_many_rows_changes_a_bit_of_default_limits(name: str, n: int) -> None:
    task, metric = next((task, metric) for task, metric in cases(variant=False) if metric.name == name)
    data, order = case(task, metric, n=n), np.random.default_rng(0).permutation(n)
    one, other = data.of()[0], Case(metric, tuple(column[order] for column in data.given), {}).of()[0]
    assert same(one.value, other.value)
    assert same(limits(one, None), limits(other, None))
    assert same(one.standard_error, other.standard_error)


@pytest.mark.parametrize("name", ["fowlkes_mallows", "adjusted_rand", "v_measure", "adjusted_mutual_info"])
def test_no_order_of_rows_changes_a_bit_of_clusterings_whose_clusters_have_names(name: str) -> None:
    metric = getattr(certus.clustering, name)
    true, pred = list("babacaaac"), ["no", "yes", "yes", "no", "no", "yes", "no", "yes", "yes"]
    groups = [0, 2, 0, 1, 1, 1, 1, 1, 0]
    results = set()
    for seed in range(12):
        order = np.random.default_rng(seed).permutation(9).tolist()
        columns = ([column[index] for index in order] for column in (true, pred, groups))
        first, second, grouped = columns
        estimate = metric(first, second, groups=grouped)
        results.add((estimate.value, estimate.standard_error, *estimate.interval()[:2]))
    assert len(results) == 1
