"""Probabilities of classes: scikit-learn's checks, then certus's data."""

import math
from typing import Any, NamedTuple

import numpy as np

from certus.compat.sklearn._input import (
    Array,
    array_of,
    check_finite,
    check_lengths,
    column,
    count,
    numbers,
    weights_of,
)
from certus.compat.sklearn._kinds import binary_positive, classes_of, few, kind_of_target
from certus.compat.sklearn._warnings import warn
from certus.data import Probabilities

__all__ = ["Given", "codes_of", "float_weights", "given_for_classes", "given_for_either", "kind_of_classes"]

_FLOATS = (np.float64, np.float32, np.float16)


class Given(NamedTuple):
    """The input of a loss of probabilities."""

    classes: Array
    truth: Array
    """One code per sample, or an indicator of the classes that each sample has."""
    probabilities: Array
    weights: Array | None
    positive: int | None = None

    @property
    def clip(self) -> float:
        """The distance from 0 and 1 that scikit-learn keeps probabilities at."""
        return float(np.finfo(self.probabilities.dtype).eps)

    @property
    def data(self) -> Probabilities:
        """The samples certus computes from, of one class each: those that have a weight."""
        given, truth, weights = self.probabilities, self.truth, self.weights
        if weights is not None and not weights.all():
            kept = weights > 0
            given, truth, weights = given[kept], truth[kept], weights[kept]
        given = np.ascontiguousarray(given.astype(np.float32) if given.dtype == np.float16 else given)
        return Probabilities(tuple(self.classes.tolist()), truth, given, self.positive, weights)


def given_for_either(y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, labels: Any) -> Given:
    """One probability per sample, of the positive class, or one per class."""
    given = numbers(y_proba, dtype=_FLOATS)
    if given.ndim == 1 or given.shape[1] == 1:
        return _given_for_positive(y_true, given, sample_weight, pos_label)
    return given_for_classes(y_true, given, sample_weight, labels)


def given_for_classes(y_true: Any, y_proba: Any, sample_weight: Any, labels: Any) -> Given:
    """One probability per class, or of the greater of two classes."""
    given = numbers(y_proba, dtype=_FLOATS)
    _check_range(given, "lower")
    check_lengths(given, y_true, sample_weight)
    weights = float_weights(sample_weight, len(given))
    classes, truth = _encoded(y_true, labels)
    if given.ndim == 2 and given.shape[1] == 1:
        given = given[:, 0]
    columns = 2 if given.ndim == 1 else given.shape[1]
    if given.ndim == 2:
        tolerance = math.sqrt(np.finfo(given.dtype).eps) + 1e-8
        if not (np.abs(given.sum(axis=1) - 1) <= tolerance).all():
            warn("The y_prob values do not sum to one. Make sure to pass probabilities.")
    if len(classes) != columns:
        if labels is not None:
            raise ValueError(
                f"The number of classes in labels is different from that in y_prob. Classes found in labels: {classes}"
            )
        raise ValueError(
            f"y_true and y_prob contain different number of classes: {len(classes)} vs {columns}. Please provide the "
            f"true labels explicitly through the labels argument. Classes found in y_true: {classes}"
        )
    return Given(classes, truth, given, weights, 1 if given.ndim == 1 else None)


def _given_for_positive(y_true: Any, probabilities: Array, sample_weight: Any, pos_label: Any) -> Given:
    """The probability of the positive one of two classes."""
    truth, given = column(y_true), column(probabilities)
    check_finite(truth)
    check_lengths(given, truth, sample_weight)
    weights = float_weights(sample_weight, len(given))
    kind, _ = kind_of_target(truth, "y_true")
    if kind != "binary":
        raise ValueError(
            f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of "
            "y_prob."
        )
    _check_range(given, "less")
    try:
        pos_label = binary_positive(pos_label, truth)
    except ValueError:
        if truth.dtype.kind in "OUST":
            raise
        pos_label = few(truth)[-1]
    return Given(np.arange(2), (truth == pos_label).astype(np.int32), given, weights, 1)


def _check_range(probabilities: Array, word: str) -> None:
    if probabilities.max() > 1:
        raise ValueError(f"y_prob contains values greater than 1: {probabilities.max()}")
    if probabilities.min() < 0:
        raise ValueError(f"y_prob contains values {word} than 0: {probabilities.min()}")


def float_weights(sample_weight: Any, samples: int) -> Array | None:
    weights = weights_of(sample_weight, samples)
    return None if weights is None else weights.astype(np.float64, copy=False)


def _encoded(y_true: Any, labels: Any) -> tuple[Array, Array]:
    """The classes in increasing order, and the class of each sample or, for several labels per sample, which it has."""
    kind, truth = kind_of_classes(y_true)
    if labels is None:
        classes = np.arange(truth.shape[1]) if kind.startswith("multilabel") else classes_of(column(truth))
    else:
        known_kind, known = kind_of_classes(labels)
        classes = np.arange(known.shape[1]) if known_kind.startswith("multilabel") else classes_of(column(known))
        given = array_of(labels)
        if given.shape == classes.shape and not (classes == given).all():
            warn(
                f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass "
                f"the ordered labels={classes.tolist()} and ensure that the columns of y_prob correspond to this "
                "ordering."
            )
        if not np.isin(truth, given).all():
            raise ValueError(
                f"y_true contains values {set(truth.tolist()) - set(given.tolist())} not belonging to the passed "
                f"labels {labels}."
            )
    if len(classes) == 1:
        if labels is None:
            raise ValueError(
                f"y_true contains only one label ({classes[0]}). Please provide the list of all expected class labels "
                "explicitly through the labels argument."
            )
        raise ValueError(f"The labels array needs to contain at least two labels, got {classes}.")
    if kind.startswith("multilabel"):
        return classes, truth
    return classes, codes_of(column(truth), classes)


def kind_of_classes(y: Any) -> tuple[str, Array]:
    kind, array = kind_of_target(y, "y")
    if "multioutput" in kind:
        raise ValueError("Multioutput target data is not supported with label binarization")
    if count(array) == 0:
        raise ValueError(f"y has 0 samples: {y!r}")
    if kind in ("continuous", "unknown"):
        raise ValueError(f"Unknown label type: {(array,)!r}")
    return kind, array


def codes_of(truth: Array, classes: Array) -> Array:
    """The index of each label in the classes, which stand in increasing order."""
    codes = truth == classes[1] if len(classes) == 2 else np.searchsorted(classes, truth)
    return np.asarray(codes).astype(np.int32)
