"""Metrics of scores: losses, threshold curves, areas under them, and rankings of labels."""

import math
from collections.abc import Callable
from functools import partial
from numbers import Integral
from typing import Any, Literal

import numpy as np

from certus import classification, multilabel
from certus.compat.sklearn._input import (
    Array,
    LossInputs,
    array_of,
    binary_positive,
    check_finite,
    check_lengths,
    check_some,
    classes_of,
    codes_of,
    column,
    count,
    distinct_up_to_three,
    exact_numbers,
    exact_of,
    float_weights,
    inputs_for_classes,
    inputs_for_either,
    kind_of_classes,
    kind_of_target,
    labels_of,
    numbers,
    ranked,
    require_kind,
    value_of,
    weights_of,
)
from certus.compat.sklearn._parameters import (
    ARRAY,
    BOOLEAN,
    NONE,
    NUMBER,
    TEXT,
    Kind,
    by_name_from,
    check_parameters,
    choice,
    is_sparse,
    number_in,
    warn,
    warn_undefined,
)
from certus.core.exact import doubles, loss
from certus.data import ClassScores, LabelGrades, MultilabelScores, Scores
from certus.metrics import Metric
from certus.statistic import Ratio

__all__ = [
    "auc",
    "average_precision_score",
    "brier_score_loss",
    "calibration_curve",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "d2_brier_score",
    "d2_log_loss_score",
    "dcg_score",
    "det_curve",
    "hinge_loss",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "ndcg_score",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
]

_HIDDEN_NONE = Kind(lambda value: value is None, "")
_PROBABILITIES = {"y_true": (ARRAY,), "y_proba": (ARRAY, _HIDDEN_NONE), "y_pred": (ARRAY, TEXT)}


@check_parameters(**_PROBABILITIES)
def log_loss(
    y_true: Any,
    y_proba: Any = None,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
) -> float:
    """`certus.classification.log_loss`, clipped as scikit-learn clips."""
    return _log_loss(inputs_for_classes(y_true, _renamed(y_proba, y_pred), sample_weight, labels), normalize)


@check_parameters(y_true=(ARRAY,))
def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: bool | Literal["auto"] = "auto",
) -> float:
    """`certus.classification.brier`."""
    inputs = inputs_for_either(y_true, y_proba, sample_weight, pos_label, labels)
    return _brier(inputs, scale_by_half if isinstance(scale_by_half, str) else bool(scale_by_half))


@check_parameters(**_PROBABILITIES)
def d2_log_loss_score(
    y_true: Any, y_proba: Any = None, *, sample_weight: Any = None, labels: Any = None, y_pred: Any = "deprecated"
) -> float:
    """`certus.classification.d2_log_loss`, clipped as scikit-learn clips."""
    y_proba = _renamed(y_proba, y_pred)
    if not _enough(y_true, y_proba, sample_weight):
        return math.nan
    inputs = inputs_for_classes(y_true, y_proba, sample_weight, labels)
    if inputs.truth.ndim == 1:
        return value_of(classification.d2_log_loss.using(clip=inputs.clip), inputs.data)
    return 1 - _log_loss(inputs, True) / _log_loss(_shares(inputs), True)


@check_parameters(y_true=(ARRAY,))
def d2_brier_score(
    y_true: Any, y_proba: Any, *, sample_weight: Any = None, pos_label: Any = None, labels: Any = None
) -> float:
    """`certus.classification.d2_brier`."""
    if not _enough(y_true, y_proba, sample_weight):
        return math.nan
    inputs = inputs_for_either(y_true, y_proba, sample_weight, pos_label, labels)
    if inputs.truth.ndim == 1:
        return value_of(classification.d2_brier, inputs.data)
    return 1 - _brier(inputs, False) / _brier(_shares(inputs), False)


@check_parameters(y_true=(ARRAY,))
def calibration_curve(
    y_true: Any,
    y_prob: Any,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> tuple[Array, Array]:
    """`certus.classification.calibration_curve`: the shares that came true, and the mean probabilities of the bins."""
    truth, probabilities = column(y_true), column(y_prob)
    check_lengths(truth, probabilities)
    check_some(truth)
    pos_label = binary_positive(pos_label, truth)
    if probabilities.min() < 0 or probabilities.max() > 1:
        raise ValueError("y_prob has values outside [0, 1].")
    labels = classes_of(truth)
    if len(labels) > 2:
        raise ValueError(f"Only binary classification is supported. Provided labels {labels}.")
    codes = np.asarray(truth == pos_label).astype(np.int32)
    data = LossInputs(np.arange(2), codes, probabilities, None, 1).data
    curve = classification.calibration_curve(data, n_bins=int(n_bins), strategy=strategy)
    return curve.prob_true, curve.prob_pred


def _renamed(y_proba: Any, y_pred: Any) -> Any:
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_proba
    if y_proba is not None:
        raise ValueError("Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead.")
    warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead.",
        FutureWarning,
    )
    return y_pred


