"""Truth, prediction and probabilities: scikit-learn's checks, then certus's data."""

import math
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from certus.compat.sklearn._input import (
    Array,
    array_of,
    binary_positive,
    check_finite,
    check_lengths,
    classes_of,
    column,
    count,
    distinct_up_to_three,
    kind_of_target,
    numbers,
    weights_of,
)
from certus.compat.sklearn._parameters import is_sparse, warn
from certus.data import Labels, Multilabel, Probabilities


class Targets:
    """Truth and prediction that have been checked.

    Attributes
    ----------
    true, predicted
        One label per sample, or the tables of an indicator.
    kind
        binary, multiclass or multilabel-indicator. Where it is binary there may be more than two labels nevertheless:
        `kind_of` counts them.
    weights
        One per sample, of the type they were given in; None without.
    """

    def __init__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        check_lengths(y_true, y_pred, sample_weight)
        if _is_plain(y_true) and _is_plain(y_pred):
            kind = other = "binary"  # or multiclass, which the counts will show
            true, predicted = y_true, y_pred
        else:
            kind, true = kind_of_target(y_true, "y_true")
            other, predicted = kind_of_target(y_pred, "y_pred")
        if not len(true):
            raise ValueError(
                "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required."
            )
        self.weights = weights_of(sample_weight, len(true))
        if kind != other:
            if {kind, other} != {"binary", "multiclass"}:
                raise ValueError(f"Classification metrics can't handle a mix of {kind} and {other} targets")
            kind = "multiclass"
        if kind not in ("binary", "multiclass", "multilabel-indicator"):
            raise ValueError(f"{kind} is not supported")
        if kind != "multilabel-indicator":
            if is_sparse(y_true) or is_sparse(y_pred):
                raise TypeError("Sparse input is only supported when targets are of multilabel type")
            true, predicted = column(true, "y_true"), column(predicted, "y_pred")
            _check_mixture(true, predicted)
        elif true.shape[1] != predicted.shape[1]:
            raise ValueError("Multi-label binary indicator input with different numbers of labels")
        self.true, self.predicted, self.kind = true, predicted, kind

    @property
    def multilabel(self) -> bool:
        """True if a sample may have several labels."""
        return self.kind == "multilabel-indicator"

    @cached_property
    def present(self) -> Array:
        """The labels of truth and prediction in increasing order, of the type they were given in."""
        if self.multilabel:
            return np.arange(self.true.shape[1])
        if self.true.dtype == self.predicted.dtype and self.true.dtype.kind in "biuU":
            return np.asarray(Labels.of(self.true, self.predicted).classes)
        all_labels = (*np.unique(self.true).tolist(), *np.unique(self.predicted).tolist())
        return np.asarray(sorted(dict.fromkeys(all_labels)))

    def data(self) -> Labels | Multilabel:
        """The counts of all labels."""
        return self.multilabels() if self.multilabel else self.labels()

    def kind_of(self, data: Labels) -> str:
        """binary, multiclass or multilabel-indicator."""
        return "multiclass" if self.kind == "binary" and len(data.classes) > 2 else self.kind

    def one_label(self) -> Self:
        """Itself, if each sample has one label."""
        if self.multilabel:
            raise ValueError(f"{self.kind} is not supported")
        return self

    def labels(self, chosen: Any = None, pos_label: Any = None) -> Labels:
        """The counts, with the classes that averages run over and the positive one."""
        chosen = None if chosen is None else column(chosen)
        if chosen is None and self.weights is not None and not self.weights.all():
            chosen = self.present  # a label that only samples of weight 0 have is still one
        return Labels.of(self.true, self.predicted, labels=chosen, pos_label=pos_label, sample_weight=self.weights)

    def multilabels(self, chosen: Any = None) -> Multilabel:
        """The tables, with the columns that averages run over."""
        columns = self.true.shape[1]
        selected = np.arange(columns)
        if chosen is not None:
            selected = np.asarray(chosen)
            for bound, wrong in ((f"> {columns - 1}", selected.max() >= columns), ("< 0", selected.min() < 0)):
                if wrong:
                    worst = selected.max() if bound[0] == ">" else selected.min()
                    raise ValueError(f"All labels must be in [0, n labels) for multilabel targets. Got {worst} {bound}")
        weights = None if self.weights is None else self.weights.astype(np.float64)
        return Multilabel(tuple(range(columns)), self.true != 0, self.predicted != 0, selected, weights)


