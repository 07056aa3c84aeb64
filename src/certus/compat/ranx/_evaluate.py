"""ranx's evaluate and compare."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np

from certus.arrays import Floats
from certus.compat.ranx._records import Qrels, Run
from certus.compat.ranx._report import TESTS, Comparisons, Report
from certus.compat.trec_eval import per_query
from certus.errors import DataError, MetricNameError, options_for
from certus.inference import paired, tukey_hsd
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import Metric
from certus.metrics.names import spelled_by
from certus.metrics.spellings import RANX
from certus.spelling import suggestion
from certus.statistic.common import whole

__all__ = ["compare", "evaluate", "metric_names"]


Nested: TypeAlias = Mapping[str, Mapping[str, Any]]
_NAMES = (
    *("hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map", "dcg", "dcg_burges", "ndcg"),
    *("ndcg_burges", "bpref"),
)
_MOST_DIGITS = 17
_NO_CUTOFF = re.compile(r"@0(?=-l|\Z)")
"""In ranx a cutoff of 0 is none."""


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
    judged, found = Qrels.of(qrels), Run.of(run)
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
        There is none, or one is not text.
    """
    given: Any = metrics
    if not isinstance(given, Iterable):
        raise MetricNameError(
            f"is {given!r}", "it must be a name such as 'ndcg@10', or a list of names", argument="metrics"
        )
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if not isinstance(name, str):
            raise MetricNameError(f"holds {name!r}", "each must be a name such as 'ndcg@10'", argument="metrics")
    if not names:
        raise MetricNameError("is empty", "name at least one, such as 'ndcg@10'", argument="metrics")
    return names


def _metric(name: str) -> Metric:
    text = _NO_CUTOFF.sub("", name.replace("rbp@", "rbp."))
    if text.startswith(("dcg", "ndcg")):
        text = text.removesuffix("-l0")  # documents of grade 0 gain nothing
    found = spelled_by(RANX.name, text)
    if found is None:
        names = (
            f"its names are {', '.join(_NAMES)} and rbp with its persistence, as in rbp.95, with a cutoff as in "
            "ndcg@10 and a least relevant grade, 0 or more, as in map-l2"
        )
        raise MetricNameError(f"ranx has no metric named {name!r}", suggestion(name, _NAMES, names))
    return found


