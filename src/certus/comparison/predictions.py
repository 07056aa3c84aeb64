"""Comparison of several systems' predictions for the same samples, or runs for the same queries."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from certus.comparison.assemble import Family, Material, assemble, check_systems, columns_of
from certus.comparison.options import Options, clustered, query_groups
from certus.comparison.result import Comparison
from certus.core.errors import DataError, MetricNameError, NotGivenError, keyword, mention
from certus.core.missing import MissingWords
from certus.core.note import Note
from certus.core.unmatched import pairing
from certus.data.columns import as_array, axes, check_index, coded, notice_of_column, refuse_missing
from certus.evaluation.binding import Call, check_names, default_metrics, refuse_missing_words, role
from certus.evaluation.call import check_weights_allowed, estimate_prepared
from certus.evaluation.rules import check_labels, decide, rules_of
from certus.evaluation.tabulate import Drawings
from certus.inference import Estimate
from certus.inference.clusters import clusters_of
from certus.inference.tests.pairs import PAIRS
from certus.inference.tests.result import Paired
from certus.metrics import Metric
from certus.statistic.common import plural
from certus.tasks import Task
from certus.tasks.ranking.case import RunCase, systems_of


def compare_predictions(
    task: Task,
    shared: Mapping[str, Any],
    predictions: Mapping[str, Mapping[str, Any]],
    metrics: Sequence[Metric],
    conventions: Mapping[str, Any],
    options: Options,
    missing: MissingWords | None = None,
) -> Comparison:
    """Compare the predictions of several systems; shared data are passed by argument name."""
    data = dict(shared)
    truth = data.pop(next(argument.name for argument in task.shared if argument.name in data))
    call = Call(task, truth, predictions, metrics, {**data, **conventions}, None, missing)
    return assemble(of_predictions(call), options)


def default_metrics_of(task: Task, y_true: Any, predictions: Any, conventions: Mapping[str, Any]) -> tuple[str, ...]:
    """Default metrics of a comparison, by the truth and the predictions of all systems."""
    tables = [argument for argument in task.shared if argument.several] if axes(y_true) > 1 else []
    keywords = {name for name, value in conventions.items() if value is not None}
    predicted = [
        {*system} if isinstance(system, Mapping) else {role(task, y_true, system, None)}
        for system in _named_columns(predictions).values()
    ]
    return default_metrics(task, {(tables or task.shared)[0].name, *keywords}, predicted)


def of_predictions(call: Call) -> Material:
    """Evaluate all metrics on the predictions of all systems."""
    declared, missing, chosen = call.task, call.missing, call.metrics or ()
    rules, rule_facts = rules_of(call.keywords), dict[str, Any]()
    if rules:
        check_labels(declared, rules, chosen)
        refuse_missing_words(declared, {declared.shared[0].name: call.truth}, missing)
        decided = decide(declared, rules, call.truth, _named_columns(call.predictions), call.keywords)
        rule_facts[rules[0].name] = [rule.value for rule in rules]
        if decided.sentence:
            rule_facts["said"] = [decided.sentence]
        call = replace(call, truth=decided.truth, predictions=decided.predictions, keywords=decided.keywords)
    y_true, conventions = call.truth, call.keywords
    columns = _named_columns(call.predictions)
    check_systems(list(columns), "predictions")
    named_columns = {f"{name}{suffix}": column for name, system in columns.items() for suffix, column in _split(system)}
    check_index(**{f"predictions[{name!r}]": column for name, column in named_columns.items()})
    names = [argument.name for argument in declared.data]
    shared = {names[0]: y_true, **{name: value for name, value in conventions.items() if name in names}}
    set_conventions = {name: value for name, value in conventions.items() if value is not None and name not in names}
    refuse_missing_words(declared, {**shared, **set_conventions}, missing)
    for name, system in columns.items() if missing is not None else ():
        with _errors_of(name):
            of_system = system if isinstance(system, Mapping) else {role(declared, y_true, system, chosen): system}
            refuse_missing_words(declared, of_system, missing)
    prepared: list[object] = []
    families = [_family(declared, metric, shared, columns, set_conventions, prepared) for metric in chosen]
    declared.check_asked(set_conventions, prepared, chosen)
    noticed = declared.samples().notices_of
    owners = list(columns) * len(chosen)
    notices = [
        replace(notice, about=name) for name, data in zip(owners, prepared, strict=True) for notice in noticed(data)
    ]
    if (groups := set_conventions.get("groups")) is not None:
        notices += filter(None, [notice_of_column(groups, "groups", "groups")])
    inputs = {name: _fingerprint(values, name) for name, values in (shared | named_columns).items()}
    convention_facts = {
        name: value if isinstance(value, str | int | float | bool) else _fingerprint(value, name)
        for name, value in set_conventions.items()
    }
    metric_facts = {str(metric): dict(metric.conventions) for metric in chosen}
    make_drawings = partial(Drawings, declared, partial(_cases, call), has_report=False)
    facts = {"task": declared.name, "metrics": metric_facts, **convention_facts, **rule_facts}
    unique = tuple(dict.fromkeys(notices))  # metrics of labels share their warnings
    return Material(tuple(columns), tuple(families), (), unique, inputs, facts, drawn=make_drawings)


def _cases(call: Call) -> Mapping[str, Any]:
    """Prepared data of each system, by its name."""
    return call.task.systems()(call).cases


def _family(
    task: Task,
    metric: Metric,
    shared: Mapping[str, Any],
    columns: Mapping[str, Any],
    conventions: Mapping[str, Any],
    prepared: list[object],
) -> Family:
    """Evaluate a metric on all systems, and choose how pairs of them are compared."""
    data: dict[str, Any] = {}
    estimates: dict[str, Estimate] = {}
    for name, system in columns.items():
        with _errors_of(name):
            check_weights_allowed(metric, conventions)
            data[name] = task.prepare()(metric, _data_of(task, metric, shared, system), conventions)
            prepared.append(data[name])
            estimate = estimate_prepared(metric, data[name])
            if not isinstance(estimate, Estimate):
                raise MetricNameError(f"{metric} gives each class a value", "to compare, choose another average")
            estimates[name] = estimate
    bounds = next(iter(estimates.values())).bounds
    pair = None if task.pair is None else partial(_pair, task.pair(), metric, data)
    if task.pair is None and any(
        not isinstance(estimate.statistic, tuple(PAIRS)) or getattr(estimate.statistic, "parts", 0) is None
        for estimate in estimates.values()
    ):
        raise MetricNameError(
            f"{metric} has no paired comparison: its statistic has no value for each sample",
            "compare metrics that do, or give the values of independent repetitions to compare_values",
        )
    return Family(str(metric), metric.better, bounds, estimates, pair)


def _data_of(task: Task, metric: Metric, shared: Mapping[str, Any], system: Any) -> tuple[Any, ...]:
    """Columns that a metric is computed from: shared ones, and the system's own."""
    data = []
    for position, name in enumerate(metric.arguments):
        argument = task.argument(name)
        if not argument.predicted:
            data.append(shared.get(argument.name, next(iter(shared.values())) if position == 0 else None))
        else:
            data.append(system.get(argument.name) if isinstance(system, Mapping) else system)
        if data[-1] is None:
            raise NotGivenError(f"{metric} is computed from {mention(argument.name)}, which is not given")
    return tuple(data)


