"""Means of one value per sample: the values of a batch, and the means of all batches."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data import Probabilities
from certus.errors import DataError
from certus.evaluation.samples import keywords_of
from certus.metrics import Metric
from certus.metrics.classification.losses import surprise
from certus.states._batch import Batch, Field
from certus.states._summed import some_of_each
from certus.states._sums import PowerSums
from certus.statistic import Mean
from certus.statistic.common import Bounds
from certus.tasks import Task

__all__ = ["means_of", "names_of", "values_of"]

TRUTH, SCORE = Field("y_true", 0, True), Field("y_score", 0, False)


def names_of(task: Task, metric: Metric) -> list[str]:
    """The data that a metric is computed from."""
    return [task.aliases[name] for kind in metric.takes for name in getattr(kind, "arguments", ())]


def values_of(
    task: Task, metric: Metric, batch: Batch, before: PowerSums | None, conventions: Mapping[str, Any]
) -> tuple[Floats, Bounds | None]:
    """The values that a metric is the mean of in the batch alone, and their bounds.

    Raises
    ------
    DataError
        The batch lacks a column, or its values are not valid.
    """
    if before is not None and not conventions and (found := _losses_of(metric, batch)) is not None:
        return found, before.bounds
    names = names_of(task, metric)
    if missing := [name for name in names if name not in batch.given]:
        raise DataError(f"{metric} is computed from {' and '.join(names)}, but {missing[0]} is not given")
    mean = _mean_of(task, metric, tuple(batch.given[name] for name in names), conventions)
    return mean.values, mean.bounds


def _losses_of(metric: Metric, batch: Batch) -> Floats | None:
    """The log loss of each sample, where classes are 0 and 1 and arrays hold them; None where more is to be read.

    It is what the metric computes of the batch, in a third of the time for 1,000 samples.
    """
    if metric.name != "LogLoss" or not metric.conventions["normalize"] or not batch.n:
        return None
    truth, scores = batch.labels.get(TRUTH), batch.numbers.get(SCORE)
    if truth is None or scores is None or truth.names is not None or truth.order is not None:
        return None
    # Columns with a name or an index of their own are compared with each other first.
    if not all(isinstance(batch.given[name], np.ndarray | list | tuple) for name in ("y_true", "y_score")):
        return None
    codes = truth.values
    if not (codes.min() >= 0 and codes.max() <= 1):
        return None
    return surprise(Probabilities((0, 1), codes, scores, 1, None, None), metric.conventions["clip"])


def _mean_of(task: Task, metric: Metric, columns: tuple[Any, ...], conventions: Mapping[str, Any]) -> Mean:
    """The values of some samples that a metric is the mean of.

    Raises
    ------
    DataError
        It is no such mean, or the columns are not valid.
    """
    known = keywords_of(metric)
    told = {name: value for name, value in conventions.items() if name in known}
    statistic = metric.compute(task.prepare()(metric, columns, told))
    if not isinstance(statistic, Mean):
        raise DataError(f"{metric} gives {type(statistic).__name__} of these columns; make the state with rows=True")
    return statistic


def means_of(
    task: Task,
    sums: Mapping[Metric, PowerSums],
    truth: NDArray[Any] | None,
    width: int,
    conventions: Mapping[str, Any],
) -> dict[Metric, Mean]:
    """The means of all samples; a metric warns of classes that have few, which their labels show.

    Parameters
    ----------
    task, sums, conventions
        The sums of each metric, and what the metrics are told.
    truth, width
        The true labels, the same ones together, and the number of columns of scores; None where there are no labels.
    """
    found = {}
    for metric, each in sums.items():
        caution = ""
        if truth is not None:
            some = some_of_each(truth)
            scores = np.full(len(some), 0.5) if width == 1 else np.full((len(some), width), 1 / width)
            caution = _mean_of(task, metric, (some, scores), conventions).caution
        found[metric] = each.mean(str(metric), caution, metric.unit)
    return found
