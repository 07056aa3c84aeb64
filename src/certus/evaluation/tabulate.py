"""Tables of many metrics of many systems, from prepared cases."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from certus.core import kernels
from certus.core.errors import CertusError, MetricNameError, mention
from certus.core.note import of_systems
from certus.core.progress import steps
from certus.data.columns import notice_of_column
from certus.evaluation.cases import Average, Case, Item, Samples, Systems
from certus.inference import Estimate
from certus.inference.estimate import MeanOf, SubgroupEstimates
from certus.inference.interval import joined
from certus.metrics import Metric
from certus.statistic import TableFunction
from certus.table import PerQuery, Row, Table
from certus.table.row import Rows, Standing, best_of, flat

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance
    from certus.tasks import Task


class Value(NamedTuple):
    """An estimate with its position in the table: system, metric, subgroup, class or average."""

    system: str
    metric: str
    estimate: Estimate
    group: str | None = None
    label: Hashable = None
    average: str | None = None
    better: Literal["higher", "lower"] | None = None

    @property
    def position(self) -> dict[str, Any]:
        """Class and average of the value, as a row has them."""
        return {"label": None if self.label is None else str(self.label), "average": self.average}


class SubgroupMean(NamedTuple):
    """Options of a mean over subgroups.

    Attributes
    ----------
    method
        See `certus.inference.estimate.MeanOf`.
    skip
        Subgroups without a value are left out.
    sizes
        Of a weighted mean the number of samples of each subgroup, or the sum of their weights, by system.
    """

    method: MeanOf
    skip: bool
    sizes: Mapping[str, Mapping[str, float]]


class Subgroups(NamedTuple):
    """Estimates of a system's subgroups, stored in columns by metric."""

    system: str
    items: Sequence[Item]
    estimates: Sequence[SubgroupEstimates]

    def values(self) -> Iterator[Value]:
        """Estimates one by one, all metrics of a subgroup together."""
        for index, group in enumerate(self.estimates[0].names):
            for item, metric_estimates in zip(self.items, self.estimates, strict=True):
                yield Value(
                    self.system,
                    item.name,
                    metric_estimates.estimate_at(index),
                    group,
                    None,
                    item.average,
                    item.metric.better,
                )

    def rows(self, level: float) -> Rows:
        """Table rows with the intervals of the default methods."""
        columns = [
            self._columns(item, metric_estimates, level)
            for item, metric_estimates in zip(self.items, self.estimates, strict=True)
        ]
        size = len(columns)
        alternating = {
            name: [
                cell
                for cells in zip(*(metric_estimates[name] for metric_estimates in columns), strict=True)
                for cell in cells
            ]
            if size > 1
            else columns[0][name]
            for name in columns[0]
        }
        return Rows(alternating, {"run": self.system, "level": level})

    def _columns(self, item: Item, estimates: SubgroupEstimates, level: float) -> dict[str, list[Any]]:
        """Table columns of one metric, with value, limits, method, size and reason for each subgroup."""
        limits = estimates.limits(level)
        number = len(estimates)
        columns: dict[str, list[Any]] = {
            "metric": [item.name] * number,
            "group": list(estimates.names),
            "average": [item.average] * number,
            "value": estimates.metric_values.tolist(),
            "low": (limits.low + 0.0).tolist(),  # no limit is -0.0
            "high": (limits.high + 0.0).tolist(),
            "method": list(limits.methods),
            "n": estimates.sizes.tolist(),
            "unit": [""] * number,
            "reason": list(limits.reasons),
        }
        unit = estimates.estimate_at(0).unit if number else ""
        columns["unit"] = [unit] * number
        for index in np.flatnonzero(~limits.is_known).tolist():
            estimate = estimates.estimate_at(index)
            interval = estimate.interval(level)
            of_interval = {"low": interval.low, "high": interval.high, "method": interval.method}
            of_estimate = {"unit": estimate.unit, "reason": estimate.reason or interval.reason}
            for name, cell in {**of_interval, **of_estimate}.items():
                columns[name][index] = cell
        return columns