def _scores(metrics: Mapping[str, Metric], qrels: Qrels, run: Run) -> dict[str, Floats]:
    """The values of queries, in their order; 0 for a query without judgments."""
    if qrels.keys() != run.keys():
        alone = [f"{len(mine - theirs)} in {name} alone" for name, mine, theirs in _sides(qrels, run) if mine - theirs]
        raise _QueriesError(
            f"qrels and run have different queries: {', '.join(alone)}",
            "make_comparable=True gives those that the run lacks an empty list and leaves out those without judgments",
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


def compare(
    qrels: Qrels,
    runs: Sequence[Run],
    metrics: list[str] | str,
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
) -> Report:
    """Evaluate several runs and test each pair of them.

    Parameters
    ----------
    qrels, runs, metrics, make_comparable
        As for `evaluate`. A run without a name is called ``run_1``, ``run_2`` and so on.
    stat_test
        ``"student"``: the paired t-test. ``"fisher"``: the permutation test of paired differences, exact or nearly so.
        ``"tukey"``: the randomised Tukey HSD test, whose p-values are adjusted for the number of pairs. Those of the
        others are not, as in ranx; `certus.compare` does.
    n_permutations, random_seed
        Of ``"tukey"``, where there are too many permutations to list. ``"fisher"`` needs neither.
    max_p
        p-value up to which a difference is marked.
    threads
        Without effect: the numbers are the same for any number of threads.
    rounding_digits, show_percentages
        How the table prints values.

    Raises
    ------
    ValueError
        There is no such test or metric, an argument is of another kind, two runs have one name, or the data cannot be
        evaluated.
    AssertionError
        The queries of judgments and a run differ.

    Examples
    --------
    >>> qrels = Qrels({f"q{i}": {"d1": 1} for i in range(8)})
    >>> better = Run({f"q{i}": {"d1": 2, "d2": i % 3} for i in range(8)}, "better")
    >>> worse = Run({f"q{i}": {"d1": 2, "d2": 3 + i % 2, "d3": 4 * (i % 2)} for i in range(8)}, "worse")
    >>> compare(qrels, [better, worse], ["mrr", "map@1"])
    #    Model    MRR     MAP@1
    ---  -------  ------  -------
    a    better   0.875ᵇ  0.750ᵇ
    b    worse    0.417   0.000
    """
    if stat_test not in TESTS:
        remedy = suggestion(stat_test, TESTS, f"it must be one of {', '.join(TESTS)}")
        raise MetricNameError(f"is {stat_test!r}", remedy, argument="stat_test")
    names = metric_names(metrics)
    qrels, runs = Qrels.of(qrels), _runs(runs)
    if not _is_share(max_p):
        raise DataError(f"is {max_p!r}", "it must be a number from 0 to 1", argument="max_p")
    whole(rounding_digits, "rounding_digits", most=_MOST_DIGITS)
    models = [run.name if run.name is not None else f"run_{place}" for place, run in enumerate(runs, 1)]
    if len(set(models)) < len(models):
        twice = next(name for name in models if models.count(name) > 1)
        raise DataError(f"two runs are called {twice!r}", "give each a name of its own")
    scores: dict[str, dict[str, Floats]] = {}
    for model, run in zip(models, runs, strict=True):
        found = evaluate(qrels, run, names, return_mean=False, threads=threads, make_comparable=make_comparable)
        scores[model] = {names[0]: found} if len(names) == 1 else found
    comparisons = Comparisons()
    for metric in names:
        columns = [scores[model][metric] for model in models]
        for pair, p in _p_values(columns, stat_test, n_permutations, random_seed).items():
            first, second = (models[place] for place in pair)
            comparisons.setdefault((first, second), {})[metric] = {"p_value": p, "significant": bool(p <= max_p)}
    return Report(
        model_names=models,
        results={model: {metric: float(np.mean(scores[model][metric])) for metric in names} for model in models},
        comparisons=comparisons,
        metrics=names,
        max_p=max_p,
        win_tie_loss=_outcomes(models, names, scores),
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test,
    )


def _is_share(given: Any) -> bool:
    return isinstance(given, Real) and 0 <= float(given) <= 1


def _runs(given: Any) -> list[Run]:
    if isinstance(given, Run | str | Mapping) or not isinstance(given, Iterable):
        raise DataError("is one run or none", "give a list of Run", argument="runs")
    runs = list(given)
    if not runs:
        raise DataError("is empty", "give at least one Run", argument="runs")
    for place, run in enumerate(runs):
        if not isinstance(run, Run):
            raise DataError(
                f"is a {type(run).__name__}",
                "make it a Run, which has a name: Run({...}, 'bm25')",
                argument="runs",
                subject=f"runs[{place}]",
            )
    return runs


def _p_values(columns: Sequence[Floats], test: str, replicates: int, seed: int) -> dict[tuple[int, int], float]:
    pairs = list(combinations(range(len(columns)), 2))
    if test == "tukey" and pairs:
        with options_for({"replicates": "n_permutations", "seed": "random_seed"}):
            table = tukey_hsd(np.column_stack(columns), replicates=replicates, seed=seed).p
        return {pair: float(table[pair]) for pair in pairs}
    name: Literal["t", "permutation"] = "t" if test == "student" else "permutation"
    return {(a, b): paired(columns[a], columns[b], test=name).p for a, b in pairs}


def _outcomes(
    models: list[str], metrics: list[str], scores: dict[str, dict[str, Floats]]
) -> dict[tuple[str, str], dict[str, dict[str, int]]]:
    """Queries on which the first system wins, ties and loses, of each ordered pair."""

    def counts(a: Floats, b: Floats) -> dict[str, int]:
        return {"W": int((a > b).sum()), "T": int((a == b).sum()), "L": int((a < b).sum())}

    return {
        (first, second): {metric: counts(scores[first][metric], scores[second][metric]) for metric in metrics}
        for first in models
        for second in models
        if first != second
    }
