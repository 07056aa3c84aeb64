"""Predictions of several systems for the same samples, and runs over the same queries."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from certus import registry
from certus.comparison._family import Family, Material, Pair
from certus.comparison.assemble import assemble, check_systems, columns_of, pairs_of
from certus.comparison.options import Options, clustered, query_groups
from certus.comparison.result import Comparison
from certus.data.codes import check_index, notice_of_column
from certus.data.columns import as_array, axes
from certus.errors import DataError, MetricNameError, NotGivenError, called, keyword
from certus.evaluation.binding import default_metrics, role
from certus.evaluation.call import check_weights_allowed, estimate_prepared
from certus.evaluation.drawings import Drawings
from certus.evaluation.items import parse_metrics as chosen_metrics
from certus.evaluation.report_content import report_content
from certus.evaluation.systems import Call
from certus.inference import Estimate
from certus.inference.clusters import clusters_of
from certus.inference.tests.pairs import PAIRS
from certus.inference.tests.result import Paired
from certus.io.notices import of_qrels
from certus.io.rankings import QrelsLike, qrels_of_task
from certus.metrics import Metric
from certus.metrics.names import Metrics
from certus.note import Note
from certus.statistic.common import plural
from certus.tasks import Task
from certus.tasks.ranking.case import Case, Conventions, Runs, inputs_of, named_runs
from certus.tied import tie_notice
from certus.unmatched import pairing


def compare_predictions(
    task: Task,
    shared: Mapping[str, Any],
    predictions: Mapping[str, Mapping[str, Any]],
    metrics: Metrics,
    conventions: Mapping[str, Any],
    options: Options,
) -> Comparison:
    """The comparison of data that are known by the names of their arguments."""
    data = dict(shared)
    truth = data.pop(next(argument.name for argument in task.shared if argument.name in data))
    return assemble(of_predictions(truth, predictions, metrics, task.name, {**data, **conventions}), options)


def default_metrics_of(task: Task, y_true: Any, predictions: Any, conventions: Mapping[str, Any]) -> tuple[str, ...]:
    """The metrics of a comparison that names none, by what is true and what every system predicts."""
    tables = [argument for argument in task.shared if argument.several] if axes(y_true) > 1 else []
    keywords = {name for name, value in conventions.items() if value is not None}
    predicted = [
        {*system} if isinstance(system, Mapping) else {role(task, y_true, system, None)}
        for system in _columns(predictions).values()
    ]
    return default_metrics(task, {(tables or task.shared)[0].name, *keywords}, predicted)


def of_predictions(
    y_true: Any,
    predictions: Any,
    metrics: Metrics,
    task: str,
    conventions: Mapping[str, Any],
) -> Material:
    """The metrics of all systems' predictions."""
    declared = registry.task(task)
    declared.check_compared(conventions)
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
    noticed = declared.samples().notices_of
    owners = list(columns) * len(chosen)
    notices = [replace(each, about=name) for name, data in zip(owners, prepared, strict=True) for each in noticed(data)]
    if (groups := told.get("groups")) is not None:
        notices += filter(None, [notice_of_column(groups, "groups", "groups")])
    inputs = {name: _fingerprint(values, name) for name, values in (shared | each).items()}
    kept = {
        name: value if isinstance(value, str | int | float | bool) else _fingerprint(value, name)
        for name, value in told.items()
    }
    named = {str(metric): dict(metric.conventions) for metric in chosen}
    call = Call(declared, y_true, predictions, chosen, {**conventions}, None)
    drawn = partial(Drawings, declared, partial(_cases, call))
    of = {"task": task, "metrics": named, **kept}
    return Material(tuple(columns), tuple(families), (), tuple(notices), inputs, of, drawn=drawn)


def _cases(call: Call) -> Mapping[str, Any]:
    """The samples of each system."""
    return call.task.systems()(call).cases


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
            check_weights_allowed(metric, told)
            data[name] = task.prepare()(metric, _given(task, metric, shared, system), told)
            prepared.append(data[name])
            estimates[name] = _one(metric, estimate_prepared(metric, data[name]))
    bounds = next(iter(estimates.values())).bounds
    pair = pairs_of(estimates) if task.pair is None else _pair(task.pair, metric, data)
    if task.pair is None and any(
        not isinstance(each.statistic, tuple(PAIRS)) or getattr(each.statistic, "parts", 0) is None
        for each in estimates.values()
    ):
        raise MetricNameError(
            f"{metric} has no paired comparison: its statistic does not say what each sample adds",
            "compare metrics that do, or give the values of independent repetitions to compare_values",
        )
    return Family(str(metric), metric.better, bounds, estimates, pair, takes_range=True)


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
            raise NotGivenError(f"{metric} is computed from {called(known.name)}, which is not given")
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
        raise MetricNameError(f"{metric} gives each class a value", "to compare, choose another average")
    return made


