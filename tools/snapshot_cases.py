"""The cases of `snapshot`: every metric, interval method, law under chance, test and comparison, on fixed data."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from snapshot_data import CONVENTIONS, DATA, NEEDED, TRIED, N, judged_runs, random_of

import certus
from certus import Metric, agreement, audit, chance, classification, inference

__all__ = ["SECTIONS", "Case"]

Case = Callable[[], Any]
Cases = Iterator[tuple[str, Case]]

TASKS = ("classification", "multilabel", "regression", "clustering", "efficiency", "values", "ranking")


def metrics_of(task: str) -> list[Metric]:
    """Every metric of a task's public module, by name."""
    face = getattr(certus, task)
    found = {str(each): each for name in dir(face) if isinstance(each := getattr(face, name), Metric)}
    return [_ready(found[name]) for name in sorted(found)]


def _ready(metric: Metric) -> Metric:
    needed = [name for name in metric.parameters if name not in metric.conventions]
    return metric.using(**{name: NEEDED[name] for name in needed})


def variants(metric: Metric) -> list[tuple[str, dict[str, Any]]]:
    """The metric's parameters one by one with other values, and every average with 0/0 counted in two ways."""
    one = [{name: value} for name in metric.parameters for value in TRIED.get(name, ())]
    two = []
    if {"average", "undefined"} <= set(metric.parameters):
        two = [
            {"average": average, "undefined": number}
            for average, number in itertools.product(TRIED["average"], ("skip", 0.5))
        ]
    return [(",".join(f"{name}={value!r}" for name, value in each.items()), each) for each in ({}, *one, *two)]


def _case(function: Any, *given: Any, **keywords: Any) -> Case:
    """A call to be made; any names of methods will do, those that certus refuses too."""
    return partial(function, *given, **keywords)


def _called(metric: Metric, data: tuple[Any, ...], parameters: dict[str, Any], conventions: dict[str, Any]) -> Any:
    return metric.using(**parameters)(*data, **conventions)


def metrics() -> Cases:
    """Every metric with every value of its parameters on all data of its task, and with every convention."""
    for task in TASKS:
        for metric in metrics_of(task):
            for name, data in DATA[task].items():
                for text, parameters in variants(metric):
                    yield f"{task} {metric}, {text} of {name}", _case(_called, metric, data, parameters, {})
                for how, given in CONVENTIONS[task].items():
                    averages = (
                        TRIED["average"] if "average" in metric.parameters and how == "weights and groups" else ()
                    )
                    for parameters in ({}, *({"average": average} for average in averages)):
                        yield (
                            f"{task} {metric}, {parameters} of {name} with {how}",
                            _case(_called, metric, data, parameters, given),
                        )


def intervals() -> Cases:
    """Every interval method of every metric, and of a bare proportion, mean, F1 and folds."""
    for task in TASKS:
        for metric in metrics_of(task):
            for name, data in DATA[task].items():
                yield f"{task} {metric} of {name}", _case(_intervals, metric, data)
    for counts, level in itertools.product(((0, 10), (3, 10), (10, 10), (450, 1000)), (0.5, 0.95, 0.999)):
        for method in PROPORTION:
            yield f"{counts} {method} {level}", _case(inference.proportion_interval, *counts, level, method)
    for method in ("goutte-gaussier", "wilson", "clopper-pearson"):
        yield f"F1 {method}", _case(inference.f1_interval, 8, 2, 3, method=method)
    values = random_of(2).beta(2, 3, 20)
    for method in ("t", "hall", "beta-moments", "normal", "percentile", "bca", "bootstrap-t"):
        yield f"mean {method}", _case(inference.mean_interval, values, method=method, bounds=(0, 1), replicates=999)
    for given in ({"test_fraction": 0.1}, {"train_sizes": [90] * 20, "test_sizes": [10] * 20}):
        yield f"folds {sorted(given)}", _case(inference.from_folds, values, **given)


PROPORTION = ("wilson", "modified-wilson", "clopper-pearson", "jeffreys", "agresti-coull", "mid-p", "blaker", "wald")


def _intervals(metric: Metric, data: tuple[Any, ...]) -> dict[str, Any]:
    estimate = metric(*data)
    found: dict[str, Any] = {}
    for method in estimate.methods:
        try:
            found[method] = tuple(estimate.interval(0.9, method, replicates=99, seed=3)[:2])
        except certus.CertusError as error:
            found[method] = type(error).__name__
    return found


