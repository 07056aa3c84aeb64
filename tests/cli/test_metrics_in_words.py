"""``certus metrics`` finds what texts call by words, as the reference documents of issue 16 do."""

import pytest
from in_a_row import in_a_row

from certus import MetricNameError, tasks
from certus.cli._phrases import _METRICS, folded, phrase
from certus.cli.app import run
from certus.metrics import parse
from certus.metrics.names import task_of

NAMES = {
    # Zhang & Su (2012)
    "recall": "R",
    "precision": "P",
    "average precision": "AP",
    "average precision (AP)": "AP",
    "hit function": "certus.HitList",
    "hit list": "certus.HitList",
    "TP": "confusion_matrix",
    "confusion matrix": "confusion_matrix",
    "budget": "--budget",
    "recall-precision curve": "certus curve",
    "F-score": "F1",
    "random selection": "certus chance",
    # the note on a checked sample
    "召回率": "Recall",
    "精确率": "Precision",
    "置信区间": "certus audit",
    # the overview of measures
    "Precision-Recall Curve": "certus curve",
    "Average precision score": "AP",
    "F1": "F",
    "F_beta": "Fbeta",
    "F1 measure": "F1",
    "F2": "F(beta=2)",
    "F0.5": "F(beta=0.5)",
    "F-measure": "F",
    "ROC": "roc_curve",
    "receiver operating characteristic curve": "roc_curve",
    "True-positive rate": "Recall",
    "False-positive rate": "FPR",
    "AUC": "AUC",
    "Area under curve": "AUC",
    "gini": "Gini",
    "Log loss": "LogLoss",
    "Logistic regression loss": "LogLoss",
    "Cross-entropy loss": "LogLoss",
    "Hinge loss": "Hinge",
    "error matrix": "confusion_matrix",
    "kappa": "kappa",
    "Cohen's kappa": "kappa",
    "Accuracy": "Accuracy",
    "Hamming Distance": "Hamming",
    "Jaccard similarity coefficients": "Jaccard",
    "Coverage error": "CoverageError",
    "Label ranking average precision": "LRAP",
    "LRAP": "LRAP",
    "Ranking loss": "RankingLoss",
    "MAE": "MAE",
    "Mean Absolute Error": "MAE",
    "l1-norm loss": "MAE",
    "MSE": "MSE",
    "Mean Squared Error": "MSE",
    "l2-norm loss": "MSE",
    "explained variance": "ExplainedVariance",
    "Coefficient of determination": "R2",
    "R^2": "R2",
    "Rand index": "Rand",
    "RI": "Rand",
    "Adjusted rand index": "ARI",
    "ARI": "ARI",
    "entropy": "Entropy",
    "Mutual Information": "MI",
    "MI": "MI",
    "Normalized mutual information": "NMI",
    "NMI": "NMI",
    "Adjusted mutual information": "AMI",
    "AMI": "AMI",
    "Silhouette coefficient": "Silhouette",
    "Efficiency": "--task efficiency",
    "Effectiveness": "--task ranking",
    "response time": "MeanLatency",
    "space": "MeanSpace",
    "rate of updating": "UpdateRate",
    "查全率": "R",
    "查准率": "P",
    "Pooling": "certus pool",
    "E": "E",
    "P-R曲线": "certus curve",
    "Break Point": "BEP",
    "11 point average precision": "11pt-AP",
    "Precision@N": "P",
    "P@10": "P@10",
    "P@20": "P@20",
    "NDCG": "nDCG",
    "Normalized Discounted Cumulative Gain": "nDCG",
    "Cumulative Gain": "CG",
    "DCG": "DCG",
    "Discounted Cumulative Gain": "DCG",
    "Max DCG": "IdealDCG",
    "discounting factor": "discount",
    "Bpref": "bpref",
    "Binary preference": "bpref",
    "Macro Average": "--average macro",
    "Micro Average": "MicroP",
    "Micro Precision": "MicroP",
    "MAP": "AP",
    "Mean Average Precision": "AP",
    "MRR": "RR",
    "Mean Reciprocal Rank": "RR",
    "RR": "RR",
    "GMAP": "GMAP",
    "Geometric MAP": "GMAP",
    "Coverage": "Coverage",
    "Novelty Ratio": "Novelty",
    "相对查全率": "RelativeRecall",
    "查全努力": "RecallEffort",
    "R-Precision": "Rprec",
    # Náufel, lists and rankings
    "revocação": "Recall",
    "precisão": "Precision",
    "score s": ".score()",
    "tpr": "Recall",
    "tpa": "Precision",
    "true positive accuracy": "Precision",
    "informedness": "Informedness",
    "markedness": "Markedness",
    # the note on average precision
    "precision@k": "P",
    "recall@k": "R",
    "k@recall": "k@recall",
    "precision@recall": "P@recall",
    "delta": "by_rank",
    "ap@K": "AP",
}
"""Names as the documents print them, and what the answer's first line names."""


@in_a_row("name", NAMES)
def test_a_name_of_the_documents_is_found(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metrics", name]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    words = first.replace(",", " ").split()
    assert NAMES[name] in words or (len(NAMES[name]) > 4 and NAMES[name] in first), first


def test_a_phrase_with_the_name_of_a_metric_is_that_metric() -> None:
    for words, meant in _METRICS.items():
        task, _, metric = meant.partition(" ")
        assert folded(words) == words
        assert parse(metric, task=task).task == task
        name = "_".join(words.split())
        if task_of(name, [task]):
            try:
                own = parse(name, task=task)
            except MetricNameError:
                continue  # refused for a parameter, or as a tool's measure that is another
            assert str(own) == str(parse(metric, task=task))


def test_no_word_elsewhere_hides_a_metric() -> None:
    from certus.cli._phrases import _ELSEWHERE

    hidden = [each for each in _ELSEWHERE if folded(each) != each or task_of("_".join(each.split()), tasks.names())]
    assert hidden == []


def test_spaces_are_underscores_and_what_nobody_listed_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metrics", "mean squared error"]) == 0
    assert capsys.readouterr().out.startswith("MSE")
    assert phrase("nothing of the kind") is None
    assert run(["metrics", "nothing of the kind"]) == 2
    assert run(["metrics", "--task", "regression", "查全率"]) == 2
