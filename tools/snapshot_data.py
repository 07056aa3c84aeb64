"""The data of `snapshot`: fixed samples, rankings and clusterings of every kind, and values of metrics' parameters."""

from typing import Any

import numpy as np

__all__ = ["CONVENTIONS", "DATA", "NEEDED", "TRIED", "N", "judged_runs", "random_of"]

N = 48
TRIED: dict[str, tuple[Any, ...]] = {
    "average": ("binary", "macro", "weighted", "micro", "samples", None),
    "undefined": ("nan", "skip", 0.0, 1.0, 0.5, -1.0),
    "cutoff": (1, 3, 10, 1000),
    "k": (1, 2, 3),
    "rel": (0, 1, 2, None),
    "gain": ("linear", "exp"),
    "gains": ({1: 3, 2: 9},),
    "multioutput": ("raw_values", "uniform_average", "variance_weighted", (0.25, 0.75)),
    "force_finite": (False, True),
    "alpha": (0.0, 0.1, 0.5, 0.9, 1.0),
    "beta": (0.0, 0.5, 1.0, 2.0),
    "q": (0.1, 0.5, 0.99),
    "p": (0.5, 0.95),
    "power": (-1.0, 0.0, 1.0, 1.5, 2.0, 3.0),
    "delta": (0.1, 1.0, 5.0),
    "recall": (0.0, 0.2, 0.5, 1.0),
    "precision": (0.2, 0.5, 0.9),
    "depth": (0.05, 0.1, 0.5),
    "weights": (None, "linear", "quadratic"),
    "interpolation": ("step", "trapezoid", "davis-goadrich", "11-point", "linear", "inverted_cdf", "weibull"),
    "prevalence": ("random", "fixed"),
    "max_fpr": (0.1, 0.5),
    "min_tpr": (0.5,),
    "partial": ("mcclish", "raw"),
    "multi_class": ("raise", "ovr", "ovo"),
    "adjusted": (False, True),
    "scale_by_half": (True, False, "auto"),
    "clip": (None, "auto", 0.01),
    "normalize": (True, False),
    "n_bins": (1, 5, 15),
    "strategy": ("uniform", "quantile", "equal-mass"),
    "norm": ("l1", "l2", "l2-debiased"),
    "confidence": ("auto", "positive", "top"),
    "multiclass": ("crammer-singer", "weston-watkins"),
    "prior": ("hand", "hand-anagnostopoulos", "hmeasure"),
    "one_sided": (False, True),
    "ties": ("last", "pessimistic", "optimistic", "average", "best", "worst", "whole", "half", "none"),
    "threshold": (None, 0.3),
    "average_method": ("arithmetic", "geometric", "min", "max"),
    "offset": (0, 1),
    "none_true": ("nan", "skip", 0.0, 1.0),
    "all_true": ("nan", "skip", 0.0, 1.0),
    "log_base": (2.0, 10.0),
    "ignore_ties": (False, True),
    "rounding": ("trec9", "trec10", "exact"),
    "denominator": ("relevant", "min", "hits", "mean", "sum"),
    "zeros": ("nan", "skip", "epsilon", "perfect"),
    "max_grade": (2, 4),
    "floor": (1e-5, 0.01),
    "known_grade": (1, 2),
    "wanted": (1, 2, None),
    "multiple": (0.5, 1.0, 2.0),
    "a": (2.0,),
    "b": (-0.5,),
    "c": (0.1,),
    "d": (0.2,),
    "collection": (1000,),
    "predictors": (None, 2),
    "ddof": (0, 1),
    "workers": (1, 4),
}
"""Values of metrics' parameters by name; a metric that refuses one is recorded as refusing it."""
NEEDED = {"beta": 2.0, "recall": 0.5, "precision": 0.5, "q": 0.5}
"""Values of parameters that have no default."""


def random_of(seed: int) -> np.random.Generator:
    """Random numbers that start from a seed."""
    return np.random.default_rng(seed)


def tables(random: np.random.Generator, labels: int) -> tuple[Any, Any]:
    true = (random.random((N, labels)) < 0.4).astype(int)
    return true, np.where(random.random((N, labels)) < 0.25, 1 - true, true)