def blocks_of(
    values: Sequence[Value | Subgroups | Row],
    level: float,
    method: str | None = None,
    seed: int = 0,
    dependent: str = "",
    versus: "list[VersusChance] | None" = None,
    mean: "SubgroupMean | None" = None,
) -> list[Row | Rows]:
    """Table rows with intervals; `mean` adds means over subgroups, a list `versus` collects chance tests.

    Metrics whose form lacks the method asked for have their default. Subgroups are followed by the largest gap between
    them and the worst of them; `dependent` says why they are not independent. With `mean` the mean of subgroups comes
    first. With a list `versus` the values are compared with chance, and what was found goes there.
    """
    rows: list[Row | Rows] = []
    refusals: list[MetricNameError] = []
    in_columns = method is None and versus is None
    expanded = [value if in_columns or not isinstance(value, Subgroups) else value.values() for value in values]
    flat_values = [entry for group in expanded for entry in (group if isinstance(group, Iterator) else (group,))]
    for value in steps(flat_values, "interval"):
        if isinstance(value, Row):
            rows.append(value)
            continue
        if isinstance(value, Subgroups):
            rows.append(value.rows(level))
            continue
        estimate = value.estimate
        try:
            interval = estimate.interval(level, method, seed=seed)
        except MetricNameError as error:
            refusals.append(error)
            interval = estimate.interval(level, seed=seed)
        row = Row.from_estimate(value.system, value.metric, estimate, interval, group=value.group, **value.position)
        if versus is not None and value.label is None:
            row, comparison = add_chance(row, estimate, seed)
            versus += [] if comparison is None else [comparison]
        rows.append(row)
    if refusals and len(refusals) == sum(isinstance(value, Value) for value in flat_values):
        raise refusals[0]
    means = () if mean is None else _means(values, level, method, seed, mean)
    return [*rows, *means, *_across_subgroups(values, level, method, seed, dependent)]


def _means(
    values: Sequence[Value | Subgroups | Row], level: float, method: str | None, seed: int, mean: "SubgroupMean"
) -> Iterator[Row]:
    """Table rows of means over subgroups, for each metric and class."""
    from certus.inference.many.subgroups import MEAN_NAMES, subgroup_mean

    for value, estimates in _by_metric(values):
        of_system = mean.sizes.get(value.system)
        sizes = None if of_system is None else np.array([of_system[name] for name in estimates])
        skip = mean.skip or value.estimate.conventions.get("undefined") == "skip"
        mean_estimate = subgroup_mean(estimates, mean.method, sizes, skip=skip)
        try:
            interval = mean_estimate.estimate.interval(level, method, seed=seed)
        except MetricNameError:
            interval = mean_estimate.estimate.interval(level, seed=seed)
        yield Row.from_estimate(
            value.system,
            value.metric,
            mean_estimate.estimate,
            interval,
            among=MEAN_NAMES[mean.method],
            n=mean_estimate.n,
            **value.position,
            reason=joined(mean_estimate.estimate.reason or interval.reason, mean_estimate.left_out),
        )


def _across_subgroups(
    values: Sequence[Value | Subgroups | Row], level: float, method: str | None, seed: int, dependent: str
) -> Iterator[Row]:
    """Table rows of the largest gap and the worst subgroup, if there are several subgroups."""
    gaps, worst = [], []
    for value, estimates in _by_metric(values):
        if len(estimates) < 2:
            continue
        if isinstance(estimates, SubgroupEstimates):
            n = int(estimates.sizes.sum())
        else:
            n = sum(estimate.n for estimate in estimates.values())
        row = partial(Row, value.system, value.metric, n=n, unit=value.estimate.unit, level=level, **value.position)
        from certus.inference.many.subgroups import largest_gap, worst_subgroup

        gap = largest_gap(estimates, level=level, method=method, seed=seed, dependent=dependent)
        gaps.append(row(among="largest gap", **gap._asdict()))
        if value.better is not None:
            worst_limits = worst_subgroup(estimates, value.better, level=level, method=method, seed=seed)
            worst.append(row(among="worst subgroup", **worst_limits._asdict()))
    yield from gaps
    yield from worst


