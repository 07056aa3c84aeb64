"""Comparison of plain values by unit, or of scores from several files paired by item id."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal

import numpy as np

from certus.comparison.assemble import Family, Material, assemble, check_systems, columns_of
from certus.comparison.options import Options, by_unit, clustered
from certus.comparison.result import Comparison
from certus.core import registry
from certus.core.arrays import Floats
from certus.core.errors import Cell, CertusError, DataError, MetricNameError, mention
from certus.core.missing import MissingWords, missing_words
from certus.core.note import Note
from certus.core.printable import exact
from certus.core.spelling import suggestion
from certus.core.unmatched import pairing
from certus.data.columns import as_array, check_index, coded, floats, notice_of_column, refuse_missing
from certus.data.values import Values
from certus.inference import Estimate
from certus.inference.clusters import clusters_of
from certus.inference.tests.result import Alternative
from certus.io.scores import Log, Scores
from certus.metrics import parse
from certus.metrics.names import task_of
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds, plural

STATE = "state the range that is possible"


def of_values(
    values: Any,
    metric: str,
    better: Literal["higher", "lower"] | None,
    bounds: tuple[float, float],
    unit: str,
    groups: Any = None,
    weights: Any = None,
    *,
    value_range: Any = None,
    missing: MissingWords | None = None,
) -> Material:
    """Family of plain unit values by system, over clusters of the units if there are groups or weights."""
    if task_of(metric, ["values"]) and (name := parse(metric, task="values").name) != "Mean":
        problem = f"is {metric!r}, but systems are compared by the mean of their values, not by {name}"
        raise MetricNameError(problem, "leave it out, or call the values something else", argument="metric")
    has_range = value_range is not None
    if has_range:
        bounds = _checked_range(value_range, metric, bounds)
    columns, keys, notices = _columns(values, unit)
    units = tuple(map(str, keys))
    check_systems(list(columns), "values")
    first = next(iter(columns))
    for name, column in columns.items():
        if len(column) != len(columns[first]):
            raise DataError(
                f"has {len(columns[first])} of {first!r} but {len(column)} of {name!r}",
                "they must pair up one to one (or give {system: {unit: value}}, and the units that all have are "
                "compared)",
                argument="values",
            )
    if not len(columns[first]):
        raise DataError("are of no unit", "a comparison needs at least one", argument="values")
    for index, (name, column) in enumerate(columns.items()):
        if (row := _first_outside(column, bounds)) is not None:
            example = exact(column[row])
            error = DataError(
                f"is {example} at index {row}, but {metric} lies in [{bounds[0]:g}, {bounds[1]:g}]",
                f"it must lie in [{bounds[0]:g}, {bounds[1]:g}], or {STATE}"
                if has_range
                else "give values of that scale, or call them something else",
                argument="values",
                subject=f"values[{name!r}]",
            )
            error.cell = Cell("values", (row, index), column[row], example)
            raise error
    labels = by_unit(groups, keys, "groups", unit)
    notices += _label_notes({("groups", "groups"): labels, ("values", "units"): units or None}, missing)
    weights = by_unit(weights, keys, "weights", unit)
    family, cluster_facts = _family_of(columns, metric, better, bounds, unit, labels, weights)
    facts = {"better": better, "bounds": [bound if math.isfinite(bound) else None for bound in bounds]}
    conventions = {"task": "values", "metrics": {metric: facts}, **cluster_facts}
    return Material(tuple(columns), (family,), units, notices, conventions=conventions)


def _label_notes(columns: Mapping[tuple[str, str], Any], missing: MissingWords | None) -> tuple[Note, ...]:
    """Refuse labels declared as missing values; returns notes on labels that look like them."""
    there = {names: labels for names, labels in columns.items() if labels is not None}
    for (argument, _), labels in there.items() if missing is not None else ():
        refuse_missing(coded(labels, argument), argument, missing)
    return tuple(filter(None, (notice_of_column(labels, *names) for names, labels in there.items())))


def _family_of(
    columns: Mapping[str, Floats],
    metric: str,
    better: Literal["higher", "lower"] | None,
    bounds: Bounds,
    unit: str,
    groups: Any,
    weights: Any,
) -> tuple[Family, dict[str, Any]]:
    """Family of a metric from unit values, over clusters if there are groups or weights, and what these are."""
    clusters = clusters_of(len(next(iter(columns.values()))), groups, weights)
    single = {name: Estimate(Mean(column, unit=unit), metric, bounds) for name, column in columns.items()}
    if clusters is None:
        return Family(metric, better, bounds, single), {}
    estimates = {name: clustered(estimate, clusters) for name, estimate in single.items()}
    facts = {"groups": clusters.size if clusters.grouped else None, "weighted": weights is not None}
    return Family(metric, better, bounds, estimates, None, single), facts


def direction_of(name: str) -> Literal["higher", "lower"] | None:
    """Better direction of a metric by its name, in any task; ``"higher"`` for unknown names."""
    task = task_of(name, [task for task in registry.names() if task != "values"])  # whose means have no direction
    try:
        return "higher" if task is None else parse(name, task=task).better
    except CertusError:
        return "higher"


def _columns(values: Any, unit: str) -> tuple[dict[str, Floats], tuple[Any, ...], tuple[Note, ...]]:
    """Values of each system; if given by unit name, also the unit names and notes."""
    if isinstance(values, Mapping):
        if values and all(isinstance(column, Mapping) for column in values.values()):
            return _by_unit({str(name): column for name, column in values.items()}, unit)
        named_columns = [(str(name), column) for name, column in values.items()]
    else:
        named_columns = _split(values)
    check_systems([name for name, _ in named_columns], "values")
    check_index(**{f"values[{name!r}]": column for name, column in named_columns})
    return {name: _floats(column, name) for name, column in named_columns}, (), ()


def _split(values: Any) -> list[tuple[str, Any]]:
    """Columns of the systems in a DataFrame or an array (units x systems)."""
    if hasattr(values, "columns"):
        return [(name, column.to_numpy()) for name, column in columns_of(values, "values")]
    array = as_array(values, "values")
    if array.ndim != 2:
        raise DataError(
            f"is an array of {array.ndim} {'axis' if array.ndim == 1 else 'axes'}",
            "give units x systems, a DataFrame with a column for each system, or {system: values}",
            argument="values",
        )
    return [(f"system {i + 1}", array[:, i]) for i in range(array.shape[1])]


def _by_unit(
    values: Mapping[str, Mapping[Any, Any]], unit: str
) -> tuple[dict[str, Floats], tuple[Any, ...], tuple[Note, ...]]:
    """Values paired by unit name: columns by system, names of the units, and notes on those left out."""
    every = [set(column) for column in values.values()]
    common = set.intersection(*every)
    if not common:
        raise DataError(
            "the systems in values have no unit in common, so nothing can be paired", pairing(values, always=True)
        )
    left_out = list(dict.fromkeys(str(name) for column in values.values() for name in column if name not in common))
    order = [name for name in next(iter(values.values())) if name in common]
    notices: tuple[Note, ...] = ()
    if left_out:
        text = (
            f"{plural(len(left_out), unit)} that not every system has left out; {len(common)} in all of them "
            f"are compared{_hint(values)}"
        )
        notices = (Note(text, kind="unpaired-units", queries=tuple(left_out[:3]), count=len(left_out)),)
    columns = {name: _floats([column[unit_name] for unit_name in order], name) for name, column in values.items()}
    return columns, tuple(order), notices


def _floats(column: Any, system: str) -> Floats:
    """Convert one system's values to float64; refuse NaN and infinity."""
    return floats(column, f"values[{system!r}]", infinite=False).astype(np.float64)


