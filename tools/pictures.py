"""The pictures of the guides and of the gallery: each function draws one, and its code is what the gallery shows."""

import csv
from importlib.resources import files
from typing import Any

import certus
from certus import agreement, audit, chance, classification, inference, plot, ranking

__all__ = ["GALLERY"]

demo = files("certus") / "demo"
rows = list(csv.DictReader((demo / "predictions.csv").read_text().splitlines()))
truth = [row["truth"] for row in rows]
predicted = [row["prediction"] for row in rows]
score = [float(row["score"]) for row in rows]
qrels = demo / "qrels.txt.gz"
runs = {name: demo / f"{name}.run.gz" for name in ("bm25", "tfidf", "names")}


def roc() -> Any:
    """ROC curve with its pointwise band, and its AUC."""
    return classification.roc_curve(truth, score, pos_label="type").plot()


def roc_simultaneous() -> Any:
    """ROC curve with a band for the whole curve."""
    return classification.roc_curve(truth, score, pos_label="type").plot(band="simultaneous")


def precision_recall() -> Any:
    """Precision-recall curve with lines of equal F1."""
    return classification.precision_recall_curve(truth, score, pos_label="type").plot()


def det() -> Any:
    """Detection error trade-off on normal deviate axes."""
    return classification.det_curve(truth, score, pos_label="type").plot()


def gain() -> Any:
    """Cumulative gain (cumulative accuracy profile) between chance and a perfect classifier."""
    return classification.gain_curve(truth, score, pos_label="type").plot()


def lift() -> Any:
    """Lift between chance and a perfect classifier."""
    return classification.lift_curve(truth, score, pos_label="type").plot()


def calibration() -> Any:
    """Calibration curve: the share that came true in each bin, with its interval."""
    return classification.calibration_curve(truth, score, pos_label="type", n_bins=10).plot()


def confusion_matrix() -> Any:
    """Confusion matrix: counts, and the share of each true class with its interval."""
    return classification.confusion_matrix(truth, predicted).plot()


def estimates() -> Any:
    """The value of each class with its interval."""
    return classification.f1(truth, predicted, average=None).plot()


