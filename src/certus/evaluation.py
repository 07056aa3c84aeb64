"""Many metrics of many runs: each value with its interval, in one table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from certus import kernels
from certus.cases import (
    Case,
    Conventions,
    Runs,
    Ties,
    Unjudged,
    chosen_metrics,
    estimated,
    inputs_of,
    named_runs,
    of_qrels,
    prepared,
)
from certus.data import Ranking
from certus.errors import DataError
from certus.inference import Estimate
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.io import QrelsLike, Queries, as_qrels
from certus.metrics import Metric, register_task
from certus.statistic import Mean, Ratio, Statistic
from certus.table import PerQuery, Row, Table
from certus.tied import TieEffect, tie_notice

__all__ = ["Runs", "Ties", "Unjudged", "evaluate", "rows_of"]


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
    AP 0.8333 0.0 1.0
    P@1 0.6667 0.1185 0.9829
    """
    chosen = chosen_metrics(metrics)
    conventions = Conventions(queries, ties, unjudged)
    Request(level, seed=seed)  # refuses a wrong level or seed before anything is read
    if method is not None:
        check_method(method)
    judgments = as_qrels(qrels)
    whole: list[tuple[str, Estimate]] = []
    single: list[PerQuery] = []
    notices = list(of_qrels(judgments))
    averaged: dict[str, dict[str, int]] = {}
    cases: list[Case] = []
    effects: list[TieEffect | None] = []
    for name, run in named_runs(runs):
        case = Case.of(judgments, run, name, conventions)
        estimates = [case.estimate(metric) for metric in chosen]
        whole += ((name, estimate) for estimate in estimates)
        if per_query:
            for estimate in estimates:
                single += _per_query(name, estimate, case.ranking.queries)
        notices += case.notices()
        effects.append(case.tie_effect(name, chosen, estimates))
        averaged[name] = {"queries": len(case.ranking), "missing": len(case.ranked.missing)}
        cases.append(case)
    notices += tie_notice(effects)
    signature = {
        "certus": kernels.__version__,
        "metrics": {str(metric): dict(metric.conventions) for metric in chosen},
        **vars(conventions),
        "averaged": averaged,
        "level": level,
        "method": method,
        "seed": seed,
        "inputs": inputs_of(judgments, cases),
    }

    rows = partial(rows_of, whole, level, method, seed)
    # The default methods cannot fail, so their intervals wait until somebody looks at them.
    return Table(rows if method is None else rows(), dict.fromkeys(notices), signature, single)


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
    conventions = Conventions(queries, ties, unjudged)
    if len(data) == 1 and isinstance(data[0], Ranking):
        if ties == "average" or data[0].average:
            conventions = replace(conventions, ties="average")
        return estimated(metric, prepared(data[0], conventions), conventions)
    if len(data) != 2:
        raise DataError(f"{metric} was given {len(data)} things to evaluate; give qrels and a run, in this order")
    return Case.of(as_qrels(data[0]), data[1], "run", conventions).estimate(metric)


register_task("ranking", estimate)


def rows_of(estimates: Sequence[tuple[str, Estimate]], level: float, method: str | None, seed: int) -> list[Row]:
    """The rows of a table, one for each run's estimate."""
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
