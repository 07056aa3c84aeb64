"""Areas under curves of scores, and metrics of one real score per class."""

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from certus import classification
from certus.compat.sklearn._input import (
    Array,
    array_of,
    check_lengths,
    classes_of,
    column,
    distinct_up_to_three,
    exact_numbers,
    exact_of,
    kind_of_target,
    labels_of,
    numbers,
    ranked,
)
from certus.compat.sklearn._losses import binary_scores, warn_of_one_class
from certus.compat.sklearn._parameters import (
    ARRAY,
    BOOLEAN,
    NONE,
    NUMBER,
    TEXT,
    check_parameters,
    choice,
    warn,
    warn_undefined,
)
from certus.compat.sklearn._targets import codes_of, float_weights, kind_of_classes
from certus.data import ClassScores
from certus.metrics import Metric
from certus.statistic import Ratio

_AVERAGE = (choice("str", str, "macro", "micro", "samples", "weighted"), NONE)


@check_parameters(y_true=(ARRAY,), average=_AVERAGE)
def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    labels: Any = None,
) -> Any:
    """`certus.classification.roc_auc`."""
    kind, truth = kind_of_target(y_true, "y_true")
    truth, scores = labels_of(truth), (numbers if kind == "multiclass" else ranked)(y_score)
    weights = None if sample_weight is None else column(sample_weight)

    def binary(positive: Array, score: Array, weights: Any) -> float:
        return _auc(positive, score, weights, max_fpr)

    if kind == "multiclass" or (kind == "binary" and scores.ndim == 2 and scores.shape[1] > 2):
        if max_fpr is not None and max_fpr != 1.0:
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, "
                f"received `max_fpr={max_fpr}` instead"
            )
        return _multiclass_auc(truth, scores, labels, multi_class, average, weights)
    if kind == "binary":
        return binary(np.asarray(truth == distinct_up_to_three(truth)[-1]), scores, weights)
    if kind != "multilabel-indicator":
        raise ValueError(f"{kind} format is not supported")
    return _averaged(binary, truth != 0, numbers(scores, ndim=2), average, weights)


@check_parameters(y_true=(ARRAY,), average=_AVERAGE, pos_label=(NUMBER, TEXT, BOOLEAN))
def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """`certus.classification.average_precision`; 0 where there are no positives."""
    weights = None if sample_weight is None else column(sample_weight)
    kind, truth = kind_of_target(y_true, "y_true")
    if kind == "binary":
        present = distinct_up_to_three(truth)
        if len(present) == 2 and pos_label not in present:
            raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {np.unique(truth)}")
        return _average_precision(np.asarray(truth == pos_label), y_score, weights)
    if kind not in ("multiclass", "multilabel-indicator"):
        raise ValueError(f"{kind} format is not supported")
    if pos_label != 1:
        raise ValueError(
            f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1."
        )
    if kind == "multilabel-indicator":
        return _averaged(_average_precision, truth != 0, ranked(y_score, ndim=2), average, weights)
    of_classes = column(truth)[:, np.newaxis] == classes_of(truth)
    scores = exact_of(y_score)
    if scores.shape != of_classes.shape:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
            f"Got `y_score.shape={scores.shape}`."
        )
    return _averaged(_average_precision, of_classes, ranked(scores), average, weights)


def _auc(positive: Array, score: Array, weights: Any, max_fpr: float | None = None) -> float:
    if len(distinct_up_to_three(positive)) != 2:
        warn_undefined("Only one class is present in y_true. ROC AUC score is not defined in that case.")
        return math.nan
    metric = classification.roc_auc
    if max_fpr is not None and max_fpr != 1:
        metric = metric.using(max_fpr=float(max_fpr))
    scores = binary_scores(positive, score, weights)
    warn_of_one_class(scores.truth.all(), not scores.truth.any())  # of those that have a weight
    statistic: Any = metric.compute(scores)
    return float(statistic.value)


def _average_precision(positive: Array, score: Any, weights: Any) -> float:
    scores = binary_scores(positive, score, weights)
    if not scores.truth.any():
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        return 0.0
    statistic: Any = classification.average_precision.compute(scores)
    return float(statistic.value)


