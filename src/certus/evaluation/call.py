"""A metric called on columns, whatever its task."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from certus.data.parts import Parts
from certus.errors import CertusError, DataError, called
from certus.inference import Estimate, Estimates
from certus.inference.estimates import SubgroupEstimates
from certus.metrics import Metric
from certus.metrics.check import comma_list
from certus.registry import task
from certus.statistic import Proportion, Statistic, TableFunction

if TYPE_CHECKING:
    from certus.tasks import Task


def estimate(metric: Metric, /, *data: Any, **conventions: Any) -> Estimate | Estimates:
    """One metric of columns, or of data that are prepared already."""
    declared = task(metric.task)
    told = {name: value for name, value in conventions.items() if value is not None} if conventions else {}
    if len(data) == 1 and isinstance(data[0], metric.takes):
        (prepared,) = data
        for name in told:
            if not _is_default(metric, name, told[name]):
                raise DataError(
                    f"must be given where the {type(prepared).__name__} are made, not with them", argument=name
                )
        return estimated(metric, prepared)
    weighable(metric, told)
    names = metric.arguments
    if len(data) != len(names) and not (data == () and "contingency" in told):
        raise DataError(
            f"{metric.name} takes {comma_list([called(name) for name in names])}", f"it was given {len(data)}"
        )
    prepared = declared.prepare()(metric, data, told)
    found = estimated(metric, prepared)
    if told:
        declared.check_asked(told, (prepared,), (metric,))
    return found


def weighable(metric: Metric, told: Mapping[str, Any]) -> None:
    """Refuse weights where the metric has no meaning for weighted samples."""
    if told.get("sample_weight") is not None and not metric.weighted:
        raise DataError(
            f"{metric.name} has no meaning for weighted samples",
            f"leave out {called('sample_weight')}",
            argument="sample_weight",
            subject="",
        )


def estimated(metric: Metric, prepared: Any) -> Estimate | Estimates:
    """The metric of prepared data; of one that gives each class its own value, `Estimates`."""
    statistic = metric.compute(prepared)
    facts = dict(metric.conventions)
    for name in getattr(prepared, "reported", ()):
        facts[name] = getattr(prepared, name)
    if isinstance(statistic, dict):
        text = str(metric)
        each = {label: Estimate(one, text, metric.bounds, facts) for label, one in statistic.items()}
        return Estimates(each, metric=text)
    declared = task(metric.task)
    return Estimate(
        statistic=statistic,
        metric=str(metric),
        bounds=_bounds(metric, statistic),
        conventions=facts,
        chance=None if (chance := declared.chance()) is None else chance(metric, prepared),
        predictions=_predictions(declared, metric, prepared, statistic),
    )


def estimated_parts(
    metrics: Sequence[Metric], parts: Parts[Any], names: Sequence[str]
) -> list[SubgroupEstimates] | None:
    """Each metric of each part of prepared data; None where one gives each class its own value."""
    found = [metric.of_parts(parts) for metric in metrics]
    singly = [metric for metric, statistics in zip(metrics, found, strict=True) if statistics is None]
    made: dict[Metric, list[Any]] = {metric: [] for metric in singly}
    for part in map(parts.__getitem__, range(len(parts) if singly else 0)):
        for metric in singly:
            made[metric].append(metric.compute(part))
    estimates = []
    for metric, together in zip(metrics, found, strict=True):
        statistics = made[metric] if together is None else together
        bounds = {metric.bounds} if together is not None else {_bounds(metric, each) for each in statistics}
        if len(bounds) != 1 or (together is None and any(type(each) is dict for each in statistics)):
            return None
        versus = partial(partial, partial(_versus, metric, parts))
        estimates.append(SubgroupEstimates(names, statistics, str(metric), bounds.pop(), metric.conventions, versus))
    return estimates


def _bounds(metric: Metric, statistic: Statistic) -> tuple[float, float]:
    return getattr(statistic, "bounds", None) or metric.bounds


def _versus(metric: Metric, parts: Parts[Any], part: int, value: float, **asked: Any) -> Any:
    """The value of a part against chance."""
    chance = task(metric.task).chance()
    found = None if chance is None else chance(metric, parts[part])
    if found is None:
        raise CertusError(f"{metric} has no distribution under a random ranking")
    return found(value, **asked)


class _Predictions(NamedTuple):
    """Prepared data, from which a comparison with another system on the same samples starts."""

    metric: Metric
    data: Any
    both: Callable[..., tuple[Any, ...]]

    def together(self, other: Any) -> tuple[Statistic, Statistic, str]:
        """The statistics of both, each saying which samples it is made of, and what a unit is."""
        a, b, unit, *_ = self.both(self.metric, self.data, other.data)
        return a, b, unit


def _predictions(declared: "Task", metric: Metric, prepared: Any, statistic: Statistic) -> _Predictions | None:
    """The data behind counts, which do not say which sample is where; None where they are not known."""
    if declared.both is None or not isinstance(statistic, Proportion | TableFunction) or prepared.groups is not None:
        return None
    known = getattr(prepared, "_columns", prepared) is not None
    return _Predictions(metric, prepared, declared.both) if known else None


def made(metric: Metric, data: tuple[Any, ...], given: Mapping[str, Any]) -> Any:
    """The data of the metric, made of columns and of those conventions that they have a meaning for."""
    fitting = [kind for kind in metric.takes if not hasattr(kind, "fits") or kind.fits(*data)]
    kind: Any = (fitting or metric.takes)[0]
    known = _keywords(kind)
    for name, value in given.items():
        if name not in known and not _is_default(metric, name, value):
            raise DataError(f"has no meaning for {metric.name}", "leave it out", argument=name)
    return kind.of(*data, **{name: value for name, value in given.items() if name in known})


def _is_default(metric: Metric, name: str, value: Any) -> bool:
    return isinstance(value, str) and value == task(metric.task).argument(name).default


@cache
def _keywords(kind: Any) -> frozenset[str]:
    """The keywords of a class of data."""
    return frozenset(inspect.signature(kind.of).parameters)
