"""True classes and one real score per class: what multiclass metrics of scores are computed from."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.errors import DataError

__all__ = ["ClassScores"]

Reals = NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClassScores:
    """The true class of each sample and a real score for each class.

    The columns of the scores belong to `classes`: the labels given as ``labels=``, in that order, or else the sorted
    labels that occur in ``y_true``. A class without a sample is known only through ``labels=``, so the number of
    columns has to match. A single column, or one score per sample, is the score of the positive class of two.

    Attributes
    ----------
    classes
        The labels, one per column; for a single column those that are known, up to two.
    true
        The class of each sample, as an index into `classes`.
    scores
        Samples x classes; one-dimensional for a single column. float32 stays float32.
    positive
        For a single column: the index in `classes` of the class it scores; None where ``y_true`` has no sample of it.
        It is ``pos_label``, or without that the greater label of {0, 1}, {-1, 1} or {False, True}.
    weights
        One per sample, or None.
    groups
        The cluster of each sample as a code from 0, or None.

    Examples
    --------
    >>> data = ClassScores.of(["cat", "dog", "cat"], [[2, 1, 0], [0, 3, 1], [1, 2, 0]], labels=["cat", "dog", "eel"])
    >>> data.classes, data.true.tolist(), data.scores.shape
    (('cat', 'dog', 'eel'), [0, 1, 0], (3, 3))
    """

    classes: tuple[Any, ...]
    true: NDArray[np.int32]
    scores: Reals
    positive: int | None = None
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    argument: ClassVar[str] = "y_score"
    """What the scores are called in a message."""

    def __len__(self) -> int:
        return len(self.true)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} samples, {len(self.classes)} classes>"

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """Whether there is one label and one score, or one row of scores, per sample."""
        return len(_shape(y_true)) == 1 and len(_shape(other)) in (1, 2)

    @classmethod
    def of(
        cls,
        y_true: Any,
        other: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """The validated columns.

        Parameters
        ----------
        y_true
            The true label of each sample.
        other
            Real scores, samples x classes; or one per sample, of the positive class of two.
        labels
            The class of each column, in order; by default the sorted labels of `y_true`.
        pos_label
            The class that a single column scores.
        sample_weight
            A weight of at least 0 for each sample.
        groups
            The cluster of each sample.

        Raises
        ------
        DataError
            A value is missing or NaN, lengths differ, or the columns do not match the classes.
        """
        scores = _reals(other, cls.argument)
        known, true = _encoded(y_true, labels)
        if len(true) != len(scores):
            raise DataError(
                f"y_true has {len(true)} samples but {cls.argument} has {len(scores)}; they must pair up one to one"
            )
        positive = None
        if scores.ndim == 1:
            positive = _positive(known, pos_label)
        elif scores.shape[1] != len(known):
            where = "y_true" if labels is None else "labels"
            raise DataError(
                f"{cls.argument} has {scores.shape[1]} columns but {where} has {len(known)} classes; "
                "name the class of each column with labels="
            )
        elif pos_label is not None and pos_label not in known:
            raise DataError(f"pos_label is {pos_label!r}, which is not among the labels {_few(known)}")
        weights = None if sample_weight is None else _weights(sample_weight, len(true))
        codes = None if groups is None else _groups(groups, len(true))
        return cls(known, true, scores, positive, weights, codes)


def _shape(values: Any) -> tuple[int, ...]:
    shape = getattr(values, "shape", None)
    return np.shape(values) if shape is None else tuple(shape)


def _few(labels: tuple[Any, ...]) -> str:
    shown = ", ".join(repr(label) for label in labels[:5])
    return shown if len(labels) <= 5 else f"{shown}, ..."


def _reals(values: Any, name: str) -> Reals:
    try:
        array = np.asarray(values)
        array = array.astype(np.float64) if array.dtype.kind == "O" else array
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} does not hold numbers: {error}") from error
    if array.dtype.kind not in "bifu":
        raise DataError(f"{name} holds {array.dtype}; it must hold numbers")
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float32 if array.dtype == np.float16 else np.float64)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim not in (1, 2):
        raise DataError(f"{name} has {array.ndim} dimensions; it must hold one score per sample, or one per class")
    array = np.ascontiguousarray(array)
    # A sum is NaN where a value is, or where both infinities are: only then is it worth looking for the place.
    with np.errstate(invalid="ignore", over="ignore"):
        suspect = bool(np.isnan(array.sum()))
    if suspect and np.isnan(array).any():
        place = np.argwhere(np.isnan(array))[0].tolist()
        raise DataError(f"{name}[{', '.join(map(str, place))}] is NaN; take the sample out or give it a score")
    return array


def _encoded(y_true: Any, labels: Any) -> tuple[tuple[Any, ...], NDArray[np.int32]]:
    truth = np.asarray(y_true)
    if truth.ndim != 1:
        raise DataError(f"y_true has {truth.ndim} dimensions; it must hold one label per sample")
    found, codes = np.unique(truth, return_inverse=True)
    here = tuple(found.tolist())
    if any(label != label or label is None for label in here):
        raise DataError("y_true holds a missing label; take the sample out")
    if labels is None:
        return here, codes.astype(np.int32)
    known = tuple(np.asarray(labels).tolist())
    if len(set(known)) < len(known):
        raise DataError("labels names a class twice; each column has a class of its own")
    places = {label: i for i, label in enumerate(known)}
    for label in here:
        if label not in places:
            raise DataError(f"y_true holds {label!r}, which is not among the labels {_few(known)}")
    return known, np.array([places[label] for label in here], dtype=np.int32)[codes]


def _positive(known: tuple[Any, ...], pos_label: Any) -> int | None:
    if len(known) > 2:
        raise DataError(f"there is one column of scores for {len(known)} classes; give one column per class")
    if pos_label is not None:
        if pos_label not in known:
            raise DataError(f"pos_label is {pos_label!r}, which is not among the labels {_few(known)}")
        return known.index(pos_label)
    if set(known) <= {0, 1} or set(known) <= {-1, 1}:
        return known.index(1) if 1 in known else None
    raise DataError(f"the labels are {_few(known)}; say with pos_label= which of them is scored")


def _weights(values: Any, n: int) -> NDArray[np.float64]:
    weights = np.ascontiguousarray(values, dtype=np.float64)
    if weights.shape != (n,):
        raise DataError(f"sample_weight has shape {weights.shape} for {n} samples; give one weight per sample")
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError("sample_weight holds a weight that is negative or not finite; weights are at least 0")
    return weights


def _groups(values: Any, n: int) -> NDArray[np.int64]:
    groups = np.asarray(values)
    if groups.shape != (n,):
        raise DataError(f"groups has shape {groups.shape} for {n} samples; give one group per sample")
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)