def _law(law: chance.Distribution) -> dict[str, Any]:
    low, high = law.support()
    points = [low, *(law.ppf(q) for q in (0.01, 0.5, 0.99)), low + (high - low) / 3, high]
    facts = {name: getattr(law, name)() for name in ("mean", "var", "std", "skewness", "kurtosis")}
    at = {name: [getattr(law, name)(x) for x in points] for name in ("tail", "sf", "cdf", "pmf", "logsf", "logtail")}
    quantiles = {name: [getattr(law, name)(q) for q in (1e-6, 0.3, 0.975)] for name in ("ppf", "isf")}
    how = {"law": law.method, "exact": law.exact, "support": (low, high), "interval": law.interval(0.9)}
    return {**how, **facts, **at, **quantiles, "rvs": law.rvs(3, seed=1)}


def _named_law(name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    return _law(getattr(chance, name)(*given, **keywords))


def _against_chance(metric: Metric, data: tuple[Any, ...]) -> Any:
    return metric(*data).versus_chance(replicates=200)


def _mean_of(*laws: chance.Distribution, **keywords: Any) -> dict[str, Any]:
    return _law(chance.mean_of(laws, **keywords))


def laws() -> Cases:
    """Every law under chance, and every metric against chance."""
    grades = {0: 20, 1: 6, 2: 3, 3: 1}
    small, large = chance.average_precision(12, 4), chance.average_precision(400, 30)
    made: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("auc", (5, 7), {}),
        ("auc", (300, 200), {}),
        ("auc", (5, 7, [3, 4, 1, 4]), {}),
        ("average_precision", (12, 4), {}),
        ("average_precision", (12, 4, 5, "min"), {}),
        ("average_precision", (30, 6, 10, "hits"), {}),
        ("average_precision", (400, 30), {}),
        ("average_precision", (20, 5), {"total": 8, "ties": [4, 1, 10, 5], "tied": "together"}),
        ("bpref", (), {"relevant": 6, "nonrelevant": 14}),
        ("dcg", ({0: 9, 1: 3, 2: 2},), {}),
        ("dcg", (grades, 10, "exp"), {}),
        ("ndcg", (grades, 10), {}),
        ("ndcg", ({0: 300, 1: 20, 2: 10}, 20), {}),
        ("hits", (40, 9, 12), {}),
        ("precision", (40, 9, 12), {}),
        ("recall", (40, 9, 12), {}),
        ("r_precision", (40, 9), {}),
        ("success", (40, 9, 3), {}),
        ("rbp", (20, 5, 0.8), {}),
        ("rbp", (200, 12, 0.95, 20), {}),
        ("reciprocal_rank", (40, 9, 10), {}),
        ("hit_rank", (40, 9, 3), {}),
        ("list_score", (10, 4), {}),
    ]
    for name, given, keywords in made:
        yield f"{name} {given} {keywords}", _case(_named_law, name, given, keywords)
    yield "mean of two", _case(_mean_of, small, small)
    yield "mean of weighted", _case(_mean_of, small, chance.rbp(20, 5, 0.8), weights=[1.0, 3.0])
    yield "mean of many", _case(_mean_of, *[small] * 20, large)
    for task in ("ranking", "classification"):
        for metric, (name, data) in itertools.product(metrics_of(task), DATA[task].items()):
            if task == "ranking" or name in ("scores", "probabilities"):
                yield (
                    f"{task} {metric} of {name} against chance",
                    _case(_against_chance, metric, data),
                )
    one = certus.HitList("xx--x---x")
    for name in ("average_precision", "hit_function", "percentile", "precision", "recall", "score"):
        yield f"hit list {name}", _case(getattr(one, name))
    yield "hit list contingency", lambda: one.contingency(20)
    yield "hit list standing", lambda: str(one.standing())


