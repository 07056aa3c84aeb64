"""Means of one value per sample: the values of a batch, and the means of all batches."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data import Probabilities
from certus.data.columns import as_array
from certus.errors import DataError
from certus.evaluation.samples import keywords_of
from certus.metrics import Metric, parse
from certus.metrics.classification.losses import surprise
from certus.states._batch import Batch, Field
from certus.states._bins import BinSums, is_binned
from certus.states._summed import some_of_each
from certus.states._sums import OF_SETS, POINTWISE, ROOTS, PowerSums
from certus.statistic import CalibrationError, Mean, Proportion, Statistic
from certus.tasks import Task

VANISHES = 1e-150
"""Squares of errors beyond this are not 0, nor are those of logarithms of numbers that differ by so much."""
LEAST = 2.0**-1000
TRUTH, SCORE = Field("y_true", 0, True), Field("y_score", 0, False)


def names_of(task: Task, metric: Metric) -> list[str]:
    """The data that a metric is computed from."""
    return [task.aliases[name] for kind in metric.takes for name in getattr(kind, "arguments", ())]


def is_pointwise(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if sums over samples suffice for a metric of some columns."""
    if task.name == "classification" and is_binned(metric):
        return True
    if metric.name not in POINTWISE.get(task.name, ()) or not metric.conventions.get("normalize", True):
        return False
    if task.name == "multilabel" and metric.name in OF_SETS:
        return bool(metric.conventions["average"] == "samples")
    several = any(field.place for field in fields if field.name in names_of(task, metric))
    return not (several and (metric.name in ROOTS or task.name == "values"))


def values_of(
    task: Task, metric: Metric, batch: Batch, before: PowerSums | BinSums | None, conventions: Mapping[str, Any]
) -> tuple[Any, ...]:
    """A batch as the sums of a metric take it: values, bounds, whether their mean is a share; or a statistic."""
    if isinstance(before, PowerSums) and not conventions and (found := _losses_of(metric, batch)) is not None:
        return found, before.bounds, False
    names = names_of(task, metric)
    if missing := [name for name in names if name not in batch.given]:
        raise DataError(f"{metric} is computed from {' and '.join(names)}, but {missing[0]} is not given")
    columns = tuple(batch.given[name] for name in names)
    mean = _mean_of(task, metric, columns, conventions)
    if metric.name in ROOTS and isinstance(mean, Mean):
        return not_vanished(mean.values, columns), mean.bounds, False
    if isinstance(mean, CalibrationError):
        return (mean,)
    if isinstance(mean, Proportion):
        ones = np.zeros(mean.trials)
        ones[: mean.successes] = 1
        return ones, None, True
    return mean.values, mean.bounds, False


def not_vanished(squares: Floats, columns: tuple[Any, ...]) -> Floats:
    """Squares of errors; those of errors that are too small for it are 2^-1000 and not 0.

    The root of a mean of such numbers is refused, as it lost all digits; beside others they are nothing.
    """
    if squares.all():
        return squares
    true, predicted = (as_array(column, "").astype(np.float64).reshape(-1) for column in columns)
    errors = np.abs(true - predicted)
    return np.where((squares == 0) & (errors > 0) & (errors < VANISHES), LEAST, squares)


def _losses_of(metric: Metric, batch: Batch) -> Floats | None:
    """The log loss of each sample, where classes are 0 and 1 and arrays hold them; None where more is to be read.

    It is what the metric computes of the batch, in a third of the time for 1,000 samples.
    """
    if metric.name != "LogLoss" or not batch.n:
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


def _mean_of(
    task: Task, metric: Metric, columns: tuple[Any, ...], conventions: Mapping[str, Any]
) -> Mean | Proportion | CalibrationError:
    """The values of samples whose mean, or the root of it, is a metric; or the share of samples that it is."""
    known = keywords_of(metric)
    told = {name: value for name, value in conventions.items() if name in known}
    if metric.name in ROOTS:
        metric = parse(ROOTS[metric.name], task=task.name)
    statistic = metric.compute(task.prepare()(metric, columns, told))
    if not isinstance(statistic, Mean | Proportion | CalibrationError):
        raise DataError(f"{metric} gives {type(statistic).__name__} of these columns", "make the state with rows=True")
    return statistic


def means_of(
    task: Task,
    sums: Mapping[Metric, PowerSums | BinSums],
    truth: NDArray[Any] | None,
    width: int,
    conventions: Mapping[str, Any],
) -> dict[Metric, Statistic]:
    """The means of all samples, and shares and roots; a metric warns of classes that have few, which their labels show.

    Parameters
    ----------
    task, sums, conventions
        The sums of each metric, and what the metrics are told.
    truth, width
        The true labels, the same ones together, and the number of columns of scores; None where there are no labels.
    """
    found: dict[Metric, Statistic] = {}
    for metric, each in sums.items():
        if isinstance(each, BinSums):
            found[metric] = each.statistic(metric, max(width, 2))
            continue
        caution = "" if truth is None else caution_of(task, metric, some_of_each(truth), width, conventions)
        found[metric] = each.statistic(metric, caution)
    return found


def caution_of(task: Task, metric: Metric, truth: NDArray[Any], width: int, conventions: Mapping[str, Any]) -> str:
    """The warning of a metric of scores about classes that have few samples, given some samples of each."""
    scores = np.full(len(truth), 0.5) if width == 1 else np.full((len(truth), width), 1 / width)
    return str(getattr(_mean_of(task, metric, (truth, scores), conventions), "caution", ""))
