"""Evaluate one metric on columns, for any task."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from certus.core.errors import CertusError, DataError, mention
from certus.core.registry import task
from certus.data.samples import Parts
from certus.inference import Estimate, Estimates
from certus.inference.estimate import SubgroupEstimates
from certus.metrics import Metric
from certus.metrics.check import comma_list
from certus.statistic import Proportion, Statistic, TableFunction

if TYPE_CHECKING:
    from certus.tasks import Task


def estimate(metric: Metric, /, *data: Any, **conventions: Any) -> Estimate | Estimates:
    """Evaluate one metric on columns, or on prepared data."""
    declared = task(metric.task)
    set_conventions = {name: value for name, value in conventions.items() if value is not None} if conventions else {}
    if len(data) == 1 and isinstance(data[0], metric.input_types):
        (prepared,) = data
        for name in set_conventions:
            if not _is_default(metric, name, set_conventions[name]):
                raise DataError(
                    f"must be given where the {type(prepared).__name__} are made, not with them", argument=name
                )
        return estimate_prepared(metric, prepared)
    check_weights_allowed(metric, set_conventions)
    names = metric.arguments
    if metric.takes_one_column and (len(data) == 1 or (len(data) == 2 and data[1] is None)):
        data = (data[0], data[0])
    if len(data) != len(names) and not (data == () and "contingency" in set_conventions):
        raise DataError(
            f"{metric.name} takes {comma_list([mention(name) for name in names])}", f"it was given {len(data)}"
        )
    prepared = declared.prepare()(metric, data, set_conventions)
    result = estimate_prepared(metric, prepared)
    if isinstance(result, Estimate) and len(data) > 1 and result.n == _length(data[0]):
        result = replace(result, units=data[0])
    if set_conventions:
        declared.check_asked(set_conventions, (prepared,), (metric,))
    return result


def _length(values: Any) -> int | None:
    """The number of values; None of what has none."""
    try:
        return len(values)
    except TypeError:
        return None


def check_weights_allowed(metric: Metric, conventions: Mapping[str, Any]) -> None:
    """Refuse weights for a metric that is not defined for weighted samples."""
    if conventions.get("sample_weight") is not None and not metric.weighted:
        raise DataError(
            f"{metric.name} does not apply to weighted samples",
            f"leave out {mention('sample_weight')}",
            argument="sample_weight",
            subject="",
        )


def estimate_prepared(metric: Metric, prepared: Any) -> Estimate | Estimates:
    """Evaluate a metric on prepared data; a metric with a value for each class returns `Estimates`."""
    statistic = metric.compute(prepared)
    facts = dict(metric.conventions)
    for name in getattr(prepared, "reported", ()):
        facts[name] = getattr(prepared, name)
    if isinstance(statistic, dict):
        text = str(metric)
        estimates = {
            label: Estimate(class_statistic, text, metric.bounds, facts) for label, class_statistic in statistic.items()
        }
        return Estimates(estimates, metric=text)
    declared = task(metric.task)
    return Estimate(
        statistic=statistic,
        metric=str(metric),
        bounds=_bounds(metric, statistic),
        conventions=facts,
        chance=None if declared.chance is None else declared.chance()(metric, prepared),
        predictions=_predictions(declared, metric, prepared, statistic),
    )


def estimate_parts(
    metrics: Sequence[Metric], parts: Parts[Any], names: Sequence[str]
) -> list[SubgroupEstimates] | None:
    """Evaluate metrics on each part of prepared data; None if a metric has a value for each class."""
    by_metric = [metric.of_parts(parts) for metric in metrics]
    singly = [metric for metric, statistics in zip(metrics, by_metric, strict=True) if statistics is None]
    computed: dict[Metric, list[Any]] = {metric: [] for metric in singly}
    for part in map(parts.__getitem__, range(len(parts) if singly else 0)):
        for metric in singly:
            computed[metric].append(metric.compute(part))
    estimates = []
    for metric, part_statistics in zip(metrics, by_metric, strict=True):
        statistics = computed[metric] if part_statistics is None else part_statistics
        bounds = (
            {metric.bounds} if part_statistics is not None else {_bounds(metric, statistic) for statistic in statistics}
        )
        if len(bounds) != 1 or (part_statistics is None and any(type(statistic) is dict for statistic in statistics)):
            return None
        versus = partial(partial, partial(_part_versus_chance, metric, parts))
        estimates.append(SubgroupEstimates(names, statistics, str(metric), bounds.pop(), metric.conventions, versus))
    return estimates


def _bounds(metric: Metric, statistic: Statistic) -> tuple[float, float]:
    """Bounds of the statistic, or else of the metric."""
    return getattr(statistic, "bounds", None) or metric.bounds


def _part_versus_chance(metric: Metric, parts: Parts[Any], part: int, value: float, **options: Any) -> Any:
    """Compare the value of one part with chance."""
    chance = task(metric.task).chance
    comparison = None if chance is None else chance()(metric, parts[part])
    if comparison is None:
        raise CertusError(f"{metric} has no distribution under a random ranking")
    return comparison(value, **options)


class _Predictions(NamedTuple):
    """Prepared data of a system, kept so that its estimate can be compared sample by sample with another one."""

    metric: Metric
    data: Any

    def joint_statistics(self, other: Any) -> tuple[Statistic, Statistic, str]:
        """Statistics of both systems with their samples, and the name of a unit."""
        both: Any = task(self.metric.task).both
        a, b, unit, *_ = both()(self.metric, self.data, other.data)
        return a, b, unit


def _predictions(declared: "Task", metric: Metric, prepared: Any, statistic: Statistic) -> _Predictions | None:
    """Labels of each sample, for comparisons of a metric whose statistic holds counts only; otherwise None."""
    if declared.both is None or not isinstance(statistic, Proportion | TableFunction) or prepared.groups is not None:
        return None
    has_samples = getattr(prepared, "_columns", prepared) is not None
    return _Predictions(metric, prepared) if has_samples else None


def prepare_data(metric: Metric, data: tuple[Any, ...], conventions: Mapping[str, Any]) -> Any:
    """Prepare the data of a metric from columns and conventions."""
    fitting = [kind for kind in metric.input_types if not hasattr(kind, "fits") or kind.fits(*data)]
    kind: Any = (fitting or metric.input_types)[0]
    accepted = _keywords(kind)
    for name, value in conventions.items():
        if name not in accepted and not _is_default(metric, name, value):
            raise DataError(f"does not apply to {metric.name}", "leave it out", argument=name)
    return kind.from_arrays(*data, **{name: value for name, value in conventions.items() if name in accepted})


def _is_default(metric: Metric, name: str, value: Any) -> bool:
    """True if the value is text and equals the default of the argument with this name."""
    return isinstance(value, str) and value == task(metric.task).argument(name).default


@cache
def _keywords(kind: Any) -> frozenset[str]:
    """Keywords of a data class."""
    return frozenset(inspect.signature(kind.from_arrays).parameters)
