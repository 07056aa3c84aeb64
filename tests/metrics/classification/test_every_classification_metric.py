"""Claims about every classification metric; a new one is found and tested by itself."""

import math
import pydoc
from typing import Any, NamedTuple

import numpy as np
import pytest
from in_a_row import in_a_row
from numpy.testing import assert_allclose
from untyped import untyped

import certus
from certus import DataError, Metric, MetricNameError
from certus.data import Labels, Multilabel
from certus.inference import Estimate, Estimates
from certus.metrics import declared, parse
from certus.metrics.check import Parameter
from certus.statistic import Proportion, TableFunction

METRICS = declared("classification")
BINARY = {"FM", "LR+", "LR-"}
"""Metrics of labels that know two classes only."""
NEEDED = {"beta": 2.0}
TRIVIAL = {"PrecisionAtRecall@0", "RecallAtPrecision@0", "RecallAtPrecision@0.25", "RecallAtPrecision@0.5"}
"""Variants that are 1 for nearly any data, so that no resample says how far they can be off."""


def _samples(parameter: Parameter) -> list[Any]:
    """Some values that a parameter accepts."""
    tries: dict[object, list[Any]] = {int: [1, 2, 3, 10], float: [0.0, 0.25, 0.5, 1.0, 2.0], bool: [False, True]}
    fitting = [value for kind in parameter.types for value in tries[kind] if kind is bool or value in parameter.range]
    return [*parameter.choices, *fitting]


def _ready(metric: Metric) -> Metric:
    """The metric with a value for each parameter that needs one."""
    found = {name: _samples(parameter)[-1] for name, parameter in metric.parameters.items() if parameter.required}
    return metric.using(**{name: NEEDED.get(name, value) for name, value in found.items()})


def _variants(metric: Metric) -> list[Metric]:
    ready = _ready(metric)
    bound = [ready.using(**{name: value}) for name, p in metric.parameters.items() for value in _samples(p)]
    return list(dict.fromkeys([ready, *bound]))


VARIANTS = [variant for metric in METRICS for variant in _variants(metric)]
each_metric = pytest.mark.parametrize("metric", METRICS, ids=str)
each_variant = in_a_row("metric", VARIANTS, group=lambda each: each.name)


class Problem(NamedTuple):
    true: Any
    other: Any

    def of(self, rows: Any) -> "Problem":
        return Problem(self.true[rows], self.other[rows])

    def __len__(self) -> int:
        return len(self.true)


def _kind(metric: Metric) -> str:
    """Data of the metric: the first class of data it takes, as its parameters narrow it."""
    first = metric.input_types[0].__name__
    if first != "Labels":
        return f"binary {first}" if metric.conventions.get("confidence") == "positive" else first
    average = metric.conventions.get("average", "binary" if metric.name in BINARY else None)
    return {"samples": "Multilabel", "binary": "binary Labels"}.get(average, "Labels")


def _problem(metric: Metric, n: int = 60, seed: int = 0) -> Problem:
    """Predictions that are right more often than not; every class occurs in the truth and in the prediction."""
    rng = np.random.default_rng(seed)
    kind = _kind(metric)
    if kind == "Multilabel":
        # Every sample has some labels but not all, in the truth and in the prediction.
        table, other = (np.sort(rng.random((n, 4)), axis=1) for _ in range(2))
        table = rng.permuted(table > table[:, [1]], axis=1)
        other = np.where(rng.random((n, 1)) < 0.4, rng.permuted(other > other[:, [2]], axis=1), table)
        return Problem(table.astype(int), other.astype(int))
    classes = 2 if kind in ("binary Labels", "Scores") else 3
    true = np.arange(n) % classes
    noise = rng.normal(size=(n, classes))
    if kind in ("binary Labels", "Labels"):
        return Problem(true, np.argmax(np.eye(classes)[true] + 0.7 * noise, axis=1))
    if kind == "Scores":
        return Problem(true, np.round(true + noise[:, 0], 1))
    if kind == "binary Probabilities":
        return Problem(true % 2, np.round(1 / (1 + np.exp(-2 * (true % 2) + 1 - noise[:, 0])), 2))
    scores = np.exp(np.eye(classes)[true] + noise)
    return Problem(true, scores / scores.sum(1, keepdims=True) if kind == "Probabilities" else np.round(scores, 1))


def _perfect(metric: Metric) -> Problem:
    problem = _problem(metric)
    true = np.asarray(problem.true)
    if _kind(metric) == "Probabilities":
        return Problem(true, np.eye(3)[true])
    if _kind(metric) == "ClassScores":
        return Problem(true, 10 * np.eye(3)[true] + np.arange(len(true))[:, np.newaxis] / 1000)
    if _kind(metric) in ("Scores", "binary Probabilities"):
        return Problem(true, true.astype(float))
    return Problem(true, true)


def _each(estimate: Estimate | Estimates) -> list[Estimate]:
    return list(estimate.values()) if isinstance(estimate, Estimates) else [estimate]


