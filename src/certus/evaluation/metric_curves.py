"""Metrics of a ranking at several ranks or levels of recall."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError
from certus.core.frames import Kind
from certus.core.listing import Listing, Tabular
from certus.data import Ranking
from certus.inference import Estimate
from certus.io import as_qrels
from certus.io.rank import Queries, rank
from certus.io.rankings import QrelsLike, RunLike
from certus.metrics import Metric
from certus.metrics.ranking.average_precision import interpolated_precision, precision_at_recall
from certus.statistic.common import plural

RECALL_LEVELS = tuple(tenths / 10 for tenths in range(11))
"""The usual levels of recall."""


@dataclass(frozen=True, eq=False, repr=False)
class MetricCurve(Tabular):
    """Metrics at several ranks or recall levels: means over queries, each with its interval.

    Attributes
    ----------
    at
        What the places are: ``"rank"`` or ``"recall"``.
    places
        The ranks, or the levels of recall.
    estimates
        Of each metric, by its name, an estimate at each place.
    queries
        The ids of the queries, in the order of the values of a statistic.
    steps
        The curve holds the value of a level down to the level before, as precision at recall does; its area is then
        average precision.
    """

    at: Literal["rank", "recall"]
    places: tuple[float, ...]
    estimates: Mapping[str, tuple[Estimate, ...]]
    queries: tuple[str, ...]
    steps: bool = False

    def __repr__(self) -> str:
        return f"<MetricCurve of {', '.join(self.estimates)} at {len(self.places)} {self.at}s>"

    def __str__(self) -> str:
        return str(self.table())

    def values(self, metric: str | None = None) -> Floats:
        """Value at each rank or level, for the named metric or the only one.

        Raises
        ------
        CertusError
            There are several metrics, or none of that name.
        """
        return np.array([estimate.value for estimate in self.estimates[self._metric_name(metric)]])

    def limits(self, metric: str | None = None, level: float = 0.95) -> tuple[Floats, Floats]:
        """Limits of the interval at each rank or level (pointwise); NaN if undefined."""
        intervals = [interval.interval(level) for interval in self.estimates[self._metric_name(metric)]]
        return np.array([interval.low for interval in intervals]), np.array([interval.high for interval in intervals])

    def area(self, metric: str | None = None) -> float:
        """Area under a step curve; for precision at every recall it is mean average precision.

        Raises
        ------
        CertusError
            The curve is not in steps.
        """
        if not self.steps:
            raise CertusError("a curve of chosen places has no area of its own", "ask for one that is not interpolated")
        return float(np.diff(np.array(self.places), prepend=0.0) @ self.values(metric))

    def table(self, level: float | None = None) -> Listing:
        """Table with a row for each rank or level: values of all metrics, and with a level their limits."""
        is_rank = self.at == "rank"
        columns: dict[str, list[Any]] = {self.at: [int(position) if is_rank else position for position in self.places]}
        for name in self.estimates:
            columns[name] = self.values(name).tolist()
            if level is not None:
                for side, values in zip(("low", "high"), self.limits(name, level), strict=True):
                    columns[f"{name} {side}"] = [None if np.isnan(value) else float(value) for value in values]
        column_types: dict[str, Kind] = dict.fromkeys(columns, "number")
        return Listing(columns, {**column_types, self.at: "whole" if is_rank else "number"})

    def _listing(self) -> Listing:
        """Table with each metric's value and 95% limits at each rank or recall level."""
        return self.table(0.95)

    def _repr_html_(self) -> str:
        """HTML table for notebooks with each metric's values, without limits."""
        return self.table()._repr_html_()

    def plot(
        self, ax: Any = None, *, level: float | None = 0.95, label: str | None = None, metrics: Iterable[str] = ()
    ) -> Any:
        """Draw the metrics with their intervals; needs ``certus[plot]``.

        Metrics that cannot exceed 1 have an axis of their own on the right where others are drawn beside them.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        level
            The level of the intervals; None for none.
        label
            What the legend calls the run.
        metrics
            Only these.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot.canvas import shortened
        from certus.plot.rankings import metric_curve as draw_metric_curve
        from certus.plot.rankings import precision_at_recall as draw_precision_at_recall

        chosen = [self._metric_name(metric) for metric in metrics] or list(self.estimates)
        lines = {}
        for name in chosen:
            line_label = f"{shortened(label, 40)}: {name}" if label else name
            if self.steps:
                line_label += f", area {self.area(name):.4f}"
            lines[line_label] = self.values(name)
        limits = {}
        if level is not None and len(self.queries) > 1:
            limits = {line_label: self.limits(name, level) for line_label, name in zip(lines, chosen, strict=True)}
        if self.steps:
            for line_label, values in lines.items():
                ax = draw_precision_at_recall(np.array(self.places), values, ax, label=line_label)
            return ax
        shares = [
            line_label for line_label, name in zip(lines, chosen, strict=True) if self.estimates[name][0].bounds[1] <= 1
        ]
        words = "" if level is None or not limits else f"{100 * level:g}% interval at each {self.at}"
        return draw_metric_curve(
            np.array(self.places),
            lines,
            ax,
            at=self.at,
            limits=limits,
            shares=shares,
            band=words,
            n=plural(len(self.queries), "query"),
            ylabel=f"{chosen[0]}{'@k' if self.at == 'rank' else ''}" if len(chosen) == 1 else "Value",
        )

    def _metric_name(self, metric: str | None) -> str:
        """Check a metric's name; None returns the only metric, and is an error if there are several."""
        if metric is None and len(self.estimates) == 1:
            return next(iter(self.estimates))
        if metric is None or metric not in self.estimates:
            problem = "no metric is named" if metric is None else f"metric is {metric!r}"
            raise CertusError(problem, f"the curve has {', '.join(self.estimates)}")
        return metric


