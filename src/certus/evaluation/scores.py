"""Scores that an evaluation tool wrote: every metric of every system, with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from certus import kernels
from certus.data.codes import coded, notice_of_column
from certus.errors import DataError
from certus.evaluation.items import Averaged, Value, blocks_of
from certus.evaluation.tabulate import check_asked, check_independent
from certus.inference import Estimate
from certus.inference.declare import check_method
from certus.inference.estimates import MeanOf
from certus.inference.interval import Request
from certus.inference.many.subgroups import straddling
from certus.io.scores import Log, named_systems
from certus.metrics import parse
from certus.note import Note
from certus.spelling import suggestion
from certus.table import PerQuery, Table
from certus.table.row import flat
from certus.tasks.values import TASK
from certus.tasks.values.samples import Scored


def evaluated_scores(
    logs: Sequence[Log],
    metrics: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    seed: int = 0,
    by: str | None = None,
    subgroup_mean: MeanOf | None = None,
    groups: str | None = None,
) -> Table:
    """The table of all metrics of all systems, or of those metrics that are named.

    Parameters
    ----------
    logs, metrics
        What was read, and the metrics of it to state; None: all.
    level, interval, per_query, seed
        As `certus.evaluate` takes them.
    subgroup_mean
        As `certus.evaluate` takes it.
    by, groups
        The field of the items that tells subgroups apart, and the one that says which items are not independent, such
        as ``metadata.topic``.
    """
    Request(level, seed=seed)
    if interval is not None:
        check_method(interval)
    check_asked(subgroup_mean, by)
    mean = parse("Mean", task=TASK.name)
    values: list[Value] = []
    single: list[PerQuery] = []
    clusters: dict[str, Mapping[str, Sequence[Any]]] = {}
    said: dict[str, list[str]] = {}
    words: list[Note] = []
    dependent = ""
    sizes: dict[str, Mapping[str, float]] = {}
    if groups is not None:
        logs = [log.grouped(groups) for log in logs]
    for name, (log, system) in named_systems(logs).items():
        subgroup = None if by is None else log.field(by, "by")
        for metric, scores in log.metrics(system).items():
            if metrics is not None and metric not in metrics:
                continue
            told = {"ids": scores.checked, "groups": scores.groups, "sample_weight": scores.weights}
            case = Scored(TASK, {"values": scores.values}, told)
            column = None if subgroup is None else [subgroup[item] for item in scores.items]
            words += case.notices()
            if column is not None and (notice := notice_of_column(column, "by", "subgroups")) is not None:
                words.append(notice)
            estimates: list[Estimate] = []
            for group, part in [(None, case)] if column is None else case.parts(column):
                found = [replace(estimate, metric=metric) for _, estimate in part.estimates(mean)]
                values += [Value(name, metric, estimate, group) for estimate in found]
                estimates += found
            if column is not None and scores.groups is not None:
                dependent = straddling(coded(column, "by").codes, coded(scores.groups, "groups").codes)
                check_independent(subgroup_mean, dependent)
            if column is not None and subgroup_mean is not None and subgroup_mean.endswith("weighted"):
                sizes[name] = case.sizes(column)
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
        **{
            name: each
            for name, each in (("by", by), ("subgroup_mean", subgroup_mean), ("groups", groups))
            if each is not None
        },
    }
    if clusters:
        signature["clusters"] = clusters
    averaged = None if subgroup_mean is None else Averaged(subgroup_mean, False, sizes)
    blocks = partial(blocks_of, values, level, interval, seed, dependent, mean=averaged)
    rows = blocks if interval is None else list(flat(blocks()))
    notices = dict.fromkeys([*(notice for log in logs for notice in log.notices), *words])
    return Table(rows, notices, signature, single)


def _check_found(logs: Sequence[Log], asked: Sequence[str] | None, found: set[str]) -> None:
    for metric in asked or ():
        if metric not in found:
            known = list(dict.fromkeys(each.metric for log in logs for each in log.scores))
            near = suggestion(metric, known) or f"there are {', '.join(map(repr, known))}"
            raise DataError(f"has no metric {metric!r}", near, place=f"{logs[0].name}")