def _by_metric(
    values: Sequence[Value | Subgroups | Row],
) -> Iterator[tuple[Value, Mapping[str, Estimate]]]:
    """Estimates of all subgroups by name, for each metric and class, with the first one's position."""
    families: dict[tuple[str, str, str | None, Hashable], tuple[Value, Any]] = {}
    for value in values:
        if isinstance(value, Subgroups):
            for first, estimates in zip(value.values(), value.estimates, strict=False):
                families[first.system, first.metric, first.average, None] = first, estimates
        elif isinstance(value, Value) and value.group is not None:
            key = value.system, value.metric, value.average, value.label
            _, singly = families.setdefault(key, (value, {}))
            singly[value.group] = value.estimate
    yield from families.values()


def add_chance(row: Row, estimate: Estimate, seed: int) -> tuple[Row, "VersusChance | None"]:
    """Add to a row the expected value, p-value, corrected value and percentile under chance, or why they lack."""
    try:
        versus = estimate.versus_chance(seed=seed)
        p = versus.p
        numbers = (versus.expected, float(p), p.error, versus.corrected, versus.percentile)
    except CertusError as error:
        if estimate.reason:
            return row, None
        return replace(row, reason=joined(row.reason, f"not compared with chance: {error}")), None
    expected, chance, off, corrected, percentile = numbers
    return replace(
        row,
        expected=expected,
        p=chance,
        p_error=None if math.isnan(off) else off,
        p_method=p.method,
        corrected=None if math.isnan(corrected) else corrected,
        percentile=percentile,
    ), versus


def chance_notes(comparisons: "Sequence[VersusChance]", rows: Sequence[Row]) -> list[str]:
    """Sentences below the table on the comparison with chance: what is random, what the columns mean."""
    if not comparisons:
        reasons = "; ".join(
            dict.fromkeys(row.reason.removeprefix("not compared with chance: ") for row in rows if row.reason)
        )
        raise MetricNameError(
            f"is asked for, but no value can be compared with chance{f' ({reasons})' if reasons else ''}",
            "leave it out",
            argument="chance",
        )
    random = "; ".join(dict.fromkeys(versus.random for versus in comparisons))
    return [
        f"random: {random}",
        "chance: expected value if that is random; p: probability that a random one does at least as well; "
        "corrected: 0 at chance, 1 at "
        "best; percentile: share of random ones below, and half of the equal",
    ]


@dataclass(frozen=True)
class Drawings:
    """Systems of a table, kept for its pictures, its report, and rows without subgroups.

    Attributes
    ----------
    task, make_cases
        The task, and a function that makes the case of each system.
    by
        What tells subgroups apart; None where there are none.
    level, interval, seed
        Of the intervals.
    items
        The metrics stated of each system.
    has_report
        True if a report shows curves, tables and documents of the systems.
    """

    task: "Task"
    make_cases: Callable[[], Mapping[str, Case]]
    level: float
    by: Any = None
    interval: str | None = None
    seed: int = 0
    items: Sequence[Item] = ()
    has_report: bool = True

    def pooled_rows(self) -> list[Row]:
        """Table rows of each system's samples without subgroups; empty if the table has none."""
        if self.by is None:
            return []
        return list(flat(blocks_of(list(self._values()), self.level, self.interval, self.seed)))

    def _values(self) -> Iterator[Value]:
        """Estimates of all systems' items over all samples."""
        for system, case in self.make_cases().items():
            for item in self.items:
                for label, estimate in case.estimates(item.metric):
                    yield Value(system, item.name, estimate, None, label, item.average, item.metric.better)

    def pictures(self) -> Iterable[tuple[str, Callable[[Any], Any]]]:
        """Pictures of the task: name, and a function that draws it on axes."""
        return () if self.task.pictures is None else self.task.pictures()(self.make_cases(), self.by, self.level)

    def content(self) -> dict[str, Any]:
        """Content of a report: curves by name, documents by query and system, tables by heading and system."""
        curves: dict[str, dict[str, Any]] = {}
        documents: dict[str, dict[str, Any]] = {}
        tables: dict[str, dict[str, Any]] = {}
        no_documents_note = ""
        for system, case in (self.make_cases() if self.has_report else {}).items():
            for name, curve in case.curves(self.level):
                curves.setdefault(name, {})[system] = curve
            for heading, names, lines in case.tables():
                tables.setdefault(heading, {})[system] = (names, lines)
            reason, by_query = case.documents(_DOCUMENTS)
            no_documents_note = no_documents_note or reason
            for query, documents_of_query in by_query.items():
                documents.setdefault(query, {})[system] = documents_of_query
        return {
            "curves": curves,
            "documents": {} if no_documents_note else documents,
            "said": no_documents_note,
            "tables": tables,
        }


