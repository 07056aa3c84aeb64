"""Claims about every multilabel metric; a new one is found and tested by itself."""

import inspect
import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from in_a_row import in_a_row
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from certus import DataError, Metric
from certus.data import LabelGrades, Multilabel, MultilabelScores
from certus.inference import Estimate, Estimates
from certus.metrics import declared
from certus.metrics.check import Parameter

METRICS = declared("multilabel")
RANKED = [metric for metric in METRICS if metric.input_types != (Multilabel,)]


def _samples(parameter: Parameter) -> list[Any]:
    """Some values that a parameter accepts."""
    tries: dict[object, list[Any]] = {int: [1, 2, 3, 10], float: [0.0, 0.5, 1.0, 2.0], bool: [False, True]}
    fitting = [value for kind in parameter.types for value in tries[kind] if kind is bool or value in parameter.range]
    return [*parameter.choices, *fitting]


def _ready(metric: Metric) -> Metric:
    """The metric with a value for each parameter that needs one."""
    return metric.using(**{name: 2.0 for name, parameter in metric.parameters.items() if parameter.required})


def _variants(metric: Metric) -> list[Metric]:
    ready = _ready(metric)
    bound = [ready.using(**{name: value}) for name, p in metric.parameters.items() for value in _samples(p)]
    return list(dict.fromkeys([ready, *bound]))


VARIANTS = [variant for metric in METRICS for variant in _variants(metric)]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=str)
each_variant = in_a_row("metric", VARIANTS, group=lambda each: each.name)


class Problem(NamedTuple):
    true: NDArray[Any]
    other: NDArray[Any]

    def of(self, rows: Any) -> "Problem":
        return Problem(self.true[rows], self.other[rows])


def _problem(metric: Metric, n: int = 60, seed: int = 0, perfect: bool = False) -> Problem:
    """Every sample has some labels but not all; the prediction is right more often than not."""
    rng = np.random.default_rng(seed)
    true = rng.permuted(np.arange(5) < rng.integers(1, 5, (n, 1)), axis=1)
    if metric.input_types == (MultilabelScores,):
        return Problem(true, true + 0.0 if perfect else np.round(true + rng.normal(size=true.shape), 1))
    if metric.input_types == (LabelGrades,):
        grades = true * rng.integers(1, 4, true.shape)
        return Problem(grades, grades if perfect else np.round(grades + rng.normal(size=true.shape), 1))
    other = np.where(rng.random((n, 1)) < 0.4, rng.permuted(true, axis=1), true)
    return Problem(true.astype(int), true.astype(int) if perfect else other.astype(int))


def _estimates(metric: Metric, problem: Problem, **conventions: Any) -> list[Estimate]:
    estimate: Any = metric(problem.true, problem.other, **conventions)
    return list(estimate.values()) if isinstance(estimate, Estimates) else [estimate]


def _values(metric: Metric, problem: Problem, **conventions: Any) -> list[float]:
    return [each.value for each in _estimates(metric, problem, **conventions)]


@each_variant
def test_a_perfect_prediction_has_exactly_the_best_value(metric: Metric) -> None:
    problem = _problem(metric, perfect=True)
    (first, *_) = _values(metric, _problem(metric))
    best = metric.bounds[1] if metric.better == "higher" else metric.bounds[0]
    if metric.name == "CoverageError":
        best = float((problem.true.sum(1) - 1 + metric.conventions["offset"]).mean())
    if metric.name == "DCG":
        assert first < metric(problem.true, problem.true).value
        return
    for value in _values(metric, problem):
        assert value == best
    assert first < best if metric.better == "higher" else first > best


@each_variant
def test_groups_change_the_unit_and_not_the_value(metric: Metric) -> None:
    problem = _problem(metric, n=30)
    copies = problem.of(np.repeat(np.arange(30), 4))
    alone = _estimates(metric, problem, groups=np.arange(30))
    for one, other in zip(alone, _estimates(metric, copies, groups=np.repeat(np.arange(30), 4)), strict=True):
        assert_allclose(other.value, one.value, rtol=1e-12)
        assert_allclose(other.standard_error, one.standard_error, rtol=1e-9)
        assert other.unit == "group"


@each_variant
def test_the_order_of_labels_does_not_matter(metric: Metric) -> None:
    if metric.conventions.get("ignore_ties"):
        return  # what stands first among equals is then the later column
    problem = _problem(metric)
    order = np.random.default_rng(3).permutation(5)
    shuffled = Problem(problem.true[:, order], problem.other[:, order])
    assert_allclose(sorted(_values(metric, shuffled)), sorted(_values(metric, problem)), rtol=1e-12)