def tests() -> Cases:
    """Every test of two or more systems on bare values, and what is planned from a pilot."""
    random = random_of(13)
    a, b = random.beta(4, 3, (2, 18))
    a = np.round(a + 0.05, 2)
    b = np.round(b, 2)
    groups = np.arange(18) // 2
    sides = ("two-sided", "greater", "less")
    methods = (None, "permutation", "t", "bootstrap-t", "wilcoxon", "sign")
    for method, side in itertools.product(methods, sides):
        yield f"paired {method} {side}", _case(inference.paired, a, b, method, side, replicates=999)
        yield (
            f"paired groups {method} {side}",
            _case(inference.paired, a, b, method, side, groups=groups, replicates=999),
        )
    long = random.normal(0.05, 1.0, (2, 300))
    for method in methods:
        yield f"paired, 300 units, {method}", _case(inference.paired, *long, method, replicates=999)
    for counts, method in itertools.product(((9, 1), (0, 0), (40, 22)), ("exact", "mid-p", "chi2")):
        yield f"mcnemar {counts} {method}", _case(inference.mcnemar, *counts, method)
    truth, score = np.arange(30) % 2, random.normal(size=(2, 30))
    for metric in ("roc_auc", "average_precision"):
        yield f"paired scores {metric}", _case(inference.paired_scores, truth, truth + score[0], score[1], metric)
    apart = np.round(random.normal(0.2, 1, (16, 4)), 3)
    for statistic, method, side in itertools.product(("t", "mean"), ("step-down", "single-step"), sides):
        yield (
            f"max-t {statistic} {method} {side}",
            _case(inference.max_t, apart, alternative=side, statistic=statistic, correction=method, replicates=999),
        )
    yield "tukey", _case(inference.tukey_hsd, apart, replicates=999)
    found = inference.paired(a, b)
    for method in ("permutation", "t"):
        yield f"equivalence {method}", _case(inference.equivalence, found, 0.1, test=method)
    yield "rope", _case(inference.rope, found, 0.02)
    for method in ("holm", "hochberg", "bonferroni", "bh", "by", "none"):
        yield f"adjust {method}", _case(inference.adjust, [0.01, 0.04, 0.03, 0.2, 1.0], method)
    yield "dirichlet", lambda: [inference.dirichlet_superiority(*each) for each in ((3, 1), (10, 12, 4))]
    yield "F1 superiority", lambda: inference.f1_superiority((90, 10, 10), (80, 20, 20))
    pilot = a - b
    for method in ("t", "simulated-t", "simulated-permutation"):
        keywords: dict[str, Any] = {"test": method, "replicates": 200}
        yield f"power {method}", _case(inference.power, pilot, effect=0.1, n=30, **keywords)
        yield f"units {method}", _case(inference.units_needed, pilot, effect=0.1, **keywords)
        yield f"detectable {method}", _case(inference.minimum_detectable, pilot, n=30, **keywords)
    yield (
        "agreement",
        lambda: [
            agreement.kendall_tau(a, b),
            agreement.spearman(a, b),
            agreement.tau_ap(a, b, ties="a"),
            agreement.rbo(list("abcdef"), list("bacfgh"), p=0.9),
        ],
    )
    for method in ("posterior", "hpd", "blaker", "amo", "wang", "mid-p", "wilson-fpc", "beta", "clopper-pearson"):
        yield (
            f"audit {method}",
            _case(audit.recall_precision, positives=1000, checked=500, hits=400, predicted=10000, interval=method),
        )
    yield "audit strata", lambda: audit.strata([audit.Stratum(1000, 100, 80), audit.Stratum(9000, 300, 10, False)])
    for name in ("roc_curve", "precision_recall_curve", "det_curve", "gain_curve", "lift_curve", "best_threshold"):
        yield name, _case(getattr(classification, name), *DATA["classification"]["scores"])
    yield "calibration", _case(classification.calibration_curve, *DATA["classification"]["probabilities"])


def _compared(*data: Any, **keywords: Any) -> Any:
    return [row.to_dict() for row in certus.compare(*data, replicates=500, **keywords)]


def comparisons() -> Cases:
    """Every metric of three systems, each test, correction and margin."""
    random, qrels, runs = random_of(17), *judged_runs()
    for metric in metrics_of("ranking"):
        yield f"ranking {metric}", _case(_compared, qrels, runs, metric)
    for task in ("classification", "multilabel", "regression", "clustering"):
        for name, (truth, given) in DATA[task].items():
            other = given[random.permutation(N)]
            third = np.where(np.reshape(random.random(N) < 0.5, (N, *[1] * (np.ndim(given) - 1))), given, other)
            for metric in metrics_of(task):
                for how, keywords in (("", {}), ("groups", {"groups": np.arange(N) // 3})):
                    yield (
                        f"{task} {metric} of {name} {how}",
                        _case(_compared, truth, {"a": given, "b": third}, metric, **keywords),
                    )
    options: list[dict[str, Any]] = [
        *({"test": test} for test in ("permutation", "t", "bootstrap-t", "wilcoxon", "sign")),
        *(
            {"correction": name}
            for name in ("holm", "hochberg", "bonferroni", "bh", "by", "none", "max-t", "tukey-hsd")
        ),
        *({"alternative": side, "baseline": "one"} for side in ("greater", "less")),
        {"simultaneous": True},
        {"margin": 0.05},
        {"queries": "judged"},
        {"ties": "average"},
        {"interval": "percentile", "level": 0.8},
    ]
    for keywords in options:
        yield f"runs {keywords}", _case(_compared, qrels, runs, ["AP", "nDCG@10", "GMAP"], **keywords)
    values = {name: random.gamma(2.0, size=20) for name in "abc"}
    yield "values", _case(_compared, None, values, "MAE")
    yield "values in groups", _case(_compared, None, values, groups=np.arange(20) // 2, weights=np.arange(20) + 1.0)


SECTIONS: dict[str, Callable[[], Cases]] = {
    "metrics": metrics,
    "intervals": intervals,
    "laws": laws,
    "tests": tests,
    "comparisons": comparisons,
}