Undefined = float | Literal["nan", "skip"]


_ABOUT_UNDEFINED: dict[object, str] = {
    "nan": "0/0 has no value",
    "skip": "classes whose value is 0/0 are left out of averages",
}


_DOCUMENTS = 10
"""Documents that a report lists of each query."""
_MAX_EXACT_UNITS = 30
"""Units up to which the default test of means, which may be an exact one, is fast."""


def tabulate(
    systems: Systems,
    metrics: Sequence[Metric] | None,
    *,
    by: Any = None,
    subgroup_mean: MeanOf | None = None,
    average: Average | None = None,
    undefined: Undefined | None = None,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    chance: bool = False,
    seed: int = 0,
) -> Table:
    """Compute the table of all systems, by these metrics or the usual ones; options as for `evaluate`."""
    task = systems.task
    check_subgroup_mean(subgroup_mean, by)
    sizes: dict[str, Mapping[str, float]] = {}
    values: list[Value | Subgroups | Row] = []
    single: list[PerQuery] = []
    items: dict[Item, None] = {}
    size_notes: dict[str, list[str]] = {}
    clusters: dict[str, Mapping[str, Sequence[Any]]] = {}
    dependent = ""
    for system, case in steps(systems.cases.items(), "system"):
        size_notes[system] = [case.size_in_words] if case.size_in_words else []
        skip = subgroup_mean is not None and undefined == "skip"
        items_of_case = _items(case, metrics, average, undefined, size_notes[system], skip=skip)
        items.update(dict.fromkeys(items_of_case))
        subgroup_estimates = None
        if metrics is not None and by is not None and isinstance(case, Samples):
            subgroup_estimates = case.estimates_of_parts(by, [item.metric for item in items_of_case])
        if subgroup_estimates is not None:
            values.append(Subgroups(system, items_of_case, subgroup_estimates))
        grouped_samples = case if by is not None and isinstance(case, Samples) else None
        if grouped_samples is not None:
            dependent = grouped_samples.dependent(by)
            check_independent(subgroup_mean, dependent)
            if subgroup_mean is not None and subgroup_mean.endswith("weighted"):
                sizes[system] = grouped_samples.sizes(by)
        for group, part in _parts(case, by) if subgroup_estimates is None else ():
            for item in steps(items_of_case, "metric"):
                name, better, average_label = item.name, item.metric.better, item.average
                for label, raw_estimate in part.estimates(item.metric):
                    estimate = (
                        raw_estimate
                        if grouped_samples is None
                        else grouped_samples.compact_estimate(raw_estimate, level, seed, dependent)
                    )
                    values.append(Value(system, name, estimate, group, label, average_label, better))
                    systems.estimates[system].append(estimate)
            if metrics is None:
                values += _support(part, system, group, items_of_case)
        case.check_used([item.metric for item in items_of_case])
        if per_query:
            of_units = case.single(system, systems.estimates[system])
            if of_units is None:
                raise MetricNameError(f"is for queries, but {task.name} has none", "leave it out", argument="per_query")
            single += of_units
            if case.clusters:
                clusters[system] = case.clusters
    systems.metrics, systems.interval = [item.metric for item in items], (level, interval)
    mean = None if subgroup_mean is None else SubgroupMean(subgroup_mean, undefined == "skip", sizes)
    blocks = partial(blocks_of, values, level, interval, seed, dependent, mean=mean)
    rows: Callable[[], list[Row | Rows]] | list[Row] = blocks
    about: list[str] = []
    if chance:
        versus: list[VersusChance] = []
        rows = list(flat(blocks(versus=versus)))
        about = chance_notes(versus, rows)
    elif interval is not None:
        # The default methods cannot fail, so their intervals wait until somebody looks at them.
        rows = list(flat(blocks()))
    signature = {
        "certus": kernels.__version__,
        "task": task.name,
        "metrics": {str(metric): dict(metric.conventions) for metric in systems.metrics},
        **systems.signature,
        "better": {item.name: item.metric.better for item in items},
        "level": level,
        "method": interval,
        "seed": seed,
        "said": [*map(str, of_systems(size_notes)), *about],
    }
    if task.part != "class":
        signature["part"] = task.part
    if subgroup_mean is not None:
        signature["subgroup_mean"] = subgroup_mean
    if clusters:
        signature["clusters"] = clusters
    compared = partial(standing, values, {name: case.units for name, case in systems.cases.items()}, task.paired, level)
    drawings = Drawings(task, partial(dict, systems.cases), level, by, interval, seed, tuple(items))
    notices = dict.fromkeys(systems.notices())
    in_memory = by is not None and not isinstance(by, str) and not hasattr(by, "_fields")  # not where a file has them
    if in_memory and (notice := notice_of_column(by, "by", "subgroups")) is not None:
        notices[notice] = None
    return Table(rows, notices, signature, single, compared, drawings)