def roc_points() -> Any:
    """Classifiers without scores in ROC space; one below the diagonal also mirrored."""
    return plot.roc_points({"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24)})


def gini() -> Any:
    """The areas whose shares are the Gini coefficient."""
    return classification.roc_curve(truth, score, pos_label="type").plot_gini()


def calibration_of_models() -> Any:
    """Calibration of two models in one picture."""
    sharper = {"as it is": score, "sharpened": [p**2 / (p**2 + (1 - p) ** 2) for p in score]}
    return certus.evaluate(truth, sharper, "AUC", pos_label="type").plot("calibration")


def subgroups() -> Any:
    """Values of subgroups with their intervals, beside all samples together and the largest gap."""
    large = ("posix", "builtins", "distutils", "curses", "email", "inspect")
    package = [row["package"] if row["package"] in large else "others" for row in rows]
    return certus.evaluate(truth, predicted, "Accuracy", by=package).plot()


def values() -> Any:
    """Values of several systems with their intervals."""
    return certus.evaluate(qrels, runs, "nDCG@10").plot()


def per_query() -> Any:
    """Values of three runs on twelve queries."""
    some = dict(list(certus.read_qrels(str(qrels)).to_dict().items())[:12])
    return certus.evaluate(some, runs, "nDCG@10", per_query=True).plot("per-query")


def estimate() -> Any:
    """A mean with its interval, before the values of the queries that it is the mean of."""
    return ranking.average_precision(qrels, runs["bm25"]).plot()


def rank_correlation() -> Any:
    """A rank correlation with its interval: two runs on the queries that both answer."""
    table = certus.evaluate(qrels, runs, "AP", per_query=True)
    one, other = (table.values("AP", run) for run in ("bm25", "tfidf"))
    return agreement.kendall_tau(list(one.values()), [other[query] for query in one]).plot()


def gains() -> Any:
    """Gain of each query against its relevant documents."""
    return certus.evaluate(qrels, runs).plot("gains")


def ndcg_by_rank() -> Any:
    """Mean nDCG of three runs by rank, with intervals."""
    return certus.evaluate(qrels, runs).plot("ndcg")


def unjudged() -> Any:
    """Share of unjudged documents by rank."""
    return certus.evaluate(qrels, runs).plot("unjudged")


def compare_ranks() -> Any:
    """Ranks that no significant difference rules out."""
    return certus.compare(qrels, runs, "nDCG@10").plot("ranks")


def metric_curve() -> Any:
    """Cumulative gain, DCG and ideal DCG by rank, with nDCG on an axis on the right."""
    grades = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
    pages = {"abc": ["u1", "u2", "u3", "u4", "u5"]}
    names = [f"{name}(gain='exp')" for name in ("CG", "DCG", "IdealDCG", "nDCG")]
    return ranking.metric_curve(grades, pages, names, at=range(1, 6)).plot()


def precision_recall_mean() -> Any:
    """Mean precision of three runs by recall, with intervals."""
    axes = None
    for name, run in runs.items():
        axes = ranking.precision_recall_curve(qrels, run).plot(axes, label=name)
    return axes


def hits_by_rank() -> Any:
    """The rank of each hit of a hit list, with the line of least squares."""
    return certus.HitList("x-x-x-xx").plot()


def hit_list_precision() -> Any:
    """Precision at recall, whose area is average precision."""
    return certus.HitList("-x-xx-").plot_area()


def hit_list_cutoffs() -> Any:
    """AP@K at every rank K, by each of its denominators."""
    return certus.HitList("x---x").plot_average_precision_at()


def all_hit_lists() -> Any:
    """Scores of all hit lists with two hits, by length."""
    return certus.HitList.plot_scores(2, range(2, 11))


def compare_differences() -> Any:
    """Differences to a baseline with their intervals and verdicts, a margin shaded."""
    return certus.compare(qrels, runs, "nDCG@10", baseline="bm25", margin=0.01).plot()


def compare_units() -> Any:
    """Differences on single queries, largest first."""
    return certus.compare(qrels, runs, "nDCG@10", baseline="bm25", margin=0.01).plot("units")


def compare_matrix() -> Any:
    """Differences of all pairs of systems, the best system first."""
    return certus.compare(qrels, runs, "nDCG@10").plot("matrix")


def compare_critical_difference() -> Any:
    """Systems by their values, joined if they do not differ significantly."""
    return certus.compare(qrels, runs, "nDCG@10").plot("critical-difference")


def paired_difference() -> Any:
    """The difference of two systems on the same queries, with its interval."""
    values = certus.compare(qrels, runs, "nDCG@10", baseline="bm25").per_unit["nDCG@10"]
    return inference.paired(values["tfidf"], values["bm25"]).plot()


def ratio() -> Any:
    """The ratio of two shares, with its interval."""
    guess = ["type" if value >= 0.4 else "function" for value in score]
    old, new = (classification.recall(truth, labels, pos_label="type") for labels in (predicted, guess))
    return inference.ratio(new, old).plot()


def power() -> Any:
    """Power by the number of queries, from the differences of a pilot."""
    pilot = certus.compare(qrels, runs, "nDCG@10", baseline="bm25")
    values = pilot.per_unit["nDCG@10"]
    return inference.power_curve(values["bm25"] - values["tfidf"], effect=0.02).plot()


def chance_law() -> Any:
    """The law of average precision of a random ranking, and the tail from an observed value."""
    law = chance.average_precision(1000, 100)
    title = "items 1000, relevant 100"
    return law.plot(observed=0.132, digits=3, xlabel="AP of a random ranking", title=title)


def versus_chance() -> Any:
    """The AUC of a classifier beside what random scores give."""
    labels, scores = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    return classification.roc_auc(labels, scores).versus_chance().plot()


def audit_law() -> Any:
    """The law of the hits among all positives when half of them were checked, the interval shaded."""
    return audit.recall_precision(positives=1000, checked=500, hits=400, predicted=10000).plot()


def audit_strata() -> Any:
    """Recall, precision, F1 and elusion from samples of the retrieved and of the discarded items."""
    return audit.two_samples(
        retrieved=900, retrieved_checked=90, retrieved_hits=60, discarded=20000, discarded_checked=400, discarded_hits=3
    ).plot()


def bayesian() -> Any:
    """Posterior laws of precision and recall, intervals shaded."""
    found = inference.posteriors(90, 10, 20)
    return found.recall.plot(found.precision.plot())


def f1_posterior() -> Any:
    """Posterior law of F1, its interval shaded."""
    return inference.posteriors(90, 10, 20).f().plot()


GALLERY = {
    "Classifiers": (
        *(roc, roc_simultaneous, precision_recall, det, gain, lift),
        *(calibration, calibration_of_models, confusion_matrix, estimates, roc_points, gini, subgroups),
    ),
    "Rankings": (
        *(metric_curve, precision_recall_mean, ndcg_by_rank, unjudged),
        *(estimate, values, per_query, gains, rank_correlation),
    ),
    "Hit lists": (hits_by_rank, hit_list_precision, hit_list_cutoffs, all_hit_lists),
    "Comparisons": (
        compare_differences,
        compare_units,
        compare_matrix,
        compare_critical_difference,
        compare_ranks,
        paired_difference,
        ratio,
        power,
    ),
    "Chance, samples and posteriors": (chance_law, versus_chance, audit_law, audit_strata, bayesian, f1_posterior),
}
"""The pictures by the headings of the gallery."""
