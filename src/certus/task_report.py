"""What is to be said of predictions of any task in one table: each value with its interval."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from certus import kernels
from certus.data import Timings
from certus.data._codes import coded, sorted_labels
from certus.data._columns import as_array, check_lengths
from certus.data._index import check_index
from certus.errors import DataError, MetricNameError, called
from certus.inference import Estimates
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.inference.many.subgroups import straddling
from certus.metrics import Metric, declared, parse
from certus.report_items import Item
from certus.report_rows import Value, rows_of
from certus.statistic import counted
from certus.table import Table

__all__ = ["USUAL", "task_report"]

USUAL = {
    "regression": ("MAE", "RMSE", "MedAE", "R2", "ExplainedVariance", "CCC", "Pearson", "Spearman"),
    "multilabel": (
        "SubsetAccuracy",
        "Hamming",
        "Jaccard",
        "F1",
        "LRAP",
        "RankingLoss",
        "CoverageError",
        "OneError",
        "nDCG",
    ),
    "clustering": ("Rand", "ARI", "NMI", "AMI", "Homogeneity", "Completeness", "V", "FM", "Purity", "Silhouette"),
    "efficiency": ("Latency@0.5", "Latency@0.9", "Latency@0.99", "MeanLatency", "Throughput"),
}
"""What is stated of each task unless metrics are named."""
MOST_PARTS = 1_000
"""Subgroups that samples can be split into."""


def task_report(
    task: str,
    given: Mapping[str, Any],
    metrics: Iterable[str | Metric] | None = None,
    *,
    by: Any = None,
    conventions: Mapping[str, Any] | None = None,
    level: float = 0.95,
    method: str | None = None,
    seed: int = 0,
    name: str = "predictions",
) -> Table:
    """Report on data of a task: the value of each metric with its interval.

    Parameters
    ----------
    task
        ``"regression"``, ``"multilabel"``, ``"clustering"`` or ``"efficiency"``; whose metrics.
    given
        The data by the names that the metrics call their arguments: ``y_true``, ``y_pred``, ``y_score``,
        ``labels_true``, ``labels_pred``, ``X``, ``labels``, ``timings``. Metrics whose data are not there are left out,
        unless they are named.
    metrics
        Names, or metrics; None takes the usual ones of the task.
    by
        One value per sample: each subgroup with the same value gets its own rows. The largest gap between subgroups
        and the worst subgroup follow, as in `certus.classification.report`.
    conventions
        What every metric is told beside its parameters, such as ``sample_weight`` and ``groups``; one value per sample,
        or one for all. None is not given.
    level, method, seed, name
        As for `certus.classification.report`.

    Raises
    ------
    DataError
        The data do not fit together, or lack what a named metric needs.
    MetricNameError
        There is no such metric, parameter or method.

    Examples
    --------
    >>> given = {"y_true": [3, -0.5, 2, 7], "y_pred": [2.5, 0.0, 2, 8]}
    >>> print(task_report("regression", given, ["MAE", "R2"]))
    predictions
    <BLANKLINE>
    metric   value  95% interval      n
    MAE     0.5000  [0.0000, 1.1496]  4
    R2      0.9486  [0.6289, 0.9994]  4
    <BLANKLINE>
    4 samples
    intervals: Student t for MAE; influence function, logarithm for R2
    """
    Request(level, seed=seed)  # refuses a wrong level or seed before anything is computed
    if method is not None:
        check_method(method)
    told = {key: value for key, value in (conventions or {}).items() if value is not None}
    items = list(dict.fromkeys(map(Item, _chosen(task, given, metrics, told))))
    check_index(**given, by=by)
    n = check_lengths(**{key: as_array(values, key) for key, values in given.items()})
    asked: set[str] = set()
    values = [
        value
        for group, part, conventions_here in _parts(given, told, by, n)
        for item in items
        for value in _values(item, group, part, conventions_here, asked)
    ]
    if "items" in told and "items" not in asked:
        names = ", ".join(str(item.metric) for item in items)
        raise MetricNameError(
            f"{called('items')} is given, but how many there are does not matter to {names}; leave it out"
        )
    signature = {
        "certus": kernels.__version__,
        "task": task,
        "metrics": {str(item.metric): dict(item.metric.conventions) for item in items},
        "level": level,
        "method": method,
        "seed": seed,
        "said": [_said(task, n, told), *_left_out(task, given, metrics, told)],
    }
    rows = partial(rows_of, values, name, level, method, seed, _dependent(by, told))
    # The default methods cannot fail, so their intervals wait until somebody looks at them.
    return Table(rows if method is None else rows(), (), signature)


def _chosen(
    task: str, given: Mapping[str, Any], metrics: Iterable[str | Metric] | None, told: Mapping[str, Any]
) -> Iterator[Metric]:
    """The metrics to state; those named must have their data."""
    if metrics is None:
        yield from (each for each in _usual(task, given) if "sample_weight" not in told or each.weighted)
        return
    named = [parse(each, task=task) if isinstance(each, str) else each for each in metrics]
    if not named:
        raise MetricNameError("no metric was named; name at least one, or leave out metrics")
    for metric in named:
        if metric.task != task:
            raise MetricNameError(f"{metric.name} is a {metric.task} metric; name one of {task}")
        if not _arguments(metric, given):
            wanted = " or ".join(" and ".join(map(called, getattr(kind, "arguments", ()))) for kind in metric.takes)
            raise DataError(f"{metric}: it is computed from {wanted}, which is not given")
        yield metric


def _usual(task: str, given: Mapping[str, Any]) -> Iterator[Metric]:
    """The usual metrics of the task whose data are given."""
    names = {metric.name for metric in declared(task)}
    usual = (parse(text, task=task) for text in USUAL[task] if text.partition("@")[0] in names)
    return (metric for metric in usual if _arguments(metric, given))


def _left_out(
    task: str, given: Mapping[str, Any], metrics: Iterable[str | Metric] | None, told: Mapping[str, Any]
) -> Iterator[str]:
    """A sentence on the usual metrics that weights leave out."""
    if metrics is None and "sample_weight" in told:
        names = [str(metric) for metric in _usual(task, given) if not metric.weighted]
        if names:
            yield f"left out, as they have no meaning for weighted samples: {', '.join(names)}"


def _arguments(metric: Metric, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the data that the metric is computed from, of those that are given; empty where they are not."""
    for kind in metric.takes:
        names: tuple[str, ...] = getattr(kind, "arguments", ())
        if names and all(name in given for name in names):
            return names
    return ()


