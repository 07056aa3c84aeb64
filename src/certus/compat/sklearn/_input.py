"""Input as scikit-learn takes, checks and converts it, the errors it raises for the rest, and certus's data of it."""

import math
from collections.abc import Sequence
from functools import cached_property
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.compat.sklearn._parameters import is_sparse, warn
from certus.core.errors import DataError
from certus.core.exact import any_beyond, distinct_ranks, doubles, loss, number
from certus.data import Labels, Multilabel, Probabilities
from certus.data.columns import check_weights
from certus.metrics import Metric

Array = NDArray[Any]


def count(values: Any) -> int:
    """Number of samples."""
    if isinstance(values, np.ndarray) and values.ndim:
        return len(values)
    refusal = f"Expected sequence or array-like, got {type(values)}"
    if callable(getattr(values, "fit", None)):
        raise TypeError(refusal)
    shape = getattr(values, "shape", None)
    if shape is not None:
        if len(shape) == 0:
            raise TypeError(
                "Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, "
                f"got scalar `{values!r}` instead."
            )
        if isinstance(shape[0], Integral):
            return int(shape[0])
    try:
        return len(values) if hasattr(values, "__len__") else len(np.asarray(values))
    except TypeError as error:
        raise TypeError(refusal) from error


def check_lengths(*columns: Any) -> None:
    """Refuse columns that do not pair up; None stands for a column that was not given."""
    lengths = [count(values) for values in columns if values is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def array_of(values: Any, dtype: Any = None, *, name: str = "") -> Array:
    """The values as a NumPy array, as they are or of a given type."""
    if type(values) is np.ndarray and (dtype is None or values.dtype == dtype) and values.dtype.kind != "c":
        return values
    if isinstance(values, np.matrix):
        raise TypeError("np.matrix is not supported. Please convert to a numpy array with np.asarray.")
    if is_sparse(values):
        raise TypeError(
            f"Sparse data was passed{f' for {name}' if name else ''}, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    array = np.asarray(_without_na(values), dtype=dtype)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    return array


def exact_of(values: Any) -> Array:
    """The values as an array in which no whole number has been rounded, dates and durations as whole numbers."""
    array = array_of(values)
    if array.dtype.kind in "mM":
        if np.isnat(array).any():
            raise ValueError("Input contains NaT.")
        return array.view(np.int64)
    if isinstance(values, list | tuple) and array.dtype.kind == "f" and any_beyond(array):
        return array_of(values, np.dtype(object))
    return array


def ranked(values: Any, *, ndim: int | None = None) -> Array:
    """Numbers of which only the order counts: as `numbers` has them, or places where float64 would tie some."""
    array = exact_of(values)
    if _lost(array):
        return _validate_array(distinct_ranks(array)[1], "", ndim)
    return numbers(array, ndim=ndim)


def exact_numbers(values: Any, name: str) -> Array:
    """Numbers to calculate with, as `numbers` has them; those that float64 would round are refused."""
    if lost := _lost(exact_of(values)):
        raise DataError(f"{name} {lost}", "subtract a common offset first, or round them to floats")
    return numbers(values)


def _lost(array: Array) -> str:
    """Text about digits of the numbers that float64 would lose; empty if there are none."""
    if array.dtype.kind not in "Oiuf":
        return ""
    nearest_doubles = doubles(array)
    return loss(array, nearest_doubles) if np.isfinite(nearest_doubles).all() else ""


def _without_na(values: Any) -> Any:
    """A column with its own marks of missing values (pandas) as an array that has none."""
    dtype = getattr(values, "dtype", None)
    if not hasattr(dtype, "na_value"):
        return values
    kind = {"b": "bool", "i": "int64", "u": "uint64", "f": "float64"}.get(getattr(dtype, "kind", ""))
    if kind is None:
        return values
    if values.isna().any():
        kind = "float64"
    return values.to_numpy(dtype=kind, na_value=math.nan) if kind == "float64" else values.to_numpy(dtype=kind)


def numbers(values: Any, *, dtype: Any = None, name: str = "", ndim: int | None = None) -> Array:
    """Finite numbers in one or two dimensions, at least one."""
    array = array_of(values, name=name)
    if dtype is not None:
        array = array if array.dtype in dtype else array.astype(dtype[0])
    elif array.dtype.kind == "O":
        array = array.astype(np.float64)
    if array.dtype.kind in "USV":
        raise ValueError(
            "dtype='numeric' is not compatible with arrays of bytes/strings."
            "Convert your data to numeric values explicitly instead."
        )
    return _validate_array(array, name, ndim)


def labels_of(values: Any) -> Array:
    """Labels of any type in one or two dimensions, at least one, none of them NaN."""
    return _validate_array(array_of(values), "", None)


def require_kind(kind: str, *supported: str) -> None:
    """Refuse targets of another kind, in the words of scikit-learn."""
    if kind not in supported:
        raise ValueError(f"{kind} format is not supported")


def value_of(metric: Metric, data: Any) -> float:
    """The value of a metric."""
    statistic: Any = metric.compute(data)
    return float(statistic.value)


def _validate_array(array: Array, name: str, ndim: int | None) -> Array:
    if ndim == 2 and array.ndim < 2:
        noun = "scalar array" if array.ndim == 0 else "1D array"
        raise ValueError(
            f"Expected 2D array, got {noun} instead:\narray={array}.\nReshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single "
            "sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    check_finite(array, name)
    check_some(array)
    if array.ndim == 2 and array.shape[1] < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    return array


def check_some(array: Array) -> None:
    """Refuse an array without samples."""
    if count(array) < 1:
        raise ValueError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")


def check_finite(array: Array, name: str = "") -> None:
    """Refuse NaN and infinities."""
    label = f"{name} " if name else ""
    if array.dtype.kind == "O":
        if (array != array).any():  # only NaN differs from itself
            raise ValueError("Input contains NaN")
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        if np.isnan(array).any():
            raise ValueError(f"Input {label}contains NaN.")
        raise ValueError(f"Input {label}contains infinity or a value too large for {array.dtype!r}.")


def column(values: Any, name: str = "y", dtype: Any = None) -> Array:
    """One value per sample: an array of one dimension, or of two with a single column."""
    array = array_of(values, dtype, name=name)
    if array.ndim == 1:
        return array
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")


def weights_of(sample_weight: Any, samples: int, *, floats: bool = False) -> Array | None:
    """The weights of the samples, whole numbers kept unless `floats` are asked for."""
    if sample_weight is None:
        return None
    float_types = (np.float64, np.float32)
    weights = numbers(sample_weight, name="sample_weight", dtype=float_types if floats else None)
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array. Expected either a scalar value or "
            f"a 1D array of length {samples}."
        )
    if len(weights) != samples:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(samples,)}!")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    check_weights(weights)
    return weights


def subtract_offset(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Both columns, less a common whole number where float64 would round theirs; else as they are."""
    try:
        columns = [exact_of(values) for values in (y_true, y_pred)]
    except (TypeError, ValueError):
        return y_true, y_pred  # whose checks say what is wrong
    if not any(map(_lost, columns)):
        return y_true, y_pred
    for values in columns:
        check_finite(doubles(values))
    true, predicted = (np.frompyfunc(number, 1, 1)(values.astype(object)) for values in columns)
    offset = int(min(true.min(), predicted.min()))
    return exact_numbers(true - offset, "y_true"), exact_numbers(predicted - offset, "y_pred")


def distinct_up_to_three(array: Array) -> list[Any]:
    """The different values in increasing order, or the first three found where there are more than two."""
    flat = array.ravel()
    if not len(flat):
        return []
    if array.dtype.kind == "O":
        return sorted(set(flat.tolist()))[:3]
    first, second = flat[0], None
    for part in (flat[:64], flat) if len(flat) > 64 else (flat,):
        differs = part != first
        if not differs.any():
            continue
        second = part[int(differs.argmax())]
        differs &= part != second
        if differs.any():
            return [first, second, part[int(differs.argmax())]]
    return [first] if second is None else sorted((first, second))


def classes_of(array: Array) -> Array:
    """The different values in increasing order."""
    distinct = distinct_up_to_three(array)
    return np.unique(array) if len(distinct) > 2 else np.array(distinct, dtype=array.dtype)


def kind_of_target(y: Any, name: str = "") -> tuple[str, Array]:
    """The kind of these labels in scikit-learn's words, and the labels as an array."""
    valid = isinstance(y, np.ndarray | Sequence) or hasattr(y, "__array__") or is_sparse(y)
    if not valid or isinstance(y, str):
        raise ValueError(f"Expected array-like (array or non-string sequence), got {y!r}")
    if type(y).__name__ in ("SparseSeries", "SparseArray"):
        raise ValueError("y cannot be class 'SparseSeries' or 'SparseArray'")
    try:
        array = y.toarray() if is_sparse(y) else array_of(y)
    except ValueError as error:
        if str(error).startswith("Complex data"):
            raise
        array = array_of(y, np.dtype(object))  # of rows of different lengths
    if array.ndim == 1 and array.dtype.kind in "biu":
        return ("multiclass" if len(distinct_up_to_three(array)) > 2 else "binary"), array
    is_table = array.ndim == 2 and array.shape[1] > 1
    has_counts = is_table and (array.dtype.kind in "biu" or (array.dtype.kind == "f" and _is_whole(array)))
    if has_counts and len(distinct_up_to_three(array)) < 3:
        return "multilabel-indicator", array
    if array.ndim and len(array):
        _check_first(array[0])
    if array.ndim not in (1, 2):
        return "unknown", array
    if not min(array.shape):
        return ("binary" if array.ndim == 1 else "unknown"), array
    if array.dtype.kind == "O" and not isinstance(array.flat[0], str):
        return "unknown", array
    several = "-multioutput" if array.ndim == 2 and array.shape[1] > 1 else ""
    if array.dtype.kind == "f" and not _is_whole(array):
        check_finite(array, name)
        return f"continuous{several}", array
    if several or len(distinct_up_to_three(array)) > 2:
        return f"multiclass{several}", array
    return "binary", array


def _is_whole(array: Array) -> bool:
    return bool((np.floor(array) == array).all() and np.isfinite(array).all())


def _check_first(value: Any) -> None:
    if isinstance(value, bytes):
        raise TypeError(
            "Support for labels represented as bytes is not supported. Convert the labels to a string or integer "
            "format."
        )
    if isinstance(value, Sequence) and not isinstance(value, str) and not hasattr(value, "__array__"):
        raise ValueError(
            "You appear to be using a legacy multi-label data representation. Sequence of sequences are no longer "
            "supported; use a binary array or sparse matrix instead - the MultiLabelBinarizer transformer can convert "
            "to this format."
        )


def binary_positive(pos_label: Any, y_true: Array) -> Any:
    """The positive label, 1 where none is given and the labels are those of an ordinary binary problem."""
    if pos_label is not None:
        return pos_label
    distinct = distinct_up_to_three(y_true)
    if y_true.dtype.kind not in "OUST" and (set(distinct) <= {0, 1} or set(distinct) <= {-1, 1}):
        return 1
    distinct = np.unique(y_true).tolist()
    names = ", ".join(map(repr, distinct))
    raise ValueError(
        f"y_true takes value in {{{names}}} and pos_label is not specified: either make y_true take value in {{0, 1}} "
        "or {-1, 1} or pass pos_label explicitly."
    )


class Targets:
    """Truth and prediction that have been checked: a label per sample, or the tables of an indicator."""

    def __init__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        check_lengths(y_true, y_pred, sample_weight)
        if _is_plain(y_true) and _is_plain(y_pred):
            kind = other = "binary"  # or multiclass, which `kind_of` will tell from the counts
            true, predicted = y_true, y_pred
        else:
            kind, true = kind_of_target(y_true, "y_true")
            other, predicted = kind_of_target(y_pred, "y_pred")
        if not len(true):
            message = "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required."
            raise ValueError(message)
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
            if (true.dtype.kind in "OUT") != (predicted.dtype.kind in "OUT"):
                found = f"{np.unique(true)} and {np.unique(predicted)}"
                raise ValueError(f"Mix of label input types (string and number); Got {found}.")
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
            return np.asarray(Labels.from_arrays(self.true, self.predicted).classes)
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
        return Labels.from_arrays(
            self.true, self.predicted, labels=chosen, pos_label=pos_label, sample_weight=self.weights
        )

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
    class_kind, targets = (kind, truth) if labels is None else kind_of_classes(labels)
    classes = np.arange(targets.shape[1]) if class_kind.startswith("multilabel") else classes_of(column(targets))
    if labels is not None:
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
