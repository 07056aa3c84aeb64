"""ranx's `evaluate`."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from certus.arrays import Floats
from certus.compat._per_query import per_query
from certus.compat.ranx._records import Qrels, Run
from certus.errors import DataError, MetricNameError
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import Metric
from certus.metrics.names import spelled_by
from certus.metrics.spellings import RANX
from certus.spelling import suggestion

__all__ = ["evaluate", "metric_names"]

Nested: TypeAlias = Mapping[str, Mapping[str, Any]]
_NAMES = (
    *("hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map", "dcg", "dcg_burges", "ndcg"),
    *("ndcg_burges", "bpref"),
)


class _QueriesError(DataError, AssertionError):
    """The queries differ; ranx raises AssertionError."""


def evaluate(
    qrels: Qrels | Nested,
    run: Run | Nested,
    metrics: list[str] | str,
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """Metrics of a run, as ranx computes them.

    Parameters
    ----------
    qrels, run
        `Qrels` and `Run`, or dicts of dicts.
    metrics
        One name or several, such as ``"ndcg@10"``, ``"map@100-l2"`` (least relevant grade 2) or ``"rbp.95"``.
    return_mean
        The mean over queries; otherwise an array of the values of queries, in the order of ``run.get_query_ids()``.
    return_std
        Also the standard deviation over queries.
    threads
        Without effect: the numbers are the same for any number of threads.
    save_results_in_run
        Keep the values in the `Run`.
    make_comparable
        Give queries that the run lacks an empty list and leave out those without judgments. It changes a `Run`.

    Returns
    -------
    float or dict
        The value of one metric, or ``{metric: value}``.

    Raises
    ------
    AssertionError
        The queries of judgments and run differ; it is a `DataError`, too.
    ValueError
        A metric does not exist, or the data cannot be read.

    Examples
    --------
    >>> qrels, run = Qrels({"q1": {"d1": 1}, "q2": {"d2": 1}}), Run({"q1": {"d1": 9}, "q2": {"d1": 9, "d2": 8}})
    >>> float(evaluate(qrels, run, "mrr"))
    0.75
    >>> run.scores
    {'mrr': {'q1': 1.0, 'q2': 0.5}}
    """
    del threads
    names = metric_names(metrics)
    chosen = {name: _metric(name) for name in names}
    judged = qrels if isinstance(qrels, Qrels) else Qrels(qrels)
    found = run if isinstance(run, Run) else Run(run)
    if make_comparable:
        found.make_comparable(judged)
    scores = _scores(chosen, judged, found)
    if save_results_in_run:
        for name, values in scores.items():
            found.mean_scores[name] = float(np.mean(values))
            if return_mean and return_std:
                found.std_scores[name] = float(np.std(values))
            found.scores[name] = dict(zip(found.get_query_ids(), values.tolist(), strict=True))
    returned = {name: _summary(values, return_mean, return_std) for name, values in scores.items()}
    return returned[names[0]] if len(names) == 1 else returned


def metric_names(metrics: list[str] | str) -> list[str]:
    """The names in a list.

    Raises
    ------
    MetricNameError
        There is none.
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    if not names:
        raise MetricNameError("metrics is empty; name at least one, such as 'ndcg@10'")
    return names


def _metric(name: str) -> Metric:
    found = spelled_by(RANX.name, name.replace("rbp@", "rbp."))
    if found is None:
        near = suggestion(name, _NAMES)
        raise MetricNameError(
            f"ranx has no metric named {name!r}{near}; its names are {', '.join(_NAMES)} and rbp with its persistence, "
            "as in rbp.95, with a cutoff as in ndcg@10 and a least relevant grade as in map-l2"
        )
    return found


def _scores(metrics: Mapping[str, Metric], qrels: Qrels, run: Run) -> dict[str, Floats]:
    """The values of queries, in their order; 0 for a query without judgments."""
    if qrels.keys() != run.keys():
        alone = [f"{len(mine - theirs)} in {name} alone" for name, mine, theirs in _sides(qrels, run) if mine - theirs]
        raise _QueriesError(
            f"qrels and run have different queries: {', '.join(alone)}; make_comparable=True gives those that the run "
            "lacks an empty list and leaves out those without judgments"
        )
    ranking = rank(as_qrels(qrels.qrels), run.run, queries="judged").ranking
    places = np.searchsorted(run.get_query_ids(), ranking.queries)
    scores = {name: np.zeros(len(run)) for name in metrics}
    for name, metric in metrics.items():
        scores[name][places] = per_query(metric, ranking)
    return scores


def _sides(qrels: Qrels, run: Run) -> Iterable[tuple[str, set[str], set[str]]]:
    judged, found = set(qrels.keys()), set(run.keys())
    return ("qrels", judged, found), ("run", found, judged)


def _summary(values: Floats, mean: bool, std: bool) -> Any:
    if not mean:
        return values
    return {"mean": np.mean(values), "std": np.std(values)} if std else np.mean(values)