def _split(system: Any) -> list[tuple[str, Any]]:
    """Columns of a system, each with a suffix for messages."""
    return [(f".{key}", column) for key, column in system.items()] if isinstance(system, Mapping) else [("", system)]


def _pair(
    compare: Callable[..., Paired], metric: Metric, data: Mapping[str, Any], system: str, baseline: str, **options: Any
) -> Paired:
    """Compare two systems by their prepared data, which identify shared samples."""
    return compare(metric, data[system], data[baseline], **options)


@contextmanager
def _errors_of(system: str) -> Iterator[None]:
    """Add the system's name to errors about its data."""
    try:
        yield
    except DataError as error:
        raise error.with_location(system) from error


def _named_columns(predictions: Any) -> dict[str, Any]:
    """Predictions of each system by name."""
    if isinstance(predictions, Mapping):
        named_columns = [(str(name), column) for name, column in predictions.items()]
    elif hasattr(predictions, "columns"):
        named_columns = [(name, column.to_native()) for name, column in columns_of(predictions, "predictions")]
    else:
        kind = type(predictions).__name__
        raise DataError(
            f"is a {kind}", "give them by system, as {name: predictions} or DataFrame columns", argument="predictions"
        )
    check_names([name for name, _ in named_columns], "predictions")
    return dict(named_columns)