def _parts(case: Case, by: Any) -> Iterable[tuple[str | None, Case]]:
    """Whole case, or the samples of each subgroup."""
    if by is None:
        return [(None, case)]
    if not isinstance(case, Samples):
        raise MetricNameError("tells samples apart", "the queries of retrieval runs have no subgroups", argument="by")
    return case.parts(by)


def _support(case: Case, system: str, group: str | None, items: Sequence[Item]) -> Iterator[Row]:
    """Table rows with the number of true samples in each class; next to averages, in all classes."""
    if (support := case.support) is None:
        return
    n, counts = support
    row = partial(Row, system, "Support", n=n, unit="sample", group=group)
    for label, count in counts.items():
        yield row(value=count, label=str(label))
    for average in dict.fromkeys(item.average for item in items if item.average):
        yield row(value=sum(counts.values(), 0.0), average=average)


def _items(
    case: Case,
    metrics: Sequence[Metric] | None,
    average: Average | None,
    undefined: Undefined | None,
    notes: list[str],
    *,
    skip: bool,
) -> list[Item]:
    """Metrics to report, with the call's average and value for 0/0 where they leave these open.

    With `skip` the value of 0/0 has a meaning for a mean of subgroups, whatever the metrics.
    """
    if metrics is None:
        items, choice_notes = case.default_items(average)
        notes += choice_notes
    else:
        items = [Item.from_metric(metric, average) for metric in metrics]
    if average is not None and not any(item.averages for item in items):
        raise MetricNameError(f"is {average!r}, but {_nothing_open(items)}", "leave it out", argument="average")
    if undefined is not None:
        changed = [item.with_undefined(undefined) for item in items]
        if not skip and all(item_before is other for item_before, other in zip(items, changed, strict=True)):
            raise MetricNameError(f"is {undefined!r}, but {_nothing_open(items)}", "leave it out", argument="undefined")
        items = changed
        notes.append(_ABOUT_UNDEFINED.get(undefined, f"0/0 counts as {undefined}"))
        if skip:
            notes.append("subgroups without a value are left out of their mean")
    return list(dict.fromkeys(items))


