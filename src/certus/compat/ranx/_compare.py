"""ranx's `compare`."""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from certus.arrays import Floats
from certus.compat.ranx._evaluate import evaluate, metric_names
from certus.compat.ranx._records import Qrels, Run
from certus.compat.ranx._report import TESTS, Comparisons, Report
from certus.errors import DataError, MetricNameError
from certus.inference import paired, tukey_hsd
from certus.spelling import suggestion

__all__ = ["compare"]


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
        There is no such test or metric, two runs have one name, or the data cannot be evaluated.
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
        near = suggestion(stat_test, TESTS)
        raise MetricNameError(f"stat_test is {stat_test!r}{near}; it must be one of {', '.join(TESTS)}")
    names = metric_names(metrics)
    models = [run.name if run.name is not None else f"run_{place}" for place, run in enumerate(runs, 1)]
    if len(set(models)) < len(models):
        twice = next(name for name in models if models.count(name) > 1)
        raise DataError(f"two runs are called {twice!r}; give each a name of its own")
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


def _p_values(columns: Sequence[Floats], test: str, replicates: int, seed: int) -> dict[tuple[int, int], float]:
    pairs = list(combinations(range(len(columns)), 2))
    if test == "tukey" and pairs:
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
