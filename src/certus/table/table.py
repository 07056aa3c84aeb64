"""The table of all runs and metrics that one evaluation gives, its rows, single or in columns, and the best of them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import repeat
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from certus.core.errors import MetricNameError
from certus.core.note import Note
from certus.core.spelling import suggestion
from certus.table.block import ALIKE, BEST
from certus.table.output import Layout, Output

if TYPE_CHECKING:
    from certus.core.frames import Kind
    from certus.table.block import Block
    from certus.table.page import Report


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

    def sentences(self, best: str = BEST, alike: str = ALIKE) -> list[str]:
        """The meaning of the marks."""
        if not self.best:
            return []
        others = (
            f", {alike} not significantly different from it" if self.alike else ", significantly better than all others"
        )
        outcome = f"{others} ({self.test})" if self.test else ""
        return [f"{best} best{outcome}"] + ([f"no {alike}: {self.unpaired}"] if self.unpaired else [])


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


_CONDITIONAL = {
    **dict.fromkeys(("expected", "p", "p_error", "p_method", "corrected", "percentile"), "p"),
    **dict.fromkeys(("among", "subgroup", "versus"), "among"),
    **dict.fromkeys(("min", "max", "over"), "over"),
    **{name: name for name in ("group", "average", "query", "reason")},
    "class": "label",
}
"""Columns that are there only if any row has a value in a field."""


class PictureSource(Protocol):
    """Systems that draw more pictures than those of their values."""

    def pooled_rows(self) -> Iterable[Row]:
        """Rows of each system over all samples, for a table of subgroups."""

    def pictures(self) -> Iterable[tuple[str, Callable[[Any], Any]]]:
        """The name of each picture, and what draws it on axes."""


_NUMERIC_COLUMNS = (
    "value",
    "low",
    "high",
    "level",
    "min",
    "max",
    "expected",
    "p",
    "p_error",
    "corrected",
    "percentile",
)


def _is_whole(text: str) -> bool:
    """True if the text is what `str` writes for a number of 64 bits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        return False
    return str(int(text)) == text and -(2**63) <= int(text) < 2**63


