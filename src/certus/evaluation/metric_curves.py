"""Metrics of a ranking at several ranks or levels of recall."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from certus.arrays import Floats
from certus.data import Ranking
from certus.errors import CertusError, DataError
from certus.frames import Kind
from certus.inference import Estimate
from certus.io import as_qrels
from certus.io.rank import Queries, rank
from certus.io.rankings import QrelsLike, RunLike
from certus.listing import Listing
from certus.metrics import Metric
from certus.metrics.ranking.average_precision import interpolated_precision, precision_at_recall
from certus.readable import Readable
from certus.statistic.common import plural

ELEVEN = tuple(place / 10 for place in range(11))
"""The usual levels of recall."""


@dataclass(frozen=True, eq=False, repr=False)
class MetricCurve(Readable):
    """Metrics at several ranks or levels of recall: means over queries, each with its interval.

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
        """The value at each place; of the only metric, or the one named.

        Raises
        ------
        CertusError
            There are several metrics, or none of that name.
        """
        return np.array([each.value for each in self.estimates[self._named(metric)]])

    def limits(self, metric: str | None = None, level: float = 0.95) -> tuple[Floats, Floats]:
        """The limits of the interval at each place, each by itself; NaN where there is none."""
        found = [each.interval(level) for each in self.estimates[self._named(metric)]]
        return np.array([each.low for each in found]), np.array([each.high for each in found])

    def area(self, metric: str | None = None) -> float:
        """The area below a curve in steps: mean average precision, of precision at every recall.

        Raises
        ------
        CertusError
            The curve is not in steps.
        """
        if not self.steps:
            raise CertusError("a curve of chosen places has no area of its own", "ask for one that is not interpolated")
        return float(np.diff(np.array(self.places), prepend=0.0) @ self.values(metric))

    def table(self, level: float | None = None) -> Listing:
        """A row for each place: the value of each metric, and with a level its limits."""
        whole = self.at == "rank"
        columns: dict[str, list[Any]] = {self.at: [int(each) if whole else each for each in self.places]}
        for name in self.estimates:
            columns[name] = self.values(name).tolist()
            if level is not None:
                for side, values in zip(("low", "high"), self.limits(name, level), strict=True):
                    columns[f"{name} {side}"] = [None if np.isnan(value) else float(value) for value in values]
        kinds: dict[str, Kind] = dict.fromkeys(columns, "number")
        return Listing(columns, {**kinds, self.at: "whole" if whole else "number"})

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
        from certus.plot.metric_curve import metric_curve as draw_metric_curve
        from certus.plot.precision_at_recall import precision_at_recall as draw_precision_at_recall

        chosen = [self._named(each) for each in metrics] or list(self.estimates)
        lines = {}
        for name in chosen:
            shown = f"{shortened(label, 40)}: {name}" if label else name
            if self.steps:
                shown += f", area {self.area(name):.4f}"
            lines[shown] = self.values(name)
        limits = {}
        if level is not None and len(self.queries) > 1:
            limits = {shown: self.limits(name, level) for shown, name in zip(lines, chosen, strict=True)}
        if self.steps:
            for shown, values in lines.items():
                ax = draw_precision_at_recall(np.array(self.places), values, ax, label=shown)
            return ax
        shares = [shown for shown, name in zip(lines, chosen, strict=True) if self.estimates[name][0].bounds[1] <= 1]
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

    def _named(self, metric: str | None) -> str:
        if metric is None and len(self.estimates) == 1:
            return next(iter(self.estimates))
        if metric is None or metric not in self.estimates:
            found = "no metric is named" if metric is None else f"metric is {metric!r}"
            raise CertusError(found, f"the curve has {', '.join(self.estimates)}")
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
    """Metrics at several ranks or levels of recall, for one query or as means over queries.

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
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    chosen = [each if isinstance(each, Metric) else _without_place(each) for each in given]
    kinds = {each.at for each in chosen}
    odd = next((each for each in chosen if each.at not in ("cutoff", "recall") or each.at not in each.parameters), None)
    if odd is not None:
        raise CertusError(f"{odd.name} has neither a cutoff nor a level of recall", "a curve needs one")
    placed = next((each for each in chosen if each.conventions.get(each.at) is not None), None)
    if placed is not None:
        raise CertusError(f"{placed} has a {placed.at} of its own", "leave it out, as a curve has several")
    if len(kinds) != 1:
        raise CertusError("metrics of ranks and of recall share no places", "ask for a curve of each")
    twice = next((each for place, each in enumerate(chosen) if each in chosen[:place]), None)
    if twice is not None:
        raise CertusError(f"{twice} is asked for twice", "name each metric once")
    by_rank = kinds == {"cutoff"}
    places = list(at) if at is not None else list(range(1, 11)) if by_rank else list(ELEVEN)
    if not places:
        raise CertusError("is empty", "give ranks or levels of recall", argument="at")
    if any(low >= high for low, high in pairwise(places)):
        raise CertusError("must rise from place to place", f"found {places}", argument="at")
    ranking = _ranked(qrels, run, query, queries)
    estimates = {str(each): tuple(each.using(**{each.at: place})(ranking) for place in places) for each in chosen}
    return MetricCurve("rank" if by_rank else "recall", tuple(map(float, places)), estimates, ranking.queries)


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
    """Precision at levels of recall, averaged over queries.

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
    sizes = {int((each.judged >= rel).sum()) for each in ranking.lists()} - {0}
    exact = sorted({Fraction(found, size) for size in sizes for found in range(1, size + 1)})
    if not exact:
        raise DataError("no query has a relevant document", "there is no recall")
    places = tuple(float(each) for each in exact)
    estimates = {str(metric): tuple(metric.using(recall=place)(ranking) for place in places)}
    return MetricCurve("recall", places, estimates, ranking.queries, steps=True)


def _without_place(text: str) -> Metric:
    """The metric of a name; one that needs a level of recall may lack it."""
    from certus.metrics.names import resolve_metric

    return resolve_metric(text, "ranking")


def _ranked(qrels: QrelsLike, run: RunLike, query: str | None, queries: Queries) -> Ranking:
    ranking = rank(as_qrels(qrels), run, queries=queries).ranking
    if query is None:
        return ranking
    if query not in ranking.queries:
        raise DataError(f"is {query!r}, which is not among the {len(ranking.queries)} evaluated", argument="query")
    return ranking.select(np.array([ranking.queries.index(query)]))
