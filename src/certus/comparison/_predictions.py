"""Predictions of several systems for the same samples."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from certus import tasks
from certus.comparison._family import Family, Material, Pair
from certus.comparison._names import check_systems, columns_of
from certus.comparison._statistics import pairs_of
from certus.data.columns import as_array
from certus.data.index import check_index
from certus.errors import DataError, MetricNameError, called
from certus.evaluation.call import estimated, weighable
from certus.evaluation.items import chosen as chosen_metrics
from certus.inference import Estimate, Paired
from certus.inference.tests.pairs import PAIRS
from certus.metrics import Metric, Metrics
from certus.tasks import Task

__all__ = ["of_predictions"]


def of_predictions(
    y_true: Any,
    predictions: Any,
    metrics: Metrics,
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
    declared = tasks.task(task)
    chosen = chosen_metrics(metrics, task)
    columns = _columns(predictions)
    check_systems(list(columns), "predictions")
    each = {f"{name}{of}": column for name, system in columns.items() for of, column in _split(system)}
    check_index(**{f"predictions[{name!r}]": column for name, column in each.items()})
    names = [argument.name for argument in declared.data]
    shared = {names[0]: y_true, **{name: value for name, value in conventions.items() if name in names}}
    told = {name: value for name, value in conventions.items() if value is not None and name not in names}
    prepared: list[object] = []
    families = [_family(declared, metric, shared, columns, told, prepared) for metric in chosen]
    declared.check_asked(told, prepared, chosen)
    inputs = {name: _fingerprint(values, name) for name, values in (shared | each).items()}
    kept = {
        name: value if isinstance(value, str | int | float | bool) else _fingerprint(value, name)
        for name, value in told.items()
    }
    named = {str(metric): dict(metric.conventions) for metric in chosen}
    return Material(tuple(columns), tuple(families), (), (), inputs, {"task": task, "metrics": named, **kept})


def _family(
    task: Task,
    metric: Metric,
    shared: Mapping[str, Any],
    columns: Mapping[str, Any],
    told: Mapping[str, Any],
    prepared: list[object],
) -> Family:
    """The metric of all systems, and how two of them are compared by it."""
    data: dict[str, Any] = {}
    estimates: dict[str, Estimate] = {}
    for name, system in columns.items():
        with _named(name):
            weighable(metric, told)
            data[name] = task.prepare()(metric, _given(task, metric, shared, system), told)
            prepared.append(data[name])
            estimates[name] = _one(metric, estimated(metric, data[name]))
    bounds = next(iter(estimates.values())).bounds
    pair = pairs_of(estimates) if task.pair is None else _pair(task.pair, metric, data)
    if task.pair is None and any(
        type(each.statistic) not in PAIRS or getattr(each.statistic, "parts", 0) is None for each in estimates.values()
    ):
        raise MetricNameError(
            f"{metric} has no paired comparison: its statistic does not say what each sample adds; compare metrics "
            "that do, or give the values of independent repetitions to compare_values"
        )
    return Family(str(metric), metric.better, bounds, estimates, pair)


def _given(task: Task, metric: Metric, shared: Mapping[str, Any], system: Any) -> tuple[Any, ...]:
    """The data of a metric: those of the samples, and the only column of a system or those that a dict names."""
    found = []
    for place, name in enumerate(metric.arguments):
        known = task.argument(name)
        if not known.predicted:
            found.append(shared.get(known.name, next(iter(shared.values())) if place == 0 else None))
        else:
            found.append(system.get(known.name) if isinstance(system, Mapping) else system)
        if found[-1] is None:
            raise DataError(f"{metric} is computed from {called(known.name)}, which is not given")
    return tuple(found)


def _split(system: Any) -> list[tuple[str, Any]]:
    """The columns of a system, each with what tells it from the others."""
    return [(f".{key}", column) for key, column in system.items()] if isinstance(system, Mapping) else [("", system)]


def _pair(compared: Callable[..., Paired], metric: Metric, data: Mapping[str, Any]) -> Pair:
    """The comparison of two systems by their prepared data, which know the samples they share."""

    def pair(system: str, baseline: str, **how: Any) -> Paired:
        return compared(metric, data[system], data[baseline], **how)

    return pair


def _one(metric: Metric, made: object) -> Estimate:
    if not isinstance(made, Estimate):
        raise MetricNameError(f"{metric} gives each class a value; to compare, choose another average")
    return made


@contextmanager
def _named(system: str) -> Iterator[None]:
    """Errors about data say whose data."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{system}: {error}") from error


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
