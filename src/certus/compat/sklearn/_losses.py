"""Losses of probabilities, and the calibration curve."""

import math
from typing import Any, Literal

import numpy as np

from certus import classification
from certus.compat.sklearn._given import Given, given_for_classes, given_for_either
from certus.compat.sklearn._input import Array, check_lengths, check_some, column, count
from certus.compat.sklearn._kinds import binary_positive
from certus.compat.sklearn._parameters import ARRAY, TEXT, Kind, checked
from certus.compat.sklearn._warnings import warn, warn_undefined
from certus.metrics import Metric

__all__ = ["brier_score_loss", "calibration_curve", "d2_brier_score", "d2_log_loss_score", "log_loss"]

_HIDDEN_NONE = Kind(lambda value: value is None, "")
_PROBABILITIES = {"y_true": (ARRAY,), "y_proba": (ARRAY, _HIDDEN_NONE), "y_pred": (ARRAY, TEXT)}


@checked(**_PROBABILITIES)
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
    given = given_for_classes(y_true, _renamed(y_proba, y_pred), sample_weight, labels)
    return _log_loss(given, normalize)


@checked(y_true=(ARRAY,))
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
    given = given_for_either(y_true, y_proba, sample_weight, pos_label, labels)
    half = scale_by_half if isinstance(scale_by_half, str) else bool(scale_by_half)
    return _brier(given, half)


@checked(**_PROBABILITIES)
def d2_log_loss_score(
    y_true: Any, y_proba: Any = None, *, sample_weight: Any = None, labels: Any = None, y_pred: Any = "deprecated"
) -> float:
    """`certus.classification.d2_log_loss`, clipped as scikit-learn clips."""
    y_proba = _renamed(y_proba, y_pred)
    if not _enough(y_true, y_proba, sample_weight):
        return math.nan
    given = given_for_classes(y_true, y_proba, sample_weight, labels)
    if given.truth.ndim == 1:
        return _value(classification.d2_log_loss.using(clip=given.clip), given)
    return 1 - _log_loss(given, True) / _log_loss(_shares(given), True)


@checked(y_true=(ARRAY,))
def d2_brier_score(
    y_true: Any, y_proba: Any, *, sample_weight: Any = None, pos_label: Any = None, labels: Any = None
) -> float:
    """`certus.classification.d2_brier`."""
    if not _enough(y_true, y_proba, sample_weight):
        return math.nan
    given = given_for_either(y_true, y_proba, sample_weight, pos_label, labels)
    if given.truth.ndim == 1:
        return _value(classification.d2_brier, given)
    return 1 - _brier(given, False) / _brier(_shares(given), False)


@checked(y_true=(ARRAY,))
def calibration_curve(
    y_true: Any,
    y_prob: Any,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: Literal["uniform", "quantile"] = "uniform",
) -> tuple[Array, Array]:
    """`certus.classification.calibration_curve`: the shares that came true, and the mean probabilities of the bins."""
    truth, given = column(y_true), column(y_prob)
    check_lengths(truth, given)
    check_some(truth)
    pos_label = binary_positive(pos_label, truth)
    if given.min() < 0 or given.max() > 1:
        raise ValueError("y_prob has values outside [0, 1].")
    labels = np.unique(truth)
    if len(labels) > 2:
        raise ValueError(f"Only binary classification is supported. Provided labels {labels}.")
    codes = np.asarray(truth == pos_label).astype(np.int32)
    data = Given(np.arange(2), codes, given, None, 1).data
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
    """Whether there are two samples."""
    check_lengths(y_proba, y_true, sample_weight)
    if count(y_proba) < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return False
    return True


def _shares(given: Given) -> Given:
    """The prediction of the share of each label for every sample."""
    shares = np.average(given.truth, axis=0, weights=given.weights)
    return given._replace(probabilities=np.tile(shares, (len(given.truth), 1)))


def _log_loss(given: Given, normalize: bool) -> float:
    clip = given.clip
    if given.truth.ndim == 1:
        return _value(classification.log_loss.using(clip=clip, normalize=bool(normalize)), given)
    # Each label of a sample is a sample of its own; the loss of a sample is the sum over its labels.
    rows, codes = np.nonzero(given.truth)
    weights = None if given.weights is None else given.weights[rows]
    pairs = given._replace(truth=codes, probabilities=_table(given.probabilities)[rows], weights=weights)
    total = _value(classification.log_loss.using(clip=clip, normalize=False), pairs)
    if not normalize:
        return total
    return total / (len(given.truth) if given.weights is None else float(given.weights.sum()))


def _brier(given: Given, scale_by_half: bool | Literal["auto"]) -> float:
    if given.truth.ndim == 1:
        return _value(classification.brier.using(scale_by_half=scale_by_half), given)
    # The squared distance of a table is that of its columns, each of a class and no class, summed.
    table = _table(given.probabilities)
    half = scale_by_half is True or (scale_by_half == "auto" and table.shape[1] < 3)
    total = 0.0
    for truth, probabilities in zip(given.truth.T, table.T, strict=True):
        one = given._replace(truth=(truth != 0).astype(np.int32), probabilities=probabilities, positive=1)
        total += _value(classification.brier.using(scale_by_half=True), one)
    return total / 2 if half else total


def _table(probabilities: Array) -> Array:
    return probabilities if probabilities.ndim == 2 else np.stack((1 - probabilities, probabilities), axis=1)


def _value(metric: Metric, given: Given) -> float:
    statistic: Any = metric.compute(given.data)
    return float(statistic.value)