def _fingerprint(values: Any, name: str) -> str:
    """Hash of the values as a numpy array."""
    array = as_array(values, name)
    content = repr(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes()
    return f"blake2b-128:{hashlib.blake2b(content, digest_size=16).hexdigest()}"


def of_runs(call: Call, groups: Any = None) -> Material:
    """Evaluate all metrics on the runs, over the queries that they share."""
    for name, value in (("ties", "range"), ("unjudged", "bounds")):
        if call.keywords[name] == value:
            raise MetricNameError(
                "leaves the values open", "to compare, choose another rule", argument=name, subject=keyword(name, value)
            )
    chosen, systems = call.metrics or (), systems_of(call)
    check_systems(list(systems.runs), "runs")
    cases, uneven = _over_common_queries(systems.runs, next(iter(systems.inputs)))
    queries = next(iter(cases.values())).ranking.queries
    labels = None if groups is None else query_groups(groups, queries)
    if labels is not None and call.missing is not None:
        refuse_missing(coded(labels, "groups"), "groups", call.missing)
    clusters = None if labels is None else clusters_of(len(queries), labels, None)
    families = []
    for metric in chosen:
        single = {name: case.estimate(metric) for name, case in cases.items()}
        estimates = single
        if clusters is not None:
            estimates = {name: clustered(estimate, clusters) for name, estimate in single.items()}
        families.append(Family(str(metric), metric.better, metric.bounds, estimates, None, single))
    notices = [*systems.about, *uneven]
    if labels is not None:
        notices += filter(None, [notice_of_column(labels, "groups", "groups")])
    estimates_of_families = {name: [family.estimates[name] for family in families] for name in cases}
    for name, case in cases.items():
        notices += [*case.notices(), *case.self_notices(chosen, estimates_of_families[name])]
    effects = [case.tie_effect(name, chosen, estimates_of_families[name]) for name, case in cases.items()]
    return Material(
        tuple(cases),
        tuple(families),
        queries,
        tuple(dict.fromkeys(notices)),
        systems.inputs,
        {
            "task": "ranking",
            "metrics": {str(metric): dict(metric.conventions) for metric in chosen},
            **vars(systems.conventions),
            "missing": {name: len(case.ranked.missing) for name, case in cases.items()},
            **({} if clusters is None else {"groups": clusters.size}),
        },
        partial(Drawings, call.task, partial(dict, cases)),
        tuple(effects),
    )


def _over_common_queries(cases: Mapping[str, RunCase], qrels: str) -> tuple[Mapping[str, RunCase], list[Note]]:
    """Restrict the cases to the queries that all of them have; with a note on those left out."""
    queries = {name: case.ranking.queries for name, case in cases.items()}
    common = set.intersection(*map(set, queries.values()))
    if not common:
        disjoint = ((a, b) for a, b in combinations(queries, 2) if not set(queries[a]) & set(queries[b]))
        whose = next((f"runs {a!r} and {b!r}" for a, b in disjoint), f"the {len(cases)} runs")
        likely = pairing(queries)
        raise DataError(
            f"{whose} have no query of {qrels} in common, so nothing can be paired",
            f"compare runs of the same queries, or count missing queries as 0 ({keyword('queries', 'judged')})"
            + (f"; {likely}" if likely else ""),
            argument="queries",
            subject="",
        )
    left_out = sorted(set().union(*queries.values()) - common)
    if not left_out:
        return cases, []
    cut = {}
    for name, case in cases.items():
        rows = np.array([i for i, query in enumerate(queries[name]) if query in common], dtype=np.intp)
        cut[name] = replace(case, ranking=case.ranking.select(rows))
    lacking = [name for name, of_run in queries.items() if set(left_out).difference(of_run)]
    text = (
        f"{plural(len(left_out), 'query')} left out of the comparison, missing from {', '.join(lacking)}; the "
        f"{len(common)} in all runs are compared ({keyword('queries', 'judged')} counts missing ones as 0)"
    )
    return cut, [Note(text, kind="unpaired-queries", queries=tuple(left_out[:3]), count=len(left_out))]
