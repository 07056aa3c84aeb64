"""Classification: labels or scores of samples that have one of several classes each."""

from certus.core.lazy import later
from certus.tasks._task import GROUPS, THRESHOLD, WEIGHT, Argument, Task

__all__ = ["TASK"]

TASK = Task(
    name="classification",
    data=(
        Argument("y_true", "true labels", option="truth", holds="labels", looks=("text", "whole")),
        Argument("y_pred", "predicted labels", option="pred", holds="labels", predicted=True),
        Argument(
            "y_score",
            "scores of the positive class; or one column per class, named after it or as CLASS=COL",
            aliases=("y_prob",),
            option="score",
            several=True,
            by_class=True,
            predicted=True,
        ),
    ),
    conventions=(
        Argument("labels", "classes to average over, in this order", holds="list", idle="averages over the classes"),
        Argument(
            "pos_label",
            "the positive one of two classes (default: 1 or True)",
            option="positive",
            holds="label",
            idle="has a positive class",
        ),
        WEIGHT,
        GROUPS,
    ),
    options=(
        Argument("score_labels", "the classes of the columns of scores, in their order", option="", holds="list"),
        THRESHOLD,
        Argument(
            "budget",
            "predict as positive this number of the highest scores (of runs: in each query) and evaluate the labels",
            holds="number",
            several=True,
        ),
    ),
    needs=(("y_true", "y_pred"), ("y_true", "y_score")),
    usual=("Accuracy", "BalancedAccuracy", "MCC", "kappa", "AUC", "AP"),
    compared=("Accuracy", "MCC", "AUC", "AP"),
    metrics="certus.metrics.classification",
    about="averages over classes, 0/0, the positive class, weights and groups.",
    example="F1(average='macro') or TopK(k=5)",
    scored=True,
    samples=later("certus.tasks.classification.samples", "Classified"),
    prepare=later("certus.tasks.classification.samples", "prepare_data"),
    chance=later("certus.tasks.classification.samples", "versus_chance"),
    pair=later("certus.tasks.classification.comparison", "compare_classifiers"),
    both=later("certus.tasks.classification.comparison", "statistics_of"),
    decide=later("certus.tasks.classification.decision", "decide_classes"),
    drawn=("confusion", "roc", "precision-recall", "det", "gain", "lift", "calibration", "gini"),
    pictures=later("certus.tasks.classification.samples", "pictures"),
)