@dataclass(frozen=True)
class Ids:
    """Rule for choosing the items to compare: equal sets required, intersection, or union with a fill value."""

    which: Literal["equal", "intersection", "union"] = "equal"
    missing: float = 0.0
    """The value that a system has of an item it lacks, for the union."""


def of_scores(
    systems: Mapping[str, tuple[Log, str]],
    metrics: Sequence[str] | None,
    ids: Ids | None = None,
    better: Literal["lower"] | None = None,
    value_range: Any = None,
    missing: MissingWords | None = None,
) -> Material:
    """Evaluate all metrics on the systems, each identified by its file and its name there."""
    ids = ids or Ids()
    logs = list(dict.fromkeys(log for log, _ in systems.values()))
    for other in logs[1:]:
        for name in dict.fromkeys([*logs[0].conditions, *other.conditions]):
            value, other_value = logs[0].conditions.get(name), other.conditions.get(name)
            if value != other_value:
                problem = f"{name} is {value!r} in {logs[0].name} but {other_value!r} in {other.name}"
                raise DataError(problem, "evaluate both alike")
    scores_by_metric = {name: log.metrics(name_in_log) for name, (log, name_in_log) in systems.items()}
    chosen, notices = _chosen(scores_by_metric, metrics, {name: log.name for name, (log, _) in systems.items()})
    task = logs[0].conditions.get("task", "values")
    families: list[Family] = []
    units: list[tuple[str, ...]] = []
    conventions: dict[str, Any] = {}
    for metric in chosen:
        of_metric = {name: scores[metric] for name, scores in scores_by_metric.items()}
        family, names, facts_of_metric, metric_notices = _family(
            of_metric, metric, ids, better, task, value_range, missing
        )
        families.append(family)
        units.append(names)
        conventions |= facts_of_metric
        notices += [notice for notice in metric_notices if notice not in notices]
    facts = {family.metric: {"better": family.better} for family in families}
    conditions = {name: value for name, value in logs[0].conditions.items() if name != "task"}
    return Material(
        tuple(systems),
        tuple(families),
        units[0] if all(names == units[0] for names in units) else (),
        (*(notice for log in logs for notice in log.notices), *notices),
        {log.name: log.fingerprint for log in logs},
        {"task": task, "metrics": facts, "ids": ids.which, **conditions, **conventions},
    )


