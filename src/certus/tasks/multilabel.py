"""Multilabel prediction: each sample has any number of labels."""

from certus.core.lazy import later
from certus.tasks import classification
from certus.tasks._task import GROUPS, THRESHOLD, WEIGHT, Argument, Task

TASK = Task(
    name="multilabel",
    data=(
        Argument(
            "y_true",
            "true labels (0, 1), one for each label",
            option="truth",
            several=True,
            marks=True,
            axes=(2,),
            looks=("text", "whole"),
        ),
        Argument(
            "y_pred",
            "predicted labels (0, 1), one for each label",
            option="pred",
            several=True,
            marks=True,
            predicted=True,
        ),
        Argument("y_score", "scores, one for each label", option="score", several=True, predicted=True),
    ),
    conventions=(
        Argument("labels", "labels to look at", option="", holds="list", idle="averages over the classes"),
        WEIGHT,
        GROUPS,
    ),
    options=(THRESHOLD,),
    needs=(("y_true", "y_pred"), ("y_true", "y_score")),
    usual=(
        "SubsetAccuracy",
        "Hamming",
        "Jaccard",
        "F1",
        "LRAP",
        "RankingLoss",
        "CoverageError",
        "OneError",
        "nDCG",
    ),
    compared=("SubsetAccuracy", "Jaccard", "LRAP", "nDCG"),
    metrics="certus.metrics.multilabel",
    example="Jaccard(average='macro')",
    part="label",
    scored=True,
    prepare=later("certus.tasks.classification.samples", "prepare_tables"),
    pair=classification.TASK.pair,
    both=classification.TASK.both,
    decide=later("certus.tasks.classification.decision", "decide_labels"),
)
