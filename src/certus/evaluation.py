"""Many metrics of many runs: each value with its interval, in one table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any, Literal, TypeAlias

import numpy as np

from certus import kernels
from certus.data import Ranking
from certus.errors import DataError, MetricNameError
from certus.inference import Estimate
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.io import Qrels, QrelsLike, Queries, Ranked, Run, RunLike, as_qrels, is_path, path_name, rank, tie_sizes
from certus.metrics import Metric, extremes, parse, register_task
from certus.metrics._random import versus_chance
from certus.notice import Notice
from certus.statistic import Mean, Ratio, Statistic
from certus.table import PerQuery, Row, Table

__all__ = ["Runs", "Ties", "Unjudged", "evaluate"]

Ties = Literal["trec", "input", "average", "range"]
Unjudged = Literal["nonrelevant", "remove", "bounds"]
Runs: TypeAlias = RunLike | Sequence[RunLike] | Mapping[str, RunLike]

CHOICES: dict[str, tuple[str, ...]] = {
    "queries": ("intersection", "judged"),
    "ties": ("trec", "input", "average", "range"),
    "unjudged": ("nonrelevant", "remove", "bounds"),
}


def evaluate(
    qrels: QrelsLike,
    runs: Runs,
    metrics: str | Metric | Iterable[str | Metric],
    *,
    queries: Queries = "intersection",
    ties: Ties = "trec",
    unjudged: Unjudged = "nonrelevant",
    level: float = 0.95,
    method: str | None = None,
    per_query: bool = False,
    seed: int = 0,
) -> Table:
    """Evaluate retrieval runs: every metric of every run, with its interval.

    Parameters
    ----------
    qrels
        Judgments: a path, ``{query: {document: grade}}``, a DataFrame, or what `read_qrels` returns.
    runs
        One run, a list of runs, or runs by name; each a path, ``{query: {document: score}}``, a DataFrame, or what
        `read_run` returns.
    metrics
        Names such as ``"nDCG@10"`` or ``"AP(rel=2)"``, or metrics such as ``certus.ranking.ndcg.using(cutoff=10)``.
    queries
        Average over ``"intersection"``, the queries in both files (as trec_eval), or ``"judged"``, all judged queries,
        those that a run lacks counting 0 (as ``trec_eval -c``).
    ties
        What counts among documents with equal scores: ``"trec"``, the greater id first; ``"input"``, the order read;
        ``"average"``, the exact expected value over all their orders; ``"range"``, as ``"trec"`` and the least and
        greatest value over all orders beside it.
    unjudged
        Documents without judgment are ``"nonrelevant"``, taken out first (``"remove"``), or non-relevant with the value
        beside it if all of them had the highest grade of their query (``"bounds"``).
    level
        Coverage of the intervals, strictly between 0 and 1.
    method
        Interval method by name, for all metrics; None takes the default of each metric's form.
    per_query
        Also give every query's own value.
    seed
        Where the random draws of bootstrap methods start; one seed gives the same bits on any number of threads.

    Returns
    -------
    Table
        One row for each run and metric, in the order given; then, with `per_query`, one for each query.

    Raises
    ------
    DataError
        The input cannot be read, or a run has no query in common with the qrels; the message names file and line.
    MetricNameError
        There is no such metric, parameter, convention or method.

    Examples
    --------
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}, "q3": {"d4": 1}}
    >>> run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 2.0, "d1": 1.0}, "q3": {"d4": 0.5}}
    >>> for row in evaluate(qrels, run, ["AP", "P@1"]):
    ...     print(row.metric, round(row.value, 4), round(row.low, 4), round(row.high, 4))
    AP 0.8333 0.1162 1.0
    P@1 0.6667 0.0 1.0
    """
    chosen = _metrics(metrics)
    conventions = _Conventions(queries, ties, unjudged)
    Request(level, seed=seed)  # refuses a wrong level or seed before anything is read
    if method is not None:
        check_method(method)
    judgments = as_qrels(qrels)
    whole: list[tuple[str, Estimate]] = []
    single: list[PerQuery] = []
    notices: list[Notice] = []
    averaged: dict[str, dict[str, int]] = {}
    inputs = {judgments.name: f"xxh3-128:{judgments.fingerprint}"}
    if judgments.held.negative:
        text = f"{judgments.held.negative} judgments of negative grade count as in the pool but not judged"
        notices.append(Notice("negative-grades", text, judgments.name, count=judgments.held.negative))
    for name, run in _named(runs):
        case = _Case.of(judgments, run, name, conventions)
        estimates = [case.estimate(metric) for metric in chosen]
        whole += ((name, estimate) for estimate in estimates)
        if per_query:
            for estimate in estimates:
                single += _per_query(name, estimate, case.ranking.queries)
        notices += case.notices(chosen, estimates)
        averaged[name] = {"queries": len(case.ranking), "missing": len(case.ranked.missing)}
        label = case.ranked.name if case.ranked.name != judgments.name else f"{case.ranked.name} (run)"
        inputs[label] = f"xxh3-128:{case.ranked.fingerprint}"
    signature = {
        "certus": kernels.__version__,
        "metrics": {str(metric): dict(metric.conventions) for metric in chosen},
        **vars(conventions),
        "averaged": averaged,
        "level": level,
        "method": method,
        "seed": seed,
        "inputs": inputs,
    }

    rows = partial(_rows, whole, level, method, seed)
    # The default methods cannot fail, so their intervals wait until somebody looks at them.
    return Table(rows if method is None else rows(), dict.fromkeys(notices), signature, single)


@dataclass(frozen=True)
class _Conventions:
    """The conventions of a call, checked."""

    queries: Queries
    ties: Ties
    unjudged: Unjudged

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value not in CHOICES[name]:
                allowed = ", ".join(map(repr, CHOICES[name]))
                raise MetricNameError(f"{name} is {value!r}; it must be one of {allowed}")
        if self.ties == "range" and self.unjudged == "bounds":
            raise MetricNameError("ties='range' and unjudged='bounds' each give a range; ask for one of them at a time")


@dataclass(frozen=True)
class _Case:
    """One run, ranked and prepared by the conventions of a call."""

    ranked: Ranked
    ranking: Ranking
    conventions: _Conventions
    qrels: str
    run: RunLike

    @classmethod
    def of(cls, qrels: Qrels, run: RunLike, name: str, conventions: _Conventions) -> "_Case":
        order: Literal["trec", "input"] = "input" if conventions.ties == "input" else "trec"
        ranked = rank(qrels, run, queries=conventions.queries, ties=order, name=name)
        return cls(ranked, _prepared(ranked.ranking, conventions), conventions, qrels.name, run)

    def estimate(self, metric: Metric) -> Estimate:
        sizes = self._tie_sizes if self.ranking.average else None
        return _estimate(metric, self.ranking, self.conventions, sizes)

    def _tie_sizes(self) -> list[tuple[int, ...]]:
        """Sizes of the groups of equal scores of each query; a ranking knows those with judged documents only."""
        if is_path(self.run) and path_name(self.run) == "-":
            raise DataError("which unjudged documents are tied is not known of standard input; read a file instead")
        return tie_sizes(self.run, self.ranked)

    def notices(self, metrics: Sequence[Metric], estimates: Sequence[Estimate]) -> Iterator[Notice]:
        yield from self.ranked.notices
        columns, queries = self.ranking.columns, self.ranking.queries
        grades = np.append(columns.judged, np.int32(0))
        best = np.where(np.diff(columns.judged_offsets) > 0, grades[columns.judged_offsets[:-1]], 0)
        empty = np.flatnonzero(best < 1)
        if len(empty):
            text = f"{len(empty)} of {len(queries)} queries have no relevant document and count as 0"
            yield Notice("no-relevant", text, self.qrels, tuple(queries[i] for i in empty[:3]), len(empty))
        if self.conventions.ties in ("trec", "input"):
            yield from self._ties(metrics, estimates)

    def _ties(self, metrics: Sequence[Metric], estimates: Sequence[Estimate]) -> Iterator[Notice]:
        """Where the order of tied documents matters, and by how much; for metrics that need not try every order."""
        tied = self.ranking.tied()
        few = self.ranking.select(tied)
        moved: set[int] = set()
        ranges = []
        for metric, estimate in zip(metrics, estimates, strict=True):
            statistic = estimate.statistic
            if not (len(tied) and metric.monotone and isinstance(statistic, Mean)):
                continue
            least, greatest = extremes(metric, few)
            if isinstance(least, Mean) and isinstance(greatest, Mean):
                differ = tied[least.values < greatest.values]
                low, high = statistic.values.copy(), statistic.values.copy()
                low[tied], high[tied] = least.values, greatest.values
                if len(differ):
                    moved.update(differ.tolist())
                    shown = (statistic.with_values(values).value for values in (low, high))
                    ranges.append(f"{metric} {' to '.join(f'{value:.4f}' for value in shown)}")
        if moved:
            examples = tuple(self.ranking.queries[i] for i in sorted(moved)[:3])
            text = f"tied scores matter in {len(moved)} of {len(self.ranking)} queries: {', '.join(ranges)}"
            yield Notice("ties", text, self.ranked.name, examples, len(moved))


def _prepared(ranking: Ranking, conventions: _Conventions) -> Ranking:
    if conventions.unjudged == "remove":
        ranking = ranking.condensed()
    return replace(ranking, ties="average") if conventions.ties == "average" else ranking


def _estimate(
    metric: Metric,
    ranking: Ranking,
    conventions: _Conventions,
    sizes: Callable[[], Sequence[tuple[int, ...]]] | None = None,
) -> Estimate:
    statistic = metric.compute(ranking)
    chance = partial(versus_chance, metric, ranking, sizes=sizes, condensed=conventions.unjudged == "remove")
    made = Estimate(statistic, str(metric), metric.bounds, {**metric.conventions, **vars(conventions)}, chance=chance)
    if conventions.ties == "range":
        low, high = extremes(metric, ranking)
        return replace(made, range=(low.value, high.value), range_of="ties")
    if conventions.unjudged == "bounds":
        other = metric.compute(ranking.optimistic()).value
        return replace(made, range=(min(made.value, other), max(made.value, other)), range_of="unjudged")
    return made


def estimate(
    metric: Metric,
    *data: object,
    queries: Queries = "intersection",
    ties: Ties = "trec",
    unjudged: Unjudged = "nonrelevant",
) -> Estimate:
    """One ranking metric of one run; what calling a metric does.

    Parameters
    ----------
    metric
        The metric, with its parameters.
    data
        Qrels and a run, as `evaluate` takes them; or a `Ranking`, whose own tie rule then holds.
    queries, ties, unjudged
        As for `evaluate`.

    Raises
    ------
    DataError
        The data cannot be read.
    MetricNameError
        There is no such convention.
    """
    conventions = _Conventions(queries, ties, unjudged)
    if len(data) == 1 and isinstance(data[0], Ranking):
        if ties == "average" or data[0].average:
            conventions = replace(conventions, ties="average")
        return _estimate(metric, _prepared(data[0], conventions), conventions)
    if len(data) != 2:
        raise DataError(f"{metric} was given {len(data)} things to evaluate; give qrels and a run, in this order")
    return _Case.of(as_qrels(data[0]), data[1], "run", conventions).estimate(metric)


register_task("ranking", estimate)


def _metrics(metrics: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    listed = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    if not listed:
        raise MetricNameError("no metric was named; name at least one, such as 'nDCG@10'")
    for each in listed:
        if not isinstance(each, (str, Metric)):
            raise MetricNameError(
                f"{each!r} is not a metric; name one, such as 'nDCG@10', or declare it (certus.metric)"
            )
    return list(dict.fromkeys(parse(each) if isinstance(each, str) else each for each in listed))


def _named(runs: Runs) -> list[tuple[str, RunLike]]:
    if isinstance(runs, Mapping) and not _is_rows(runs):
        return [(str(name), run) for name, run in runs.items()]
    listed = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    if not listed:
        raise DataError("no run was given; give at least one")
    paths = [path_name(run) if is_path(run) else run.name if isinstance(run, Run) else None for run in listed]
    short = [PurePath(path).name if path and path != "-" else path for path in paths]
    names = []
    for i, path in enumerate(paths):
        unique = short[i] if short.count(short[i]) == 1 else path
        names.append(unique or ("run" if len(listed) == 1 else f"run {i + 1}"))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two runs are named {twice!r}; give each run once, or a dict of runs by different names")
    return list(zip(names, listed, strict=True))


def _is_rows(data: Mapping[Any, Any]) -> bool:
    """Whether a mapping is a run itself, and not runs by name."""
    inner = next(iter(data.values()), None)
    return isinstance(inner, Mapping) and not isinstance(next(iter(inner.values()), 0.0), Mapping)


def _rows(estimates: Sequence[tuple[str, Estimate]], level: float, method: str | None, seed: int) -> list[Row]:
    return [_row(name, estimate, level, method, seed) for name, estimate in estimates]


def _row(name: str, estimate: Estimate, level: float, method: str | None, seed: int) -> Row:
    interval = estimate.interval(level, method, seed=seed)
    low, high = estimate.range or (None, None)
    return Row(
        name,
        estimate.metric,
        estimate.value,
        interval.low,
        interval.high,
        level,
        interval.method,
        estimate.n,
        estimate.unit,
        minimum=low,
        maximum=high,
        over=estimate.range_of,
        why=estimate.why or interval.why,
    )


def _per_query(name: str, estimate: Estimate, queries: Sequence[str]) -> Iterator[PerQuery]:
    values = _values(estimate.statistic)
    if values is not None and len(values) == len(queries):
        yield PerQuery(name, estimate.metric, queries, values, estimate.unit)


def _values(statistic: Statistic) -> list[float] | None:
    return statistic.values.tolist() if isinstance(statistic, Mean | Ratio) else None