def check_subgroup_mean(subgroup_mean: object, by: object) -> None:
    """Refuse an unknown mean of subgroups, and one without subgroups."""
    if subgroup_mean is None:
        return
    from certus.inference.many.subgroups import check_mean

    check_mean(subgroup_mean)
    if by is None:
        raise MetricNameError("needs subgroups", f"give {mention('by')}", argument="subgroup_mean")


def check_independent(subgroup_mean: object, dependent: str) -> None:
    """Refuse a mean of subgroups that are dependent."""
    if subgroup_mean is not None and dependent:
        raise MetricNameError(
            f"is for independent subgroups, but {dependent.partition(':')[0]}", "leave it out", argument="subgroup_mean"
        )


def _nothing_open(items: Sequence[Item]) -> str:
    """Part of an error: no metric leaves the average (or the value for 0/0) open."""
    names = list(dict.fromkeys(str(item.metric) for item in items))
    return f"no metric here leaves a choice: {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}"


def standing(
    values: Sequence[Value | Subgroups | Row], units: Mapping[str, Sequence[str] | None], paired: bool, level: float
) -> Standing:
    """Marks of a table: the best system by each metric, and those not significantly worse.

    A p-value is multiplied by the number of all pairs of systems, not only of those with the best one: any of them
    could have turned out best by chance.

    Parameters
    ----------
    values
        The rows to be.
    units
        Names of the units of each system; None where they have none.
    paired
        Whether the systems were run on the same units.
    level
        One less this is the chance to tell any two equal systems apart, for each metric.
    """
    families: dict[str, dict[str, Value]] = {}
    for value in values:
        if isinstance(value, Value) and value.group is None and value.label is None and value.average is None:
            families.setdefault(value.metric, {})[value.system] = value
    pairs = len(units) * (len(units) - 1) // 2
    best: set[tuple[str, str]] = set()
    indistinguishable: set[tuple[str, str]] = set()
    tests: dict[str, None] = {}
    reasons: dict[str, list[str]] = {}
    for metric, by_system in families.items():
        estimates = {system: value.estimate for system, value in by_system.items()}
        first = best_of(
            {system: single_estimate.value for system, single_estimate in estimates.items()},
            next(iter(by_system.values())).better,
        )
        best |= {(metric, system) for system in first}
        for system in estimates if first else ():
            if system in first or estimates[system].value != estimates[system].value:
                continue
            reason, p = "", 0.0
            if not paired:
                reason = "the systems were not run on the same units"
            elif list(units[system] or ()) != list(units[first[0]] or ()):
                reason = "the runs have different queries"
            else:
                p, test, reason = _compared(estimates[first[0]], estimates[system])
                tests |= {test: None} if test else {}
            if reason:
                reasons.setdefault(reason, []).append(metric)
            elif p * pairs > (1 - level) * (1 + 1e-12):
                indistinguishable.add((metric, system))
    adjusted = f", adjusted by Bonferroni for {pairs} pairs in each metric" if pairs > 1 else ""
    names = " or ".join(tests)
    method_note = f"paired comparison with the best: {names}, two-sided{adjusted}, at {1 - level:.3g}" if tests else ""
    unpaired = [f"{', '.join(dict.fromkeys(metrics))}: {reason}" for reason, metrics in reasons.items()]
    if len(unpaired) == 1 and not tests:
        unpaired = list(reasons)
    return Standing(frozenset(best), frozenset(indistinguishable), method_note, "; ".join(unpaired))


def _compared(best: Estimate, other: Estimate) -> tuple[float, str, str]:
    """P-value of the difference, its test, and the reason if there is none."""
    from certus.inference import difference
    from certus.inference.tests.declare import TESTS

    if best.range is not None or other.range is not None:
        return 1.0, "", "the values are left open"
    # an exact test of many values takes too long for a mark
    quick = best.n > _MAX_EXACT_UNITS and not isinstance(best.statistic, TableFunction)
    try:
        result = difference(best, other, test="t" if quick else None)
    except CertusError:
        return 1.0, "", "the metric has no paired comparison"
    return result.p, TESTS.get(result.method, result.method), result.reason