def _estimates(metric: Metric, problem: Problem, **conventions: Any) -> list[Estimate]:
    return _each(metric(problem.true, problem.other, **conventions))


def _values(metric: Metric, problem: Problem, **conventions: Any) -> list[float]:
    return [each.value for each in _estimates(metric, problem, **conventions)]


UNLIKE = {
    "ECE(norm='l2-debiased')": "the bias that is taken off depends on the number of samples",
    "LogLoss(normalize=False)": "a sum grows with the samples",
    "TopK@10": "there are three classes",
    "TopK@3": "there are three classes",
}
"""Variants for which the best value does not tell a prediction, or which do not take a sample twice for two."""


@each_variant
def test_a_perfect_prediction_has_exactly_the_best_value(metric: Metric) -> None:
    if metric.better is None or str(metric) in {*UNLIKE, *TRIVIAL} or metric.conventions.get("clip"):
        return  # a loss that is clipped stays away from 0
    if metric.name == "Lift":
        return  # its bound is that of data with few positives
    best = metric.bounds[1] if metric.better == "higher" else metric.bounds[0]
    for estimate in _estimates(metric, _perfect(metric)):
        assert estimate.value == best
        low, high = estimate.interval()
        assert math.isnan(low) or (math.isinf(best) and low == high == best) or low < high
    (first, *_) = _values(metric, _problem(metric))
    assert first < best if metric.better == "higher" else first > best


@each_variant
def test_groups_of_one_sample_are_samples(metric: Metric) -> None:
    if "prevalence" in metric.conventions:
        metric = metric.using(prevalence="random")  # as it is over groups
    problem = _problem(metric)
    alone = _estimates(metric, problem)
    grouped = _estimates(metric, problem, groups=np.arange(len(problem)))
    for one, other in zip(alone, grouped, strict=True):
        assert_allclose(other.value, one.value, rtol=1e-12)
        assert other.unit == "group"
        # A variance over G groups is divided by G - 1, where one of samples may be divided by n.
        assert_allclose(other.standard_error, one.standard_error, rtol=1.2 / len(problem))


@each_variant
def test_groups_of_equal_samples_widen_the_interval(metric: Metric) -> None:
    if metric.conventions.get("normalize") is False:
        return
    problem = _problem(metric, n=30)
    copies = problem.of(np.repeat(np.arange(30), 4))
    grouped = _estimates(metric, copies, groups=np.repeat(np.arange(30), 4))
    for one, other in zip(_estimates(metric, problem, groups=np.arange(30)), grouped, strict=True):
        assert_allclose(other.value, one.value, rtol=1e-12)
        assert_allclose(other.standard_error, one.standard_error, rtol=1e-9)


def _degenerate(metric: Metric) -> list[tuple[Problem, dict[str, Any]]]:
    """Hardly any data: one sample, one class, a class that is missing."""
    problem = _problem(metric)
    first = problem.true == problem.true[0] if np.ndim(problem.true) == 1 else (problem.true == 0).all(1)
    cases: list[tuple[Problem, dict[str, Any]]] = [
        (problem.of(slice(0, 1)), {}),
        (problem.of(first), {}),
        (problem.of(slice(0, 5)), {}),
        (_perfect(metric).of(slice(0, 6)), {}),
    ]
    if _kind(metric) == "Labels":
        cases.append((problem, {"labels": [0, 1, 2, 7]}))
    if _kind(metric) == "Probabilities":
        cases = [(one, {"labels": [0, 1, 2]}) for one, _ in cases]
    return cases


@each_variant
def test_nothing_is_undefined_silently_and_no_interval_is_without_width(metric: Metric) -> None:
    for problem, conventions in _degenerate(metric):
        try:
            estimates = _estimates(metric, problem, **conventions)
        except DataError as error:
            assert "labels" in str(error) or "class" in str(error)  # noqa: PT017
            continue
        for estimate in estimates:
            assert math.isnan(estimate.value) == bool(estimate.reason)
            interval = estimate.interval()
            assert interval.defined != math.isnan(interval.low)
            if not interval.defined:
                assert interval.reason
            elif math.isfinite(estimate.value):
                assert interval.low < interval.high
                assert interval.low <= estimate.value <= interval.high


@each_variant
def test_no_samples_are_said_to_be_none(metric: Metric) -> None:
    empty = _problem(metric).of(slice(0, 0))
    try:
        estimates = _estimates(metric, empty, **({"labels": [0, 1, 2]} if _kind(metric) == "Probabilities" else {}))
    except DataError as error:
        assert "no samples" in str(error) or "empty" in str(error) or "class" in str(error)  # noqa: PT017
        return
    for estimate in estimates:
        assert math.isnan(estimate.value)
        assert estimate.reason.startswith("there are no ")


UNDEFINED = [metric for metric in METRICS if "undefined" in metric.parameters]