def _enough(y_true: Any, y_proba: Any, sample_weight: Any) -> bool:
    """True if there are two samples."""
    check_lengths(y_proba, y_true, sample_weight)
    if count(y_proba) < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return False
    return True


def _shares(inputs: LossInputs) -> LossInputs:
    """The prediction of the share of each label for every sample."""
    shares = np.average(inputs.truth, axis=0, weights=inputs.weights)
    return inputs._replace(probabilities=np.tile(shares, (len(inputs.truth), 1)))


def _log_loss(inputs: LossInputs, normalize: bool) -> float:
    clip = inputs.clip
    if inputs.truth.ndim == 1:
        return value_of(classification.log_loss.using(clip=clip, normalize=bool(normalize)), inputs.data)
    # Each label of a sample is a sample of its own; the loss of a sample is the sum over its labels.
    rows, codes = np.nonzero(inputs.truth)
    weights = None if inputs.weights is None else inputs.weights[rows]
    pairs = inputs._replace(truth=codes, probabilities=_table(inputs.probabilities)[rows], weights=weights)
    total = value_of(classification.log_loss.using(clip=clip, normalize=False), pairs.data)
    if not normalize:
        return total
    return total / (len(inputs.truth) if inputs.weights is None else float(inputs.weights.sum()))


def _brier(inputs: LossInputs, scale_by_half: bool | Literal["auto"]) -> float:
    if inputs.truth.ndim == 1:
        return value_of(classification.brier.using(scale_by_half=scale_by_half), inputs.data)
    # The squared distance of a table is that of its columns, each of a class and no class, summed.
    table = _table(inputs.probabilities)
    half = scale_by_half is True or (scale_by_half == "auto" and table.shape[1] < 3)
    total = 0.0
    for truth, probabilities in zip(inputs.truth.T, table.T, strict=True):
        binary_inputs = inputs._replace(truth=(truth != 0).astype(np.int32), probabilities=probabilities, positive=1)
        total += value_of(classification.brier.using(scale_by_half=True), binary_inputs.data)
    return total / 2 if half else total


def _table(probabilities: Array) -> Array:
    return probabilities if probabilities.ndim == 2 else np.stack((1 - probabilities, probabilities), axis=1)


@check_parameters(y_true=(ARRAY,))
def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> tuple[Array, Array, Array]:
    """`certus.classification.roc_curve`: false and true positive rates, and thresholds."""
    curve = classification.roc_curve(
        _scores_of(y_true, y_score, pos_label, sample_weight), drop_intermediate=bool(drop_intermediate)
    )
    _warn_of_one_class(not curve.negatives, not curve.positives)
    return curve.fpr, curve.tpr, curve.thresholds.astype(np.float64)


@check_parameters(y_true=(ARRAY,))
def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """`certus.classification.precision_recall_curve`; recall is 1 where there are no positives."""
    scores = _scores_of(y_true, y_score, pos_label, sample_weight)
    curve = classification.precision_recall_curve(scores, drop_intermediate=bool(drop_intermediate))
    recall = curve.recall
    if not curve.positives:
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        recall = np.append(np.ones(len(curve.thresholds)), 0.0)
    return curve.precision, recall, curve.thresholds.astype(array_of(y_score).dtype)


@check_parameters(y_true=(ARRAY,))
def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """`certus.classification.det_curve`: false positive and false negative rates, and thresholds."""
    scores = _scores_of(y_true, y_score, pos_label, sample_weight)
    if len(distinct_up_to_three(array_of(y_true))) != 2:
        message = "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        raise ValueError(message)
    curve = classification.det_curve(scores, drop_intermediate=bool(drop_intermediate))
    return curve.fpr, curve.fnr, curve.thresholds.astype(np.float64)


@by_name_from("1.11", n_positional=2)
@check_parameters(y_true=(ARRAY,))
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> tuple[Array, Array, Array, Array, Array]:
    """True negatives, false positives, false negatives and true positives at each distinct score, and the scores."""
    steps = _scores_of(y_true, y_score, pos_label, sample_weight).steps
    fps, tps = (count.astype(np.float64) for count in (steps.false_positives, steps.true_positives))
    return fps[-1] - fps, fps, tps[-1] - tps, tps, steps.thresholds.astype(array_of(y_score).dtype)


@check_parameters()
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