@contextmanager
def _named(system: str) -> Iterator[None]:
    """Errors about data say whose data."""
    try:
        yield
    except DataError as error:
        raise error.at(system) from error


def _columns(predictions: Any) -> dict[str, Any]:
    if isinstance(predictions, Mapping):
        named = [(str(name), column) for name, column in predictions.items()]
    elif hasattr(predictions, "columns"):
        named = [(name, column.to_native()) for name, column in columns_of(predictions, "predictions")]
    else:
        kind = type(predictions).__name__
        raise DataError(
            f"is a {kind}", "give them by system, as {name: predictions} or DataFrame columns", argument="predictions"
        )
    names = [name for name, _ in named]
    check_systems(names, "predictions")
    return dict(named)


def _fingerprint(values: Any, name: str) -> str:
    """A hash of the values as numpy holds them."""
    array = as_array(values, name)
    content = repr(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes()
    found = hashlib.blake2b(content, digest_size=16)
    return f"blake2b-128:{found.hexdigest()}"


def of_runs(
    qrels: QrelsLike,
    runs: Runs,
    metrics: Metrics,
    conventions: Conventions,
    groups: Any = None,
    formats: Mapping[str, str | None] | None = None,
) -> Material:
    """The metrics of all runs over the queries that all of them have."""
    for name, value in (("ties", "range"), ("unjudged", "bounds")):
        if getattr(conventions, name) == value:
            raise MetricNameError(
                "leaves the values open", "to compare, choose another rule", argument=name, subject=keyword(name, value)
            )
    chosen = chosen_metrics(metrics, "ranking")
    told = formats or {}
    judgments = qrels_of_task(qrels, told.get("format_of_qrels"))
    named = named_runs(runs, told.get("format_of_run"), has_single_query=judgments.is_single_query)
    check_systems([name for name, _ in named], "runs")
    read = {name: Case.from_run(judgments, run, name, conventions) for name, run in named}
    cases, uneven = _over_common_queries(read, judgments.name)
    estimates = {name: [case.estimate(metric) for metric in chosen] for name, case in cases.items()}
    queries = next(iter(cases.values())).ranking.queries
    labels = None if groups is None else query_groups(groups, queries)
    clusters = None if labels is None else clusters_of(len(queries), labels, None)
    single = estimates
    if clusters is not None:
        estimates = {name: [clustered(each, clusters) for each in found] for name, found in estimates.items()}
    families = []
    for place, metric in enumerate(chosen):
        of_metric = {name: found[place] for name, found in estimates.items()}
        each = {name: found[place] for name, found in single.items()}
        pair = pairs_of(of_metric)
        families.append(Family(str(metric), metric.better, metric.bounds, of_metric, pair, each, takes_range=True))
    notices = [*of_qrels(judgments), *uneven]
    if labels is not None:
        notices += filter(None, [notice_of_column(labels, "groups", "groups")])
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
        partial(report_content, cases),
        partial(Drawings, registry.task("ranking"), partial(dict, cases)),
    )


def _over_common_queries(cases: dict[str, Case], qrels: str) -> tuple[dict[str, Case], Iterator[Note]]:
    """The cases cut to the queries of all of them, and a notice where that leaves some out."""
    every = [case.ranking.queries for case in cases.values()]
    common = set(every[0]).intersection(*every[1:])
    if not common:
        pair = _strangers(cases)
        whose = f"runs {pair[0]!r} and {pair[1]!r}" if pair else f"the {len(cases)} runs"
        likely = pairing({name: each.ranking.queries for name, each in cases.items()})
        raise DataError(
            f"{whose} have no query of {qrels} in common, so nothing can be paired",
            f"compare runs of the same queries, or count missing queries as 0 ({keyword('queries', 'judged')})"
            + (
                f"; {likely}"
                if (likely := pairing({name: each.ranking.queries for name, each in cases.items()}))
                else ""
            ),
            argument="queries",
            subject="",
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


def _uneven(cases: dict[str, Case], common: set[str]) -> Iterator[Note]:
    left_out = sorted(set().union(*(case.ranking.queries for case in cases.values())) - common)
    lacking = [name for name, case in cases.items() if len(set(left_out) - set(case.ranking.queries))]
    text = (
        f"{_queries(left_out)} left out of the comparison, missing from {', '.join(lacking)}; the {len(common)} in all "
        f"runs are compared ({keyword('queries', 'judged')} counts missing ones as 0)"
    )
    yield Note(text, kind="unpaired-queries", queries=tuple(left_out[:3]), count=len(left_out))


def _queries(queries: Sequence[str]) -> str:
    return plural(len(queries), "query")
