"""Metrics of one real score per class."""

from typing import Any

import numpy as np

from certus import classification
from certus.compat.sklearn._given import codes_of, float_weights, kind_of_classes
from certus.compat.sklearn._input import Array, array_of, check_lengths, column, held, labels_of, numbers, ranked
from certus.compat.sklearn._kinds import classes_of, kind_of_target
from certus.compat.sklearn._parameters import ARRAY, checked
from certus.compat.sklearn._warnings import warn_undefined
from certus.data import ClassScores
from certus.statistic import Ratio

__all__ = ["hinge_loss", "top_k_accuracy_score"]


@checked(y_true=(ARRAY,))
def hinge_loss(y_true: Any, pred_decision: Any, *, labels: Any = None, sample_weight: Any = None) -> float:
    """`certus.classification.hinge_loss`, Crammer and Singer's where there are more than two classes."""
    check_lengths(y_true, pred_decision, sample_weight)
    decision = held(pred_decision, "pred_decision")
    decision = decision if decision.dtype.kind == "f" else decision.astype(np.float64)
    _, truth = kind_of_classes(column(y_true))
    classes = classes_of(truth if labels is None else array_of(labels))
    if len(classes) > 2:
        _check_decision(truth, decision, classes, labels is not None)
        unknown = np.setdiff1d(truth, classes)
        if len(unknown):
            raise ValueError(f"y contains previously unseen labels: {unknown.tolist()}")
        positive = None
    else:
        decision = column(decision)
        positive = len(classes) - 1 if len(classes) == 2 or classes.tolist() in ([1], ["1"]) else None
    data = ClassScores(
        tuple(classes.tolist()), codes_of(truth, classes), decision, positive, float_weights(sample_weight, len(truth))
    )
    statistic: Any = classification.hinge_loss.compute(data)
    return float(statistic.value)


def _check_decision(truth: Array, decision: Array, classes: Array, labelled: bool) -> None:
    wanted = f"pred_decision shape must be (n_samples, n_classes), that is ({len(truth)}, {len(classes)})"
    if decision.ndim <= 1:
        raise ValueError(
            f"The shape of pred_decision cannot be 1d arraywith a multiclass target. {wanted}. Got: {decision.shape}"
        )
    if decision.shape[1] != len(classes):
        if not labelled:
            raise ValueError("Please include all labels in y_true or pass labels as third argument")
        raise ValueError(
            "The shape of pred_decision is not consistent with the number of classes. With a multiclass target, "
            f"{wanted}. Got: {decision.shape}"
        )


@checked(y_true=(ARRAY,))
def top_k_accuracy_score(
    y_true: Any, y_score: Any, *, k: int = 2, normalize: bool = True, sample_weight: Any = None, labels: Any = None
) -> float:
    """`certus.classification.top_k_accuracy`; ``normalize=False`` gives the number of hits."""
    truth = column(labels_of(y_true))
    kind, _ = kind_of_target(truth, "y_true")
    if kind == "binary" and labels is not None and len(labels) > 2:
        kind = "multiclass"
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"y type must be 'binary' or 'multiclass', got '{kind}' instead.")
    scores = _scores_of_classes((numbers if kind == "binary" else ranked)(y_score), kind)
    check_lengths(truth, scores, sample_weight)
    classes = _columns_of(truth, labels, scores.shape[1] if scores.ndim == 2 else 2)
    if k >= len(classes):
        warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a perfect score and is "
            "therefore meaningless."
        )
    data = ClassScores(
        tuple(classes.tolist()),
        codes_of(truth, classes),
        scores,
        1 if scores.ndim == 1 else None,
        float_weights(sample_weight, len(truth)),
    )
    statistic: Any = classification.top_k_accuracy.using(k=int(k)).compute(data)
    if normalize:
        return float(statistic.value)
    return float(statistic.numerators.sum() if isinstance(statistic, Ratio) else statistic.successes)


def _scores_of_classes(scores: Array, kind: str) -> Array:
    if kind == "binary":
        if scores.ndim == 2 and scores.shape[1] != 1:
            raise ValueError(
                f"`y_true` is binary while y_score is 2d with {scores.shape[1]} classes. If `y_true` does not contain "
                "all the labels, `labels` must be provided."
            )
        return column(scores)
    if scores.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
            f"Got `y_score.shape={scores.shape}`."
        )
    return scores


def _columns_of(truth: Array, labels: Any, columns: int) -> Array:
    """The class of each column."""
    if labels is None:
        classes = classes_of(truth)
        if len(classes) != columns:
            raise ValueError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in 'y_score' "
                f"({columns}).You can provide a list of all known classes by assigning it to the `labels` parameter."
            )
        return classes
    given = column(labels)
    classes = np.unique(given)
    if len(classes) != len(given):
        raise ValueError("Parameter 'labels' must be unique.")
    if not np.array_equal(classes, given):
        raise ValueError("Parameter 'labels' must be ordered.")
    if len(classes) != columns:
        raise ValueError(
            f"Number of given labels ({len(classes)}) not equal to the number of classes in 'y_score' ({columns})."
        )
    if len(np.setdiff1d(truth, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'.")
    return classes
