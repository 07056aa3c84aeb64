"""Losses of probabilities, the calibration curve, and curves of a threshold over scores."""

import math
from typing import Any, Literal

import numpy as np

from certus import classification
from certus.compat.sklearn._input import (
    Array,
    array_of,
    binary_positive,
    check_finite,
    check_lengths,
    check_some,
    classes_of,
    column,
    count,
    distinct_up_to_three,
    exact_of,
    kind_of_target,
    weights_of,
)
from certus.compat.sklearn._parameters import ARRAY, TEXT, Kind, by_name_from, check_parameters, warn, warn_undefined
from certus.compat.sklearn._targets import LossInputs, inputs_for_classes, inputs_for_either
from certus.data import Scores
from certus.exact import doubles, loss
from certus.metrics import Metric

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
    inputs = inputs_for_classes(y_true, _renamed(y_proba, y_pred), sample_weight, labels)
    return _log_loss(inputs, normalize)


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
    half = scale_by_half if isinstance(scale_by_half, str) else bool(scale_by_half)
    return _brier(inputs, half)


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
        return _value(classification.d2_log_loss.using(clip=inputs.clip), inputs)
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
        return _value(classification.d2_brier, inputs)
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
        return _value(classification.log_loss.using(clip=clip, normalize=bool(normalize)), inputs)
    # Each label of a sample is a sample of its own; the loss of a sample is the sum over its labels.
    rows, codes = np.nonzero(inputs.truth)
    weights = None if inputs.weights is None else inputs.weights[rows]
    pairs = inputs._replace(truth=codes, probabilities=_table(inputs.probabilities)[rows], weights=weights)
    total = _value(classification.log_loss.using(clip=clip, normalize=False), pairs)
    if not normalize:
        return total
    return total / (len(inputs.truth) if inputs.weights is None else float(inputs.weights.sum()))


def _brier(inputs: LossInputs, scale_by_half: bool | Literal["auto"]) -> float:
    if inputs.truth.ndim == 1:
        return _value(classification.brier.using(scale_by_half=scale_by_half), inputs)
    # The squared distance of a table is that of its columns, each of a class and no class, summed.
    table = _table(inputs.probabilities)
    half = scale_by_half is True or (scale_by_half == "auto" and table.shape[1] < 3)
    total = 0.0
    for truth, probabilities in zip(inputs.truth.T, table.T, strict=True):
        binary_inputs = inputs._replace(truth=(truth != 0).astype(np.int32), probabilities=probabilities, positive=1)
        total += _value(classification.brier.using(scale_by_half=True), binary_inputs)
    return total / 2 if half else total


def _table(probabilities: Array) -> Array:
    return probabilities if probabilities.ndim == 2 else np.stack((1 - probabilities, probabilities), axis=1)


def _value(metric: Metric, inputs: LossInputs) -> float:
    statistic: Any = metric.compute(inputs.data)
    return float(statistic.value)


@check_parameters(y_true=(ARRAY,))
def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> tuple[Array, Array, Array]:
    """`certus.classification.roc_curve`: false and true positive rates, and thresholds."""
    curve = classification.roc_curve(
        scores_of(y_true, y_score, pos_label, sample_weight), drop_intermediate=bool(drop_intermediate)
    )
    warn_of_one_class(not curve.negatives, not curve.positives)
    return curve.fpr, curve.tpr, curve.thresholds.astype(np.float64)


@check_parameters(y_true=(ARRAY,))
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


@check_parameters(y_true=(ARRAY,))
def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Array, Array, Array]:
    """`certus.classification.det_curve`: false positive and false negative rates, and thresholds."""
    scores = scores_of(y_true, y_score, pos_label, sample_weight)
    if len(distinct_up_to_three(array_of(y_true))) != 2:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        )
    curve = classification.det_curve(scores, drop_intermediate=bool(drop_intermediate))
    return curve.fpr, curve.fnr, curve.thresholds.astype(np.float64)


@by_name_from("1.11", n_positional=2)
@check_parameters(y_true=(ARRAY,))
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> tuple[Array, Array, Array, Array, Array]:
    """True negatives, false positives, false negatives and true positives at each distinct score, and the scores."""
    steps = scores_of(y_true, y_score, pos_label, sample_weight).steps
    positive_counts = [count.astype(np.float64) for count in (steps.false_positives, steps.true_positives)]
    fps, tps = positive_counts
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
        nearest_doubles = doubles(score)
        check_finite(nearest_doubles)
        score = score if loss(score, nearest_doubles) else nearest_doubles
    return Scores.of(truth, score, sample_weight=weights)
