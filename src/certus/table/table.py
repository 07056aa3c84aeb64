"""The table of all runs and metrics that one evaluation gives."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from certus.core.errors import MetricNameError
from certus.core.listing import Listing
from certus.core.note import Note, to_dicts
from certus.core.spelling import suggestion
from certus.table.output import Layout, Output, number_kinds
from certus.table.row import COLUMNS, PerQuery, Row, Rows, Standing, best_of, check_metric, flat, grouped

if TYPE_CHECKING:
    from certus.core.frames import Kind
    from certus.table.block import Block
    from certus.table.methods import Citations
    from certus.table.page import Report


_CONDITIONAL = {
    **dict.fromkeys(("expected", "p", "p_error", "p_method", "corrected", "percentile"), "p"),
    **dict.fromkeys(("among", "subgroup", "versus"), "among"),
    **dict.fromkeys(("min", "max", "over"), "over"),
    **{name: name for name in ("group", "average", "query", "reason")},
    "class": "label",
}
"""Columns that are there only if any row has a value in a field."""


class PictureSource(Protocol):
    """Systems that a report and pictures show more of than their values."""

    def pooled_rows(self) -> Iterable[Row]:
        """Rows of each system over all samples, for a table of subgroups."""

    def pictures(self) -> Iterable[tuple[str, Callable[[Any], Any]]]:
        """The name of each picture, and what draws it on axes."""

    def content(self) -> Mapping[str, Any]:
        """Curves, tables and documents for a report, with a sentence if documents are left out."""


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
        What was suspicious in the input; notes of which `is_warning` is False have a small effect only.
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
    drawn
        What `plot` and reports show beside the values: all samples together, curves of the systems, and documents.

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
    drawn: PictureSource | None = None
    _kinds: ClassVar[Mapping[str, "Kind"]] = {"min": "number", "max": "number", **number_kinds(Row)}

    def __init__(
        self,
        rows: Iterable[Row] | Callable[[], Iterable[Row | Rows]],
        warnings: Iterable[Note] = (),
        signature: Mapping[str, Any] | None = None,
        per_query: Iterable[PerQuery] = (),
        standing: Callable[[], Standing] | None = None,
        drawn: PictureSource | None = None,
    ) -> None:
        object.__setattr__(self, "make", rows if callable(rows) else tuple(rows).__iter__)
        object.__setattr__(self, "single", tuple(per_query))
        object.__setattr__(self, "warnings", tuple(warnings))
        object.__setattr__(self, "signature", dict(signature or {}))
        object.__setattr__(self, "compare", standing)
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

    def __getitem__(self, metric: str) -> "Table":
        """The table of one of the metrics.

        Raises
        ------
        MetricNameError
            The table has no such metric.

        Examples
        --------
        >>> table = Table([Row("bm25", "AP", 0.25), Row("bm25", "RR", 0.5), Row("tfidf", "AP", 0.125)])
        >>> [(row.run, row.value) for row in table["AP"]]
        [('bm25', 0.25), ('tfidf', 0.125)]
        """
        check_metric(
            metric, dict.fromkeys([row.metric for row in self.summary] + [values.metric for values in self.single])
        )
        rows = (row for row in self.summary if row.metric == metric)
        single = (values for values in self.single if values.metric == metric)
        compare = self.compare and (lambda: self.standing.of_metric(metric))
        return Table(rows, self.warnings, self.signature, single, compare, self.drawn)

    def per_query(self) -> "Table":
        """The table of the values for single queries; empty unless they were asked for."""
        rows = (row for row in self.summary if row.query is not None)
        return Table(rows, self.warnings, self.signature, self.single)

    def overall(self) -> "Table":
        """The table without the values for single queries."""
        rows = (row for row in self.summary if row.query is None)
        return Table(rows, self.warnings, self.signature, (), self.compare, self.drawn)

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
        return Table(rows, self.warnings, self.signature, single, self.compare, self.drawn)

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
        """Cells by column; if single queries have values, only their rows and the columns that are not empty."""
        has_queries = any(part.has("query") for part in (*self._parts, *self.single))
        return self.per_query()._nonempty() if has_queries else self._in_columns()

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        """Create from the content of a JSON file."""
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

    def _listing(self) -> Listing:
        """The rows as DataFrames have them; query ids that all are whole numbers, without leading zeros, are integers.

        Of a table with values of single queries those alone; `overall` has the other rows.
        """
        columns = self._tabular()
        kinds: dict[str, Kind] = {name: self._kinds.get(name, "text") for name in columns}
        if "query" in columns and all(map(_is_whole, columns["query"])):
            columns["query"], kinds["query"] = [int(query) for query in columns["query"]], "whole"
        return Listing(columns, kinds)

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
        """JSON content apart from the rows: the settings that values depend on, and warnings."""
        return {"signature": dict(self.signature), **to_dicts(self.warnings)}

    def _laid_out(
        self, width: int | None = None, layout: Layout | None = None, paper: bool = False
    ) -> tuple[list["Block"], list[Note]]:
        """Blocks of the values, for text or for a paper, and the notes below them."""
        from certus.table.layout import laid_out

        return laid_out(self, width, layout, paper)

    def _method_sentences(self, citations: "Citations") -> Iterator[str]:
        """Sentences for a methods section: systems, units, metrics, conventions and intervals."""
        from certus.table.methods import table_sentences

        return table_sentences(self, citations)

    def _report(self) -> "Report":
        """Content of the HTML page: values, classes, subgroups, single units and notes."""
        from certus.table.page import report

        return report(self)
