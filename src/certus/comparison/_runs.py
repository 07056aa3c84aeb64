"""Retrieval runs to be compared: over the same queries, each run ranked once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from certus.comparison._family import Family, Material
from certus.comparison._groups import clustered, query_groups
from certus.comparison._names import check_systems
from certus.comparison._statistics import pairs_of
from certus.errors import DataError, MetricNameError, keyword
from certus.evaluation.items import chosen as chosen_metrics
from certus.inference.clusters import clusters_of
from certus.io import QrelsLike
from certus.io.notices import of_qrels
from certus.io.read import given_qrels
from certus.metrics import Metrics
from certus.notice import Notice
from certus.tasks.ranking.case import Case, Conventions, Runs, inputs_of, named_runs
from certus.tied import tie_notice

__all__ = ["of_runs"]


def of_runs(
    qrels: QrelsLike,
    runs: Runs,
    metrics: Metrics,
    conventions: Conventions,
    groups: Any = None,
    formats: Mapping[str, str | None] | None = None,
) -> Material:
    """The metrics of all runs over the queries that all of them have.

    Raises
    ------
    DataError
        The input cannot be read, there are fewer than two runs, or they have no query in common.
    MetricNameError
        There is no such metric, or the conventions leave a value open.
    """
    for name, value in (("ties", "range"), ("unjudged", "bounds")):
        if getattr(conventions, name) == value:
            raise MetricNameError(f"{keyword(name, value)} leaves the values open; to compare, choose another rule")
    chosen = chosen_metrics(metrics, "ranking")
    told = formats or {}
    judgments = given_qrels(qrels, told.get("format_of_qrels"))
    named = named_runs(runs, told.get("format_of_run"), one=judgments.one)
    check_systems([name for name, _ in named], "runs")
    read = {name: Case.of(judgments, run, name, conventions) for name, run in named}
    cases, uneven = _over_common_queries(read, judgments.name)
    estimates = {name: [case.estimate(metric) for metric in chosen] for name, case in cases.items()}
    queries = next(iter(cases.values())).ranking.queries
    clusters = None if groups is None else clusters_of(len(queries), query_groups(groups, queries), None)
    single = estimates
    if clusters is not None:
        estimates = {name: [clustered(each, clusters) for each in found] for name, found in estimates.items()}
    families = []
    for place, metric in enumerate(chosen):
        of_metric = {name: found[place] for name, found in estimates.items()}
        each = {name: found[place] for name, found in single.items()}
        families.append(Family(str(metric), metric.better, metric.bounds, of_metric, pairs_of(of_metric), each))
    notices = [*of_qrels(judgments), *uneven]
    for case in cases.values():
        notices += case.notices()
    notices += tie_notice(case.tie_effect(name, chosen, estimates[name]) for name, case in cases.items())
    return Material(
        tuple(cases),
        tuple(families),
        queries,
        tuple(dict.fromkeys(notices)),
        inputs_of(judgments, cases.values()),
        {
            "task": "ranking",
            "metrics": {str(metric): dict(metric.conventions) for metric in chosen},
            **vars(conventions),
            "missing": {name: len(case.ranked.missing) for name, case in cases.items()},
            **({} if clusters is None else {"groups": clusters.size}),
        },
    )


def _over_common_queries(cases: dict[str, Case], qrels: str) -> tuple[dict[str, Case], Iterator[Notice]]:
    """The cases cut to the queries of all of them, and a notice where that leaves some out."""
    every = [case.ranking.queries for case in cases.values()]
    common = set(every[0]).intersection(*every[1:])
    if not common:
        pair = _strangers(cases)
        whose = f"runs {pair[0]!r} and {pair[1]!r}" if pair else f"the {len(cases)} runs"
        raise DataError(
            f"{whose} have no query of {qrels} in common, so nothing can be paired; compare runs of the same queries, "
            f"or count missing queries as 0 ({keyword('queries', 'judged')})"
        )
    if all(len(queries) == len(common) for queries in every):
        return cases, iter(())
    cut = {}
    for name, case in cases.items():
        kept = np.array([i for i, query in enumerate(case.ranking.queries) if query in common], dtype=np.intp)
        cut[name] = replace(case, ranking=case.ranking.select(kept))
    return cut, _uneven(cases, common)


def _strangers(cases: dict[str, Case]) -> tuple[str, str] | None:
    """Two runs without a common query, where there are such two."""
    names = list(cases)
    for i, name in enumerate(names):
        for other in names[:i]:
            if not set(cases[name].ranking.queries) & set(cases[other].ranking.queries):
                return other, name
    return None


def _uneven(cases: dict[str, Case], common: set[str]) -> Iterator[Notice]:
    left_out = sorted(set().union(*(case.ranking.queries for case in cases.values())) - common)
    lacking = [name for name, case in cases.items() if len(set(left_out) - set(case.ranking.queries))]
    text = (
        f"{_queries(left_out)} left out of the comparison, missing from {', '.join(lacking)}; the {len(common)} in all "
        f"runs are compared ({keyword('queries', 'judged')} counts missing ones as 0)"
    )
    yield Notice("unpaired-queries", text, None, tuple(left_out[:3]), len(left_out))


def _queries(queries: Sequence[str]) -> str:
    return f"{len(queries)} {'query' if len(queries) == 1 else 'queries'}"
