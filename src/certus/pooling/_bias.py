"""Bias of a pool against runs that did not contribute to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from certus.errors import DataError
from certus.frames import Kind
from certus.io import as_qrels, as_run
from certus.io.rankings import QrelsLike, RunLike
from certus.listing import Listing
from certus.metrics import Metric, parse
from certus.pooling._pool import UNJUDGED, tops_of
from certus.progress import steps
from certus.readable import Readable
from certus.statistic.common import require_integer


@dataclass(frozen=True)
class LeftOut:
    """A run's value by a metric with the judgments that it added alone, and without them.

    Attributes
    ----------
    run, metric
        Their names.
    value, without
        The value on all judgments, and on those that the other runs' tops would have led to.
    alone
        Judged documents that only this run's top holds.
    """

    run: str
    metric: str
    value: float
    without: float
    alone: int

    @property
    def percent(self) -> float | None:
        """The change in percent; None where the value is 0."""
        return 100 * (self.without - self.value) / self.value if self.value else None


class Bias(Readable, tuple[LeftOut, ...]):
    """A row for each run and metric; printed as a table."""

    __slots__ = ()

    def table(self) -> Listing:
        """The rows as a table with the columns run, metric, value, without, percent and alone."""
        columns = {name: [getattr(row, name) for row in self] for name in LeftOut.__dataclass_fields__}
        alone_counts = columns.pop("alone")
        percent = [row.percent for row in self]
        column_types: dict[str, Kind] = {"run": "text", "metric": "text", "alone": "whole"}
        table_columns = {**columns, "percent": percent, "alone": alone_counts}
        return Listing(table_columns, {name: column_types.get(name, "number") for name in table_columns})

    def __str__(self) -> str:
        return str(self.table())


def leave_one_out(
    qrels: QrelsLike, runs: Mapping[str, RunLike], metrics: str | Metric | Iterable[str | Metric] = "AP", *, depth: int
) -> "Bias":
    """Values of each run by the judgments of a pool that it did not contribute to, beside those by all judgments.

    The judgments of documents that only the run has among its first `depth` are taken away, and the run is evaluated
    again, as a new system would be that was not there when the pool was made. A document that another run has further
    down counts as the run's own.

    Parameters
    ----------
    qrels
        The judgments.
    runs
        The runs of the pool by their names; at least two.
    metrics
        What the runs are evaluated by.
    depth
        The depth of the pool.

    Returns
    -------
    Bias
        A `LeftOut` for each run and metric.

    Raises
    ------
    DataError
        There are fewer than two runs, or data cannot be read.
    MetricNameError
        There is no such metric.

    References
    ----------
    Zobel (1998), How reliable are the results of large-scale information retrieval experiments?, SIGIR,
    doi:10.1145/290941.291014.

    Examples
    --------
    Without run a nobody would have judged d2.

    >>> qrels = {"q": {"d1": 1, "d2": 1, "d4": 0}}
    >>> runs = {"a": {"q": ["d1", "d2", "d3"]}, "b": {"q": ["d4", "d1", "d5"]}}
    >>> print(leave_one_out(qrels, runs, "P@2", depth=2))
    run  metric   value  without   percent  alone
    a    P@2     1.0000   0.5000  -50.0000      1
    b    P@2     0.5000   0.5000    0.0000      1
    """
    if len(runs) < 2:
        raise DataError("a run is left out of the pool of several", "give at least two")
    names = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    chosen = [metric if isinstance(metric, Metric) else parse(metric) for metric in names]
    loaded = {name: as_run(run, name) for name, run in runs.items()}
    judged = as_qrels(qrels).to_dict()
    tops = tops_of(loaded, require_integer(depth, "depth", 1))
    rows = []
    for name, run in steps(loaded.items(), "run"):
        without_run, n_alone = _without(judged, tops, name)
        for metric in chosen:
            value, without = (metric(judgments, run).value for judgments in (judged, without_run))
            rows.append(LeftOut(name, str(metric), value, without, n_alone))
    return Bias(rows)


def _without(
    judged: Mapping[str, Mapping[str, int]], tops: Mapping[str, Mapping[str, Iterable[str]]], run: str
) -> tuple[dict[str, dict[str, int]], int]:
    """The judgments without those of documents that only this run has in its top, and how many these are."""
    remaining, gone = {}, 0
    for query, docs in judged.items():
        of_runs = tops.get(query, {})
        other_docs = {doc for name, top in of_runs.items() if name != run for doc in top}
        unique_docs = {doc for doc in of_runs.get(run, ()) if doc in docs} - other_docs
        gone += sum(docs[doc] >= 0 for doc in unique_docs)
        kept_grades = {doc: grade for doc, grade in docs.items() if doc not in unique_docs}
        # A query stays one that is averaged over, also where nobody else would have judged anything for it.
        remaining[query] = kept_grades or dict.fromkeys(unique_docs, UNJUDGED)
    return remaining, gone