@pytest.mark.parametrize("metric", UNDEFINED, ids=str)
def test_undefined_says_what_0_over_0_counts_as(metric: Metric) -> None:
    # Informedness and recall lack positives, precision and markedness predicted ones, specificity negatives, ...
    zeros, ones = np.zeros(9, int), np.ones(9, int)
    nothing = [Problem(zeros, zeros), Problem(ones, ones), Problem(zeros, ones)]
    found = 0
    for problem in nothing:
        value = _ready(metric)(problem.true, problem.other)
        if not math.isnan(value.value):
            continue
        found += 1
        assert value.reason
        filled = _ready(metric)(problem.true, problem.other, undefined=1.0)
        assert filled.value == (
            0.5 if metric.name == "BalancedAccuracy" and len({*problem.other, *problem.true}) == 2 else 1
        )
        assert not filled.reason
        interval = filled.interval()
        assert not interval.defined or interval.low < interval.high
    assert found


def test_every_estimate_says_its_conventions() -> None:
    estimate = certus.classification.f1([0, 1], [0, 1], average="macro", undefined=0.0)
    assert estimate.metric == "F1(average='macro',undefined=0)"
    assert estimate.conventions == {"average": "macro", "undefined": 0.0}


def test_a_wrong_keyword_is_answered_with_the_right_one() -> None:
    with pytest.raises(MetricNameError, match=r"^F1 has no parameter 'averge'; did you mean 'average'\?$"):
        untyped(certus.classification.f1)([0, 1], [0, 1], averge="macro")
    with pytest.raises(
        MetricNameError, match=r"^F1 has no parameter 'sample_weights'; did you mean 'sample_weight'\?$"
    ):
        untyped(certus.classification.f1)([0, 1], [0, 1], sample_weights=[1, 1])
    with pytest.raises(MetricNameError, match=r"average of F1 is 'makro'; it must be .*; did you mean 'macro'\?$"):
        untyped(certus.classification.f1)([0, 1], [0, 1], average="makro")
    with pytest.raises(DataError, match=r"^F1 needs y_true and y_pred; y_pred was not given$"):
        untyped(certus.classification.f1)(y_true=[0, 1])
    with pytest.raises(DataError, match=r"^F1 was given y_true twice; give it once$"):
        untyped(certus.classification.f1)([0, 1], [0, 1], y_true=[0, 1])
    with pytest.raises(DataError, match=r"^F1 takes y_true and y_pred; it was given 1$"):
        untyped(certus.classification.f1)([0, 1])
    with pytest.raises(DataError, match=r"^labels must be given where the Labels are made, not with them$"):
        untyped(certus.classification.f1)(Labels.from_arrays([0, 1], [0, 1]), labels=[0, 1])


def test_shapes_that_fit_nothing_are_refused() -> None:
    with pytest.raises(DataError, match=r"^y_true has shape \(2,\) and y_pred \(2, 2\); give one true and one "):
        certus.classification.f1([0, 1], [[0, 1], [1, 0]])


def test_a_metric_computes_from_prepared_data() -> None:
    data = Labels.from_arrays([0, 1, 1], [0, 1, 0])
    assert certus.classification.accuracy(data).value == certus.classification.accuracy.compute(data).value == 2 / 3  # type: ignore[union-attr]
    table = Multilabel.from_arrays([[0, 1]], [[0, 1]])
    assert certus.classification.accuracy(table).value == 1


def test_a_metric_remembers_what_it_was_bound_to() -> None:
    f1 = certus.classification.f1
    assert f1.using(average="macro") is f1.using(average="macro")
    assert f1.using(undefined=1) == f1.using(undefined=1.0)
    kappa = certus.classification.balanced_accuracy
    with pytest.raises(MetricNameError, match="it must be True or False"):
        untyped(kappa).using(adjusted=1)
    assert kappa.using(adjusted=True).bounds == (-1.0, 1.0)
    with pytest.raises(MetricNameError, match="it must be True or False"):
        untyped(kappa).using(adjusted=1)


BINARY_FORMS = ("Precision", "Recall", "Specificity", "NPV", "FPR", "FNR", "F1", "Jaccard", "Accuracy", "Hamming")


@pytest.mark.parametrize("name", [*BINARY_FORMS, "Prevalence"])
def test_what_counts_single_samples_is_a_proportion(name: str) -> None:
    metric = parse(name, task="classification")
    problem = _problem(metric)
    assert isinstance(metric.compute(Labels.from_arrays(*problem)), Proportion)
    assert isinstance(metric.compute(Labels.from_arrays(*problem, sample_weight=np.arange(1.0, 61.0))), TableFunction)
    assert isinstance(metric.compute(Labels.from_arrays(*problem, groups=np.arange(60))), TableFunction)


def test_help_shows_the_signature() -> None:
    text = pydoc.plain(pydoc.render_doc(certus.classification.f1))
    assert "f1(y_true, y_pred, *, average" in text
    assert "sample_weight=None, groups=None) -> " in text
    assert "Harmonic mean of precision and recall." in text
