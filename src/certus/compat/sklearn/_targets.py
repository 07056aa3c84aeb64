"""Truth and prediction as labels: scikit-learn's checks, then certus's data."""

from functools import cached_property
from typing import Any, Self

import numpy as np

from certus.compat.sklearn._input import Array, check_lengths, column, weights_of
from certus.compat.sklearn._kinds import kind_of_target
from certus.compat.sklearn._parameters import is_sparse
from certus.data import Labels, Multilabel

__all__ = ["Targets"]


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
        """Whether a sample may have several labels."""
        return self.kind == "multilabel-indicator"

    @cached_property
    def present(self) -> Array:
        """The labels of truth and prediction in increasing order, of the type they were given in."""
        if self.multilabel:
            return np.arange(self.true.shape[1])
        both = (*np.unique(self.true).tolist(), *np.unique(self.predicted).tolist())
        return np.asarray(sorted(dict.fromkeys(both)))

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
    """Whether these are whole numbers or truth values, one per sample."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu"


def _check_mixture(true: Array, predicted: Array) -> None:
    if (true.dtype.kind in "OUT") != (predicted.dtype.kind in "OUT"):
        raise ValueError(
            f"Mix of label input types (string and number); Got {np.unique(true)} and {np.unique(predicted)}."
        )