def metric_curve(
    qrels: QrelsLike,
    run: RunLike,
    metrics: str | Metric | Iterable[str | Metric] = ("CG", "DCG", "IdealDCG", "nDCG"),
    at: Iterable[float] | None = None,
    *,
    query: str | None = None,
    queries: Queries = "intersection",
) -> MetricCurve:
    """Metrics at several ranks or recall levels, for one query or as means over queries.

    Parameters
    ----------
    qrels, run
        As `certus.evaluate` takes them.
    metrics
        Metrics with a cutoff (``"nDCG"``, ``"P"``), or ones with a level of recall (``"IPrec"``); without its value.
    at
        The ranks, by default 1 to 10, or the levels of recall, by default 0, 0.1, ..., 1.
    query
        Only this query, without intervals.
    queries
        As for `certus.evaluate`.

    Raises
    ------
    MetricNameError
        There is no such metric, or it does not accept a place.
    DataError
        The data cannot be read, or there is no such query.
    CertusError
        Metrics have neither a cutoff nor a level of recall, or not all the same; there are no places.

    Examples
    --------
    >>> qrels = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
    >>> run = {"abc": ["u1", "u2", "u3", "u4", "u5"]}
    >>> names = [f"{name}(gain='exp')" for name in ("CG", "DCG", "IdealDCG", "nDCG")]
    >>> print(metric_curve(qrels, run, names, at=range(1, 6)))
    rank  CG(gain='exp')  DCG(gain='exp')  IdealDCG(gain='exp')  nDCG(gain='exp')
       1         31.0000          31.0000               31.0000            1.0000
       2         34.0000          32.8928               40.4639            0.8129
       3         49.0000          40.3928               47.9639            0.8421
       4         64.0000          46.8529               54.4241            0.8609
       5         79.0000          52.6557               60.2269            0.8743
    """
    metric_list = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    chosen = [metric if isinstance(metric, Metric) else _without_level(metric) for metric in metric_list]
    cutoff_parameters = {metric.at_parameter for metric in chosen}
    unsuitable = next(
        (
            metric
            for metric in chosen
            if metric.at_parameter not in ("cutoff", "recall") or metric.at_parameter not in metric.parameters
        ),
        None,
    )
    if unsuitable is not None:
        raise CertusError(f"{unsuitable.name} has neither a cutoff nor a level of recall", "a curve needs one")
    with_cutoff = next((metric for metric in chosen if metric.conventions.get(metric.at_parameter) is not None), None)
    if with_cutoff is not None:
        raise CertusError(
            f"{with_cutoff} has a {with_cutoff.at_parameter} of its own", "leave it out, as a curve has several"
        )
    if len(cutoff_parameters) != 1:
        raise CertusError("metrics of ranks and of recall share no places", "ask for a curve of each")
    twice = next((metric for position, metric in enumerate(chosen) if metric in chosen[:position]), None)
    if twice is not None:
        raise CertusError(f"{twice} is asked for twice", "name each metric once")
    by_rank = cutoff_parameters == {"cutoff"}
    positions = list(at) if at is not None else list(range(1, 11)) if by_rank else list(RECALL_LEVELS)
    if not positions:
        raise CertusError("is empty", "give ranks or levels of recall", argument="at")
    if any(low >= high for low, high in pairwise(positions)):
        raise CertusError("must rise from place to place", f"found {positions}", argument="at")
    ranking = _ranked(qrels, run, query, queries)
    estimates = {
        str(metric): tuple(metric.using(**{metric.at_parameter: position})(ranking) for position in positions)
        for metric in chosen
    }
    return MetricCurve("rank" if by_rank else "recall", tuple(map(float, positions)), estimates, ranking.queries)