def _chosen(
    scores_by_system: Mapping[str, Mapping[str, Scores]], metric_names: Sequence[str] | None, files: Mapping[str, str]
) -> tuple[list[str], list[Note]]:
    """Metrics to compare, and a note on those that not every system has."""
    every = list(dict.fromkeys(metric for scores in scores_by_system.values() for metric in scores))
    if metric_names is not None:
        for metric in metric_names:
            for name, scores in scores_by_system.items():
                if metric not in scores:
                    near = suggestion(metric, list(scores)) or f"it has {', '.join(map(repr, scores))}"
                    raise DataError(f"has no metric {metric!r}", near, location=f"{files[name]}")
        return list(dict.fromkeys(metric_names)), []
    common = [metric for metric in every if all(metric in scores for scores in scores_by_system.values())]
    if not common:
        each_has = "; ".join(f"{name} has {', '.join(map(repr, scores))}" for name, scores in scores_by_system.items())
        raise DataError(f"the systems have no metric in common: {each_has}")
    if len(common) == len(every):
        return common, []
    left_out = [metric for metric in every if metric not in common]
    text = f"{plural(len(left_out), 'metric')} that not every system has left out"
    return common, [Note(text, kind="unpaired-metrics", queries=tuple(left_out[:3]), count=len(left_out))]


def _family(
    scores: Mapping[str, Scores],
    metric: str,
    ids: Ids,
    better: Literal["lower"] | None,
    task: str,
    value_range: Any,
    missing: MissingWords | None,
) -> tuple[Family, tuple[str, ...], dict[str, Any], list[Note]]:
    """Evaluate a metric on the paired items of all systems."""
    values = {name: _by_item(item_scores) for name, item_scores in scores.items()}
    items, notices = _paired(scores, values, ids)
    columns: dict[str, Floats] = {
        name: np.array([item_values.get(item, ids.missing) for item in items], dtype=np.float64)
        for name, item_values in values.items()
    }
    groups, weights = (_shared(scores, items, name) for name in ("groups", "weights"))
    notices += _label_notes({("items", "items"): items, ("groups", "groups"): groups}, missing)
    direction, bounds, unit = _facts(metric, task)
    if value_range is not None:
        bounds = _checked_range(value_range, metric, bounds)
        _check_range(scores.values(), metric, bounds)
    family, facts = _family_of(columns, metric, better or direction, bounds, unit, groups, weights)
    return family, items, facts, notices


def _by_item(scores: Scores) -> dict[str, float]:
    """Value of each item, averaged over its repeats."""
    if len(scores.first) == len(scores.items):
        return dict(zip(scores.items, scores.values.tolist(), strict=True))
    averaged = Values.from_arrays(scores.values, ids=list(scores.items))
    return dict(zip(averaged.names or (), averaged.values.tolist(), strict=True))


def _facts(metric: str, task: str) -> tuple[Literal["higher", "lower"] | None, tuple[float, float], str]:
    """Direction, bounds and unit of a metric; unknown ones are unbounded, and higher is better."""
    if task != "values":
        try:
            declared = parse(metric, task=task)
        except CertusError:
            pass
        else:
            return declared.better, declared.bounds, declared.unit
    return direction_of(metric), (-np.inf, np.inf), "item"