@each_variant
def test_tables_may_lie_in_any_order_and_cannot_be_written(metric: Metric) -> None:
    problem = _problem(metric)
    expected = _values(metric, problem)
    strided = Problem(*(np.repeat(table, 2, axis=1)[:, ::2] for table in problem))
    for other in (Problem(*map(np.asfortranarray, problem)), strided):
        for table in other:
            table.flags.writeable = False
        assert _values(metric, other) == expected
    mixed = Problem(np.asfortranarray(problem.true), problem.other)
    assert _values(metric, mixed) == expected


@each_variant
def test_labels_choose_columns(metric: Metric) -> None:
    problem = _problem(metric)
    columns = [3, 0, 1]
    part = Problem(*(np.ascontiguousarray(table[:, columns]) for table in problem))
    found = _values(metric, problem, labels=columns)
    for one, other in zip(found, _values(metric, part), strict=True):
        assert one == pytest.approx(other, rel=1e-12, nan_ok=True)


@each_variant
def test_one_sample_has_a_value_and_a_reason_for_no_interval(metric: Metric) -> None:
    for estimate in _estimates(metric, _problem(metric).of(slice(0, 1))):
        assert math.isnan(estimate.value) == bool(estimate.reason)
        interval = estimate.interval()
        assert interval.defined or interval.reason


@each_variant
def test_nothing_to_look_at_is_an_error(metric: Metric) -> None:
    with pytest.raises(DataError, match="y_true has no samples; give a row per sample"):
        metric(np.empty((0, 3)), np.empty((0, 3)))
    with pytest.raises(DataError, match="y_true has no labels; give a column per label"):
        metric(np.empty((3, 0)), np.empty((3, 0)))
    with pytest.raises(DataError, match="every sample_weight is 0; some sample must count"):
        _estimates(metric, _problem(metric), sample_weight=np.zeros(60))


@each_metric
def test_tables_that_do_not_fit_are_refused(metric: Metric) -> None:
    metric = _ready(metric)
    other = list(inspect.signature(metric).parameters)[1]
    with pytest.raises(DataError, match=r"^y_true has shape \(3,\); it must have .*row"):
        metric([0, 1, 1], [0, 1, 1])
    with pytest.raises(DataError, match=rf"^{other} has shape \(2,\); it must have .*row"):
        metric([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(DataError, match=f"y_true has 2 labels but {other} has 3; give both the same columns"):
        metric([[0, 1]], [[0, 1, 1]])
    with pytest.raises(DataError, match=f"y_true has 2 samples but {other} has 1; they must pair up one to one"):
        metric([[0, 1], [1, 0]], [[0, 1]])
    with pytest.raises(DataError, match=rf"^{other} is NaN at index \(0, 1\)"):
        metric([[0, 1]], [[0, math.nan]])
    with pytest.raises(DataError, match="y_true is NaN at index"):
        metric([[0, math.nan]], [[0, 1]])
    with pytest.raises(DataError, match="takes y_true and y_"):
        metric([[0, 1]])


@pytest.mark.parametrize("metric", [each for each in METRICS if each.input_types != (LabelGrades,)], ids=str)
def test_truth_is_0_and_1(metric: Metric) -> None:
    with pytest.raises(DataError, match=r"y_true is 2 at index \(0, 1\); it must hold 0 and 1 only"):
        _ready(metric)([[0, 2]], [[0, 1]])


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_scores_in_32_bits_and_whole_numbers_rank_as_they_are(metric: Metric) -> None:
    problem = _problem(metric)
    whole = np.round(10 * problem.other).astype(np.int64)
    expected = _values(metric, Problem(problem.true, whole.astype(float)))
    for kind in (np.float32, np.int64, np.int32, np.int8, np.float16):
        assert _values(metric, Problem(problem.true, whole.astype(kind))) == expected
    great = [[2**53 + number for number in row] for row in whole.tolist()]
    assert _values(metric, Problem(problem.true, np.array(great))) == expected
    assert _values(metric, Problem(problem.true, np.array(great, dtype=object) * 2**20)) == expected


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_infinite_scores_only_order(metric: Metric) -> None:
    ends = metric([[0, 1, 1]], [[-math.inf, math.inf, 0.5]]).value
    assert ends == metric([[0, 1, 1]], [[0, 1, 0.5]]).value


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_the_bits_do_not_depend_on_the_threads(metric: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = _problem(metric, n=10_000)
    monkeypatch.setenv("CERTUS_THREADS", "1")
    alone = _values(metric, problem)
    monkeypatch.setenv("CERTUS_THREADS", "7")
    assert _values(metric, problem) == alone
