"""Bare values of each unit by system, whatever they are of."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from certus import tasks
from certus.arrays import Floats
from certus.comparison._family import Family, Material
from certus.comparison._groups import by_unit, clustered
from certus.comparison._names import check_systems, columns_of
from certus.comparison._statistics import pairs_of
from certus.data.columns import as_array, floats
from certus.data.index import check_index
from certus.errors import CertusError, DataError
from certus.inference import Estimate
from certus.inference.clusters import Clusters, clusters_of
from certus.metrics import parse
from certus.metrics.names import task_of
from certus.notice import Notice
from certus.printable import exact
from certus.statistic import Mean
from certus.statistic.common import plural

__all__ = ["direction_of", "family_of", "of_values"]


def of_values(
    values: Any,
    metric: str,
    better: Literal["higher", "lower"] | None,
    bounds: tuple[float, float],
    unit: str,
    groups: Any = None,
    weights: Any = None,
) -> Material:
    """Values of each unit by system, as one metric, over the clusters of the units where there are such.

    Raises
    ------
    DataError
        The values are not those of two systems on the same units.
    """
    columns, keys, notices = _columns(values, unit)
    units = tuple(map(str, keys))
    check_systems(list(columns), "values")
    first = next(iter(columns))
    for name, column in columns.items():
        if len(column) != len(columns[first]):
            raise DataError(
                f"values has {len(columns[first])} of {first!r} but {len(column)} of {name!r}; they must pair up one "
                "to one (or give {system: {unit: value}}, and the units that all have are compared)"
            )
    if not len(columns[first]):
        raise DataError("values are of no unit; a comparison needs at least one")
    for name, column in columns.items():
        outside = np.flatnonzero((column < bounds[0]) | (column > bounds[1]))
        if len(outside):
            raise DataError(
                f"values[{name!r}] is {exact(column[outside[0]])} at index {outside[0]}, but {metric} lies in "
                f"[{bounds[0]:g}, {bounds[1]:g}]; give values of that scale, or call them something else"
            )
    clusters = clusters_of(
        len(columns[first]), by_unit(groups, keys, "groups", unit), by_unit(weights, keys, "weights", unit)
    )
    family = family_of(columns, metric, better, bounds, unit, clusters)
    facts = {"better": better, "bounds": [bound if math.isfinite(bound) else None for bound in bounds]}
    conventions: dict[str, Any] = {"task": "values", "metrics": {metric: facts}}
    if clusters is not None:
        conventions |= {"groups": clusters.size if clusters.grouped else None, "weighted": weights is not None}
    return Material(tuple(columns), (family,), units, notices, conventions=conventions)


def family_of(
    columns: Mapping[str, Floats],
    metric: str,
    better: Literal["higher", "lower"] | None,
    bounds: tuple[float, float],
    unit: str,
    clusters: Clusters | None,
) -> Family:
    """One metric of all systems from the value of each unit, over the clusters of the units where there are such."""
    single = {name: Estimate(Mean(column, unit=unit), metric, bounds) for name, column in columns.items()}
    estimates = single
    if clusters is not None:
        estimates = {name: clustered(estimate, clusters) for name, estimate in single.items()}
    return Family(metric, better, bounds, estimates, pairs_of(estimates), single)


def direction_of(name: str) -> Literal["higher", "lower"] | None:
    """The better direction of a name: that of the metric of any task that has it, otherwise higher."""
    task = task_of(name, [each for each in tasks.names() if each != "values"])  # whose means have no direction
    try:
        return "higher" if task is None else parse(name, task=task).better
    except CertusError:
        return "higher"


def _columns(values: Any, unit: str) -> tuple[dict[str, Floats], tuple[Any, ...], tuple[Notice, ...]]:
    if isinstance(values, Mapping):
        if values and all(isinstance(column, Mapping) for column in values.values()):
            return _by_unit({str(name): column for name, column in values.items()}, unit)
        named = [(str(name), column) for name, column in values.items()]
    else:
        named = _split(values)
    check_systems([name for name, _ in named], "values")
    check_index(**{f"values[{name!r}]": column for name, column in named})
    return {name: _floats(column, name) for name, column in named}, (), ()


def _split(values: Any) -> list[tuple[str, Any]]:
    """The columns of a DataFrame, or of an array of units x systems."""
    if hasattr(values, "columns"):
        return [(name, column.to_numpy()) for name, column in columns_of(values, "values")]
    array = as_array(values, "values")
    if array.ndim != 2:
        raise DataError(
            f"values is an array of {array.ndim} {'axis' if array.ndim == 1 else 'axes'}; give units x systems, a "
            "DataFrame with a column for each system, or {system: values}"
        )
    return [(f"system {i + 1}", array[:, i]) for i in range(array.shape[1])]


def _by_unit(
    values: Mapping[str, Mapping[Any, Any]], unit: str
) -> tuple[dict[str, Floats], tuple[Any, ...], tuple[Notice, ...]]:
    """Values by unit, paired by the units' names."""
    every = [set(column) for column in values.values()]
    common = set.intersection(*every)
    if not common:
        raise DataError("the systems in values have no unit in common, so nothing can be paired")
    left_out = [str(name) for column in values.values() for name in column if name not in common]
    left_out = list(dict.fromkeys(left_out))
    order = [name for name in next(iter(values.values())) if name in common]
    notices: tuple[Notice, ...] = ()
    if left_out:
        text = (
            f"{plural(len(left_out), unit)} that not every system has left out; {len(common)} in all of them "
            "are compared"
        )
        notices = (Notice("unpaired-units", text, None, tuple(left_out[:3]), len(left_out)),)
    columns = {name: _floats([column[each] for each in order], name) for name, column in values.items()}
    return columns, tuple(order), notices


def _floats(column: Any, system: str) -> Floats:
    return floats(column, f"values[{system!r}]", infinite=False).astype(np.float64)
