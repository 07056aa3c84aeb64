"""``certus metrics`` finds what texts call by words, as the reference documents of issue 16 do."""

from pathlib import Path

import pytest
from in_a_row import in_a_row

from certus import MetricNameError, tasks
from certus.cli.app import run
from certus.metrics import declared, parse
from certus.metrics.names import task_of

NAMES = {
    # Zhang & Su (2012)
    "recall": "R",
    "precision": "P",
    "average precision": "AP",
    "average precision (AP)": "AP",
    "F-score": "F1",
    # the note on a checked sample
    "召回率": "Recall",
    "精确率": "Precision",
    # the overview of measures
    "Average precision score": "AP",
    "F1": "F",
    "F_beta": "Fbeta",
    "F1 measure": "F1",
    "F2": "F(beta=2)",
    "F0.5": "F(beta=0.5)",
    "F-measure": "F",
    "True-positive rate": "Recall",
    "False-positive rate": "FPR",
    "AUC": "AUC",
    "Area under curve": "AUC",
    "gini": "Gini",
    "Log loss": "LogLoss",
    "Logistic regression loss": "LogLoss",
    "Cross-entropy loss": "LogLoss",
    "Hinge loss": "Hinge",
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
    "response time": "MeanLatency",
    "space": "MeanSpace",
    "rate of updating": "UpdateRate",
    "查全率": "R",
    "查准率": "P",
    "E": "E",
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
    "Bpref": "bpref",
    "Binary preference": "bpref",
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
    "ap@K": "AP",
}
"""Names as the documents print them, and what the answer's first line names."""
OTHERS = (
    "hit function",
    "hit list",
    "TP",
    "confusion matrix",
    "budget",
    "recall-precision curve",
    "random selection",
    "置信区间",
    "Precision-Recall Curve",
    "ROC",
    "receiver operating characteristic curve",
    "error matrix",
    "Efficiency",
    "Effectiveness",
    "Pooling",
    "P-R曲线",
    "discounting factor",
    "Macro Average",
    "Micro Average",
    "score s",
    "delta",
)
"""Words of the documents that are no metrics."""


@in_a_row("name", NAMES)
def test_a_name_of_the_documents_is_found(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metrics", name]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    words = first.replace(",", " ").split()
    assert NAMES[name] in words or (len(NAMES[name]) > 4 and NAMES[name] in first), first


def test_words_of_a_metric_are_those_of_no_other_and_no_other_s_name() -> None:
    for task in tasks.names():
        metrics = declared(task)
        words = [word.casefold() for metric in metrics for word in metric.words]
        assert len(words) == len(set(words))
        for metric in metrics:
            for word in metric.words:
                name = "_".join(word.split())
                if task_of(name, [task]):
                    with pytest.raises(MetricNameError):  # a measure of a tool that is another
                        parse(name, task=task)


def test_words_are_searched_in_the_task_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metrics", "mean squared error"]) == 0
    assert capsys.readouterr().out.startswith("MSE")
    assert run(["metrics", "nothing of the kind"]) == 2
    assert run(["metrics", "--task", "regression", "查全率"]) == 2
    assert run(["metrics", "--task", "ranking", "查全率"]) == 0


def test_what_is_no_metric_is_in_the_glossary() -> None:
    glossary = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8").casefold()
    assert [word for word in OTHERS if word.casefold() not in glossary] == []