def precision_recall_curve(
    qrels: QrelsLike,
    run: RunLike,
    levels: Iterable[float] | None = None,
    *,
    interpolated: bool = True,
    rel: int = 1,
    query: str | None = None,
    queries: Queries = "intersection",
) -> MetricCurve:
    """Precision at several recall levels, averaged over queries.

    Parameters
    ----------
    qrels, run, query, queries
        As for `metric_curve`.
    levels
        The levels of recall; by default 0, 0.1, ..., 1, or if not interpolated every level that a query can reach,
        so that the area below the curve is mean average precision.
    interpolated
        Whether precision at a level is the highest one at it or any higher level, as in the 11-point average; otherwise
        it is that of the first rank that reaches the level.
    rel
        Least relevant grade.

    Raises
    ------
    DataError
        The data cannot be read, or there is no such query.

    Examples
    --------
    Three relevant documents, at ranks 3, 8 and 15.

    >>> run = {"q": [f"d{rank}" for rank in range(1, 16)]}
    >>> curve = precision_recall_curve({"q": {"d3", "d8", "d15"}}, run)
    >>> curve.values().round(2).tolist()
    [0.33, 0.33, 0.33, 0.33, 0.25, 0.25, 0.25, 0.2, 0.2, 0.2, 0.2]
    """
    metric = (interpolated_precision if interpolated else precision_at_recall).using(rel=rel)
    if interpolated or levels is not None:
        return metric_curve(qrels, run, metric, levels, query=query, queries=queries)
    ranking = _ranked(qrels, run, query, queries)
    sizes = {int((ranked_list.judged >= rel).sum()) for ranked_list in ranking.lists()} - {0}
    exact = sorted({Fraction(n_found, size) for size in sizes for n_found in range(1, size + 1)})
    if not exact:
        raise DataError("no query has a relevant document", "there is no recall")
    positions = tuple(float(ranked_list) for ranked_list in exact)
    estimates = {str(metric): tuple(metric.using(recall=position)(ranking) for position in positions)}
    return MetricCurve("recall", positions, estimates, ranking.queries, steps=True)


def _without_level(text: str) -> Metric:
    """Parse a metric; one that needs a recall level may lack it."""
    from certus.metrics.names import resolve_metric

    return resolve_metric(text, "ranking")


def _ranked(qrels: QrelsLike, run: RunLike, query: str | None, queries: Queries) -> Ranking:
    """Rank the run and match it with the judgments, for all queries or for `query` alone."""
    ranking = rank(as_qrels(qrels), run, queries=queries).ranking
    if query is None:
        return ranking
    if query not in ranking.queries:
        raise DataError(f"is {query!r}, which is not among the {len(ranking.queries)} evaluated", argument="query")
    return ranking.select(np.array([ranking.queries.index(query)]))