def _warn_of_one_class(no_negatives: object, no_positives: object) -> None:
    """Warn of the axis of a ROC curve that has no meaning."""
    if no_negatives:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    if no_positives:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")


def _scores_of(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Scores:
    """The positive samples and all scores; pos_label may be left out of ordinary binary labels."""
    kind, truth = kind_of_target(y_true, "y_true")
    require_kind(kind, *(("binary",) if pos_label is None else ("binary", "multiclass")))
    positive = binary_positive(pos_label, truth)
    return _binary_scores(np.asarray(truth == positive), y_score, sample_weight)


def _binary_scores(positive: Array, y_score: Any, sample_weight: Any) -> Scores:
    """The positive samples and all scores."""
    check_lengths(positive, y_score, sample_weight)
    truth, score = column(positive), column(exact_of(y_score))
    check_some(truth)
    check_finite(score)
    weights = None if sample_weight is None else weights_of(column(sample_weight), len(truth), floats=True)
    if score.dtype.kind not in "fiu":
        nearest_doubles = doubles(score)
        check_finite(nearest_doubles)
        score = score if loss(score, nearest_doubles) else nearest_doubles
    return Scores.from_arrays(truth, score, sample_weight=weights)


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
    if kind == "multiclass" or (kind == "binary" and scores.ndim == 2 and scores.shape[1] > 2):
        if max_fpr is not None and max_fpr != 1.0:
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, "
                f"received `max_fpr={max_fpr}` instead"
            )
        return _multiclass_auc(truth, scores, labels, multi_class, average, weights)
    if kind == "binary":
        return _auc(np.asarray(truth == distinct_up_to_three(truth)[-1]), scores, weights, max_fpr)
    require_kind(kind, "multilabel-indicator")
    binary = partial(_auc, max_fpr=max_fpr)
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
    require_kind(kind, "multiclass", "multilabel-indicator")
    if pos_label != 1:
        message = f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1."
        raise ValueError(message)
    if kind == "multilabel-indicator":
        return _averaged(_average_precision, truth != 0, ranked(y_score, ndim=2), average, weights)
    of_classes = column(truth)[:, np.newaxis] == classes_of(truth)
    scores = exact_of(y_score)
    _require_shape(scores, scores.shape == of_classes.shape)
    return _averaged(_average_precision, of_classes, ranked(scores), average, weights)


def _require_shape(scores: Array, is_right: bool) -> None:
    if not is_right:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
            f"Got `y_score.shape={scores.shape}`."
        )


def _auc(positive: Array, score: Array, weights: Any, max_fpr: float | None = None) -> float:
    if len(distinct_up_to_three(positive)) != 2:
        warn_undefined("Only one class is present in y_true. ROC AUC score is not defined in that case.")
        return math.nan
    metric = classification.roc_auc
    if max_fpr is not None and max_fpr != 1:
        metric = metric.using(max_fpr=float(max_fpr))
    scores = _binary_scores(positive, score, weights)
    _warn_of_one_class(scores.truth.all(), not scores.truth.any())  # of those that have a weight
    return value_of(metric, scores)


def _average_precision(positive: Array, score: Any, weights: Any) -> float:
    scores = _binary_scores(positive, score, weights)
    if not scores.truth.any():
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        return 0.0
    return value_of(classification.average_precision, scores)


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
    _require_shape(scores, scores.ndim == 2)
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
    lacking = "Number of classes in y_true not equal to the number of columns in 'y_score'"
    count_error = "Number of given labels, {}, not equal to the number of columns in 'y_score', {}"
    classes = _columns_of(truth, labels, scores.shape[1], lacking, count_error)
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
    return value_of(metric, ClassScores(tuple(classes.tolist()), codes.astype(np.int32), scores))


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
    data = _class_scores(truth, classes, decision, positive, sample_weight)
    return value_of(classification.hinge_loss, data)


def _class_scores(truth: Array, classes: Array, scores: Array, positive: int | None, weights: Any) -> ClassScores:
    codes, weights = codes_of(truth, classes), float_weights(weights, len(truth))
    return ClassScores(tuple(classes.tolist()), codes, scores, positive, weights)


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
    scores = (numbers if kind == "binary" else ranked)(y_score)
    if kind == "multiclass":
        _require_shape(scores, scores.ndim == 2)
    elif scores.ndim == 2 and scores.shape[1] != 1:
        raise ValueError(
            f"`y_true` is binary while y_score is 2d with {scores.shape[1]} classes. If `y_true` does not contain "
            "all the labels, `labels` must be provided."
        )
    else:
        scores = column(scores)
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
    data = _class_scores(truth, classes, scores, 1 if scores.ndim == 1 else None, sample_weight)
    statistic: Any = classification.top_k_accuracy.using(k=int(k)).compute(data)
    if normalize:
        return float(statistic.value)
    return float(statistic.numerators.sum() if isinstance(statistic, Ratio) else statistic.successes)


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