def _paired(
    scores: Mapping[str, Scores], values: Mapping[str, Mapping[str, float]], ids: Ids
) -> tuple[tuple[str, ...], list[Note]]:
    """Sorted ids of the items to compare, and a note on those left out or filled in."""
    every = list(map(set, values.values()))
    common, union = set.intersection(*every), set.union(*every)
    unmatched = sorted(union - common)
    if not unmatched:
        return tuple(sorted(common)), []
    if ids.which == "equal":
        raise _lacking(scores, values, unmatched)
    if not common and ids.which == "intersection":
        raise DataError(
            "the systems have no item in common, so nothing can be paired",
            f"do the ids mean the same? {pairing(values, always=True)}",
        )
    is_union, count = ids.which == "union", plural(len(unmatched), "item")
    if is_union:
        text = f"{count} that not every system has counted as {ids.missing:g} for those that lack it{_hint(values)}"
    else:
        text = f"{count} that not every system has left out; {len(common)} in all of them are compared{_hint(values)}"
    kind = "missing-items" if is_union else "unpaired-items"
    note = Note(text, kind=kind, queries=tuple(unmatched[:3]), count=len(unmatched))
    return tuple(sorted(union if is_union else common)), [note]


def _lacking(
    scores: Mapping[str, Scores], values: Mapping[str, Mapping[str, float]], unmatched: Sequence[str]
) -> DataError:
    """Error on the first item that one system lacks and another has."""
    name = next(name for name, item_values in values.items() if not set(unmatched) <= set(item_values))
    missing = [item for item in unmatched if item not in values[name]]
    owner = next(owner for owner, item_values in values.items() if missing[0] in item_values)
    location = scores[owner].location
    where = None if location is None else location(scores[owner].first[missing[0]])
    more = f", nor {len(missing) - 1} more" if len(missing) > 1 else ""
    holder = "" if where else f" of {owner}"
    return DataError(
        f"item {missing[0]!r}{holder} has no value in {name}{more}",
        f"give every system each item, or decide with {mention('ids')}: intersection or union{_hint(values)}",
        argument="ids",
        subject="",
        location=where,
    )


def _hint(values: Mapping[str, Mapping[Any, Any]]) -> str:
    """End of a message: an example of ids that probably mean the same."""
    example = pairing(values)
    return example and f"; {example}"


def _shared(scores: Mapping[str, Scores], items: Sequence[str], name: Literal["groups", "weights"]) -> list[Any] | None:
    """Group or weight of each item, which must be the same in all systems."""
    values_by_system = {system: item_scores.of_items(name) for system, item_scores in scores.items()}
    if all(item_values is None for item_values in values_by_system.values()):
        return None
    noun = {"groups": "group", "weights": "weight"}[name]
    without = next((system for system, item_values in values_by_system.items() if item_values is None), None)
    if without is not None:
        raise DataError(f"{without} has no {noun} of its items, where others have", f"give all or none {name}")
    value_and_owner: dict[str, tuple[Any, str]] = {}
    for system, item_values in values_by_system.items():
        for item, value in (item_values or {}).items():
            first, owner = value_and_owner.setdefault(item, (value, system))
            if str(first) != str(value):
                raise DataError(f"item {item!r} has the {noun} {first!r} in {owner} but {value!r} in {system}")
    return [value_and_owner[item][0] for item in items]


def _first_outside(values: Floats, bounds: Bounds) -> int | None:
    """Index of the first value outside of the bounds."""
    outside = np.flatnonzero((values < bounds[0]) | (values > bounds[1]))
    return int(outside[0]) if len(outside) else None


def _checked_range(value_range: Any, metric: str, bounds: Bounds) -> Bounds:
    """Return the range as two increasing numbers; refuse one for a metric whose own bounds are known."""
    if math.isfinite(bounds[1] - bounds[0]):
        problem = f"is for values whose range is not known, but {metric} knows its own"
        raise MetricNameError(problem, "leave it out", argument="value_range")
    pair = tuple(value_range) if isinstance(value_range, tuple | list) else (value_range,)
    numbers = [float(number) for number in pair if not isinstance(number, bool) and isinstance(number, Real)]
    if len(pair) != 2 or len(numbers) != 2 or not numbers[0] < numbers[1]:
        raise DataError(
            f"is {value_range!r}",
            "give the least and the greatest possible value, such as (0, 1)",
            argument="value_range",
        )
    return numbers[0], numbers[1]