@dataclass(frozen=True, eq=False, repr=False)
class Table(Output):
    """Rows of estimates, with how they came about.

    Parameters
    ----------
    rows
        One for each run and metric, or a function that makes them when they are first asked for.
    warnings
        What was suspicious in the input.
    signature
        All that the numbers depend on, as plain values. The text outputs read these keys where they are there:
        ``"queries"`` (``"intersection"`` or ``"judged"``), ``"averaged"`` (for each run ``{"queries": number averaged
        over, "missing": number of them missing from the run}``), ``"ties"``, ``"unjudged"``, ``"part"`` (what has rows
        of its own within a metric: a class, an output, a label), ``"by"`` (what tells the groups apart), ``"said"``
        (sentences for below the table). Others are kept as given: ``"certus"`` (the version), ``"metrics"``,
        ``"level"``, ``"method"``, ``"seed"``, ``"inputs"`` (a hash of each).
    per_query
        The values for single queries, if they were asked for.
    standing
        A function that finds the best runs, and those that do not differ significantly from them, when a matrix is
        first laid out. None: the best ones by ``signature["better"]``, if it holds the better direction of each metric.
    shown
        A function that makes what a report shows beside the values: ``"curves"`` by name, ``"documents"`` by query and
        system, and ``"said"``, why documents are left out.
    drawn
        What `plot` draws beside the values: all samples together, and curves of the systems.

    Examples
    --------
    >>> print(Table([Row("bm25", "nDCG@10", 0.3135, 0.2988, 0.3281, 0.95, "t", 250)]))
    bm25
    <BLANKLINE>
    metric    value  95% interval        n
    nDCG@10  0.3135  [0.2988, 0.3281]  250
    <BLANKLINE>
    intervals: Student t
    """

    make: Callable[[], Iterable[Row | Rows]]
    single: tuple[PerQuery, ...] = ()
    warnings: tuple[Note, ...] = ()
    signature: Mapping[str, Any] = field(default_factory=dict)
    compare: Callable[[], Standing] | None = None
    shown: Callable[[], Mapping[str, Any]] | None = None
    drawn: PictureSource | None = None
    _kinds: ClassVar[Mapping[str, "Kind"]] = {**dict.fromkeys(_NUMERIC_COLUMNS, "number"), "n": "whole"}

    def __init__(
        self,
        rows: Iterable[Row] | Callable[[], Iterable[Row | Rows]],
        warnings: Iterable[Note] = (),
        signature: Mapping[str, Any] | None = None,
        per_query: Iterable[PerQuery] = (),
        standing: Callable[[], Standing] | None = None,
        shown: Callable[[], Mapping[str, Any]] | None = None,
        drawn: PictureSource | None = None,
    ) -> None:
        object.__setattr__(self, "make", rows if callable(rows) else tuple(rows).__iter__)
        object.__setattr__(self, "single", tuple(per_query))
        object.__setattr__(self, "warnings", tuple(warnings))
        object.__setattr__(self, "signature", dict(signature or {}))
        object.__setattr__(self, "compare", standing)
        object.__setattr__(self, "shown", shown)
        object.__setattr__(self, "drawn", drawn)

    @cached_property
    def summary(self) -> tuple[Row, ...]:
        """The rows for each run and metric, without those for single queries; made when first asked for."""
        return tuple(flat(self._parts))

    @cached_property
    def _parts(self) -> tuple[Row | Rows, ...]:
        """The rows without those for single queries, as they were made: some by themselves, some in columns."""
        return tuple(self.make())

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows: for each run and metric, then for each query; made when first asked for."""
        return (*self.summary, *(row for values in self.single for row in values))

    def __len__(self) -> int:
        return len(self.summary) + sum(map(len, self.single))

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def per_query(self) -> "Table":
        """The table of the values for single queries; empty unless they were asked for."""
        rows = (row for row in self.summary if row.query is not None)
        return Table(rows, self.warnings, self.signature, self.single)

    def overall(self) -> "Table":
        """The table without the values for single queries."""
        rows = (row for row in self.summary if row.query is None)
        return Table(rows, self.warnings, self.signature, (), self.compare, self.shown, self.drawn)

    @cached_property
    def standing(self) -> Standing:
        """The best run of each metric, and the runs that a paired comparison does not tell from it."""
        if self.compare is not None:
            return self.compare()
        from certus.table.layout import overall

        better, best = self.signature.get("better", {}), set()
        for metric, rows in grouped(overall(self), "metric").items():
            runs = best_of({row.run: row.value for row in rows}, better.get(metric))
            best |= {(metric, run) for run in runs}
        return Standing(frozenset(best), unpaired="the table has no values to pair" if best else "")

    def plot(self, kind: str | None = None, ax: Any = None, *, metric: str | None = None) -> Any:
        """Draw the table, or curves of its systems; needs ``pip install 'certus[plot]'``.

        Parameters
        ----------
        kind
            - ``"values"``, the default: each value with its interval, subgroups beside all samples together;
            - ``"per-query"``: the value of each query, of a table that has them;
            - of runs: ``"precision-recall"`` (eleven levels), ``"ndcg"``, ``"precision"`` and ``"recall"`` by rank,
              ``"unjudged"`` (the share of the first k documents), ``"gains"`` (of each query, against its relevant
              documents);
            - of classifiers: ``"roc"``, ``"precision-recall"``, ``"det"``, ``"gain"``, ``"lift"`` and ``"calibration"``
              of one score per sample, several systems or subgroups together; ``"confusion"`` of one system's labels.
        ax
            The matplotlib axes to draw on; by default those of a new figure, one for each metric.
        metric
            The metric to draw; all of them where none is named. Only of values and values of queries.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on; the first of them where there are several.

        Raises
        ------
        MetricNameError
            There is no such picture of these data, or no such metric in the table.
        DataError
            The table does not hold what the picture shows.
        ImportError
            matplotlib is not installed.
        """
        from certus.plot.estimates import per_query as draw_per_query
        from certus.plot.estimates import values as draw_values

        if kind in (None, "values"):
            return draw_values(self, ax, metric=metric, overall=() if self.drawn is None else self.drawn.pooled_rows())
        if kind == "per-query":
            return draw_per_query(self, ax, metric=metric)
        pictures = {} if self.drawn is None else dict(self.drawn.pictures())
        if kind not in pictures:
            valid_names = ", ".join(map(repr, ("values", "per-query", *pictures)))
            raise MetricNameError(f"is {kind!r}", f"the pictures of this table are {valid_names}", argument="kind")
        if metric is not None:
            problem = f"is {metric!r}, but {kind!r} draws none of the table's"
            raise MetricNameError(problem, "leave it out", argument="metric")
        return pictures[kind](ax)

    def sorted(self, by: str) -> "Table":
        """The table with its runs in another order: the best of a metric first, or by ``"name"``.

        Subgroups of a run are put in order like runs. Runs without a value come last; what is equal stays in order.

        Raises
        ------
        MetricNameError
            There is no such metric, or it has a value for each class.

        Examples
        --------
        >>> table = Table([Row("tfidf", "AP", 0.25), Row("bm25", "AP", 0.5)], signature={"better": {"AP": "higher"}})
        >>> [row.run for row in table.sorted("AP")], [row.run for row in table.sorted("name")]
        (['bm25', 'tfidf'], ['bm25', 'tfidf'])
        """
        keys = list(dict.fromkeys((row.run, row.group) for row in self.summary))
        order = sorted(keys, key=lambda key: (key[0], key[1] or "")) if by == "name" else self._by_metric(keys, by)
        ranks = {key: rank for rank, key in enumerate(order)}
        first: dict[str, int] = {}
        for (run, _), rank in ranks.items():
            first[run] = min(rank, first.get(run, rank))
        rows = sorted(self.summary, key=lambda row: (row.among is not None, ranks[row.run, row.group]))
        single = sorted(self.single, key=lambda values: first.get(values.run, len(ranks)))
        return Table(rows, self.warnings, self.signature, single, self.compare, self.shown, self.drawn)

    def _by_metric(self, keys: list[tuple[str, str | None]], metric: str) -> list[tuple[str, str | None]]:
        """The runs and subgroups by their value, the best first."""
        from certus.table.layout import overall

        rows = overall(self)
        metrics = list(dict.fromkeys(row.metric for row in rows))
        if metric not in metrics:
            near = suggestion(metric, [*metrics, "name"]) or f"there are {', '.join([*metrics, 'name'])}"
            if any(row.metric == metric for row in self.summary):
                problem = f"sorted by {metric!r}, which has a value for each class"
                raise MetricNameError(problem, "sort by another metric or by name")
            raise MetricNameError(f"the table has no metric {metric!r} to sort by", near)
        sign = 1 if self.signature.get("better", {}).get(metric) == "lower" else -1
        values = {(row.run, row.group): sign * row.value for row in rows if row.metric == metric}
        return sorted(keys, key=lambda key: inf if isnan(values.get(key, nan)) else values[key])

    def values(self, metric: str, run: str | None = None) -> dict[str, float]:
        """Each query's value of a metric, by query; `run` may be left out where there is one.

        Raises
        ------
        KeyError
            The table has no such values, or several runs have them.

        Examples
        --------
        >>> Table([], per_query=[PerQuery("bm25", "AP", ("q1", "q2"), [0.5, 1.0])]).values("AP")
        {'q1': 0.5, 'q2': 1.0}
        """
        matches = [values for values in self.single if values.metric == metric and run in (None, values.run)]
        if len(matches) != 1:
            request = f"{metric} of {run}" if run is not None else metric
            names = [f"{values.metric} of {values.run}" for values in matches or self.single]
            content = ", ".join(names) or "no values per query"
            raise KeyError(f"{len(matches)} runs have values of {request} for each query; the table has {content}")
        return dict(zip(matches[0].queries, matches[0].values, strict=True))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns.

        ``group``, ``among``, ``subgroup``, ``versus``, ``class``, ``average``, ``query``, ``min``, ``max``, ``over``,
        ``reason`` and those of a value compared with chance are there only where any row has them.
        """

        parts = (*self._parts, *self.single)
        present = {name: any(part.has(name) for part in parts) for name in set(_CONDITIONAL.values())}
        return tuple(name for name in COLUMNS if name not in _CONDITIONAL or present[_CONDITIONAL[name]])

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dictionaries of plain values; None where a value is undefined, with ``reason``."""
        columns = self.columns
        rows = (row.to_dict() for row in self.rows)
        return [{name: row[name] for name in columns} for row in rows]

    def _tabular(self) -> dict[str, list[Any]]:
        has_queries = any(part.has("query") for part in (*self._parts, *self.single))
        return self.per_query()._nonempty() if has_queries else self._in_columns()

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        rows = [Row.from_dict(row) for row in content["rows"]]
        single: dict[tuple[str, str, str], list[Row]] = {}
        for row in rows:
            if row.query is not None and row.level is None:
                single.setdefault((row.run, row.metric, row.unit), []).append(row)
        summary = [row for row in rows if row.query is None or row.level is not None]
        per_query = [
            PerQuery(run, metric, [row.query or "" for row in part], [row.value for row in part], unit)
            for (run, metric, unit), part in single.items()
        ]
        return cls(summary, map(Note.from_dict, content["warnings"]), content["signature"], per_query)

    def to_frame(self, backend: str | None = None) -> Any:
        """The rows as a DataFrame; of a table with values of single queries those alone, and only their columns.

        `overall` has the other rows: ``table.overall().to_frame()``. Query ids that all are whole numbers, as written
        without leading zeros, are a column of integers.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``; None takes the one in use, otherwise the first installed.

        Raises
        ------
        ImportError
            None of them is installed.
        """
        from certus.core.frames import frame_of

        columns = self._tabular()
        kinds: dict[str, Kind] = {name: self._kinds.get(name, "text") for name in columns}
        if "query" in columns and all(map(_is_whole, columns["query"])):
            columns["query"], kinds["query"] = [int(query) for query in columns["query"]], "whole"
        return frame_of(columns, kinds, backend, "to_frame")

    def _in_columns(self) -> dict[str, list[Any]]:
        """The cells of each column."""
        columns: dict[str, list[Any]] = {name: [] for name in self.columns}
        for part in (*self._parts, *self.single):
            cells = part.to_dict() if isinstance(part, Row) else {}
            for name, column in columns.items():
                column += part.column(name) if isinstance(part, Rows) else (cells[name],)
        return columns

    def _nonempty(self) -> dict[str, list[Any]]:
        """The columns that hold anything, query first after the run."""
        columns = {name: cells for name, cells in self._in_columns().items() if cells.count(None) < len(cells)}
        order = sorted(columns, key=lambda name: {"run": 0, "query": 1}.get(name, 2))
        return {name: columns[name] for name in order}

    def _head(self) -> dict[str, Any]:
        return {"signature": dict(self.signature), "warnings": [note.to_dict() for note in self.warnings]}

    def _laid_out(
        self, width: int | None = None, layout: Layout | None = None, paper: bool = False
    ) -> tuple[list["Block"], list[Note]]:
        from certus.table.layout import blocks, notes

        return list(blocks(self, width, layout, paper)), notes(self, layout, paper)

    def _report(self) -> "Report":
        from certus.table.page import report

        return report(self)