_DEPTH = (number_in(1, math.inf, "[)", base_type=Integral), NONE)
_GRADED = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


@check_parameters(y_true=(ARRAY,))
def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """`certus.multilabel.coverage_error`, ranks counted from 1."""
    truth, scores = numbers(y_true, ndim=2), ranked(y_score, ndim=2)
    check_lengths(truth, scores, sample_weight)
    require_kind(kind_of_target(truth, "y_true")[0], "multilabel-indicator")
    return _ranked(multilabel.coverage_error, truth, scores, sample_weight)


@check_parameters()
def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """`certus.multilabel.label_ranking_average_precision`."""
    check_lengths(y_true, y_score, sample_weight)
    truth, scores = _dense(y_true), ranked(y_score)
    _check_shapes(truth, scores)
    also = ("binary",) if truth.ndim == 2 else ()
    require_kind(kind_of_target(truth, "y_true")[0], "multilabel-indicator", *also)
    return _ranked(multilabel.label_ranking_average_precision, truth, scores, sample_weight)


@check_parameters()
def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """`certus.multilabel.label_ranking_loss`."""
    truth, scores = _dense(y_true), ranked(y_score)
    check_lengths(truth, scores, sample_weight)
    require_kind(kind_of_target(truth, "y_true")[0], "multilabel-indicator")
    return _ranked(multilabel.label_ranking_loss, truth, scores, sample_weight)


@check_parameters(y_true=(ARRAY,), k=_DEPTH, log_base=(number_in(0.0, math.inf, "()"),), ignore_ties=(BOOLEAN,))
def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """`certus.multilabel.dcg`; the base of the logarithm may be below 1."""
    grades, scores = exact_numbers(y_true, "y_true"), ranked(y_score)
    check_lengths(grades, scores, sample_weight)
    value = _graded(multilabel.dcg, grades, scores, k, ignore_ties, sample_weight)
    return value if log_base == 2 else value * math.log2(log_base)


@check_parameters(y_true=(ARRAY,), k=_DEPTH, ignore_ties=(BOOLEAN,))
def ndcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None, ignore_ties: bool = False
) -> float:
    """`certus.multilabel.ndcg`; there must be more than one label."""
    grades, scores = exact_numbers(y_true, "y_true"), ranked(y_score)
    check_lengths(grades, scores, sample_weight)
    if grades.min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if grades.ndim > 1 and grades.shape[1] <= 1:
        raise ValueError(
            f"Computing NDCG is only meaningful when there is more than 1 document. Got {grades.shape[1]} instead."
        )
    return _graded(multilabel.ndcg, grades, scores, k, ignore_ties, sample_weight)


def _dense(y_true: Any) -> Array:
    return numbers(y_true.toarray() if is_sparse(y_true) else y_true)


def _check_shapes(truth: Array, scores: Array) -> None:
    if truth.shape != scores.shape:
        raise ValueError("y_true and y_score have different shape")


def _as_scores(table: Array) -> Array:
    """The table in a type and an order that the kernels read."""
    kind: type[np.floating[Any]] = np.float32 if table.dtype in (np.float16, np.float32) else np.float64
    return np.asarray(table, dtype=kind, order="F" if table.flags.f_contiguous else "C")


def _ranked(metric: Metric, truth: Array, scores: Array, sample_weight: Any) -> float:
    _check_shapes(truth, scores)
    columns = np.arange(truth.shape[1])
    true = truth if truth.dtype == np.bool_ else truth != 0
    return _row_mean(metric, MultilabelScores(tuple(columns), true, _as_scores(scores), columns), sample_weight)


def _graded(
    metric: Metric, grades: Array, scores: Array, k: int | None, ignore_ties: bool, sample_weight: Any
) -> float:
    kind, _ = kind_of_target(grades, "y_true")
    if kind not in _GRADED:
        raise ValueError(f"Only {_GRADED} formats are supported. Got {kind} instead")
    _check_shapes(grades, scores)
    columns = np.arange(grades.shape[1])
    depth = None if k is None or k >= len(columns) else int(k)
    data = LabelGrades(tuple(columns), _as_scores(grades), _as_scores(scores), columns)
    return _row_mean(metric.using(k=depth, ignore_ties=bool(ignore_ties)), data, sample_weight)


def _row_mean(metric: Metric, data: Any, sample_weight: Any) -> float:
    """The mean as numpy weights it, so that it refuses what numpy does."""
    mean: Any = metric.compute(data)
    return float(np.average(mean.values, weights=sample_weight))
