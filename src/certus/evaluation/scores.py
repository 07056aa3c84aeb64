"""Scores that an evaluation tool wrote: every metric of every system, with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from certus import kernels
from certus.errors import DataError
from certus.evaluation.rows import Value, rows_of
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.io.scores import Log, named_systems
from certus.metrics import parse
from certus.spelling import suggestion
from certus.table import PerQuery, Table
from certus.tasks.values import TASK
from certus.tasks.values.samples import Scored

__all__ = ["evaluated_scores"]


def evaluated_scores(
    logs: Sequence[Log],
    metrics: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    seed: int = 0,
) -> Table:
    """The table of all metrics of all systems, or of those metrics that are named.

    Raises
    ------
    DataError
        No system has a metric of that name, or an item has two values.
    """
    Request(level, seed=seed)
    if interval is not None:
        check_method(interval)
    mean = parse("Mean", task=TASK.name)
    values: list[Value] = []
    single: list[PerQuery] = []
    clusters: dict[str, Mapping[str, Sequence[Any]]] = {}
    said: dict[str, list[str]] = {}
    for name, (log, system) in named_systems(logs).items():
        for metric, scores in log.metrics(system).items():
            if metrics is not None and metric not in metrics:
                continue
            told = {"ids": scores.checked, "groups": scores.groups, "sample_weight": scores.weights}
            case = Scored(TASK, {"values": scores.values}, told)
            estimates = [replace(estimate, metric=metric) for _, estimate in case.estimates(mean)]
            values += [Value(name, metric, estimate) for estimate in estimates]
            said.setdefault(case.size_in_words, []).append(f"{metric} of {name}")
            if per_query:
                single += case.single(name, estimates)
            if case.clusters and per_query:
                clusters[name] = case.clusters
    _check_found(logs, metrics, {value.metric for value in values})
    told_of_items = list(said) if len(said) == 1 else [f"{', '.join(which)}: {each}" for each, which in said.items()]
    signature: dict[str, Any] = {
        "certus": kernels.__version__,
        "task": TASK.name,
        "metrics": {metric: {} for metric in dict.fromkeys(value.metric for value in values)},
        "level": level,
        "method": interval,
        "seed": seed,
        "said": told_of_items,
        "inputs": {log.name: log.fingerprint for log in logs},
    }
    if clusters:
        signature["clusters"] = clusters
    rows = partial(rows_of, values, level, interval, seed)
    return Table(
        rows if interval is None else rows(), [notice for log in logs for notice in log.notices], signature, single
    )


def _check_found(logs: Sequence[Log], asked: Sequence[str] | None, found: set[str]) -> None:
    for metric in asked or ():
        if metric not in found:
            known = list(dict.fromkeys(each.metric for log in logs for each in log.scores))
            near = suggestion(metric, known) or f"; there are {', '.join(map(repr, known))}"
            raise DataError(f"{logs[0].name}: has no metric {metric!r}{near}")