def with_range(material: Material, value_range: Any) -> Material:
    """Material with the stated range as bounds of its metrics, which must be means without known bounds."""
    families = tuple(_family_with_range(family, value_range) for family in material.families)
    conventions = {**material.conventions, "value_range": list(families[0].bounds)}
    return replace(material, families=families, conventions=conventions)


def _family_with_range(family: Family, value_range: Any) -> Family:
    """Family with the stated range as bounds; refuse values outside of it."""
    bounds = _checked_range(value_range, family.metric, family.bounds)
    for system, estimate in family.estimates.items():
        mean = estimate.statistic
        if isinstance(mean, Ratio):
            values = mean.numerators[mean.denominators > 0] / mean.denominators[mean.denominators > 0]
        elif isinstance(mean, Mean):
            values = mean.values
        else:
            raise MetricNameError(
                f"is for means over units, which {family.metric} is not", "leave it out", argument="value_range"
            )
        if (index := _first_outside(values, bounds)) is not None:
            raise DataError(
                f"{family.metric} of {mean.unit} {index + 1} of {system} is {exact(values[index])}, outside "
                f"of [{bounds[0]:g}, {bounds[1]:g}]",
                STATE,
            )
    estimates = {system: replace(estimate, bounds=bounds) for system, estimate in family.estimates.items()}
    return replace(family, bounds=bounds, estimates=estimates, pair=None)


def _check_range(scores: Iterable[Scores], metric: str, bounds: Bounds) -> None:
    """Refuse a value outside of the range."""
    for item_scores in scores:
        if (first := _first_outside(item_scores.values, bounds)) is not None:
            value = exact(item_scores.values[first])
            raise DataError(
                f"{metric} of item {item_scores.items[first]!r} of {item_scores.system} is {value}, outside of "
                f"[{bounds[0]:g}, {bounds[1]:g}]",
                STATE,
                location=None if item_scores.location is None else item_scores.location(first),
            )


def compare_values(
    values: Any,
    metric: str = "value",
    *,
    better: Literal["higher", "lower", "metric"] | None = "metric",
    groups: Any = None,
    weights: Any = None,
    baseline: str | None = None,
    margin: float | None = None,
    assume: Literal["symmetric"] | None = None,
    value_range: tuple[float, float] | None = None,
    test: str | None = None,
    alternative: Alternative = "two-sided",
    correction: str | None = None,
    simultaneous: bool = False,
    level: float = 0.95,
    interval: str | None = None,
    bayesian: bool = False,
    unit: str = "unit",
    missing_values: str | Sequence[str] | None = None,
    replicates: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare two or more systems by one value each on the same units, whatever the values are.

    Parameters
    ----------
    values
        ``{system: values}``, an array of units x systems, or a DataFrame with a column for each system; or ``{system:
        {unit: value}}``; the units that all systems have are compared.
    metric
        What the values are of, for the output.
    better
        Whether higher or lower values are better; None if neither. ``"metric"``: as of the metric that `metric` names
        (lower for "MAE"); higher where it names none.
    groups
        The cluster of each unit, as a column or by unit; clusters, not units, are then independent.
    weights
        How much each unit counts, at least 0, as a column or by unit.
    value_range
        Least and greatest possible value; no interval of a difference goes beyond their distance. See `compare`.
    missing_values
        As for `compare`.
    unit
        What one value belongs to, in the singular.
    baseline, margin, assume, test, alternative, correction, simultaneous, level, interval, bayesian, replicates, seed
        As for `compare`.

    Raises
    ------
    DataError
        The values are not those of two or more systems on the same units.
    MetricNameError
        There is no such test or correction.

    Examples
    --------
    >>> seconds = {"old": [3.1, 2.8, 4.0, 3.3, 2.9, 3.6], "new": [2.9, 2.5, 3.6, 3.2, 2.6, 3.1]}
    >>> row, = compare_values(seconds, "seconds", better="lower", unit="run")
    >>> print(f"{row.system} {row.difference:+.4f} p = {row.p:.4f}: {row.verdict}")
    new -0.3000 p = 0.0312: better
    """
    arguments = locals()
    with missing_words(missing_values) as missing:
        if better not in ("higher", "lower", "metric", None):
            raise DataError(f"is {better!r}", "it must be 'higher', 'lower', 'metric' or None", argument="better")
        direction = direction_of(metric) if better == "metric" else better
        options = Options.from_arguments(arguments)
        facts = metric, direction, (-math.inf, math.inf), unit
        material = of_values(values, *facts, groups, weights, value_range=value_range, missing=missing)
        return assemble(material, options)
