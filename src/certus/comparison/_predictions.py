"""Predictions of several systems for the same samples."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from certus.comparison._classifiers import compare_classifiers
from certus.comparison._family import Family, Material
from certus.comparison._names import check_systems, columns_of
from certus.comparison._statistics import pairs_of
from certus.data import prepare
from certus.data._columns import as_array
from certus.data._index import check_index
from certus.data.prepare import check_asked
from certus.errors import DataError, MetricNameError
from certus.inference import Estimate, Paired
from certus.inference.tests.pairs import PAIRS
from certus.metrics import Metric, parse

__all__ = ["TASKS", "of_predictions"]

LABELLED = ("classification", "multilabel")
TASKS = (*LABELLED, "regression", "clustering")


def of_predictions(
    y_true: Any,
    predictions: Any,
    metrics: str | Metric | Iterable[str | Metric],
    task: str,
    conventions: Mapping[str, Any],
) -> Material:
    """The metrics of all systems' predictions.

    Raises
    ------
    DataError
        The predictions are not those of two or more systems for the samples of `y_true`.
    MetricNameError
        There is no such metric of the task, or it gives each class its own value.
    """
    chosen = _chosen(metrics, task)
    columns = _columns(predictions)
    check_systems(list(columns), "predictions")
    check_index(**{f"predictions[{name!r}]": column for name, column in columns.items()})
    prepared: list[object] = []
    families = [
        _family(metric, y_true, columns, conventions, prepared)
        if task in LABELLED
        else _other(metric, y_true, columns, conventions)
        for metric in chosen
    ]
    check_asked(conventions, prepared, chosen)
    inputs = {"y_true": _fingerprint(y_true, "y_true")}
    inputs |= {name: _fingerprint(column, name) for name, column in columns.items()}
    kept = {
        name: value if isinstance(value, str | int | float | bool) else _fingerprint(value, name)
        for name, value in conventions.items()
        if value is not None
    }
    named = {str(metric): dict(metric.conventions) for metric in chosen}
    return Material(tuple(columns), tuple(families), (), (), inputs, {"task": task, "metrics": named, **kept})


def _family(
    metric: Metric, y_true: Any, columns: Mapping[str, Any], conventions: Mapping[str, Any], prepared: list[object]
) -> Family:
    """A metric of labels or of their scores: which samples two systems share is known of the prepared data only."""
    given = {"labels": None, "pos_label": None, "sample_weight": None, "groups": None, **conventions}
    data: dict[str, Any] = {}
    estimates: dict[str, Estimate] = {}
    for name, column in columns.items():
        with _named(name):
            data[name] = prepare(metric.takes, y_true, column, **given)
            prepared.append(data[name])
            estimates[name] = _one(metric, metric(data[name]))

    def pair(system: str, baseline: str, **how: Any) -> Paired:
        return compare_classifiers(metric, data[system], data[baseline], **how)

    return Family(str(metric), metric.better, _bounds(estimates), estimates, pair)


def _other(metric: Metric, y_true: Any, columns: Mapping[str, Any], conventions: Mapping[str, Any]) -> Family:
    """A metric whose statistic has a value for each sample, or influence values."""
    estimates = {}
    for name, column in columns.items():
        with _named(name):
            estimates[name] = _one(metric, metric(y_true, column, **conventions))
    if any(
        type(each.statistic) not in PAIRS or getattr(each.statistic, "parts", 0) is None for each in estimates.values()
    ):
        raise MetricNameError(
            f"{metric} has no paired comparison: its statistic does not say what each sample adds; compare metrics "
            "that do, or give the values of independent repetitions to compare_values"
        )
    return Family(str(metric), metric.better, _bounds(estimates), estimates, pairs_of(estimates))


def _one(metric: Metric, made: object) -> Estimate:
    if not isinstance(made, Estimate):
        raise MetricNameError(f"{metric} gives each class a value; to compare, choose another average")
    return made


def _bounds(estimates: Mapping[str, Estimate]) -> tuple[float, float]:
    return next(iter(estimates.values())).bounds


@contextmanager
def _named(system: str) -> Iterator[None]:
    """Errors about data say whose data."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{system}: {error}") from error


def _chosen(metrics: str | Metric | Iterable[str | Metric], task: str) -> list[Metric]:
    if task not in TASKS:
        raise MetricNameError(f"task is {task!r}; it must be one of {', '.join(map(repr, ('ranking', *TASKS)))}")
    several = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not several:
        raise MetricNameError("no metric was named; name at least one")
    found = [parse(each, task=task) if isinstance(each, str) else each for each in several]
    for metric in found:
        if getattr(metric, "task", None) != task:
            raise MetricNameError(f"{metric!r} is no {task} metric; name one, or say what task it is of (task=)")
    return list(dict.fromkeys(found))


def _columns(predictions: Any) -> dict[str, Any]:
    if isinstance(predictions, Mapping):
        named = [(str(name), column) for name, column in predictions.items()]
    elif hasattr(predictions, "columns"):
        named = [(name, column.to_native()) for name, column in columns_of(predictions, "predictions")]
    else:
        kind = type(predictions).__name__
        raise DataError(f"predictions is a {kind}; give them by system, as {{name: predictions}} or DataFrame columns")
    names = [name for name, _ in named]
    check_systems(names, "predictions")
    return dict(named)


def _fingerprint(values: Any, name: str) -> str:
    """A hash of the values as numpy holds them."""
    array = as_array(values, name)
    content = repr(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes()
    found = hashlib.blake2b(content, digest_size=16)
    return f"blake2b-128:{found.hexdigest()}"
