"""Units that belong together: groups and weights given by unit, as a column, by name, or in a file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from certus.errors import DataError, MetricNameError
from certus.inference import Estimate
from certus.inference.clusters import Clusters, over_clusters
from certus.statistic.common import plural

__all__ = ["by_unit", "clustered", "query_groups"]


def by_unit(given: Any, units: Sequence[Any], name: str, what: str) -> Any:
    """One label or weight for each unit, in the order of the units, where they were given by the units' names.

    Raises
    ------
    DataError
        A unit is missing.
    """
    if not isinstance(given, Mapping):
        return given
    if not units:
        raise DataError(f"{name} is given by {what}, but the values are columns; give one per row")
    for unit in units:
        if unit not in given:
            raise DataError(f"{name} lacks the {what} {unit!r}; give each one that is compared")
    return [given[unit] for unit in units]


def query_groups(given: Any, queries: Sequence[str]) -> Any:
    """The group of each query, from ``{query: group}`` or a file with a query and its group on each line.

    Raises
    ------
    DataError
        The file cannot be read, or a query has no group.
    """
    if isinstance(given, str | Path):
        given = _read(given)
    if not isinstance(given, Mapping):
        raise DataError(
            f"groups is {type(given).__name__}; give {{query: group}}, or a file of lines with a query and its group"
        )
    return by_unit(given, queries, "groups", "query")


def _read(given: str | Path) -> dict[str, str]:
    file = Path(given)
    if not file.is_file():
        raise DataError(
            f"{str(given).strip() or repr(given)} is no file; groups are {{query: group}}, or a file with a query and "
            "its group on each line"
        )
    found: dict[str, str] = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{file} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2:
            raise DataError(
                f"{file}:{number}: {plural(len(fields), 'field')}; give a query and its group, separated by blanks"
            )
        query, group = fields
        if found.setdefault(query, group) != group:
            raise DataError(f"{file}:{number}: query {query!r} is in group {group!r}, but in {found[query]!r} above")
    return found


def clustered(estimate: Estimate, clusters: Clusters) -> Estimate:
    """The same value over clusters of its units.

    Raises
    ------
    MetricNameError
        The metric is no arithmetic mean or ratio over the units.
    """
    made = over_clusters(estimate.statistic, clusters)
    if made is None:
        unit = estimate.statistic.unit
        raise MetricNameError(f"{estimate.metric} is no mean over {unit} units, so groups are not for it")
    return replace(estimate, statistic=made)