def _is_plain(y: Any) -> bool:
    """True if these are whole numbers or truth values, one per sample."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu"


def _check_mixture(true: Array, predicted: Array) -> None:
    if (true.dtype.kind in "OUT") != (predicted.dtype.kind in "OUT"):
        raise ValueError(
            f"Mix of label input types (string and number); Got {np.unique(true)} and {np.unique(predicted)}."
        )


_FLOATS = (np.float64, np.float32, np.float16)


class LossInputs(NamedTuple):
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
        probabilities, truth, weights = self.probabilities, self.truth, self.weights
        if weights is not None and not weights.all():
            mask = weights > 0
            probabilities, truth, weights = probabilities[mask], truth[mask], weights[mask]
        probabilities = np.ascontiguousarray(
            probabilities.astype(np.float32) if probabilities.dtype == np.float16 else probabilities
        )
        return Probabilities(tuple(self.classes.tolist()), truth, probabilities, self.positive, weights)


def inputs_for_either(y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, labels: Any) -> LossInputs:
    """One probability per sample, of the positive class, or one per class."""
    probabilities = numbers(y_proba, dtype=_FLOATS)
    if probabilities.ndim == 1 or probabilities.shape[1] == 1:
        return _inputs_for_positive(y_true, probabilities, sample_weight, pos_label)
    return inputs_for_classes(y_true, probabilities, sample_weight, labels)


def inputs_for_classes(y_true: Any, y_proba: Any, sample_weight: Any, labels: Any) -> LossInputs:
    """One probability per class, or of the greater of two classes."""
    probabilities = numbers(y_proba, dtype=_FLOATS)
    _check_range(probabilities, "lower")
    check_lengths(probabilities, y_true, sample_weight)
    weights = float_weights(sample_weight, len(probabilities))
    classes, truth = _encoded(y_true, labels)
    if probabilities.ndim == 2 and probabilities.shape[1] == 1:
        probabilities = probabilities[:, 0]
    columns = 2 if probabilities.ndim == 1 else probabilities.shape[1]
    if probabilities.ndim == 2:
        tolerance = math.sqrt(np.finfo(probabilities.dtype).eps) + 1e-8
        if not (np.abs(probabilities.sum(axis=1) - 1) <= tolerance).all():
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
    return LossInputs(classes, truth, probabilities, weights, 1 if probabilities.ndim == 1 else None)


def _inputs_for_positive(y_true: Any, probabilities: Array, sample_weight: Any, pos_label: Any) -> LossInputs:
    """The probability of the positive one of two classes."""
    truth, probability_column = column(y_true), column(probabilities)
    check_finite(truth)
    check_lengths(probability_column, truth, sample_weight)
    weights = float_weights(sample_weight, len(probability_column))
    kind, _ = kind_of_target(truth, "y_true")
    if kind != "binary":
        raise ValueError(
            f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of "
            "y_prob."
        )
    _check_range(probability_column, "less")
    try:
        pos_label = binary_positive(pos_label, truth)
    except ValueError:
        if truth.dtype.kind in "OUST":
            raise
        pos_label = distinct_up_to_three(truth)[-1]
    return LossInputs(np.arange(2), (truth == pos_label).astype(np.int32), probability_column, weights, 1)


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
        known_kind, label_targets = kind_of_classes(labels)
        classes = (
            np.arange(label_targets.shape[1])
            if known_kind.startswith("multilabel")
            else classes_of(column(label_targets))
        )
        label_array = array_of(labels)
        if label_array.shape == classes.shape and not (classes == label_array).all():
            warn(
                f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass "
                f"the ordered labels={classes.tolist()} and ensure that the columns of y_prob correspond to this "
                "ordering."
            )
        if not np.isin(truth, label_array).all():
            raise ValueError(
                f"y_true contains values {set(truth.tolist()) - set(label_array.tolist())} not belonging to the passed "
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
