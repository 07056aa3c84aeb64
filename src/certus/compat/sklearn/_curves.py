"""Curves of a threshold over scores."""

from typing import Any

import numpy as np

from certus import classification
from certus.compat.sklearn._input import (
    Array,
    array_of,
    check_finite,
    check_lengths,
    check_some,
    column,
    exact_of,
    weights_of,
)
from certus.compat.sklearn._kinds import binary_positive, few, kind_of_target
from certus.compat.sklearn._parameters import ARRAY, by_name_from, checked
from certus.compat.sklearn._warnings import warn, warn_undefined
from certus.data import Scores
from certus.exact import doubles, loss

__all__ = [
    "auc",
    "binary_scores",
    "confusion_matrix_at_thresholds",
    "det_curve",
    "precision_recall_curve",
    "roc_curve",
    "scores_of",
    "warn_of_one_class",
]


@checked(y_true=(ARRAY,))
def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> tuple[Array, Array, Array]:
    """`certus.classification.roc_curve`: false and true positive rates, and thresholds."""
    curve = classification.roc_curve(
        scores_of(y_true, y_score, pos_label, sample_weight), drop_intermediate=bool(drop_intermediate)
    )
    warn_of_one_class(not curve.negatives, not curve.positives)
    return curve.fpr, curve.tpr, curve.thresholds.astype(np.float64)


@checked(y_true=(ARRAY,))
def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """`certus.classification.precision_recall_curve`; recall is 1 where there are no positives."""
    scores = scores_of(y_true, y_score, pos_label, sample_weight)
    curve = classification.precision_recall_curve(scores, drop_intermediate=bool(drop_intermediate))
    recall = curve.recall
    if not curve.positives:
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        recall = np.append(np.ones(len(curve.thresholds)), 0.0)
    return curve.precision, recall, curve.thresholds.astype(array_of(y_score).dtype)


@checked(y_true=(ARRAY,))
def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """`certus.classification.det_curve`: false positive and false negative rates, and thresholds."""
    scores = scores_of(y_true, y_score, pos_label, sample_weight)
    if len(few(array_of(y_true))) != 2:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        )
    curve = classification.det_curve(scores, drop_intermediate=bool(drop_intermediate))
    return curve.fpr, curve.fnr, curve.thresholds.astype(np.float64)


@by_name_from("1.11", by_place=2)
@checked(y_true=(ARRAY,))
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> tuple[Array, Array, Array, Array, Array]:
    """True negatives, false positives, false negatives and true positives at each distinct score, and the scores."""
    steps = scores_of(y_true, y_score, pos_label, sample_weight).steps
    called = [each.astype(np.float64) for each in (steps.false_positives, steps.true_positives)]
    fps, tps = called
    return fps[-1] - fps, fps, tps[-1] - tps, tps, steps.thresholds.astype(array_of(y_score).dtype)


@checked()
def auc(x: Any, y: Any) -> float:
    """Area under straight lines through points."""
    check_lengths(x, y)
    across, up = column(x), column(y)
    if len(across) < 2:
        raise ValueError(f"At least 2 points are needed to compute area under curve, but x.shape = {across.shape[0]}")
    steps = np.diff(across)
    falling = bool((steps < 0).any())
    if falling and not (steps <= 0).all():
        raise ValueError(f"x is neither increasing nor decreasing : {across}.")
    area = float((steps * (up[1:] + up[:-1])).sum() / 2)
    return -area if falling else area


def warn_of_one_class(no_negatives: object, no_positives: object) -> None:
    """Warn of the axis of a ROC curve that has no meaning."""
    if no_negatives:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    if no_positives:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")


def scores_of(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Scores:
    """The positive samples and all scores; pos_label may be left out of ordinary binary labels."""
    kind, truth = kind_of_target(y_true, "y_true")
    if kind != "binary" and not (kind == "multiclass" and pos_label is not None):
        raise ValueError(f"{kind} format is not supported")
    positive = binary_positive(pos_label, truth)
    return binary_scores(np.asarray(truth == positive), y_score, sample_weight)


def binary_scores(positive: Array, y_score: Any, sample_weight: Any) -> Scores:
    """The positive samples and all scores."""
    check_lengths(positive, y_score, sample_weight)
    truth, score = column(positive), column(exact_of(y_score))
    check_some(truth)
    check_finite(score)
    weights = None if sample_weight is None else weights_of(column(sample_weight), len(truth), floats=True)
    if score.dtype.kind not in "fiu":
        found = doubles(score)
        check_finite(found)
        score = score if loss(score, found) else found
    return Scores.of(truth, score, sample_weight=weights)
