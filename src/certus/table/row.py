"""Rows of a table, single or in columns, and the marks of the best runs."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import repeat
from typing import Any, Literal, Self

from certus.core.errors import MetricNameError
from certus.core.spelling import suggestion
from certus.table.block import ALIKE, BEST

Among = Literal[
    "largest gap",
    "worst subgroup",
    "mean of random subgroups",
    "weighted mean of random subgroups",
    "mean of fixed subgroups",
    "weighted mean of fixed subgroups",
]

COLUMNS = (
    *("run", "group", "among", "subgroup", "versus", "metric", "class", "average"),
    *("value", "low", "high", "level", "method", "n", "unit"),
    *("query", "min", "max", "over"),
    *("expected", "p", "p_error", "p_method", "corrected", "percentile"),
    "reason",
)
"""Every column that an output can have, in order."""
_FIELDS = {"class": "label", "min": "minimum", "max": "maximum"}
"""The fields whose columns have other names."""
_NUMBERS = ("value", "low", "high")
"""The columns that hold None for an undefined or infinite number."""
UNDEFINED = "the value is undefined"


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one run, over all its units or for one query.

    Parameters
    ----------
    run
        Name of the run.
    metric
        Canonical text of the metric, ``nDCG@10``.
    value
        The value; NaN where `reason` says that it is undefined.
    low, high, level, method
        The interval; None where there is none, as for a single query; NaN where `reason` says that it is undefined.
    n, unit
        How many units the value is over, and what one is.
    query
        The query that the value belongs to; None for all of them.
    minimum, maximum, over
        The range of the value over what was left open: over the orders of tied documents (``"ties"``) or over the
        relevance of unjudged ones (``"unjudged"``). None where nothing was left open.
    reason
        Why the value or the interval is undefined, or what else a reader must know of it; empty where all is plain.
    group
        The subgroup of the samples that the value is over; None for all of them.
    label
        The class that the value belongs to; None for all of them.
    average
        How the values of the classes of the same metric were averaged (``"macro"``); None where `metric` says all.
    among
        What was found among all subgroups: the ``"largest gap"`` between two of them, the ``"worst subgroup"``, or one
        of their means, such as the ``"mean of random subgroups"``: see `certus.evaluate`.
    subgroup, versus
        Of the largest gap the subgroups with the higher and with the lower value; or the worst subgroup.
    expected, p, p_error, p_method
        Of a value compared with chance: the expected value by chance, the probability to do as well by luck, how far
        that may be off, and how it was found. None where the value is not compared with chance.
    corrected, percentile
        ``(value - expected) / (best - expected)``, and the percentile of the value among random ones.
    """

    run: str
    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    level: float | None = None
    method: str | None = None
    n: int = 1
    unit: str = "query"
    query: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    over: str | None = None
    reason: str = ""
    group: str | None = None
    label: str | None = None
    average: str | None = None
    among: Among | None = None
    subgroup: str | None = None
    versus: str | None = None
    expected: float | None = None
    p: float | None = None
    p_error: float | None = None
    p_method: str | None = None
    corrected: float | None = None
    percentile: float | None = None

    @classmethod
    def from_estimate(cls, run: str, metric: str, estimate: Any, interval: Any, **more: Any) -> Self:
        """The row of an estimate with one of its intervals."""
        low, high = estimate.range or (None, None)
        fields = {
            "value": estimate.value,
            **{name: getattr(interval, name) for name in ("low", "high", "level", "method")},
            "n": estimate.n,
            "unit": estimate.unit,
            "minimum": low,
            "maximum": high,
            "over": estimate.range_of,
            "reason": estimate.reason or interval.reason,
        }
        return cls(run, metric, **{**fields, **more})

    @property
    def by_class(self) -> bool:
        """True if the row has the value of one class, or an average over classes."""
        return self.label is not None or self.average is not None

    def has(self, name: str) -> bool:
        """True if the row has a value in a field, or a reason for an undefined one."""
        return (
            not math.isfinite(self.value) or bool(self.reason) if name == "reason" else getattr(self, name) is not None
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields by the names they have in every output; None for what is undefined or infinite."""
        cells = {name: getattr(self, _FIELDS.get(name, name)) for name in COLUMNS}
        finite = {name: _finite(cells[name]) for name in (*_NUMBERS, "min", "max")}
        reason = self.reason or (UNDEFINED if finite["value"] is None else None)
        return {**cells, **finite, "reason": reason}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """The row that `to_dict` gave, or a part of it; NaN for numbers that are None."""
        values = {_FIELDS.get(name, name): value for name, value in fields.items()}
        numbers = ["value"]
        numbers += ["low", "high"] if values.get("method") is not None else []
        numbers += ["minimum", "maximum"] if values.get("over") is not None else []
        values |= {name: math.nan for name in numbers if values.get(name) is None}
        values["reason"] = values.get("reason") or ""
        if values["reason"] == UNDEFINED:
            values["reason"] = ""
        return cls(**values)


def _finite(value: float | None) -> float | None:
    """Return the number as a float; None if it is undefined or infinite."""
    return None if value is None or not math.isfinite(value) else float(value)


class Rows:
    """Some rows of a table: a `Row` of each is made only when somebody looks at it.

    Parameters
    ----------
    columns
        The fields in which the rows differ, by the names that `Row` has for them: as many values as there are rows.
    shared
        The value of each other field, where it is not the default of `Row`.

    Examples
    --------
    >>> rows = Rows({"value": [0.5, 0.25], "metric": ["AP", "AP"], "group": ["young", "old"]}, {"run": "bm25"})
    >>> len(rows), list(rows)[1] == Row("bm25", "AP", 0.25, group="old")
    (2, True)
    >>> rows.column("group"), list(rows.column("reason"))
    (['young', 'old'], [None, None])
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], shared: Mapping[str, Any]) -> None:
        self.columns, self.shared = columns, shared

    def __len__(self) -> int:
        return len(self.columns["value"])

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows, made a column at a time: in half the time that they take one by one."""
        rows = [Row.__new__(Row) for _ in range(len(self))]
        for column in fields(Row):
            cells = self.columns.get(column.name)
            shared = repeat(self.shared.get(column.name, column.default), len(rows))
            any(map(getattr(Row, column.name).__set__, rows, shared if cells is None else cells))
        return rows

    def has(self, name: str) -> bool:
        """True if any row has a value in a field."""
        if name == "reason":
            return any(self.column("reason"))
        cells = self.columns.get(name)
        return self.shared.get(name) is not None if cells is None else any(cell is not None for cell in cells)

    def column(self, name: str) -> list[Any]:
        """The cells of a column, by the name and as the values that `Row.to_dict` gives them."""
        field = _FIELDS.get(name, name)
        if name == "reason":
            reasons = self.columns.get("reason") or repeat("")
            undefined = (None if math.isfinite(value) else UNDEFINED for value in self.columns["value"])
            return [reason or other for reason, other in zip(reasons, undefined, strict=False)]
        cells = self.columns.get(field)
        if cells is None:
            return [self.shared.get(field)] * len(self)
        return list(map(float if all(map(math.isfinite, cells)) else _finite, cells) if name in _NUMBERS else cells)


class PerQuery(Rows):
    """One metric of one run for each query: rows in two columns, as there may be a great many.

    Parameters
    ----------
    run, metric, unit
        As in `Row`.
    queries
        Query ids.
    values
        The value of each; NaN where it is undefined.
    """

    def __init__(
        self, run: str, metric: str, queries: Sequence[str], values: Sequence[float], unit: str = "query"
    ) -> None:
        super().__init__({"query": queries, "value": values}, {"run": run, "metric": metric, "n": 1, "unit": unit})
        self.run, self.metric, self.queries, self.values, self.unit = run, metric, queries, values, unit


def grouped(rows: Iterable[Row], key: str) -> dict[Any, list[Row]]:
    """Rows by one of their fields, in order of appearance."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(getattr(row, key), []).append(row)
    return groups