def _averaged(
    binary: Callable[[Array, Array, Any], float], truth: Array, scores: Array, average: str | None, weights: Any
) -> Any:
    """A metric of one binary truth, averaged over the columns of a table."""
    check_lengths(truth, scores, weights)
    if truth.shape != scores.shape:
        raise ValueError(f"y_true has {truth.shape[1]} columns but y_score has {scores.shape[1]}")
    if average == "micro":
        spread = None if weights is None else np.repeat(weights, truth.shape[1])
        return binary(truth.ravel(), scores.ravel(), spread)
    if average == "samples":
        values = np.array([binary(*pair, None) for pair in zip(truth, scores, strict=True)])
        if weights is not None:
            values[weights == 0] = 0.0
        return float(np.average(values, weights=weights))
    sizes = truth.sum(axis=0) if weights is None else weights @ truth
    if average == "weighted" and not sizes.any():
        return 0
    values = np.array([binary(*pair, weights) for pair in zip(truth.T, scores.T, strict=True)])
    if average is None:
        return values
    if average == "macro":
        return float(values.mean())
    return float(np.average(values[sizes > 0], weights=sizes[sizes > 0]))


def _multiclass_auc(
    truth: Array, scores: Array, labels: Any, multi_class: str, average: str | None, weights: Any
) -> Any:
    if multi_class == "raise":
        raise ValueError("multi_class must be in ('ovo', 'ovr')")
    if scores.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
            f"Got `y_score.shape={scores.shape}`."
        )
    if not np.allclose(1, scores.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    allowed = ("macro", "weighted", None) if multi_class == "ovo" else ("micro", "macro", "weighted", None)
    if average not in allowed:
        raise ValueError(f"average must be one of {allowed} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    truth = column(truth)
    classes = _columns_of(
        truth,
        labels,
        scores.shape[1],
        "Number of classes in y_true not equal to the number of columns in 'y_score'",
        "Number of given labels, {}, not equal to the number of columns in 'y_score', {}",
    )
    if multi_class == "ovr":
        return _averaged(_auc, truth[:, np.newaxis] == classes, scores, average, weights)
    if weights is not None:
        raise ValueError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this "
            "case."
        )
    check_lengths(truth, scores)
    codes = np.searchsorted(classes, truth)
    chosen: Metric = classification.roc_auc
    metric = chosen.using(multi_class="ovo", average=average, undefined="skip")
    statistic: Any = metric.compute(ClassScores(tuple(classes.tolist()), codes.astype(np.int32), scores))
    return float(statistic.value)


@check_parameters(y_true=(ARRAY,))
def hinge_loss(y_true: Any, pred_decision: Any, *, labels: Any = None, sample_weight: Any = None) -> float:
    """`certus.classification.hinge_loss`, Crammer and Singer's where there are more than two classes."""
    check_lengths(y_true, pred_decision, sample_weight)
    decision = exact_numbers(pred_decision, "pred_decision")
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


@check_parameters(y_true=(ARRAY,))
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
    classes = _columns_of(
        truth,
        labels,
        scores.shape[1] if scores.ndim == 2 else 2,
        "Number of classes in 'y_true' ({}) not equal to the number of classes in 'y_score' ({}).You can provide a "
        "list of all known classes by assigning it to the `labels` parameter.",
        "Number of given labels ({}) not equal to the number of classes in 'y_score' ({}).",
        ".",
    )
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


def _columns_of(truth: Array, labels: Any, columns: int, lacking: str, count_error: str, stop: str = "") -> Array:
    """The class of each column; `lacking`, `count_error` and `stop` are the words of the metric's errors."""
    if labels is None:
        classes = classes_of(truth)
        if len(classes) != columns:
            raise ValueError(lacking.format(len(classes), columns))
        return classes
    label_column = column(labels)
    classes = np.unique(label_column)
    if len(classes) != len(label_column):
        raise ValueError(f"Parameter 'labels' must be unique{stop}")
    if not np.array_equal(classes, label_column):
        raise ValueError(f"Parameter 'labels' must be ordered{stop}")
    if len(classes) != columns:
        raise ValueError(count_error.format(len(classes), columns))
    if len(np.setdiff1d(truth, classes)):
        raise ValueError(f"'y_true' contains labels not in parameter 'labels'{stop}")
    return classes