def judged_runs() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Graded judgments and three runs with ties; a query without relevant documents, and one that no run has."""
    random = random_of(11)
    documents = [f"d{i:02}" for i in range(40)]
    qrels = {
        f"q{i:02}": {
            str(name): int(grade)
            for name, grade in zip(
                random.choice(documents, 18, replace=False), random.choice([-1, 0, 0, 1, 2, 3], 18), strict=True
            )
        }
        for i in range(14)
    }
    qrels["q05"] = dict.fromkeys(documents[:6], 0)
    runs = {
        system: {
            query: {
                name: round(quality * max(grades.get(name, 0), 0) + random.normal(), 1)
                for name in sorted(random.choice(documents, 25, replace=False).tolist())
            }
            for query, grades in qrels.items()
            if query != "q13"
        }
        for system, quality in (("one", 1.0), ("two", 0.6), ("three", 0.2))
    }
    return qrels, runs


def _data() -> dict[str, dict[str, tuple[Any, ...]]]:
    random = random_of(7)
    two, four = np.arange(N) % 2, np.arange(N) % 4
    names = np.array(["ant", "bee", "cow", "dog"])
    guess = np.where(random.random(N) < 0.7, four, random.integers(0, 4, N))
    score = np.round(two + random.normal(size=N), 1)
    likely = np.round(1 / (1 + np.exp(1 - 2 * two - random.normal(size=N))), 2)
    scores = np.round(np.eye(4)[four] + random.normal(size=(N, 4)), 1)
    shares = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    labels, predicted = tables(random, 5)
    grades = labels * random.integers(1, 4, labels.shape)
    ranked = np.round(labels + random.normal(size=labels.shape), 1)
    true = random.gamma(3.0, size=(N, 2))
    given = true * random.lognormal(0.05, 0.3, (N, 2))
    zeros = np.round(np.maximum(true[:, 0] - 2, 0), 1)
    points = random.normal(size=(N, 2)) + 2 * (four[:, np.newaxis] % 3)
    qrels, runs = judged_runs()
    return {
        "classification": {
            "two classes": (two, np.where(random.random(N) < 0.7, two, 1 - two)),
            "four classes": (names[four], names[guess]),
            "rare class": (np.where(np.arange(N) < 2, 2, two), np.where(np.arange(N) < 1, 2, two[::-1])),
            "perfect": (two, two),
            "one class": (np.zeros(N, dtype=int), two),
            "label sets": (labels, predicted),
            "scores": (two, score),
            "apart": (two, two + 0.001 * np.arange(N)),
            "probabilities": (two, likely),
            "class scores": (four, scores),
            "class probabilities": (four, shares),
            "label scores": (labels, ranked),
        },
        "multilabel": {
            "labels": (labels, predicted),
            "none and all": (np.where(np.arange(N)[:, np.newaxis] < 3, 0, labels), np.where(labels < 0, 1, predicted)),
            "scores": (labels, ranked),
            "grades": (grades, ranked),
        },
        "regression": {
            "positive": (true[:, 0], given[:, 0]),
            "signed": (true[:, 0] - 3, given[:, 0] - 3),
            "with zeros": (zeros, zeros + 0.5),
            "constant": (np.ones(N), given[:, 0]),
            "perfect": (true[:, 0], true[:, 0]),
            "two columns": (true, given),
        },
        "clustering": {
            "labels": (np.where(random.random(N) < 0.8, four, random.integers(0, 4, N)), names[guess]),
            "chance": (random.integers(0, 3, N), random.integers(0, 4, N)),
            "same": (four, four),
            "points": (points, four % 3),
        },
        "efficiency": {"seconds": (random.lognormal(size=N),), "two": ([1.0, 3.0],)},
        "values": {"numbers": (random.lognormal(size=N),), "shares": (random.random(N) < 0.7,)},
        "ranking": {name: (qrels, run) for name, run in runs.items()},
    }


def _conventions() -> dict[str, dict[str, dict[str, Any]]]:
    weights, groups = np.round(random_of(5).gamma(2.0, size=N), 2), np.arange(N) // 3
    samples: dict[str, dict[str, Any]] = {
        "weights": {"sample_weight": weights},
        "groups": {"groups": groups},
        "weights and groups": {"sample_weight": weights, "groups": groups},
    }
    return {
        "classification": {**samples, "pos_label": {"pos_label": 0}, "labels": {"labels": [1, 0]}},
        "multilabel": {**samples, "labels": {"labels": [3, 1]}},
        "regression": samples,
        "clustering": {"groups": {"groups": groups}, "manhattan": {"metric": "manhattan"}},
        "efficiency": {"groups": {"groups": groups}, "units": {"units": 10}},
        "values": {**samples, "repeats": {"ids": groups}},
        "ranking": {
            "judged": {"queries": "judged"},
            "input": {"ties": "input"},
            "average": {"ties": "average"},
            "range": {"ties": "range"},
            "remove": {"unjudged": "remove"},
            "bounds": {"unjudged": "bounds"},
        },
    }


DATA, CONVENTIONS = _data(), _conventions()