def _values(
    item: Item, group: str | None, given: Mapping[str, Any], told: Mapping[str, Any], asked: set[str]
) -> Iterator[Value]:
    """The values of a metric; `asked` gets the names of conventions that it has looked at."""
    metric = item.metric
    known = inspect.signature(metric).parameters
    # Weights that a metric has no meaning for are refused by itself, in its own words.
    conventions = {key: value for key, value in told.items() if key in known or key in ("sample_weight", "groups")}
    try:
        data: Any = tuple(given[name] for name in _arguments(metric, given))
        if Timings in metric.takes:  # made here, as only some metrics look at the items
            data, conventions = (Timings.of(*data, **conventions),), {}
        found: Any = metric(*data, **conventions)
        asked.update(*(getattr(each, "asked", ()) for each in data if isinstance(each, Timings)))
    except DataError as error:
        said = str(error)
        raise DataError(said if said.startswith(metric.name) else f"{metric}: {said}") from None
    each = found.items() if isinstance(found, Estimates) else [(None, found)]
    for label, estimate in each:
        yield Value(item, group, label, estimate)


def _parts(
    given: Mapping[str, Any], told: Mapping[str, Any], by: Any, n: int
) -> Iterator[tuple[str | None, Mapping[str, Any], Mapping[str, Any]]]:
    """The samples of each value of `by`, in the order of the values; all of them where it is None."""
    if by is None:
        yield None, given, told
        return
    column = coded(by, "by")
    if len(column.codes) != n:
        raise DataError(
            f"{called('by')} has {len(column.codes)} values for {counted(n, 'sample')}; it must have one for each"
        )
    if len(column.labels) > MOST_PARTS:
        raise DataError(
            f"{called('by')} has {len(column.labels)} different values; at most {MOST_PARTS} subgroups are reported"
        )
    codes = {label: code for code, label in enumerate(column.labels)}
    for label in sorted_labels(column.labels)[0]:
        index = np.flatnonzero(column.codes == codes[label])

        def taken(values: Any, index: Any = index) -> Any:
            if isinstance(values, str) or not hasattr(values, "__len__"):
                return values
            return values.iloc[index] if hasattr(values, "iloc") else as_array(values, "a column")[index]

        yield (
            str(label),
            {key: taken(values) for key, values in given.items()},
            {key: taken(values) for key, values in told.items()},
        )


def _dependent(by: Any, told: Mapping[str, Any]) -> str:
    """Why the subgroups are not independent; empty where they are."""
    column = told.get("groups")
    if by is None or column is None:
        return ""
    return straddling(coded(by, "by").codes, coded(column, "groups").codes, "group")


def _said(task: str, n: int, told: Mapping[str, Any]) -> str:
    """How many samples there are, in words, with their weight and their groups."""
    parts = [counted(n, "request" if task == "efficiency" else "sample")]
    if "sample_weight" in told:
        parts.append(f"of total weight {np.sum(as_array(told['sample_weight'], 'sample_weight')):.10g}")
    if "groups" in told:
        parts.append(f"in {counted(len(coded(told['groups'], 'groups').labels), 'group')}")
    if "units" in told:
        parts.append(f"in {told['units']}")
    return " ".join(parts)
