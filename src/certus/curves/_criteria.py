"""Criteria a threshold can be chosen by: functions of the four counts at every threshold."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.curves._counts import ThresholdCounts
from certus.errors import MetricNameError
from certus.spelling import Speller

__all__ = ["ConfusionCounts", "Criterion", "criterion_named"]


class ConfusionCounts(NamedTuple):
    """The four counts: one number each, or arrays with one for each threshold."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    @classmethod
    def of(cls, counts: ThresholdCounts) -> "ConfusionCounts":
        """The counts at every threshold."""
        tp, fp = counts.true_positives, counts.false_positives
        return cls(tp, fp, counts.positives - tp, counts.negatives - fp)

    def at(self, point: int) -> "ConfusionCounts":
        """The counts at one threshold."""
        return ConfusionCounts(*(each[point].item() for each in self))


class Criterion(NamedTuple):
    """A function of the counts by which thresholds are compared.

    Attributes
    ----------
    key
        Greatest at the best thresholds, NaN where there is no value. Made of whole numbers with one rounding at most,
        it is equal where the values are equal.
    value
        The criterion at the best threshold.
    needs
        The classes without which it is undefined.
    options
        The keywords of `best_threshold` it takes, in this order.
    exact
        Where the key needs more than one rounding: its twin in rational numbers.
    lowest
        Of equally good thresholds the lowest is meant.
    """

    key: Callable[..., Any]
    value: Callable[..., float]
    needs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    exact: Callable[[ConfusionCounts], Fraction] | None = None
    lowest: bool = False


def _wins(cells: ConfusionCounts) -> Any:
    """``tp tn - fp fn``: informedness times positives times negatives."""
    # In whole numbers up to 2 billion samples of each class, else as floats.
    if cells.tp.dtype.kind == "i" and int(cells.tp[-1]) * int(cells.fp[-1]) >= 2**62:
        cells = ConfusionCounts(*(each.astype(np.float64) for each in cells))
    return cells.tp * cells.tn - cells.fp * cells.fn


def _informedness(cells: ConfusionCounts) -> float:
    return float(_recall(cells) - _fpr(cells))


def _mcc_key(cells: ConfusionCounts) -> Floats:
    called, others = cells.tp + cells.fp, cells.fn + cells.tn
    return np.asarray(_wins(cells) / np.sqrt(called.astype(np.float64) * others))


def _mcc_exact(cells: ConfusionCounts) -> Fraction:
    wins = cells.tp * cells.tn - cells.fp * cells.fn
    return Fraction(wins * abs(wins), (cells.tp + cells.fp) * (cells.fn + cells.tn))


def _mcc(cells: ConfusionCounts) -> float:
    (tp, fp, fn, tn) = cells
    return float((tp * tn - fp * fn) / (math.sqrt((tp + fp) * (fn + tn)) * math.sqrt((tp + fn) * (fp + tn))))


def _distance(cells: ConfusionCounts) -> Any:
    return np.hypot(cells.fn / (cells.tp + cells.fn), _fpr(cells))


def _distance_exact(cells: ConfusionCounts) -> Fraction:
    (tp, fp, fn, tn) = cells
    return -Fraction((fn * (fp + tn)) ** 2 + (fp * (tp + fn)) ** 2)


def _fbeta(cells: ConfusionCounts, beta: float) -> Any:
    (tp, fp, fn, _) = cells
    return (1 + beta**2) * tp / (beta**2 * (tp + fn) + (tp + fp))


def _f1(cells: ConfusionCounts) -> Any:
    return _fbeta(cells, 1)


def _cost(cells: ConfusionCounts, false_positive: float, false_negative: float) -> Any:
    return (false_positive * cells.fp + false_negative * cells.fn) / sum(cells)


def _accuracy(cells: ConfusionCounts) -> Any:
    return (cells.tp + cells.tn) / sum(cells)


def _recall(cells: ConfusionCounts, _: float = 0) -> Any:
    return cells.tp / (cells.tp + cells.fn)


def _fpr(cells: ConfusionCounts) -> Any:
    return cells.fp / (cells.fp + cells.tn)


def _precision(cells: ConfusionCounts, _: float = 0) -> Any:
    return cells.tp / (cells.tp + cells.fp)


def _where(kept: NDArray[np.bool_], values: Any) -> Floats:
    return np.where(kept, values, math.nan)


_BOTH = ("positive", "negative")
_CRITERIA = {
    "accuracy": Criterion(lambda cells: cells.tp - cells.fp, _accuracy),
    "balanced-accuracy": Criterion(_wins, lambda cells: (1 + _informedness(cells)) / 2, _BOTH),
    "closest": Criterion(lambda cells: -_distance(cells), _distance, _BOTH, exact=_distance_exact),
    "cost": Criterion(lambda *given: -_cost(*given), _cost, (), ("false_positive_cost", "false_negative_cost")),
    "f1": Criterion(_f1, _f1, ("positive",)),
    "fbeta": Criterion(_fbeta, _fbeta, ("positive",), ("beta",)),
    "informedness": Criterion(_wins, _informedness, _BOTH),
    "mcc": Criterion(_mcc_key, _mcc, _BOTH, exact=_mcc_exact),
    "precision-at-recall": Criterion(
        lambda cells, least: _where(_recall(cells) >= least, _precision(cells)),
        _precision,
        ("positive",),
        ("recall",),
        lowest=True,
    ),
    "recall-at-fpr": Criterion(lambda cells, most: _where(_fpr(cells) <= most, cells.tp), _recall, _BOTH, ("fpr",)),
    "recall-at-precision": Criterion(
        lambda cells, least: _where(_precision(cells) >= least, cells.tp), _recall, ("positive",), ("precision",)
    ),
}
_SPELLER = Speller.of(
    _CRITERIA, {"youden": "informedness", "youden-j": "informedness", "j": "informedness", "f-beta": "fbeta"}
)


def criterion_named(given: str) -> tuple[str, Criterion]:
    """The criterion that the user's spelling means, and its name.

    Raises
    ------
    MetricNameError
        There is none.

    Examples
    --------
    >>> criterion_named("Youden")[0], criterion_named("balanced_accuracy")[0]
    ('informedness', 'balanced-accuracy')
    """
    name = _SPELLER.find(str(given))
    if name is None:
        hint = _SPELLER.hint(given) or f"; there are {', '.join(_CRITERIA)}"
        raise MetricNameError(f"no criterion is named {given!r}{hint}")
    return name, _CRITERIA[name]