def flat(blocks: Iterable[Row | Rows]) -> Iterator[Row]:
    """Each row by itself."""
    for block in blocks:
        if isinstance(block, Rows):
            yield from block
        else:
            yield block


@dataclass(frozen=True, slots=True)
class Standing:
    """Places of a matrix to be marked, each a metric and a run.

    Attributes
    ----------
    best
        The best value of each metric.
    alike
        Those that the paired comparison with the best does not tell from it.
    test
        The comparison in words; empty where none was made.
    unpaired
        Why runs of some metrics were not compared; empty where all were.
    """

    best: frozenset[tuple[str, str]] = frozenset()
    alike: frozenset[tuple[str, str]] = frozenset()
    test: str = ""
    unpaired: str = ""

    def of_metric(self, metric: str) -> "Standing":
        """The marks of one metric."""
        best, tied = (frozenset(key for key in keys if key[0] == metric) for keys in (self.best, self.alike))
        return Standing(best, tied, self.test, self.unpaired)

    def sentences(self, best: str = BEST, alike: str = ALIKE) -> list[str]:
        """The meaning of the marks."""
        if not self.best:
            return []
        others = (
            f", {alike} not significantly different from it" if self.alike else ", significantly better than all others"
        )
        outcome = f"{others} ({self.test})" if self.test else ""
        return [f"{best} best{outcome}"] + ([f"no {alike}: {self.unpaired}"] if self.unpaired else [])


def check_metric(metric: str, metrics: Iterable[str]) -> None:
    """Refuse a metric that a result does not have."""
    if metric not in (names := list(metrics)):
        near = suggestion(str(metric), names) or f"there are {', '.join(names)}"
        raise MetricNameError(f"the result has no metric {metric!r}", near)


def best_of(values: Mapping[str, float], better: str | None) -> list[str]:
    """The runs with the best value; none where no direction is better, or no value is defined.

    Examples
    --------
    >>> best_of({"a": 0.5, "b": float("nan"), "c": 0.5, "d": 0.25}, "higher"), best_of({"a": 1.0}, None)
    (['a', 'c'], [])
    """
    defined = [value for value in values.values() if value == value]
    if better is None or not defined:
        return []
    best = max(defined) if better == "higher" else min(defined)
    return [run for run, value in values.items() if value == best]
